"""`taquin compare`: run several searches on one board or on many, and print one table."""

from __future__ import annotations

from collections.abc import Sequence

import click

from taquin.cli.command import BAD_INPUT, REFUTED, command, option
from taquin.cli.comparison import (
    Run,
    caption,
    figure,
    mean_column,
    reasons,
    run_columns,
    runs_on,
    status_of,
    summaries,
    summary_columns,
)
from taquin.cli.options import (
    Named,
    OutputFormat,
    Problem,
    format_options,
    limit_options,
    problem_options,
)
from taquin.cli.results import no_solution
from taquin.cli.screen import paragraph, say
from taquin.cli.searches import like_json, like_option, likeness_named
from taquin.cli.table import Column, print_csv, print_json, print_table
from taquin.engine.choose import Auto
from taquin.engine.glass import GlassBox
from taquin.errors import TaquinError
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import parts_of
from taquin.search.likeness import Likeness
from taquin.search.options import search_from_options
from taquin.search.result import Limits, Result
from taquin.search.run import Algorithm

DEFAULT = (
    "bfs",
    "bidirectional",
    "ids",
    "greedy:manhattan",
    "astar:misplaced",
    "astar:manhattan",
    "astar:linear-conflict",
    "idastar:manhattan",
    "rbfs:manhattan",
    "beam:manhattan:width=100",
)
"""The searches that run without --algorithm: those of the textbooks."""


@command(
    'taquin compare "8 1 3 / 4 0 2 / 7 6 5"',
    "taquin compare puzzle.txt -a bfs -a astar:misplaced -a idastar:linear-conflict",
    "taquin compare puzzle.txt -a wastar:weight=2 -a wastar:weight=5",
    "taquin compare puzzle.txt -a astar -a astar:duplicates=parent:ties=lifo --csv",
    "taquin compare puzzle.txt --like s4 -a astar -a astar:hamming",
    "taquin compare --many boards.txt -a astar -a idastar",
    epilog="Exit status: 0 a search solved it, or each board of many; 1 unsolvable; 2 bad input, "
    "or a search of your own failed; 3 a limit was reached or Ctrl-C.",
)
@problem_options
@option(
    "Search",
    "--algorithm",
    "-a",
    "names",
    type=Named("search", ALGORITHMS),
    multiple=True,
    help="As of taquin solve: astar, astar:misplaced, astar(manhattan, ties=lifo), "
    "file.py:name; may be given several times.  "
    "[default: the searches of the textbooks]",
)
@like_option
@limit_options(max_seconds=10)
@option(
    "Engine",
    "--engine",
    one_of=("auto", "glass"),
    default="auto",
    help="auto: the engine that taquin solve would choose for each search, compiled for some; "
    "glass: the glass box for all, so that times are comparable.",
)
@option(
    "Output",
    "--many",
    is_flag=True,
    help="Read several boards, as taquin solve --many does; the table shows means.",
)
@format_options
def compare(
    problem: Problem,
    names: tuple[str, ...],
    like: str | None,
    limits: Limits,
    engine: str,
    many: bool,
    output: OutputFormat,
) -> int:
    """Run several searches on one board, in one table.

    The limits apply to each run; Ctrl-C ends the current run and skips the rest. A solution is
    called shortest if that is proven. Each search runs on the engine that taquin solve would choose
    for it; counts do not depend on the engine. With --many the table has a row for each search,
    JSON and CSV have one for each run.
    """
    likeness = likeness_named(like)
    make = likeness.search if likeness else search_from_options
    searches = [make(*parts_of(name)) for name in names or DEFAULT]
    chosen = GlassBox() if engine == "glass" else Auto(once=not many)
    if many:
        searches = list({str(search): search for search in searches}.values())
        entries = list(problem.read_each())
        faults = [entry for entry in entries if isinstance(entry, TaquinError)]
        boards = [entry for entry in entries if not isinstance(entry, TaquinError)]
    else:
        faults, boards = [], [problem.read()]
    for fault in faults:
        say(f"Error: {fault}")
    if not boards:
        raise click.UsageError("expected a board on each line, found none")
    is_one_table = output is OutputFormat.TEXT and not many
    if is_one_table and (refutation := no_solution(*boards[0])):
        click.secho(paragraph(refutation), bold=True)
        return REFUTED
    runs = list(runs_on(boards, searches, chosen, limits))
    if output is OutputFormat.JSON:
        print_json([run.json() | _like_json(likeness, run) for run in runs])
    elif output is OutputFormat.CSV:
        print_csv([_numbered(run, many) | run.record() | _like_csv(likeness, run) for run in runs])
    else:
        _print_tables(runs, searches, likeness, many)
    return BAD_INPUT if faults else status_of(runs)


def _print_tables(
    runs: Sequence[Run], searches: Sequence[Algorithm], likeness: Likeness | None, many: bool
) -> None:
    """Print the table, the meaning of its columns, and why searches found no solution."""
    if many:
        rows = summaries(runs, searches)
        print_table(summary_columns(_mean_columns(likeness)), rows)
        click.echo(paragraph(caption(rows, runs)))
    else:
        print_table(run_columns(_count_columns(likeness)), runs)
    if likeness is not None:
        click.echo(paragraph(f"{_heading(likeness)}: {likeness.definition}."))
    for line in reasons(runs, many):
        click.echo(paragraph(line))


def _heading(likeness: Likeness) -> str:
    return f"{likeness.count}, {likeness.source}"


def _tally(likeness: Likeness, result: Result | None) -> int | None:
    return None if result is None else likeness.tally(result.algorithm, result.stats)


def _count_columns(likeness: Likeness | None) -> list[Column]:
    """Return the column of the count that a source reports; empty without a source."""
    if likeness is None:
        return []
    return [Column(_heading(likeness), lambda run: figure(_tally(likeness, run.result)))]


def _mean_columns(likeness: Likeness | None) -> list[Column]:
    """Return the same column for the means of many boards."""
    if likeness is None:
        return []
    return [mean_column(_heading(likeness), lambda result: _tally(likeness, result))]


def _like_json(likeness: Likeness | None, run: Run) -> dict[str, object]:
    return {} if run.result is None else like_json(likeness, run.result)


def _like_csv(likeness: Likeness | None, run: Run) -> dict[str, object]:
    return {} if likeness is None else {_heading(likeness): _tally(likeness, run.result)}


def _numbered(run: Run, many: bool) -> dict[str, object]:
    """Return the columns of CSV that identify one board of many."""
    return {"board": run.board, "start": run.start.text()} if many else {}

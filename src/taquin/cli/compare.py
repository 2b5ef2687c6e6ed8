"""`taquin compare`: several searches on one board or on many, in one table."""

from __future__ import annotations

from collections.abc import Sequence

import click

from taquin.cli.command import BAD_INPUT, REFUTED, command, option
from taquin.cli.comparison import (
    UNKNOWN,
    Run,
    caption,
    columns_of_many_boards,
    columns_of_one_board,
    mean_in,
    reasons,
    runs_on,
    status_of,
    summaries,
)
from taquin.cli.options import Named, Problem, json_option, limit_options, problem_options
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
"""What runs when nobody says: the searches of the textbooks."""


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
    help="auto: what taquin solve would take for each search, compiled code for some; glass: the "
    "glass box for all, so that times compare.",
)
@option(
    "Output",
    "--many",
    is_flag=True,
    help="Several boards in, as for taquin solve --many; the table has means.",
)
@json_option
@option("Output", "--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
def compare(
    problem: Problem,
    names: tuple[str, ...],
    like: str | None,
    limits: Limits,
    engine: str,
    many: bool,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Run several searches on one board, in one table.

    The limits hold for each run by itself; Ctrl-C ends the run under way and those to come. A
    solution is called shortest where that is proven. Each search runs on the engine that taquin
    solve would choose for it; counts are the same on any. With --many the table has a row for each
    search, JSON and CSV have one for each run.
    """
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    likeness = likeness_named(like)
    make = likeness.search if likeness else search_from_options
    searches = [make(*parts_of(name)) for name in names or DEFAULT]
    chosen = GlassBox() if engine == "glass" else Auto(once=not many)
    if many:
        searches = list({str(search): search for search in searches}.values())
        found = list(problem.read_each())
        faults = [each for each in found if isinstance(each, TaquinError)]
        boards = [each for each in found if not isinstance(each, TaquinError)]
    else:
        faults, boards = [], [problem.read()]
    for fault in faults:
        say(f"Error: {fault}")
    if not boards:
        raise click.UsageError("expected a board on each line, found none")
    if not (many or as_json or as_csv) and (refuted := no_solution(*boards[0])):
        click.secho(paragraph(refuted), bold=True)
        return REFUTED
    runs = list(runs_on(boards, searches, chosen, limits))
    if as_json:
        print_json([run.json() | _like_json(likeness, run) for run in runs])
    elif as_csv:
        print_csv([_numbered(run, many) | run.record() | _like_csv(likeness, run) for run in runs])
    else:
        _print_tables(runs, searches, likeness, many)
    return BAD_INPUT if faults else status_of(runs)


def _print_tables(
    runs: Sequence[Run], searches: Sequence[Algorithm], likeness: Likeness | None, many: bool
) -> None:
    """Print the table, what its columns mean, and why searches found nothing."""
    if many:
        rows = summaries(runs, searches)
        print_table(columns_of_many_boards(_mean_counts(likeness)), rows)
        click.echo(paragraph(caption(rows, runs)))
    else:
        print_table(columns_of_one_board(_counts(likeness)), runs)
    if likeness is not None:
        click.echo(paragraph(f"{_heading(likeness)}: {likeness.definition}."))
    for line in reasons(runs, many):
        click.echo(paragraph(line))


def _heading(likeness: Likeness) -> str:
    return f"{likeness.count}, {likeness.source}"


def _tally(likeness: Likeness, result: Result | None) -> int | None:
    return None if result is None else likeness.tally(result.algorithm, result.stats)


def _counts(likeness: Likeness | None) -> list[Column]:
    """Return the column of the count that a source speaks of; none without a source."""
    if likeness is None:
        return []

    def cell(run: Run) -> str:
        number = _tally(likeness, run.result)
        return UNKNOWN if number is None else f"{number:,}"

    return [Column(_heading(likeness), cell)]


def _mean_counts(likeness: Likeness | None) -> list[Column]:
    """Return the same column for means."""
    if likeness is None:
        return []
    return [
        Column(_heading(likeness), lambda row: mean_in(row, lambda found: _tally(likeness, found)))
    ]


def _like_json(likeness: Likeness | None, run: Run) -> dict[str, object]:
    return {} if run.result is None else like_json(likeness, run.result)


def _like_csv(likeness: Likeness | None, run: Run) -> dict[str, object]:
    return {} if likeness is None else {_heading(likeness): _tally(likeness, run.result)}


def _numbered(run: Run, many: bool) -> dict[str, object]:
    """Return the columns of CSV that say which board of many it is."""
    return {"board": run.board, "start": run.start.text()} if many else {}

"""`taquin compare`: several searches on one board, in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from taquin.cli.command import OK, REFUTED, STOPPED, command, option
from taquin.cli.options import Named, Problem, json_option, limit_options, problem_options
from taquin.cli.results import STATUS, result_json
from taquin.cli.running import solve
from taquin.cli.screen import paragraph
from taquin.cli.searches import like_json, like_option, likeness_named
from taquin.cli.table import Column, print_csv, print_json, print_table
from taquin.engine.glass import GlassBox
from taquin.search.algorithms import ALGORITHMS
from taquin.search.grammar import made, parts_of
from taquin.search.likeness import Likeness
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.words import seconds_in_words

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

_COLUMNS = (
    Column("search", lambda result: str(result.algorithm), left=True),
    Column("moves", lambda result: _moves(result)),
    Column("expanded", lambda result: f"{result.stats.expanded:,}"),
    Column("time", lambda result: seconds_in_words(result.stats.seconds)),
    Column("shortest", lambda result: "yes" if result.optimal else ""),
    Column("generated", lambda result: f"{result.stats.generated:,}"),
    Column("frontier", lambda result: f"{result.stats.max_frontier:,}"),
    Column("at least", lambda result: str(result.lower_bound)),
)
"""The most telling first: a narrow screen shows the others in blocks below."""


@command(
    'taquin compare "8 1 3 / 4 0 2 / 7 6 5"',
    "taquin compare puzzle.txt -a bfs -a astar:misplaced -a idastar:linear-conflict",
    "taquin compare puzzle.txt -a wastar:weight=2 -a wastar:weight=5",
    "taquin compare puzzle.txt -a astar -a astar:duplicates=parent:ties=lifo --csv",
    "taquin compare puzzle.txt --like s4 -a astar -a astar:hamming",
    epilog="Exit status: 0 a search solved it, 1 one proved it unsolvable, 2 bad input, 3 neither.",
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
@json_option
@option("Output", "--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
def compare(
    problem: Problem,
    names: tuple[str, ...],
    like: str | None,
    limits: Limits,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Run several searches on one board, in one table.

    The limits hold for each run by itself; Ctrl-C ends the run under way and those to come. A
    solution is called shortest where that is proven.
    """
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    likeness = likeness_named(like)
    make = likeness.search if likeness else made
    searches = [make(*parts_of(name)) for name in names or DEFAULT]
    puzzle, start = problem.read()
    results: list[Result] = []
    for search in searches:
        results.append(solve(Task(puzzle, start, search, limits), GlassBox(), label=str(search)))
        if results[-1].outcome is Outcome.STOPPED:
            break
    if as_json:
        print_json([result_json(result) | like_json(likeness, result) for result in results])
    elif as_csv:
        print_csv([_record(result) | _csv_count(likeness, result) for result in results])
    else:
        print_table([*_COLUMNS[:2], *_count(likeness), *_COLUMNS[2:]], results)
        if likeness is not None:
            click.echo(paragraph(f"{_heading(likeness)}: {likeness.definition}."))
        _print_reasons(results)
    statuses = {STATUS[result.outcome] for result in results}
    return next(status for status in (OK, REFUTED, STOPPED) if status in statuses)


def _moves(result: Result) -> str:
    return result.outcome.value if result.cost is None else str(result.cost)


def _heading(likeness: Likeness) -> str:
    return f"{likeness.count}, {likeness.source}"


def _count(likeness: Likeness | None) -> list[Column]:
    """Return the column of the count that a source speaks of; none without a source."""
    if likeness is None:
        return []

    def cell(result: Result) -> str:
        number = likeness.tally(result.algorithm, result.stats)
        return "–" if number is None else f"{number:,}"

    return [Column(_heading(likeness), cell)]


def _csv_count(likeness: Likeness | None, result: Result) -> dict[str, object]:
    if likeness is None:
        return {}
    return {_heading(likeness): likeness.tally(result.algorithm, result.stats)}


def _print_reasons(results: Sequence[Result]) -> None:
    """Say once each why searches found nothing."""
    for reason in dict.fromkeys(result.reason for result in results if result.reason):
        names = [str(result.algorithm) for result in results if result.reason == reason]
        click.echo(paragraph(f"{', '.join(names)}: {reason}"))


def _record(result: Result) -> dict[str, object]:
    """Return what a row of CSV holds."""
    record = result_json(result)
    chosen = ("algorithm", "outcome", "cost", "lower_bound", "optimal", "reason")
    return {key: record[key] for key in chosen} | asdict(result.stats)

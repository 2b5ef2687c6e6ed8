"""`taquin audit` tests heuristics on every board of a small size, or on a sample of boards.

`taquin estimate` prints their estimates for one board or many.
"""

from __future__ import annotations

from dataclasses import fields
from itertools import chain, repeat
from typing import Any

import click

from taquin import Board, Heuristic, Limits, Metric, Puzzle, TaquinError
from taquin.analysis import Audit, Comparison
from taquin.analysis.audit import Fall, Overestimate, extent_of
from taquin.cli import options
from taquin.cli.command import (
    AMOUNT,
    BAD_INPUT,
    OK,
    REFUTED,
    STOPPED,
    command,
    completing,
    flag,
    int_option,
    option,
)
from taquin.cli.inputs import goal_of, start_of
from taquin.cli.output import Column, print_csv, print_json, print_table
from taquin.cli.running import isolation
from taquin.cli.screen import paragraph, say, side_by_side, status_line
from taquin.errors import UnfinishedError, with_notes
from taquin.heuristics.base import holds_user_code
from taquin.heuristics.registry import HEURISTICS, BoardEstimates
from taquin.heuristics.user_code import blaming_user_code
from taquin.search.control import INTERRUPTED
from taquin.search.grammar import heuristic_named
from taquin.system.formatting import counted


@command(
    "taquin audit manhattan",
    "taquin audit manhattan-agent --size 2x3",
    "taquin audit misplaced manhattan linear-conflict mine.py:name --size 2x3",
    "taquin audit manhattan mine.py:name --size 4x4 --sample 100",
    'taquin audit "sum(misplaced, gaschnig)" --goal blank-first',
    'taquin audit manhattan-agent --start "A . . / B . @" --goal "* A * / * B @"',
    epilog="Exit status: 0 admissible, or not refuted by a sample; 1 a board is overestimated; 2 "
    "bad input; 3 stopped before either was known.",
)
@click.argument(
    "heuristics",
    nargs=-1,
    required=True,
    metavar="HEURISTIC …",
    shell_complete=completing(HEURISTICS),
)
@options.size_option
@option(
    "Puzzle", "--start BOARD", "A board with the size, walls and tiles that the goal leaves open."
)
@options.goal_option
@options.metric_option
@option("Limits", "--max-boards limit", "Refuse more boards.", type=AMOUNT, default=500_000)
@int_option("Limits", "--sample", "Test N random boards instead of all, of any size.")
@int_option("Limits", "--seed", "Seed of the sample.", least=0, default=1)
@options.resource_limit_options
@options.json_option
def audit(
    heuristics: tuple[str, ...],
    size: tuple[int, int],
    start: str | None,
    goal: str,
    metric: Metric,
    limit: int,
    sample: int | None,
    seed: int,
    limits: Limits,
    as_json: bool,
) -> int:
    """Test heuristics on every board of a small size.

    Admissible: the estimate never exceeds the true distance. Consistent: a move lowers it by one
    at most. A property that does not hold is shown with its smallest counterexample. Several
    heuristics are printed as a table; one dominates another if it is never lower, and higher on
    some board. --sample tests boards after random walks of 1 to 40 moves from the goal, which can
    refute a property but not prove it. When --max-seconds or Ctrl-C stops the test, the findings
    so far are printed.
    """
    tested = [heuristic_named(heuristic) for heuristic in heuristics]
    board = None if start is None else start_of([start], goal)
    grid = options.grid_of(size) if board is None else board.grid
    puzzle = Puzzle(goal_of(goal, grid), metric)
    if board is not None:
        puzzle.check(board)
    elif not puzzle.goal.is_full:
        raise click.UsageError("a goal with * lacks tiles: give a board too, --start BOARD")
    names = ", ".join(heuristic.name for heuristic in tested)
    title = f"auditing {names} on boards of {puzzle.grid} …"
    with status_line(title) as draw, blaming_user_code():

        def progress(distance: int, count: int) -> None:
            draw(f"{title} {count:,} within {counted(distance, 'move')}")

        extent = extent_of(puzzle, board, limit, limits.seconds, (sample, seed), progress)
        comparison = isolation().audits(tested, extent, progress, limits)
    audits, dominated, faults = comparison.audits, comparison.dominated, comparison.faults
    if as_json:
        records = [
            _record(audit) | ({"dominates": dominated[audit.heuristic]} if tested[1:] else {})
            for audit in audits
        ]
        records += [{"heuristic": name, "error": fault} for name, fault in faults.items()]
        print_json(records if tested[1:] else records[0])
    elif tested[1:]:
        _print_table(comparison)
    else:
        (found,) = audits
        admissible, consistent, strength = found.verdicts()
        click.echo(paragraph(f"{found.heuristic}: {admissible}"))
        if found.overestimate:
            click.echo(f"\n{found.overestimate.board}\n")
        click.echo(paragraph(f"{found.heuristic}: {consistent}"))
        if found.fall:
            blocks = [str(board).splitlines() for board in (found.fall.parent, found.fall.child)]
            click.echo(f"\n{side_by_side(blocks)}\n")
        click.secho(paragraph(strength), dim=True)
    if faults:
        return BAD_INPUT
    is_stopped = any(audit.stopped for audit in audits)
    is_refuted = any(audit.overestimate for audit in audits)
    return REFUTED if is_refuted else STOPPED if is_stopped else OK


def _print_table(comparison: Comparison) -> None:
    """Print a row for each heuristic, then counterexamples and faults."""

    def claim(counterexample: str, proven: str) -> Column:
        def cell(audit: Audit) -> str:
            if getattr(audit, counterexample):
                return "no"
            return "yes" if getattr(audit, proven) else "not refuted"

        return Column(proven, cell)

    print_table(
        [
            Column("heuristic", lambda audit: audit.heuristic, left=True),
            claim("overestimate", "admissible"),
            claim("fall", "consistent"),
            Column("mean", lambda audit: f"{audit.mean_estimate:.2f}"),
            Column("of distance", lambda audit: f"{audit.strength:.0%}"),
            Column("largest error", lambda audit: str(audit.max_error)),
            Column(
                "dominates",
                lambda audit: ", ".join(comparison.dominated[audit.heuristic]) or "–",
                left=True,
            ),
        ],
        comparison.audits,
    )
    first = comparison.audits[0]
    boards = f"{counted(comparison.boards, 'board')} of {first.puzzle.grid}"
    sentence = f"Dominates: never lower, and higher on some of {boards}."
    if first.sampled:
        sentence += " They are a sample, which can refute a claim and proves none."
    click.echo(paragraph(sentence))
    for audit in comparison.audits:
        claims = (audit.overestimate, "admissible"), (audit.fall, "consistent")
        for counterexample, name in claims:
            if counterexample:
                click.echo(paragraph(f"{audit.heuristic}: not {name}: {counterexample}"))
        if audit.stopped:
            click.echo(paragraph(f"{audit.heuristic}: stopped, {audit.stopped}"))
    for name, fault in comparison.faults.items():
        click.echo(paragraph(f"{name} failed: {fault}"))


def _record(audit: Audit) -> dict[str, Any]:
    """Return the findings on one heuristic as a JSON value."""
    puzzle, derived = audit.puzzle, ("admissible", "consistent", "strength")
    values = _plain(audit) | {
        "size": [puzzle.grid.rows, puzzle.grid.columns],
        "goal": puzzle.goal.text(),
        "metric": puzzle.metric.value,
        **{name: getattr(audit, name) for name in derived},
    }
    del values["puzzle"]
    return values


def _plain(record: Any) -> dict[str, Any]:
    """Return the fields of a record; boards become text, and examples records."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    for name, value in values.items():
        if isinstance(value, Board):
            values[name] = value.text()
        elif isinstance(value, Overestimate | Fall):
            values[name] = _plain(value)
    return values


@command(
    'taquin estimate "8 1 3 / 4 0 2 / 7 6 5" -H manhattan -H linear-conflict',
    "taquin scramble 4x4 --count 1000 | taquin estimate --many -H manhattan",
    'taquin estimate --many boards.txt -H "patterns(small)" -H mine.py:name --csv',
    epilog="Exit status: 0 done; 2 bad input, also on one line of many; 3 a limit or Ctrl-C.",
)
@options.problem_options
@option(
    "Search",
    "--heuristic -H NAME names",
    "As for taquin solve: manhattan, patterns(large), file.py:name; can be repeated.  "
    "[default: manhattan]",
    shell_complete=completing(HEURISTICS),
    multiple=True,
)
@flag(
    "Output",
    "--many",
    "Read several boards, as by taquin solve --many; print a line for each, with the estimates in "
    "the order of the heuristics.",
)
@options.limits_of(
    options.seconds_option(help="Time limit of a heuristic of your own for one board."),
    options.memory_option,
)
@options.format_options
def estimate(
    problem: options.BoardArguments,
    names: tuple[str, ...],
    many: bool,
    limits: Limits,
    output: options.OutputFormat,
) -> int:
    """Print what heuristics estimate for a board, or for each of many.

    The estimate of an admissible heuristic is a lower bound on the number of moves. With --many,
    boards of one size and goal share all preparation, so that a million estimates take about as
    long as reading the boards.
    """
    batches = {
        heuristic: BoardEstimates(heuristic, lambda board: problem.puzzle_on(board.grid))
        for heuristic in map(heuristic_named, names or ["manhattan"])
    }

    def value(heuristic: Heuristic, start: Board) -> int:
        if not holds_user_code(heuristic):
            return batches[heuristic].value(start)
        puzzle = problem.puzzle_on(start.grid)
        # Imported late: few commands run user code.
        from taquin.analysis.isolated import estimate_of

        number: int = isolation().call(limits, heuristic, estimate_of, heuristic, puzzle, start)
        return number

    def values(start: Board) -> dict[str, Any]:
        return {heuristic.name: value(heuristic, start) for heuristic in batches}

    if not many:
        row = values(problem.read()[1])
        if output == "json":
            print_json(row)
        elif output == "csv":
            print_csv([row])
        else:
            name = Column("heuristic", lambda item: item[0], left=True)
            print_table([name, Column("estimate", lambda item: str(item[1]))], list(row.items()))
        return OK
    status, headings = OK, chain([True], repeat(False))
    for entry in problem.read_each():
        row = {}
        try:
            if isinstance(entry, TaquinError):
                raise entry
            start = {} if output == "text" else {"start": entry[1].text()}
            row = start | values(entry[1])
        except UnfinishedError as error:
            if str(error) == INTERRUPTED:
                raise
            status = status or STOPPED
            say(f"Stopped: {error}.")
        except TaquinError as error:
            status = BAD_INPUT
            say(f"Error: {with_notes(error)}")
        if output == "text":
            # Each line of input has a line of output.
            click.echo(" ".join(map(str, row.values())))
        elif output == "json" and row:
            print_json(row)
        elif row:
            print_csv([row], heading=next(headings))
    return status

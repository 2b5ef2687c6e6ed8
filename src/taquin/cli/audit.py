"""`taquin audit`: test a heuristic on every board of a small size."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from taquin import Board, Metric, Puzzle
from taquin.cli import options
from taquin.cli.command import AMOUNT, OK, REFUTED, STOPPED, command, completing, option
from taquin.cli.inputs import goal_of, start_of
from taquin.cli.screen import paragraph, side_by_side, status_line
from taquin.cli.table import print_json
from taquin.heuristics.audit import Fall, Overestimate
from taquin.heuristics.audit import audit as audit_heuristic
from taquin.heuristics.registry import HEURISTICS
from taquin.heuristics.user_code import blaming_user_code
from taquin.search.terms import heuristic_named
from taquin.system.words import counted


@command(
    "taquin audit manhattan",
    "taquin audit manhattan-agent --size 2x3",
    'taquin audit "sum(misplaced, gaschnig)" --goal blank-first',
    'taquin audit manhattan-agent --start "A . . / B . @" --goal "* A * / * B @"',
    epilog="Exit status: 0 admissible, 1 a board is overestimated, 2 bad input, 3 stopped before "
    "either was known.",
)
@click.argument("heuristic", shell_complete=completing(HEURISTICS))
@options.size_option
@option(
    "Puzzle", "--start BOARD", "A board with the size, walls and tiles that the goal does not give."
)
@options.goal_option
@options.metric_option
@option("Limits", "--max-boards", "Refuse more boards.", type=AMOUNT, default=500_000)
@options.seconds_option()
@options.json_option
def audit(
    heuristic: str,
    size: tuple[int, int],
    start: str | None,
    goal: str,
    metric: Metric,
    max_boards: int,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Test a heuristic on every board of a small size.

    Admissible: it never exceeds the true distance. Consistent: it never falls by more than one
    move. A property that does not hold is shown with its smallest counterexample. When
    --max-seconds or Ctrl-C stops the test, it prints the findings so far.
    """
    tested = heuristic_named(heuristic)
    board = None if start is None else start_of([start], goal)
    grid = options.grid_of(size) if board is None else board.grid
    puzzle = Puzzle(goal_of(goal, grid), metric)
    if board is not None:
        puzzle.check(board)
    elif not puzzle.goal.is_full:
        raise click.UsageError("a goal with * lacks tiles: give one of its boards, --start BOARD")
    title = f"auditing {tested.name} on every board of {puzzle.grid} …"
    with status_line(title) as draw, blaming_user_code():

        def progress(distance: int, count: int) -> None:
            draw(f"{title} {count:,} within {counted(distance, 'move')}")

        audit = audit_heuristic(
            tested, puzzle, board, limit=max_boards, seconds=seconds, progress=progress
        )
    if as_json:
        values = _plain(audit) | {
            "size": [puzzle.grid.rows, puzzle.grid.columns],
            "goal": puzzle.goal.text(),
            "metric": puzzle.metric.value,
            "admissible": audit.admissible,
            "consistent": audit.consistent,
            "strength": audit.strength,
        }
        del values["puzzle"]
        print_json(values)
    else:
        admissible, consistent, strength = audit.verdicts()
        click.echo(paragraph(f"{audit.heuristic}: {admissible}"))
        if audit.overestimate:
            click.echo(f"\n{audit.overestimate.board}\n")
        click.echo(paragraph(f"{audit.heuristic}: {consistent}"))
        if audit.fall:
            blocks = [str(board).splitlines() for board in (audit.fall.parent, audit.fall.child)]
            click.echo(f"\n{side_by_side(blocks)}\n")
        click.secho(paragraph(strength), dim=True)
    return REFUTED if audit.overestimate else STOPPED if audit.stopped else OK


def _plain(record: Any) -> dict[str, Any]:
    """Return the fields of a record; boards become text, and examples records."""
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    for name, value in values.items():
        if isinstance(value, Board):
            values[name] = value.text()
        elif isinstance(value, Overestimate | Fall):
            values[name] = _plain(value)
    return values

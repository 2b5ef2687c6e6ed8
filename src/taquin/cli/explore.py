"""`taquin explore`: every board that reaches a goal, counted by its distance."""

from __future__ import annotations

import sys

import click

from taquin.cli.command import Command, option
from taquin.cli.inputs import goal_of
from taquin.cli.live import busy, stage_line
from taquin.cli.options import goal_option, json_option, metric_option
from taquin.cli.parameters import Amount
from taquin.cli.results import json_line
from taquin.cli.screen import side_by_side
from taquin.cli.status import OK
from taquin.cli.table import Column, print_table
from taquin.engine.survey import survey
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk

_SHOWN = 12


@click.command(
    cls=Command,
    examples=(
        "taquin explore 3 3",
        "taquin explore 3 4 --metric multi",
        "taquin explore 3 3 --goal snail --farthest 2",
        'taquin explore --goal "1 2 # / * * * / 3 _ *"',
    ),
)
@click.argument("rows", type=click.IntRange(min=1), required=False)
@click.argument("columns", type=click.IntRange(min=1), required=False)
@goal_option
@metric_option
@option(
    "Limits",
    "--max-boards",
    type=Amount("n"),
    default=5_000_000,
    show_default=True,
    metavar="N",
    help="Give up on a puzzle with walls, repeats or ANY cells that has more boards than this.",
)
@option("Limits", "--threads", type=click.IntRange(min=1), metavar="N", help="Cores to use.")
@option(
    "Output",
    "--farthest",
    type=click.IntRange(min=0),
    default=_SHOWN,
    show_default=True,
    metavar="N",
    help="Farthest boards to show.",
)
@json_option
def explore(
    rows: int | None,
    columns: int | None,
    goal: str,
    metric: Metric,
    max_boards: int,
    threads: int | None,
    farthest: int,
    as_json: bool,
) -> int:
    """Count every board by its distance from the goal.

    ROWS and COLUMNS are the size of the grid; a goal that is a board needs none. Classic grids of
    up to 12 cells are explored by compiled code with a few bits for each board, anything else
    through the model. The farthest boards are shown.
    """
    wanted = _goal(rows, columns, goal)
    puzzle = Puzzle(wanted, metric)
    histogram, boards = _walk(puzzle, max_boards, farthest, threads)
    if as_json:
        click.echo(
            json_line(
                {
                    "goal": wanted.text(),
                    "metric": metric.value,
                    "boards": sum(histogram),
                    "radius": len(histogram) - 1,
                    "histogram": histogram,
                    "farthest": [board.text() for board in boards],
                }
            )
        )
        return OK
    rows_of_table = list(enumerate(histogram))
    print_table(
        [
            Column("distance", lambda row: str(row[0])),
            Column("boards", lambda row: f"{row[1]:,}"),
        ],
        rows_of_table,
    )
    total = sum(histogram)
    mean = sum(depth * count for depth, count in rows_of_table) / total
    click.secho(
        f"\n{total:,} boards, radius {len(histogram) - 1}, mean distance {mean:.2f}", bold=True
    )
    if boards:
        click.echo(f"Farthest ({histogram[-1]:,} in all):\n")
        click.echo(side_by_side([str(board).splitlines() for board in boards]))
    return OK


def _goal(rows: int | None, columns: int | None, goal: str) -> Goal:
    if rows is not None and columns is not None:
        return goal_of(goal, Grid(rows, columns))
    if rows is not None or goal in ("blank-last", "blank-first", "snail"):
        raise click.UsageError("give ROWS and COLUMNS, such as 3 3, or a goal that is a board")
    from taquin.notation import read_goal

    return read_goal(goal)


def _walk(
    puzzle: Puzzle, max_boards: int, farthest: int, threads: int | None
) -> tuple[list[int], list[Board]]:
    """Return the boards at each distance and some of the farthest."""
    grid, goal = puzzle.grid, puzzle.goal
    classic = (
        goal.is_full and not grid.walls and min(grid.rows, grid.columns) > 1 and grid.size <= 12
    )
    if not classic:
        with busy(f"exploring {grid} …"):
            start = random_walk(puzzle, 0, 0)
            found = survey(puzzle, start, most=max_boards, most_farthest=farthest)
        return list(found.histogram), list(found.farthest)
    try:
        from taquin.engine.explore import explore as walk
    except ImportError as error:
        raise UnsuitableError(f"exploring whole spaces needs Numba: {error}") from None

    tiles = [label for label in goal.cells if label != 0]
    with stage_line() as draw:

        def progress(distance: int, seen: int, total: int) -> None:
            draw(f"distance {distance}: {seen:,} of {total:,} boards, {100 * seen // total} %")

        whole = walk(
            grid.rows,
            grid.columns,
            multi_tile=puzzle.metric is Metric.MULTI,
            blank=goal.cells.index(0),
            most_farthest=farthest,
            threads=threads,
            progress=progress if sys.stderr.isatty() else None,
        )
    boards = [
        Board(grid, tuple(tiles[number - 1] if number else 0 for number in cells))
        for cells in whole.farthest
    ]
    return list(whole.histogram), boards

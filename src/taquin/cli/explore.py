"""`taquin explore`: every board that reaches a goal, counted by its distance."""

from __future__ import annotations

import click

from taquin.cli.command import OK, command, whole
from taquin.cli.inputs import goal_of
from taquin.cli.options import (
    goal_option,
    json_option,
    metric_option,
    most_boards,
    size_argument,
    threads_option,
)
from taquin.cli.screen import side_by_side, status_line
from taquin.cli.table import Column, print_json, print_table
from taquin.engine.survey import Survey, survey
from taquin.errors import UnsuitableError
from taquin.model.goal import NAMED_GOALS, Goal
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk
from taquin.notation import read_goal
from taquin.tables.shape import shape_of

_COMPILED = 12
"""Most cells of a classic grid that compiled code explores."""


@command(
    "taquin explore 3x3",
    "taquin explore 3x4 --metric multi",
    "taquin explore 3x3 --goal snail --farthest 2",
    'taquin explore --goal "1 2 # / * * * / 3 _ *"',
)
@size_argument()
@goal_option
@metric_option
@most_boards(
    5_000_000,
    "Give up on a puzzle with walls, repeats or ANY cells that has more boards than this.",
)
@threads_option
@whole("Output", "--farthest", least=0, default=12, help="Farthest boards to show.")
@json_option
def explore(
    size: tuple[int, int] | None,
    goal: str,
    metric: Metric,
    max_boards: int,
    threads: int | None,
    farthest: int,
    as_json: bool,
) -> int:
    """Count every board by its distance from the goal.

    SIZE is rows x columns, such as 3x4 or 3 4; a goal that is a board needs none. Classic grids of
    up to 12 cells are explored by compiled code with a few bits for each board, anything else
    through the model. The farthest boards are shown.
    """
    puzzle = Puzzle(_goal(size, goal), metric)
    found = _walk(puzzle, max_boards, farthest, threads)
    if as_json:
        print_json(
            {
                "goal": puzzle.goal.text(),
                "metric": metric.value,
                "boards": found.boards,
                "radius": found.radius,
                "histogram": found.histogram,
                "farthest": [board.text() for board in found.farthest],
            }
        )
        return OK
    levels = list(enumerate(found.histogram))
    distance = Column("distance", lambda level: str(level[0]))
    print_table([distance, Column("boards", lambda level: f"{level[1]:,}")], levels)
    mean = sum(depth * count for depth, count in levels) / found.boards
    click.secho(
        f"\n{found.boards:,} boards, radius {found.radius}, mean distance {mean:.2f}", bold=True
    )
    if found.farthest:
        click.echo(f"Farthest ({found.histogram[-1]:,} in all):\n")
        click.echo(side_by_side([str(board).splitlines() for board in found.farthest]))
    return OK


def _goal(size: tuple[int, int] | None, goal: str) -> Goal:
    if size is not None:
        return goal_of(goal, Grid(*size))
    if goal in NAMED_GOALS:
        raise click.UsageError("give a size, such as 3x3, or a goal that is a board")
    return read_goal(goal)


def _walk(puzzle: Puzzle, max_boards: int, farthest: int, threads: int | None) -> Survey:
    """Return the boards at each distance and some of the farthest."""
    shape = shape_of(puzzle.goal)
    if shape is None or shape.size > _COMPILED:
        with status_line(f"exploring {puzzle.grid} …"):
            start = random_walk(puzzle, 0, 0)
            return survey(puzzle, start, most=max_boards, most_farthest=farthest)
    try:
        from taquin.engine.explore import explore as walk
    except ImportError as error:
        raise UnsuitableError(f"exploring whole spaces needs Numba: {error}") from None

    with status_line() as draw:

        def progress(distance: int, seen: int, total: int) -> None:
            draw(f"distance {distance}: {seen:,} of {total:,} boards, {100 * seen // total} %")

        return walk(puzzle, most_farthest=farthest, threads=threads, progress=progress)

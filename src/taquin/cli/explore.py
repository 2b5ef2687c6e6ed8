"""`taquin explore`: every board that reaches a goal, counted by its distance."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import click

from taquin.cli.command import OK, STOPPED, command, option, whole
from taquin.cli.inputs import goal_of
from taquin.cli.options import (
    goal_option,
    grid_of,
    json_option,
    limits_on_the_machine,
    metric_option,
    most_boards,
    size_argument,
    threads_option,
)
from taquin.cli.screen import say, side_by_side, status_line
from taquin.cli.table import Column, print_json, print_table
from taquin.engine.survey import Survey, survey
from taquin.errors import UnsuitableError
from taquin.model.goal import NAMED_GOALS, Goal
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk
from taquin.notation import read_goal
from taquin.search.control import Control
from taquin.search.result import Limits
from taquin.system.machine import process_memory, usable_cores
from taquin.system.words import bytes_in_words, counted
from taquin.tables.shape import shape_of

_COMPILED = 12
"""Most cells of a classic grid that compiled code explores."""
_BOARDS_A_SECOND = 4_000_000
"""What compiled code visits on one core."""
_WORTH_TELLING = 10_000_000
"""Boards that take long enough to be told of before."""


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
    "Refuse a puzzle with more boards, if it has walls, repeats or ANY cells or over 12 cells.",
)
@limits_on_the_machine
@option(
    "Engine",
    "--engine",
    one_of=("auto", "cpu", "gpu"),
    default="auto",
    help="gpu: a CUDA card, up to 15 cells; auto: from 12 cells on, if there is one.",
)
@threads_option
@whole("Output", "--farthest", least=0, default=12, help="Farthest boards to show.")
@json_option
def explore(
    size: tuple[int, int] | None,
    goal: str,
    metric: Metric,
    max_boards: int,
    limits: Limits,
    engine: str,
    threads: int | None,
    farthest: int,
    as_json: bool,
) -> int:
    """Count every board by its distance from the goal.

    SIZE is rows x columns, such as 3x4 or 3 4; a goal that is a board needs none. Classic grids of
    up to 12 cells are explored by compiled code with a few bits for each board, up to 15 cells by a
    CUDA card, anything else through the model. The farthest boards are shown. Ctrl-C or a limit
    shows what was found so far.
    """
    puzzle = Puzzle(_goal(size, goal), metric)
    control = Control(limits)
    if _is_for_card(puzzle, engine):
        found = _walk_on_card(puzzle, control, farthest)
    else:
        found = _walk(puzzle, control, max_boards, farthest, threads)
    if not found.is_complete:
        control.stop("interrupted")
    if as_json:
        print_json(
            {
                "goal": puzzle.goal.text(),
                "metric": metric.value,
                "boards": found.boards,
                "radius": found.radius,
                "histogram": found.histogram,
                "complete": found.is_complete,
                "farthest": [board.text() for board in found.farthest],
            }
        )
        return OK if found.is_complete else STOPPED
    levels = list(enumerate(found.histogram))
    distance = Column("distance", lambda level: str(level[0]))
    print_table([distance, Column("boards", lambda level: f"{level[1]:,}")], levels)
    if not found.is_complete:
        boards, moves = counted(found.boards, "board"), counted(found.radius, "move")
        say(f"Stopped: {control.reason}. So far {boards} within {moves}.")
        return STOPPED
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
        return goal_of(goal, grid_of(size))
    if goal in NAMED_GOALS:
        raise click.UsageError("give a size, such as 3x3, or a goal that is a board")
    return read_goal(goal)


def _is_for_card(puzzle: Puzzle, engine: str) -> bool:
    """Tell whether a CUDA card explores a puzzle; raise UnsuitableError if it is to and cannot."""
    if engine == "cpu" or (engine == "auto" and puzzle.grid.size < _COMPILED):
        return False
    try:
        from taquin.engine.gpu.explore import explore_fit
    except ImportError as error:
        raise UnsuitableError(f"exploring whole spaces needs NumPy: {error}") from None
    fit = explore_fit(puzzle)
    if not fit and engine == "gpu":
        raise UnsuitableError(f"the engine gpu cannot do this: {fit.why_not}")
    return bool(fit)


def _walk_on_card(puzzle: Puzzle, control: Control, farthest: int) -> Survey:
    """Return the boards at each distance and some of the farthest, as a card finds them."""
    from taquin.engine.gpu.explore import explore as walk

    with status_line(f"exploring {puzzle.grid} …") as draw:
        return walk(puzzle, most_farthest=farthest, progress=_progress(draw, control))


def _progress(draw: Callable[[str], None], control: Control) -> Callable[[int, int, int], None]:
    """Return what is told after each level."""

    def progress(distance: int, seen: int, total: int) -> None:
        draw(f"distance {distance}: {seen:,} of {total:,} boards, {100 * seen // total} %")
        control.prepare("exploring")

    return progress


def _walk(
    puzzle: Puzzle, control: Control, max_boards: int, farthest: int, threads: int | None
) -> Survey:
    """Return the boards at each distance and some of the farthest."""
    shape = shape_of(puzzle.goal)
    with status_line(f"exploring {puzzle.grid} …") as draw:
        if shape is None or shape.size > _COMPILED:

            def seen_so_far(distance: int, seen: int) -> None:
                draw(f"distance {distance}: {seen:,} boards")
                control.prepare("exploring")

            start = random_walk(puzzle, 0, 0)
            return survey(
                puzzle, start, most=max_boards, most_farthest=farthest, progress=seen_so_far
            )
        try:
            from taquin.engine.explore import BITS_A_BOARD
            from taquin.engine.explore import explore as walk
        except ImportError as error:
            raise UnsuitableError(f"exploring whole spaces needs Numba: {error}") from None
        boards = factorial(shape.size) // 2
        memory = boards * BITS_A_BOARD // 8
        if control.limits.memory is not None and process_memory() + memory > control.limits.memory:
            raise UnsuitableError(
                f"{boards:,} boards take {bytes_in_words(memory)} beside the program, the limit is "
                f"{bytes_in_words(control.limits.memory)}; explore a smaller grid"
            )
        if boards > _WORTH_TELLING:
            seconds = boards / _BOARDS_A_SECOND / (threads or usable_cores())
            say(
                f"{boards:,} boards, {bytes_in_words(memory)}, about {seconds:.0f} seconds; "
                f"Ctrl-C shows what was found so far"
            )
        told = _progress(draw, control)
        return walk(puzzle, most_farthest=farthest, threads=threads, progress=told)

"""`taquin explore`: every board that reaches a goal, counted by its distance."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from math import factorial

import click
from click.core import ParameterSource

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
from taquin.engine.survey import MOST_BOARDS, Survey, survey
from taquin.errors import UnsuitableError
from taquin.model.goal import NAMED_GOALS, Goal
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk
from taquin.notation import read_goal
from taquin.search.control import Control
from taquin.search.result import Limit, Limits
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
    "taquin explore 5x5 --max-seconds 10",
    'taquin explore --goal "1 2 # / * * * / 3 _ *"',
)
@size_argument()
@goal_option
@metric_option
@most_boards(
    None,
    "Refuse a puzzle with more boards, if it has walls, repeats or ANY cells or over 12 cells.  "
    "[default: 5,000,000, and no such limit under --max-seconds or --max-memory]",
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
    max_boards: int | None,
    limits: Limits,
    engine: str,
    threads: int | None,
    farthest: int,
    as_json: bool,
) -> int:
    """Count every board by its distance from the goal.

    SIZE is rows x columns, such as 3x4 or 3 4; a goal that is a board needs none. Classic grids of
    up to 12 cells are explored by compiled code with a few bits for each board, up to 15 cells by a
    CUDA card, anything else board by board. The farthest boards are shown. Ctrl-C or a limit shows
    what was found so far: with --max-seconds any size can be explored from the goal outwards.
    """
    puzzle = Puzzle(_goal(size, goal), metric)
    control = Control(limits)
    with ExitStack() as loading:
        # The clock starts after the first level, when all compiled code is loaded.
        loading.enter_context(control.paused())
        walked = _Walked(control, loading)
        if _is_for_card(puzzle, engine):
            found = _walk_on_card(puzzle, walked, farthest)
        else:
            found = _walk(puzzle, walked, max_boards, farthest, threads)
    if found.is_out_of_memory:
        control.end(Limit.MEMORY)
    elif not found.is_complete:
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
        f"\n{counted(found.boards, 'board')}, radius {found.radius}, mean distance {mean:.2f}",
        bold=True,
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


@dataclass(slots=True)
class _Walked:
    """What is asked while levels are walked: whether a limit has been reached."""

    control: Control
    loading: ExitStack
    """What keeps the clock from running until the first level is done."""
    levels: int = 0
    """Levels done so far."""

    def tick(self) -> None:
        """Raise Ended when a limit has been reached, which counts from the first level on."""
        if self.levels:
            self.control.report("exploring")

    def level(self) -> None:
        """Start the clock after the first level; raise Ended when a limit has been reached."""
        self.loading.close()
        self.levels += 1
        self.tick()


def _walk_on_card(puzzle: Puzzle, walked: _Walked, farthest: int) -> Survey:
    """Return the boards at each distance and some of the farthest, as a card finds them."""
    from taquin.engine.gpu.explore import explore as walk

    with status_line(f"exploring {puzzle.grid} …") as draw:
        return walk(puzzle, most_farthest=farthest, progress=_progress(draw, walked))


def _progress(draw: Callable[[str], None], walked: _Walked) -> Callable[[int, int, int], None]:
    """Return what is told after each level."""

    def progress(distance: int, seen: int, total: int) -> None:
        draw(f"distance {distance}: {seen:,} of {total:,} boards, {100 * seen // total} %")
        walked.level()

    return progress


def _is_limited() -> bool:
    """Tell whether the command line has a limit that ends any walk."""
    context = click.get_current_context()
    return any(
        context.get_parameter_source(name) is not ParameterSource.DEFAULT
        for name in ("max_seconds", "max_memory")
    )


def _walk(
    puzzle: Puzzle, walked: _Walked, max_boards: int | None, farthest: int, threads: int | None
) -> Survey:
    """Return the boards at each distance and some of the farthest."""
    limits = walked.control.limits
    shape = shape_of(puzzle.goal)
    with status_line(f"exploring {puzzle.grid} …") as draw:
        if shape is None or shape.size > _COMPILED:

            def seen_so_far(distance: int, seen: int) -> None:
                draw(f"distance {distance}: {seen:,} boards")
                walked.level()

            if max_boards is None and not _is_limited():
                max_boards = MOST_BOARDS
            return survey(
                puzzle,
                random_walk(puzzle, 0, 0),
                most=max_boards,
                memory=limits.memory,
                most_farthest=farthest,
                progress=seen_so_far,
                tick=walked.tick,
            )
        try:
            from taquin.engine.explore import BITS_A_BOARD
            from taquin.engine.explore import explore as walk
        except ImportError as error:
            raise UnsuitableError(f"exploring whole spaces needs Numba: {error}") from None
        boards = factorial(shape.size) // 2
        memory = boards * BITS_A_BOARD // 8
        if limits.memory is not None and process_memory() + memory > limits.memory:
            raise UnsuitableError(
                f"{boards:,} boards take {bytes_in_words(memory)} beside the program, the limit is "
                f"{bytes_in_words(limits.memory)}; explore a smaller grid"
            )
        if boards > _WORTH_TELLING:
            seconds = boards / _BOARDS_A_SECOND / (threads or usable_cores())
            say(
                f"{boards:,} boards, {bytes_in_words(memory)}, about {seconds:.0f} seconds; "
                f"Ctrl-C shows what was found so far"
            )
        told = _progress(draw, walked)
        return walk(puzzle, most_farthest=farthest, threads=threads, progress=told)

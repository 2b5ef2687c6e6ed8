"""`taquin explore`: count all boards that can reach a goal, by distance."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from math import factorial

import click
from click.core import ParameterSource

import taquin as tq
from taquin.analysis.explore import MOST_BOARDS
from taquin.cli import options
from taquin.cli.command import AMOUNT, OK, STOPPED, command, int_option, option
from taquin.cli.inputs import goal_of
from taquin.cli.output import Column, print_json, print_table
from taquin.cli.screen import say, side_by_side, status_line
from taquin.model.puzzle import NAMED_GOALS
from taquin.search.control import Control
from taquin.system.formatting import bytes_in_words, counted
from taquin.system.machine import process_memory, usable_cores
from taquin.tables.shape import shape_of

_MAX_COMPILED = 12
"""The largest classic grid that the compiled search explores, in cells."""
_BOARDS_PER_SECOND = 4_000_000
"""Boards that the compiled search visits on one core."""
_ANNOUNCED = 10_000_000
"""For more boards than this, the expected time is printed first."""


@command(
    "taquin explore 3x3",
    "taquin explore 3x4 --metric multi",
    "taquin explore 3x3 --goal snail --farthest 2",
    "taquin explore 5x5 --max-seconds 10",
    'taquin explore --goal "1 2 # / * * * / 3 _ *"',
)
@options.size_argument()
@options.goal_option
@options.metric_option
@option(
    "Limits",
    "--max-boards",
    "Refuse a puzzle with more boards, if it has walls, repeated tiles, * in the goal or over 12 "
    "cells.  [default: 5,000,000; none with --max-seconds or --max-memory]",
    type=AMOUNT,
)
@options.resource_limit_options
@option(
    "Engine",
    "--engine",
    "gpu: a CUDA GPU, up to 15 cells; auto: the GPU from 12 cells on, if there is one.",
    one_of=("auto", "cpu", "gpu"),
    default="auto",
)
@options.threads_option
@int_option("Output", "--farthest", "How many of the farthest boards to show.", least=0, default=12)
@options.json_option
def explore(
    size: tuple[int, int] | None,
    goal: str,
    metric: tq.Metric,
    max_boards: int | None,
    limits: tq.Limits,
    engine: str,
    threads: int | None,
    farthest: int,
    as_json: bool,
) -> int:
    """Count all boards by their distance from the goal.

    SIZE is rows x columns, such as 3x4 or 3 4; a goal that is a board needs none. Classic grids of
    up to 12 cells are explored by compiled code with a few bits per board, up to 15 cells by a CUDA
    GPU, anything else board by board. The farthest boards are shown. After Ctrl-C or a limit, the
    counts so far are shown: --max-seconds explores the surroundings of a goal of any size.
    """
    if size is None and goal in NAMED_GOALS:
        raise click.UsageError("give a size, such as 3x3, or a goal that is a board")
    puzzle = tq.Puzzle(
        tq.read_goal(goal) if size is None else goal_of(goal, options.grid_of(size)), metric
    )
    control = Control(limits)
    has_begun = False
    with ExitStack() as loading, status_line(f"exploring {puzzle.grid} …") as draw:
        # The clock starts after the first level, so that loading code does not count.
        loading.enter_context(control.clock.paused())

        def tick() -> None:
            if has_begun:
                control.report("exploring")

        def progress(distance: int, count: int, total: int = 0) -> None:
            nonlocal has_begun
            share = f" of {total:,} boards, {100 * count // total} %" if total else " boards"
            draw(f"distance {distance}: {count:,}{share}")
            loading.close()
            has_begun = True
            tick()

        shape = shape_of(puzzle.goal)
        if _is_for_gpu(puzzle, engine):
            from taquin.analysis.gpu_explore import explore as explore_on_gpu

            levels = explore_on_gpu(puzzle, most_farthest=farthest, progress=progress)
        elif shape is not None and shape.size <= _MAX_COMPILED:
            levels = _explore_compiled(puzzle, limits, farthest, threads, progress)
        else:
            source = click.get_current_context().get_parameter_source
            sources = {source(name) for name in ("seconds", "memory")}
            if max_boards is None and sources == {ParameterSource.DEFAULT}:
                max_boards = MOST_BOARDS
            levels = tq.survey(
                puzzle,
                tq.random_walk(puzzle, 0, 0),
                most=max_boards,
                memory=limits.memory,
                most_farthest=farthest,
                progress=progress,
                tick=tick,
            )
    if levels.is_out_of_memory:
        control.end(tq.Limit.MEMORY)
    elif not levels.is_complete:
        control.stop("interrupted")
    if as_json:
        print_json(
            {
                "goal": puzzle.goal.text(),
                "metric": metric.value,
                "boards": levels.boards,
                "radius": levels.radius,
                "histogram": levels.histogram,
                "complete": levels.is_complete,
                "farthest": [board.text() for board in levels.farthest],
            }
        )
        return OK if levels.is_complete else STOPPED
    rows = list(enumerate(levels.histogram))
    distance = Column("distance", lambda row: str(row[0]))
    print_table([distance, Column("boards", lambda row: f"{row[1]:,}")], rows)
    boards = counted(levels.boards, "board")
    if not levels.is_complete:
        within = counted(levels.radius, "move")
        say(f"Stopped: {control.reason}. So far {boards} within {within}.")
        return STOPPED
    mean = sum(depth * count for depth, count in rows) / levels.boards
    click.secho(f"\n{boards}, radius {levels.radius}, mean distance {mean:.2f}", bold=True)
    if levels.farthest:
        click.echo(f"Farthest ({levels.histogram[-1]:,} in all):\n")
        click.echo(side_by_side([str(board).splitlines() for board in levels.farthest]))
    return OK


def _is_for_gpu(puzzle: tq.Puzzle, engine: str) -> bool:
    """Return whether to use the GPU; raise UnsuitableError if --engine gpu does not fit."""
    if engine == "cpu" or (engine == "auto" and puzzle.grid.size < _MAX_COMPILED):
        return False
    try:
        from taquin.analysis.gpu_explore import explore_fit
    except ModuleNotFoundError:
        # CuPy needs NumPy, so there is no GPU support.
        from taquin.engine.gpu.device import gpu_fit

        fit = gpu_fit()
    else:
        fit = explore_fit(puzzle)
    if not fit and engine == "gpu":
        raise tq.errors.UnsuitableError(f"--engine gpu does not support this puzzle: {fit.why_not}")
    return bool(fit)


def _explore_compiled(
    puzzle: tq.Puzzle,
    limits: tq.Limits,
    farthest: int,
    threads: int | None,
    progress: Callable[[int, int, int], None],
) -> tq.analysis.Survey:
    """Count the boards of a small classic grid; raise UnsuitableError if memory is too small."""
    from taquin.analysis.explore import BITS_A_BOARD, explore

    boards = factorial(puzzle.grid.size) // 2
    memory = boards * BITS_A_BOARD // 8
    size = f"{boards:,} boards take {bytes_in_words(memory)}"
    if limits.memory is not None and process_memory() + memory > limits.memory:
        limit = f"the limit is {bytes_in_words(limits.memory)}"
        raise tq.errors.UnsuitableError(f"{size} of memory, {limit}; explore a smaller grid")
    if boards > _ANNOUNCED:
        seconds = boards / _BOARDS_PER_SECOND / (threads or usable_cores())
        say(f"{size} and about {seconds:.0f} seconds; Ctrl-C shows the counts so far")
    return explore(puzzle, most_farthest=farthest, threads=threads, progress=progress)

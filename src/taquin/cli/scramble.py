"""`taquin scramble`: generate random boards."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from functools import partial
from random import randrange

import click

import taquin as tq
from taquin.cli.command import OK, STOPPED, command, flag, int_option, option
from taquin.cli.difficulty import MOST_TRIES, Difficulty, difficulty_options
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, grid_of, metric_option, seconds_option, size_argument
from taquin.cli.running import live_line, solve_or_settle
from taquin.cli.screen import clear_status_line, say
from taquin.cli.sheets import SheetOptions, sheet_options
from taquin.engine.choose import Auto
from taquin.engine.settling import Settling
from taquin.notation.sequences import inverted, simplified, write_sequence
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.system.machine import safe_memory
from taquin.system.words import counted

LONGEST_WALK = 1_000_000
"""The limit on random moves: they take a second, and far fewer mix a board completely."""
_SCRAMBLE_PATIENCE = 2.0
"""Time limit for the moves to one board; a scramble need not be as short as possible."""


@command(
    "taquin scramble",
    "taquin scramble 4x4 --moves 30 --seed 1",
    "taquin scramble --depth 20 --count 30 --seed 1",
    "taquin scramble --depth 8 --count 9 --sheet handout.pdf > boards.txt",
    "taquin scramble --depth 12 --count 4 --sheet exam.pdf --variants 30",
    "taquin scramble 3x3 --solutions 1 --gap 6+",
    "taquin scramble 4x4 --unsolvable",
    "taquin scramble 3x3 --count 100 | taquin solve --many",
    "taquin scramble 4x4 --as-moves",
    "taquin scramble 5x5 --form classic > puzzle.txt",
    'taquin scramble --goal "* A * / # B * / * @ *"',
)
@size_argument()
@goal_option
@metric_option
@int_option(
    "Random", "--moves", "Random moves from the goal.  [default: any solvable board]", least=0
)
@int_option(
    "Random", "--depth", "Different boards whose shortest solution has exactly N moves.", least=0
)
@difficulty_options
@option("Random", "--seed N", "The same seed gives the same boards.", type=int)
@int_option("Output", "--count", "The number of boards.", default=1)
@seconds_option(help="Time limit of --depth; the boards found until then are printed.")
@flag("Output", "--as-moves", "Print moves from the goal to each board, as a scramble.")
@option("Output", "--form", "The notation.", one_of=tq.Form, default=tq.Form.ROWS.value)
@sheet_options
def scramble(
    size: tuple[int, int] | None,
    goal: str,
    metric: tq.Metric,
    moves: int | None,
    depth: int | None,
    difficulty: Difficulty,
    seed: int | None,
    count: int,
    seconds: float | None,
    as_moves: bool,
    form: tq.Form,
    handout: SheetOptions,
) -> int:
    """Generate random boards.

    SIZE is rows x columns, such as 4x4 or 4 4; the default is 3x3. All solvable boards are equally
    likely, unless --moves generates a random walk from the goal. --solutions and --gap select
    boards. With --depth all boards of that depth are equally likely where that is feasible; if not,
    a message says so.
    """
    grid = grid_of(size or (3, 3))
    if moves is not None and depth is not None:
        raise click.UsageError("choose one of --moves and --depth")
    if (moves or 0) > LONGEST_WALK:
        raise click.UsageError(
            f"--moves can be 0 to {LONGEST_WALK:,}, found {moves:,}; without it all solvable "
            f"boards are equally likely"
        )
    if depth is None and seconds is not None:
        raise click.UsageError("--max-seconds needs --depth")
    wanted = handout.boards(count)
    target = goal_of(goal, grid)
    # A goal that is written out has a size of its own.
    if size is not None and (target.grid.rows, target.grid.columns) != size:
        raise click.UsageError(f"the goal is {target.grid}, not {size[0]}×{size[1]}")
    puzzle = tq.Puzzle(target, metric)
    difficulty.check(puzzle, depth)
    if as_moves and not target.is_full:
        raise click.UsageError(
            "--as-moves needs a goal that is one board, without * or equal tiles"
        )
    if seed is None:
        seed = randrange(2**32)
    write = partial(_moves_to, puzzle) if as_moves else partial(tq.write_board, form=form)
    show = partial(_print_boards, write, partial(handout.heading, count=wanted))
    status = OK
    if depth is not None:
        limits = tq.Limits(seconds=seconds, memory=safe_memory())
        printed, status = _print_at_depth(puzzle, depth, seed, wanted, limits, difficulty, show)
    else:
        scrambles = (
            tq.random_board(target, seed, number=number)
            if moves is None
            else tq.random_walk(puzzle, moves, seed, number=number)
            for number in itertools.count(1)
        )
        printed = show(difficulty.chosen(puzzle, scrambles, wanted))
    handout.write(puzzle, printed, wanted, f"seed {seed}")
    return status if len(printed) == wanted else STOPPED


def _print_boards(
    write: Callable[[tq.Board], str], heading: Callable[[int], str], boards: Iterator[tq.Board]
) -> list[tq.Board]:
    """Print boards as they are found, each after its heading if it has one, and return them.

    Separate boards of several lines by empty lines.
    """
    printed: list[tq.Board] = []
    for number, board in enumerate(boards, 1):
        text = write(board)
        clear_status_line()
        if printed and "\n" in text:
            click.echo()
        if comment := heading(number):
            click.echo(comment)
        click.echo(text)
        sys.stdout.flush()
        printed.append(board)
    return printed


def _print_at_depth(
    puzzle: tq.Puzzle,
    depth: int,
    seed: int,
    count: int,
    limits: tq.Limits,
    difficulty: Difficulty,
    show: Callable[[Iterator[tq.Board]], list[tq.Board]],
) -> tuple[list[tq.Board], int]:
    """Show boards of an exact depth; return them and the exit status."""
    with live_line() as progress:
        control = Control(limits, progress=progress, notice=say)
        tries = count
        if difficulty.is_chosen:
            known = tq.boards_at_depth(puzzle, depth, seed, control=control).known
            tries = min(known or MOST_TRIES, MOST_TRIES)
        sample = tq.boards_at_depth(puzzle, depth, seed, count=tries, control=control)
        printed = show(difficulty.chosen(puzzle, sample.boards, count))
    if printed and not sample.uniform:
        say(
            f"Not all boards of {counted(depth, 'move')} were equally likely: these were found "
            f"by random walks from the goal, and their depth was proven."
        )
    if control.is_over:
        reason = control.reason.capitalize()
        say(f"{reason}: {len(printed):,} of {counted(count, 'board')} found.")
    return printed, STOPPED if control.is_over else OK


def _moves_to(puzzle: tq.Puzzle, board: tq.Board) -> str:
    """Return moves that lead from the goal to a board, as few as are found in time."""
    limits = tq.Limits(seconds=_SCRAMBLE_PATIENCE, memory=safe_memory())
    result = solve_or_settle(
        Task(puzzle, board, limits=limits), Auto(settling=Settling(fallback=True))
    )
    directions = (move.direction for move in result.moves or () for _ in move.tiles)
    return write_sequence(inverted(simplified(directions)))

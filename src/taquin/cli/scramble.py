"""`taquin scramble`: generate random boards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import randrange

import click

from taquin.cli.command import OK, STOPPED, command, option, whole
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, grid_of, metric_option, seconds_option, size_argument
from taquin.cli.running import live_line
from taquin.cli.screen import clear_status_line, say
from taquin.cli.sheet import SheetOptions, sheet_options
from taquin.engine.depths import boards_at_depth
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.notation import Form, write_board
from taquin.search.control import Control
from taquin.search.result import Limits
from taquin.system.machine import safe_memory
from taquin.system.words import counted

LONGEST_WALK = 1_000_000
"""Most random moves: they take a second, and far fewer mix a board completely."""


@command(
    "taquin scramble",
    "taquin scramble 4x4 --moves 30 --seed 1",
    "taquin scramble --depth 20 --count 30 --seed 1",
    "taquin scramble --depth 8 --count 9 --sheet handout.pdf > boards.txt",
    "taquin scramble 3x3 --count 100 | taquin solve --many",
    "taquin scramble 5x5 --form classic > puzzle.txt",
    'taquin scramble --goal "* A * / # B * / * @ *"',
)
@size_argument()
@whole("Puzzle", "--rows", "Number of rows.")
@whole("Puzzle", "--columns", "Number of columns.")
@goal_option
@metric_option
@whole(
    "Chance",
    "--moves",
    "Make this many random moves from the goal.  [default: any solvable board]",
    least=0,
)
@whole(
    "Chance",
    "--depth",
    "Make boards, all different, whose shortest solution has exactly this many moves.",
    least=0,
)
@option("Chance", "--seed", "The same seed gives the same boards.", type=int, metavar="N")
@whole("Output", "--count", "How many boards.", default=1)
@seconds_option(help="With --depth: most seconds; the boards found until then are printed.")
@option("Output", "--form", "How they are written.", one_of=Form, default=Form.ROWS.value)
@sheet_options
def scramble(
    size: tuple[int, int] | None,
    rows: int | None,
    columns: int | None,
    goal: str,
    metric: Metric,
    moves: int | None,
    depth: int | None,
    seed: int | None,
    count: int,
    max_seconds: float | None,
    form: Form,
    handout: SheetOptions,
) -> int:
    """Generate random boards.

    SIZE is rows x columns, such as 4x4 or 4 4; the default is 3x3. Every solvable board has the
    same chance, unless --moves asks for a walk from the goal. With --depth every board of that
    depth has the same chance if possible; if not, the error stream says so.
    """
    if size is not None and (rows or columns):
        raise click.UsageError("give the size once: as 4x4, or with --rows and --columns")
    if rows or columns:
        size = (rows or columns or 0, columns or rows or 0)
    grid = grid_of(size or (3, 3))
    _check_options(moves, depth, max_seconds)
    handout.check(count)
    target = goal_of(goal, grid)
    # A goal that is written out has a size of its own.
    if size is not None and (target.grid.rows, target.grid.columns) != size:
        raise click.UsageError(f"the goal is {target.grid}, not {size[0]}×{size[1]}")
    puzzle = Puzzle(target, metric)
    if seed is None:
        seed = randrange(2**32)
    status = OK
    numbers = range(1, count + 1)
    if depth is not None:
        boards, status = _print_at_depth(puzzle, depth, seed, count, max_seconds, form)
    elif moves is None:
        boards = _print((random_board(target, seed, number=number) for number in numbers), form)
    else:
        walks = (random_walk(puzzle, moves, seed, number=number) for number in numbers)
        boards = _print(walks, form)
    handout.write(puzzle, boards, f"seed {seed}")
    return status


def _check_options(moves: int | None, depth: int | None, max_seconds: float | None) -> None:
    """Raise UsageError for options that contradict each other or would take forever."""
    if moves is not None and depth is not None:
        raise click.UsageError("choose one of --moves and --depth")
    if moves is not None and moves > LONGEST_WALK:
        raise click.UsageError(
            f"--moves can be 0 to {LONGEST_WALK:,}, found {moves:,}; without it every solvable "
            f"board has the same chance"
        )
    if depth is None and max_seconds is not None:
        raise click.UsageError("--max-seconds needs --depth")


def _print_at_depth(
    puzzle: Puzzle, depth: int, seed: int, count: int, max_seconds: float | None, form: Form
) -> tuple[list[Board], int]:
    """Print boards as they are found, and say if they are not equally likely."""
    limits = Limits(seconds=max_seconds, memory=safe_memory())
    with live_line() as progress:
        control = Control(limits, progress=progress, notice=say)
        drawing = boards_at_depth(puzzle, depth, seed, count=count, control=control)
        found = _print(drawing.boards, form)
    if found and not drawing.uniform:
        say(
            f"Not every board of {counted(depth, 'move')} had the same chance: "
            f"these were met on random walks from the goal, and proven."
        )
    if control.is_over:
        say(f"{control.reason.capitalize()}: {len(found):,} of {counted(count, 'board')} found.")
        return found, STOPPED
    return found, OK


def _print(boards: Iterator[Board], form: Form) -> list[Board]:
    """Print boards as they come, and return them; empty lines separate those of several lines."""
    printed: list[Board] = []
    for board in boards:
        text = write_board(board, form)
        clear_status_line()
        click.echo(f"\n{text}" if printed and "\n" in text else text)
        sys.stdout.flush()
        printed.append(board)
    return printed

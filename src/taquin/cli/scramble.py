"""`taquin scramble`: generate random boards."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import randrange

import click

from taquin import Board, Form, Metric, Puzzle, boards_at_depth, write_board
from taquin.cli.command import OK, STOPPED, command, flag, gathered, option, whole
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, grid_of, metric_option, seconds_option, size_argument
from taquin.cli.pictures import write_file
from taquin.cli.running import live_line, solve, solve_or_settle
from taquin.cli.screen import clear_status_line, say, status_line
from taquin.engine.choose import Auto
from taquin.model.scramble import random_board, random_walk
from taquin.notation.sequences import inverted, simplified, write_sequence
from taquin.search.control import Control
from taquin.search.result import Limits, Task
from taquin.system.machine import safe_memory
from taquin.system.words import counted

LONGEST_WALK = 1_000_000
"""Most random moves: they take a second, and far fewer mix a board completely."""
_FORMATS = ("pdf", "html", "svg", "png")
"""The formats of a handout."""
_SCRAMBLE_PATIENCE = 2.0
"""Most seconds for the moves that lead to one board; a scramble need not be a shortest one."""
_PATIENCE = 10.0
"""Most seconds for the answer to one board of a handout."""


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The requested handout of the boards, with the answers in a file of their own."""

    sheet: str | None = None
    """The name of its file; the name of the answers is derived from it."""
    title: str | None = None

    def check(self, count: int) -> None:
        """Raise UsageError if it cannot be written."""
        if self.sheet is None:
            if self.title is not None:
                raise click.UsageError("--title needs --sheet")
            return
        from taquin.views.pictures.sheets import MOST_BOARDS, MOST_LETTERS

        if os.path.splitext(self.sheet)[1].lstrip(".").lower() not in _FORMATS:
            fault = f"a sheet ends in .{', .'.join(_FORMATS)}"
            raise click.UsageError(f"cannot write {self.sheet!r}: {fault}")
        if count > MOST_BOARDS:
            raise click.UsageError(f"a sheet holds at most {MOST_BOARDS} boards, found {count:,}")
        if (letters := len(self.title or "")) > MOST_LETTERS:
            most = f"at most {MOST_LETTERS} characters"
            raise click.UsageError(f"--title takes {most}, found {letters:,}")

    def write(self, puzzle: Puzzle, boards: Sequence[Board], note: str) -> None:
        """Find the answers, then write the handout and, beside it, the answers."""
        if self.sheet is None or not boards:
            return
        from taquin.views.pictures.sheets import Handout, handout_files

        # The best solution known is given where a shortest one takes too long.
        limits = Limits(seconds=_PATIENCE, memory=safe_memory())
        answers = []
        for number, board in enumerate(boards, 1):
            with status_line(f"answer {number} of {len(boards)}"):
                answers.append(solve(Task(puzzle, board, limits=limits), Auto()).moves)
        title = self.title or f"Sliding puzzles, {puzzle.grid}"
        handout = Handout(puzzle, boards, answers, title, note)
        stem, ending = os.path.splitext(self.sheet)
        for name, content in list(handout_files(handout, ending.lstrip(".").lower())):
            write_file(f"{stem}{name}{ending}", content)


sheet_options = gathered(
    SheetOptions,
    "handout",
    option(
        "Output",
        "--sheet FILE",
        f"A handout too, .{', .'.join(_FORMATS)}; the answers in FILE-answers.",
    ),
    option("Output", "--title TEXT", "What stands on the handout."),
)


@command(
    "taquin scramble",
    "taquin scramble 4x4 --moves 30 --seed 1",
    "taquin scramble --depth 20 --count 30 --seed 1",
    "taquin scramble --depth 8 --count 9 --sheet handout.pdf > boards.txt",
    "taquin scramble 3x3 --count 100 | taquin solve --many",
    "taquin scramble 4x4 --as-moves",
    "taquin scramble 5x5 --form classic > puzzle.txt",
    'taquin scramble --goal "* A * / # B * / * @ *"',
)
@size_argument()
@whole("Puzzle", "--rows", "Number of rows.")
@whole("Puzzle", "--columns", "Number of columns.")
@goal_option
@metric_option
@whole("Chance", "--moves", "Random moves from the goal.  [default: any solvable board]", least=0)
@whole(
    "Chance", "--depth", "Different boards whose shortest solution has exactly N moves.", least=0
)
@option("Chance", "--seed N", "The same seed gives the same boards.", type=int)
@whole("Output", "--count", "How many boards.", default=1)
@seconds_option(help="With --depth: most seconds; the boards found until then are printed.")
@flag("Output", "--as-moves", "Print moves from the goal to each board, as a scramble.")
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
    seconds: float | None,
    as_moves: bool,
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
    if moves is not None and depth is not None:
        raise click.UsageError("choose one of --moves and --depth")
    if (moves or 0) > LONGEST_WALK:
        raise click.UsageError(
            f"--moves can be 0 to {LONGEST_WALK:,}, found {moves:,}; without it every solvable "
            f"board has the same chance"
        )
    if depth is None and seconds is not None:
        raise click.UsageError("--max-seconds needs --depth")
    handout.check(count)
    target = goal_of(goal, grid)
    # A goal that is written out has a size of its own.
    if size is not None and (target.grid.rows, target.grid.columns) != size:
        raise click.UsageError(f"the goal is {target.grid}, not {size[0]}×{size[1]}")
    puzzle = Puzzle(target, metric)
    if as_moves and not target.is_full:
        raise click.UsageError(
            "--as-moves needs a goal that is one board, without * or equal tiles"
        )
    write = partial(_moves_to, puzzle) if as_moves else partial(write_board, form=form)
    if seed is None:
        seed = randrange(2**32)
    status = OK
    if depth is not None:
        boards, status = _print_at_depth(puzzle, depth, seed, count, seconds, write)
    else:
        scrambles = (
            random_board(target, seed, number=number)
            if moves is None
            else random_walk(puzzle, moves, seed, number=number)
            for number in range(1, count + 1)
        )
        boards = _print(scrambles, write)
    handout.write(puzzle, boards, f"seed {seed}")
    return status


def _print_at_depth(
    puzzle: Puzzle,
    depth: int,
    seed: int,
    count: int,
    seconds: float | None,
    write: Callable[[Board], str],
) -> tuple[list[Board], int]:
    limits = Limits(seconds=seconds, memory=safe_memory())
    with live_line() as progress:
        control = Control(limits, progress=progress, notice=say)
        sample = boards_at_depth(puzzle, depth, seed, count=count, control=control)
        boards = _print(sample.boards, write)
    if boards and not sample.uniform:
        say(
            f"Not every board of {counted(depth, 'move')} had the same chance: "
            f"these were met on random walks from the goal, and proven."
        )
    if control.is_over:
        say(f"{control.reason.capitalize()}: {len(boards):,} of {counted(count, 'board')} found.")
    return boards, STOPPED if control.is_over else OK


def _moves_to(puzzle: Puzzle, board: Board) -> str:
    """Return moves that lead from the goal to a board, as few as are found in time."""
    limits = Limits(seconds=_SCRAMBLE_PATIENCE, memory=safe_memory())
    result = solve_or_settle(Task(puzzle, board, limits=limits), Auto(settles=True))
    directions = (move.direction for move in result.moves or () for _ in move.tiles)
    return write_sequence(inverted(simplified(directions)))


def _print(boards: Iterator[Board], write: Callable[[Board], str]) -> list[Board]:
    """Print boards as they come, and return them; empty lines separate those of several lines."""
    printed: list[Board] = []
    for board in boards:
        text = write(board)
        clear_status_line()
        click.echo(f"\n{text}" if printed and "\n" in text else text)
        sys.stdout.flush()
        printed.append(board)
    return printed

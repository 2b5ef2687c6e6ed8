"""`taquin scramble`: generate random boards, by criteria, and write handouts with them.

    taquin scramble --solutions 1     a single shortest solution
    taquin scramble --gap 8+          a shortest solution at least 8 moves longer than the estimate

`Difficulty` has the criteria other than depth, `SheetOptions` the options of the handout.
"""

from __future__ import annotations

import itertools
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise, takewhile
from random import randrange
from sys import maxsize

import click

import taquin as tq
from taquin import Board, Limits, Puzzle
from taquin.analysis.depths import check_gap
from taquin.analysis.solutions import every_solution
from taquin.cli import options
from taquin.cli.command import (
    OK,
    STOPPED,
    Parsed,
    command,
    flag,
    gathered,
    int_option,
    number_type,
    option,
)
from taquin.cli.inputs import goal_of
from taquin.cli.running import live_line, solve_task
from taquin.cli.screen import clear_status_line, say, status_line
from taquin.engine.task import SHORTEST, Auto, Wishes
from taquin.notation import Form
from taquin.notation.moves import inverted, simplified, write_sequence
from taquin.search.control import Control
from taquin.search.result import Counters, Task, Want
from taquin.system.formatting import counted
from taquin.system.machine import safe_memory

MOST_TRIES = 20_000
"""The maximum number of boards to try."""


def read_range(text: str) -> range:
    """Return the range written `2`, `2-5` or `2+`; raise ValueError for another text."""
    match = re.fullmatch(r"([0-9]{1,6})(?:(\+)|[-–]([0-9]{1,6}))?", text.strip())
    if match is None or int(match[3] or match[1]) < int(match[1]):
        raise ValueError("a number or a range, such as 2, 2-5 or 2+")
    return range(int(match[1]), maxsize if match[2] else int(match[3] or match[1]) + 1)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Criteria for random boards."""

    solutions: range | None = None
    """The number of shortest solutions."""
    gap: range | None = None
    """The length of a shortest solution minus the Manhattan distance."""
    unsolvable: bool = False

    @property
    def is_chosen(self) -> bool:
        """Whether there is a criterion that each board has to be tested for."""
        return self.solutions is not None or self.gap is not None

    def check(self, puzzle: tq.Puzzle, has_depth: bool) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.unsolvable and (self.is_chosen or has_depth):
            options = "--depth, --solutions or --gap"
            raise click.UsageError(f"--unsolvable cannot be combined with {options}")
        if self.gap is not None and puzzle.metric is not tq.Metric.SINGLE:
            raise click.UsageError(
                "--gap supports only --metric single, as it uses Manhattan distance"
            )
        if self.gap is not None:
            check_gap(puzzle, self.gap)

    def chosen(
        self, puzzle: tq.Puzzle, boards: Iterator[tq.Board], count: int, control: Control
    ) -> Iterator[tq.Board]:
        """Yield `count` of the boards that fit; print a message if MOST_TRIES boards have fewer."""
        boards = takewhile(lambda _: control.tick(Counters()), boards)
        if self.unsolvable:
            boards = (_unsolvable(puzzle, board) for board in boards)
        if not self.is_chosen:
            yield from islice(boards, count)
            return
        fitting = 0
        for board in islice(boards, MOST_TRIES):
            if self._fits(puzzle, board, control):
                fitting += 1
                yield board
                if fitting == count:
                    return
        if not control.is_over:
            wanted = counted(count, "board")
            say(f"{fitting:,} of {wanted} found; at most {MOST_TRIES:,} are tried.")

    def _fits(self, puzzle: tq.Puzzle, board: tq.Board, control: Control) -> bool:
        """Return whether a board fits; no when a limit ends the control."""
        seconds = None if control.limits.seconds is None else max(0.0, control.seconds_left())
        limits = replace(control.limits, seconds=seconds)
        if self.gap is not None:
            result = solve_task(Task(puzzle, board, limits=limits), SHORTEST, "shortest length")
            if result.outcome is tq.Outcome.STOPPED:
                raise KeyboardInterrupt
            if result.limit is not None:
                control.end(result.limit)
                return False
            assert result.cost is not None, "the boards have solutions"
            if result.cost - tq.estimate(tq.Manhattan(), board, puzzle.goal) not in self.gap:
                return False
        if self.solutions is None:
            return True
        task = Task(puzzle, board, limits=limits, want=Want.EVERY)
        # List no more solutions than necessary to decide.
        most = self.solutions.start if self.solutions.stop == maxsize else self.solutions.stop
        listing = Control(limits)
        number = sum(1 for _ in every_solution(task, Auto(), listing, most))
        if listing.outcome is tq.Outcome.STOPPED:
            raise KeyboardInterrupt
        if listing.limit is not None:
            control.end(listing.limit)
        return not listing.is_over and number in self.solutions


def _unsolvable(puzzle: tq.Puzzle, board: tq.Board) -> tq.Board:
    """Return the board with two tiles exchanged so that it has no solution."""
    tiles = [cell for cell, label in enumerate(board.cells) if label not in (tq.BLANK, tq.WALL)]
    for first, second in pairwise(tiles):
        cells = list(board.cells)
        cells[first], cells[second] = cells[second], cells[first]
        twin = tq.Board(board.grid, tuple(cells))
        if tq.solvability(puzzle, twin).answer is tq.Solvability.NO:
            return twin
    raise click.UsageError("--unsolvable: every arrangement of these tiles can reach this goal")


RANGE = Parsed("range", read_range)
difficulty_options = gathered(
    Difficulty,
    "difficulty",
    option(
        "Random",
        "--solutions RANGE",
        "Boards with this many shortest solutions: 1, 2-5 or 4+.",
        type=RANGE,
    ),
    option(
        "Random",
        "--gap RANGE",
        "Boards whose shortest solution is this many moves longer than Manhattan distance.",
        type=RANGE,
    ),
    flag("Random", "--unsolvable", "Boards that cannot be solved."),
)


_FORMATS = ("pdf", "html", "svg", "png", "tex")
_PATIENCE = 10.0
"""Time limit for the answer to one board, in seconds."""
_POINTS = 72 / 25.4
"""Points per millimetre."""


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The handout to write; the answers go into a separate file."""

    sheet: str | None = None
    """The name of its file; the name of the answers is derived from it."""
    title: str | None = None
    task: str | None = None
    variants: int | None = None
    across: int | None = None
    cell: float | None = None
    """The side of a cell in millimetres."""
    lines: int | None = None

    def boards(self, count: int) -> int:
        """Return how many boards are needed; raise UsageError if the sheet cannot be written."""
        if self.sheet is None:
            others = "--title, --task, --variants, --across, --cell and --lines"
            values = (self.title, self.task, self.variants, self.across, self.cell, self.lines)
            if any(value is not None for value in values):
                raise click.UsageError(f"{others} require --sheet FILE")
            return count
        from taquin.views.pictures.boards import MOST_IN_HANDOUT, MOST_LETTERS

        form = os.path.splitext(self.sheet)[1].lstrip(".").lower()
        if form not in _FORMATS:
            fault = f"a sheet ends in .{', .'.join(_FORMATS)}"
            raise click.UsageError(f"cannot write {self.sheet!r}: {fault}")
        options.check_file(self.sheet, form)
        count *= self.variants or 1
        if count > MOST_IN_HANDOUT:
            fault = f"sheets hold at most {MOST_IN_HANDOUT:,} boards together, found {count:,}"
            raise click.UsageError(fault)
        for name, text, most in (
            ("--title", self.title, MOST_LETTERS),
            ("--task", self.task, 5 * MOST_LETTERS),
        ):
            if (letters := len(text or "")) > most:
                raise click.UsageError(f"{name} takes at most {most} characters, found {letters:,}")
        return count

    def heading(self, number: int, count: int) -> str:
        """Return the comment before board `number` of `count` if a variant begins there."""
        variant, place = divmod(number - 1, max(1, count // (self.variants or 1)))
        return f"# variant {variant + 1}" if self.variants is not None and place == 0 else ""

    def write(self, puzzle: Puzzle, boards: Sequence[Board], wanted: int, note: str) -> None:
        """Solve the boards, then write the handout and the answers."""
        variants = self.variants or 1
        if self.sheet is None or not boards:
            return
        if variants > 1 and len(boards) < wanted:
            say(f"No sheet: {counted(wanted, 'board')} were needed, {len(boards):,} found.")
            return
        from taquin.views.pictures.boards import Handout, PageLayout, handout_files

        # Where a shortest solution takes too long, the best one known is the answer.
        limits = Limits(seconds=_PATIENCE, memory=safe_memory())
        answers = []
        for number, board in enumerate(boards, 1):
            with status_line(f"answer {number} of {len(boards)}"):
                answers.append(solve_task(Task(puzzle, board, limits=limits), SHORTEST).moves)
        title = self.title or f"Sliding puzzles, {puzzle.grid}"
        cell = None if self.cell is None else self.cell * _POINTS
        layout = PageLayout(self.across, cell, 2 if self.lines is None else self.lines, self.task)
        handout = Handout(puzzle, boards, answers, title, note, variants, layout)
        stem, ending = os.path.splitext(self.sheet)
        with status_line(f"drawing {counted(len(boards), 'board')}"):
            files = list(handout_files(handout, ending.lstrip(".").lower()))
        for name, content in files:
            options.write_file(f"{stem}{name}{ending}", content)


sheet_options = gathered(
    SheetOptions,
    "handout",
    option(
        "Sheet",
        "--sheet FILE",
        f"Also write a handout, .{', .'.join(_FORMATS)}; the answers in FILE-answers.",
    ),
    option("Sheet", "--title TEXT", "The title of the handout."),
    option("Sheet", "--task TEXT", "The task.  [default: write the moves to the goal]"),
    int_option("Sheet", "--variants", "Write N handouts with --count different boards each."),
    int_option("Sheet", "--across", "Boards side by side.  [default: 3, or 2 large ones]", most=6),
    option(
        "Sheet",
        "--cell MM",
        "Maximum size of a cell in millimetres.  [default: 12.7]",
        type=number_type(2, 60),
    ),
    int_option("Sheet", "--lines", "Lines to write on below a board.  [default: 2]", 0, 25),
)


LONGEST_WALK = 1_000_000
"""The limit on random moves: they take a second, and far fewer mix a board completely."""
_SCRAMBLE_PATIENCE = 2.0
"""Time limit for the moves to one board; a scramble need not be as short as possible."""


@command(
    "taquin scramble",
    "taquin scramble 4x4 --moves 30 --seed 1",
    "taquin scramble --depth 20 --count 30 --seed 1",
    "taquin scramble --depth 5-20 --seed 1",
    "taquin scramble --depth 8 --count 9 --sheet handout.pdf > boards.txt",
    "taquin scramble --depth 12 --count 4 --sheet exam.pdf --variants 30",
    "taquin scramble 3x3 --solutions 1 --gap 6+",
    "taquin scramble 4x4 --unsolvable",
    "taquin scramble 3x3 --count 100 | taquin solve --many",
    "taquin scramble 4x4 --as-moves",
    "taquin scramble 5x5 --form classic > puzzle.txt",
    'taquin scramble --goal "* A * / # B * / * @ *"',
)
@options.size_argument()
@options.goal_option
@options.metric_option
@int_option(
    "Random", "--moves", "Random moves from the goal.  [default: any solvable board]", least=0
)
@option(
    "Random",
    "--depth DEPTHS depths",
    "Different boards whose shortest solution has exactly so many moves: 12, or in turn 5,10,15 or "
    "5-20.",
    type=Parsed("depths", options.read_depths),
)
@difficulty_options
@option("Random", "--seed N", "The same seed gives the same boards.", type=int)
@int_option("Output", "--count", "The number of boards.  [default: 1, or one of each depth]")
@options.seconds_option(help="Time limit in seconds; the boards found until then are printed.")
@flag("Output", "--as-moves", "Print moves from the goal to each board, as a scramble.")
@option("Output", "--form", "The notation.", one_of=Form, default=Form.ROWS.value)
@sheet_options
def scramble(
    size: tuple[int, int] | None,
    goal: str,
    metric: tq.Metric,
    moves: int | None,
    depths: tuple[int, ...] | None,
    difficulty: Difficulty,
    seed: int | None,
    count: int | None,
    seconds: float | None,
    as_moves: bool,
    form: Form,
    handout: SheetOptions,
) -> int:
    """Generate random boards.

    SIZE is rows x columns, such as 4x4 or 4 4; the default is 3x3. All solvable boards are equally
    likely, unless --moves generates a random walk from the goal. --solutions and --gap select
    boards. With --depth all boards of that depth are equally likely where that is feasible; if not,
    a message says so.
    """
    grid = options.grid_of(size or (3, 3))
    if moves is not None and depths is not None:
        raise click.UsageError("choose one of --moves and --depth")
    if (moves or 0) > LONGEST_WALK:
        raise click.UsageError(
            f"--moves can be 0 to {LONGEST_WALK:,}, found {moves:,}; without it all solvable "
            f"boards are equally likely"
        )
    count = count or len(depths or (0,))
    wanted = handout.boards(count)
    target = goal_of(goal, grid)
    # A goal that is written out has a size of its own.
    if size is not None and (target.grid.rows, target.grid.columns) != size:
        raise click.UsageError(f"the goal is {target.grid}, not {size[0]}×{size[1]}")
    puzzle = tq.Puzzle(target, metric)
    difficulty.check(puzzle, depths is not None)
    if as_moves and not target.is_full:
        raise click.UsageError(
            "--as-moves needs a goal that is one board, without * or equal tiles"
        )
    if seed is None:
        seed = randrange(2**32)
    write = partial(_moves_to, puzzle) if as_moves else partial(tq.write_board, form=form)
    show = partial(_print_boards, write, partial(handout.heading, count=wanted))
    with live_line() as progress:
        limits = tq.Limits(seconds=seconds, memory=safe_memory())
        control = Control(limits, progress=progress, notice=say)
        if depths is not None:
            in_turn = [depths[number % count % len(depths)] for number in range(wanted)]
            printed = _print_at_depths(puzzle, in_turn, seed, control, difficulty, show)
        else:
            scrambles = (
                tq.random_board(target, seed, number=number)
                if moves is None
                else tq.random_walk(puzzle, moves, seed, number=number)
                for number in itertools.count(1)
            )
            printed = show(difficulty.chosen(puzzle, scrambles, wanted, control))
    if control.is_over:
        reason = control.reason.capitalize()
        say(f"{reason}: {len(printed):,} of {counted(wanted, 'board')} found.")
    handout.write(puzzle, printed, wanted, f"seed {seed}")
    return STOPPED if control.is_over or len(printed) < wanted else OK


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


def _print_at_depths(
    puzzle: tq.Puzzle,
    depths: Sequence[int],
    seed: int,
    control: Control,
    difficulty: Difficulty,
    show: Callable[[Iterator[tq.Board]], list[tq.Board]],
) -> list[tq.Board]:
    """Show a board of each exact depth, in this order, and return them."""
    samples = {}
    for depth, count in Counter(depths).items():
        if difficulty.is_chosen:
            known = tq.boards_at_depth(puzzle, depth, seed, control=control).known
            count = min(known or MOST_TRIES, MOST_TRIES)
        samples[depth] = tq.boards_at_depth(puzzle, depth, seed, count=count, control=control)
    boards = {
        depth: difficulty.chosen(puzzle, sample.boards, depths.count(depth), control)
        for depth, sample in samples.items()
    }
    found = (next(boards[depth], None) for depth in depths)
    printed = show(takewhile(lambda board: board is not None, found))  # type: ignore[arg-type]
    for depth, sample in samples.items():
        if printed and not sample.uniform:
            say(
                f"Not all boards of {counted(depth, 'move')} were equally likely: these were found "
                f"by random walks from the goal, and their depth was proven."
            )
    return printed


def _moves_to(puzzle: tq.Puzzle, board: tq.Board) -> str:
    """Return moves that lead from the goal to a board, as few as are found in time."""
    limits = tq.Limits(seconds=_SCRAMBLE_PATIENCE, memory=safe_memory())
    result = solve_task(Task(puzzle, board, limits=limits), Wishes())
    directions = (move.direction for move in result.moves or () for _ in move.tiles)
    return write_sequence(inverted(simplified(directions)))

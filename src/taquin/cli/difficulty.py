"""The options of `taquin scramble` that choose boards by criteria other than depth.

taquin scramble --solutions 1     a single shortest solution
taquin scramble --gap 8+          a shortest solution at least 8 moves longer than the estimate
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from sys import maxsize

import click

import taquin as tq
from taquin.cli.command import Parsed, flag, gathered, option
from taquin.cli.running import solve
from taquin.cli.screen import say
from taquin.engine.choose import Auto
from taquin.engine.every import every_solution
from taquin.search.control import Control
from taquin.search.result import Task, Want
from taquin.system.machine import safe_memory
from taquin.system.words import counted

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

    def check(self, puzzle: tq.Puzzle, depth: int | None) -> None:
        """Raise UsageError for options that exclude each other."""
        if self.unsolvable and (self.is_chosen or depth is not None):
            options = "--depth, --solutions or --gap"
            raise click.UsageError(f"--unsolvable cannot be combined with {options}")
        if self.gap is not None and puzzle.metric is not tq.Metric.SINGLE:
            raise click.UsageError(
                "--gap supports only --metric single, as it uses Manhattan distance"
            )

    def chosen(
        self, puzzle: tq.Puzzle, boards: Iterator[tq.Board], count: int
    ) -> Iterator[tq.Board]:
        """Yield `count` of the boards that fit; print a message if MOST_TRIES boards have fewer."""
        if self.unsolvable:
            boards = (_unsolvable(puzzle, board) for board in boards)
        if not self.is_chosen:
            yield from islice(boards, count)
            return
        fitting = 0
        for board in islice(boards, MOST_TRIES):
            if self._fits(puzzle, board):
                fitting += 1
                yield board
                if fitting == count:
                    return
        wanted = counted(count, "board")
        say(f"{fitting:,} of {wanted} found; at most {MOST_TRIES:,} are tried.")

    def _fits(self, puzzle: tq.Puzzle, board: tq.Board) -> bool:
        limits = tq.Limits(memory=safe_memory())
        if self.gap is not None:
            result = solve(Task(puzzle, board, limits=limits), Auto(), "shortest length")
            if result.cost is None:
                raise KeyboardInterrupt
            if result.cost - tq.estimate(tq.Manhattan(), board, puzzle.goal) not in self.gap:
                return False
        if self.solutions is None:
            return True
        task = Task(puzzle, board, limits=limits, want=Want.EVERY)
        # List no more solutions than necessary to decide.
        most = self.solutions.start if self.solutions.stop == maxsize else self.solutions.stop
        listed = every_solution(task, Auto(), Control(limits), most)
        return sum(1 for _ in listed) in self.solutions


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

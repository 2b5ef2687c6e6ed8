"""Jobs about boards: draw a random board, count the moves left, warm up a worker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import randrange
from typing import Any

from taquin.engine.advice import HINT_PATIENCE, PATIENCE, Advice, HintFinder
from taquin.engine.anytime.engine import Anytime
from taquin.engine.choose import run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.depths import boards_at_depth
from taquin.errors import MachineError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Label
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.model.solvability import Solvability, solvability
from taquin.notation.json_values import move_json
from taquin.search.control import Control
from taquin.search.result import Limits, Task
from taquin.system.words import counted
from taquin.web.job import SPARE_SECONDS, Emit, Job, Lane, ShouldStop

_TABLE_SECONDS = 120.0
"""The time to build the tables that the first board of a size may need."""
_WARM_MOVES = 20
_PUZZLES = 8
"""Puzzles whose hints a worker caches."""


@dataclass(frozen=True, slots=True)
class Scramble(Job):
    """Draw a random solvable board."""

    puzzle: Puzzle
    limits: Limits
    seed: int | None = None
    """None for a random one."""
    moves: int | None = None
    """Random moves from the goal; None for a uniform draw from all solvable boards."""
    distance: int | None = None
    """The length of its shortest solution; None for any."""
    labels: tuple[Label, ...] | None = None
    """The tiles to use if the goal does not name them all."""

    @property
    def lane(self) -> Lane:
        """The lane of searches for a board at an exact distance, which may take as long."""
        return Lane.QUICK if self.distance is None else Lane.SEARCH

    @property
    def seconds(self) -> float:
        """The time limit, and time to load code and tables."""
        return (self.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the board."""
        seed = randrange(2**32) if self.seed is None else self.seed
        uniform = self.moves is None
        if self.distance is not None:
            control = Control(self.limits, stop=should_stop)
            sample = boards_at_depth(self.puzzle, self.distance, seed, control=control)
            board, uniform = next(sample.boards, None), sample.uniform
            if board is None:
                raise MachineError(f"{control.reason}: no board was found in time")
        elif self.moves is None:
            board = random_board(self.puzzle.goal, seed, labels=self.labels)
        else:
            board = random_walk(self.puzzle, self.moves, seed, labels=self.labels)
        record = {"board": board.rows(), "goal": self.puzzle.goal.rows(), "text": board.text()}
        more = {"seed": seed, "distance": self.distance, "uniform": uniform}
        emit("result", record | more)


@dataclass(frozen=True, slots=True)
class MovesLeft(Job):
    """Count the moves left, and find the next one."""

    puzzle: Puzzle
    board: Board
    memory: int
    is_hint: bool = False
    """Whether the user asked for a move, and accepts a longer search."""

    lane = Lane.QUICK
    seconds = _TABLE_SECONDS + 2 * HINT_PATIENCE + SPARE_SECONDS
    stop_seconds = _TABLE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the cached hint if it is exact, else search for one."""
        puzzle, board = self.puzzle, self.board
        verdict = solvability(puzzle, board)
        if verdict.answer is Solvability.NO:
            unsolvable = dict.fromkeys(("left", "lower_bound", "best", "move"))
            sentence = f"No solution possible: {verdict.reason}."
            emit("result", unsolvable | {"sentence": sentence})
            return
        finder = _hint_finder(puzzle, self.memory)
        patience = HINT_PATIENCE if self.is_hint else PATIENCE
        advice = finder.of(board)
        if advice is None or not (advice.is_exact or (self.is_hint and advice.move)):
            stages = [""]
            # A disconnect does not stop the building of a table, whose parts would be lost.
            finder.find(board, patience, stages.append, lambda: not stages[-1] and should_stop())
            advice = finder.of(board)
        emit("result", _record(advice or Advice(0)))


_hint_finder = lru_cache(_PUZZLES)(HintFinder)


def _record(advice: Advice) -> dict[str, Any]:
    least = counted(advice.at_least, "move")
    if advice.left is None:
        sentence = f"At least {least} left."
    elif advice.is_exact:
        sentence = f"{least} left at best." if advice.left else "Solved."
    else:
        best = counted(advice.left, "move")
        sentence = f"{best} will do, at least {advice.at_least:,} are needed."
    return {
        "left": advice.left if advice.is_exact else None,
        "lower_bound": advice.at_least,
        "best": advice.left,
        "move": None if advice.move is None else move_json(advice.move),
        "sentence": sentence,
    }


@dataclass(frozen=True, slots=True)
class WarmUp(Job):
    """Load or build the code and tables of compiled searches ahead of the first board."""

    memory: int

    lane = Lane.QUICK
    seconds = _TABLE_SECONDS + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Solve an easy board with each compiled engine."""
        puzzle, limits = Puzzle(Goal.blank_last(4, 4)), Limits(memory=self.memory)
        task = Task(puzzle, random_walk(puzzle, _WARM_MOVES, seed=1), limits=limits)
        for engine in (Cpu(), Anytime(seconds=0.0)):
            if engine.fits(task):
                run(task, engine, Control(limits, stop=should_stop))
        emit("result", {})

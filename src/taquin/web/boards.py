"""Jobs about boards: make one, tell how many moves are left, get ready to tell it at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import randrange
from typing import Any

from taquin.engine.advice import HINT_PATIENCE, PATIENCE, Advice, Knowledge
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
from taquin.web.job import SPARE_SECONDS, STOP_SECONDS, Stop, Tell, rows_of

_TABLE_SECONDS = 120.0
"""For the tables that the first board of a size may need; they serve all that follow."""
_WARM_MOVES = 20
_PUZZLES = 8
"""Puzzles of which a worker keeps what it knows."""


@dataclass(frozen=True, slots=True)
class Scramble:
    """Make a board that can be solved."""

    puzzle: Puzzle
    limits: Limits
    seed: int | None = None
    """None for any."""
    moves: int | None = None
    """Random moves from the goal; None for a board that is as mixed as any."""
    distance: int | None = None
    """Moves of its shortest solution; None for any."""
    labels: tuple[Label, ...] | None = None
    """The tiles to use, where the goal does not tell them."""

    stop_seconds = STOP_SECONDS

    @property
    def is_quick(self) -> bool:
        """Tell that a board of an exact distance may take as long as a search."""
        return self.distance is None

    @property
    def seconds(self) -> float:
        """Return the limit on the time."""
        return (self.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Make the board, and tell it."""
        seed = randrange(2**32) if self.seed is None else self.seed
        uniform = self.moves is None
        if self.distance is not None:
            control = Control(self.limits, stop=stop)
            drawing = boards_at_depth(self.puzzle, self.distance, seed, control=control)
            board, uniform = next(drawing.boards, None), drawing.uniform
            if board is None:
                raise MachineError(f"{control.reason}: no board was found in time")
        elif self.moves is None:
            board = random_board(self.puzzle.goal, seed, labels=self.labels)
        else:
            board = random_walk(self.puzzle, self.moves, seed, labels=self.labels)
        found = {"board": rows_of(board), "goal": rows_of(self.puzzle.goal), "text": board.text()}
        tell("result", found | {"seed": seed, "distance": self.distance, "uniform": uniform})


@dataclass(frozen=True, slots=True)
class Left:
    """Tell how many moves are left at best, and which comes next."""

    puzzle: Puzzle
    board: Board
    memory: int
    is_hint: bool = False
    """Whether somebody asked for a move, and will wait longer."""

    is_quick = True
    stop_seconds = _TABLE_SECONDS

    @property
    def seconds(self) -> float:
        """Return the time for the search, and for tables it may need."""
        return _TABLE_SECONDS + 2 * HINT_PATIENCE + SPARE_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Search for a second, unless it is known."""
        puzzle, board = self.puzzle, self.board
        verdict = solvability(puzzle, board)
        if verdict.answer is Solvability.NO:
            nothing = {"left": None, "lower_bound": None, "best": None, "move": None}
            tell("result", nothing | {"sentence": f"No solution possible: {verdict.reason}."})
            return
        knowledge = _knowledge(puzzle, self.memory)
        patience = HINT_PATIENCE if self.is_hint else PATIENCE
        advice = knowledge.of(board)
        if advice is None or not (advice.is_exact or (self.is_hint and advice.move)):
            stage = ""

            def prepare(said: str) -> None:
                nonlocal stage
                stage = said

            # Tables that are half built serve nobody, so nobody ends that by going away.
            knowledge.find(board, patience, prepare, lambda: not stage and stop())
            advice = knowledge.of(board)
        tell("result", _advised(advice or Advice(0)))


@lru_cache(_PUZZLES)
def _knowledge(puzzle: Puzzle, memory: int) -> Knowledge:
    return Knowledge(puzzle, memory)


def _advised(advice: Advice) -> dict[str, Any]:
    """Return what is known of a board."""
    if advice.is_exact:
        left = counted(advice.at_least, "move")
        sentence = f"{left} left at best." if advice.left else "Solved."
    elif advice.left is not None:
        sentence = (
            f"{counted(advice.left, 'move')} will do, at least {advice.at_least:,} are needed."
        )
    else:
        sentence = f"At least {counted(advice.at_least, 'move')} left."
    return {
        "left": advice.left if advice.is_exact else None,
        "lower_bound": advice.at_least,
        "best": advice.left,
        "move": None if advice.move is None else move_json(advice.move),
        "sentence": sentence,
    }


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Load what compiled searches need, or compile and build it: the first board need not wait."""

    memory: int

    is_quick = True
    seconds = _TABLE_SECONDS + SPARE_SECONDS
    stop_seconds = STOP_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Solve a board that any engine solves at once."""
        puzzle, limits = Puzzle(Goal.blank_last(4, 4)), Limits(memory=self.memory)
        task = Task(puzzle, random_walk(puzzle, _WARM_MOVES, seed=1), limits=limits)
        for engine in (Cpu(), Anytime(seconds=0.0)):
            if engine.fits(task):
                run(task, engine, Control(limits, stop=stop))
        tell("result", {})

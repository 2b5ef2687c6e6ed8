"""Several searches on one board in lockstep: the search that has had least expands one board next.

So the speed of the display makes no difference to the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from time import perf_counter

from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.driver import trace
from taquin.search.events import Event, Expanded, Finished
from taquin.search.result import Limits, Outcome, Result
from taquin.search.run import Algorithm


class By(Enum):
    """What is shared out equally."""

    EXPANSIONS = "expansions"
    TIME = "time"


@dataclass(slots=True)
class Runner:
    """One search of a contest and its present state."""

    name: str
    board: Board
    """The board expanded last, or the start."""
    events: Iterator[Event]
    spent: float = 0.0
    """Expansions or seconds so far."""
    expanded: int = 0
    frontier: int = 0
    """Entries waiting now."""
    depth: int = 0
    """Depth of the board expanded last."""
    result: Result | None = None
    """The result; None while the search runs."""

    @property
    def is_solved(self) -> bool:
        """Whether it found a solution."""
        return self.result is not None and self.result.outcome is Outcome.SOLVED

    def expand(self) -> None:
        """Expand the next board, or finish."""
        for event in self.events:
            if isinstance(event, Expanded):
                self.expanded += 1
                self.board, self.depth = event.node.board, event.node.depth
                self.frontier = event.frontier
                return
            if isinstance(event, Finished):
                self.result = event.result
                self.board = (self.board, *event.result.boards())[-1]
                self.depth = event.result.cost or self.depth


class Contest:
    """Searches side by side."""

    def __init__(
        self, puzzle: Puzzle, start: Board, searches: Sequence[Algorithm], limits: Limits, by: By
    ) -> None:
        """Begin each search."""
        self.by, self._is_over = by, False
        run = partial(trace, puzzle, start, limits=limits, stop=lambda: self._is_over)
        self.runners = [Runner(str(search), start, run(search)) for search in searches]
        self.level = self._owed = 0.0
        """Expansions or seconds that every search has had; fractions of one are owed."""

    @property
    def running(self) -> list[Runner]:
        """The searches that have not ended."""
        return [runner for runner in self.runners if runner.result is None]

    def advance(self, amount: float, seconds: float) -> None:
        """Give every search `amount` more, or as much as fits into `seconds`.

        Raise KeyboardInterrupt when Ctrl-C ended one of them.
        """
        self._owed += amount
        given = self._owed // 1 if self.by is By.EXPANSIONS else self._owed
        self._owed -= given
        level, late = self.level + given, perf_counter() + seconds
        while behind := [runner for runner in self.running if runner.spent < level]:
            runner = min(behind, key=lambda runner: runner.spent)
            began = perf_counter()
            runner.expand()
            now = perf_counter()
            if runner.result is not None and runner.result.outcome is Outcome.STOPPED:
                raise KeyboardInterrupt
            runner.spent += 1 if self.by is By.EXPANSIONS else now - began
            if now > late:
                # The time is up: the slowest search sets the level.
                level = min((runner.spent for runner in self.running), default=level)
                break
        self.level = level

    def stop(self) -> None:
        """End the searches that still run."""
        self._is_over = True
        for runner in self.running:
            while runner.result is None:
                runner.expand()


def place_of(runner: Runner, runners: Sequence[Runner]) -> int | None:
    """Return the rank of a search that found a solution, None for others; ties share a rank."""
    if not runner.is_solved:
        return None
    return 1 + sum(other.is_solved and other.spent < runner.spent for other in runners)

"""Several searches on one board in lockstep: the search that has spent least expands a board next.

So the result does not depend on the speed of the display.
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


class Effort(Enum):
    """The effort of which every search gets the same."""

    EXPANSIONS = "expansions"
    TIME = "time"


@dataclass(slots=True)
class Contestant:
    """One search of a contest and its current state."""

    name: str
    board: Board
    """The board expanded last, or the start."""
    events: Iterator[Event]
    spent: float = 0.0
    """Expansions or seconds so far."""
    expanded: int = 0
    frontier: int = 0
    """Entries in the frontier."""
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
        self,
        puzzle: Puzzle,
        start: Board,
        searches: Sequence[Algorithm],
        limits: Limits,
        by: Effort,
    ) -> None:
        """Begin each search."""
        self.by, self._is_over = by, False
        run = partial(trace, puzzle, start, limits=limits, stop=lambda: self._is_over)
        self.contestants = [Contestant(str(search), start, run(search)) for search in searches]
        self.level = self._owed = 0.0
        """Expansions or seconds that every search has had; fractions of one are owed."""

    @property
    def running(self) -> list[Contestant]:
        """The searches that have not ended."""
        return [each for each in self.contestants if each.result is None]

    def advance(self, amount: float, seconds: float) -> None:
        """Give every search `amount` more, or as much as fits into `seconds`.

        Raise KeyboardInterrupt if Ctrl-C ended one of them.
        """
        self._owed += amount
        given = self._owed // 1 if self.by is Effort.EXPANSIONS else self._owed
        self._owed -= given
        level, deadline = self.level + given, perf_counter() + seconds
        while behind := [each for each in self.running if each.spent < level]:
            search = min(behind, key=lambda each: each.spent)
            began = perf_counter()
            search.expand()
            now = perf_counter()
            if search.result is not None and search.result.outcome is Outcome.STOPPED:
                raise KeyboardInterrupt
            search.spent += 1 if self.by is Effort.EXPANSIONS else now - began
            if now > deadline:
                # The slowest search sets the level.
                level = min((each.spent for each in self.running), default=level)
                break
        self.level = level

    def stop(self) -> None:
        """End the searches that still run."""
        self._is_over = True
        for search in self.running:
            while search.result is None:
                search.expand()


def rank_of(search: Contestant, searches: Sequence[Contestant]) -> int | None:
    """Return the rank of a search that found a solution, None for others; ties share a rank."""
    if not search.is_solved:
        return None
    return 1 + sum(other.is_solved and other.spent < search.spent for other in searches)

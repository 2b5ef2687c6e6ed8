"""Several searches on one board, in lockstep: each has had as many expansions, or seconds, as any.

The one that has had least goes next, one expansion at a time. So it makes no difference how fast
the whole is watched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from time import perf_counter

from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.driver import trace
from taquin.search.events import Event, Expanded, Finished
from taquin.search.result import Limits, Outcome, Result
from taquin.search.run import Algorithm


class By(Enum):
    """What all have the same of."""

    EXPANSIONS = "expansions"
    TIME = "time"


@dataclass(slots=True)
class Runner:
    """One search of a contest, and where it is."""

    name: str
    board: Board
    """The board expanded last, or the start."""
    events: Iterator[Event]
    spent: float = 0.0
    """What it has had: expansions, or seconds."""
    expanded: int = 0
    frontier: int = 0
    """Entries waiting now."""
    depth: int = 0
    """Of the board expanded last."""
    result: Result | None = None
    """What it found; None while it runs."""

    @property
    def is_solved(self) -> bool:
        """Tell whether it found a solution."""
        return self.result is not None and self.result.outcome is Outcome.SOLVED

    def expand(self) -> None:
        """Take the next board from the frontier, or end."""
        for event in self.events:
            if isinstance(event, Expanded):
                self.expanded += 1
                self.board, self.depth = event.node.board, event.node.depth
                self.frontier = event.frontier
                return
            if isinstance(event, Finished):
                self.result = event.result
                boards = event.result.boards()
                self.board, self.depth = (
                    (boards or (self.board,))[-1],
                    event.result.cost or self.depth,
                )


class Contest:
    """Searches side by side."""

    def __init__(
        self, puzzle: Puzzle, start: Board, searches: Sequence[Algorithm], limits: Limits, by: By
    ) -> None:
        self.puzzle, self.by = puzzle, by
        self._is_over = False
        self.runners = [
            Runner(
                str(search), start, trace(puzzle, start, search, limits, stop=lambda: self._is_over)
            )
            for search in searches
        ]
        self.level = 0.0
        """What each has had, or may have."""

    @property
    def running(self) -> list[Runner]:
        """Return those that have not ended."""
        return [runner for runner in self.runners if runner.result is None]

    def advance(self, amount: float, seconds: float) -> None:
        """Let each have `amount` more, or as much as can be done in so many seconds.

        Raise KeyboardInterrupt when Ctrl-C ended one of them: it is meant for all.
        """
        level, late = self.level + amount, perf_counter() + seconds
        while behind := [runner for runner in self.running if runner.spent < level]:
            runner = min(behind, key=lambda runner: runner.spent)
            began = perf_counter()
            runner.expand()
            now = perf_counter()
            if runner.result is not None and runner.result.outcome is Outcome.STOPPED:
                raise KeyboardInterrupt
            runner.spent += 1 if self.by is By.EXPANSIONS else now - began
            if now > late:
                # What could not be done is not caught up with.
                level = min((each.spent for each in self.running), default=level)
                break
        self.level = level

    def stop(self) -> None:
        """End those that still run, with what they have done so far."""
        self._is_over = True
        for runner in self.running:
            while runner.result is None:
                runner.expand()


def place_of(runner: Runner, runners: Sequence[Runner]) -> int | None:
    """Return the place of one that found a solution, None for any other; equals share one."""
    if not runner.is_solved:
        return None
    return 1 + sum(other.is_solved and other.spent < runner.spent for other in runners)

"""The glass box as an engine: any puzzle, any search, every step observable."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from taquin.engine.base import FITS, Engine, Fit, Solutions
from taquin.errors import UnsuitableError
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.per_tile import Manhattan
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.result import Result, Task, Want
from taquin.search.run import Algorithm

_EASY = 9
"""Cells up to which A* with Manhattan distance is fast enough."""


@dataclass(frozen=True, slots=True)
class GlassBox(Engine):
    """Run the task's algorithm, or A*, in plain Python."""

    name = "glass"
    summary = "any puzzle, any search, every counter; plain Python"
    takes_searches = True

    def fits(self, task: Task) -> Fit:
        """Return whether it supports the request; any puzzle fits."""
        if task.want is Want.EVERY and task.algorithm is not None:
            return Fit(False, "it lists every shortest solution by a search of its own")
        return FITS

    def solve(self, task: Task, control: Control) -> Result:
        """Run the search, and return its result."""
        # Imported late, for engines that only ask for the estimate of a board.
        from taquin.search.driver import solve
        from taquin.search.user_search import UserSearch

        chosen = task.algorithm or default_algorithm(task.puzzle)
        # UserSearch first: isinstance of a Protocol would load the user's file.
        if not isinstance(chosen, UserSearch | Algorithm):
            raise UnsuitableError(f"expected a search, found {chosen}: it cannot go step by step")
        return solve(task, chosen, control)

    def every(self, task: Task, control: Control) -> Solutions:
        """Yield every shortest solution once."""
        from taquin.search.driver import solve_every

        return solve_every(task, default_algorithm(task.puzzle), control)


def estimate(task: Task) -> int:
    """Return the estimate of the start by the default heuristic, a lower bound."""
    return _estimate(task.puzzle, task.start)


@lru_cache(maxsize=1)
def _estimate(puzzle: Puzzle, start: Board) -> int:
    # Cached for `Auto` and the search after it: on 100×100 it takes 0.2 s.
    space = Space(puzzle, start)
    heuristic = default_algorithm(puzzle).heuristic
    assert heuristic is not None
    return evaluator_for(heuristic, space).value(space.start)


def default_algorithm(puzzle: Puzzle) -> Algorithm:
    """Return an optimal, exhaustive glass-box search that suits the puzzle."""
    return AStar(Manhattan() if puzzle.grid.size <= _EASY else LinearConflict())

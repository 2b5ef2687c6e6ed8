"""The glass box as an engine: any puzzle, any search, every step of it observable."""

from __future__ import annotations

from dataclasses import dataclass

from taquin.engine.seam import FITS, Fit, Settled
from taquin.errors import UnsuitableError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.driver import solve
from taquin.search.result import Result, Task, Want
from taquin.search.run import Algorithm

_EASY = 9
"""Cells up to which Manhattan distance is all that A* needs."""


@dataclass(frozen=True, slots=True)
class GlassBox(Settled):
    """Run the task's algorithm, or A*, in plain Python."""

    name = "glass"
    summary = "any puzzle, any search, every counter; plain Python"

    def available(self) -> Fit:
        """Tell that any machine can."""
        return FITS

    def fits(self, task: Task) -> Fit:
        """Tell that any puzzle will do."""
        one = task.want is Want.ONE
        return Fit(one, "" if one else "it finds one solution, not every one")

    def solve(self, task: Task, control: Control) -> Result:
        """Search, and return what was found."""
        chosen = task.algorithm or default_algorithm(task.puzzle)
        if not isinstance(chosen, Algorithm):
            raise UnsuitableError(f"expected a search, found {chosen}: it cannot go step by step")
        return solve(task, chosen, control)


def default_algorithm(puzzle: Puzzle) -> Algorithm:
    """Return an optimal, exhaustive glass-box search that suits the puzzle."""
    return AStar(Manhattan() if puzzle.grid.size <= _EASY else LinearConflict())

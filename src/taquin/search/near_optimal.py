"""NBS: near-optimal bidirectional search, which expands boards in pairs.

Chen, Holte, Zilles and Sturtevant (2017). A solution through a board u that waits on the start's
side and a board v that waits on the goal's side costs at least

    lb(u, v) = max(f(u), f(v), g(u) + g(v) + ε)         ε is the least cost of a move

and one board of every pair with lb below the cost of a shortest solution must be expanded by any
search that proves it. NBS expands both boards of a pair of lowest lb, so it expands at most twice
as many boards as the best possible search of its kind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from taquin.heuristics.base import Heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search.both_ends import LEAST_COST, BothEnds, Side
from taquin.search.conventions import OPEN, Conventions, Duplicates
from taquin.search.run import Loop, Run
from taquin.search.tally import limited
from taquin.search.value import SearchValue


@dataclass(frozen=True, slots=True)
class NearOptimalBidirectional(SearchValue):
    """Search from both ends by pairs: at most twice the fewest expansions that prove it (NBS)."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = OPEN

    name = "nbs"
    knows: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unheeded = ("ties", "goal_test")
    optimal = True
    from_both_ends = True

    def loop(self, run: Run) -> Loop:
        """Expand a pair of lowest lower bound."""
        return _nbs(run, self.heuristic)


@limited
def _nbs(run: Run, heuristic: Heuristic) -> Loop:
    ends = BothEnds(run, heuristic, lambda entry: entry[2] + entry[3])
    start, goal = ends.start, ends.goal
    yield from ends.begin()
    bound: float = 0
    while start.waiting and goal.waiting:
        # A pair within the bound has f(u) ≤ bound, f(v) ≤ bound and the least g of these.
        together = start.least_g(bound) + goal.least_g(bound) + LEAST_COST
        if together > bound:
            later = [f for side in (start, goal) for f, _ in side.waiting if f > bound]
            bound = min([together, *later])
            continue
        if ends.prove(bound):
            break
        yield from ends.expand(start, _first(start, bound))
        yield from ends.expand(goal, _first(goal, bound))
    return (yield from ends.end())


def _first(side: Side, bound: float) -> tuple[int, int]:
    """Return the f and g of the boards of a side to expand first: the least g within the bound."""
    g, f = min((g, f) for f, g in side.waiting if f <= bound)
    return f, g

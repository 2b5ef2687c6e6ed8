"""MM: bidirectional heuristic search whose sides never go beyond the middle of a shortest solution.

Holte, Felner, Sharon and Sturtevant (2016). The priority of a board is the greater of f and 2·g, so
that a board more than half of a solution away from its own end waits until the end:

    start ─── g ≤ C*/2 ───► ◄─── g ≤ C*/2 ─── goal      C* is the cost of a shortest solution

The board of lowest priority on either side is expanded; of equals the one with the lowest g, the
start's side first. The best solution so far is a shortest one when no two waiting boards can be
joined for less.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from taquin.heuristics.base import Heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search.both_ends import LEAST_COST, BothEnds, Side
from taquin.search.conventions import OPEN, Conventions, Duplicates
from taquin.search.events import Entry
from taquin.search.run import Loop, Run
from taquin.search.tally import limited
from taquin.search.value import SearchValue


@dataclass(frozen=True, slots=True)
class MeetInTheMiddle(SearchValue):
    """Search from both ends with an estimate for each; the two meet in the middle (MM)."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = OPEN

    name = "mm"
    knows: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unheeded = ("ties", "goal_test")
    optimal = True
    from_both_ends = True

    def loop(self, run: Run) -> Loop:
        """Expand by the greater of f and 2·g."""
        return _mm(run, self.heuristic)


@limited
def _mm(run: Run, heuristic: Heuristic) -> Loop:
    ends = BothEnds(run, heuristic, _priority)
    start, goal = ends.start, ends.goal
    yield from ends.begin()
    while start.waiting and goal.waiting:
        forward, backward = _first(start), _first(goal)
        side, (lowest, g, f) = (start, forward) if forward[0] <= backward[0] else (goal, backward)
        together = start.least_g() + goal.least_g() + LEAST_COST
        if ends.prove(max(lowest, start.least_f, goal.least_f, together)):
            break
        yield from ends.expand(side, (f, g))
    return (yield from ends.end())


def _priority(entry: Entry) -> int:
    _, _, g, h = entry
    return max(g + h, 2 * g)


def _first(side: Side) -> tuple[int, int, int]:
    """Return the lowest priority of a side, and the g and f of the boards to expand first."""
    return min((max(f, 2 * g), g, f) for f, g in side.waiting)

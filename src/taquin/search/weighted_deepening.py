"""Weighted IDA*: deepen by g + w·h, for solutions at most w times too long in little memory.

Korf (1993). Each round walks depth-first over the boards whose f = g + w·h stays within a bound,
and the least f that was cut off is the next bound. On a shortest solution of cost C every board has
f ≤ w·C, so a bound that was searched in vain proves that C is at least the next bound / w.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

from taquin.heuristics.base import Heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search import events as on
from taquin.search.bounded_walk import bounded_walk
from taquin.search.conventions import OPEN, SKIP_PARENT, Conventions, Duplicates
from taquin.search.events import Entry
from taquin.search.run import Loop, Run
from taquin.search.tally import Tally, limited
from taquin.search.value import SearchValue


@dataclass(frozen=True, slots=True)
class WeightedIDAStar(SearchValue):
    """Deepen by g + weight · h: at most `weight` times too long, in memory linear in the depth."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    weight: float = 2
    """Solutions are at most that many times too long."""
    conventions: Conventions = OPEN

    name = "widastar"
    knows: ClassVar = {"duplicates": frozenset({Duplicates.PARENT, Duplicates.NONE})}
    least: ClassVar = {"weight": (1, "the weight must be 1 or more, and finite")}
    usual = SKIP_PARENT
    unheeded = ("ties", "goal_test")
    optimal = False
    exhaustive = False

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, each time as far as the least f that was cut off."""
        return _weighted_deepening(run, self.weight)


@limited
def _weighted_deepening(run: Run, weight: float) -> Loop:
    tally, watch = Tally(run), run.watch
    root: Entry = (run.space.start, None, 0, run.evaluator.value(run.space.start))
    bound: float = weight * root[3]
    rounds = 0
    if watch:
        yield on.Started(watch.node(root, bound))
    while bound < inf:
        tally.prove(bound / weight)
        rounds += 1
        if watch:
            yield on.BoundRaised(bound, rounds)
        walk = yield from bounded_walk(run, tally, root, bound, weight=weight)
        if walk.goal is not None:
            return (yield from tally.found(walk.goal, walk.goal[2]))
        bound = walk.above
    return tally.exhausted()

"""BTS: IDA* that keeps the work of its rounds growing, whatever the estimates are.

Helmert, Lattimore, Lelis, Orseau and Sturtevant (2019), the tree search of the IBEX framework. IDA*
repeats almost the same work where a new bound adds few boards. BTS then looks for a bound whose
round expands 2 to 8 times as many boards as the last: it doubles the distance to the bound, then
halves the interval, and breaks off a round at 8 times the last.

    IDA*   bounds 20, 22, 24, 26 …    90, 91, 93, 95 boards: the same work again and again
    BTS    bounds 20, 22, 24, 28 …    until a round has twice the work of the last

A solution that a bold bound finds may not be a shortest one; the search goes on until no bound
below its cost is left.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from math import inf
from typing import ClassVar

from taquin.heuristics.base import Heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search import events as on
from taquin.search.bounded_walk import bounded_walk
from taquin.search.conventions import OPEN, SKIP_PARENT, Conventions, Duplicates
from taquin.search.events import Entry, Event
from taquin.search.run import Loop, Run
from taquin.search.tally import Tally, limited
from taquin.search.value import SearchValue

_LEAST_GROWTH, _MOST_GROWTH = 2, 8
"""By how much the work of a round should exceed that of the last: c1 and c2 of the paper."""


@dataclass(frozen=True, slots=True)
class BudgetedTreeSearch(SearchValue):
    """Deepen like IDA*, but skip bounds that add little work (BTS, of the IBEX framework)."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = OPEN

    name = "bts"
    knows: ClassVar = {"duplicates": frozenset({Duplicates.PARENT, Duplicates.NONE})}
    usual = SKIP_PARENT
    unheeded = ("ties", "goal_test")
    optimal = True
    exhaustive = False

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, each time with about twice the work or more."""
        return _bts(run)


class _Rounds:
    """The rounds of a search, and the interval in which the next bound lies."""

    def __init__(self, run: Run) -> None:
        self._run, self._tally, self._count = run, Tally(run), 0
        start = run.space.start
        self.root: Entry = (start, None, 0, run.evaluator.value(start))
        self.lower: float = self.root[3]
        """Every solution costs at least this."""
        self.upper = inf
        """A bound above this takes too much work."""
        self.expanded = 0
        """Boards expanded in the last round."""
        self.goal: Entry | None = None

    @property
    def best(self) -> float:
        """The cost of the best solution so far; infinity for none."""
        return inf if self.goal is None else self.goal[2]

    def search(self, bound: float, budget: float = inf) -> Generator[Event | None, int, None]:
        """Walk within `bound` and narrow the interval by what was met."""
        self._count += 1
        if self._run.watch:
            yield on.BoundRaised(bound, self._count)
        walk = yield from bounded_walk(
            self._run, self._tally, self.root, bound, budget=budget, enough=self.lower
        )
        self.expanded, self.goal = walk.expanded, walk.goal or self.goal
        if self.best <= max(self.lower, walk.below * walk.is_complete):
            self.lower = self.upper = self.best
        elif not walk.is_complete:
            self.upper = min(self.upper, walk.below)
        else:
            self.lower = max(self.lower, walk.above)
        self._tally.prove(min(self.lower, self.best))

    def end(self) -> Loop:
        """Return the best solution, or that there is none within the limit on depth."""
        if self.goal is not None:
            return (yield from self._tally.found(self.goal, self.goal[2]))
        return self._tally.exhausted()


@limited
def _bts(run: Run) -> Loop:
    rounds, budget = _Rounds(run), 0
    if run.watch:
        yield on.Started(run.watch.node(rounds.root, rounds.lower))
    while rounds.lower < rounds.best:
        rounds.upper = inf
        yield from rounds.search(rounds.lower)
        least, most = _LEAST_GROWTH * budget, _MOST_GROWTH * budget
        if rounds.expanded < least:
            distance = 2
            while rounds.lower < rounds.upper and rounds.expanded < least:
                yield from rounds.search(rounds.lower + distance, most)
                distance *= 2
            while rounds.lower < rounds.upper and not least <= rounds.expanded < most:
                yield from rounds.search((rounds.lower + rounds.upper) / 2, most)
        budget = max(rounds.expanded, least)
    return (yield from rounds.end())

"""Weighted IDA* and BTS: depth-first searches of the boards whose f = g + w·h is within a bound.

Weighted IDA*, Korf (1993): the least f that a round cut is the next bound. On a shortest solution
of cost C every board has f ≤ w·C, so a bound searched without a solution proves that C is at least
the next bound / w.

BTS, Helmert, Lattimore, Lelis, Orseau and Sturtevant (2019), the tree search of the IBEX framework:
IDA* repeats almost the same work if a new bound adds few boards. BTS then looks for a bound whose
round expands 2 to 8 times as many boards as the last, by exponential and then binary search; it
aborts a round at 8 times the last.

    IDA*   bounds 20, 22, 24, 26 …    90, 91, 93, 95 boards: the same work again and again
    BTS    bounds 20, 22, 24, 28 …    until a round has twice the work of the last

A solution found under a high bound may not be a shortest one; the search goes on until no bound
below its cost is left.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import ClassVar

from taquin.search import events as on
from taquin.search.conventions import OPEN, Conventions, Duplicates
from taquin.search.events import Entry, Event, Fate
from taquin.search.run import Loop, Run, path_to
from taquin.search.tally import Tally, limited
from taquin.search.value import TreeSearch

_LEAST_GROWTH, _MOST_GROWTH = 2, 8
"""The factors by which the work of a round of BTS should grow: c1 and c2 of the paper."""


@dataclass(slots=True)
class _Round:
    """The findings of a depth-first search within a bound."""

    below: float = 0
    """The highest f within the bound."""
    above: float = inf
    """The least f beyond the bound; infinity if nothing was cut."""
    expanded: int = 0
    goal: Entry | None = None
    """The last board of the best solution found; None for none."""
    is_complete: bool = True
    """Whether the search ended by itself, not by its budget."""


def _search_within(
    run: Run,
    tally: Tally,
    root: Entry,
    bound: float,
    *,
    weight: float = 1,
    budget: float = inf,
    enough: float = inf,
) -> Generator[Event | None, int, _Round]:
    """Search every board within `bound`, until `budget` of them were expanded.

    A solution that costs at most `enough` ends the search; otherwise better ones are looked for.
    """
    counters, watch, is_goal = run.counters, run.watch, run.space.goal_test()
    skips_parent = run.conventions.duplicates is Duplicates.PARENT
    found = _Round()
    path: list[tuple[Entry, Iterator[Entry]]] = []
    entry: Entry | None = root
    while entry is not None or path:
        if entry is not None:
            tally.enqueue()
            tally.dequeue()
            f = entry[2] + weight * entry[3]
            found.below = max(found.below, f)
            if is_goal(entry[0]):
                found.goal = entry
                run.improve(entry[2], partial(path_to, entry))
                if entry[2] <= enough:
                    return found
                if watch:
                    yield on.Improved(watch.node(entry, f), entry[2])
            elif found.expanded >= budget:
                found.is_complete = False
                return found
            else:
                counters.frontier = len(path)
                yield from tally.expand(entry, f)
                found.expanded += 1
                path.append((entry, tally.children(entry)))
                counters.max_frontier = max(counters.max_frontier, len(path))
        if not path:
            break
        parent, children = path[-1]
        came_from = None if parent[1] is None else parent[1][0]
        entry = None
        for child in children:
            f = child[2] + weight * child[3]
            fate = Fate.ENQUEUED
            if skips_parent and child[0] == came_from:
                counters.duplicates += 1
                fate = Fate.PARENT
            elif child[2] + child[3] * run.evaluator.admissible > run.max_depth:
                counters.cut, fate = True, Fate.CUT
            elif f > bound:
                found.above, fate = min(found.above, f), Fate.CUT
            elif counters.best is not None and f >= counters.best:
                found.below, fate = max(found.below, counters.best), Fate.CUT
            if watch:
                yield on.Generated(watch.node(child, f), fate)
            if fate is Fate.ENQUEUED:
                entry = child
                break
        else:
            path.pop()
            if watch:
                yield on.Backtracked(watch.node(parent, parent[2] + weight * parent[3]))
    return found


@dataclass(frozen=True, slots=True)
class WeightedIDAStar(TreeSearch):
    """Deepen by g + weight · h: memory linear in the depth."""

    weight: float = 2
    """Solutions cost at most that many times the shortest."""
    conventions: Conventions = OPEN

    name = "widastar"
    least: ClassVar = {"weight": 1}
    optimal = False

    @limited
    def loop(self, run: Run) -> Loop:
        """Raise the bound each round to the least f that was cut."""
        tally, watch, root = Tally(run), run.watch, run.root
        bound: float = self.weight * root[3]
        rounds = 0
        if watch:
            yield on.Started(watch.node(root, bound))
        while bound < inf:
            tally.prove(bound / self.weight)
            rounds += 1
            if watch:
                yield on.BoundRaised(bound, rounds)
            found = yield from _search_within(run, tally, root, bound, weight=self.weight)
            if found.goal is not None:
                return (yield from tally.found(found.goal, found.goal[2]))
            bound = found.above
        return tally.exhausted()


class _Rounds:
    """The rounds of BTS, and the interval in which the next bound lies."""

    def __init__(self, run: Run) -> None:
        self._run, self.tally, self._count = run, Tally(run), 0
        self.root = run.root
        self.lower: float = self.root[3]
        """Every solution costs at least this."""
        self.upper = inf
        """A bound above this exceeds the budget."""
        self.expanded = 0
        """Boards expanded in the last round."""
        self.goal: Entry | None = None

    @property
    def best(self) -> float:
        """The cost of the best solution so far; infinity for none."""
        return inf if self.goal is None else self.goal[2]

    def search(self, bound: float, budget: float = inf) -> Generator[Event | None, int, None]:
        """Search within `bound` and narrow the interval."""
        self._count += 1
        if self._run.watch:
            yield on.BoundRaised(bound, self._count)
        found = yield from _search_within(
            self._run, self.tally, self.root, bound, budget=budget, enough=self.lower
        )
        self.expanded, self.goal = found.expanded, found.goal or self.goal
        if self.best <= max(self.lower, found.below * found.is_complete):
            self.lower = self.upper = self.best
        elif not found.is_complete:
            self.upper = min(self.upper, found.below)
        else:
            self.lower = max(self.lower, found.above)
        self.tally.prove(min(self.lower, self.best))


@dataclass(frozen=True, slots=True)
class BudgetedTreeSearch(TreeSearch):
    """Deepen like IDA*, but skip bounds that add little work (BTS, of the IBEX framework)."""

    conventions: Conventions = OPEN

    name = "bts"
    optimal = True

    @limited
    def loop(self, run: Run) -> Loop:
        """Raise the bound each round so that the work at least about doubles."""
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
        if rounds.goal is None:
            return rounds.tally.exhausted()
        return (yield from rounds.tally.found(rounds.goal, rounds.goal[2]))

"""Counting for search loops: every step is counted, checked against the limits, and reported.

A loop decorated with `limited` calls a `Tally` at each step, and reads like the pseudocode of its
paper:

    entry = …                                   choose a board
    tally.dequeue()
    yield from tally.expand(entry, f)
    for child in tally.children(entry):
        fate = tally.admit(child, reached.get(child[0]))
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import wraps
from typing import ParamSpec

from taquin.heuristics.base import Evaluator
from taquin.model.space import State, Step
from taquin.search import events as on
from taquin.search.events import Entry, Event, Fate
from taquin.search.run import NODE_LIMIT, Duplicates, Exhausted, Found, Loop, SearchRun, path_to

P = ParamSpec("P")


class NodeLimitReached(Exception):  # noqa: N818 - not an error; it never leaves a loop
    """Raised by a `Tally` at the limit on nodes."""


class Tally:
    """Count the steps of a loop; raise NodeLimitReached if a step would exceed the limit."""

    def __init__(self, run: SearchRun) -> None:
        self._run, self._counters, self._watch = run, run.counters, run.watch
        self._steps = run.space.stepper()
        self._max_expanded, self._max_generated, *others = run.node_limits
        self._max_enqueued, self._max_dequeued = others
        self._until_tick = 0
        self._expanded: dict[str, set[State]] = {"start": set(), "goal": set()}
        """The boards expanded and not reopened since, by side; only where boards are remembered at
        all, as the memory of other searches is linear in the depth."""
        self._remembers = run.conventions.duplicates is Duplicates.REACHED

    def enqueue(self) -> None:
        """Count an entry added to the frontier."""
        counters = self._counters
        if counters.enqueued >= self._max_enqueued:
            raise NodeLimitReached
        counters.enqueued += 1
        counters.frontier += 1
        counters.max_frontier = max(counters.max_frontier, counters.frontier)

    def dequeue(self) -> None:
        """Count an entry removed from the frontier."""
        counters = self._counters
        if counters.dequeued >= self._max_dequeued:
            raise NodeLimitReached
        counters.dequeued += 1
        counters.frontier -= 1

    def expand(
        self, entry: Entry, f: float, side: str = "start"
    ) -> Generator[Event | None, int, None]:
        """Count and report an expansion, after a tick if one is due."""
        counters = self._counters
        if self._until_tick <= 0:
            self._until_tick = yield None
        self._until_tick -= 1
        if counters.expanded >= self._max_expanded:
            raise NodeLimitReached
        counters.max_depth = max(counters.max_depth, entry[2])
        if self._watch:
            node = self._watch.node(entry, f, side)
            yield on.Expanded(node, counters.frontier, counters.expanded)
        counters.expanded += 1
        if self._remembers:
            self._expanded[side].add(entry[0])

    def children(
        self, entry: Entry, evaluator: Evaluator | None = None, steps: Iterable[Step] | None = None
    ) -> Iterator[Entry]:
        """Count and yield the successors of `entry`, or those of `steps`, with their estimates."""
        counters, step = self._counters, (evaluator or self._run.evaluator).step
        state, _, g, h = entry
        for child, tile, origin, target in self._steps(state) if steps is None else steps:
            if counters.generated >= self._max_generated:
                raise NodeLimitReached
            counters.generated += 1
            yield child, entry, g + 1, step(h, child, tile, origin, target)

    def admit(
        self,
        child: Entry,
        known: Entry | None,
        evaluator: Evaluator | None = None,
        side: str = "start",
    ) -> Fate:
        """Count a successor and return its fate; `known` is the previous entry of its board."""
        counters, run = self._counters, self._run
        _, _, g, h = child
        if known is not None and known[2] <= g:
            counters.duplicates += 1
            return Fate.DUPLICATE
        if g + h * (evaluator or run.evaluator).admissible > run.max_depth:
            counters.cut = True
            return Fate.CUT
        self.enqueue()
        if known is None:
            return Fate.ENQUEUED
        if child[0] in self._expanded[side]:
            self._expanded[side].remove(child[0])
            counters.reopened += 1
            return Fate.REOPENED
        counters.updated += 1
        return Fate.UPDATED

    def discard(self, entry: Entry, f: float) -> Iterator[Event]:
        """Count and report an entry that was dequeued and is not expanded."""
        self._counters.duplicates += 1
        self._counters.max_depth = max(self._counters.max_depth, entry[2])
        if self._watch:
            yield on.Discarded(self._watch.node(entry, f))

    def drop(self, entry: Entry, f: float) -> Iterator[Event]:
        """Report an entry that is pruned from the frontier."""
        self._counters.frontier -= 1
        if self._watch:
            yield on.Generated(self._watch.node(entry, f), Fate.PRUNED)

    def prove(self, bound: float) -> None:
        """Record a lower bound on every solution, if the heuristic is admissible."""
        if self._run.evaluator.admissible:
            # Boards beyond the limit on depth were cut.
            bound = min(bound, self._run.max_depth + 1)
            self._counters.bound = max(self._counters.bound, bound)

    def found(self, entry: Entry, f: float) -> Generator[Event, int, Found]:
        """Report and return the solution that leads to `entry`."""
        self._counters.max_depth = max(self._counters.max_depth, entry[2])
        if self._watch:
            yield on.GoalFound(self._watch.node(entry, f))
        return Found(path_to(entry))

    def exhausted(self) -> Exhausted:
        """Return the end of a search with an empty frontier."""
        if self._counters.cut:
            self.prove(self._run.max_depth + 1)
        return Exhausted(complete=not self._counters.cut)


def limited(loop: Callable[P, Loop]) -> Callable[P, Loop]:
    """Make `loop` return NODE_LIMIT when its `Tally` raises NodeLimitReached."""

    @wraps(loop)
    def run_limited(*args: P.args, **options: P.kwargs) -> Loop:
        try:
            return (yield from loop(*args, **options))
        except NodeLimitReached:
            return NODE_LIMIT

    return run_limited

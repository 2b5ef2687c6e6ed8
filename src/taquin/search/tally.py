"""Counting for search loops: every step is counted, checked against the limits, and reported.

A loop that is decorated with `limited` calls a `Tally` for each step and reads like the pseudocode
of its paper:

    entry = …                                   choose a board
    tally.dequeue()
    yield from tally.expand(entry, f)
    for child in tally.children(entry, evaluator):
        tally.enqueue()
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import wraps
from typing import Concatenate, ParamSpec

from taquin.heuristics.base import Evaluator
from taquin.search import events as on
from taquin.search.events import Entry, Event
from taquin.search.run import NODE_LIMIT, Loop, Run

P = ParamSpec("P")


class NodesSpent(Exception):  # noqa: N818 - it is no error, and never leaves a loop
    """Raised by a `Tally` when the limit on nodes is used up."""


class Tally:
    """Count the steps of a loop; raise NodesSpent where a step would exceed the limit on nodes."""

    def __init__(self, run: Run) -> None:
        self._counters, self._watch, self._steps = run.counters, run.watch, run.space.stepper()
        self._max_expanded, self._max_generated, *others = run.node_limits
        self._max_enqueued, self._max_dequeued = others
        self._until_tick = 0

    def enqueue(self) -> None:
        """Count an entry that joins the frontier."""
        counters = self._counters
        if counters.enqueued >= self._max_enqueued:
            raise NodesSpent
        counters.enqueued += 1
        counters.frontier = counters.enqueued - counters.dequeued
        counters.max_frontier = max(counters.max_frontier, counters.frontier)

    def dequeue(self) -> None:
        """Count an entry that leaves the frontier."""
        counters = self._counters
        if counters.dequeued >= self._max_dequeued:
            raise NodesSpent
        counters.dequeued += 1
        counters.frontier = counters.enqueued - counters.dequeued

    def expand(
        self, entry: Entry, f: float, side: str = "start"
    ) -> Generator[Event | None, int, None]:
        """Count and report an expansion, after a tick where one is due."""
        counters = self._counters
        if self._until_tick <= 0:
            self._until_tick = yield None
        self._until_tick -= 1
        if counters.expanded >= self._max_expanded:
            raise NodesSpent
        counters.max_depth = max(counters.max_depth, entry[2])
        if self._watch:
            node = self._watch.node(entry, f, side)
            yield on.Expanded(node, counters.frontier, counters.expanded)
        counters.expanded += 1

    def children(self, entry: Entry, evaluator: Evaluator) -> Iterator[Entry]:
        """Yield the successors of `entry` with their estimates, counting each."""
        counters, step = self._counters, evaluator.step
        state, _, g, h = entry
        for child, tile, origin, target in self._steps(state):
            if counters.generated >= self._max_generated:
                raise NodesSpent
            counters.generated += 1
            yield child, entry, g + 1, step(h, child, tile, origin, target)


def limited(loop: Callable[Concatenate[Run, P], Loop]) -> Callable[Concatenate[Run, P], Loop]:
    """Let `loop` end with NODE_LIMIT when its `Tally` raises NodesSpent."""

    @wraps(loop)
    def run_limited(run: Run, /, *args: P.args, **options: P.kwargs) -> Loop:
        try:
            return (yield from loop(run, *args, **options))
        except NodesSpent:
            return NODE_LIMIT

    return run_limited

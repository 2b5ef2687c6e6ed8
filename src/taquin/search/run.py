"""The input and the result of a search loop, and the algorithm that makes the loop.

A loop is a generator. It yields an event at every step when it is watched, and now and then `None`,
a *tick*, at which the driver checks limits and answers with the number of expansions until the next
one. A loop checks only the limits on depth and on nodes, because only it can stop between two
successors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from math import inf
from typing import Protocol, runtime_checkable

from taquin.heuristics.base import Evaluator, Heuristic
from taquin.model.space import Space, State
from taquin.search.conventions import Conventions
from taquin.search.events import Entry, Event, Watcher
from taquin.search.result import DEFAULT_COUNTERS, Count, Counters, Limit


@dataclass(frozen=True, slots=True)
class Found:
    """The loop found a solution."""

    path: list[State]
    """Its states from the start to the goal."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The loop ran out of boards."""

    complete: bool
    """Whether every reachable board was looked at, which proves that there is no solution."""
    limit: Limit = Limit.DEPTH
    """The limit that kept the loop from the other boards."""
    size: float = inf
    """The size of the limit where it is the algorithm's own, not the task's."""


NODE_LIMIT = Exhausted(complete=False, limit=Limit.NODES)
"""The limit on nodes is used up."""

Loop = Generator[Event | None, int, Found | Exhausted]
"""A running search; see the top of this file."""


@dataclass(slots=True)
class Run:
    """One search about to begin."""

    space: Space
    """The states to search."""
    evaluator: Evaluator
    """The heuristic, bound to the space."""
    conventions: Conventions
    watch: Watcher | None = None
    """Describes nodes for events; None when the search is not watched."""
    max_depth: float = inf
    """Longer paths are not followed."""
    nodes: float = inf
    """Most nodes that may be counted, as `counting` says."""
    counting: Count = Count.GENERATED
    """What `nodes` counts."""
    counters: Counters = field(default_factory=Counters)
    """Written by the loop, read by the driver."""
    counts: tuple[str, ...] = DEFAULT_COUNTERS
    """The counters that the loop keeps."""
    best: Callable[[], list[State]] | None = None
    """Returns the path of the best solution so far; None while there is none."""
    check: Callable[[], None] = lambda: None
    """Raises `Ended` when the search has to end: for user code, which cannot yield a tick."""

    @property
    def root(self) -> Entry:
        """The entry of the start."""
        return (self.space.start, None, 0, self.evaluator.value(self.space.start))

    @property
    def max_estimate(self) -> float:
        """The highest depth + estimate within the depth limit; infinity if not admissible."""
        return self.max_depth if self.evaluator.admissible else inf

    @property
    def node_limits(self) -> tuple[float, ...]:
        """The most nodes expanded, generated, enqueued and dequeued before `NODE_LIMIT`."""
        return tuple(self.nodes if count is self.counting else inf for count in Count)

    def improve(self, cost: int, path: Callable[[], list[State]]) -> bool:
        """Note a solution and return whether it is better than any before."""
        known = self.counters.best
        if known is not None and known <= cost:
            return False
        self.counters.best, self.best = cost, path
        return True


def path_to(entry: Entry) -> list[State]:
    """Return the states from the start to `entry`."""
    path = []
    here: Entry | None = entry
    while here is not None:
        path.append(here[0])
        here = here[1]
    return path[::-1]


@runtime_checkable
class Algorithm(Protocol):
    """A way of searching: a frozen value, printable and comparable, independent of a puzzle."""

    @property
    def name(self) -> str:
        """Return the name used on the command line."""

    @property
    def heuristic(self) -> Heuristic | None:
        """Return the heuristic; None for a search that uses none."""

    @property
    def conventions(self) -> Conventions:
        """Return how duplicates, ties and the goal test are treated, nothing left open."""

    @property
    def optimal(self) -> bool:
        """Return whether solutions are shortest, given an admissible heuristic."""

    @property
    def exhaustive(self) -> bool:
        """Return whether the search ends by itself on a puzzle that has no solution."""

    @property
    def cap(self) -> int | None:
        """Return the most nodes the search may ever keep; None for no cap of its own."""

    def loop(self, run: Run) -> Loop:
        """Return the search, about to begin."""

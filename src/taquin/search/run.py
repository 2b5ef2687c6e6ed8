"""What a search loop is given, what it gives back, and the algorithm value that makes it.

A loop is a generator. It yields an event at every step when it is watched, and `None`, a *tick*,
now and then in any case: a tick is where the driver checks limits and draws progress, and answers
with the number of expansions until the next one. A loop knows no clock and no screen, and of the
limits only two: how long a path may be, and how many nodes may be counted, because only the loop
can stop between two successors of one board.
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
from taquin.search.result import Count, Counters, Limit


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
    """What kept it from looking at the rest."""
    size: float = inf
    """How large that was, if it is the algorithm's own and not the task's."""


NODE_LIMIT = Exhausted(complete=False, limit=Limit.NODES)
"""One more node would be more than may be counted."""

Loop = Generator[Event | None, int, Found | Exhausted]
"""A search under way; see the top of this file."""


@dataclass(slots=True)
class Run:
    """One search about to begin."""

    space: Space
    """The states to walk on."""
    evaluator: Evaluator
    """The heuristic, bound to the space."""
    conventions: Conventions
    """How duplicates, ties and the goal test are treated."""
    watch: Watcher | None = None
    """Makes the events; None when nobody watches."""
    max_depth: float = inf
    """Longer paths are not followed."""
    nodes: float = inf
    """Most nodes that may be counted, as `counting` says."""
    counting: Count = Count.GENERATED
    """What `nodes` counts."""
    counters: Counters = field(default_factory=Counters)
    """Written by the loop, read by the driver."""
    best: Callable[[], list[State]] | None = None
    """Returns the path of the best solution so far; None while there is none."""

    @property
    def max_estimate(self) -> float:
        """Return how far depth plus estimate may go: where it says more, no short path is lost."""
        return self.max_depth if self.evaluator.admissible else inf

    def most(self, count: Count) -> float:
        """Return how many nodes of one kind may be counted; then the loop returns `NODE_LIMIT`."""
        return self.nodes if count is self.counting else inf

    def improve(self, cost: int, path: Callable[[], list[State]]) -> bool:
        """Note a solution, and tell whether it is better than any before."""
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
    """A way of searching: a frozen value, printable and comparable, that meets a puzzle late."""

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
        """Tell whether solutions are shortest, given an admissible heuristic."""

    @property
    def exhaustive(self) -> bool:
        """Tell whether the search ends by itself on a puzzle that has no solution."""

    @property
    def cap(self) -> int | None:
        """Return the most nodes the search may ever keep; None for no cap of its own."""

    def loop(self, run: Run) -> Loop:
        """Return the search, about to begin."""

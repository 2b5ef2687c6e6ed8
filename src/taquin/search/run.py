"""What a search loop is given, and what it gives back.

A loop is a generator. It yields an event at every step when it is watched, and `None`, a *tick*,
now and then in any case: a tick is where the driver checks limits and draws progress, and answers
with the number of expansions until the next one. A loop knows no limits, no clock and no screen.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from math import inf

from taquin.heuristics.base import Evaluator
from taquin.model.space import Space, State
from taquin.search.conventions import Conventions
from taquin.search.events import Event
from taquin.search.result import Counters
from taquin.search.watch import Watcher


@dataclass(frozen=True, slots=True)
class Found:
    """The loop found a solution."""

    path: list[State]
    """Its states from the start to the goal."""


@dataclass(frozen=True, slots=True)
class Dry:
    """The loop ran out of boards."""

    complete: bool
    """Whether every reachable board was looked at, which proves that there is no solution."""
    reason: str = ""
    """What kept it from looking at the rest."""


Loop = Generator[Event | None, int, Found | Dry]
"""A search under way; see the top of this file."""


@dataclass(frozen=True, slots=True)
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
    counters: Counters = field(default_factory=Counters)
    """Written by the loop, read by the driver."""

"""The algorithms by the names of the command line, and what can be chosen about each.

A test walks ALGORITHMS, so a new entry is checked against the truth without anyone remembering.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from taquin.errors import UnsuitableError
from taquin.search.algorithm import Algorithm
from taquin.search.algorithms import (
    AStar,
    Beam,
    Bidirectional,
    BreadthFirst,
    CappedBeam,
    DepthFirst,
    Greedy,
    IDAStar,
    IterativeDeepening,
    RecursiveBestFirst,
    UniformCost,
)
from taquin.system.words import unknown


@dataclass(frozen=True, slots=True)
class Entry:
    """One algorithm that can be named."""

    make: Callable[..., Algorithm]
    """The value's class, or a function with the same arguments."""
    summary: str
    """One line for a list of algorithms."""
    options: tuple[str, ...]
    """What can be chosen, besides the conventions: names of arguments of `make`."""

    def __call__(self, **options: Any) -> Algorithm:
        """Return the algorithm with these options, and its own defaults for the rest."""
        return self.make(**options)


def _entry(
    make: Callable[..., Algorithm], of: type[Any] | None = None, without: tuple[str, ...] = ()
) -> Entry:
    kind = of or make
    names = tuple(
        each.name
        for each in fields(kind)  # type: ignore[arg-type]
        if each.name != "conventions" and each.name not in without
    )
    return Entry(make, (make.__doc__ or "").split("\n")[0].rstrip("."), names)


def weighted_a_star(weight: float = 2, **options: Any) -> AStar:
    """Expand by cost so far plus w times the estimate: faster, at most w times too long."""
    return AStar(weight=weight, **options)


ALGORITHMS: dict[str, Entry] = {
    "bfs": _entry(BreadthFirst, without=("scored_by",)),
    "dfs": _entry(DepthFirst),
    "ids": _entry(IterativeDeepening),
    "ucs": _entry(UniformCost),
    "greedy": _entry(Greedy),
    "astar": _entry(AStar, without=("weight",)),
    "wastar": _entry(weighted_a_star, of=AStar),
    "idastar": _entry(IDAStar),
    "rbfs": _entry(RecursiveBestFirst),
    "beam": _entry(Beam),
    "capped-beam": _entry(CappedBeam),
    "bidirectional": _entry(Bidirectional),
}
"""Every algorithm by its name."""


def algorithm_named(name: str, **options: Any) -> Algorithm:
    """Return the algorithm called `name`; raise UnsuitableError for what it does not know.

    Options are arguments of the algorithm's class (`heuristic`, `weight`, `width`, `nodes`,
    `seed`, `max_depth`, `conventions`); None means not given.

    >>> str(algorithm_named("wastar", weight=3))
    'wastar(manhattan, weight=3)'
    """
    entry = ALGORITHMS.get(name.lower())
    if entry is None:
        raise UnsuitableError(unknown("algorithm", name, ALGORITHMS))
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key != "conventions" and key not in entry.options:
            takes = ", ".join(entry.options) or "no such option"
            raise UnsuitableError(f"{name.lower()} has no use for {key}; it takes {takes}")
    return entry(**given)

"""The short keywords of `tq.solve`: a heuristic and limits as keywords of their own.

    solve(board, heuristic="manhattan")             algorithm="astar(manhattan)"
    solve(board, algorithm="ida*", heuristic=h)     algorithm=IDAStar(FromFunction(h))
    solve(board, seconds=5, max_nodes=10**6)        limits=Limits(seconds=5, nodes=10**6)

They combine with `algorithm` and `limits`; giving the same thing twice is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypedDict

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.estimate import as_heuristic
from taquin.search.grammar import parts_of
from taquin.search.options import search_from_options
from taquin.search.own import FunctionSearch
from taquin.search.result import NO_LIMITS, Limits
from taquin.system.words import did_you_mean, shorten

_ALIASES = {
    "max_seconds": "seconds",
    "time": "seconds",
    "time_limit": "seconds",
    "timeout": "seconds",
    "nodes": "max_nodes",
    "node_limit": "max_nodes",
    "h": "heuristic",
    "search": "algorithm",
    "method": "algorithm",
}
"""Names in other libraries, and the names here."""
_PARAMETERS = ("goal", "metric", "algorithm", "limits", "engine", "progress", "stop")


class Shortcuts(TypedDict, total=False):
    """The short keywords of `tq.solve`."""

    heuristic: Heuristic | type[Heuristic] | Callable[..., float] | str | None
    """The heuristic of the algorithm, by default A*."""
    max_nodes: int | None
    """Most nodes, as `Limits.nodes`."""
    seconds: float | None
    """Most seconds, as `Limits.seconds`."""


def combined(algorithm: Any, limits: Limits | None, shortcuts: Shortcuts) -> tuple[Any, Limits]:
    """Return the algorithm and the limits, completed by the shortcuts.

    Raise UnsuitableError if something is given twice or is invalid, TypeError for an unknown
    keyword.

    >>> algorithm, limits = combined("idastar", None, {"heuristic": "h1", "seconds": 5})
    >>> print(algorithm, limits.seconds)
    idastar(misplaced) 5
    """
    known = [*Shortcuts.__annotations__, *_PARAMETERS]
    for name in shortcuts:
        if name not in Shortcuts.__annotations__:
            alias = _ALIASES.get(name)
            hint = f"Did you mean {alias}? " if alias else did_you_mean(name, known)
            raise TypeError(f"solve() has no parameter {name!r}. {hint}It takes {', '.join(known)}")
    if limits is None:
        limits = NO_LIMITS
    if not isinstance(limits, Limits):
        raise UnsuitableError(
            f"expected limits such as Limits(seconds=60), or seconds=60; found {limits!r}"
        )
    for key, field in (("max_nodes", "nodes"), ("seconds", "seconds")):
        value: Any = shortcuts.get(key)
        if value is None:
            continue
        if getattr(limits, field) is not None:
            raise UnsuitableError(f"{key}= and limits= both set a limit on {field}: leave one out")
        limits = replace(limits, **{field: value})
    if (heuristic := shortcuts.get("heuristic")) is not None:
        algorithm = _with_heuristic(algorithm, heuristic)
    return algorithm, limits


def _with_heuristic(algorithm: Any, value: Any) -> Any:
    heuristic = value if isinstance(value, str) else as_heuristic(value)
    if algorithm is None:
        return search_from_options("astar", {"heuristic": heuristic})
    if isinstance(algorithm, str):
        name, options = parts_of(algorithm)
        if "heuristic" in options:
            raise UnsuitableError(
                f"algorithm={shorten(algorithm)} names a heuristic, and heuristic= another: leave "
                f"one out"
            )
        return search_from_options(name, {**options, "heuristic": heuristic})
    if isinstance(algorithm, type):
        return search_from_options(algorithm.name, {"heuristic": heuristic})  # type: ignore[attr-defined]
    if callable(algorithm):
        return FunctionSearch(algorithm, as_heuristic(value))
    raise UnsuitableError(
        f"{algorithm} has its heuristic already: give it there, as in AStar(Misplaced()), or name "
        f"the algorithm by text, algorithm='astar'"
    )

"""Build a search from its name and options, each a value or a text.

The options of an algorithm are the fields of its class, whose types decide how a text is read. The
conventions (`taquin.search.conventions`) are options of every algorithm.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache, partial
from math import isfinite
from typing import Any

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.model.moves import Direction
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import (
    Conventions,
    Duplicates,
    GoalTest,
    LimitTest,
    RandomOrder,
    Ties,
)
from taquin.search.own import OwnSearch
from taquin.search.run import Algorithm
from taquin.search.terms import heuristic_named, own_code_of
from taquin.system.words import shorten, unknown

_TEXTBOOK_NAMES = {
    "breadth-first": "bfs",
    "depth-first": "dfs",
    "iterative-deepening": "ids",
    "iddfs": "ids",
    "dijkstra": "ucs",
    "uniform-cost": "ucs",
    "greedy-best-first": "greedy",
    "gbfs": "greedy",
    "weighted-astar": "wastar",
    "recursive-best-first": "rbfs",
    "astar-epsilon": "focal",
    "simulated-annealing": "annealing",
}


def algorithm_name(text: str) -> str:
    """Return the name in the registry: `A*`, `A-star` and `ASTAR` are `astar`.

    >>> algorithm_name("Dijkstra")
    'ucs'
    """
    name = re.sub(r"-?(\*|star)$", "star", text.lower().replace("_", "-"))
    return _TEXTBOOK_NAMES.get(name, name)


def search_from_options(name: str, options: Mapping[str, Any], folder: str = "") -> Algorithm:
    """Return the algorithm called `name` with these options, and defaults for the rest.

    Options, conventions included, are values or texts; None means not given. Raise UnsuitableError
    for an unknown name, option or value. User code gets the heuristic as its first option, and its
    options are checked when it is loaded.

    >>> print(search_from_options("beam", {"heuristic": "h1", "width": "7"}))
    beam(misplaced, width=7)
    """
    key = algorithm_name(name)
    if key not in ALGORITHMS:
        if ":" not in name:
            raise UnsuitableError(unknown("algorithm", name, ALGORITHMS))
        given = {option: value for option, value in options.items() if value is not None}
        arguments = [given.pop("heuristic")] if "heuristic" in given else []
        return OwnSearch(own_code_of(name, arguments, given, folder))
    kinds = {**options_of(key), **CONVENTIONS}
    values: dict[str, Any] = {}
    for written, value in options.items():
        option = written.lower().replace("-", "_")
        if value is None:
            continue
        if option in values:
            raise UnsuitableError(f"option {_flag(option)} is given twice")
        if option not in kinds:
            raise _unknown_option(key, written)
        values[option] = read_option(option, kinds[option], value, folder)
    chosen = {option: values.pop(option) for option in CONVENTIONS if option in values}
    return ALGORITHMS[key](**values, conventions=Conventions(**chosen))


def _unknown_option(algorithm: str, option: str) -> UnsuitableError:
    known = dict.fromkeys(option for name in ALGORITHMS for option in options_of(name))
    if option.lower().replace("-", "_") not in known:
        return UnsuitableError(unknown("option", option, map(_flag, [*known, *CONVENTIONS])))
    taken = ", ".join(map(_flag, options_of(algorithm))) or "conventions only"
    return UnsuitableError(
        f"{algorithm} does not support {_flag(option.lower())}; it takes {taken}"
    )


@cache
def options_of(name: str) -> Mapping[str, str]:
    """Return the options of an algorithm with their types, conventions excluded."""
    algorithm: Any = ALGORITHMS[algorithm_name(name)]()
    return {
        option.name: str(option.type).removesuffix(" | None")
        for option in fields(algorithm)
        if option.name != "conventions"
    }


def supports_option(name: str, option: str) -> bool:
    """Return whether the algorithm called `name` has an option; an unknown one may have any."""
    key = algorithm_name(name)
    return key not in ALGORITHMS or option in options_of(key) or option in CONVENTIONS


def _flag(option: str) -> str:
    return option.replace("_", "-")


def read_option(option: str, kind: str, value: Any, folder: str = "") -> Any:
    """Return `value`, read if it is a text, as type `kind`; raise UnsuitableError if invalid."""
    if kind == "Heuristic":
        if not isinstance(value, str | Heuristic):
            raise UnsuitableError(f"expected a heuristic, found {shorten(str(value))}")
        return heuristic_named(value, folder) if isinstance(value, str) else value
    expected, read = _READERS[kind]
    try:
        return read(value)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise UnsuitableError(
            f"expected {expected} for {_flag(option)}, found {shorten(str(value))}"
        ) from None


def _integer(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not isfinite(number):
        raise ValueError
    # An int, so that 2 prints as 2.
    return int(number) if number.is_integer() else number


def _member(kind: type[Enum], value: Any) -> Enum:
    return value if isinstance(value, kind) else kind(value.lower())


def _order(value: Any) -> tuple[Direction, ...]:
    if isinstance(value, str):
        value = tuple(Direction.of_letter(letter) for letter in value)
    if sorted(direction.letter for direction in value) != sorted("UDLR"):
        raise ValueError
    return tuple(value)


def _boolean(value: Any) -> bool:
    return value if isinstance(value, bool) else {"true": True, "false": False}[value.lower()]


CONVENTIONS: Mapping[str, str] = {option.name: str(option.type) for option in fields(Conventions)}
"""Every convention with its type."""

_READERS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "int": ("a whole number", _integer),
    "float": ("a number such as 2 or 1.5", _number),
    "bool": ("true or false", _boolean),
    "tuple[Direction, ...]": ("U, D, L and R once each", _order),
    **{
        kind.__name__: (", ".join(member.value for member in kind), partial(_member, kind))
        for kind in (Duplicates, Ties, GoalTest, LimitTest, RandomOrder)
    },
}
"""For each type of option, the expected text and the function that reads it."""

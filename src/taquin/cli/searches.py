"""Which search to run: by the options of a command, or by one word such as `astar:manhattan`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import click

from taquin.cli.command import Decorator, gathered, option
from taquin.cli.options import limit_options, problem_options
from taquin.cli.parameters import DirectionOrder, EnumChoice, Factor, Named, ParamType
from taquin.errors import UnsuitableError
from taquin.heuristics.registry import HEURISTICS, heuristic_named
from taquin.model.moves import Direction
from taquin.search.algorithm import Algorithm
from taquin.search.conventions import Duplicates, GoalTest, Ties
from taquin.search.registry import ALGORITHMS, algorithm_named

_IMPLIED = {"weight": "wastar", "width": "beam", "cap": "capped-beam"}
"""Options that say which algorithm is meant when none is named."""

_CONVENTIONS = ("duplicates", "ties", "goal_test", "directions", "bumps")

UNHEEDED: Mapping[str, tuple[str, ...]] = {
    "dfs": ("ties", "goal_test"),
    "ids": ("ties", "goal_test"),
    "idastar": ("ties", "goal_test"),
    "rbfs": ("ties",),
    "bidirectional": ("ties", "goal_test"),
}
"""The conventions that make no difference to an algorithm, and so must not seem to."""

_TYPES: Mapping[str, ParamType] = {
    "heuristic": Named("heuristic", HEURISTICS),
    "weight": Factor(),
    "width": click.IntRange(min=1),
    "cap": click.IntRange(min=1),
    "seed": click.INT,
    "duplicates": EnumChoice(Duplicates),
    "ties": EnumChoice(Ties),
    "goal_test": EnumChoice(GoalTest),
    "directions": DirectionOrder(),
    "bumps": click.BOOL,
}
"""What can be chosen about a search, and how it is written."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """A search as it was asked for; None for whatever was left open."""

    algorithm: str | None = None
    """Name of the algorithm."""
    heuristic: str | None = None
    """Name of the heuristic."""
    weight: float | None = None
    """Weight of the estimate."""
    width: int | None = None
    """Boards that a beam keeps of each level."""
    cap: int | None = None
    """Boards that a capped beam keeps in all."""
    seed: int | None = None
    """Seed of a random order of directions."""
    duplicates: Duplicates | None = None
    """When a board met before is thrown away."""
    ties: Ties | None = None
    """Which of equal entries comes first."""
    goal_test: GoalTest | None = None
    """When a board is tested for the goal."""
    directions: tuple[Direction, ...] | None = None
    """The order in which successors are made."""
    bumps: bool | None = None
    """Whether steps into walls are counted too."""

    def chosen(self, usual: Algorithm | None = None) -> Algorithm | None:
        """Return the algorithm asked for, and `usual` when nothing was.

        What was asked for changes `usual` where it names no algorithm of its own. Raise
        UnsuitableError for an option the algorithm has no use for.
        """
        given = {
            each.name: value
            for each in fields(self)
            if (value := getattr(self, each.name)) is not None
        }
        if not given:
            return usual
        implied = (_IMPLIED[option] for option in given if option in _IMPLIED)
        otherwise = next(implied, usual.name if usual else "astar")
        name = given.pop("algorithm", otherwise).lower().replace("*", "star")
        plain = algorithm_named(name)
        base = usual if usual and self.algorithm is None and usual.name == name else plain
        conventions = {key: given.pop(key) for key in _CONVENTIONS if key in given}
        for key in conventions:
            if key in UNHEEDED.get(name, ()):
                raise UnsuitableError(f"{name} has no use for {_flag(key)}")
        if "heuristic" in given:
            given["heuristic"] = heuristic_named(given["heuristic"])
        if "cap" in given:
            given["nodes"] = given.pop("cap")
        options = ALGORITHMS[name].options
        for key in given:
            if key not in options:
                takes = ", ".join(map(_flag, options)) or "conventions only"
                raise UnsuitableError(f"{name} has no use for {_flag(key)}; it takes {takes}")
        return algorithm_named(name, **given, conventions=replace(base.conventions, **conventions))


def search_named(text: str) -> Algorithm:
    """Return the search that one word describes: its name, a heuristic, and options.

    Raise UnsuitableError for what it does not know.

    >>> str(search_named("wastar:linear-conflict:weight=3"))
    'wastar(linear-conflict, weight=3)'
    >>> str(search_named("astar:duplicates=parent"))
    'astar(manhattan, duplicates=parent)'
    """
    name, *rest = (part.strip() for part in text.split(":"))
    values: dict[str, Any] = {"algorithm": name}
    for part in rest:
        key, equals, value = part.partition("=")
        key = key.strip().lower().replace("-", "_") if equals else "heuristic"
        if key not in _TYPES or key in values:
            raise UnsuitableError(
                f"expected a heuristic or an option such as weight=2 in {text!r}, found {part!r}; "
                f"options are {', '.join(kind.replace('_', '-') for kind in _TYPES)}, once each"
            )
        try:
            values[key] = _TYPES[key].convert(value.strip() if equals else part, None, None)
        except click.BadParameter as error:
            raise UnsuitableError(f"{part!r} in {text!r}: {error.message}") from None
    search = SearchOptions(**values).chosen()
    assert search is not None, "an algorithm was named"
    return search


def _flag(argument: str) -> str:
    if argument in ("nodes", "cap"):
        return "--cap"
    return "--" + argument.replace("_", "-")


def _option(name: str, *short: str, **attributes: Any) -> Decorator:
    section = "Conventions" if name in _CONVENTIONS else "Search"
    return option(section, _flag(name), name, *short, type=_TYPES[name], **attributes)


def search_options(function: Any) -> Any:
    """Add what chooses a search to a command, and hand it over as `search`."""
    return gathered(
        SearchOptions,
        "search",
        option(
            "Search",
            "--algorithm",
            "-a",
            type=Named("algorithm", ALGORITHMS),
            metavar="NAME",
            help=f"{', '.join(ALGORITHMS)}.",
        ),
        _option(
            "heuristic", "-H", metavar="NAME", help=f"{', '.join(HEURISTICS)}, max(…), sum(…)."
        ),
        _option("weight", metavar="W", help="Weight of the estimate (wastar)."),
        _option("width", metavar="K", help="Boards kept of each level (beam)."),
        _option("cap", metavar="K", help="Boards kept in all (capped-beam)."),
        _option("seed", metavar="N", help="Random order of directions (dfs, ids)."),
        _option(
            "duplicates",
            metavar="WHEN",
            help="When a board met before is thrown away: reached, closed, dequeue, parent, none.",
        ),
        _option(
            "ties",
            metavar="ORDER",
            help="Which of equal entries comes first: fifo, lifo, low-h, heap.",
        ),
        _option(
            "goal_test",
            metavar="WHEN",
            help="When a board is tested for the goal: expansion, generation.",
        ),
        _option("directions", metavar="ORDER", help="Order of moves, where the tile goes: DRLU."),
        _option(
            "bumps",
            is_flag=True,
            default=None,
            help="Count steps into walls too (with --duplicates dequeue).",
        ),
    )(function)


def task_options(function: Any) -> Any:
    """Add a puzzle, a search and its limits to a command: `problem`, `search` and `limits`."""
    return problem_options(search_options(limit_options()(function)))

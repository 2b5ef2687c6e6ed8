"""The searches as `taquin repl` names them: `A-star h2`, `beam 500`, `wastar manhattan 2`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from taquin.errors import NotationError
from taquin.heuristics.registry import HEURISTICS, heuristic_named
from taquin.search.algorithm import Algorithm
from taquin.search.registry import ALGORITHMS, algorithm_named
from taquin.system.words import unknown

_RENAMED = {"beam": "capped-beam", "level-beam": "beam"}
"""S2's beam caps all nodes kept; here, and only here, it goes by the plain name."""

_HOME_NAMES = {"astar": "A-star", **{home: name for name, home in _RENAMED.items()}}

SEARCH_NAMES = tuple(_HOME_NAMES.get(name, name) for name in ALGORITHMS)
"""The names of the searches in a session."""

HEURISTIC_NAMES = tuple(HEURISTICS)
"""The names of the heuristics."""

_NUMBER_OPTIONS = {
    "nodes": "the number of nodes it may keep",
    "width": "the number of nodes it keeps of each level",
    "weight": "the weight of the estimate",
    "max_depth": "the longest path it follows",
}
"""What a number after the name of a search means, by the option it is for."""

_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def search_of_words(words: Sequence[str]) -> Algorithm:
    """Return the search that `words` describe: its name, then a heuristic and a number if any.

    Raise NotationError or UnsuitableError that says what was expected.

    >>> str(search_of_words(["A-star", "h1"]))
    'astar(misplaced)'
    >>> str(search_of_words(["beam", "500"]))
    'capped-beam(manhattan, nodes=500)'
    """
    if not words:
        raise NotationError("expected a search, such as solve A-star h2 or solve beam 100")
    name = _home_name(words[0])
    numbers = [word for word in words[1:] if _NUMBER.fullmatch(word)]
    heuristic = " ".join(word for word in words[1:] if not _NUMBER.fullmatch(word))
    options: dict[str, object] = {"heuristic": heuristic_named(heuristic) if heuristic else None}
    takes = next((each for each in ALGORITHMS[name].options if each in _NUMBER_OPTIONS), None)
    if takes in ("nodes", "width") and not numbers:
        raise NotationError(
            f"expected {_NUMBER_OPTIONS[takes]} after {words[0]}, such as solve {words[0]} 100"
        )
    if numbers:
        options |= _number_option(words[0], takes, numbers)
    return algorithm_named(name, **options)


def _home_name(word: str) -> str:
    """Return the name of a search in the registry."""
    name = re.sub(r"[-_]?(\*|star)$", "star", word.lower())
    name = _RENAMED.get(name, name)
    if name not in ALGORITHMS:
        raise NotationError(unknown("search", word, SEARCH_NAMES))
    return name


def _number_option(name: str, takes: str | None, numbers: Sequence[str]) -> dict[str, object]:
    if takes is None:
        raise NotationError(f"{name} takes no number, found {numbers[0]}")
    if len(numbers) > 1:
        raise NotationError(f"{name} takes one number, found {' and '.join(numbers[:2])}")
    if takes == "weight":
        return {takes: float(numbers[0])}
    if "." in numbers[0]:
        raise NotationError(
            f"expected a whole number for {_NUMBER_OPTIONS[takes]}, found {numbers[0]}"
        )
    return {takes: int(numbers[0])}

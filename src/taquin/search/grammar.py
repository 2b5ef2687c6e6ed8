"""The grammar of searches: it reads text into values, and `str()` of these values prints it.

    astar(manhattan, weight=2, ties=lifo)          a search: its heuristic first, then options
    idastar(max(manhattan, patterns(small)))       a heuristic may combine others
    beam(my_file.py:my_function, width=50)         or be user code
    my_file.py:my_search(manhattan, depth=9)       and so may the search
    astar:manhattan:weight=2                       the same, safe to type in a shell

    search     name | name(argument, …) | name:argument:…  | own
    argument   heuristic | option=value
    heuristic  name | name(heuristic, …) | patterns(set) | patterns([1 2 5 6], [3 4 7 8]) | own
    set        small | medium | large | a picture, AAB/AAB/CC. (see `taquin.tables.sets`)
    own        file.py:name | module:name | file.py:name(heuristic, …, option=value, …)

Names are case-insensitive, `_` equals `-`, and textbook names are accepted, `dijkstra` for `ucs`.
The command line, study files, records and the prompt use this grammar. `taquin.search.options`
builds a search from separate options.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from taquin.errors import TaquinError, UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.search.algorithms import ALGORITHMS
from taquin.search.options import algorithm_name, search_from_options
from taquin.search.own import FunctionSearch, OwnSearch
from taquin.search.result import Method
from taquin.search.run import Algorithm
from taquin.search.terms import heuristic_of, read_term
from taquin.system.words import shorten

SearchLike: TypeAlias = Algorithm | Callable[..., Any] | str
"""A search as a value, its text, or a function of a board."""


def search_named(text: str, folder: str = "") -> Algorithm:
    """Return the search that `text` describes; raise UnsuitableError if it describes none.

    Paths of user code are relative to `folder`.

    >>> print(search_named("A-star:linear-conflict:weight=3"))
    wastar(linear-conflict, weight=3)
    >>> print(search_named("astar(h1, duplicates=parent)"))
    astar(misplaced, duplicates=parent)
    """
    name, options = parts_of(text, folder)
    return search_from_options(name, options, folder)


def parts_of(text: str, folder: str = "") -> tuple[str, dict[str, Any]]:
    """Return the name of a search and its options, as `search_from_options` takes them."""
    term = read_term(_with_brackets(text), "a search")
    if len(term.arguments) > 1:
        raise UnsuitableError(f"expected one heuristic in {shorten(text, 60)}")
    options: dict[str, Any] = dict(term.options)
    for argument in term.arguments:
        if "heuristic" in options:
            raise UnsuitableError(f"heuristic is given twice in {shorten(text, 60)}")
        options["heuristic"] = heuristic_of(argument, folder)
    return term.name, options


def _with_brackets(text: str) -> str:
    """Return `astar:manhattan:weight=2` as `astar(manhattan, weight=2)`, anything else as it is."""
    head, colon, rest = text.strip().partition(":")
    if not colon or algorithm_name(head) not in ALGORITHMS:
        return text
    # Do not split `my_file.py:name`, nor the drive of C:\my.py:name.
    parts = re.split(r"(?<![.]py):(?![/\\])", rest)
    return f"{head}({', '.join(parts)})"


def as_search(value: object) -> Algorithm:
    """Return the search that `value` is or describes; raise UnsuitableError if it is none.

    >>> print(as_search("bfs"), as_search(ALGORITHMS["idastar"]))
    bfs idastar(manhattan)
    """
    if isinstance(value, str):
        return search_named(value)
    search: object = value() if isinstance(value, type) else value
    # `OwnSearch` comes first: isinstance(search, Algorithm) would run the user's code.
    if isinstance(search, OwnSearch | Algorithm):
        return search
    if callable(search) and not isinstance(search, Heuristic):
        return FunctionSearch(search)
    raise UnsuitableError(
        f"expected a search: a text such as 'astar(manhattan)', a value such as "
        f"AStar(Manhattan()), or a function of a board; found {shorten(repr(search))}"
    )


def is_search(text: str) -> bool:
    """Return whether `text` begins with the name of a search.

    >>> is_search("A*(h1)"), is_search("astar:h1"), is_search("1 2 / 3 0")
    (True, True, False)
    """
    return algorithm_name(re.split("[(:]", text, maxsplit=1)[0].strip()) in ALGORITHMS


@dataclass(frozen=True, slots=True)
class RecordedMethod:
    """A method that is known only by its recorded text."""

    name: str

    def __str__(self) -> str:
        return self.name


def method_named(text: str) -> Method:
    """Return the search that `text` describes, or a RecordedMethod if it describes none."""
    try:
        return search_named(text)
    except TaquinError:
        return RecordedMethod(text)

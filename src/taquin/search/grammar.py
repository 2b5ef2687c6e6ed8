"""The grammar of searches: text into values, and what `str()` of these values prints.

    astar(manhattan, weight=2, ties=lifo)          a search: its heuristic first, then options
    idastar(max(manhattan, patterns(small)))       heuristics may be made of others
    beam(my_file.py:my_function, width=50)         and of code of one's own
    astar:manhattan:weight=2                       the same without what a shell would eat

    search     name | name(argument, …) | name:argument:…  | own
    argument   heuristic | option=value
    heuristic  name | name(heuristic, …) | patterns(small) | patterns([1 2 5 6], [3 4 7 8]) | own
    own        file.py:name | module:name

Names are read in either case, `_` like `-`; textbook names too, `dijkstra` for `ucs`. The command
line, study files, records and the prompt all speak this; a caller that has the parts of
a search apart, as options or keys, calls `search_from_options`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache, partial
from math import isfinite
from typing import Any

from taquin.errors import TaquinError, UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.combine import Maximum, Sum
from taquin.heuristics.own import OwnCode, OwnHeuristic
from taquin.heuristics.patterns import Patterns
from taquin.heuristics.registry import HEURISTICS
from taquin.model.moves import Direction
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import Conventions, Duplicates, GoalTest, Ties
from taquin.search.result import Method
from taquin.search.run import Algorithm, Loop, Run
from taquin.system.words import shorten, unknown

LONGEST = 2000
"""Characters of the longest text that is read: more are a slip."""
_DEEPEST = 8
"""Most heuristics within one another; more are a slip too."""

OTHER_NAMES = {
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
}
"""What textbooks call the algorithms besides."""

_TOKEN = r"[(),=\[\]]|[^\s(),=\[\]]+"
_COMBINATIONS: dict[str, Callable[..., Heuristic]] = {"max": Maximum, "sum": Sum}


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A search of the user's own: a value with what `Algorithm` asks for, or its class."""

    code: OwnCode
    """Where it is; run when the search is about to begin, and not before."""

    @property
    def name(self) -> str:
        """Return the text that names it."""
        return str(self.code)

    def __str__(self) -> str:
        return self.name

    @property
    def _value(self) -> Algorithm:
        found = self.code.load()
        found = found() if isinstance(found, type) else found
        if not isinstance(found, Algorithm):
            raise UnsuitableError(
                f"expected {self.code} to be a search with {', '.join(_PROTOCOL)} and a loop, "
                f"found {type(found).__name__}"
            )
        return found

    # What it says of itself is asked of the user's value. These are properties rather than a
    # `__getattr__`, in which Python 3.12 and later find no member of a protocol.
    @property
    def heuristic(self) -> Heuristic | None:
        """Return the heuristic; None for a search that uses none."""
        return self._value.heuristic

    @property
    def conventions(self) -> Conventions:
        """Return how duplicates, ties and the goal test are treated."""
        return self._value.conventions

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest, given an admissible heuristic."""
        return self._value.optimal

    @property
    def exhaustive(self) -> bool:
        """Tell whether the search ends by itself on a puzzle that has no solution."""
        return self._value.exhaustive

    @property
    def cap(self) -> int | None:
        """Return the most nodes the search may ever keep; None for no cap of its own."""
        return self._value.cap

    def loop(self, run: Run) -> Loop:
        """Return the user's own loop."""
        return self._value.loop(run)


_PROTOCOL = ("name", "heuristic", "conventions", "optimal", "exhaustive", "cap")
"""What an algorithm says of itself."""


def search_named(text: str, folder: str = "") -> Algorithm:
    """Return the search that `text` describes; raise UnsuitableError that says what is wrong.

    Files of the user's own code are looked for in `folder`.

    >>> print(search_named("A-star:linear-conflict:weight=3"))
    wastar(linear-conflict, weight=3)
    >>> print(search_named("astar(h1, duplicates=parent)"))
    astar(misplaced, duplicates=parent)
    """
    name, options = parts_of(text, folder)
    return search_from_options(name, options, folder)


def as_search(value: object) -> Algorithm:
    """Return the search that `value` is or describes; raise UnsuitableError for none.

    >>> print(as_search("bfs"), as_search(ALGORITHMS["idastar"]))
    bfs idastar(manhattan)
    """
    if isinstance(value, str):
        return search_named(value)
    found: object = value() if isinstance(value, type) else value
    # In this order: what is known to be a search of the user's own is not loaded yet.
    if isinstance(found, OwnSearch | Algorithm):
        return found
    raise UnsuitableError(
        f"expected a search: a text such as 'astar(manhattan)', or a value such as "
        f"AStar(Manhattan()); found {shorten(repr(found))}"
    )


def parts_of(text: str, folder: str = "") -> tuple[str, dict[str, Any]]:
    """Return the name of a search and its options, as `search_from_options` takes them."""
    term = _read(_with_brackets(text), "a search")
    if len(term.arguments) > 1:
        raise UnsuitableError(f"expected one heuristic in {shorten(text, 60)}")
    options: dict[str, Any] = dict(term.options)
    for argument in term.arguments:
        if "heuristic" in options:
            raise UnsuitableError(f"heuristic is given twice in {shorten(text, 60)}")
        options["heuristic"] = _heuristic(argument, folder)
    return term.word, options


def heuristic_named(text: str, folder: str = "") -> Heuristic:
    """Return the heuristic that `text` describes; raise UnsuitableError that says what is wrong.

    >>> heuristic_named("h2")
    Manhattan()
    >>> heuristic_named("max(manhattan, gaschnig)")
    Maximum(Manhattan(), Gaschnig())
    """
    return _heuristic(_read(text, "a heuristic"), folder)


@dataclass(frozen=True, slots=True)
class Written:
    """A method of which only the text is known, as it was recorded."""

    name: str

    def __str__(self) -> str:
        return self.name


def method_named(text: str) -> Method:
    """Return the search that `text` describes, or the bare text where it describes none."""
    try:
        return search_named(text)
    except TaquinError:
        return Written(text)


def algorithm_name(word: str) -> str:
    """Return a name as the registry has it: `A*`, `A-star` and `ASTAR` are `astar`.

    >>> algorithm_name("Dijkstra")
    'ucs'
    """
    name = re.sub(r"-?(\*|star)$", "star", word.lower().replace("_", "-"))
    return OTHER_NAMES.get(name, name)


def is_search(text: str) -> bool:
    """Return whether `text` begins with the name of a search.

    >>> is_search("A*(h1)"), is_search("1 2 / 3 0")
    (True, False)
    """
    return algorithm_name(text.partition("(")[0].strip()) in ALGORITHMS


def search_from_options(name: str, options: Mapping[str, Any], folder: str = "") -> Algorithm:
    """Return the algorithm called `name` with these options, and its own defaults for the rest.

    Options are values or texts, conventions among them; None means not given. Raise
    UnsuitableError for a name, an option or a value that the algorithm does not know.

    >>> print(search_from_options("beam", {"heuristic": "h1", "width": "7"}))
    beam(misplaced, width=7)
    """
    key = algorithm_name(name)
    if key not in ALGORITHMS:
        if ":" not in name:
            raise UnsuitableError(unknown("algorithm", name, ALGORITHMS))
        if extra := [_flag(option) for option, value in options.items() if value is not None]:
            raise UnsuitableError(f"{name}, a search of your own, has no use for {extra[0]}")
        return OwnSearch(OwnCode.read(name, folder))
    given: dict[str, Any] = {}
    kinds = options_of(key)
    for written, value in options.items():
        option = written.lower().replace("-", "_")
        option = _ALIASES.get(option, option)
        if value is None:
            continue
        if option in given:
            raise UnsuitableError(f"{_flag(option)} is given twice")
        if option in CONVENTIONS:
            given[option] = _value(option, CONVENTIONS[option], value, folder)
        elif option in kinds:
            given[option] = _value(option, kinds[option], value, folder)
        else:
            everything = dict.fromkeys(each for other in ALGORITHMS for each in options_of(other))
            raise UnsuitableError(
                f"{key} has no use for {_flag(option)}; it takes "
                f"{', '.join(map(_flag, kinds)) or 'conventions only'}"
                if option in everything
                else unknown("option", written, map(_flag, [*everything, *CONVENTIONS]))
            )
    chosen = {option: given.pop(option) for option in CONVENTIONS if option in given}
    return ALGORITHMS[key](**given, conventions=Conventions(**chosen))


@cache
def options_of(name: str) -> Mapping[str, str]:
    """Return what can be chosen about an algorithm besides the conventions, each with its kind."""
    value: Any = ALGORITHMS[algorithm_name(name)]()
    return {
        each.name: str(each.type).removesuffix(" | None")
        for each in fields(value)
        if each.name != "conventions"
    }


def takes(name: str, option: str) -> bool:
    """Tell whether the algorithm called `name` has a use for an option; an unknown one has any."""
    key = algorithm_name(name)
    return key not in ALGORITHMS or option in options_of(key) or option in CONVENTIONS


def _flag(option: str) -> str:
    return option.replace("_", "-")


def _value(option: str, kind: str, value: Any, folder: str) -> Any:
    """Return the value of an option, read if it is a text."""
    if kind == "Heuristic":
        if not isinstance(value, str | Heuristic):
            raise UnsuitableError(f"expected a heuristic, found {shorten(str(value))}")
        return heuristic_named(value, folder) if isinstance(value, str) else value
    expected, read = _KINDS[kind]
    try:
        return read(value)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise UnsuitableError(
            f"expected {expected} for {_flag(option)}, found {shorten(str(value))}"
        ) from None


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise ValueError
    return int(value)


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not isfinite(number):
        raise ValueError
    # Whole ones stay whole, so that 2 prints as 2.
    return int(number) if number.is_integer() else number


def _member(kind: type[Enum], value: Any) -> Enum:
    return value if isinstance(value, kind) else kind(value.lower())


def _order(value: Any) -> tuple[Direction, ...]:
    if isinstance(value, str):
        value = tuple(Direction.of_letter(letter) for letter in value)
    if sorted(each.letter for each in value) != sorted("UDLR"):
        raise ValueError
    return tuple(value)


def _truth(value: Any) -> bool:
    return value if isinstance(value, bool) else {"true": True, "false": False}[value.lower()]


_ALIASES = {"nodes": "cap"}
"""What options were called in texts of old."""
CONVENTIONS: Mapping[str, str] = {each.name: str(each.type) for each in fields(Conventions)}
"""Every convention with its kind."""

_KINDS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "int": ("a whole number", _whole),
    "float": ("a number such as 2 or 1.5", _number),
    "bool": ("true or false", _truth),
    "tuple[Direction, ...]": ("U, D, L and R once each", _order),
    **{
        kind.__name__: (", ".join(each.value for each in kind), partial(_member, kind))
        for kind in (Duplicates, Ties, GoalTest)
    },
}
"""What is expected of each kind of option, and how it is read."""


@dataclass(slots=True)
class _Term:
    """A word with what stands in its brackets."""

    word: str
    arguments: list[_Term] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    group: list[str] | None = None
    """The words of `[1 2 5 6]`, which has no word of its own."""
    called: bool = False


def _read(text: str, what: str) -> _Term:
    if len(text) > LONGEST:
        raise UnsuitableError(f"expected {what}, found a text of {len(text):,} characters")
    reader = _Reader(text)
    term = reader.term()
    reader.expect("")
    return term


class _Reader:
    """Read tokens from left to right."""

    def __init__(self, text: str) -> None:
        self._shown = shorten(text, 60)
        # The end is a token too, so that there is always a next one.
        self._tokens: list[str] = [*re.findall(_TOKEN, text), ""]
        self._next = 0

    def term(self, depth: int = 0) -> _Term:
        """Return the term that begins here."""
        if depth > _DEEPEST:
            raise UnsuitableError(
                f"heuristics may be combined at most {_DEEPEST} deep, found more in {self._shown}"
            )
        if self._peek == "[":
            return _Term("", group=self._group())
        if self._peek in ("", *"(),=]"):
            raise self._error("a name")
        term = _Term(self._take())
        while self._peek == ("," if term.called else "("):
            term.called = True
            self._next += 1
            if self._tokens[self._next + 1 : self._next + 2] == ["="]:
                name = self._take()
                self._next += 1
                if name in term.options:
                    raise UnsuitableError(f"{name} is given twice in {self._shown}")
                term.options[name] = _text_of(self.term(depth + 1))
            else:
                term.arguments.append(self.term(depth + 1))
        if term.called:
            self.expect(")")
        return term

    def _group(self) -> list[str]:
        """Return the words between brackets, commas or none between them."""
        self._next += 1
        words = []
        while self._peek not in ("]", ""):
            words.append(self._take())
        self.expect("]")
        return [word for word in words if word != ","]

    def expect(self, token: str) -> None:
        """Go past `token`, or the end of the text when it is empty."""
        if self._take() != token:
            self._next -= 1
            raise self._error(repr(token) if token else "nothing more")

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1]

    @property
    def _peek(self) -> str:
        return self._tokens[self._next]

    def _error(self, expected: str) -> UnsuitableError:
        found = repr(self._peek) if self._peek else "the end"
        return UnsuitableError(f"expected {expected}, found {found} in {self._shown}")


def _text_of(term: _Term) -> str:
    """Return a term as text again: the value of an option is read by its own kind."""
    if term.group is not None:
        return f"[{' '.join(term.group)}]"
    inner = [*map(_text_of, term.arguments), *(f"{k}={v}" for k, v in term.options.items())]
    return f"{term.word}({', '.join(inner)})" if inner else term.word


def _heuristic(term: _Term, folder: str) -> Heuristic:
    name = term.word.casefold().replace("_", "-")
    if term.options or term.group is not None:
        raise UnsuitableError(f"expected a heuristic, found {shorten(_text_of(term), 60)}")
    if ":" in term.word and not term.called:
        return OwnHeuristic(OwnCode.read(term.word, folder))
    if name == "patterns" and term.called:
        return _patterns(term)
    if name in _COMBINATIONS:
        return _COMBINATIONS[name](*(_heuristic(part, folder) for part in term.arguments))
    if name in HEURISTICS and not term.called:
        return HEURISTICS[name]
    if term.called:
        raise UnsuitableError(
            f"only max(…), sum(…) and patterns(…) take anything in brackets, found {name!r}"
        )
    more = ", max(…, …) and sum(…, …) of them, patterns(large), or file.py:name of your own"
    raise UnsuitableError(unknown("heuristic", term.word, HEURISTICS, more))


def _patterns(term: _Term) -> Heuristic:
    groups = [part.group for part in term.arguments]
    if len(groups) == 1 and groups[0] is None and not term.arguments[0].called:
        return Patterns(term.arguments[0].word.lower())
    if not groups or any(group is None for group in groups):
        raise UnsuitableError(
            f"expected small, medium, large or groups of tiles such as [1 2 5 6], found "
            f"{shorten(_text_of(term), 60)}"
        )
    return Patterns([[_label(word) for word in group or ()] for group in groups])


def _label(word: str) -> int | str:
    return int(word) if word.isdecimal() else word


def _with_brackets(text: str) -> str:
    """Return `astar:manhattan:weight=2` as `astar(manhattan, weight=2)`, anything else as it is."""
    head, colon, rest = text.strip().partition(":")
    if not colon or algorithm_name(head) not in ALGORITHMS:
        return text
    # A file and the name in it stay together.
    return f"{head}({', '.join(re.split(r'(?<![.]py):', rest))})"


def read_call(text: str) -> tuple[str, Mapping[str, str]]:
    """Return the name and the options of a text such as `cpu(tables=large)`."""
    term = _read(text, "a name")
    if term.arguments:
        raise UnsuitableError(f"expected options such as tables=large in {shorten(text, 60)}")
    return term.word.lower(), term.options

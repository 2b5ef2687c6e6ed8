"""The grammar of searches: it reads text into values, and `str()` of these values prints it.

    astar(manhattan, weight=2, ties=lifo)          a search: its heuristic first, then options
    idastar(max(manhattan, patterns(small)))       a heuristic may combine others
    beam(my_file.py:my_function, width=50)         or be user code
    my_file.py:my_search(manhattan, depth=9)       and so may the search
    astar:manhattan:weight=2                       the same, safe to type in a shell

    search     name | name(argument, …) | name:argument:…  | user
    argument   heuristic | option=value
    heuristic  name | name(heuristic, …) | patterns(set) | patterns([1 2 5 6], [3 4 7 8]) | user
    set        small | medium | large | a picture, AAB/AAB/CC. (see `taquin.tables.patterns`)
    user       file.py:name | module:name | file.py:name(heuristic, …, option=value, …)

Names are case-insensitive, `_` equals `-`, and textbook names are accepted, `dijkstra` for `ucs`.
The command line, study files, records and the prompt use this grammar.

The first part reads a text into a `Term` (a name with its arguments; options are kept as text, for
their own readers), and terms into heuristics. The second, `search_from_options`, builds a search
from its name and options, each a value or a text: the options of an algorithm are the fields of its
class, whose types decide how a text is read, and the conventions (`taquin.search.run`) are
options of every algorithm. The third, `search_named` and `as_search`, reads whole searches.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cache, partial
from math import isfinite
from typing import Any, TypeAlias

from taquin.errors import TaquinError, UnsuitableError, UserCodeError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.pattern_databases import Patterns
from taquin.heuristics.registry import HEURISTICS, Maximum, Sum
from taquin.heuristics.user_code import UserCode, UserHeuristic
from taquin.model.moves import Direction
from taquin.reasons import Reason, reason
from taquin.search.algorithms import ALGORITHMS
from taquin.search.result import Method, NamedMethod
from taquin.search.run import (
    Algorithm,
    Conventions,
    Duplicates,
    GoalTest,
    LimitTest,
    RandomOrder,
    Ties,
    option_names,
    text_of,
)
from taquin.search.user_search import FunctionSearch, UserSearch
from taquin.system.formatting import closest, shorten, unknown

_MAX_CHARACTERS = 2000
_MAX_DEPTH = 8
"""Deepest nesting of heuristics."""
_TOKEN = r"[(),=\[\]]|[^\s(),=\[\]]+"
_COMBINATIONS: dict[str, Callable[..., Heuristic]] = {"max": Maximum, "sum": Sum}


@dataclass(slots=True)
class Term:
    """A name with its arguments and options."""

    name: str
    arguments: list[Term] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    group: list[str] | None = None
    """The items of `[1 2 5 6]`, a term without a name."""
    called: bool = False
    """Whether the name has brackets."""

    def __str__(self) -> str:
        if self.group is not None:
            return f"[{' '.join(self.group)}]"
        options = (f"{name}={value}" for name, value in self.options.items())
        inner = [*map(str, self.arguments), *options]
        return f"{self.name}({', '.join(inner)})" if inner else self.name


def read_term(text: str, expected: str) -> Term:
    """Return the term that `text` holds; raise UnsuitableError if it is malformed."""
    if len(text) > _MAX_CHARACTERS:
        found = reason("long-text", count=len(text))
        raise UnsuitableError(reason("unexpected", expected=Reason(expected), found=found))
    parser = _Parser(text)
    term = parser.term()
    parser.expect("")
    return term


def read_call(text: str) -> tuple[str, Mapping[str, str]]:
    """Return the name and the options of a text such as `cpu(tables=large)`."""
    term = read_term(text, reason("a-name"))
    if term.arguments:
        raise UnsuitableError(f"expected options such as tables=large in {shorten(text, 60)}")
    return term.name.lower(), term.options


def heuristic_named(text: str, folder: str = "") -> Heuristic:
    """Return the heuristic that `text` describes; raise UnsuitableError if it describes none.

    Paths of user code are relative to `folder`.

    >>> heuristic_named("h2")
    Manhattan()
    >>> heuristic_named("max(manhattan, gaschnig)")
    Maximum(Manhattan(), Gaschnig())
    """
    return heuristic_of(read_term(text, reason("a-heuristic")), folder)


def heuristic_of(term: Term, folder: str) -> Heuristic:
    """Return the heuristic that a term describes."""
    name = term.name.casefold().replace("_", "-")
    if ":" in term.name:
        return UserHeuristic(user_code_of(term.name, term.arguments, term.options, folder))
    if term.options or term.group is not None:
        raise _no_heuristic(str(term))
    if name == "patterns" and term.called:
        return _patterns(term)
    if name in _COMBINATIONS:
        return _COMBINATIONS[name](*(heuristic_of(part, folder) for part in term.arguments))
    if name in HEURISTICS and not term.called:
        return HEURISTICS[name]
    if term.called:
        raise UnsuitableError(reason("no-arguments", found=repr(name)))
    _check_file_without_name(term.name, folder)
    more = reason("more-heuristics")
    raise UnsuitableError(unknown(reason("heuristic"), term.name, HEURISTICS, more))


def _no_heuristic(text: str) -> UnsuitableError:
    fault = reason("unexpected", expected=reason("a-heuristic"), found=shorten(text, 60))
    return UnsuitableError(fault)


def _check_file_without_name(text: str, folder: str) -> None:
    """Raise UserCodeError if `text` is a file of Python, which needs the name of a function."""
    if text.endswith(".py"):
        code = UserCode(text, "", folder)
        if code.text is None:
            raise UserCodeError(reason("no-file", name=repr(text)))
        raise UserCodeError(reason("file-name", name=text, more=code.names_to_choose))


def user_code_of(
    name: str, arguments: Iterable[object], options: Mapping[str, object], folder: str
) -> UserCode:
    """Return the user code called `name` with its arguments and options."""
    return replace(
        UserCode.read(name, folder),
        arguments=tuple(own_argument(argument, folder) for argument in arguments),
        options=tuple((option, own_argument(value, folder)) for option, value in options.items()),
    )


def own_argument(value: object, folder: str = "") -> object:
    """Return the value of a term or a text as an option of user code; other values unchanged.

    `true` and `false` are booleans, `[1 2 5]` is a tuple, the name of a heuristic is that
    heuristic, and any other text that is no number is a string.

    >>> [own_argument(text) for text in ("3", "0.5", "true", "[1 2]", "h2", "fast")]
    [3, 0.5, True, (1, 2), Manhattan(), 'fast']
    """
    term = read_term(value, reason("an-option")) if isinstance(value, str) else value
    if not isinstance(term, Term):
        return value
    if term.group is not None:
        return tuple(own_argument(item) for item in term.group)
    if term.name in ("true", "false"):
        return term.name == "true"
    for read in (int, float):
        with suppress(ValueError):
            if isfinite(number := read(term.name)):
                return number
    is_name = term.name.casefold().replace("_", "-") in HEURISTICS
    return heuristic_of(term, folder) if is_name or term.called or ":" in term.name else term.name


def _patterns(term: Term) -> Heuristic:
    groups = [part.group for part in term.arguments]
    if len(groups) == 1 and groups[0] is None and not term.arguments[0].called:
        name = term.arguments[0].name
        # A picture of a set is in upper case, a name in lower case.
        return Patterns(name.upper() if "/" in name else name.lower())
    if not groups or any(group is None for group in groups):
        raise UnsuitableError(reason("pattern-groups", found=shorten(str(term), 60)))
    return Patterns(
        [[int(tile) if tile.isdecimal() else tile for tile in group or ()] for group in groups]
    )


class _Parser:
    def __init__(self, text: str) -> None:
        self._shown = shorten(text, 60)
        # The end is an empty token, so that there is always a next one.
        self._tokens = deque([*re.findall(_TOKEN, text), ""])

    def term(self, depth: int = 0) -> Term:
        tokens = self._tokens
        if depth > _MAX_DEPTH:
            raise UnsuitableError(reason("nested", most=_MAX_DEPTH, text=self._shown))
        if tokens[0] == "[":
            return Term("", group=self._group())
        if tokens[0] in ("", *"(),=]"):
            raise self._error(reason("a-name"))
        term = Term(tokens.popleft())
        while tokens[0] == ("," if term.called else "("):
            term.called = True
            tokens.popleft()
            if tokens[0] and tokens[1] == "=":
                name = tokens.popleft()
                tokens.popleft()
                if name in term.options:
                    raise UnsuitableError(reason("option-twice", name=name, text=self._shown))
                term.options[name] = str(self.term(depth + 1))
            else:
                term.arguments.append(self.term(depth + 1))
        if term.called:
            self.expect(")")
        return term

    def _group(self) -> list[str]:
        """Return the items between square brackets; commas between them are optional."""
        self.expect("[")
        items = []
        while self._tokens[0] not in ("]", ""):
            items.append(self._tokens.popleft())
        self.expect("]")
        return [item for item in items if item != ","]

    def expect(self, token: str) -> None:
        """Consume `token`; the empty token is the end of the text."""
        if self._tokens[0] != token:
            raise self._error(repr(token) if token else reason("nothing-more"))
        self._tokens.popleft()

    def _error(self, expected: str) -> UnsuitableError:
        found = repr(self._tokens[0]) if self._tokens[0] else reason("the-end")
        fault = reason("unexpected", expected=Reason(expected), found=found)
        return UnsuitableError(reason("within-text", detail=fault, text=self._shown))


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
    "ibex": "bts",
    "dls": "dfs",
    "depth-limited": "dfs",
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
            _check_file_without_name(name, folder)
            raise UnsuitableError(unknown(reason("algorithm"), name, ALGORITHMS))
        given = {option: value for option, value in options.items() if value is not None}
        arguments = [given.pop("heuristic")] if "heuristic" in given else []
        return UserSearch(user_code_of(name, arguments, given, folder))
    kinds = {**options_of(key), **CONVENTIONS}
    values: dict[str, Any] = {}
    for written, value in options.items():
        option = written.lower().replace("-", "_")
        if value is None:
            continue
        if option in values:
            raise UnsuitableError(reason("option-twice", name=_flag(option), text=name))
        if option not in kinds:
            raise _unknown_option(key, written)
        values[option] = read_option(option, kinds[option], value, folder)
    chosen = {option: values.pop(option) for option in CONVENTIONS if option in values}
    return ALGORITHMS[key](**values, conventions=Conventions(**chosen))


def _unknown_option(algorithm: str, option: str) -> UnsuitableError:
    known = option_names(ALGORITHMS[algorithm]())
    written = option.lower() if re.fullmatch(r"[\w-]{1,24}", option) else shorten(option)
    flag, names = _flag(written), ", ".join(known)
    if guess := closest(written, known):
        fault = reason("no-option-guess", name=algorithm, option=flag, guess=guess, names=names)
        return UnsuitableError(fault)
    return UnsuitableError(reason("no-option", name=algorithm, option=flag, names=names))


@cache
def options_of(name: str) -> Mapping[str, str]:
    """Return the options of an algorithm with their types, conventions excluded."""
    algorithm: Any = ALGORITHMS[algorithm_name(name)]()
    return {
        option.name: str(option.type).removesuffix(" | None")
        for option in fields(algorithm)
        if option.name != "conventions"
    }


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a search."""

    name: str
    """As it is typed."""
    accepted: str
    """The values, in words."""
    default: str
    """The default value; empty for none."""


def described_options(name: str) -> list[Option]:
    """Return the options that an algorithm supports, conventions included."""
    search: Any = ALGORITHMS[algorithm_name(name)]()
    own = options_of(name)
    described = []
    for option in option_names(search):
        field_name = option.replace("-", "_")
        kind = own.get(field_name) or CONVENTIONS[field_name]
        value = getattr(search if field_name in own else search.conventions, field_name)
        if kind == "Heuristic":
            accepted, value = "a heuristic", value and value.name
        else:
            accepted = _READERS[kind][0]
        if (known := search.supported.get(field_name)) is not None:
            accepted = ", ".join(text_of(each) for each in type(value) if each in known)
        if (least := search.least.get(field_name)) is not None:
            accepted += f", at least {least}"
        described.append(Option(option, accepted, "" if value is None else text_of(value)))
    return described


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
            raise _no_heuristic(str(value))
        return heuristic_named(value, folder) if isinstance(value, str) else value
    expected, read = _READERS[kind]
    try:
        return read(value)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        fault = reason(
            "option-value", expected=expected, name=_flag(option), found=shorten(str(value))
        )
        raise UnsuitableError(fault) from None


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
    "int": (reason("whole-number"), _integer),
    "float": (reason("such-number"), _number),
    "bool": (reason("true-false"), _boolean),
    "tuple[Direction, ...]": (reason("four-directions"), _order),
    **{
        kind.__name__: (", ".join(member.value for member in kind), partial(_member, kind))
        for kind in (Duplicates, Ties, GoalTest, LimitTest, RandomOrder)
    },
}
"""For each type of option, the expected text and the function that reads it."""


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
    term = read_term(_with_brackets(text), reason("a-search"))
    if len(term.arguments) > 1:
        raise UnsuitableError(reason("one-heuristic", text=shorten(text, 60)))
    options: dict[str, Any] = dict(term.options)
    for argument in term.arguments:
        if "heuristic" in options:
            twice = reason("option-twice", name="heuristic", text=shorten(text, 60))
            raise UnsuitableError(twice)
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
    # `UserSearch` comes first: isinstance(search, Algorithm) would run the user's code.
    if isinstance(search, UserSearch | Algorithm):
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


def method_named(text: str) -> Method:
    """Return the search that `text` describes, or a NamedMethod if it describes none."""
    try:
        return search_named(text)
    except TaquinError:
        return NamedMethod(text)

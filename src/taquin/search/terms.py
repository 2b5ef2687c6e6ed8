"""Read a text of the grammar into terms, and terms into heuristics.

    max(manhattan, patterns([1 2 5 6]))      a term: a name with its arguments
    cpu(tables=large)                        options are kept as text, for their own readers

`taquin.search.grammar` describes the whole grammar.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import isfinite

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.combine import Maximum, Sum
from taquin.heuristics.own import OwnHeuristic
from taquin.heuristics.patterns import Patterns
from taquin.heuristics.registry import HEURISTICS
from taquin.heuristics.user_code import OwnCode
from taquin.system.words import shorten, unknown

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
        raise UnsuitableError(f"expected {expected}, found a text of {len(text):,} characters")
    parser = _Parser(text)
    term = parser.term()
    parser.expect("")
    return term


def read_call(text: str) -> tuple[str, Mapping[str, str]]:
    """Return the name and the options of a text such as `cpu(tables=large)`."""
    term = read_term(text, "a name")
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
    return heuristic_of(read_term(text, "a heuristic"), folder)


def heuristic_of(term: Term, folder: str) -> Heuristic:
    """Return the heuristic that a term describes."""
    name = term.name.casefold().replace("_", "-")
    if ":" in term.name:
        return OwnHeuristic(own_code_of(term.name, term.arguments, term.options, folder))
    if term.options or term.group is not None:
        raise UnsuitableError(f"expected a heuristic, found {shorten(str(term), 60)}")
    if name == "patterns" and term.called:
        return _patterns(term)
    if name in _COMBINATIONS:
        return _COMBINATIONS[name](*(heuristic_of(part, folder) for part in term.arguments))
    if name in HEURISTICS and not term.called:
        return HEURISTICS[name]
    if term.called:
        raise UnsuitableError(
            f"only max(…), sum(…), patterns(…) and user code take arguments, found {name!r}"
        )
    more = ", max(…, …) and sum(…, …) of them, patterns(large), or file.py:name of your own"
    raise UnsuitableError(unknown("heuristic", term.name, HEURISTICS, more))


def own_code_of(
    name: str, arguments: Iterable[object], options: Mapping[str, object], folder: str
) -> OwnCode:
    """Return the user code called `name` with its arguments and options."""
    return replace(
        OwnCode.read(name, folder),
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
    term = read_term(value, "an option") if isinstance(value, str) else value
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
        raise UnsuitableError(
            f"expected small, medium, large, a picture such as AAB/AAB/CC. or groups of tiles such "
            f"as [1 2 5 6], found {shorten(str(term), 60)}"
        )
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
            raise UnsuitableError(
                f"heuristics may be nested at most {_MAX_DEPTH} deep, found more in {self._shown}"
            )
        if tokens[0] == "[":
            return Term("", group=self._group())
        if tokens[0] in ("", *"(),=]"):
            raise self._error("a name")
        term = Term(tokens.popleft())
        while tokens[0] == ("," if term.called else "("):
            term.called = True
            tokens.popleft()
            if tokens[0] and tokens[1] == "=":
                name = tokens.popleft()
                tokens.popleft()
                if name in term.options:
                    raise UnsuitableError(f"option {name} is given twice in {self._shown}")
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
            raise self._error(repr(token) if token else "nothing more")
        self._tokens.popleft()

    def _error(self, expected: str) -> UnsuitableError:
        actual = repr(self._tokens[0]) if self._tokens[0] else "the end"
        return UnsuitableError(f"expected {expected}, found {actual} in {self._shown}")

"""The heuristics by the names they have on the command line.

manhattan    h2    max(manhattan, gaschnig)    patterns(large)    patterns([1 2 5 6], [3 4 7 8])
"""

from __future__ import annotations

import re

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.combine import Maximum, Sum
from taquin.heuristics.gaschnig import Gaschnig
from taquin.heuristics.inversion import InversionDistance
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.heuristics.manhattan_agent import ManhattanWithAgent
from taquin.heuristics.misplaced import Misplaced
from taquin.heuristics.patterns import Patterns
from taquin.heuristics.walking import WalkingDistance
from taquin.heuristics.zero import Zero
from taquin.model.moves import Label
from taquin.system.words import unknown

_READY_MADE: tuple[Heuristic, ...] = (
    Zero(),
    Misplaced(),
    Manhattan(),
    ManhattanWithAgent(),
    LinearConflict(),
    Gaschnig(),
    InversionDistance(),
    WalkingDistance(),
    Patterns(),
)

ALIASES: dict[str, str] = {"h1": "misplaced", "hamming": "misplaced", "h2": "manhattan"}
"""Other names some heuristics go by."""

HEURISTICS: dict[str, Heuristic] = {
    heuristic.name.partition("(")[0]: heuristic for heuristic in _READY_MADE
}
"""Every ready-made heuristic by each of its names without options, aliases last."""
HEURISTICS.update({alias: HEURISTICS[name] for alias, name in ALIASES.items()})

_COMBINATIONS: dict[str, type[Maximum] | type[Sum]] = {"max": Maximum, "sum": Sum}
_TOKEN = re.compile(r"\s*([][(),]|[^][\s(),]+)\s*")
_MARKS = ("", "(", ")", ",", "[", "]")
_DEEPEST = 8
"""Most combinations within one another; more are a slip, not a heuristic."""


def heuristic_named(text: str) -> Heuristic:
    """Return the heuristic written `text`: a name, `patterns(…)`, or `max(…)` or `sum(…)` of such.

    Case is ignored, and `_` is read as `-`. Raise UnsuitableError for a text that names none.

    >>> heuristic_named("h2")
    Manhattan()
    >>> heuristic_named("max(manhattan, gaschnig)")
    Maximum(Manhattan(), Gaschnig())
    """
    reader = _Reader(text)
    heuristic = reader.heuristic(0)
    reader.expect("")
    return heuristic


class _Reader:
    """Read tokens from left to right."""

    __slots__ = ("_next", "_text", "_tokens")

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        self._next = 0

    def heuristic(self, depth: int) -> Heuristic:
        """Return the heuristic that begins here."""
        if depth > _DEEPEST:
            raise UnsuitableError(
                f"heuristics may be combined at most {_DEEPEST} deep, found more in {self._shown}"
            )
        name = self._peek().casefold().replace("_", "-")
        if name in _MARKS:
            raise self._error("a heuristic")
        self._next += 1
        if self._peek() != "(":
            return _by_name(name)
        if name == "patterns":
            return self._patterns()
        if name not in _COMBINATIONS:
            raise UnsuitableError(
                f"only max(…) and sum(…) combine heuristics, found {name!r} before '('"
            )
        parts: list[Heuristic] = []
        while not parts or self._peek() == ",":
            self._next += 1
            parts.append(self.heuristic(depth + 1))
        self.expect(")")
        return _COMBINATIONS[name](*parts)

    def _patterns(self) -> Patterns:
        """Return the patterns that begin at the bracket: a name, or groups of labels."""
        self.expect("(")
        if self._peek() not in _MARKS:
            name = self._peek().casefold()
            self._next += 1
            self.expect(")")
            return Patterns(name)
        groups: list[list[Label]] = []
        while not groups or self._peek() == ",":
            self._next += bool(groups)
            self.expect("[")
            groups.append([])
            while self._peek() not in _MARKS:
                label = self._peek()
                groups[-1].append(int(label) if label.isdecimal() else label)
                self._next += 1
            self.expect("]")
        self.expect(")")
        return Patterns(groups)

    def expect(self, token: str) -> None:
        """Go past `token`, or the end of the text when it is empty."""
        if self._peek() != token:
            raise self._error(repr(token) if token else "nothing more")
        self._next += 1

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _error(self, expected: str) -> UnsuitableError:
        found = repr(self._peek()) if self._peek() else "the end"
        return UnsuitableError(f"expected {expected}, found {found} in heuristic {self._shown}")

    @property
    def _shown(self) -> str:
        return repr(self._text) if len(self._text) <= 60 else f"{self._text[:60]!r}…"


def _by_name(name: str) -> Heuristic:
    if name in HEURISTICS:
        return HEURISTICS[name]
    more = ", and max(…, …) and sum(…, …) of them"
    raise UnsuitableError(unknown("heuristic", name, HEURISTICS, more))

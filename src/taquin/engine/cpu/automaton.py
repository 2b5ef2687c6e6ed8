"""Duplicate-operator pruning (Taylor and Korf, AAAI 1993).

Two sequences of blank moves, *operator strings*, have the same *effect* when they leave every tile
and the blank in the same cells. Right-down-left-up-right-down has the effect of
down-right-up-left-down-right: a search that tries both searches the same subtree twice.

A string w is *forbidden* when some string w' has the same effect, comes earlier in shortlex order
(shorter, or as long and alphabetically first) and stays inside the bounding box of w's walk.

Why a shortest solution survives: take the alphabetically first of the shortest solutions. If it
contained a forbidden string w, it could have w' in its place, which visits only cells of the box of
w, all on the grid; the result would be shorter or alphabetically earlier, a contradiction.

The forbidden strings become a finite-state machine (Aho and Corasick, 1975) whose states are their
proper prefixes: `follow[state][direction]` is the longest such prefix that ends the walk so far;
`allowed[state]` has a bit for each direction that completes no forbidden string.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from struct import Struct, unpack
from typing import Any, TypeAlias

from taquin.system.arrays import Array, over, uint8
from taquin.tables.store import VERSION

Word: TypeAlias = bytes
"""An operator string, as directions of the blank: 0 up, 1 left, 2 right, 3 down."""
Box: TypeAlias = tuple[int, int, int, int]
"""Highest row, lowest row, leftmost and rightmost column of a walk that starts at (0, 0)."""

LONGEST, USUAL = 14, 12
"""The maximum length of the shipped forbidden strings, and of those for the CPU engine: a larger
automaton does not fit into its caches. On a GPU longer strings save a tenth."""

STEPS = (b"\0", b"\1", b"\2", b"\3")
DOWN, RIGHT = (-1, 0, 0, 1), (0, -1, 1, 0)
"""The change of row and of column in each direction."""
_ROW = Struct("<5H")
"""A state of a stored automaton: the state after each direction, then the directions allowed."""
LETTERS = "ULRD"
"""The letters of the directions."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """A machine that reads the blank's moves and says which may come next."""

    allowed: tuple[int, ...]
    """For each state, bit d is set when direction d may follow."""
    follow: tuple[tuple[int, int, int, int], ...]
    """For each state, the next state by direction (0 where the direction is not allowed)."""


@dataclass(frozen=True, slots=True)
class AutomatonRecipe:
    """The automaton for duplicate-operator pruning on a grid, as a table of the store."""

    rows: int
    columns: int
    longest: int = USUAL
    """The length of the longest forbidden strings."""

    @property
    def name(self) -> str:
        """The name of the table."""
        which = "" if self.longest == USUAL else f"-{self.longest}"
        return f"words-{self.rows}x{self.columns}{which}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """The grid and the length of the strings."""
        return {
            "kind": "move words",
            "version": VERSION,
            "rows": self.rows,
            # Tables on users' disks say "cols": with another key they would all be rebuilt.
            "cols": self.columns,
            "length": self.longest,
            "states": "fewest",
        }

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> Array[uint8]:
        """Return the automaton's rows: state after each direction, then the directions allowed."""
        automaton = fewest_states(machine(known_words(self.rows, self.columns, self.longest)))
        rows = zip(automaton.follow, automaton.allowed, strict=True)
        return over(b"".join(_ROW.pack(*follow, allowed) for follow, allowed in rows), uint8)

    def is_sound(self, table: Array[uint8]) -> bool:
        """Return whether a table has whole rows whose states all exist."""
        count, rest = divmod(table.nbytes, _ROW.size)
        if rest or not count:
            return not rest
        *follow, allowed = _columns(table)
        return max(map(max, follow)) < count and max(allowed) < 16

    def automaton(self, stored: Array[uint8]) -> Automaton:
        """Return the automaton whose rows `build` made."""
        up, left, right, down, allowed = _columns(stored)
        return Automaton(allowed, tuple(zip(up, left, right, down, strict=True)))


def _columns(table: Array[uint8]) -> list[tuple[int, ...]]:
    """Return the columns of the rows of a stored automaton."""
    numbers = unpack(f"<{table.nbytes // 2}H", table.items)
    return [numbers[column::5] for column in range(5)]


def no_return() -> Automaton:
    """Return the automaton that forbids only the reverse of the last move."""
    return machine(tuple(bytes([direction, 3 - direction]) for direction in range(4)))


def machine(words: tuple[Word, ...]) -> Automaton:
    """Return the finite-state machine that refuses exactly the walks containing one of `words`.

    None of `words` may contain another.
    """
    ends = set(words)
    prefixes = {word[:length] for word in words for length in range(len(word))}
    states: list[Word] = [b""]
    # The longest proper suffix that is a prefix: shorter, so its row is complete.
    suffixes = [0]
    allowed: list[int] = []
    follow: list[tuple[int, int, int, int]] = []
    for number, state in enumerate(states):
        suffix = suffixes[number]
        bits, row = (allowed[suffix], [*follow[suffix]]) if number else (15, [0, 0, 0, 0])
        for direction, step in enumerate(STEPS):
            walk = state + step
            if walk in ends:
                bits &= ~(1 << direction)
                row[direction] = 0
            elif walk in prefixes:
                suffixes.append(row[direction])
                row[direction] = len(states)
                states.append(walk)
        allowed.append(bits)
        follow.append((row[0], row[1], row[2], row[3]))
    return Automaton(tuple(allowed), tuple(follow))


def fewest_states(automaton: Automaton) -> Automaton:
    """Return the machine with the fewest states that allows the same walks, for a faster search.

    States with equal rows are merged until there are none. In general states of a cycle could be
    equal as well; no machine of `known_words` has such ones.
    """
    rows = [(bits, *row) for bits, row in zip(automaton.allowed, automaton.follow, strict=True)]
    count = 0
    while count != len(rows):
        count = len(rows)
        numbers: dict[tuple[int, ...], int] = {}
        number = [numbers.setdefault(row, len(numbers)) for row in rows]
        rows = [
            (bits, number[up], number[left], number[right], number[down])
            for bits, up, left, right, down in numbers
        ]
    return Automaton(tuple(row[0] for row in rows), tuple(row[1:] for row in rows))


def known_words(rows: int, columns: int, longest: int = USUAL) -> tuple[Word, ...]:
    """Return the forbidden strings of up to `longest` moves that fit a grid, from the shipped list.

    `tools/duplicate_operators.py` derives the list: those that fit into 5 x 5, which are all of up
    to 12 moves. Whether a string is forbidden does not depend on the grid.
    """
    text = Path(__file__).with_name("duplicate_operators.txt").read_bytes()
    words = text.translate(bytes.maketrans(LETTERS.encode(), bytes(range(4)))).split()
    return tuple(
        word for word in words if len(word) <= longest and fits(box_of(word), rows, columns)
    )


def box_of(word: Word) -> Box:
    """Return the bounding box of the walk of an operator string."""
    rows = list(accumulate(map(DOWN.__getitem__, word), initial=0))
    columns = list(accumulate(map(RIGHT.__getitem__, word), initial=0))
    return min(rows), max(rows), min(columns), max(columns)


def fits(box: Box, rows: int, columns: int) -> bool:
    """Return whether a walk with a bounding box fits into a grid."""
    return box[1] - box[0] < rows and box[3] - box[2] < columns

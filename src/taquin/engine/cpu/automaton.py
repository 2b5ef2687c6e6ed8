"""Forbid move words that another word makes needless.

Two words of blank moves are *equal in effect* when they leave every tile and the blank in the same
cells. On an open grid, going right-down-left-up-right-down has the effect of down-right-up-left-
down-right: a search that tries both does the work below them twice.

A word w is *forbidden* when some word w' is equal in effect, comes earlier in shortlex order
(shorter, or as long and alphabetically first) and stays inside the bounding box of w's walk.

Why at least one shortest solution survives: take the alphabetically first among the shortest
solutions. If it held a forbidden word w, putting w' in its place would still be legal, for w'
visits only cells of the box of w, which lies on the grid; the result would be shorter or
alphabetically earlier, a contradiction.

The forbidden words become a finite-state machine (Aho and Corasick, 1975) whose states are the
proper prefixes of forbidden words: `follow[state][direction]` is the longest such prefix that ends
the walk so far, and `allowed[state]` has a bit for each direction that completes no forbidden word.
(Taylor and Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.tables.store import VERSION

Word: TypeAlias = tuple[int, ...]
"""Directions of the blank: 0 up, 1 left, 2 right, 3 down."""
Box: TypeAlias = tuple[int, int, int, int]
"""Highest row, lowest row, leftmost and rightmost column of a walk that starts at (0, 0)."""

LONGEST = 12
"""Moves of the longest words that are shipped."""

_STEP = ((-1, 0), (0, -1), (0, 1), (1, 0))
_LETTERS = "ULRD"
"""How directions are written."""


@dataclass(frozen=True, slots=True)
class Automaton:
    """A machine that reads the blank's moves and says which may come next."""

    allowed: tuple[int, ...]
    """For each state, bit d is set when direction d may follow."""
    follow: tuple[tuple[int, int, int, int], ...]
    """For each state, the next state by direction (0 where the direction is not allowed)."""


@dataclass(frozen=True, slots=True)
class AutomatonRecipe:
    """The automaton of needless move words of a grid, as a table of the store."""

    rows: int
    """Rows of the grid."""
    columns: int
    """Columns of the grid."""

    @property
    def name(self) -> str:
        """The name of the table."""
        return f"words-{self.rows}x{self.columns}"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid and length of the words."""
        return {
            "kind": "move words",
            "version": VERSION,
            "rows": self.rows,
            # Tables on users' disks say "cols": another word would have them all built again.
            "cols": self.columns,
            "length": LONGEST,
            "states": "fewest",
        }

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> NDArray[np.uint8]:
        """Return the automaton's rows: state after each direction, then the directions allowed."""
        automaton = fewest_states(machine(known_words(self.rows, self.columns)))
        rows = [
            (*follow, bits)
            for follow, bits in zip(automaton.follow, automaton.allowed, strict=True)
        ]
        return np.array(rows, "<u2").reshape(-1).view(np.uint8)

    def is_sound(self, table: NDArray[np.uint8]) -> bool:
        """Tell whether a table has whole rows, and no row leads beyond the last."""
        if table.nbytes % 10:
            return False
        rows = table.view("<u2").reshape(-1, 5)
        return bool((rows[:, :4] < len(rows)).all() and (rows[:, 4] < 16).all())

    def automaton(self, stored: NDArray[np.uint8]) -> Automaton:
        """Return the automaton whose rows `build` made."""
        rows = stored.view("<u2").reshape(-1, 5)
        return Automaton(tuple(rows[:, 4].tolist()), tuple(map(tuple, rows[:, :4].tolist())))


def no_return() -> Automaton:
    """Return the machine that forbids only undoing the last move."""
    return machine(tuple((d, 3 - d) for d in range(4)))


def forbidden_words(rows: int, columns: int, length: int) -> tuple[Word, ...]:
    """Return the shortest forbidden words of up to `length` moves that fit a rows × columns grid.

    No returned word contains another. The cost grows about 2.4-fold with each further move:
    a third of a second for 10 moves on an open grid.
    """
    found: set[Word] = set()
    known: dict[int, list[tuple[Box, Word]]] = {0: [((0, 0, 0, 0), ())]}
    for limit in range(1, length + 1):
        for effect, box, word in _walks(rows, columns, limit, found):
            earlier = known.setdefault(effect, [])
            twins = (twin for other, twin in earlier if _inside(other, box))
            if any(_effect(word) == _effect(twin) for twin in twins):
                found.add(word)
            else:
                earlier.append((box, word))
    return tuple(sorted(found, key=lambda word: (len(word), word)))


def machine(words: tuple[Word, ...]) -> Automaton:
    """Return the finite-state machine that refuses exactly the walks containing one of `words`.

    No word may contain another.
    """
    ends = set(words)
    prefixes = sorted({w[:n] for w in words for n in range(len(w))}, key=lambda w: (len(w), w))
    state = {word: number for number, word in enumerate(prefixes)}
    allowed, follow = [], []
    for word in prefixes:
        bits, row = 0, [0, 0, 0, 0]
        for direction in range(4):
            walk = (*word, direction)
            while walk not in state and walk not in ends:
                walk = walk[1:]
            if walk not in ends:
                bits |= 1 << direction
                row[direction] = state[walk]
        allowed.append(bits)
        follow.append((row[0], row[1], row[2], row[3]))
    return Automaton(tuple(allowed), tuple(follow))


def fewest_states(automaton: Automaton) -> Automaton:
    """Return the machine with the fewest states that allows the same walks.

    States are the same unless they allow different directions, or lead to states that are not the
    same (Moore 1956). The fewer there are, the more of them a processor has at hand.
    """
    kind = list(automaton.allowed)
    count = 0
    while count < len(set(kind)):
        count = len(set(kind))
        seen: dict[tuple[int, ...], int] = {}
        kind = [
            seen.setdefault((kind[state], *(kind[after] for after in follow)), len(seen))
            for state, follow in enumerate(automaton.follow)
        ]
    first = {number: state for state, number in reversed(list(enumerate(kind)))}
    states = sorted(first.values())
    rows = [[kind[after] for after in automaton.follow[state]] for state in states]
    return Automaton(
        tuple(automaton.allowed[state] for state in states),
        tuple((row[0], row[1], row[2], row[3]) for row in rows),
    )


def known_words(rows: int, columns: int) -> tuple[Word, ...]:
    """Return the forbidden words of up to 12 moves that fit a grid, from the list that is shipped.

    `python -m taquin.engine.cpu.automaton` makes the list anew, in half a minute: whether a word is
    forbidden depends on no grid, and all of these fit into 5 x 5.
    """
    from importlib import resources

    text = (resources.files("taquin.engine.cpu") / "words.txt").read_text(encoding="ascii")
    words = (tuple(map(_LETTERS.index, line)) for line in text.split())
    return tuple(word for word in words if _fits(word, rows, columns))


def _fits(word: Word, rows: int, columns: int) -> bool:
    height, width = (
        [sum(_STEP[direction][axis] for direction in word[:n]) for n in range(len(word) + 1)]
        for axis in (0, 1)
    )
    return max(height) - min(height) < rows and max(width) - min(width) < columns


def _walks(
    rows: int, columns: int, length: int, forbidden: set[Word]
) -> Iterator[tuple[int, Box, Word]]:
    """Yield hash of effect, box and letters of each walk of `length` free of forbidden words."""
    lengths = sorted({len(word) for word in forbidden})
    keys = _Keys()
    where: dict[tuple[int, int], tuple[int, int]] = {}
    word: list[int] = []

    def go(row: int, column: int, effect: int, box: Box) -> Iterator[tuple[int, Box, Word]]:
        for direction, (down, right) in enumerate(_STEP):
            word.append(direction)
            if not any(tuple(word[-n:]) in forbidden for n in lengths if n <= len(word)):
                to_row, to_column = row + down, column + right
                wider = (
                    min(box[0], to_row),
                    max(box[1], to_row),
                    min(box[2], to_column),
                    max(box[3], to_column),
                )
                if wider[1] - wider[0] < rows and wider[3] - wider[2] < columns:
                    here, there = (row, column), (to_row, to_column)
                    tile = where.get(there, there)
                    after = effect + keys[tile, here] - keys[tile, there]
                    after += keys[None, there] - keys[None, here]
                    if len(word) == length:
                        yield after, wider, tuple(word)
                    else:
                        before = where.get(here, here)
                        where[here] = tile
                        yield from go(to_row, to_column, after, wider)
                        where[here] = before
            word.pop()

    yield from go(0, 0, 0, (0, 0, 0, 0))


class _Keys(dict[tuple[tuple[int, int] | None, tuple[int, int]], int]):
    """Random numbers for (tile, cell), zero where a tile is at home; None is the blank.

    Their sum over displaced tiles names an effect; `_effect` settles the rare equal sums.
    """

    def __missing__(self, key: tuple[tuple[int, int] | None, tuple[int, int]]) -> int:
        tile, cell = key
        home = (0, 0) if tile is None else tile
        value = 0 if home == cell else Random(repr(key)).getrandbits(62)
        self[key] = value
        return value


def _inside(inner: Box, outer: Box) -> bool:
    (top, bottom, left, right), (highest, lowest, leftmost, rightmost) = inner, outer
    return top >= highest and bottom <= lowest and left >= leftmost and right <= rightmost


def _effect(word: Word) -> tuple[tuple[int, int], dict[tuple[int, int], tuple[int, int]]]:
    """Return where the blank ends and which tile each displaced cell holds then."""
    row = column = 0
    where: dict[tuple[int, int], tuple[int, int]] = {}
    for direction in word:
        down, right = _STEP[direction]
        there = (row + down, column + right)
        where[row, column] = where.get(there, there)
        row, column = there
    where.pop((row, column), None)
    return (row, column), {cell: tile for cell, tile in where.items() if cell != tile}


if __name__ == "__main__":
    for each in forbidden_words(5, 5, LONGEST):
        print("".join(_LETTERS[direction] for direction in each))

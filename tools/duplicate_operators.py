"""Derive the duplicate operators and print `engine/cpu/duplicate_operators.txt`.

    python -m tools.duplicate_operators > src/taquin/engine/cpu/duplicate_operators.txt

A duplicate operator is a sequence of moves (`Word`) that another sequence replaces.
`taquin.engine.cpu.automaton` defines which are forbidden, and why pruning them is sound. This takes
two minutes.
"""

from __future__ import annotations

from typing import TypeAlias

from taquin.engine.cpu.automaton import (
    DOWN,
    LETTERS,
    LONGEST,
    RIGHT,
    STEPS,
    Box,
    Word,
    box_of,
    fits,
)

Cell: TypeAlias = tuple[int, int]
Effect: TypeAlias = tuple[Cell, frozenset[tuple[Cell, Cell]]]
"""Where the blank ends, and for each cell that then has another tile, the tile's first cell."""


def forbidden_words(rows: int, columns: int, length: int) -> tuple[Word, ...]:
    """Return the shortest forbidden strings of up to `length` moves that fit a rows × columns grid.

    No returned string contains another. The cost grows about 2.4-fold with each further move.
    """
    forbidden: set[Word] = set()
    earlier: dict[int, list[tuple[Box, Word]]] = {}
    level: list[Word] = [b""]
    for _ in range(length + 1):
        kept = []
        lengths = {len(word) for word in forbidden}
        for word in level:
            if any(word[-n:] in forbidden for n in lengths):
                continue
            box = box_of(word)
            if not fits(box, rows, columns):
                continue
            effect = _effect(word)
            # By hash, because the effects of all strings take too much memory.
            same_hash = earlier.setdefault(hash(effect), [])
            twins = (twin for other, twin in same_hash if _inside(other, box))
            if any(_effect(twin) == effect for twin in twins):
                forbidden.add(word)
            else:
                same_hash.append((box, word))
                kept.append(word)
        level = [word + step for word in kept for step in STEPS]
    return tuple(sorted(forbidden, key=lambda word: (len(word), word)))


def _effect(word: Word) -> Effect:
    row = column = 0
    tiles: dict[Cell, Cell] = {}
    for direction in word:
        cell = (row, column)
        row, column = row + DOWN[direction], column + RIGHT[direction]
        tiles[cell] = tiles.get((row, column), (row, column))
    tiles[row, column] = (row, column)
    displaced = frozenset([(cell, tile) for cell, tile in tiles.items() if cell != tile])
    return (row, column), displaced


def _inside(inner: Box, outer: Box) -> bool:
    (top, bottom, left, right), (highest, lowest, leftmost, rightmost) = inner, outer
    return top >= highest and bottom <= lowest and left >= leftmost and right <= rightmost


if __name__ == "__main__":
    for forbidden_word in forbidden_words(5, 5, LONGEST):
        print("".join(LETTERS[direction] for direction in forbidden_word))

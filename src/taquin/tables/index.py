"""Read one value of a pattern database, slowly and plainly.

The kernels do the same incrementally; this is how a search finds the values of its first board, and
what the tests compare the kernels with.
"""

from __future__ import annotations

from collections.abc import Sequence

from taquin.tables.build import Table
from taquin.tables.patterns import PatternKey


def rank(cells: int, where: Sequence[int]) -> int:
    """Return the number of an arrangement of different cells among all of its length.

    >>> [rank(3, pair) for pair in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))]
    [0, 1, 2, 3, 4, 5]
    """
    number = 0
    for i, cell in enumerate(where):
        number = number * (cells - i) + cell - sum(earlier < cell for earlier in where[:i])
    return number


def index_of(key: PatternKey, where: Sequence[int]) -> int:
    """Return the index of the value for tiles that stand in the cells `where`."""
    if key.ranked:
        return rank(key.cells, where)
    return sum(spots[cell] for cell, spots in zip(where, key.spots, strict=True))


def value_at(table: Table, index: int) -> int:
    """Return half of what the pattern needs beyond its Manhattan distance."""
    return int(table[index >> 1]) >> 4 * (index & 1) & 15

"""Statistics of pattern databases: exact counts over all configurations.

Here the value of a configuration is its complete cost: the Manhattan distance of its tiles plus
the excess in the table. `Distribution` describes any collection of estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2, perm
from typing import NamedTuple

from taquin.system.arrays import Matrix, int64, matrix, zeros
from taquin.system.kernels import kernel
from taquin.system.native import stack_array, widened
from taquin.tables.build import Table
from taquin.tables.patterns import PatternKey
from taquin.tables.retrograde import Bytes, Numbers, place
from taquin.tables.shape import Shape

_SLICE = 1 << 20
"""Placements counted between two calls of `progress`."""
UNREACHED = 15
"""The value of unreachable placements, and also the maximum value of all others."""
_MOST_COST = 512
"""An upper limit on the values of a table."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """A histogram of estimates."""

    counts: tuple[int, ...]
    """The number of configurations, or of boards, by their estimate."""

    @property
    def total(self) -> int:
        """The number of configurations or boards."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean estimate."""
        return sum(value * count for value, count in enumerate(self.counts)) / self.total

    @property
    def largest(self) -> int:
        """The largest estimate."""
        return len(self.counts) - 1

    @property
    def entropy(self) -> float:
        """The entropy of an estimate in bits: the limit of lossless compression per value."""
        shares = [count / self.total for count in self.counts if count]
        return -sum(share * log2(share) for share in shares)

    def eta(self, branching: float) -> float:
        """Return the mean of branching ** -estimate (Korf, Reid and Edelkamp 2001).

        A search to the bound d expands about eta · branching ** d nodes: lower is better.
        """
        return (
            sum(count * branching**-value for value, count in enumerate(self.counts)) / self.total
        )


class _Reading(NamedTuple):
    """The layout of a table."""

    cells: int
    tiles: int
    ranked: int
    halvings: int
    spots: Matrix[int64]
    """The term of each tile in the index, by its cell; unused if the index is a rank."""
    manhattan: Matrix[int64]
    """The Manhattan distance of each tile, by its cell."""


@kernel
def count_costs(table: Bytes, counts: Numbers, reading: _Reading, first: int, last: int) -> None:
    """Add to `counts` the costs of the placements `first` to `last` - 1 of all tiles but the last.

    Placements are numbered like ranks (`taquin.tables.patterns.rank`); the last tile goes through
    all free cells.
    """
    spots, manhattan = reading.spots, reading.manhattan
    tail = reading.tiles - 1
    where = stack_array(16, int64)
    for placement in range(first, last):
        taken = place(placement, reading.cells, tail, where)
        fixed = 0
        start = 0
        for tile in range(tail):
            fixed += manhattan[tile, where[tile]]
            start += spots[tile, where[tile]]
        rank = placement * (reading.cells - tail)
        for cell in range(reading.cells):
            if taken >> cell & 1:
                continue
            index = (rank if reading.ranked else start + spots[tail, cell]) >> reading.halvings
            value = widened(table[index >> 1]) >> 4 * (index & 1) & 15
            counts[fixed + manhattan[tail, cell] + 2 * value] += value < UNREACHED
            rank += 1


def distribution_of(
    key: PatternKey, table: Table, progress: Callable[[int, int], None] | None = None
) -> Distribution:
    """Return the distribution of the costs in a table; `progress` may abort by raising.

    Excluded are unreachable placements, which exist if a pattern has nearly all tiles, and the few
    that need 30 moves or more beyond their Manhattan distance.
    """
    shape = Shape(key.rows, key.columns, key.blank)
    cells = range(key.cells)
    distances = [[shape.manhattan(tile, cell) for cell in cells] for tile in key.tiles]
    reading = _Reading(
        key.cells,
        len(key.tiles),
        key.ranked,
        key.halvings,
        matrix(key.spots, int64),
        matrix(distances, int64),
    )
    counts = zeros(_MOST_COST, int64)
    placements = perm(key.cells, len(key.tiles) - 1)
    for first in range(0, placements, _SLICE):
        last = min(first + _SLICE, placements)
        count_costs(table, counts, reading, first, last)
        if progress is not None:
            progress(last, placements)
    by_cost = counts.tolist()
    while not by_cost[-1]:
        by_cost.pop()
    return Distribution(tuple(by_cost))

"""Dual look-ups: what tables say of the inverse of a board (Felner, Zahavi, Schaeffer, Holte 2005).

The inverse of a board is as many moves from its goal, and has the same Manhattan distance. A tile
of the inverse belongs in some cell of the board, and stands where the tile in that cell belongs:

        board   1 4 2      the inverse has its goal's blank in cell 3, where the board has the
                _ 3 5      blank. Its tile for cell 1 stands in cell 4, because 4 is in cell 1

So a look-up takes its digits from the cells of the board in the order of a pattern. The patterns
depend on the blank's cell, and change with every move: nothing of a value can be carried along, and
values may fall and rise by more than a move. Hence nodes are looked up by their inverses now and
then only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import factorial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.tables.patterns import Partition, PatternKey, table_for, table_set
from taquin.tables.shape import Cells, Shape

_PATTERNS, _TILES = 4, 8
"""Patterns of a partition, and tiles of a pattern, at most."""
_TABLES = 64
"""Tables, at most."""
DUAL_TABLES = ("dual_table", "<u8", _TABLES)
DUAL_FIELDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("dual_weight", "<u4", (_TILES + 2,)),
    ("dual_image", "u1", (16, 32)),
    ("dual_pattern", "u1", (32, _PATTERNS, _TILES + 4)),
)
"""Fields of the kernel's `Plan`: the tables' addresses, and after all addresses these."""


@dataclass(frozen=True, slots=True)
class DualPattern:
    """One pattern of the inverse boards whose blank belongs in one cell."""

    key: PatternKey
    """The table that serves it."""
    cells: Cells
    """The cells where its tiles belong, in the order of the table's digits, or of its labels."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""


Duals: TypeAlias = tuple[tuple[DualPattern, ...], ...]
"""The patterns of inverse boards, for each cell where the board has its blank; () for none."""
PartitionOf: TypeAlias = Callable[[Shape], Partition]
"""The patterns of a goal that is the smallest of its images."""


def small_partition(first: Shape) -> Partition:
    """Return the patterns of a goal that have small tables."""
    return table_set(first, "small")[0]


@cache
def dual_patterns(rows: int, columns: int, partition_of: PartitionOf) -> Duals:
    """Return the patterns of inverse boards of a grid.

    Patterns are those of `partition_of` the smallest image of each goal. Tables of large patterns
    have the orientation of that image, as those of ranked views.
    """
    by_blank = []
    for blank in range(rows * columns):
        first, to_first = min(Shape(rows, columns, blank).symmetries)
        patterns = []
        for tiles in sorted(partition_of(first), key=len, reverse=True):
            key, turn = table_for(first, tiles)
            if key.ranked:
                region = first.region(frozenset(tiles), first.blank)
                key = PatternKey(first.rows, first.columns, tiles, region[0])
                turn = tuple(range(first.size))
            image = tuple(turn[cell] for cell in to_first)
            patterns.append(DualPattern(key, tuple(map(image.index, key.tiles)), image))
        by_blank.append(tuple(patterns))
    return tuple(by_blank)


def dual_keys(duals: Duals) -> list[PatternKey]:
    """Return the tables that dual look-ups need, each once."""
    return list(dict.fromkeys(pattern.key for pattern in chain(*duals)))


def dual_sizes(duals: Duals) -> Cells:
    """Return the most tiles that the first pattern of a blank has, the second, and so on."""
    sizes = [0] * _PATTERNS
    for patterns in duals:
        for number, pattern in enumerate(patterns):
            sizes[number] = max(sizes[number], len(pattern.cells))
    return tuple(sizes)


def fill_dual_fields(
    plan: NDArray[np.void],
    shape: Shape,
    duals: Duals,
    bits: int,
    address: Callable[[PatternKey | None], int],
) -> None:
    """Write what the kernel needs for dual look-ups; the address of None is that of zeros."""
    keys = [None, *dual_keys(duals)]
    assert len(keys) <= _TABLES, "the struct has a place for each table"
    plan["dual_table"][: len(keys)] = list(map(address, keys))
    plan["dual_weight"][1:] = [factorial(later) for later in range(_TILES + 1)]
    sizes = dual_sizes(duals)
    images: dict[Cells, int] = {}
    per_word = 32 // bits
    word_and_bit = [cell // per_word << 5 | cell % per_word * bits for cell in range(shape.size)]
    for blank, patterns in enumerate(duals):
        entries = plan["dual_pattern"][blank]
        # The blank's name is 0, and so is its digit: it fills places without a tile.
        entries[:, :_TILES] = word_and_bit[blank]
        for entry, pattern, size in zip(entries, patterns, sizes, strict=False):
            first = size - len(pattern.cells)
            assert not (first and pattern.key.ranked), "large patterns are equally large"
            entry[first:size] = [word_and_bit[cell] for cell in pattern.cells]
            entry[_TILES] = images.setdefault(pattern.image, len(images))
            entry[_TILES + 1] = keys.index(pattern.key)
    for image, number in images.items():
        names = range(1, shape.size)
        plan["dual_image"][number, 1 : shape.size] = [image[shape.home_of(n)] for n in names]

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
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from taquin.tables.patterns import DIRECT_TILES, PatternKey, table_for, table_set
from taquin.tables.shape import Cells, Shape

_PATTERNS = 4
"""Patterns of a partition, at most."""
_TABLES = 64
"""Tables, at most."""
DUAL_TABLES = ("dual_table", "<u8", _TABLES)
DUAL_FIELDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("dual_image", "u1", (8, 32)),
    ("dual_pattern", "u1", (32, _PATTERNS, DIRECT_TILES + 2)),
)
"""Fields of the kernel's `Plan`: the tables' addresses, and after all addresses these."""


@dataclass(frozen=True, slots=True)
class DualPattern:
    """One pattern of the inverse boards whose blank belongs in one cell."""

    key: PatternKey
    """The table that serves it."""
    cells: Cells
    """The cells where its tiles belong, in the order of the table's digits."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""


def dual_patterns(shape: Shape) -> list[list[DualPattern]]:
    """Return the patterns of inverse boards, for each cell where the board has its blank."""
    by_blank = []
    for blank in range(shape.size):
        goal = Shape(shape.rows, shape.columns, blank)
        served = [table_for(goal, pattern) for pattern in table_set(goal, "small")[0]]
        by_blank.append(
            [
                DualPattern(key, tuple(image.index(cell) for cell in key.tiles), image)
                for key, image in served
            ]
        )
    return by_blank


def dual_keys(shape: Shape) -> list[PatternKey]:
    """Return the tables that dual look-ups need, each once."""
    return list(dict.fromkeys(pattern.key for pattern in chain(*dual_patterns(shape))))


def fill_dual_fields(
    plan: NDArray[np.void], shape: Shape, bits: int, address: Callable[[PatternKey | None], int]
) -> None:
    """Write what the kernel needs for dual look-ups; the address of None is that of zeros."""
    keys = [None, *dual_keys(shape)]
    assert len(keys) <= _TABLES, "the struct has a place for each table"
    plan["dual_table"][: len(keys)] = list(map(address, keys))
    images: dict[Cells, int] = {}
    per_word = 32 // bits
    word_and_bit = [cell // per_word << 5 | cell % per_word * bits for cell in range(shape.size)]
    for blank, patterns in enumerate(dual_patterns(shape)):
        entries = plan["dual_pattern"][blank]
        # The blank's name is 0, and so is its digit: it fills places without a tile.
        entries[:, :DIRECT_TILES] = word_and_bit[blank]
        for entry, pattern in zip(entries, patterns, strict=False):
            first = DIRECT_TILES - len(pattern.cells)
            entry[first:DIRECT_TILES] = [word_and_bit[cell] for cell in pattern.cells]
            entry[DIRECT_TILES] = images.setdefault(pattern.image, len(images))
            entry[DIRECT_TILES + 1] = keys.index(pattern.key)
    for image, number in images.items():
        names = range(1, shape.size)
        plan["dual_image"][number, 1 : shape.size] = [image[shape.home_of(n)] for n in names]

"""The records of the kernels that build pattern databases; `kernels/tables.c` describes how.

`build.py` fills them: all sets of cells, the steps between them, and what is reached by level.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.system.arrays import Array, Matrix, int32, int64, uint8, uint16, uint64
from taquin.system.compiled import Compiled

UNREACHED = 255
"""The level of a configuration that has not been reached."""


class GridMasks(NamedTuple):
    """A grid, and bit masks of its cells: all, all but the last column, all but the first."""

    cells: int
    columns: int
    all: int
    not_last: int
    not_first: int


class CountRegions(NamedTuple):
    """The number of the blank's regions for each set of cells."""

    bits: Array[int64]
    counts: Array[int64]
    grid: GridMasks
    first: int
    last: int


class CellSets(NamedTuple):
    """All sets of k cells, in the order of their bits."""

    grid: GridMasks
    bits: Array[int64]
    """The bit mask of each set."""
    begins: Array[int64]
    """The index of each set's first bitmap, then the total number of bitmaps."""
    choose: Matrix[int64]
    """Binomial coefficients, from which the number of a set is computed."""


class Links(NamedTuple):
    """The steps that lead to each bitmap."""

    steps: Matrix[int64]
    """For each set, the source bitmaps of its steps, each with the number of a permutation."""
    ends: Array[int32]
    """The end of the steps to each bitmap."""


class LinkSets(NamedTuple):
    """The steps that lead to each set of cells."""

    sets: CellSets
    numbers: Matrix[int64]
    """The number of a permutation by the tile's places before and after."""
    links: Links
    first: int
    last: int


class Reached(NamedTuple):
    """The configurations reached: bitmaps of the last level of their parity, and of all levels."""

    front: Matrix[uint64]
    seen: Matrix[uint64]
    lives: Array[uint8]
    """Whether a bitmap of the front is not empty."""
    levels: Matrix[uint8]
    """For each set and order, the minimum cost."""
    odd: Array[uint8]
    """The parity of each set."""


class Reach(NamedTuple):
    """The configurations at the next cost."""

    begins: Array[int64]
    """As in `CellSets`."""
    links: Links
    permutations: Matrix[uint16]
    """Each permuted order."""
    reached: Reached
    level: int
    alive: int
    """The result: the number of bitmaps that have any configurations at this level."""
    first: int
    last: int


class RankOrders(NamedTuple):
    """The rank (see `taquin.tables.patterns.rank`) of each list of cells in each order."""

    lists: Matrix[uint8]
    orders: Matrix[uint8]
    among: int
    ranks: Matrix[int32]


class Packing(NamedTuple):
    """The mapping of levels to the values of a table.

    The cells of the first few tiles are a *placement*, and the ranks of a placement are a block.
    The other tiles occupy a *part* of the free cells, which are renumbered from 0, so that the
    parts are the same for all placements.
    """

    cells: int
    tiles: int
    placed: int
    """The number of tiles in a placement."""
    ranked: int
    """Whether the table is indexed by rank."""
    choose: Matrix[int64]
    parts: Matrix[uint8]
    """The free cells of every part."""
    ranks: Matrix[int32]
    """For each part and order in it, the rank in the block."""
    heads: Matrix[uint8]
    """The free cells of all tiles of a part but the last, in the order of ranks."""
    spots: Matrix[int64]
    """The term of each tile in the index, by its cell; unused if the index is a rank."""
    manhattan: Matrix[int64]
    """The Manhattan distance of each tile, by its cell."""


class Pack(NamedTuple):
    """The values of a table, from the cost of each set and order."""

    levels: Matrix[uint8]
    table: Array[uint8]
    packing: Packing
    first: int
    last: int


count_regions = Compiled("count_regions", CountRegions)
link_sets = Compiled("link_sets", LinkSets)
reach_sets = Compiled("reach_sets", Reach)
rank_orders = Compiled("rank_orders", RankOrders)
pack_table = Compiled("pack_table", Pack)

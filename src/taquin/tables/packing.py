"""Convert the costs that `retrograde.py` finds to the values of a pattern database.

A value is half of the excess of a configuration's cost over its Manhattan distance. Costs are
ordered by sets of cells; values are ordered by the table's index, two per byte.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.system.arguments import Matrix
from taquin.system.arrays import int32, int64, uint8, uint16
from taquin.system.kernels import kernel
from taquin.system.native import inlined, stack_array, widened
from taquin.tables.retrograde import Bytes, Numbers, cells_below, number_of_set

_MOST = 15
"""The maximum value of a table."""


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


@kernel
def rank_orders(
    lists: Matrix[uint8], orders: Matrix[uint8], among: int, ranks: Matrix[uint16] | Matrix[int32]
) -> None:
    """Write the rank (see `taquin.tables.patterns.rank`) of each list of cells in each order."""
    size = lists.shape[1]
    for number in range(len(lists)):
        for order in range(len(orders)):
            rank = 0
            for place in range(size):
                cell = lists[number, orders[order, place]]
                digit = widened(cell)
                for earlier in range(place):
                    digit -= lists[number, orders[order, earlier]] < cell
                rank = rank * (among - place) + digit
            ranks[number, order] = rank


@inlined
def _place(packing: Packing, placement: int, where: Numbers, left: Numbers) -> tuple[int, int]:
    """Write the cells of a placement and the free cells; return the former as a set, and a count.

    The count is the number of free cells.
    """
    cells = packing.cells
    rest = placement
    for tile in range(packing.placed - 1, -1, -1):
        where[tile] = rest % (cells - tile)
        rest //= cells - tile
    taken = 0
    for tile in range(packing.placed):
        # The digit counts free cells only.
        cell = 0
        while True:
            if taken >> cell & 1 == 0:
                if where[tile] == 0:
                    break
                where[tile] -= 1
            cell += 1
        where[tile] = cell
        taken |= 1 << cell
    free = 0
    for cell in range(cells):
        if taken >> cell & 1 == 0:
            left[free] = cell
            free += 1
    return taken, free


@inlined
def _order_of(where: Numbers, cells: int, packing: Packing, factorial: Numbers) -> int:
    """Return the first order in a set of cells that is consistent with a placement."""
    order = 0
    for tile in range(packing.placed):
        digit = cells_below(cells, where[tile])
        for other in range(tile):
            digit -= where[other] < where[tile]
        order += digit * factorial[packing.tiles - 1 - tile]
    return order


@kernel
def pack(levels: Matrix[uint8], table: Bytes, packing: Packing, first: int, last: int) -> None:
    """Write the values of the placements `first` to `last` - 1 into the table.

    `levels` has the cost of each set and order; the orders of a part are adjacent. A value is half
    of the cost beyond Manhattan distance, 15 at most.
    """
    parts, ranks, heads = packing.parts, packing.ranks, packing.heads
    spots, manhattan, placed = packing.spots, packing.manhattan, packing.placed
    block = ranks.size
    factorial = stack_array(16, int64)
    factorial[0] = 1
    for i in range(1, 16):
        factorial[i] = factorial[i - 1] * i
    where = stack_array(16, int64)
    left = stack_array(32, int64)
    values = stack_array(block, uint8)
    tail = packing.tiles - 1
    for placement in range(first, last):
        taken, free = _place(packing, placement, where, left)

        for piece in range(len(parts)):
            cells = taken
            for i in range(parts.shape[1]):
                cells |= 1 << left[parts[piece, i]]
            number = number_of_set(cells, packing.choose)
            order = _order_of(where, cells, packing, factorial)
            for i in range(ranks.shape[1]):
                values[ranks[piece, i]] = levels[number, order + i]

        fixed = 0
        index = 0
        for tile in range(placed):
            fixed += manhattan[tile, where[tile]]
            index += spots[tile, where[tile]]
        rank = 0
        for head in range(len(heads)):
            distance = fixed
            start = index
            occupied = 0
            for i in range(heads.shape[1]):
                cell = left[heads[head, i]]
                occupied |= 1 << cell
                distance += manhattan[placed + i, cell]
                start += spots[placed + i, cell]
            for i in range(free):
                cell = left[i]
                if occupied >> cell & 1:
                    continue
                beyond = widened(values[rank]) - distance - manhattan[tail, cell]
                value = min(beyond >> 1, _MOST)
                values[rank] = value
                rank += 1
                if not packing.ranked:
                    spot = start + spots[tail, cell]
                    table[spot >> 1] ^= uint8((_MOST ^ value) << ((spot & 1) << 2))
        if packing.ranked:
            start = placement * block >> 1
            for i in range(block >> 1):
                table[start + i] = values[2 * i] | values[2 * i + 1] << uint8(4)

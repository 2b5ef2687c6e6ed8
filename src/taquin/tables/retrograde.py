"""Build one pattern database: costs by breadth-first search backwards from the goal, then values.

A *configuration* is a placement of the k tiles of the pattern; the blank moves for free through all
other cells. It consists of a *set of cells* and an *order* of the tiles in them; which moves are
possible depends on the set only.

    x . a .       the set {0 2 5 6} and the order x a b c
    . b c .       regions of the blank: {1}, {3 7} and {4}; each has a bitmap over all k! orders,
                  with a bit for every order that is reached with the blank in that region

A step of a tile into a region maps one bitmap to another. If the tile passes no other tile, as in
every step sideways, the orders do not change: the step copies the bitmap, 64 configurations at a
time. If it passes some, as `a` passes b and c on its way down, all orders are permuted in the same
way.

A level is *pulled* (`sweep`): the bitmap of each set and region gathers its predecessors in the
previous level, so no two threads write the same word. A step changes the parity of the set, so the
bitmaps of the previous and of the next level never belong to the same set, and one array contains
both.

Sets are numbered in the order of their bits, orders as by `itertools.permutations`; `order[i]` is
the place of tile i among the cells of the set.

`pack` converts costs to the values of a table. A value is half of the excess of a configuration's
cost over its Manhattan distance. Costs are ordered by sets of cells; values are ordered by the
table's index, two per byte.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from taquin.system.arrays import Array, Matrix, int32, int64, uint8, uint16, uint64
from taquin.system.kernels import kernel
from taquin.system.native import count_bits, inlined, lowest_bit, part, stack_array, widened

Numbers: TypeAlias = Array[int64]
Bitmaps: TypeAlias = Array[uint64]
Bytes: TypeAlias = Array[uint8]

UNREACHED = 255
"""The level of a configuration that has not been reached."""

_Word = uint64
_NONE, _BIT, _PLACES = _Word(0), _Word(1), _Word(63)
"""A word of 0, a word of 1, and the mask of a bit's position in a word."""
_WORD_BITS = 6
"""Binary logarithm of the bits of a word."""
_SOURCE, _PERMUTATION = (1 << 32) - 1, 32
"""Of a step: the mask of its source bitmap, and the shift of its permutation."""


class GridMasks(NamedTuple):
    """A grid, and bit masks of its cells: all, all but the last column, all but the first."""

    cells: int
    columns: int
    all: int
    not_last: int
    not_first: int


class CellSets(NamedTuple):
    """All sets of k cells, in the order of their bits."""

    grid: GridMasks
    bits: Numbers
    """The bit mask of each set."""
    begins: Numbers
    """The index of each set's first bitmap, then the total number of bitmaps."""
    choose: Matrix[int64]
    """Binomial coefficients, from which the number of a set is computed."""


class Links(NamedTuple):
    """The steps that lead to each bitmap."""

    steps: Matrix[int64]
    """For each set, the source bitmaps of its steps, each with the number of a permutation."""
    ends: Array[int32]
    """The end of the steps to each bitmap."""


class Reached(NamedTuple):
    """The configurations reached: bitmaps of the last level of their parity, and of all levels."""

    front: Matrix[uint64]
    seen: Matrix[uint64]
    lives: Bytes
    """Whether a bitmap of the front is not empty."""
    levels: Matrix[uint8]
    """For each set and order, the minimum cost."""
    odd: Bytes
    """The parity of each set."""


@part
def cells_below(cells: int, cell: int) -> int:
    """Return the number of cells of a set before `cell`."""
    return widened(count_bits(_Word(cells & (1 << cell) - 1)))


@part
def _lowest(cells: int) -> int:
    """Return the first cell of a set."""
    return widened(lowest_bit(_Word(cells)))


@part
def number_of_set(cells: int, choose: Numbers) -> int:
    """Return the number of a set among all of its size."""
    number = 0
    place = 1
    rest = cells
    while rest:
        number += choose[_lowest(rest), place]
        rest &= rest - 1
        place += 1
    return number


@part
def _region(free: int, cell: int, grid: GridMasks) -> int:
    """Return the free cells that the blank reaches from `cell`."""
    region = 1 << cell
    while True:
        grown = region | region << grid.columns | region >> grid.columns
        grown |= (region & grid.not_last) << 1 | (region & grid.not_first) >> 1
        grown &= free
        if grown == region:
            return region
        region = grown


@kernel
def count_regions(bits: Numbers, counts: Numbers, grid: GridMasks, first: int, last: int) -> None:
    """Write the number of regions of the sets `first` to `last` - 1."""
    for number in range(first, last):
        free = grid.all & ~bits[number]
        while free:
            counts[number] += 1
            free ^= _region(free, _lowest(free), grid)


@part
def _bitmap_before(before: int, blank: int, sets: CellSets) -> int:
    """Return the bitmap of the set `before` with the blank in a cell."""
    bitmap = widened(sets.begins[number_of_set(before, sets.choose)])
    free = sets.grid.all & ~before
    while True:
        region = _region(free, _lowest(free), sets.grid)
        if region >> blank & 1:
            return bitmap
        free ^= region
        bitmap += 1


@kernel
def link(sets: CellSets, numbers: Matrix[int64], links: Links, first: int, last: int) -> None:
    """Write the steps that lead to the sets `first` to `last` - 1.

    `numbers` has the number of a permutation by the tile's places before and after.
    """
    grid = sets.grid
    columns = grid.columns
    offsets = (-columns, -1, 1, columns)
    for number in range(first, last):
        taken = widened(sets.bits[number])
        free = grid.all & ~taken
        bitmap = sets.begins[number]
        end = 0
        while free:
            region = _region(free, _lowest(free), grid)
            free ^= region
            rest = region
            while rest:
                # The step moved a tile from `blank` to `cell`, and the blank the other way.
                blank = _lowest(rest)
                rest &= rest - 1
                for direction in range(4):
                    cell = blank + offsets[direction]
                    if not 0 <= cell < grid.cells or taken >> cell & 1 == 0:
                        continue
                    is_sideways = direction == 1 or direction == 2
                    if is_sideways and cell // columns != blank // columns:
                        continue
                    before = taken ^ 1 << cell ^ 1 << blank
                    source = _bitmap_before(before, cell, sets)
                    permutation = numbers[cells_below(before, blank), cells_below(taken, cell)]
                    links.steps[number, end] = source | permutation << _PERMUTATION
                    end += 1
            links.ends[bitmap] = end
            bitmap += 1


@inlined
def _gather(front: Bitmaps, source: int, orders: Array[uint16], gathered: Bitmaps) -> None:
    """Add the configurations of a bitmap with permuted orders."""
    for word in range(len(gathered)):
        bits = front[source, word]
        while bits:
            order = orders[(word << _WORD_BITS) + widened(lowest_bit(bits))]
            gathered[order >> _WORD_BITS] |= _BIT << (_Word(order) & _PLACES)
            bits &= bits - _BIT


@inlined
def _write_level(reached: Reached, number: int, bitmap: int, word: int, level: int) -> int:
    """Write the level of configurations that no region had before; return their number."""
    fresh = reached.front[bitmap, word]
    count = 0
    while fresh:
        order = (word << _WORD_BITS) + widened(lowest_bit(fresh))
        if reached.levels[number, order] == UNREACHED:
            reached.levels[number, order] = level
            count += 1
        fresh &= fresh - _BIT
    return count


@kernel
def sweep(
    begins: Numbers,
    links: Links,
    permutations: Matrix[uint16],
    reached: Reached,
    level: int,
    first: int,
    last: int,
) -> tuple[int, int]:
    """Reach the configurations of the sets `first` to `last` - 1 at cost `level`.

    `begins` is as in `CellSets`; `permutations` has each permuted order. Return the number of new
    configurations, and of bitmaps that have any at this level.
    """
    front, seen, lives = reached.front, reached.seen, reached.lives
    words = front.shape[1]
    gathered = stack_array(words, uint64)
    count = 0
    alive = 0
    for number in range(first, last):
        if reached.odd[number] != level & 1:
            continue
        begin = 0
        for bitmap in range(begins[number], begins[number + 1]):
            touched = False
            for step in range(begin, links.ends[bitmap]):
                source = links.steps[number, step] & _SOURCE
                if not lives[source]:
                    continue
                if not touched:
                    touched = True
                    gathered[:] = _NONE
                permutation = links.steps[number, step] >> _PERMUTATION
                if permutation == 0:
                    for word in range(words):
                        gathered[word] |= front[source, word]
                else:
                    _gather(front, source, permutations[permutation], gathered)
            begin = links.ends[bitmap]
            lives[bitmap] = 0
            if not touched:
                continue
            for word in range(words):
                fresh = gathered[word] & ~seen[bitmap, word]
                front[bitmap, word] = fresh
                if fresh == _NONE:
                    continue
                seen[bitmap, word] |= fresh
                lives[bitmap] = 1
                count += _write_level(reached, number, bitmap, word, level)
            alive += lives[bitmap]
    return count, alive


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
def place(placement: int, cells: int, tiles: int, where: Numbers) -> int:
    """Write the cells of the tiles of a placement, a rank; return them as a set."""
    rest = placement
    for tile in range(tiles - 1, -1, -1):
        where[tile] = rest % (cells - tile)
        rest //= cells - tile
    taken = 0
    for tile in range(tiles):
        # The digit counts free cells only.
        cell = 0
        while taken >> cell & 1 or where[tile]:
            where[tile] -= taken >> cell & 1 == 0
            cell += 1
        where[tile] = cell
        taken |= 1 << cell
    return taken


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
        taken = place(placement, packing.cells, placed, where)
        free = 0
        for cell in range(packing.cells):
            if taken >> cell & 1 == 0:
                left[free] = cell
                free += 1

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

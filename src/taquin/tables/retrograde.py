"""Build one pattern database by breadth-first search backwards from the goal.

A *configuration* says where the k tiles of the pattern stand; every other tile is a blur through
which the blank walks for free. It is taken here as a *set of cells* and an *order* of the tiles in
them, because all that is difficult depends on the set alone:

    x . a .       the set {0 2 5 6} and the order x a b c
    . b c .       regions of the blank: {1}, {3 7} and {4}: each has a bitmap of its own over all
                  k! orders, with a bit for every order that is reached with the blank in there

A tile that steps into a region leads from one such bitmap to another. If it passes no other tile,
as in every step sideways, all orders stay what they are: the step takes the whole bitmap along, 64
configurations at a time. If it passes some, as `a` passes b and c on its way down, every order
changes by the same permutation of orders.

A level is *pulled*: the bitmap of each set and region gathers what steps lead to it from the last
level's, so no two threads write the same word. A step changes the parity of the set, so that the
last level's bitmaps and the next one's are never those of the same set, and one array has both.

Sets are numbered in the order of their bits, orders as `itertools.permutations` has them, where
`order[i]` is the place of tile i among the cells of the set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.system.kernels import kernel
from taquin.system.native import count_bits, inlined, lowest_bit, part, stack_array, widened

UNREACHED = 255
"""The level of a configuration that no move leads to."""

_Word = np.uint64
_NONE, _BIT, _PLACES = _Word(0), _Word(1), _Word(63)
"""No bit, the lowest one, and the bits of a place in a word."""
_WORD_BITS = 6
"""Binary logarithm of the bits of a word."""
_SOURCE, _TURN = (1 << 32) - 1, 32
"""Of a step, the bits of the bitmap that it comes from, and the first bit of its permutation."""
_MOST = 15
"""The greatest value of a table."""


class Grid(NamedTuple):
    """The cells of a grid, and three sets of them as bits."""

    cells: int
    columns: int
    all: int
    not_last: int
    """All but those of the last column."""
    not_first: int
    """All but those of the first column."""


class Sets(NamedTuple):
    """All sets of so many cells, in the order of their bits."""

    grid: Grid
    bits: NDArray[np.int64]
    """The cells of each set."""
    begins: NDArray[np.int64]
    """The number of each set's first bitmap; there is one more at the end."""
    choose: NDArray[np.int64]
    """The binomials, by which a set finds its number."""


class Links(NamedTuple):
    """The steps that lead to each bitmap."""

    steps: NDArray[np.int64]
    """For each set, one after the other, the bitmaps that lead to its own, each with the number of
    a permutation of orders from bit 32 on."""
    ends: NDArray[np.int32]
    """Where those to each bitmap end."""


class Reached(NamedTuple):
    """What has been reached."""

    front: NDArray[np.uint64]
    """Each bitmap as it is at the last level of its parity."""
    seen: NDArray[np.uint64]
    """The configurations of each bitmap that were reached at any level."""
    lives: NDArray[np.uint8]
    """Whether a bitmap of the front is not empty."""
    levels: NDArray[np.uint8]
    """For each set and order, the least cost."""
    odd: NDArray[np.uint8]
    """The parity of each set."""


class Packing(NamedTuple):
    """How levels become the values of a table.

    The tiles are placed one after the other. The first few of them make a *placement*, and the
    ranks of a placement are a block. Of the cells it leaves free, numbered without gaps, the tiles
    that are left take a *part*: what there is to know of parts is the same for all placements.
    """

    cells: int
    tiles: int
    placed: int
    """The tiles of a placement."""
    ranked: int
    """Whether the table is indexed by rank."""
    choose: NDArray[np.int64]
    """The binomials, by which a set finds its number."""
    parts: NDArray[np.uint8]
    """Every part, as free cells."""
    ranks: NDArray[np.int32]
    """For each part and order in it, the rank in the block."""
    heads: NDArray[np.uint8]
    """The free cells of all tiles of a part but the last, as ranks rise."""
    spots: NDArray[np.int64]
    """What each tile adds to the index by its cell, where that is not a rank."""
    manhattan: NDArray[np.int64]
    """How far each tile is from home, by its cell."""


@part
def _below(cells: int, cell: int) -> int:
    """Return how many of the cells of a set come before `cell`."""
    return widened(count_bits(_Word(cells & (1 << cell) - 1)))


@part
def _lowest(cells: int) -> int:
    """Return the first cell of a set."""
    return widened(lowest_bit(_Word(cells)))


@part
def _number_of(cells: int, choose: NDArray[np.int64]) -> int:
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
def _region(free: int, cell: int, grid: Grid) -> int:
    """Return the part of the free cells that the blank reaches from `cell`."""
    found = 1 << cell
    while True:
        grown = found | found << grid.columns | found >> grid.columns
        grown |= (found & grid.not_last) << 1 | (found & grid.not_first) >> 1
        grown &= free
        if grown == found:
            return found
        found = grown


@kernel
def count_regions(
    bits: NDArray[np.int64], counts: NDArray[np.int64], grid: Grid, first: int, last: int
) -> None:
    """Enter the number of regions of the sets `first` to `last` - 1."""
    for number in range(first, last):
        free = grid.all & ~bits[number]
        while free:
            counts[number] += 1
            free ^= _region(free, _lowest(free), grid)


@part
def _bitmap_before(before: int, blank: int, sets: Sets) -> int:
    """Return the bitmap of a set with the blank in a cell."""
    bitmap = widened(sets.begins[_number_of(before, sets.choose)])
    free = sets.grid.all & ~before
    while True:
        region = _region(free, _lowest(free), sets.grid)
        if region >> blank & 1:
            return bitmap
        free ^= region
        bitmap += 1


@kernel
def link(sets: Sets, permutation: NDArray[np.int64], links: Links, first: int, last: int) -> None:
    """Enter the steps that lead to the sets `first` to `last` - 1.

    `permutation` has the number of a permutation by the tile's places before and after.
    """
    grid = sets.grid
    columns = grid.columns
    # The blank's steps, and from where they do not lead off the grid.
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
                # The blank came from `there`, whose tile stood here.
                here = _lowest(rest)
                rest &= rest - 1
                for direction in range(4):
                    there = here + offsets[direction]
                    if not 0 <= there < grid.cells or taken >> there & 1 == 0:
                        continue
                    if direction == 1 and here % columns == 0:
                        continue
                    if direction == 2 and there % columns == 0:
                        continue
                    before = taken ^ 1 << there ^ 1 << here
                    source = _bitmap_before(before, there, sets)
                    turn = permutation[_below(before, here), _below(taken, there)]
                    links.steps[number, end] = source | turn << _TURN
                    end += 1
            links.ends[bitmap] = end
            bitmap += 1


@inlined
def _gather(
    front: NDArray[np.uint64], source: int, orders: NDArray[np.uint16], gathered: NDArray[np.uint64]
) -> None:
    """Add the configurations of a bitmap, each by what becomes of its order."""
    for word in range(len(gathered)):
        bits = front[source, word]
        while bits:
            order = orders[(word << _WORD_BITS) + widened(lowest_bit(bits))]
            gathered[order >> _WORD_BITS] |= _BIT << (_Word(order) & _PLACES)
            bits &= bits - _BIT


@inlined
def _settle(reached: Reached, number: int, bitmap: int, word: int, level: int) -> int:
    """Enter what a word of a bitmap has for the first time; return how much is new in all."""
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
    begins: NDArray[np.int64],
    links: Links,
    permutations: NDArray[np.uint16],
    reached: Reached,
    level: int,
    first: int,
    last: int,
) -> tuple[int, int]:
    """Reach what is at cost `level` of the sets `first` to `last` - 1.

    `begins` is that of `Sets`, `permutations` has what becomes of each order. Return how many
    configurations were reached for the first time, and how many bitmaps have any at this level.
    """
    front, seen, lives = reached.front, reached.seen, reached.lives
    words = front.shape[1]
    gathered = stack_array(words, np.uint64)
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
                turn = links.steps[number, step] >> _TURN
                if turn == 0:
                    for word in range(words):
                        gathered[word] |= front[source, word]
                else:
                    _gather(front, source, permutations[turn], gathered)
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
                count += _settle(reached, number, bitmap, word, level)
            alive += lives[bitmap]
    return count, alive


@inlined
def _place(
    packing: Packing, placement: int, where: NDArray[np.int64], left: NDArray[np.int64]
) -> tuple[int, int]:
    """Enter the cells of a placement's tiles, and those left free; return the set, and how many."""
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
def _order_of(
    where: NDArray[np.int64], cells: int, packing: Packing, factorial: NDArray[np.int64]
) -> int:
    """Return the first of the orders in a set that have the tiles of a placement where they are."""
    order = 0
    for tile in range(packing.placed):
        digit = _below(cells, where[tile])
        for other in range(tile):
            digit -= where[other] < where[tile]
        order += digit * factorial[packing.tiles - 1 - tile]
    return order


@kernel
def pack(
    levels: NDArray[np.uint8], table: NDArray[np.uint8], packing: Packing, first: int, last: int
) -> None:
    """Enter into the table what belongs to the placements `first` to `last` - 1.

    `levels` has the cost of each set and order; the orders of a part lie side by side there. A
    value is half of what the level is beyond Manhattan distance, cut off at 15.
    """
    parts, ranks, heads = packing.parts, packing.ranks, packing.heads
    spots, manhattan, placed = packing.spots, packing.manhattan, packing.placed
    block = ranks.size
    factorial = stack_array(16, np.int64)
    factorial[0] = 1
    for i in range(1, 16):
        factorial[i] = factorial[i - 1] * i
    where = stack_array(16, np.int64)
    left = stack_array(32, np.int64)
    values = stack_array(block, np.uint8)
    tail = packing.tiles - 1
    for placement in range(first, last):
        taken, free = _place(packing, placement, where, left)

        for piece in range(len(parts)):
            cells = taken
            for i in range(parts.shape[1]):
                cells |= 1 << left[parts[piece, i]]
            number = _number_of(cells, packing.choose)
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
            walked = fixed
            start = index
            held = 0
            for i in range(heads.shape[1]):
                cell = left[heads[head, i]]
                held |= 1 << cell
                walked += manhattan[placed + i, cell]
                start += spots[placed + i, cell]
            for i in range(free):
                cell = left[i]
                if held >> cell & 1:
                    continue
                beyond = widened(values[rank]) - walked - manhattan[tail, cell]
                value = min(beyond >> 1, _MOST)
                values[rank] = value
                rank += 1
                if not packing.ranked:
                    spot = start + spots[tail, cell]
                    table[spot >> 1] ^= np.uint8((_MOST ^ value) << ((spot & 1) << 2))
        if packing.ranked:
            start = placement * block >> 1
            for i in range(block >> 1):
                table[start + i] = values[2 * i] | values[2 * i + 1] << np.uint8(4)

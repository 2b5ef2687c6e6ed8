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

A kernel takes its arrays one by one, more than eight: Numba knows each by its type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.system.kernels import kernel
from taquin.system.native import lowest_bit, part, room

UNREACHED = 255
"""The level of a configuration that no move leads to."""

_U = np.uint64
_0, _1, _6, _63 = (_U(n) for n in (0, 1, 6, 63))


@part
def _below(cells: Any, cell: Any) -> Any:
    """Return how many of the cells of a set come before `cell`."""
    rest = cells & (1 << cell) - 1
    count = 0
    while rest:
        rest &= rest - 1
        count += 1
    return count


@part
def _number_of(cells: Any, choose: Any) -> Any:
    """Return the number of a set among all of its size; `choose` has the binomials."""
    number = 0
    place = 1
    rest = cells
    while rest:
        number += choose[lowest_bit(_U(rest)), place]
        rest &= rest - 1
        place += 1
    return number


@part
def _region(free: Any, cell: Any, numbers: Any) -> Any:
    """Return the part of the free cells that the blank reaches from `cell`."""
    columns, not_last, not_first = numbers[1], numbers[3], numbers[4]
    found = np.int64(1) << cell
    while True:
        grown = found | found << columns | found >> columns
        grown |= (found & not_last) << 1 | (found & not_first) >> 1
        grown &= free
        if grown == found:
            return found
        found = grown


@kernel
def count_regions(sets: Any, counts: Any, numbers: Any, first: int, last: int) -> None:
    """Enter the number of regions of the sets `first` to `last` - 1.

    `numbers` holds cells, columns, and three masks: all cells, all but the last column, all but
    the first.
    """
    for one in range(first, last):
        free = numbers[2] & ~sets[one]
        while free:
            counts[one] += 1
            free ^= _region(free, lowest_bit(_U(free)), numbers)


@kernel
def link(
    sets: Any,
    begins: Any,
    numbers: Any,
    choose: Any,
    permutation: Any,
    steps: Any,
    ends: Any,
    first: int,
    last: int,
) -> None:
    """Enter the steps that lead to the sets `first` to `last` - 1.

    `begins` has the number of each set's first bitmap. `steps[set]` becomes, one after the other,
    the bitmaps that lead to those of the set, each with the number of a permutation of orders in
    the bits from 32 on, as `permutation` has it by the tile's places before and after; `ends` is
    where those to each bitmap end.
    """
    columns, full = numbers[1], numbers[2]
    # The blank's steps, and from where they do not lead off the grid.
    offsets = (-columns, np.int64(-1), np.int64(1), columns)
    for one in range(first, last):
        taken = sets[one]
        free = full & ~taken
        bitmap = begins[one]
        end = 0
        while free:
            region = _region(free, lowest_bit(_U(free)), numbers)
            free ^= region
            rest = region
            while rest:
                # The blank came from `there`, whose tile stood here.
                here = np.int64(lowest_bit(_U(rest)))
                rest &= rest - 1
                for direction in range(4):
                    there = here + offsets[direction]
                    if not 0 <= there < numbers[0] or taken >> there & 1 == 0:
                        continue
                    if direction == 1 and here % columns == 0:
                        continue
                    if direction == 2 and there % columns == 0:
                        continue
                    before = taken ^ np.int64(1) << there ^ np.int64(1) << here
                    other = _number_of(before, choose)
                    source = begins[other]
                    others = full & ~before
                    while True:
                        one_region = _region(others, lowest_bit(_U(others)), numbers)
                        if one_region >> there & 1:
                            break
                        others ^= one_region
                        source += 1
                    turn = permutation[_below(before, here), _below(taken, there)]
                    steps[one, end] = source | turn << 32
                    end += 1
            ends[bitmap] = end
            bitmap += 1


@kernel
def sweep(
    begins: Any,
    steps: Any,
    ends: Any,
    permutations: Any,
    front: Any,
    seen: Any,
    lives: Any,
    levels: Any,
    odd: Any,
    level: int,
    first: int,
    last: int,
) -> tuple[int, int]:
    """Reach what is at cost `level` of the sets `first` to `last` - 1.

    `lives` tells which bitmaps of the `front` are not empty, `odd` has the parity of each set.
    `levels[set, order]` becomes the least cost. Return how many configurations were reached for the
    first time, and how many bitmaps have any at this level.
    """
    words = front.shape[1]
    gathered = room(words, np.uint64)
    reached = 0
    alive = 0
    for one in range(first, last):
        if odd[one] != level & 1:
            continue
        begin = 0
        for bitmap in range(begins[one], begins[one + 1]):
            touched = False
            for step in range(begin, ends[bitmap]):
                source = steps[one, step] & 0xFFFFFFFF
                if not lives[source]:
                    continue
                if not touched:
                    touched = True
                    gathered[:] = _0
                turn = steps[one, step] >> 32
                if turn == 0:
                    for word in range(words):
                        gathered[word] |= front[source, word]
                    continue
                for word in range(words):
                    bits = front[source, word]
                    while bits:
                        order = permutations[turn, (word << 6) + np.int64(lowest_bit(bits))]
                        gathered[order >> 6] |= _1 << (_U(order) & _63)
                        bits &= bits - _1
            begin = ends[bitmap]
            lives[bitmap] = 0
            if not touched:
                continue
            for word in range(words):
                fresh = gathered[word] & ~seen[bitmap, word]
                front[bitmap, word] = fresh
                if fresh == _0:
                    continue
                seen[bitmap, word] |= fresh
                lives[bitmap] = 1
                while fresh:
                    order = (word << 6) + np.int64(lowest_bit(fresh))
                    if levels[one, order] == UNREACHED:
                        levels[one, order] = level
                        reached += 1
                    fresh &= fresh - _1
            alive += lives[bitmap]
    return reached, alive


@kernel
def pack(
    levels: Any,
    table: Any,
    numbers: Any,
    choose: Any,
    parts: Any,
    ranks: Any,
    heads: Any,
    spots: Any,
    manhattan: Any,
    first: int,
    last: int,
) -> None:
    """Enter into the table what belongs to the placements `first` to `last` - 1 of its first tiles.

    The ranks of a placement are a block. Of the cells it leaves free, numbered without gaps,
    `parts` has every set for the tiles that are left, `ranks[part, order]` the rank in the block of
    each order there, and `heads` the cells of all of them but the last tile, as ranks rise:
    these are the same for all placements, and `levels` has the orders of a part side by side.
    `numbers` holds the cells, the tiles, how many tiles are placed, and whether the table is
    ranked. `spots[i, cell]` is what tile i adds to an index that is not, and the value is half of
    what the level is beyond the sum of `manhattan[i, cell]`, cut off at 15.
    """
    cells, size, placed, ranked = numbers[0], numbers[1], numbers[2], numbers[3]
    block = ranks.size
    factorial = room(16, np.int64)
    factorial[0] = 1
    for i in range(1, 16):
        factorial[i] = factorial[i - 1] * i
    where = room(16, np.int64)
    left = room(32, np.int64)
    values = room(block, np.uint8)
    tail = size - 1
    for placement in range(first, last):
        rest = placement
        for i in range(placed - 1, -1, -1):
            where[i] = rest % (cells - i)
            rest //= cells - i
        taken = np.int64(0)
        for i in range(placed):
            # The digit counts free cells only.
            cell = 0
            while True:
                if taken >> cell & 1 == 0:
                    if where[i] == 0:
                        break
                    where[i] -= 1
                cell += 1
            where[i] = cell
            taken |= np.int64(1) << cell
        free = 0
        for cell in range(cells):
            if taken >> cell & 1 == 0:
                left[free] = cell
                free += 1

        for piece in range(len(parts)):
            together = taken
            for i in range(parts.shape[1]):
                together |= np.int64(1) << left[parts[piece, i]]
            one = _number_of(together, choose)
            order = 0
            for i in range(placed):
                digit = _below(together, where[i])
                for j in range(i):
                    digit -= where[j] < where[i]
                order += digit * factorial[size - 1 - i]
            for i in range(ranks.shape[1]):
                values[ranks[piece, i]] = levels[one, order + i]

        fixed = 0
        index = 0
        for i in range(placed):
            fixed += manhattan[i, where[i]]
            index += spots[i, where[i]]
        rank = 0
        for head in range(len(heads)):
            walked = fixed
            start = index
            held = np.int64(0)
            for i in range(heads.shape[1]):
                cell = left[heads[head, i]]
                held |= np.int64(1) << cell
                walked += manhattan[placed + i, cell]
                start += spots[placed + i, cell]
            for i in range(free):
                cell = left[i]
                if held >> cell & 1:
                    continue
                value = min((np.int64(values[rank]) - walked - manhattan[tail, cell]) >> 1, 15)
                values[rank] = value
                rank += 1
                if not ranked:
                    spot = start + spots[tail, cell]
                    table[spot >> 1] ^= np.uint8((15 ^ value) << ((spot & 1) << 2))
        if ranked:
            start = placement * block >> 1
            for i in range(block >> 1):
                table[start + i] = values[2 * i] | values[2 * i + 1] << np.uint8(4)

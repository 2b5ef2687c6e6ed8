"""Build one pattern database by breadth-first search backwards from the goal.

A *configuration* says where the k tiles of the pattern stand; every other tile is a blur through
which the blank walks for free. Configurations are ranked without gaps,

    rank = sum(digit[i] * weight[i]),   digit[i] = cell[i] - #(j < i with cell[j] < cell[i]),

and each has one word of bits: the cells where the blank is known to get at the current cost.

    level d:  a configuration marked *fresh* spreads its blank bits over the free region, notes d as
              its distance if it has none, and pushes every tile that borders the region one step
              into it. The neighbour so reached gets one blank bit, and is fresh at level d + 1.

Why one word per configuration is enough:

- a tile's step changes the parity of the configuration, so level d touches only configurations of
  parity d and writes only to the others;
- the fresh mark is the bit of the first tile's cell, where the blank can never be; for an odd
  level that of the second tile's cell, so that a sweep passes over what it marks for the next;
- a region spread twice does no harm: its neighbours hold their bits already.

The table keeps `(distance - Manhattan) / 2`, at least 0 and cut off at 15 (which keeps it a lower
bound), two values in a byte, the even index in the low half.

A kernel takes its arrays one by one, more than eight: Numba knows each by its type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.system.native import atomic_or, kernel


@kernel()
def sweep(
    words: Any,
    table: Any,
    first: int,
    last: int,
    level: int,
    numbers: Any,
    weights: Any,
    spots: Any,
    near: Any,
    manhattan: Any,
) -> int:
    """Expand the fresh configurations of ranks `first` to `last` - 1 at cost `level`.

    All ranks must share the cell of the first tile. `numbers` holds cells, columns, pattern size,
    parity of the goal configuration, and three masks: all cells, all but the last column, all but
    the first. `spots[i, cell]` is what tile i adds to the table's index (zero: it is ranked).
    Return how many configurations were expanded.
    """
    cells, columns, size, parity = numbers[0], numbers[1], numbers[2], numbers[3]
    full, not_last, not_first = numbers[4], numbers[5], numbers[6]
    cell = np.zeros(16, np.int64)
    order = np.zeros(16, np.int64)
    owner = np.full(32, -1, np.int64)
    expanded = 0
    ranked = spots[0, cells - 1] == 0
    alternating = size > 1
    marker, next_marker = (level & 1, ~level & 1) if alternating else (0, 0)
    leader = first // weights[0]
    fresh = np.int64(1) << leader
    # Where the second tile, then where any tile but the last moves on.
    second_end = run = run_end = first
    others = 0
    for rank in range(first, last):
        if marker and rank == second_end:
            second = rank // weights[1] - leader * (cells - 1)
            second_end = rank - rank % weights[1] + weights[1]
            fresh = np.int64(1) << (second + (second >= leader))
        word = np.int64(words[rank])
        if word & fresh == 0:
            continue
        if rank >= run_end:
            rest = rank
            others = 0
            for i in range(size - 1):
                digit = rest // weights[i]
                rest -= digit * weights[i]
                # The digit counts free cells only: step over the taken ones, in rising order.
                j = 0
                while j < i and order[j] <= digit:
                    digit += 1
                    j += 1
                for m in range(i, j, -1):
                    order[m] = order[m - 1]
                order[j] = digit
                cell[i] = digit
                others |= np.int64(1) << digit
            run = rank - rest
            run_end = run + cells - size + 1
        digit = rank - run
        j = 0
        while j < size - 1 and order[j] <= digit:
            digit += 1
            j += 1
        cell[size - 1] = digit
        if not alternating and (parity + digit // columns + digit % columns + level) & 1:
            continue
        taken = others | np.int64(1) << digit
        expanded += 1
        free = full & ~taken
        blank = word & free
        while True:
            grown = blank | blank << columns | blank >> columns
            grown |= (blank & not_last) << 1 | (blank & not_first) >> 1
            grown &= free
            if grown == blank:
                break
            blank = grown
        words[rank] = blank

        index = 0
        excess = level
        for i in range(size):
            owner[cell[i]] = i
            index += spots[i, cell[i]]
            excess -= manhattan[i, cell[i]]
        if ranked:
            index = rank
        shift = (index & 1) << 2
        if table[index >> 1] >> shift & 15 == 15:
            value = min(excess >> 1, 15)
            table[index >> 1] ^= np.uint8((15 ^ value) << shift)

        for i in range(size):
            here = cell[i]
            for direction in range(4):
                there = near[here, direction]
                if there < 0 or blank >> there & 1 == 0:
                    continue
                change = weights[i]
                low, high = min(here, there), max(here, there)
                if high - low > 1 or columns == 1:
                    change *= high - low
                    for between in range(low + 1, high):
                        j = owner[between]
                        if j > i:
                            change += weights[j]
                        elif j >= 0:
                            change -= weights[i]
                target = rank + change if there > here else rank - change
                bit = np.int64(1) << here
                if np.int64(words[target]) & bit == 0:
                    mark = there if i == next_marker else cell[next_marker]
                    atomic_or(words, target, bit | np.int64(1) << mark)
        for i in range(size):
            owner[cell[i]] = -1
    return expanded

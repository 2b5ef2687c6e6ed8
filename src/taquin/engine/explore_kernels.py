"""Three loops over bitmaps of orders; see `taquin.engine.explore`."""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.system.native import kernel

_U = np.uint64
_1, _2, _4, _56 = (_U(n) for n in (1, 2, 4, 56))
_PAIRS = _U(0x5555555555555555)
_FOURS = _U(0x3333333333333333)
_BYTES = _U(0x0F0F0F0F0F0F0F0F)
_SUM = _U(0x0101010101010101)


@kernel("void(u8[::1], u8[::1])")
def carry(source: Any, target: Any) -> None:
    """Add the boards of `source` to `target`, order by order."""
    for i in range(len(source)):
        target[i] |= source[i]


@kernel("i8(u8[::1], u8[::1])")
def settle(target: Any, seen: Any) -> int:
    """Strike what was seen before from `target`, add the rest to `seen`, return its number."""
    count = 0
    for i in range(len(target)):
        fresh = target[i] & ~seen[i]
        target[i] = fresh
        if fresh:
            seen[i] |= fresh
            pairs = fresh - (fresh >> _1 & _PAIRS)
            fours = (pairs & _FOURS) + (pairs >> _2 & _FOURS)
            count += int(((fours + (fours >> _4)) & _BYTES) * _SUM >> _56)
    return count


@kernel("void(u8[::1], u8[::1], i8[::1], i8, i8, i8, b1)")
def shift(
    source: Any, target: Any, weights: Any, cols: int, blank: int, rows: int, odd: bool
) -> None:
    """Add to `target` what the boards of `source` become when the blank moves `rows` rows down.

    `blank` is the blank's cell in `source`, `odd` the parity of the orders there. Negative `rows`
    go up. Each row takes one tile past the cols - 1 tiles of the order that lie between.
    """
    places = len(weights)
    digits = np.zeros(places, np.int64)
    for word in range(len(source)):
        bits = source[word]
        number = word * 64
        while bits:
            # Step to the next set bit by halves: the lowest bit of a random word is near.
            while bits & _U(0xFF) == _U(0):
                bits >>= _U(8)
                number += 8
            while bits & _1 == _U(0):
                bits >>= _1
                number += 1
            left = number
            parity = np.int64(odd)
            for i in range(places - 2):
                digit = left // weights[i]
                left -= digit * weights[i]
                digits[i] = digit
                parity += digit
            digits[places - 2] = parity & 1
            digits[places - 1] = 0
            change = 0
            here = blank
            for _ in range(abs(rows)):
                if rows > 0:
                    first, last, by = here + cols - 2, here - 1, -1
                    here += cols
                else:
                    here -= cols
                    first, last, by = here, here + cols - 1, 1
                for i in range(first, last, by):
                    a, b = digits[i], digits[i + 1]
                    falling = a > b
                    digits[i] = b if falling else b + 1
                    digits[i + 1] = a - 1 if falling else a
                    change += weights[i] * (digits[i] - a) + weights[i + 1] * (digits[i + 1] - b)
            reached = number + change
            target[reached >> 6] |= _1 << _U(reached & 63)
            bits >>= _1
            number += 1

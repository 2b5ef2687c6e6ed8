"""Walk through the whole space of a classic puzzle, breadth first, with three bits a board.

Boards are numbered as in `taquin.tables.distances`: a plane of orders for each cell of the
blank. Each plane is a bitmap for *seen*, one for the *front* (the boards at the present distance)
and one for the *next* front. A sideways move of the blank keeps the order, so it carries a whole
bitmap from plane to plane, 64 boards at a time. A move up or down changes a few Lehmer digits of
each board of the front. Every plane of the next front is filled by one thread, from the planes that
lead to it, so no two threads write the same word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.survey import Survey
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import BLANK, Metric
from taquin.model.puzzle import Puzzle
from taquin.search.control import Ended
from taquin.system.native import kernel
from taquin.system.threads import thread_pool
from taquin.tables.distances import board_at, orders, plane_parity, weights
from taquin.tables.shape import Cells, Shape, shape_of

BITS_A_BOARD = 3
"""What the bitmaps take."""
LARGEST = 12
"""Cells of the largest space: the next shape, 2 × 7, has 43,589,145,600 boards."""
ExploreProgress: TypeAlias = Callable[[int, int, int], None]
"""Told after each level: distance, boards seen so far, boards in all."""

Bits: TypeAlias = NDArray[np.uint64]

_U = np.uint64
_1, _2, _4, _56 = (_U(n) for n in (1, 2, 4, 56))
_PAIRS = _U(0x5555555555555555)
_FOURS = _U(0x3333333333333333)
_BYTES = _U(0x0F0F0F0F0F0F0F0F)
_SUM = _U(0x0101010101010101)


def explore(
    puzzle: Puzzle,
    *,
    most_farthest: int = 100,
    threads: int | None = None,
    progress: ExploreProgress | None = None,
) -> Survey:
    """Return the number of boards at each distance from the goal, and the farthest boards.

    Costs 3 bits a board: 90 MB and about a minute of one core for the 239,500,800 boards of 3 × 4.
    At most `most_farthest` of the farthest boards are returned. When `progress` raises `Ended`, or
    at Ctrl-C, the levels so far are returned. Raise UnsuitableError for a puzzle
    that is not classic (in either metric), or of more than 12 cells.
    """
    goal = puzzle.goal
    shape = shape_of(goal)
    if shape is None or shape.size > LARGEST:
        raise UnsuitableError(
            f"whole spaces can be explored from 2×2 to {LARGEST} cells, without walls, every tile "
            f"different, every cell of the goal named; found {goal.text()}"
        )
    # Fewer columns make a move up or down pass fewer tiles: explore the turned space if it is wide.
    turned, image = shape.symmetries[4 if shape.columns > shape.rows else 0]
    space = _Space(turned, puzzle.metric)
    histogram, is_complete = space.walk(threads, progress)
    if not is_complete:
        return Survey(histogram, (), is_complete=False)
    # Tiles are numbered along the turned goal: number them anew, 1 + home, along the one asked for.
    back = [image.index(cell) for cell in range(shape.size)]
    homes = [0] + [back[cell] + 1 for cell in range(shape.size) if cell != turned.blank]
    farthest = sorted(
        tuple(homes[board[cell]] for cell in image) for board in space.front_boards(most_farthest)
    )
    labels = (BLANK, *goal.cells)
    return Survey(
        histogram,
        tuple(Board(goal.grid, tuple(labels[home] for home in board)) for board in farthest),
    )


class _Space:
    """The bitmaps of one space; levels are walked one after the other."""

    def __init__(self, shape: Shape, metric: Metric) -> None:
        self._shape = shape
        self._reach = max(shape.rows, shape.columns) if metric is Metric.MULTI else 1
        self._orders = orders(shape.size)
        bitmaps = (shape.size, -(-self._orders // 64))
        self._seen: Bits = np.zeros(bitmaps, np.uint64)
        self._front: Bits = np.zeros(bitmaps, np.uint64)
        self._next: Bits = np.zeros(bitmaps, np.uint64)
        self._seen[shape.blank, 0] = self._front[shape.blank, 0] = 1
        self._weights = np.array(weights(shape.size), np.int64)

    def walk(
        self, threads: int | None, progress: ExploreProgress | None
    ) -> tuple[tuple[int, ...], bool]:
        """Walk to the last level, whose boards stay in the front; return the histogram.

        Tell too whether it is complete: not when `progress` raised `Ended`, or after Ctrl-C.
        """
        histogram = [1]
        total = self._shape.size * self._orders
        with suppress(KeyboardInterrupt, Ended), thread_pool(threads) as pool:
            while count := sum(pool.map(self._fill, range(self._shape.size))):
                histogram.append(count)
                self._front, self._next = self._next, self._front
                if progress is not None:
                    progress(len(histogram) - 1, sum(histogram), total)
            return tuple(histogram), True
        return tuple(histogram), False

    def front_boards(self, most: int) -> Iterator[Cells]:
        """Yield up to `most` boards of the front."""
        for plane in range(self._shape.size):
            odd = plane_parity(self._shape, plane)
            for word in np.flatnonzero(self._front[plane]).tolist():
                bits = int(self._front[plane, word])
                while bits:
                    low = bits & -bits
                    bits ^= low
                    if most == 0:
                        return
                    most -= 1
                    number = 64 * word + low.bit_length() - 1
                    yield board_at(self._shape.size, plane, number, odd)

    def _fill(self, plane: int) -> int:
        """Fill one plane of the next front from those that lead to it; return its boards."""
        columns = self._shape.columns
        target = self._next[plane]
        target[:] = 0
        row, column = divmod(plane, columns)
        for other in range(self._shape.size):
            other_row, other_column = divmod(other, columns)
            if not 1 <= self._shape.manhattan(plane, other) <= self._reach:
                continue
            source = self._front[other]
            if other_row == row:
                carry(source, target)
            elif other_column == column:
                odd = plane_parity(self._shape, other)
                shift(source, target, self._weights, columns, other, row - other_row, odd)
        return int(settle(target, self._seen[plane]))


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
    source: Any, target: Any, weights: Any, columns: int, blank: int, rows: int, odd: bool
) -> None:
    """Add to `target` what the boards of `source` become when the blank moves `rows` rows down.

    `blank` is the blank's cell in `source`, `odd` the parity of the orders there. Negative `rows`
    go up. Each row takes one tile past the columns - 1 tiles of the order that lie between.
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
                    first, last, by = here + columns - 2, here - 1, -1
                    here += columns
                else:
                    here -= columns
                    first, last, by = here, here + columns - 1, 1
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

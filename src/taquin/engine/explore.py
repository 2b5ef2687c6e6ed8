"""Walk through the whole space of a classic puzzle, breadth first, with three bits a board.

Boards are numbered as in `taquin.tables.distances`: a plane of orders for each cell of the
blank. Each plane is a bitmap for *seen*, one for the *front* (the boards at the present distance)
and one for the *next* front. A sideways move of the blank keeps the order, so it carries a whole
bitmap from plane to plane, 64 boards at a time. A move up or down changes only `columns` Lehmer
digits that stand together:

    digits of an order    d d d [d d d] d d d d d        by how much its number changes depends on
                                                         what is in the window alone

If the window is high in the number, orders that share it and what is above it are a *run* of
neighbours, which are carried together, 64 at a time too. If it lies among the lowest digits, the
change is looked up by these, and by the parity of the others, which the left-out digit repairs.
Every plane of the next front is filled by one thread, from the planes that lead to it, so no two
threads write the same word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.survey import Survey, narrow, turned_back
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.search.control import Ended
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.kernels import kernel
from taquin.system.native import count_bits, lowest_bit
from taquin.system.threads import thread_pool
from taquin.tables.distances import board_at, digits_of, orders, pass_tiles, plane_parity, weights
from taquin.tables.shape import Cells, Shape, shape_of

BITS_A_BOARD = 3
"""What the bitmaps take."""
LARGEST = 12
"""Cells of the largest space: the next shape, 2 × 7, has 43,589,145,600 boards."""
ExploreProgress: TypeAlias = Callable[[int, int, int], None]
"""Told after each level: distance, boards seen so far, boards in all."""

Bits: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[np.int64]

_LOW_TILES = 7
"""Tiles whose digits are the lowest of an order: 2,520 numbers, few enough to be looked up."""

_Word = np.uint64
_NONE, _BIT, _WHOLE = _Word(0), _Word(1), _Word(64)
"""No bit, the lowest one, and how many a word has."""
_WORD_BITS, _PLACES = 6, 63
"""Binary logarithm of the bits of a word, and the bits of a place in it."""


def explore(
    puzzle: Puzzle,
    *,
    most_farthest: int = 100,
    threads: int | None = None,
    progress: ExploreProgress | None = None,
) -> Survey:
    """Return the number of boards at each distance from the goal, and the farthest boards.

    Costs 3 bits a board: 90 MB and some seconds of one core for the 239,500,800 boards of 3 × 4.
    At most `most_farthest` of the farthest boards are returned. When `progress` raises `Ended`, or
    at Ctrl-C, the levels so far are returned. Raise UnsuitableError for a puzzle
    that is not classic (in either metric), or of more than 12 cells.
    """
    with DeferredInterrupts() as block:
        goal = puzzle.goal
        shape = shape_of(goal)
        if shape is None or shape.size > LARGEST:
            raise UnsuitableError(
                f"whole spaces can be explored from 2×2 to {LARGEST} cells, without walls, every "
                f"tile different, every cell of the goal named; found {goal.text()}"
            )
        turned, image = narrow(shape)
        space = _Space(turned, puzzle.metric)
        histogram, is_complete = space.walk(threads, progress)
        farthest: tuple[Board, ...] = ()
        if is_complete:
            farthest = turned_back(goal, image, space.front_boards(most_farthest))
        return Survey(histogram, farthest, is_complete and not block.is_interrupted)


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
                raise_if_interrupted()
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
                step = columns if row > other_row else -columns
                while other != plane - step:
                    between = np.zeros_like(source)
                    self._shift(source, between, other, step > 0)
                    source, other = between, other + step
                self._shift(source, target, other, step > 0)
        return int(settle(target, self._seen[plane]))

    def _shift(self, source: Bits, target: Bits, blank: int, down: bool) -> None:
        """Add to `target` what the boards of `source` become when the blank goes down or up."""
        shape = self._shape
        place = blank if down else blank - shape.columns
        if place < _high(shape):
            shift_runs(source, target, *_runs(shape, place, down))
        else:
            shift_each(source, target, *_low_changes(shape, place, down))


def _high(shape: Shape) -> int:
    """Return the number of digits above the lowest."""
    return max(0, shape.size - 1 - _LOW_TILES)


@cache
def _runs(shape: Shape, place: int, down: bool) -> tuple[Numbers, int]:
    """Return by how much runs of orders change, by the window at `place`; and their length."""
    values = weights(shape.size)
    columns = shape.columns
    run = values[place + columns - 1]
    tiles = shape.size - 1
    radices = [tiles - i for i in range(place, place + columns)]
    every = np.arange(prod(radices))
    digits = np.array(np.unravel_index(every, radices), np.int64)
    pass_tiles(digits)
    return _changes(every, np.ravel_multi_index(tuple(digits), radices), down) * run, run


@cache
def _low_changes(
    shape: Shape, place: int, down: bool
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return by how much the low part of an order changes, by the parity of its high part.

    And the parity of each high part.
    """
    high, values = _high(shape), np.array(weights(shape.size), np.int64)
    low = int(values[high - 1]) if high else orders(shape.size)
    odd = plane_parity(shape, place)
    every = np.arange(low)
    changes = []
    for parity in (False, True):
        digits = digits_of(every, values[high:], parity ^ odd)
        pass_tiles(digits[place - high : place - high + shape.columns])
        changes.append(_changes(every, (values[high:, None] * digits).sum(axis=0), down))
    numbers = np.arange(orders(shape.size) // low)
    parities = np.zeros_like(numbers)
    for value in values[:high] // low:
        digit, numbers = numbers // value, numbers % value
        parities += digit
    return np.array(changes, np.int32), (parities & 1).astype(np.uint8)


def _changes(before: Numbers, after: Numbers, down: bool) -> Numbers:
    """Return by how much each number changes, or when `down` is undone."""
    if down:
        return after - before
    changes = np.empty_like(before)
    changes[after] = before - after
    return changes


@kernel
def carry(source: Bits, target: Bits) -> None:
    """Add the boards of `source` to `target`, order by order."""
    for i in range(len(source)):
        target[i] |= source[i]


@kernel
def settle(target: Bits, seen: Bits) -> int:
    """Strike what was seen before from `target`, add the rest to `seen`, return its number."""
    count = 0
    for i in range(len(target)):
        fresh = target[i] & ~seen[i]
        target[i] = fresh
        if fresh:
            seen[i] |= fresh
            count += count_bits(fresh)
    return count


@kernel
def shift_runs(source: Bits, target: Bits, changes: Numbers, run: int) -> None:
    """Add to `target` the boards of `source`, each run of so many by its change, in turn."""
    count = 0
    end = len(source) << _WORD_BITS
    last = len(source) - 1
    start = 0
    while start + run <= end:
        change = changes[count]
        count = count + 1 if count + 1 < len(changes) else 0
        for first in range(start, start + run, 64):
            word, place = first >> _WORD_BITS, _Word(first & _PLACES)
            bits = source[word] >> place
            if place > _NONE and word < last:
                bits |= source[word + 1] << (_WHOLE - place)
            if start + run - first < 64:
                bits &= (_BIT << _Word(start + run - first)) - _BIT
            if bits:
                reached = first + change
                word, place = reached >> _WORD_BITS, _Word(reached & _PLACES)
                target[word] |= bits << place
                if place > _NONE and bits >> (_WHOLE - place):
                    target[word + 1] |= bits >> (_WHOLE - place)
        start += run


@kernel
def shift_each(
    source: Bits, target: Bits, changes: NDArray[np.int32], parities: NDArray[np.uint8]
) -> None:
    """Add to `target` each board of `source` by its change, looked up by parity and low part."""
    low = changes.shape[1]
    high, begin, end = 0, 0, low
    for word in range(len(source)):
        bits = source[word]
        while bits:
            number = (word << _WORD_BITS) + lowest_bit(bits)
            bits &= bits - _BIT
            while number >= end:
                high += 1
                begin, end = end, end + low
            reached = number + changes[parities[high], number - begin]
            target[reached >> _WORD_BITS] |= _BIT << _Word(reached & _PLACES)

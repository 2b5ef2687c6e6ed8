"""Walk through a whole space, breadth first, with three bits a board.

Boards are numbered as in `taquin.tables.permutations`: a plane of orders for each cell of the
blank. Each plane is a bitmap for *seen*, one for the *front* (the boards at the present distance)
and one for the *next* front. A sideways move of the blank keeps the order, so it carries a whole
bitmap from plane to plane, 64 boards at a time. A move up or down changes a few Lehmer digits of
each board of the front. Every plane of the next front is filled by one thread, from the planes that
lead to it, so no two threads write the same word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.errors import InputError
from taquin.system.machine import usable_cores
from taquin.tables.geometry import symmetries
from taquin.tables.permutations import board_at, orders, plane_parity, weights

LARGEST = 12
"""Cells of the largest space: the next shape, 2 x 7, has 43,589,145,600 boards."""

ExploreProgress: TypeAlias = Callable[[int, int, int], None]
"""Told after each level: distance, boards seen so far, boards in all."""

Bits: TypeAlias = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a walk through a whole space found."""

    histogram: tuple[int, ...]
    """The number of boards at each distance from the goal."""

    farthest: tuple[tuple[int, ...], ...]
    """Boards at the greatest distance, tiles numbered so that the goal reads 1, 2, 3 ..."""

    @property
    def radius(self) -> int:
        """The greatest distance."""
        return len(self.histogram) - 1

    @property
    def boards(self) -> int:
        """The number of boards that can be reached."""
        return sum(self.histogram)


def explore(
    rows: int,
    cols: int,
    *,
    multi_tile: bool = False,
    blank: int | None = None,
    most_farthest: int = 100,
    threads: int | None = None,
    progress: ExploreProgress | None = None,
) -> Exploration:
    """Return the number of boards at each distance from the goal, and the farthest boards.

    The goal has its tiles in order and its blank in cell `blank`, by default the last. With
    `multi_tile` a move slides any number of tiles of one line. Costs 3 bits a board: 90 MB and
    about a minute of one core for the 239,500,800 boards of 3 × 4. At most `most_farthest` of the
    farthest boards are returned, lowest first.
    """
    if rows < 2 or cols < 2 or rows * cols > LARGEST:
        raise InputError(
            f"spaces can be explored from 2 x 2 to {LARGEST} cells, not {rows} x {cols}"
        )
    last = rows * cols - 1
    goal_blank = last if blank is None else blank
    if not 0 <= goal_blank <= last:
        raise InputError(f"the blank's cell must be 0 to {last}, not {goal_blank}")
    # Fewer columns make a move up or down pass fewer tiles: explore the turned space if it is wide.
    new_rows, new_cols, image = symmetries(rows, cols)[4 if cols > rows else 0]
    space = _Space(new_rows, new_cols, image[goal_blank], multi_tile)
    histogram = space.walk(threads or usable_cores(), progress)
    found = sorted(
        _turned_back(board, image, image[goal_blank], goal_blank)
        for board in space.front_boards(most_farthest)
    )
    return Exploration(histogram, tuple(found))


class _Space:
    """The bitmaps of one space; levels are walked one after the other."""

    def __init__(self, rows: int, cols: int, blank: int, multi_tile: bool) -> None:
        self._rows, self._cols, self._blank = rows, cols, blank
        self._reach = max(rows, cols) if multi_tile else 1
        self._cells = rows * cols
        self._orders = orders(self._cells)
        shape = (self._cells, -(-self._orders // 64))
        self._seen: Bits = np.zeros(shape, np.uint64)
        self._front: Bits = np.zeros(shape, np.uint64)
        self._next: Bits = np.zeros(shape, np.uint64)
        self._seen[blank, 0] = self._front[blank, 0] = 1
        self._weights = np.array(weights(self._cells), np.int64)

    def walk(self, threads: int, progress: ExploreProgress | None) -> tuple[int, ...]:
        """Walk to the last level, whose boards stay in the front, and return the histogram."""
        histogram = [1]
        total = self._cells * self._orders
        with ThreadPoolExecutor(threads) as pool:
            while count := sum(pool.map(self._fill, range(self._cells))):
                histogram.append(count)
                self._front, self._next = self._next, self._front
                if progress is not None:
                    progress(len(histogram) - 1, sum(histogram), total)
        return tuple(histogram)

    def front_boards(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield up to `most` boards of the front."""
        for plane in range(self._cells):
            odd = plane_parity(self._rows, self._cols, self._blank, plane)
            for word in np.flatnonzero(self._front[plane]).tolist():
                bits = int(self._front[plane, word])
                while bits:
                    low = bits & -bits
                    bits ^= low
                    if most == 0:
                        return
                    most -= 1
                    number = 64 * word + low.bit_length() - 1
                    yield board_at(self._cells, plane, number, odd)

    def _fill(self, plane: int) -> int:
        """Fill one plane of the next front from those that lead to it; return its boards."""
        from taquin.engine.explore_kernels import carry, settle, shift

        target = self._next[plane]
        target[:] = 0
        row, col = divmod(plane, self._cols)
        for other in range(self._cells):
            other_row, other_col = divmod(other, self._cols)
            distance = abs(other_row - row) + abs(other_col - col)
            if not 1 <= distance <= self._reach:
                continue
            if other_row == row:
                carry(self._front[other], target)
            elif other_col == col:
                odd = plane_parity(self._rows, self._cols, self._blank, other)
                shift(
                    self._front[other],
                    target,
                    self._weights,
                    self._cols,
                    other,
                    row - other_row,
                    odd,
                )
        return int(settle(target, self._seen[plane]))


def _turned_back(
    board: tuple[int, ...], image: tuple[int, ...], turned_blank: int, blank: int
) -> tuple[int, ...]:
    """Return a board of the turned space in the space asked for, its tiles numbered anew."""
    cells = range(len(board))
    home = [cell for cell in cells if cell != turned_blank]
    cell_of_name = {name: image.index(cell) for name, cell in enumerate(home, 1)}
    names = {cell: name for name, cell in enumerate((c for c in cells if c != blank), 1)}
    turned = [board[image[cell]] for cell in cells]
    return tuple(names[cell_of_name[name]] if name else 0 for name in turned)

"""The distance of every board from the goal, for grids of up to nine cells.

Nothing is compiled and nothing stored: the whole 3 × 3 space takes a few hundredths of a second in
NumPy, less than reading Numba from its cache would.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from taquin.errors import InputError
from taquin.tables.geometry import Cells, steps
from taquin.tables.permutations import number_of, orders, plane_parity, weights

LARGEST = 9
"""Cells of the largest grid with a complete table."""

_UNKNOWN = 255


class DistanceTable:
    """How many single-tile moves each board of a grid is away from one goal."""

    def __init__(self, rows: int, cols: int, goal: Cells) -> None:
        if sorted(goal) != list(range(rows * cols)):
            raise InputError(
                f"the goal must hold 0 to {rows * cols - 1} once each; "
                f"found {' '.join(map(str, goal))}"
            )
        self.rows = rows
        """Rows of the grid."""
        self.cols = cols
        """Columns of the grid."""
        self.goal = goal
        """The goal board."""
        order = [tile for tile in goal if tile]
        self._names = {0: 0} | {tile: name for name, tile in enumerate(order, 1)}
        self._blank = goal.index(0)
        self._levels = _levels(rows, cols, self._blank)

    def moves_left(self, board: Cells) -> int | None:
        """Return the length of a shortest solution, or None when there is none."""
        named = tuple(self._names[tile] for tile in board)
        blank, number = number_of(named)
        if _odd(named) != plane_parity(self.rows, self.cols, self._blank, blank):
            return None
        return int(self._levels[blank, number])

    def solution(self, board: Cells) -> Cells | None:
        """Return the blank's cells along a shortest solution, or None when there is none."""
        left = self.moves_left(board)
        if left is None:
            return None
        state = list(board)
        blank = board.index(0)
        path = [blank]
        while left:
            for _, near in steps(self.rows, self.cols)[blank]:
                state[blank], state[near] = state[near], 0
                if self.moves_left(tuple(state)) == left - 1:
                    break
                state[near], state[blank] = state[blank], 0
            blank, left = near, left - 1
            path.append(blank)
        return tuple(path)

    def histogram(self) -> Cells:
        """Return the number of boards at each distance from the goal."""
        return tuple(np.bincount(self._levels.reshape(-1)).tolist())


@cache
def _levels(rows: int, cols: int, blank: int) -> NDArray[np.uint8]:
    """Return the distance of each (plane, order) from the sorted order in plane `blank`."""
    cells = rows * cols
    if cells > LARGEST:
        raise InputError(f"complete tables end at {LARGEST} cells; {rows} x {cols} has {cells}")
    levels = np.full((cells, orders(cells)), _UNKNOWN, np.uint8)
    levels[blank, 0] = 0
    down, up = _vertical(rows, cols, blank)
    level = 0
    while True:
        grown = False
        for plane in range(cells):
            front = np.flatnonzero(levels[plane] == level)
            if not len(front):
                continue
            for direction, near in steps(rows, cols)[plane]:
                if direction == 0:
                    reached = up[near][front]
                elif direction == 3:
                    reached = down[plane][front]
                else:
                    reached = front
                fresh = reached[levels[near, reached] == _UNKNOWN]
                levels[near, fresh] = level + 1
                grown = grown or bool(len(fresh))
        if not grown:
            return levels
        level += 1


def _vertical(
    rows: int, cols: int, start_blank: int
) -> tuple[dict[int, NDArray[np.int64]], dict[int, NDArray[np.int64]]]:
    """Return the new number of every order when the blank goes down from a cell, or back up.

    When the blank goes down from cell p, the tile at place p + cols - 1 of the order moves to place
    p; that is `down[p]`. `up[p]` undoes it.
    """
    cells = rows * cols
    place_values = np.array(weights(cells), np.int64)
    every = np.arange(orders(cells), dtype=np.int64)
    down, up = {}, {}
    for place in range(cells - cols):
        digits = _digits(every, place_values, plane_parity(rows, cols, start_blank, place))
        for i in range(place + cols - 2, place - 1, -1):
            a, b = digits[i].copy(), digits[i + 1].copy()
            falling = a > b
            digits[i] = np.where(falling, b, b + 1)
            digits[i + 1] = np.where(falling, a - 1, a)
        down[place] = (place_values[:, None] * digits).sum(axis=0)
        up[place] = np.empty_like(every)
        up[place][down[place]] = every
    return down, up


def _digits(
    numbers: NDArray[np.int64], place_values: NDArray[np.int64], odd: bool
) -> NDArray[np.int64]:
    """Return the digits of orders, one row a place, the left-out digit put back by parity."""
    digits = np.zeros((len(place_values), len(numbers)), np.int64)
    left = numbers.copy()
    for i, value in enumerate(place_values[:-2]):
        digits[i], left = left // value, left % value
    digits[-2] = (digits.sum(axis=0) & 1) ^ odd
    return digits


def _odd(named: Cells) -> bool:
    """Return whether the order of the tiles is odd."""
    order = [tile for tile in named if tile]
    return bool(sum(later < tile for i, tile in enumerate(order) for later in order[i + 1 :]) & 1)

"""The distance of every board from the goal, for grids of up to nine cells.

Nothing is compiled and nothing stored: the whole 3 × 3 space takes a few hundredths of a second in
NumPy, less than reading Numba from its cache would.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from taquin.errors import InputError
from taquin.tables.permutations import number_of, orders, plane_parity, weights
from taquin.tables.shape import Cells, Normal, Shape

LARGEST = 9
"""Cells of the largest grid with a complete table."""

_UNKNOWN = 255


class DistanceTable:
    """How many single-tile moves each board of a shape, in normal form, is away from its goal."""

    def __init__(self, shape: Shape) -> None:
        if shape.size > LARGEST:
            raise InputError(
                f"complete tables end at {LARGEST} cells; "
                f"{shape.rows}×{shape.columns} has {shape.size}"
            )
        self.shape = shape
        """The grid and the goal."""
        self._levels = _levels(shape)
        # Homes rise along the goal, as names do not where the blank is not in cell 0.
        self._rising = (0, *(shape.home_of(name) + 1 for name in range(1, shape.size)))

    def moves_left(self, board: Cells) -> int | None:
        """Return the length of a shortest solution, or None when there is none."""
        return self._level(board) if Normal(self.shape, board).solvable else None

    def solution(self, board: Cells) -> Cells | None:
        """Return the blank's cells along a shortest solution, or None when there is none."""
        left = self.moves_left(board)
        if left is None:
            return None
        state = list(board)
        blank = board.index(0)
        path = [blank]
        while left:
            for _, near in self.shape.steps[blank]:
                state[blank], state[near] = state[near], 0
                if self._level(state) == left - 1:
                    break
                state[near], state[blank] = state[blank], 0
            blank, left = near, left - 1
            path.append(blank)
        return tuple(path)

    def histogram(self) -> Cells:
        """Return the number of boards at each distance from the goal."""
        return tuple(np.bincount(self._levels.reshape(-1)).tolist())

    def _level(self, board: Sequence[int]) -> int:
        return int(self._levels[number_of([self._rising[name] for name in board])])


@cache
def _levels(shape: Shape) -> NDArray[np.uint8]:
    """Return the distance of each (plane, order) from the sorted order in the goal's plane."""
    levels = np.full((shape.size, orders(shape.size)), _UNKNOWN, np.uint8)
    levels[shape.blank, 0] = 0
    down, up = _vertical(shape)
    level = 0
    while True:
        grown = False
        for plane in range(shape.size):
            front = np.flatnonzero(levels[plane] == level)
            if not len(front):
                continue
            for direction, near in shape.steps[plane]:
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


def _vertical(shape: Shape) -> tuple[dict[int, NDArray[np.int64]], dict[int, NDArray[np.int64]]]:
    """Return the new number of every order when the blank goes down from a cell, or back up.

    When the blank goes down from cell p, the tile at place p + columns - 1 of the order moves to
    place p; that is `down[p]`. `up[p]` undoes it.
    """
    columns = shape.columns
    place_values = np.array(weights(shape.size), np.int64)
    every = np.arange(orders(shape.size), dtype=np.int64)
    down, up = {}, {}
    for place in range(shape.size - columns):
        digits = _digits(every, place_values, plane_parity(shape, place))
        for i in range(place + columns - 2, place - 1, -1):
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

"""Numbers of the boards of a whole space, and the distance of each board of up to nine cells.

A board is the cell of its blank and the order of its tiles, read row by row without the blank:

    1 2 3                                     moving the blank sideways keeps the order;
    4 · 5     blank 4, order 1 2 3 4 5        moving it up or down takes one tile past the
                                              columns - 1 tiles between

The order is a Lehmer code: digit i counts the later tiles that are smaller. To exchange two
neighbours in the order, exchange their digits and correct by one:

    (a, b)  becomes  (b, a - 1) if a > b,  else  (b + 1, a).

With the blank in a given cell, half of all orders can be reached. The last digit that can vary is 0
or 1 and depends on the parity, so the number omits it: a space of n cells has n planes, one per
cell of the blank, with (n - 1)!/2 orders each.

Nothing is compiled or stored: NumPy searches the 3 × 3 space in a few hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from taquin.errors import InputError
from taquin.tables.shape import Cells, Normal, Shape

LARGEST = 9
"""Cells of the largest grid with a complete table."""

_UNKNOWN = 255


def orders(cells: int) -> int:
    """Return the number of orders in a plane."""
    return max(1, factorial(cells - 1) // 2)


def weights(cells: int) -> Cells:
    """Return the place value of each digit of an order; the last two count nothing."""
    tiles = cells - 1
    return tuple(factorial(tiles - 1 - i) // 2 for i in range(tiles))


def number_of(board: Sequence[int]) -> tuple[int, int]:
    """Return the plane and the order's number of a board whose goal has its tiles in rising order.

    >>> number_of((1, 2, 3, 0)), number_of((2, 3, 1, 0))
    ((3, 0), (3, 1))
    """
    order = [tile for tile in board if tile]
    number = 0
    for i, (tile, weight) in enumerate(zip(order, weights(len(board)), strict=True)):
        number += weight * sum(later < tile for later in order[i + 1 :])
    return board.index(0), number


def board_at(cells: int, blank: int, number: int, odd: bool) -> tuple[int, ...]:
    """Return the board with an order's number; `odd` is the parity of its order."""
    digits = []
    for weight in weights(cells):
        digit, number = divmod(number, weight) if weight else (0, number)
        digits.append(digit)
    if len(digits) > 1 and sum(digits) & 1 != odd:
        digits[-2] = 1
    left = list(range(1, cells))
    order = [left.pop(digit) for digit in digits]
    return (*order[:blank], 0, *order[blank:])


def plane_parity(shape: Shape, plane: int) -> bool:
    """Return whether the orders of a plane are odd, if that of the goal is even."""
    rows_between = abs(plane // shape.columns - shape.blank // shape.columns)
    return bool(rows_between * (shape.columns - 1) & 1)


class DistanceTable:
    """The distance of each board of a shape, in normal form, from the goal in single moves."""

    def __init__(self, shape: Shape) -> None:
        if shape.size > LARGEST:
            raise InputError(
                f"complete tables end at {LARGEST} cells; "
                f"{shape.rows}×{shape.columns} has {shape.size}"
            )
        self.shape = shape
        self._levels = _levels(shape)
        # Goal cells rise along the goal; names do not, unless the blank is in cell 0.
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
    while (levels == level).any():
        for plane in range(shape.size):
            front = np.flatnonzero(levels[plane] == level)
            for direction, near in shape.steps[plane]:
                reached = front
                if direction == 0:
                    reached = up[near][front]
                elif direction == 3:
                    reached = down[plane][front]
                levels[near, reached[levels[near, reached] == _UNKNOWN]] = level + 1
        level += 1
    return levels


def _vertical(shape: Shape) -> tuple[dict[int, NDArray[np.int64]], dict[int, NDArray[np.int64]]]:
    """Return `down[p]`, the new number of every order when the blank goes down from cell p.

    The tile at place p + columns - 1 of the order moves to place p; `up[p]` undoes it.
    """
    columns = shape.columns
    place_values = np.array(weights(shape.size), np.int64)
    every = np.arange(orders(shape.size), dtype=np.int64)
    down, up = {}, {}
    for place in range(shape.size - columns):
        digits = digits_of(every, place_values, plane_parity(shape, place))
        pass_tiles(digits[place : place + columns])
        down[place] = (place_values[:, None] * digits).sum(axis=0)
        up[place] = np.empty_like(every)
        up[place][down[place]] = every
    return down, up


def pass_tiles(digits: NDArray[np.int64]) -> None:
    """Move the tile in the last place of a window of digits, one row a place, to the first.

    That is what happens to an order when the blank goes down.
    """
    for i in range(len(digits) - 2, -1, -1):
        a, b = digits[i].copy(), digits[i + 1].copy()
        falling = a > b
        digits[i] = np.where(falling, b, b + 1)
        digits[i + 1] = np.where(falling, a - 1, a)


def digits_of(
    numbers: NDArray[np.int64], place_values: NDArray[np.int64], odd: bool
) -> NDArray[np.int64]:
    """Return the digits of orders, one row a place, with the left-out digit from the parity."""
    digits = np.zeros((len(place_values), len(numbers)), np.int64)
    for i, value in enumerate(place_values[:-2]):
        digits[i], numbers = numbers // value, numbers % value
    digits[-2] = (digits.sum(axis=0) & 1) ^ odd
    return digits

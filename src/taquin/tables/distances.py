"""Number all boards of a space, and compute the distance of each board of up to nine cells.

A board is the cell of its blank and the order of its tiles, read row by row without the blank:

    1 2 3                                     moving the blank sideways keeps the order;
    4 · 5     blank 4, order 1 2 3 4 5        moving it up or down takes one tile past the
                                              columns - 1 tiles between

The order is a Lehmer code: digit i counts the later tiles that are smaller. To exchange two
neighbours in the order, exchange their digits and correct by one:

    (a, b)  becomes  (b, a - 1) if a > b,  else  (b + 1, a).

With the blank in a given cell, half of all orders are reachable. The last digit that can vary is 0
or 1 and follows from the parity, so the number omits it: a space of n cells has n planes, one per
cell of the blank, with (n - 1)!/2 orders each.

Nothing is stored on disk: a kernel searches the 3 × 3 space in a few hundredths of a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import factorial
from typing import NamedTuple

from taquin.errors import InputError
from taquin.system.arrays import Array, Matrix, filled, int64, uint8, zeros
from taquin.system.compiled import Compiled
from taquin.tables.shape import Cells, Normal, Shape

LARGEST = 9
"""The maximum number of cells of a complete table."""

_UNKNOWN = 255
_TILE_BITS = 4
"""The bits per tile in a packed board."""


def orders(cells: int) -> int:
    """Return the number of orders in a plane."""
    return max(1, factorial(cells - 1) // 2)


def weights(cells: int) -> Cells:
    """Return the place value of each digit of an order; 0 for the last two digits."""
    tiles = cells - 1
    return tuple(factorial(tiles - 1 - i) // 2 for i in range(tiles))


def number_of(board: Sequence[int]) -> tuple[int, int]:
    """Return the plane and the order number of a board whose goal has ascending tiles.

    >>> number_of((1, 2, 3, 0)), number_of((2, 3, 1, 0))
    ((3, 0), (3, 1))
    """
    order = [tile for tile in board if tile]
    number = 0
    for i, (tile, weight) in enumerate(zip(order, weights(len(board)), strict=True)):
        number += weight * sum(later < tile for later in order[i + 1 :])
    return board.index(0), number


def board_at(cells: int, blank: int, number: int, odd: bool) -> tuple[int, ...]:
    """Return the board of an order number; `odd` is the parity of its order."""
    left = list(range(1, cells))
    order = [left.pop(digit) for digit in digits_of(number, weights(cells), odd)]
    return (*order[:blank], 0, *order[blank:])


def plane_parity(shape: Shape, plane: int) -> bool:
    """Return whether the orders of a plane are odd, given that the goal's is even."""
    rows_between = abs(plane // shape.columns - shape.blank // shape.columns)
    return bool(rows_between * (shape.columns - 1) & 1)


class FillLevels(NamedTuple):
    """The distance of every board from the first."""

    levels: Matrix[uint8]
    """By plane and order."""
    boards: Array[int64]
    """The boards in breadth-first order, four bits a cell, the first cell in the lowest."""
    numbers: Array[int64]
    """Their orders."""
    columns: int


_fill_levels = Compiled("fill_levels", FillLevels)


class DistanceTable:
    """The distance of each board of a shape, in normal form, from the goal in single moves."""

    def __init__(self, shape: Shape) -> None:
        if shape.size > LARGEST:
            raise InputError(
                f"complete tables support at most {LARGEST} cells; "
                f"{shape.rows}×{shape.columns} has {shape.size}"
            )
        self.shape = shape
        self._levels = _levels(shape)
        # Goal cells are ascending in the goal; names are not, unless the blank is in cell 0.
        self._rising = (0, *(shape.home_of(name) + 1 for name in range(1, shape.size)))

    def moves_left(self, board: Cells) -> int | None:
        """Return the length of a shortest solution, or None if there is none."""
        return self._level(board) if Normal(self.shape, board).solvable else None

    def solution(self, board: Cells) -> Cells | None:
        """Return the blank's cells along a shortest solution, or None if there is none."""
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
        counts = Counter(self._levels.items)
        return tuple(counts[level] for level in range(len(counts)))

    def _level(self, board: Sequence[int]) -> int:
        level: int = self._levels[number_of([self._rising[name] for name in board])]
        return level


@cache
def _levels(shape: Shape) -> Array[uint8]:
    """Return the distance of each (plane, order) from the sorted order in the goal's plane."""
    levels = filled((shape.size, orders(shape.size)), _UNKNOWN, uint8)
    goal = list(range(1, shape.size))
    goal.insert(shape.blank, 0)
    boards, numbers = zeros((2, levels.size), int64)
    boards[0] = sum(tile << _TILE_BITS * cell for cell, tile in enumerate(goal))
    levels[shape.blank, 0] = 0
    _fill_levels(FillLevels(levels, boards, numbers, shape.columns))
    return levels


def pass_tiles(digits: list[int]) -> None:
    """Move the tile in the last place of a window of digits to the first.

    This is the effect on an order when the blank moves down.
    """
    for i in range(len(digits) - 2, -1, -1):
        a, b = digits[i : i + 2]
        digits[i : i + 2] = (b, a - 1) if a > b else (b + 1, a)


def digits_of(number: int, place_values: Cells, odd: bool) -> list[int]:
    """Return the digits of an order, with the omitted digit restored from the parity."""
    digits = []
    for value in place_values[:-2]:
        digit, number = divmod(number, value)
        digits.append(digit)
    return [*digits, sum(digits) & 1 ^ odd, 0]

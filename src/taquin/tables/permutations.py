"""Number the boards of a whole space, and see what a move does to the number.

A board is the cell of its blank and the order of its tiles, read row by row without the blank:

    1 2 3                                     moving the blank sideways leaves the order as it is;
    4 · 5     blank 4, order 1 2 3 4 5        moving it up or down takes one tile past the
                                              columns - 1 tiles between

The order is a Lehmer code: digit i counts the later tiles that are smaller. To exchange two
neighbours in the order, exchange their digits and correct by one:

    (a, b)  becomes  (b, a - 1) if a > b,  else  (b + 1, a).

Half of all orders can be reached with the blank in a given cell. The last digit that can vary is 0
or 1 and only repairs the parity, so it is left out of the number: a space of n cells has n planes,
one for each cell of the blank, of (n - 1)!/2 orders each.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from taquin.tables.shape import Cells, Shape


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
    """Return whether the orders of a plane are odd, when that of the goal is even.

    Each step up or down takes a tile past columns - 1 others.
    """
    rows_between = abs(plane // shape.columns - shape.blank // shape.columns)
    return bool(rows_between * (shape.columns - 1) & 1)

"""The self-test of a library of compiled kernels, run before the library is trusted.

It counts the 360 solvable 2×3 boards by their distance from the goal:

    1 2 3
    4 5 _     1, 2, 3, 5, 6, 7, 10, … boards, and one at distance 21

The function is compiled into every library and uses what all kernels use: arrays, 64-bit words,
shifts and loops.
"""

from __future__ import annotations

from taquin.system.arrays import Array, int64
from taquin.system.native import part

BOARDS = 360
"""The number of boards reached."""
LEVELS = (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
"""The number of boards at each distance from the goal, starting with 0."""
_COLUMNS, _CELLS, _BITS, _TILE = 3, 6, 4, 15
_GOAL = 0x054321
"""Four bits per cell, the first cell in the lowest; 0 is the blank."""


@part
def count_levels(boards: Array[int64], levels: Array[int64]) -> None:
    """Fill `boards` in breadth-first order from the goal, and `levels` with the count per depth."""
    boards[0] = _GOAL
    first, last, end, level = 0, 1, 1, 0
    while first < last:
        levels[level] = last - first
        for place in range(first, last):
            board = boards[place]
            blank = 0
            while board >> _BITS * blank & _TILE:
                blank += 1
            for target in range(_CELLS):
                rows = abs(target // _COLUMNS - blank // _COLUMNS)
                columns = abs(target % _COLUMNS - blank % _COLUMNS)
                if rows + columns == 1:
                    tile = board >> _BITS * target & _TILE
                    child = board ^ tile << _BITS * target ^ tile << _BITS * blank
                    known = 0
                    while known < end and boards[known] != child:
                        known += 1
                    if known == end:
                        boards[end] = child
                        end += 1
        first, last, level = last, end, level + 1

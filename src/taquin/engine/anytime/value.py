"""How promising a board is: the less its value, the better; the goal's is 0.

    weight      how far a tile is from home (`field.py` weighs that), summed over the tiles
    conflicts   two tiles that are both in their line, and in each other's way
    rings       a few tiles each of which is where the next belongs
    borders     two neighbours of which one is at home and the other not

The value is no estimate of moves. It is made for telling boards of the same depth apart, and counts
what makes the end of a large board long. `appraise` works it out from scratch; `change` tells how
one move changes it.

A kernel takes its arrays one by one, more than other functions may.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.engine.anytime.field import SCALE
from taquin.system.kernels import kernel
from taquin.system.native import part

CONFLICT = 4 * SCALE
"""What two tiles of a line in each other's way add to the value of a board."""
RINGS = np.array([0, 0, 4, 0, 6, 0, 6]) * SCALE
"""What a ring of so many tiles adds. The last tiles of a board are rings of an even number: a blank
that comes and goes by the same way cannot undo one alone. With this a beam of 1,000 solved all of 8
boards of 10×10, without it none."""
BORDER = 6
"""What a border adds; the rim of the grid counts as at home. The blank has to go to each island of
wrong tiles: this keeps them few. It saved about 5 % of the moves on 10×10 and 4 % on 20×20 (1,000
and 300 boards a level)."""
NOWHERE = -(1 << 14)
"""The blank's home: it is part of no line and no ring."""
ROW, COLUMN, CELL = range(3)
"""What is known of a tile's home, and but for the last of a cell."""
_A, _B, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


@part
def mix(tile: Any, cell: Any) -> Any:
    """Return the part of a board's hash that is due to a tile in a cell."""
    word = np.uint64((tile << 16) + cell + 1) * _A
    word = (word ^ (word >> _SHIFT)) * _B
    return word ^ (word >> _SHIFT)


@part
def _in_the_way(
    board: Any, tile: Any, place: Any, line: Any, first: Any, step: Any, length: Any, lines: Any,
    places: Any,
) -> Any:  # fmt: skip
    """Return how many tiles of a line are at home in it but on the wrong side of a tile.

    The tile is at a place of the line, or goes there. The line has `length` cells from `first` on,
    `step` apart; `lines` and `places` tell for each tile the line of its home and its place there.
    """
    home = places[tile]
    found = 0
    cell = first
    for other in range(length):
        at = board[cell]
        if lines[at] == line and at != tile and (other < place) != (places[at] < home):
            found += 1
        cell += step
    return found


@part
def _ring(board: Any, tile: Any, cell: Any, blank: Any, homes: Any) -> Any:
    """Return what a tile in a cell adds for being part of a ring, and not of one over the blank."""
    length = 1
    home = homes[CELL, tile]
    while home != cell:
        length += 1
        if home == blank or length == len(RINGS):
            return 0
        home = homes[CELL, board[home]]
    return RINGS[length]


@part
def _borders(board: Any, tile: Any, cell: Any, other: Any, grid: Any, homes: Any) -> Any:
    """Return the neighbours of a tile that are at home where it is not, or the other way round.

    The other cell is not looked at: the tile comes from there or goes there.
    """
    is_home = homes[CELL, tile] == cell
    found = 0
    for direction in range(4):
        neighbour = grid[cell, direction]
        is_other_home = True
        if neighbour >= 0:
            at = board[neighbour]
            if neighbour == other or at == 0:
                continue
            is_other_home = homes[CELL, at] == neighbour
        if is_other_home != is_home:
            found += 1
    return found


@part
def _of_one(
    board: Any, tile: Any, cell: Any, blank: Any, grid: Any, places: Any, homes: Any, conflict: Any
) -> Any:
    """Return the part that falls to one tile of what tiles add for each other's sake."""
    rows, columns = places[ROW, -1] + 1, places[COLUMN, -1] + 1
    row, column = places[ROW, cell], places[COLUMN, cell]
    # Two tiles in each other's way are met twice, a border once from either side.
    halves = 0
    if homes[ROW, tile] == row:
        halves += conflict * _in_the_way(
            board, tile, column, row, row * columns, 1, columns, homes[ROW], homes[COLUMN]
        )
    if homes[COLUMN, tile] == column:
        halves += conflict * _in_the_way(
            board, tile, row, column, column, columns, rows, homes[COLUMN], homes[ROW]
        )
    halves += BORDER * _borders(board, tile, cell, blank, grid, homes)
    if homes[CELL, tile] != cell:
        # The rim is met once.
        for direction in range(4):
            halves += BORDER * (grid[cell, direction] < 0)
    # A ring is met by each of its tiles, and counts for the first.
    is_first = True
    other = homes[CELL, tile]
    for _ in range(len(RINGS)):
        if other in (cell, blank):
            break
        is_first = is_first and other > cell
        other = homes[CELL, board[other]]
    return halves // 2 + (_ring(board, tile, cell, blank, homes) if is_first else 0)


@kernel
def appraise(
    board: Any, weights: Any, wrong: Any, grid: Any, places: Any, homes: Any, conflict: Any
) -> tuple[int, int, int, int]:
    """Return value, misses, blank and hash of a board, worked out from scratch.

    Without `conflict` tiles are judged one by one.
    """
    value = np.int64(0)
    misses = 0
    blank = 0
    word = np.uint64(0)
    while board[blank] != 0:
        blank += 1
    for cell in range(len(board)):
        tile = np.int64(board[cell])
        misses += wrong[tile, cell]
        if tile == 0:
            continue
        value += weights[tile, cell]
        word ^= mix(tile, np.int64(cell))
        if conflict > 0:
            value += _of_one(board, tile, np.int64(cell), blank, grid, places, homes, conflict)
    return int(value), misses, blank, int(word)


@part
def change(
    board: Any, tile: Any, cell: Any, blank: Any, grid: Any, places: Any, homes: Any, conflict: Any
) -> Any:
    """Return what a board's value changes by, beyond a tile's weight, when it goes to the blank."""
    rows, columns = places[ROW, -1] + 1, places[COLUMN, -1] + 1
    row, column = places[ROW, cell], places[COLUMN, cell]
    to_row, to_column = places[ROW, blank], places[COLUMN, blank]
    its_row, its_column = homes[ROW, tile], homes[COLUMN, tile]
    found = 0
    if column == to_column and its_row in (row, to_row):
        found = _in_the_way(
            board, tile, column, its_row, its_row * columns, 1, columns, homes[ROW], homes[COLUMN]
        )
        found = found if its_row == to_row else -found
    elif row == to_row and its_column in (column, to_column):
        found = _in_the_way(
            board, tile, row, its_column, its_column, columns, rows, homes[COLUMN], homes[ROW]
        )
        found = found if its_column == to_column else -found
    borders = _borders(board, tile, blank, cell, grid, homes)
    borders -= _borders(board, tile, cell, blank, grid, homes)
    rings = _ring(board, tile, blank, cell, homes) - _ring(board, tile, cell, blank, homes)
    return conflict * found + BORDER * borders + rings


def places_of(size: int, columns: int) -> Any:
    """Return row and column of each cell."""
    return np.stack(np.divmod(np.arange(size), columns))


def homes_of(homes: Any, columns: int) -> Any:
    """Return row, column and cell of each tile's home."""
    found = np.stack((*np.divmod(homes, columns), homes))
    found[:, 0] = NOWHERE
    return found

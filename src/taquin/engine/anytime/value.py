"""How promising a board is: the less its value, the better; the goal's is 0.

    steps       how far a tile is from home in rows and in columns, summed over the tiles
    conflicts   two tiles that are both in their line, and in each other's way
    rings       a few tiles each of which is where the next belongs
    borders     two neighbours of which one is at home and the other not

The value is no estimate of moves. It is made for telling boards of the same depth apart, and counts
what makes the end of a large board long. `appraise` works it out from scratch; `change` tells how
one move changes it. Both know a tile by the cell where it belongs, so that a tile is at home where
`board[cell] == cell`. A board has two more cells of that kind, in no line and no ring: the rim, one
cell for all beyond the grid and always at home, and what the blank is known by.

    0 1 2 | 6        A board of 2×3: its last two tiles are a ring with the blank. The cell behind
    3 5 7 |          its last is the rim, 6; the blank is 7.

Puzzles with walls or interchangeable tiles are judged tile by tile: `weights` says what each adds.
"""

from __future__ import annotations

from functools import lru_cache, singledispatch
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.field import SCALE, Field, Tiles, blank_of
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, widened

FAR = 0.6
"""How much the squares of a tile's distances in rows and in columns count beside the distances.
Far tiles count for more than their steps, so that near ones give way to them; and of two ways to
the same distance that is better which leaves the tile two directions to go. On 20×20 this takes
12 % fewer moves than the power 1.5 of the whole distance; 0.4 to 1.5 are all about as good."""
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
ROW, COLUMN, BESIDE = range(3)
"""What is known of a cell, and from the last on its neighbours: up, left, right and down."""
_NOWHERE = -(1 << 14)
"""Row and column of the rim and of the blank's home: they are part of no line."""


Homes: TypeAlias = NDArray[np.integer[Any]]
"""A board as it is judged: the home of the tile in each cell, and the rim behind them."""


class Terms(NamedTuple):
    """What the values of the boards of a classic puzzle are made of."""

    columns: int
    """Columns of the grid."""
    conflict: int
    """What two tiles in each other's way add."""
    cells: NDArray[np.int32]
    """Of each cell ROW, COLUMN and, from BESIDE on, its neighbours."""
    steps: NDArray[np.int32]
    """What a tile adds by its distance from home in one line; home is in the middle."""


class Weights(NamedTuple):
    """What the values of the boards of any other puzzle are made of; boards hold ids."""

    weights: NDArray[np.int32]
    """What each tile adds by its cell."""
    wrong: NDArray[np.uint8]
    """For each id, the blank's included, and cell, 1 where the goal wants something else there."""


class Slide(NamedTuple):
    """A tile that goes to the blank's cell."""

    tile: int
    """Its home."""
    cell: int
    """The cell that it leaves."""
    blank: int
    """The cell that it goes to."""
    direction: int
    """Where the *blank* goes."""


@part
def _in_the_row(board: Homes, tile: int, place: int, row: int, terms: Terms) -> int:
    """Return how many tiles of a row are at home in it but on the wrong side of a tile.

    The tile is at a place of the row, or goes there.
    """
    columns = terms.columns
    first = row * columns
    found = 0
    for other in range(columns):
        at = widened(board[np.uint64(first) + np.uint64(other)])
        is_in_line = (at >= first) & (at < first + columns) & (at != tile)
        found += is_in_line & ((other < place) != (at < tile))
    return found


@part
def _in_the_column(board: Homes, tile: int, place: int, column: int, terms: Terms) -> int:
    """Return the same for a column."""
    found = 0
    cell = np.uint64(column)
    for other in range((len(terms.cells) - 2) // terms.columns):
        at = board[cell]
        is_in_line = (terms.cells[at, COLUMN] == column) & (at != tile)
        found += is_in_line & ((other < place) != (at < tile))
        cell += np.uint64(terms.columns)
    return found


@part
def _ring(board: Homes, tile: int, cell: int, other: int) -> int:
    """Return what a ring adds that a tile in a cell closes; less than 0 if it does in the other."""
    length = 1
    home = tile
    while home != cell:
        if home == other:
            return -widened(RINGS[length])
        length += 1
        if length == len(RINGS):
            return 0
        home = widened(board[home])
    return widened(RINGS[length])


@inlined
@singledispatch
def change(terms: Any, board: Homes, slide: Slide) -> int:
    """Return what a slide changes the value of a board by."""
    raise TypeError(terms)


@change.register
def _(terms: Terms, board: Homes, slide: Slide) -> int:
    tile, cell, blank, direction = slide
    about, steps = terms.cells, terms.steps
    home = len(steps) // 2
    is_down = direction in (0, 3)
    line = ROW if is_down else COLUMN
    its, here, there = about[tile, line], about[cell, line], about[blank, line]
    value = widened(steps[home + there - its]) - widened(steps[home + here - its])
    if its in (here, there):
        if is_down:
            found = _in_the_row(board, tile, about[cell, COLUMN], its, terms)
        else:
            found = _in_the_column(board, tile, about[cell, ROW], its, terms)
        value += terms.conflict * found if its == there else -terms.conflict * found
    at_home_here, at_home_there = 0, 0
    for side in range(4):
        beside = np.uint32(about[blank, BESIDE + side])
        at_home_there += (board[beside] == beside) & (beside != cell)
        beside = np.uint32(about[cell, BESIDE + side])
        at_home_here += (board[beside] == beside) & (beside != blank)
    # A tile at home has borders with those of its three other neighbours that are not.
    if tile == blank:
        at_home_there = 3 - at_home_there
    elif tile == cell:
        at_home_here = 3 - at_home_here
    value += BORDER * (at_home_there - at_home_here) + _ring(board, tile, blank, cell)
    return value


@change.register
def _(terms: Weights, board: Homes, slide: Slide) -> int:
    weights = terms.weights
    return widened(weights[slide.tile, slide.blank] - weights[slide.tile, slide.cell])


@inlined
@singledispatch
def misses_after(terms: Any, misses: int, slide: Slide) -> int:
    """Return how many cells are wrong after a slide, of `misses` before it.

    The cell of the blank is not counted where the blank has one home.
    """
    raise TypeError(terms)


@misses_after.register
def _(terms: Terms, misses: int, slide: Slide) -> int:
    return misses + (slide.tile != slide.blank) - (slide.tile != slide.cell)


@misses_after.register
def _(terms: Weights, misses: int, slide: Slide) -> int:
    wrong, tile, cell, blank = terms.wrong, slide.tile, slide.cell, slide.blank
    misses += widened(wrong[tile, blank]) + widened(wrong[0, cell])
    return misses - widened(wrong[tile, cell]) - widened(wrong[0, blank])


@part
def _is_first(board: Homes, cell: int, blank: int) -> bool:
    """Return whether a cell is the first of its ring, if it is part of one."""
    other = widened(board[cell])
    for _ in range(len(RINGS)):
        if other in (cell, blank):
            break
        if other < cell:
            return False
        other = widened(board[other])
    return True


@kernel
def appraise(board: Homes, blank: int, terms: Terms) -> int:
    """Return the value of a board, worked out from scratch."""
    about, steps = terms.cells, terms.steps
    home = len(steps) // 2
    rim = len(about) - 2
    value = 0
    # Two tiles in each other's way are met twice.
    halves = 0
    for cell in range(rim):
        if cell == blank:
            continue
        tile = widened(board[cell])
        row, column = about[cell, ROW], about[cell, COLUMN]
        value += steps[home + row - about[tile, ROW]] + steps[home + column - about[tile, COLUMN]]
        if about[tile, ROW] == row:
            halves += _in_the_row(board, tile, column, row, terms)
        if about[tile, COLUMN] == column:
            halves += _in_the_column(board, tile, row, column, terms)
        for side in range(4):
            beside = about[cell, BESIDE + side]
            # The rim is met once, and others are to be.
            is_met = beside == rim or (side >= 2 and beside != blank)
            value += BORDER * (is_met and (board[beside] == beside) != (tile == cell))
        if _is_first(board, cell, blank):
            value += max(0, _ring(board, tile, cell, blank))
    return value + terms.conflict * (halves // 2)


def judged(puzzle: Field, board: Tiles, conflict: int) -> tuple[NDArray[np.int64], int, int]:
    """Return a board as the kernels know it, its value, and how many of its cells are wrong."""
    cells = np.arange(puzzle.size)
    if not puzzle.is_classic:
        value, misses = puzzle.weights[board, cells].sum(), puzzle.wrong[board, cells].sum()
        return np.append(board, 0), int(value), int(misses)
    known = np.append(puzzle.homes[board], puzzle.size)
    blank = blank_of(board)
    known[blank] = puzzle.size + 1
    value = appraise(known, blank, _terms(puzzle, conflict))
    # The blank is at home when all tiles are.
    return known, int(value), int((known[:-1] != cells).sum()) - 1


def terms_of(puzzle: Field, conflict: int) -> Terms | Weights:
    """Return what values are made of, where two tiles in each other's way add `conflict`."""
    return _terms(puzzle, conflict) if puzzle.is_classic else Weights(puzzle.weights, puzzle.wrong)


def _terms(puzzle: Field, conflict: int) -> Terms:
    return Terms(puzzle.columns, conflict, *_arrays(puzzle.rows, puzzle.columns))


@lru_cache(maxsize=8)
def _arrays(rows: int, columns: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    rim = rows * columns
    cells = np.arange(rim)
    row, column = np.divmod(cells, columns)
    about = np.full((rim + 2, 8), _NOWHERE, np.int32)
    about[:rim, ROW], about[:rim, COLUMN] = row, column
    inside = (row > 0, column > 0, column < columns - 1, row < rows - 1)
    for side, step in enumerate((-columns, -1, 1, columns)):
        about[:rim, BESIDE + side] = np.where(inside[side], cells + step, rim)
    distance = abs(np.arange(-max(rows, columns), max(rows, columns) + 1))
    return about, np.round(SCALE * (distance + FAR * distance**2)).astype(np.int32)

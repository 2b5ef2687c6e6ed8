"""How promising a board is: the less its value, the better.

    steps       how far a tile is from home in rows and in columns, summed over the tiles
    conflicts   two tiles that are both in their line, and in each other's way
    cycles      a few tiles each of which is where the next belongs
    borders     two neighbours of which one is at home and the other not

The value is no estimate of moves. It compares boards of the same depth, and counts what makes the
end of a large board long. A beam only compares values, so the start's is 0, and `change` says how
one move changes it. Tiles are named after the cell where they belong, so that one is at home where
`board[cell] == cell`. There are two more such names, in no line and no cycle: the rim, one cell for
all beyond the grid and always at home, and the blank's.

    0 1 2 | 6        A board of 2×3: its last two tiles are a cycle with the blank. The cell behind
    3 5 7 |          its last is the rim, 6; the blank is 7.

In puzzles with walls or interchangeable tiles each tile adds what `weights` says.
"""

from __future__ import annotations

from functools import lru_cache, singledispatch
from typing import Any, NamedTuple, TypeAlias

from taquin.engine.anytime.arrays import SCALE, PuzzleArrays, Tiles, blank_of
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, array, int32, matrix, uint8, uint32, uint64
from taquin.system.native import inlined, part, widened

FAR = 0.8
"""How much the squares of a tile's distances in rows and in columns count beside the distances.
Near tiles give way to far ones, and a tile keeps two directions to go. On 20×20 this takes 12 %
fewer moves than the power 1.5 of the whole distance; 0.4 to 1.5 are all about as good there. On 6×6
0.3 takes 2 % more than 0.6."""
CONFLICT = 4 * SCALE
"""What two tiles of a line in each other's way add to the value of a board."""
CYCLES = bytes(SCALE * times for times in (0, 0, 4, 0, 6, 0, 6))
"""What a cycle adds, by its length. The last cycles of a board have an even number of tiles, and a
blank that comes and goes by the same way cannot undo one alone. With this a beam of 1,000 solved
all of 8 boards of 10×10, without it none."""
SMALL = 49
"""Cells up to which a beam undoes cycles by itself, and does better if they add nothing: by 0.6 of
103.1 moves on 5×5 in a second, by 1.2 % on 6×6 in two and by 1.6 % on 7×7 in three. On 8×8 there is
no difference, and on 10×10 they save 0.8 % (two cores, 2026-11-17)."""
BORDER = 12
"""What a border adds; the rim of the grid counts as at home. The blank has to go to each island of
wrong tiles: this keeps them few. It saved about 5 % of the moves on 10×10 and 4 % on 20×20. On 5×5
and 6×6 12 and a FAR of 0.8 together take 1 % fewer moves than 6 and 0.6."""
ROW, COLUMN, BESIDE = range(3)
"""Places in a row of `Terms.cells`; neighbours follow from BESIDE on: up, left, right, down."""
_NOWHERE = -(1 << 14)
"""Row and column of the rim and of the blank's name: they are part of no line."""
Homes: TypeAlias = Array[Any]
"""A board by homes: that of the tile in each cell, and the rim behind them."""


class Terms(NamedTuple):
    """What the values of boards of a classic puzzle depend on."""

    columns: int
    """Columns of the grid."""
    conflict: int
    """What two tiles in each other's way add."""
    cycles: int
    """What cycles add, a byte for each length; 0 if they do not count."""
    cells: Matrix[int32]
    """For each cell its row, its column and its neighbours."""
    steps: Array[int32]
    """What a tile adds by its distance from home in one line; home is in the middle."""


class Weights(NamedTuple):
    """What the values of boards of any other puzzle depend on; these boards hold ids."""

    weights: Matrix[int32]
    """For each id and cell, what it adds."""
    wrong: Matrix[uint8]
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
def _row_conflicts(board: Homes, tile: int, place: int, row: int, terms: Terms) -> int:
    """Return how many tiles that belong in a row conflict with a tile at a place of it."""
    columns = terms.columns
    first = row * columns
    conflicts = 0
    for other in range(columns):
        at = widened(board[uint64(first) + uint64(other)])
        is_in_line = (at >= first) & (at < first + columns) & (at != tile)
        conflicts += is_in_line & ((other < place) != (at < tile))
    return conflicts


@part
def _column_conflicts(board: Homes, tile: int, place: int, column: int, terms: Terms) -> int:
    """Return the same for a column."""
    conflicts = 0
    cell = uint64(column)
    for other in range((len(terms.cells) - 2) // terms.columns):
        at = board[cell]
        is_in_line = (terms.cells[at, COLUMN] == column) & (at != tile)
        conflicts += is_in_line & ((other < place) != (at < tile))
        cell += uint64(terms.columns)
    return conflicts


@part
def _cycle(board: Homes, tile: int, cell: int, other: int, cycles: int) -> int:
    """Return what a cycle adds that a tile closes in a cell; negative if it does in the other."""
    length = 1
    home = tile
    while home != cell:
        if home == other:
            return -(cycles >> 8 * length & 255)
        length += 1
        if length == len(CYCLES):
            return 0
        home = widened(board[home])
    return cycles >> 8 * length & 255


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
    # The lines (row or column) where the tile belongs, is, and goes.
    its, old, new = about[tile, line], about[cell, line], about[blank, line]
    value = widened(steps[home + new - its]) - widened(steps[home + old - its])
    if its in (old, new):
        if is_down:
            conflicts = _row_conflicts(board, tile, about[cell, COLUMN], its, terms)
        else:
            conflicts = _column_conflicts(board, tile, about[cell, ROW], its, terms)
        value += terms.conflict * conflicts if its == new else -terms.conflict * conflicts
    at_home_before, at_home_after = 0, 0
    for side in range(4):
        beside = uint32(about[blank, BESIDE + side])
        at_home_after += (board[beside] == beside) & (beside != cell)
        beside = uint32(about[cell, BESIDE + side])
        at_home_before += (board[beside] == beside) & (beside != blank)
    # A tile at home has borders with those of its three other neighbours that are not.
    if tile == blank:
        at_home_after = 3 - at_home_after
    elif tile == cell:
        at_home_before = 3 - at_home_before
    value += BORDER * (at_home_after - at_home_before)
    if terms.cycles:
        value += _cycle(board, tile, blank, cell, terms.cycles)
    return value


@change.register
def _(terms: Weights, board: Homes, slide: Slide) -> int:
    weights = terms.weights
    return widened(weights[slide.tile, slide.blank] - weights[slide.tile, slide.cell])


@inlined
@singledispatch
def misses_after(terms: Any, misses: int, slide: Slide) -> int:
    """Return how many cells are wrong after a slide, the blank's not counted if it has one home."""
    raise TypeError(terms)


@misses_after.register
def _(terms: Terms, misses: int, slide: Slide) -> int:
    return misses + (slide.tile != slide.blank) - (slide.tile != slide.cell)


@misses_after.register
def _(terms: Weights, misses: int, slide: Slide) -> int:
    wrong, tile, cell, blank = terms.wrong, slide.tile, slide.cell, slide.blank
    misses += widened(wrong[tile, blank]) + widened(wrong[0, cell])
    return misses - widened(wrong[tile, cell]) - widened(wrong[0, blank])


def terms_of(
    puzzle: PuzzleArrays, board: Tiles, conflict: int
) -> tuple[Terms | Weights, list[int], int]:
    """Return what values depend on, a board as kernels read it, and how many cells are wrong.

    Two tiles in each other's way add `conflict` to the value.
    """
    if not puzzle.is_classic:
        misses = sum(puzzle.wrong[number, cell] for cell, number in enumerate(board))
        return Weights(puzzle.weights, puzzle.wrong), [*board, 0], misses
    homes = [puzzle.homes[number] for number in board]
    homes[blank_of(board)] = puzzle.size + 1
    cycles = int.from_bytes(CYCLES, "little") if puzzle.size > SMALL else 0
    terms = Terms(puzzle.columns, conflict, cycles, *_arrays(puzzle.rows, puzzle.columns))
    # The blank is at home when all tiles are.
    misses = sum(home != cell for cell, home in enumerate(homes)) - 1
    return terms, [*homes, puzzle.size], misses


@lru_cache(maxsize=8)
def _arrays(rows: int, columns: int) -> tuple[Array[int32], Array[int32]]:
    rim = rows * columns
    about = [[_NOWHERE] * 8 for _ in range(rim + 2)]
    for cell in range(rim):
        row, column = divmod(cell, columns)
        inside = (row > 0, column > 0, column < columns - 1, row < rows - 1)
        sides = zip(inside, (-columns, -1, 1, columns), strict=True)
        beside = [cell + step if is_inside else rim for is_inside, step in sides]
        about[cell][: BESIDE + 4] = [row, column, *beside]
    distances = map(abs, range(-max(rows, columns), max(rows, columns) + 1))
    steps = [round(SCALE * (distance + FAR * distance**2)) for distance in distances]
    return matrix(about, int32), array(steps, int32)

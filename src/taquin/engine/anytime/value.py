"""How promising a board is: the less its value, the better.

The value was fitted to how many moves solutions take. Each tile adds what its distance from home
says, and each pair of tiles near each other what their two displacements say together:

    . . g . .       the twelve cells around a tile whose tiles make pairs with it: those beside it,
    . d a d .       those across a corner, and those two steps away in its row or column. A
    g a T a g       displacement is a tile's cell less its home, each of the two coordinates cut off
    . d a d .       at 2. Beyond the rim of the grid there is a neighbour of a kind of its own, and
    . . g . .       the blank makes no pair

`weights.txt` has the numbers. They compare boards far better than distances, conflicts in lines and
borders of solved regions: on 5×5 a beam of 500 boards finds solutions as short as a beam of 3,000
found with these.

The value is no estimate of moves: squares of distances are added to it, so that near tiles give way
to far ones, and a tile keeps two directions to go. A beam only compares values, so the start's is
0, and `kernels/beam.c` adds what each move changes. Tiles are named after the cell where they
belong. In puzzles with walls or interchangeable tiles each tile adds what `Terms.weights` says.

The file of weights: a pair has an *offset*, from one of its cells to the other, and each of its
tiles has a *kind*, its displacement. A pair counts the same however it is turned or mirrored, and
whichever of its tiles comes first. So there is a table for each of three offsets, a, d and g in the
picture: a row for each kind of the one tile, a number for each kind of the other, and one for a
cell beyond the rim. `python -m tools.fit_value` writes the file.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from taquin.engine.anytime.puzzle_arrays import Neighbours, PuzzleArrays, Tiles, blank_of
from taquin.system.arrays import Array, Matrix, array, int16, int32, matrix, uint8, uint16, zeros
from taquin.system.compiled import Compiled

REACH = 2
"""Most steps of a displacement that are distinguished."""
_SIDE = 2 * REACH + 1
RIM = _SIDE**2
"""The kind of a neighbour beyond the rim; those before it are displacements."""
NO_TILE = RIM + 1
"""The kind of the blank, which makes no pair."""
KINDS = NO_TILE + 1
"""How many kinds of neighbours there are."""
NEAR = 4
"""Most steps in one line up to which distances from home are distinguished; from there on each step
adds the same."""
Offset: TypeAlias = tuple[int, int]
"""Rows and columns from one cell to another, or from a tile's home to its cell."""
FIRST_OFFSETS: tuple[Offset, ...] = ((0, 1), (1, 1), (0, 2))
"""One of each kind of pair, in the order of the tables."""
OFFSETS: tuple[Offset, ...] = (
    *((-1, 0), (0, -1), (0, 1), (1, 0)),
    *((-1, -1), (-1, 1), (1, -1), (1, 1)),
    *((-2, 0), (0, -2), (0, 2), (2, 0)),
)
"""From a cell to those around it. The first four are the blank's directions, in their order."""


def kind_of(down: int, right: int) -> int:
    """Return the kind of a tile by its displacement."""
    down = max(-REACH, min(REACH, down))
    return (down + REACH) * _SIDE + max(-REACH, min(REACH, right)) + REACH


class ValueWeights(NamedTuple):
    """What was fitted."""

    singles: list[list[int]]
    """What a tile adds, by its distances from home in rows and in columns, up to `NEAR`."""
    step: int
    """What each step more adds."""
    pairs: list[list[list[int]]]
    """For each of `FIRST_OFFSETS`, what a pair adds by the kinds of its two tiles."""


@lru_cache(maxsize=1)
def read_weights() -> ValueWeights:
    """Return what `weights.txt` says."""
    lines = Path(__file__).with_name("weights.txt").read_text().splitlines()
    rows = [list(map(int, line.split())) for line in lines if not line.startswith("#")]
    tables = [rows[first : first + RIM] for first in range(NEAR + 2, len(rows), RIM)]
    return ValueWeights(rows[: NEAR + 1], rows[NEAR + 1][0], tables)


def single_weight(down: int, right: int) -> int:
    """Return what a tile adds by its distances from home, without their squares."""
    weights = read_weights()
    beyond = max(0, down - NEAR) + max(0, right - NEAR)
    return weights.singles[min(down, NEAR)][min(right, NEAR)] + weights.step * beyond


@lru_cache(maxsize=1)
def pair_weights() -> tuple[tuple[int, ...], ...]:
    """Return a row for each kind of tile: what it adds by the kinds of its neighbours."""
    tables = read_weights().pairs
    displacements = [divmod(kind, _SIDE) for kind in range(RIM)]
    rows: list[list[int]] = [[] for _ in displacements]
    for offset in OFFSETS:
        first = tuple(sorted(map(abs, offset)))
        table = tables[FIRST_OFFSETS.index((first[0], first[1]))]
        # The kinds as they are where the pair is turned to the first one like it.
        is_turned = abs(offset[0]) > abs(offset[1])
        signs = [-1 if steps < 0 else 1 for steps in (offset[::-1] if is_turned else offset)]
        turned = []
        for displacement in displacements:
            steps = [place - REACH for place in displacement]
            down, right = reversed(steps) if is_turned else steps
            turned.append(kind_of(signs[0] * down, signs[1] * right))
        for row, kind in zip(rows, turned, strict=True):
            row += [*(table[kind][other] for other in turned), table[kind][RIM], 0]
    return tuple(map(tuple, rows))


FAR = 20
"""What the square of a distance from home, in rows or in columns, adds. A beam of 1,000 boards took
106.7 moves on 5×5 with 0, 105.3 with 12 and 20, and 105.7 with 30. On 10×10 12, 20 and 30 are
equally good."""
HOME_BITS = 11
"""Bits of an item of a board that name a tile; its kind is above them."""
MOST_NUMBERS = 1 << HOME_BITS
"""Most tiles that have numbers: the cells of a whole board, or twice those that a window views."""
_MOST_SQUARED = 256
"""The distance from which on its square is continued by a straight line."""


class Terms(NamedTuple):
    """What the values of boards depend on.

    Of a classic puzzle an item of a board is the tile's home with its kind above it, and the last
    two arrays are empty; else an item is an id, and the first four are empty.
    """

    around: Matrix[uint16]
    """For each cell the cells around it, in the order of `OFFSETS`; the rim for those beyond."""
    lines: Matrix[int32]
    """For each cell its row and its column."""
    singles: Matrix[int32]
    """What a tile adds alone, by its distances from home in rows and in columns."""
    pairs: Matrix[int32]
    """For each kind of a tile, what it adds by the kinds of its neighbours: KINDS an offset."""
    weights: Matrix[int32]
    """For each id and cell, what it adds."""
    wrong: Matrix[uint8]
    """For each id, the blank's included, and cell, 1 where the goal wants something else there."""


class Box(NamedTuple):
    """Some rows and columns of a grid; the ends are exclusive."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def size(self) -> int:
        """The number of cells."""
        return (self.bottom - self.top) * (self.right - self.left)

    def with_margin(self, margin: int, rows: int, columns: int) -> Box:
        """Return the box with so many cells more on each side, within a grid."""
        top, left = max(0, self.top - margin), max(0, self.left - margin)
        return Box(top, left, min(rows, self.bottom + margin), min(columns, self.right + margin))


class ViewMemory(NamedTuple):
    """Memory for the views of boards, one after the other."""

    items: Array[uint16]
    around: Matrix[uint16]
    lines: Matrix[int32]
    near: Matrix[int32]


def view_memory(cells: int) -> ViewMemory:
    """Return memory for views of up to so many cells."""
    return ViewMemory(
        *(zeros(cells + 1, uint16), zeros((cells, len(OFFSETS)), uint16)),
        *(zeros((2 * cells, 2), int32), zeros((cells, 4), int32)),
    )


class BeamView(NamedTuple):
    """A board, or the part of it around a box, as a beam reads it."""

    terms: Terms
    items: Array[uint16]
    """The items of its cells, and the rim's behind them."""
    near: Neighbours
    """The cells that the blank may go to."""
    blank: int
    """The cell of the blank."""
    misses: int
    """How many cells are wrong."""


class ViewBoard(NamedTuple):
    """Writes what a beam in a box of a classic puzzle reads, and returns the cell of the blank.

    Tiles that belong outside the view get numbers above its cells'.
    """

    board: Array[int16]
    """The id in each cell of the whole board."""
    homes: Array[int32]
    """The goal cell of each id."""
    columns: int
    outer: Box
    """The cells of the view."""
    inner: Box
    """Those that the blank, which is there, stays in."""
    items: Array[uint16]
    lines: Matrix[int32]
    near: Matrix[int32]
    misses: int = 0
    """The result: how many cells are wrong."""


_VIEW = Compiled("view_board", ViewBoard)


def is_viewable(puzzle: PuzzleArrays, box: Box) -> bool:
    """Return whether there are numbers for all tiles in a box of a puzzle and around it."""
    outer = box.with_margin(REACH, puzzle.rows, puzzle.columns)
    is_whole = outer == (0, 0, puzzle.rows, puzzle.columns)
    return outer.size << (not is_whole) <= MOST_NUMBERS


def view_of(
    puzzle: PuzzleArrays, board: Tiles | Array[int16], box: Box | None, memory: ViewMemory
) -> BeamView:
    """Return a board as a beam reads it, whose blank stays in the box, if any.

    The tiles that make pairs with those in the box belong to the view. That of a classic puzzle is
    in the memory, until the next one.
    """
    if not puzzle.is_classic:
        misses = sum(puzzle.wrong[number, cell] for cell, number in enumerate(board))
        none = zeros((0, 0), int32)
        terms = Terms(zeros((0, 0), uint16), none, none, none, puzzle.weights, puzzle.wrong)
        return BeamView(
            terms, array([*board, 0], uint16), puzzle.near, blank_of(list(board)), misses
        )
    rows, columns = puzzle.rows, puzzle.columns
    inner = Box(0, 0, rows, columns) if box is None else box
    outer = inner.with_margin(REACH, rows, columns)
    assert is_viewable(puzzle, inner), "every tile has a number"
    items, around, lines, near = memory
    tiles = board if isinstance(board, Array) else array(board, int16)
    view = _VIEW.given(ViewBoard(tiles, puzzle.homes, columns, outer, inner, items, lines, near))
    blank = view()
    cells = cells_around(outer.bottom - outer.top, outer.right - outer.left).items
    around.items[: len(cells)] = cells
    terms = Terms(
        *(around, lines, single_values(rows, columns), _pair_values()),
        *(puzzle.weights, puzzle.wrong),
    )
    return BeamView(terms, items[: outer.size + 1], near, blank, view.get("misses"))


def homes_in(puzzle: PuzzleArrays, board: Tiles) -> tuple[list[int], int]:
    """Return the home of what is in each cell of a classic puzzle, and how many tiles are wrong."""
    homes = [puzzle.homes[number] for number in board]
    return homes, sum(home != cell for cell, home in enumerate(homes) if board[cell])


@lru_cache(maxsize=32)
def cells_around(rows: int, columns: int) -> Matrix[uint16]:
    """Return for each cell of a grid those around it, in the order of `OFFSETS`, or the rim."""
    cells = [divmod(cell, columns) for cell in range(rows * columns)]
    around = [
        [
            (row + down) * columns + column + right
            if 0 <= row + down < rows and 0 <= column + right < columns
            else len(cells)
            for down, right in OFFSETS
        ]
        for row, column in cells
    ]
    return matrix(around, uint16)


@lru_cache(maxsize=8)
def single_values(rows: int, columns: int) -> Matrix[int32]:
    """Return what a tile adds alone, by its distances from home in rows and in columns."""
    return matrix(
        [
            [single_weight(down, right) + FAR * (_square(down) + _square(right))
             for right in range(columns)]
            for down in range(rows)
        ],
        int32,
    )  # fmt: skip


def _square(distance: int) -> int:
    """Return the square of a distance, continued by a straight line where 32 bits are too few."""
    return (
        distance**2 if distance <= _MOST_SQUARED else _MOST_SQUARED * (2 * distance - _MOST_SQUARED)
    )


@lru_cache(maxsize=1)
def _pair_values() -> Matrix[int32]:
    return matrix(pair_weights(), int32)

"""Classic puzzles in normal form, the only form that tables and kernels handle.

A *shape* is a grid without walls and the cell where the goal has its blank.

    cells of a 2 × 3 grid      directions, as the *blank* moves

        0 1 2                          0
        3 4 5                        1 · 2        a direction and its opposite sum to 3
                                       3

In *normal form* a tile is named by its goal cell, and 0 is the blank. Only the tile whose goal cell
is 0 has another name: the blank's goal cell, which no other tile uses. So a shape determines its
goal.

        goal 7 3 _    blank in cell 2, so 3 is called 1 (its cell), 5 is 3, 9 is 4, 8 is 5,
             5 9 8    and 7, which belongs in cell 0, is called 2: the goal reads 2 1 0 / 3 4 5
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress, pairwise, product
from operator import getitem
from typing import TypeAlias

from taquin.errors import InputError
from taquin.model.board import Board
from taquin.model.moves import BLANK, DirectedMoves, Direction, Label, Metric, Move
from taquin.model.puzzle import Goal, Puzzle

Cells: TypeAlias = tuple[int, ...]
"""A tuple indexed by cell, or a set of cells written as a sorted tuple."""
LARGEST = 25
"""The maximum number of cells of a shape."""
_TILE_DIRECTIONS = (Direction.DOWN, Direction.RIGHT, Direction.LEFT, Direction.UP)
"""Where tiles go when the blank goes in each direction."""


# Without slots, because `cached_property` keeps its values in `__dict__`.
@dataclass(frozen=True, order=True)
class Shape:
    """A grid without walls and the cell where the goal has its blank.

    Raise InputError for fewer than two rows or columns, or more than 25 cells.
    """

    rows: int
    columns: int
    blank: int
    """The blank's cell in the goal."""

    def __post_init__(self) -> None:
        if self.rows < 2 or self.columns < 2 or self.size > LARGEST:
            raise InputError(
                f"tables and compiled searches support grids from 2×2 to {LARGEST} cells, got "
                f"{self.rows}×{self.columns}"
            )
        if not 0 <= self.blank < self.size:
            raise InputError(f"the blank's cell must be 0 to {self.size - 1}, got {self.blank}")

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def offsets(self) -> Cells:
        """The change of the blank's cell number in each of the four directions."""
        return (-self.columns, -1, 1, self.columns)

    @cached_property
    def steps(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell, the `(direction, neighbour)` pairs that stay on the grid."""
        steps = []
        for cell in range(self.size):
            row, column = divmod(cell, self.columns)
            inside = (row > 0, column > 0, column < self.columns - 1, row < self.rows - 1)
            near = enumerate(cell + offset for offset in self.offsets)
            steps.append(tuple(compress(near, inside)))
        return tuple(steps)

    @cached_property
    def symmetries(self) -> tuple[tuple[Shape, Cells], ...]:
        """The eight images of the shape, each with the image of every cell; itself first.

        The second half exchanges rows and columns.
        """
        rows, columns = self.rows, self.columns
        images = []
        for exchange, flip_rows, flip_columns in product((False, True), repeat=3):
            image = []
            for cell in range(self.size):
                row, column = divmod(cell, columns)
                row = rows - 1 - row if flip_rows else row
                column = columns - 1 - column if flip_columns else column
                image.append(column * rows + row if exchange else row * columns + column)
            sides = (columns, rows) if exchange else (rows, columns)
            images.append((Shape(*sides, image[self.blank]), tuple(image)))
        return tuple(images)

    @cached_property
    def goal(self) -> Cells:
        """The goal in normal form."""
        return tuple(map(self.name_of, range(self.size)))

    @cached_property
    def homes(self) -> Cells:
        """The goal cell of each tile, by name, with the blank's at 0."""
        return (self.blank, *map(self.home_of, range(1, self.size)))

    @cached_property
    def distances(self) -> tuple[Cells, ...]:
        """For each cell and name, the distance from the tile's home; 0 for the blank."""
        return tuple(
            (0, *(self.manhattan(cell, self.home_of(name)) for name in range(1, self.size)))
            for cell in range(self.size)
        )

    def manhattan(self, one: int, other: int) -> int:
        """Return the Manhattan distance of two cells."""
        columns = self.columns
        return abs(one // columns - other // columns) + abs(one % columns - other % columns)

    def region(self, walls: frozenset[int], cell: int) -> Cells:
        """Return the sorted cells the blank reaches from `cell` without entering `walls`."""
        reached = [cell]
        for reached_cell in reached:
            steps = self.steps[reached_cell]
            reached += [near for _, near in steps if near not in walls and near not in reached]
        return tuple(sorted(reached))

    def name_of(self, cell: int) -> int:
        """Return the name of the tile whose home is `cell`; 0 for the blank."""
        return 0 if cell == self.blank else cell or self.blank

    def home_of(self, name: int) -> int:
        """Return the goal cell of the tile called `name`."""
        return 0 if name == self.blank else name


@dataclass(frozen=True, slots=True)
class Normal:
    """A board whose tiles are named after their goal cells."""

    shape: Shape
    board: Cells
    """The name of the tile in each cell; 0 is the blank."""

    @property
    def where(self) -> Cells:
        """The cell of each tile, by name, with the blank's at 0."""
        return tuple(sorted(range(len(self.board)), key=self.board.__getitem__))

    @property
    def inverse(self) -> Normal:
        """The inverse board, whose solutions are those of this one, reversed.

        Goal and start are exchanged: each tile is named after its present cell, and placed in its
        former goal cell.
        """
        shape = Shape(self.shape.rows, self.shape.columns, self.where[0])
        where = self.where
        names = [shape.name_of(where[name]) for name in self.shape.goal]
        return Normal(shape, tuple(names))

    @property
    def solvable(self) -> bool:
        """Whether the goal is reachable: permutation and blank distance have the same parity."""
        board, homes = self.board, self.shape.homes
        seen = [False] * len(board)
        odd = self.shape.manhattan(board.index(0), self.shape.blank) & 1
        for cell in range(len(board)):
            # A cycle of n cells is n - 1 exchanges.
            while not seen[cell]:
                seen[cell] = True
                cell = homes[board[cell]]
                odd ^= not seen[cell]
        return not odd

    @property
    def manhattan(self) -> int:
        """The sum of the tiles' distances from their goal cells."""
        return sum(map(getitem, self.shape.distances, self.board))


def normal_form(puzzle: Puzzle, start: Board) -> Normal | None:
    """Return `start`, which must fit the puzzle, in normal form; None unless the puzzle is classic.

    Classic means: a full goal (every cell named, every tile different), no walls, at least two rows
    and two columns, at most 25 cells, and single-tile moves.
    """
    shape = shape_of(puzzle.goal)
    if shape is None or puzzle.metric is not Metric.SINGLE:
        return None
    names = _names(puzzle.goal)
    return Normal(shape, tuple([names[label] for label in start.cells]))


@lru_cache(maxsize=64)
def _names(goal: Goal) -> dict[Label, int]:
    shape = shape_of(goal)
    return {} if shape is None else dict(zip(goal.cells, shape.goal, strict=True))


@lru_cache(maxsize=64)
def shape_of(goal: Goal) -> Shape | None:
    """Return the shape of a goal; None unless it is classic, whatever the metric."""
    grid = goal.grid
    if grid.walls or min(grid.rows, grid.columns) < 2 or grid.size > LARGEST or not goal.is_full:
        return None
    return Shape(grid.rows, grid.columns, goal.cells.index(BLANK))


def moves_along(start: Board, blanks: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves that take the blank of `start` along the cells `blanks`, its own first.

    Consecutive cells are in one line, and a tile slides for each cell between them.
    """
    cells, columns = list(start.cells), start.grid.columns
    single = {-columns: 0, -1: 1, 1: 2, columns: 3} if columns > 1 else {}
    moves = []
    for blank, target in pairwise(blanks):
        if (number := single.get(target - blank)) is not None:
            cells[blank] = tile = cells[target]
            moves.append(_single_moves(tile)[number])
            continue
        is_across = blank // columns == target // columns
        step = (1 if is_across else columns) * (1 if target > blank else -1)
        passed = range(blank, target, step)
        tiles = tuple([cells[cell + step] for cell in passed])
        for cell in passed:
            cells[cell] = cells[cell + step]
        number = (1 if is_across else 0) if target < blank else 2 if is_across else 3
        moves.append(Move(tiles, _TILE_DIRECTIONS[number]))
    return tuple(moves)


def steps_along(start: Board, directions: Iterable[int]) -> tuple[Move, ...]:
    """Return the moves of single tiles that take the blank of `start` up, left, right and down.

    These are the directions 0 to 3.
    """
    directions = bytes(directions)
    cells, blank = list(start.cells), start.blank
    steps = (-start.grid.columns, -1, 1, start.grid.columns)
    known = {tile: _single_moves(tile) for tile in set(cells)}
    moves = []
    for direction in directions:
        target = blank + steps[direction]
        cells[blank] = tile = cells[target]
        moves.append(known[tile][direction])
        blank = target
    return DirectedMoves(moves, directions)


@lru_cache(maxsize=1 << 15)
def _single_moves(tile: Label) -> tuple[Move, ...]:
    """Return the moves of a tile by the direction of the blank, shared by all solutions."""
    return tuple([Move((tile,), direction) for direction in _TILE_DIRECTIONS])

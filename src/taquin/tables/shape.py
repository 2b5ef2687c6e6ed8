"""Classic puzzles in the one form that tables and kernels know.

A *shape* is a grid without walls together with the cell where the goal wants its blank.

    cells of a 2 × 3 grid      directions, as the *blank* moves

        0 1 2                          0
        3 4 5                        1 · 2        a direction and its opposite sum to 3
                                       3

In *normal form* a tile is named by the cell where the goal wants it, and 0 is the blank. Only the
tile that belongs in cell 0 cannot be called 0: it takes the name of the blank's own goal cell,
which no other tile can have. So a goal is known by its shape alone.

        goal 7 3 _    blank in cell 2, so 3 is called 1 (its cell), 5 is 3, 9 is 4, 8 is 5,
             5 9 8    and 7, which belongs in cell 0, is called 2: the goal reads 2 1 0 / 3 4 5

Everything here is plain Python on tuples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import compress, pairwise, product
from operator import getitem
from typing import TypeAlias

from taquin.errors import InputError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import BLANK, Direction, Label, Metric, Move
from taquin.model.puzzle import Puzzle

Cells: TypeAlias = tuple[int, ...]
"""A tuple indexed by cell, or a set of cells written as a sorted tuple."""
OPPOSITE = 3
"""`OPPOSITE - direction` is the direction back."""
LARGEST = 25
"""Most cells a shape can have."""


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """A grid without walls and the cell where the goal wants its blank.

    Raise InputError for fewer than two rows or columns, or more than 25 cells.
    """

    rows: int
    """Rows of the grid."""
    columns: int
    """Columns of the grid."""
    blank: int
    """The cell where the goal wants the blank."""

    def __post_init__(self) -> None:
        if self.rows < 2 or self.columns < 2 or self.size > LARGEST:
            raise InputError(
                f"tables and compiled searches serve grids of at least 2×2 and at most {LARGEST} "
                f"cells, not {self.rows}×{self.columns}"
            )
        if not 0 <= self.blank < self.size:
            raise InputError(f"the blank's cell must be 0 to {self.size - 1}, not {self.blank}")

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def offsets(self) -> Cells:
        """How the blank's cell number changes in each of the four directions."""
        return (-self.columns, -1, 1, self.columns)

    @property
    def steps(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell, the `(direction, neighbour)` pairs that stay on the grid."""
        return _steps(self)

    @property
    def symmetries(self) -> tuple[tuple[Shape, Cells], ...]:
        """The eight images of the shape, each with the image of every cell; itself first.

        Those of the second half exchange rows and columns.
        """
        return _symmetries(self)

    @property
    def goal(self) -> Cells:
        """The goal in normal form."""
        return _goal(self)

    @property
    def distances(self) -> tuple[Cells, ...]:
        """For each cell and then each name, the steps from there home; the blank's count 0."""
        return _distances(self)

    def manhattan(self, one: int, other: int) -> int:
        """Return the number of steps between two cells of the empty grid."""
        columns = self.columns
        return abs(one // columns - other // columns) + abs(one % columns - other % columns)

    def region(self, walls: frozenset[int], cell: int) -> Cells:
        """Return the sorted cells the blank reaches from `cell` without entering `walls`."""
        seen = {cell}
        waiting = [cell]
        while waiting:
            for _, near in self.steps[waiting.pop()]:
                if near not in walls and near not in seen:
                    seen.add(near)
                    waiting.append(near)
        return tuple(sorted(seen))

    def name_of(self, cell: int) -> int:
        """Return the name of what belongs in `cell`."""
        return 0 if cell == self.blank else cell or self.blank

    def home_of(self, name: int) -> int:
        """Return the cell where the tile called `name` belongs."""
        return 0 if name == self.blank else name


# Each is computed once per shape: shapes are few and live as long as the process. The caches belong
# to functions because `property` over `cache` breaks slotted dataclasses from Python 3.14 on.
@cache
def _steps(shape: Shape) -> tuple[tuple[tuple[int, int], ...], ...]:
    steps = []
    for cell in range(shape.size):
        row, column = divmod(cell, shape.columns)
        inside = (row > 0, column > 0, column < shape.columns - 1, row < shape.rows - 1)
        near = enumerate(cell + offset for offset in shape.offsets)
        steps.append(tuple(compress(near, inside)))
    return tuple(steps)


@cache
def _symmetries(shape: Shape) -> tuple[tuple[Shape, Cells], ...]:
    rows, columns = shape.rows, shape.columns
    images = []
    for exchange, flip_rows, flip_columns in product((False, True), repeat=3):
        image = []
        for cell in range(shape.size):
            row, column = divmod(cell, columns)
            row = rows - 1 - row if flip_rows else row
            column = columns - 1 - column if flip_columns else column
            image.append(column * rows + row if exchange else row * columns + column)
        sides = (columns, rows) if exchange else (rows, columns)
        images.append((Shape(*sides, image[shape.blank]), tuple(image)))
    return tuple(images)


@cache
def _goal(shape: Shape) -> Cells:
    return tuple(map(shape.name_of, range(shape.size)))


@cache
def _distances(shape: Shape) -> tuple[Cells, ...]:
    return tuple(
        (0, *(shape.manhattan(cell, shape.home_of(name)) for name in range(1, shape.size)))
        for cell in range(shape.size)
    )


@dataclass(frozen=True, slots=True)
class Normal:
    """A board whose tiles are named after their goal cells."""

    shape: Shape
    """The grid and the goal."""
    board: Cells
    """The name of the tile in each cell; 0 is the blank."""

    @property
    def where(self) -> Cells:
        """The cell of each tile, by name, and of the blank at 0."""
        return tuple(sorted(range(len(self.board)), key=self.board.__getitem__))

    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached: the permutation and the blank's way agree in parity."""
        where, goal = self.where, self.shape.goal
        seen = [False] * len(goal)
        odd = self.shape.manhattan(where[0], self.shape.blank) & 1
        for cell in range(len(goal)):
            # A cycle of n cells is n - 1 exchanges.
            while not seen[cell]:
                seen[cell] = True
                cell = where[goal[cell]]
                odd ^= not seen[cell]
        return not odd

    @property
    def manhattan(self) -> int:
        """The sum of the tiles' distances from their goal cells."""
        return sum(map(getitem, self.shape.distances, self.board))


def normal_form(puzzle: Puzzle, start: Board) -> Normal | None:
    """Return `start` in normal form; None unless the puzzle is a classic one.

    Classic means: a full goal (every cell named, every tile different), no walls, two rows and two
    columns at least, 25 cells at most, and single-tile moves. The start must fit the puzzle.
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
    """Return the shape of a goal, None unless it is classic; the metric does not matter here."""
    grid = goal.grid
    if grid.walls or min(grid.rows, grid.columns) < 2 or grid.size > LARGEST or not goal.is_full:
        return None
    return Shape(grid.rows, grid.columns, goal.cells.index(BLANK))


def moves_along(start: Board, blanks: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves that take the blank of `start` along the cells `blanks`, its own first.

    From one to the next it goes along a line; where that is several cells, as many tiles slide.
    """
    cells, columns = list(start.cells), start.grid.columns
    moves = []
    for blank, target in pairwise(blanks):
        is_across = blank // columns == target // columns
        step = (1 if is_across else columns) * (1 if target > blank else -1)
        tiles = []
        for cell in range(blank, target, step):
            tiles.append(cells[cell + step])
            cells[cell] = cells[cell + step]
        cells[target] = BLANK
        moves.append(Move(tuple(tiles), _TOWARDS[is_across][target > blank]))
    return tuple(moves)


_TOWARDS = ((Direction.DOWN, Direction.UP), (Direction.RIGHT, Direction.LEFT))
"""Where tiles go: by whether they go across, then by whether the blank goes on to later cells."""

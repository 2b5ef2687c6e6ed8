"""A goal: a label, or ANY, for each cell.

    1 2 3        * A *         full goal, blank last; and a partial one that
    4 5 6        * B *         fixes only A, B and the blank
    7 8 _        * _ *

A goal is a predicate over labels, so interchangeable tiles and ANY cells need no special case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taquin.errors import BoardError
from taquin.model.board import Arrangement, Board, BoardLike
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, WALL, Label
from taquin.model.rows import fold


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Goal(Arrangement):
    """The set of solved boards. Raise BoardError for an invalid goal.

    >>> print(Goal("* A / * @"))
    * A
    * _
    """

    def _check(self) -> None:
        Arrangement._check(self)
        if BLANK not in self.cells and ANY not in self.cells:
            raise BoardError("a goal that names every cell needs one blank (0 or _), found none")

    @classmethod
    def blank_last(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal 1, 2, 3 … row by row with the blank in the last cell."""
        grid = Grid(rows, columns, frozenset(walls))
        return cls._along(grid, grid.open_cells)

    @classmethod
    def blank_first(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal with the blank in the first cell, then 1, 2, 3 … row by row."""
        grid = Grid(rows, columns, frozenset(walls))
        path = grid.open_cells
        return cls._along(grid, (*path[1:], path[0]))

    @classmethod
    def snail(cls, rows: int, columns: int, walls: Iterable[int] = ()) -> Goal:
        """Return the goal 1, 2, 3 … along a clockwise spiral with the blank innermost."""
        grid = Grid(rows, columns, frozenset(walls))
        lines = fold(range(grid.size), columns)
        spiral: list[int] = []
        while lines:
            spiral += lines.pop(0)
            # A quarter turn makes the next side of the spiral the first line.
            lines = [list(line) for line in zip(*lines, strict=True)][::-1]
        return cls._along(grid, [cell for cell in spiral if cell not in grid.walls])

    @classmethod
    def _along(cls, grid: Grid, path: Sequence[int]) -> Goal:
        cells: list[Label] = [WALL] * grid.size
        for number, cell in enumerate(path, 1):
            cells[cell] = number
        cells[path[-1]] = BLANK
        return cls(grid, tuple(cells))

    @property
    def fixed(self) -> dict[int, Label]:
        """The cells that must hold a given label, walls left out."""
        return {cell: label for cell, label in enumerate(self.cells) if label not in (ANY, WALL)}

    @property
    def is_full(self) -> bool:
        """Whether exactly one arrangement of distinct tiles meets the goal."""
        return ANY not in self.cells and all(
            count == 1 for label, count in self.labels.items() if label != WALL
        )

    def is_met(self, board: BoardLike) -> bool:
        """Return whether `board` is solved."""
        board = Board.of(board)
        return self.grid == board.grid and all(
            wanted in (ANY, label) for wanted, label in zip(self.cells, board.cells, strict=True)
        )


NAMED_GOALS = {"blank-last": Goal.blank_last, "blank-first": Goal.blank_first, "snail": Goal.snail}
"""Goals by name; each exists on every grid."""


def named_goal(name: str, grid: Grid) -> Goal:
    """Return the goal of `NAMED_GOALS` on `grid`."""
    return NAMED_GOALS[name](grid.rows, grid.columns, grid.walls)

"""Bring any full-goal puzzle to the one form the kernels know.

In *normal form* a tile is named by the cell where the goal wants it, and 0 is the blank. Only the
tile that belongs in cell 0 cannot be called 0: it takes the name of the blank's own goal cell,
which no other tile can have.

        goal 7 3 0    blank in cell 2, so 3 is called 1 (its cell), 5 is 3, 9 is 4, 8 is 5,
             5 9 8    and 7, which belongs in cell 0, is called 2: the goal reads 2 1 0 / 3 4 5
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.errors import InputError
from taquin.tables.geometry import Cells, manhattan


@dataclass(frozen=True, slots=True)
class Normal:
    """A board and its goal with the tiles renamed after their goal cells."""

    rows: int
    """Rows of the grid."""

    cols: int
    """Columns of the grid."""

    blank: int
    """The cell where the goal wants the blank."""

    board: Cells
    """The name of the tile in each cell; 0 is the blank."""

    @property
    def goal(self) -> Cells:
        """The board to reach."""
        return tuple(name_of(cell, self.blank) for cell in range(self.rows * self.cols))

    @property
    def where(self) -> Cells:
        """The cell of each tile, by name, and of the blank at 0."""
        cells = [0] * len(self.board)
        for cell, name in enumerate(self.board):
            cells[name] = cell
        return tuple(cells)

    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached: the permutation and the blank's way agree in parity."""
        where = self.where
        goal = self.goal
        seen = [False] * len(goal)
        odd = manhattan(self.cols, where[0], self.blank) & 1
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
        return sum(
            manhattan(self.cols, cell, home_of(name, self.blank))
            for cell, name in enumerate(self.board)
            if name
        )


def normalise(rows: int, cols: int, start: Cells, goal: Cells) -> Normal:
    """Return the puzzle in normal form.

    Both boards are read row by row, with 0 for the blank; any distinct numbers may name tiles.
    """
    cells = rows * cols
    for which, board in (("start", start), ("goal", goal)):
        if len(board) != cells or len(set(board)) != cells or 0 not in board:
            raise InputError(
                f"the {which} must hold {cells} different labels, 0 among them, for "
                f"{rows} x {cols} cells; found {' '.join(map(str, board))}"
            )
    if set(start) != set(goal):
        raise InputError("start and goal must hold the same labels")
    blank = goal.index(0)
    names = {label: name_of(cell, blank) for cell, label in enumerate(goal)}
    return Normal(rows, cols, blank, tuple(names[label] for label in start))


def name_of(cell: int, blank: int) -> int:
    """Return the name of what belongs in `cell` when the goal's blank is in cell `blank`."""
    if cell == blank:
        return 0
    return cell or blank


def home_of(name: int, blank: int) -> int:
    """Return the cell where the tile called `name` belongs."""
    return 0 if name == blank else name

"""The geometry: rows × columns of cells, some of them walls.

Cells are numbered row by row from 0; here cell 4 is a wall:

    0 1 2
    3 # 5
    6 7 8
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from taquin.errors import BoardError
from taquin.model.moves import WALL, Direction
from taquin.model.rows import read_rows
from taquin.system.words import counted


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells, some of them walls. Raise BoardError for an impossible one."""

    rows: int
    """Number of rows, at least 1."""
    columns: int
    """Number of columns, at least 1."""
    walls: frozenset[int] = frozenset()
    """Cells that nothing enters or leaves."""

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise BoardError(
                f"a grid needs at least one row and one column, not {self.rows} × {self.columns}"
            )
        outside = [cell for cell in self.walls if not 0 <= cell < self.size]
        if outside:
            raise BoardError(f"walls must be cells from 0 to {self.size - 1}, found {min(outside)}")
        if len(self.walls) == self.size:
            raise BoardError("a grid needs at least one cell that is not a wall")

    @property
    def size(self) -> int:
        """Return the number of cells, walls included."""
        return self.rows * self.columns

    @property
    def open_cells(self) -> tuple[int, ...]:
        """Return the cells that are not walls, in order."""
        return tuple(cell for cell in range(self.size) if cell not in self.walls)

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and column of `cell`, both from 0."""
        return divmod(cell, self.columns)

    def step(self, cell: int, direction: Direction) -> int | None:
        """Return the open cell next to `cell` in `direction`, None at an edge or a wall."""
        row, column = self.place(cell)
        rows, columns = direction.value
        row, column = row + rows, column + columns
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            return None
        neighbour = row * self.columns + column
        return None if neighbour in self.walls else neighbour

    def ray(self, cell: int, direction: Direction) -> tuple[int, ...]:
        """Return the open cells from `cell` (left out) in `direction`, up to an edge or a wall."""
        found = []
        here = self.step(cell, direction)
        while here is not None:
            found.append(here)
            here = self.step(here, direction)
        return tuple(found)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the open cells next to `cell`."""
        return _neighbours(self)[cell]

    def distance(self, one: int, other: int) -> int:
        """Return the Manhattan distance of two cells, walls ignored."""
        row, column = self.place(one)
        other_row, other_column = self.place(other)
        return abs(row - other_row) + abs(column - other_column)

    def parts(self) -> tuple[frozenset[int], ...]:
        """Return the sets of cells that walls cut apart; one set when none do."""
        parts: list[frozenset[int]] = []
        seen: set[int] = set()
        for first in self.open_cells:
            if first in seen:
                continue
            part = {first}
            pending = [first]
            while pending:
                for cell in self.neighbours(pending.pop()):
                    if cell not in part:
                        part.add(cell)
                        pending.append(cell)
            seen |= part
            parts.append(frozenset(part))
        return tuple(parts)

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read a drawing in which `#` is a wall and any other cell is open.

        >>> Grid.parse(". . . . / . # . . / . . . .").walls
        frozenset({5})
        """
        rows = read_rows(text)
        labels = [cell.label for row in rows for cell in row]
        return cls(
            len(rows),
            len(rows[0]),
            frozenset(cell for cell, label in enumerate(labels) if label == WALL),
        )

    def __str__(self) -> str:
        walls = f" with {counted(len(self.walls), 'wall')}" if self.walls else ""
        return f"{self.rows}×{self.columns}{walls}"


@lru_cache(maxsize=64)
def _neighbours(grid: Grid) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            neighbour
            for direction in Direction
            if (neighbour := grid.step(cell, direction)) is not None
        )
        if cell not in grid.walls
        else ()
        for cell in range(grid.size)
    )

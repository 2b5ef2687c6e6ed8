"""The geometry: rows × columns of cells, some of them walls; its rooms.

Cells are numbered row by row from 0; here cell 4 is a wall:

    0 1 2
    3 # 5
    6 7 8

Walls divide the cells that the blank can reach into rooms, rings and corridors (`layout`):

    a a b c c c        a  a room: its cells lie on more than one loop (or are a 2×2 square)
    a a # c # c        b  joined to `a` and to `c` by corridors: steps that lie on no loop
    a a # c c c        c  a ring: one loop round a wall

These are the blocks (biconnected components) of the grid. Two blocks share at most one cell, and
the blocks form a tree, so a blank outside a block can enter it by one cell only: the block's
*entry*, seen from there. A grid of two or more rows and columns without walls is one room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain, takewhile

from taquin.errors import BoardError
from taquin.model.moves import WALL, Direction, Label
from taquin.model.rows import labels_of, read_rows
from taquin.reasons import reason


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells, some of them walls. Raise BoardError for an invalid one."""

    rows: int
    """Number of rows, at least 1."""
    columns: int
    """Number of columns, at least 1."""
    walls: frozenset[int] = frozenset()
    """Cells that no tile and no blank can enter."""

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise BoardError(
                f"a grid needs at least one row and one column, got {self.rows} × {self.columns}"
            )
        outside = [cell for cell in self.walls if not 0 <= cell < self.size]
        if outside:
            raise BoardError(f"walls must be cells from 0 to {self.size - 1}, found {min(outside)}")
        if len(self.walls) == self.size:
            raise BoardError(reason("all-walls"))

    @property
    def size(self) -> int:
        """The number of cells, walls included."""
        return self.rows * self.columns

    @property
    def open_cells(self) -> tuple[int, ...]:
        """The cells that are not walls, in order."""
        return tuple(cell for cell in range(self.size) if cell not in self.walls)

    @property
    def shape(self) -> str:
        """The size as text, such as 3×4."""
        return f"{self.rows}×{self.columns}"

    def where(self, cell: int) -> str:
        """Return the place of `cell` as text, counted from 1."""
        row, column = self.place(cell)
        return reason("where", row=row + 1, column=column + 1)

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and column of `cell`, both from 0."""
        return divmod(cell, self.columns)

    def step(self, cell: int, direction: Direction) -> int | None:
        """Return the open cell next to `cell` in `direction`, None at an edge or a wall."""
        row, column = divmod(cell, self.columns)
        down, right = direction.value
        neighbour = cell + down * self.columns + right
        is_inside = 0 <= row + down < self.rows and 0 <= column + right < self.columns
        return neighbour if is_inside and neighbour not in self.walls else None

    def ray(self, cell: int, direction: Direction, most: int | None = None) -> tuple[int, ...]:
        """Return at most `most` open cells beyond `cell` in `direction`, the nearest first."""
        row, column = divmod(cell, self.columns)
        down, right = direction.value
        step = down * self.columns + right
        if down:
            reach = row if down < 0 else self.rows - 1 - row
        else:
            reach = column if right < 0 else self.columns - 1 - column
        reach = reach if most is None else min(reach, most)
        cells = range(cell + step, cell + (reach + 1) * step, step)
        return tuple(takewhile(lambda cell: cell not in self.walls, cells) if self.walls else cells)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the open cells next to `cell`."""
        return _neighbours(self)[cell]

    def distance(self, start: int, end: int) -> int:
        """Return the Manhattan distance of two cells, walls ignored."""
        row, column = self.place(start)
        end_row, end_column = self.place(end)
        return abs(row - end_row) + abs(column - end_column)

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[Label]]) -> Grid:
        """Return the grid of nested rows, `#` a wall; raise BoardError if their lengths differ."""
        if not rows or not rows[0]:
            raise BoardError(reason("no-cells"))
        width = len(rows[0])
        for number, row in enumerate(rows, 1):
            if len(row) != width:
                raise BoardError(reason("row-length", row=number, count=len(row), width=width))
        walls = (cell for cell, label in enumerate(chain(*rows)) if label == WALL)
        return cls(len(rows), width, frozenset(walls))

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read a drawing in which `#` is a wall and any other cell is open."""
        return cls.of_rows(labels_of(read_rows(text)))

    def __str__(self) -> str:
        if not self.walls:
            return self.shape
        return reason("with-walls", grid=self.shape, count=len(self.walls))


@lru_cache(maxsize=64)
def _neighbours(grid: Grid) -> tuple[tuple[int, ...], ...]:
    if grid.walls:
        rays = ((grid.ray(cell, way, 1) for way in Direction) for cell in range(grid.size))
        return tuple(
            () if cell in grid.walls else tuple(chain(*near)) for cell, near in enumerate(rays)
        )
    # A board of thousands of cells has no walls as a rule: without a call for each direction.
    size, columns = grid.size, grid.columns
    last = columns - 1
    return tuple(
        (cell - columns,) * (cell >= columns)
        + (cell + columns,) * (cell < size - columns)
        + (cell - 1,) * (cell % columns > 0)
        + (cell + 1,) * (cell % columns < last)
        for cell in range(size)
    )


class BlockKind(Enum):
    """The shapes of a block."""

    CORRIDOR = "corridor"
    """Two adjacent cells on no common loop."""
    RING = "ring"
    """One loop of at least eight cells."""
    ROOM = "room"
    """Any other block, the loop of four cells included."""


@dataclass(frozen=True, slots=True)
class Block:
    """One room, ring or corridor."""

    kind: BlockKind
    """Its shape."""
    cells: tuple[int, ...]
    """Its cells, first the entry seen from the root; those of a ring in cyclic order."""

    def inside(self, entry: int) -> tuple[int, ...]:
        """Return the cells other than `entry`; those of a ring in cyclic order from there."""
        index = self.cells.index(entry)
        return self.cells[index + 1 :] + self.cells[:index]


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks that a blank can reach from one cell, the root, and a tour of all their cells."""

    cells: frozenset[int]
    """The reachable cells, the root included."""
    blocks: tuple[Block, ...]
    """The blocks of these cells; none if there is only one cell."""
    tour: tuple[tuple[int, int], ...]
    """Steps from the root to every cell and back: the cell, and the number of the step's block."""

    @property
    def line(self) -> tuple[int, ...]:
        """The cells in order if they form one line, straight or bent; else empty."""
        neighbours: dict[int, list[int]] = {}
        for block in self.blocks:
            if block.kind is not BlockKind.CORRIDOR:
                return ()
            for cell, neighbour in (block.cells, block.cells[::-1]):
                neighbours.setdefault(cell, []).append(neighbour)
        if any(len(cells) > 2 for cells in neighbours.values()):
            return ()
        line = [min((cell for cell, cells in neighbours.items() if len(cells) == 1), default=0)]
        while len(line) < len(neighbours):
            line += [cell for cell in neighbours[line[-1]] if cell not in line[-2:]]
        return tuple(line) if neighbours else ()


@lru_cache(maxsize=32)
def layout(grid: Grid, root: int) -> Layout:
    """Return the blocks and a tour from `root`, an open cell; linear in the size of the grid.

    Hopcroft and Tarjan, Efficient algorithms for graph manipulation, CACM 16 (1973).
    """
    order = {root: 0}
    low = {root: 0}
    home: dict[int, int] = {}
    blocks: list[Block] = []
    steps: list[tuple[int, int]] = []
    waiting: list[int] = []
    path = [(root, iter(grid.neighbours(root)))]
    while path:
        cell, neighbours = path[-1]
        for child in neighbours:
            if child in order:
                low[cell] = min(low[cell], order[child])
                continue
            order[child] = low[child] = len(order)
            waiting.append(child)
            path.append((child, iter(grid.neighbours(child))))
            steps.append((child, child))
            break
        else:
            path.pop()
            if not path:
                break
            parent = path[-1][0]
            steps.append((parent, cell))
            low[parent] = min(low[parent], low[cell])
            if low[cell] == order[parent]:
                inside = [waiting.pop()]
                while inside[-1] != cell:
                    inside.append(waiting.pop())
                home.update(dict.fromkeys(inside, len(blocks)))
                blocks.append(_block(grid, parent, inside))
    tour = tuple((cell, home[child]) for cell, child in steps)
    return Layout(frozenset(order), tuple(blocks), tour)


def _block(grid: Grid, entry: int, inside: list[int]) -> Block:
    if len(inside) == 1:
        return Block(BlockKind.CORRIDOR, (entry, *inside))
    members = {entry, *inside}
    neighbours = {cell: members.intersection(grid.neighbours(cell)) for cell in members}
    if len(members) == 4 or any(len(cells) > 2 for cells in neighbours.values()):
        return Block(BlockKind.ROOM, (entry, *sorted(inside)))
    ring = [entry, min(neighbours[entry])]
    while len(ring) < len(members):
        ring += neighbours[ring[-1]] - {ring[-2]}
    return Block(BlockKind.RING, tuple(ring))

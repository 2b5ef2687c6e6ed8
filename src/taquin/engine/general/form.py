"""Any puzzle in the one form that the general kernels know: cells, tiles, ways.

    start  A B # .      cells    those the blank can reach, numbered in order: 0 1 2 3 4 5 6
           . _ . A      tiles    1 … one for each tile that the goal asks for, however many share a
    goal   * A # *               label; all others are one more number, the *free* tile; 0 the blank
           * B _ *      groups   what the goal tells apart: 0 the blank, then the labels it names,
                                 then the free tiles

Tiles of one group may change places, so a board has its tiles numbered in the order of their cells.

A *way* is a list of steps of the blank, packed into numbers that a kernel reads one by one:

    cell << 14 | edge << 1 | begins          end of the list: -1

`edge` numbers the pairs of neighbouring cells; after a step along it comes the list
`follow[edge]`. Where a move slides several tiles, the steps of one line follow each other, the
first of which `begins` it; the next move then goes across, for two moves in one line are one move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from taquin.model.board import Board
from taquin.model.grid import layout
from taquin.model.moves import ANY, BLANK, KORF_ORDER, Direction, Label, Metric, label_order
from taquin.model.puzzle import Puzzle

MOST_CELLS = 1000
"""More cells than a step has bits for are left to others."""
END = -1
"""Ends a list of steps. The list at 0 is empty."""
CELL_BIT, EDGE_BIT = 14, 1
"""Where in a step its cell and its edge begin."""
EDGES = (1 << CELL_BIT - EDGE_BIT) - 1
"""All the bits of an edge."""
FREE = -1
"""Stands in `GeneralForm.wanted` for a cell that may hold anything."""
Tiles: TypeAlias = tuple[int, ...]
"""The tile in each cell of a form."""


@dataclass(frozen=True, slots=True)
class GeneralForm:
    """What there is to know of a puzzle but the board itself. Hashable, to keep tables by."""

    columns: int
    """Columns of the grid, to tell rows from columns."""
    cells: tuple[int, ...]
    """The cells of the grid that the blank can reach."""
    wanted: tuple[int, ...]
    """The group that the goal wants in each cell; FREE where any will do."""
    groups: tuple[int, ...]
    """The group of each tile, that of the blank, 0, first; the free tile, if any, last."""
    frees: int
    """How many free tiles there are."""
    metric: Metric
    """What counts as one move."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def tiles(self) -> range:
        """The tiles that the goal asks for."""
        return range(1, len(self.groups) - (self.frees > 0))

    @property
    def is_full(self) -> bool:
        """Whether the goal names every cell, so that the last group takes what the others leave."""
        return FREE not in self.wanted

    @property
    def home(self) -> int:
        """The cell where the goal wants the blank; FREE where any will do."""
        return self.wanted.index(0) if 0 in self.wanted else FREE

    @property
    def rise(self) -> int:
        """By how much the lengths of two solutions differ at least.

        The colour of the blank's cell changes with every step, so where its last cell is known all
        solutions are of one parity.
        """
        return 2 if self.home != FREE and self.metric is Metric.SINGLE else 1

    def members(self, group: int) -> tuple[int, ...]:
        """Return the tiles of a group."""
        return tuple(tile for tile in self.tiles if self.groups[tile] == group)

    def places(self, group: int) -> tuple[int, ...]:
        """Return the cells where the goal wants a group."""
        return tuple(cell for cell, wanted in enumerate(self.wanted) if wanted == group)

    def on_grid(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers that cells of the form have on the grid."""
        return tuple(self.cells[cell] for cell in cells)

    @property
    def grouped(self) -> tuple[int, ...]:
        """The groups of tiles that the goal asks for."""
        return tuple(sorted({self.groups[tile] for tile in self.tiles}))


@lru_cache(maxsize=64)
def form_of(puzzle: Puzzle, start: Board) -> tuple[GeneralForm, Tiles]:
    """Return the form of a puzzle and the board in it; the start must fit the puzzle."""
    grid, goal = puzzle.grid, puzzle.goal.cells
    cells = tuple(sorted(layout(grid, start.cells.index(BLANK)).cells))
    asked = {goal[cell] for cell in cells} - {ANY, BLANK}
    there = Counter(start.cells[cell] for cell in cells)
    names: list[Label] = sorted(asked & there.keys(), key=label_order)
    group_of = {BLANK: 0, **{label: number for number, label in enumerate(names, 1)}}
    groups = [0, *(group_of[label] for label in names for _ in range(there[label]))]
    frees = len(cells) - len(groups)
    form = GeneralForm(
        columns=grid.columns,
        cells=cells,
        wanted=tuple(FREE if goal[cell] == ANY else group_of[goal[cell]] for cell in cells),
        groups=tuple(groups + [len(names) + 1] * (frees > 0)),
        frees=frees,
        metric=puzzle.metric,
    )
    unused = {group: iter(form.members(group)) for group in form.grouped}
    free = len(groups)
    tiles = []
    for cell in cells:
        group = group_of.get(start.cells[cell])
        tiles.append(free if group is None else next(unused[group]) if group else 0)
    return form, tuple(tiles)


@dataclass(frozen=True, slots=True)
class Ways:
    """The steps of the blank on a form, in lists."""

    steps: tuple[int, ...]
    """All lists, one after the other, each ended by END; the first is empty."""
    edges: tuple[tuple[int, int], ...]
    """From where to where each edge leads."""
    follow: tuple[int, ...]
    """For each edge, where in `steps` the list begins that comes after it."""
    begin: tuple[int, ...]
    """For each cell, where the list begins of a blank that came from nowhere."""


@lru_cache(maxsize=64)
def ways_on(
    form: GeneralForm, directions: Sequence[Direction] = KORF_ORDER, returns: bool = False
) -> Ways:
    """Return the ways on a form, in the order of `directions`, where tiles go.

    The step back is left out unless it `returns`; in the multi-tile metric, all of its line is.
    """
    columns = form.columns
    here = {cell: number for number, cell in enumerate(form.cells)}
    longest = form.metric.longest
    number_of: dict[tuple[int, int], int] = {}
    steps = [END]

    def ray(cell: int, direction: Direction) -> list[int]:
        """Return the cells of the form that the blank passes when tiles go in a direction."""
        down, right = direction.opposite.value
        place = form.cells[cell]
        found: list[int] = []
        while len(found) != longest:
            row, column = divmod(place, columns)
            place = place + down * columns + right
            if not 0 <= column + right < columns or place not in here or row + down < 0:
                break
            found.append(here[place])
        return found

    rays = [[(each, ray(cell, each)) for each in directions] for cell in range(form.size)]

    def listed(cell: int, banned: tuple[Direction, ...]) -> int:
        """Write the list of a cell without some directions and return where it begins."""
        at = len(steps)
        for direction, cells in rays[cell]:
            before = cell
            for near in cells if direction not in banned else ():
                edge = number_of.setdefault((before, near), len(number_of))
                steps.append(near << CELL_BIT | edge << EDGE_BIT | (before == cell))
                before = near
        steps.append(END)
        return at

    begin = tuple(listed(cell, ()) for cell in range(form.size))
    multi = form.metric is Metric.MULTI
    after = {}
    for cell in range(form.size):
        for direction, cells in rays[cell]:
            if cells:
                # Tiles go `direction`, so they would go back the opposite way.
                back = (direction.opposite, direction) if multi else (direction.opposite,)
                after[cell, cells[0]] = begin[cells[0]] if returns else listed(cells[0], back)
    edges = tuple(number_of)
    return Ways(tuple(steps), edges, tuple(after[edge] for edge in edges), begin)

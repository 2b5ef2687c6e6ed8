"""The form of any puzzle for the general kernels: cells, tiles, groups, steps.

    start  A B # .      cells    the cells the blank can reach, in order: 0 1 2 3 4 5 6
           . _ . A      tiles    1 … one for each tile that the goal names, even with equal labels;
    goal   * A # *               all others are one more number, the *free* tile; 0 the blank
           * B _ *      groups   the labels that the goal distinguishes: 0 the blank, then the
                                 labels it names, then the free tiles

Tiles of one group may change places, so a board has its tiles numbered in the order of their cells.

The steps of the blank are lists of packed numbers that a kernel reads one by one (`steps_on`):

    cell << 14 | edge << 1 | begins          end of the list: -1

`edge` numbers the pairs of neighbouring cells; after a step along it comes the list `follow[edge]`.
Where a move slides several tiles, the steps of one line are consecutive, and the first `begins` it;
the next move is perpendicular, because two moves in one line are one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, groupby, takewhile
from typing import Any, NamedTuple, TypeAlias

from taquin.model.board import Board
from taquin.model.grid import Grid, layout
from taquin.model.moves import ANY, BLANK, KORF_ORDER, Direction, Label, Metric, label_order
from taquin.model.puzzle import Puzzle
from taquin.system.arrays import Array, Matrix, array, int32

MOST_CELLS = 1000
"""The maximum number of cells for which a step has enough bits."""
FREE = -1
"""Marks a cell in `GeneralForm.wanted` that may hold anything."""
Tiles: TypeAlias = tuple[int, ...]
"""The tile in each cell of a form."""


@dataclass(frozen=True, slots=True)
class GeneralForm:
    """A puzzle without its start; hashable, so that it is a key of cached tables."""

    columns: int
    """Columns of the grid."""
    cells: tuple[int, ...]
    """The cells of the grid that the blank can reach."""
    wanted: tuple[int, ...]
    """The group that the goal wants in each cell; FREE where any may stand."""
    groups: tuple[int, ...]
    """The group of each tile: the blank (0) first, the free tile, if any, last."""
    frees: int
    """The number of free tiles."""
    metric: Metric
    """What counts as one move."""

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @property
    def tiles(self) -> range:
        """The tiles that the goal names."""
        return range(1, len(self.groups) - (self.frees > 0))

    @property
    def is_full(self) -> bool:
        """Whether the goal names every cell, so that the other groups determine the last."""
        return FREE not in self.wanted

    @property
    def home(self) -> int:
        """The cell where the goal wants the blank; FREE where any will do."""
        return self.wanted.index(0) if 0 in self.wanted else FREE

    @property
    def rise(self) -> int:
        """The least difference between lengths of solutions; `home` determines their parity."""
        return 2 if self.home != FREE and self.metric is Metric.SINGLE else 1

    @property
    def members(self) -> dict[int, tuple[int, ...]]:
        """The tiles of each group that the goal names."""
        groups = groupby(self.tiles, self.groups.__getitem__)
        return {group: tuple(tiles) for group, tiles in groups}

    @property
    def counts(self) -> Counter[int]:
        """The number of tiles in each group, including the blank and free tiles."""
        counts = Counter(self.groups)
        counts[self.groups[-1]] += max(0, self.frees - 1)
        return counts

    def places(self, group: int) -> tuple[int, ...]:
        """Return the cells where the goal wants a group."""
        return tuple(cell for cell, wanted in enumerate(self.wanted) if wanted == group)

    def on_grid(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the grid's numbers of cells of the form."""
        return tuple(self.cells[cell] for cell in cells)


@lru_cache(maxsize=64)
def form_of(puzzle: Puzzle, start: Board) -> tuple[GeneralForm, Tiles]:
    """Return the form of a puzzle and the board in it; the start must fit the puzzle."""
    grid, goal = puzzle.grid, puzzle.goal.cells
    cells = tuple(sorted(layout(grid, start.cells.index(BLANK)).cells))
    asked = {goal[cell] for cell in cells} - {ANY, BLANK}
    counts = Counter(start.cells[cell] for cell in cells)
    names: list[Label] = sorted(asked & counts.keys(), key=label_order)
    group_of = {BLANK: 0, **{label: number for number, label in enumerate(names, 1)}}
    groups = [0, *(group_of[label] for label in names for _ in range(counts[label]))]
    frees = len(cells) - len(groups)
    form = GeneralForm(
        columns=grid.columns,
        cells=cells,
        wanted=tuple(FREE if goal[cell] == ANY else group_of[goal[cell]] for cell in cells),
        groups=tuple(groups + [len(names) + 1] * (frees > 0)),
        frees=frees,
        metric=puzzle.metric,
    )
    unused = {group: iter(tiles) for group, tiles in form.members.items()}
    free = len(groups)
    tiles = []
    for cell in cells:
        group = group_of.get(start.cells[cell])
        tiles.append(free if group is None else next(unused[group]) if group else 0)
    return form, tuple(tiles)


END = -1
"""Ends a list of steps."""
_CELL_BIT, _EDGE_BIT = 14, 1
"""The first bits of a step's cell and edge."""
_EDGE_MASK = (1 << _CELL_BIT - _EDGE_BIT) - 1


class Steps(NamedTuple):
    """All lists of steps."""

    lists: Array[int32]
    """The lists, each ended by END; the list at 0 is empty."""
    begin: Array[int32]
    """For each cell of the blank, the begin of its list before any step."""
    follow: Array[int32]
    """For each edge, the begin of the list after a step along it."""
    edges: Matrix[int32]
    """For each edge, the cell that the blank leaves and the one it goes to."""

    def from_cell(self, cell: int) -> list[int]:
        """Return the cells that a blank in a cell may go to, in order."""
        steps = self.lists.items[self.begin[cell] :]
        return [cell_of(step) for step in takewhile(lambda step: step != END, steps)]


def cell_of(step: Any) -> Any:
    """Return the cell that the blank goes to."""
    return step >> _CELL_BIT


def edge_of(step: int) -> int:
    """Return the number of the pair of cells that the blank goes between."""
    return step >> _EDGE_BIT & _EDGE_MASK


def begins_line(step: int) -> int:
    """Return 1 for the first step of a line, 0 for a step that continues it."""
    return step & 1


@lru_cache(maxsize=64)
def steps_on(
    form: GeneralForm, directions: Sequence[Direction] = KORF_ORDER, returns: bool = False
) -> Steps:
    """Return the steps on a form, in the order of `directions` of tiles.

    Reverse steps (in the multi-tile metric, their whole line) are left out unless `returns`.
    """
    number_of = {cell: number for number, cell in enumerate(form.cells)}
    edges: dict[tuple[int, int], int] = {}
    lists = [END]
    rows = form.cells[-1] // form.columns + 1
    walls = frozenset(range(rows * form.columns)).difference(form.cells)
    grid = Grid(rows, form.columns, walls)
    # For each cell and direction of tiles, the cells that the blank passes.
    rays = [
        [
            (way, [number_of[near] for near in grid.ray(cell, way.opposite, form.metric.longest)])
            for way in directions
        ]
        for cell in form.cells
    ]

    def write(cell: int, banned: tuple[Direction, ...]) -> int:
        """Write the list of a cell without some directions and return where it begins."""
        begin = len(lists)
        for direction, cells in rays[cell]:
            before = cell
            for near in cells if direction not in banned else ():
                edge = edges.setdefault((before, near), len(edges))
                lists.append(near << _CELL_BIT | edge << _EDGE_BIT | (before == cell))
                before = near
        lists.append(END)
        return begin

    begin = [write(cell, ()) for cell in range(form.size)]
    follow = {}
    for cell in range(form.size):
        for direction, cells in rays[cell]:
            if cells:
                # Tiles move in `direction`, and the reverse step in the opposite one.
                multi = (direction,) if form.metric is Metric.MULTI else ()
                banned = (direction.opposite, *multi)
                following = begin[cells[0]] if returns else write(cells[0], banned)
                follow[cell, cells[0]] = following
    return Steps(
        array(lists, int32),
        array(begin, int32),
        array([follow[edge] for edge in edges], int32),
        array(chain.from_iterable(edges), int32).in_rows(2),
    )

"""Any puzzle in the one form that the general kernels know: cells, tiles, groups.

    start  A B # .      cells    those the blank can reach, numbered in order: 0 1 2 3 4 5 6
           . _ . A      tiles    1 … one for each tile that the goal asks for, however many share a
    goal   * A # *               label; all others are one more number, the *free* tile; 0 the blank
           * B _ *      groups   what the goal distinguishes: 0 the blank, then the labels it
                                 names, then the free tiles

Tiles of one group may change places, so a board has its tiles numbered in the order of their cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import TypeAlias

from taquin.model.board import Board
from taquin.model.grid import layout
from taquin.model.moves import ANY, BLANK, Label, Metric, label_order
from taquin.model.puzzle import Puzzle

MOST_CELLS = 1000
"""Most cells for which a step (`steps.py`) has enough bits."""
FREE = -1
"""Stands in `GeneralForm.wanted` for a cell that may hold anything."""
Tiles: TypeAlias = tuple[int, ...]
"""The tile in each cell of a form."""


@dataclass(frozen=True, slots=True)
class GeneralForm:
    """All of a puzzle but the board itself; hashable, a key of tables."""

    columns: int
    """Columns of the grid."""
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
        """By how much the lengths of two solutions differ at least; `home` decides their parity."""
        return 2 if self.home != FREE and self.metric is Metric.SINGLE else 1

    @property
    def members(self) -> dict[int, tuple[int, ...]]:
        """The tiles of each group that the goal asks for."""
        groups = groupby(self.tiles, self.groups.__getitem__)
        return {group: tuple(tiles) for group, tiles in groups}

    @property
    def counts(self) -> Counter[int]:
        """How many tiles each group has, the blank and free tiles included."""
        counts = Counter(self.groups)
        counts[self.groups[-1]] += max(0, self.frees - 1)
        return counts

    def places(self, group: int) -> tuple[int, ...]:
        """Return the cells where the goal wants a group."""
        return tuple(cell for cell, wanted in enumerate(self.wanted) if wanted == group)

    def on_grid(self, cells: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers that cells of the form have on the grid."""
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

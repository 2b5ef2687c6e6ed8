"""The steps of the blank on a form, as lists of packed numbers that a kernel reads one by one.

    cell << 14 | edge << 1 | begins          end of the list: -1

`edge` numbers the pairs of neighbouring cells; after a step along it comes the list `follow[edge]`.
Where a move slides several tiles, the steps of one line follow each other, the first of which
`begins` it; the next move then goes across, because two moves in one line are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, takewhile
from typing import Any, NamedTuple

from taquin.engine.general.form import GeneralForm
from taquin.model.grid import Grid
from taquin.model.moves import KORF_ORDER, Direction, Metric
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, array, int32
from taquin.system.native import inlined

END = -1
"""Ends a list of steps."""
_CELL_BIT, _EDGE_BIT = 14, 1
"""Where in a step its cell and its edge begin."""
_EDGE_MASK = (1 << _CELL_BIT - _EDGE_BIT) - 1


class Steps(NamedTuple):
    """All lists of steps."""

    lists: Array[int32]
    """One list after the other, each ended by END; the one at 0 is empty."""
    begin: Array[int32]
    """For each cell, where the list begins of a blank that has made no step yet."""
    follow: Array[int32]
    """For each edge, where the list begins that comes after a step along it."""
    edges: Matrix[int32]
    """For each edge, the cell that the blank leaves and the one it goes to."""

    def from_cell(self, cell: int) -> list[int]:
        """Return the cells that a blank in a cell may go to, in order."""
        steps = self.lists.items[self.begin[cell] :]
        return [cell_of(step) for step in takewhile(lambda step: step != END, steps)]


@inlined
def cell_of(step: Any) -> Any:
    """Return the cell that the blank goes to."""
    return step >> _CELL_BIT


@inlined
def edge_of(step: int) -> int:
    """Return the number of the pair of cells that the blank goes between."""
    return step >> _EDGE_BIT & _EDGE_MASK


@inlined
def begins_line(step: int) -> int:
    """Return 1 for the first step of a move, 0 for one that goes on in the line of the last."""
    return step & 1


@lru_cache(maxsize=64)
def steps_on(
    form: GeneralForm, directions: Sequence[Direction] = KORF_ORDER, returns: bool = False
) -> Steps:
    """Return the steps on a form, in the order of `directions`, where tiles go.

    The step back is left out unless it `returns`; in the multi-tile metric, all of its line is.
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
                # Tiles go `direction`, so they would go back the opposite way.
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

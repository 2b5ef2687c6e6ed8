"""Manhattan distance: the steps each tile would need if it were alone.

    8 1 3        tile  1 2 3 4 5 6 7 8      the blank is never counted: sliding it home is what
    4 _ 2              1 2 0 0 2 2 0 3      the other tiles' steps do, and counting it would
    7 6 5        sum = 10                   make the estimate inadmissible

With repeated labels or ANY cells a tile has no one home; the cheapest assignment of tiles to the
goal cells of their label is taken (see `taquin.heuristics.assignment`). Distances are those of the
open grid: walls only make them longer.
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.heuristics.assignment import remembered_cost
from taquin.heuristics.base import Evaluator
from taquin.heuristics.homes import homes_in
from taquin.heuristics.per_tile import PerTile, WithAssignments
from taquin.model.grid import Grid
from taquin.model.space import Space, State

_LARGEST_TABLE = 1_000_000
"""Most entries (cells × labels) worth a table; beyond, distances are worked out as asked."""


@dataclass(frozen=True, slots=True)
class Manhattan:
    """Add up the distances of the tiles from home: admissible and consistent on every puzzle."""

    name = "manhattan"
    counts_tile_steps = True

    def bind(self, space: Space) -> Evaluator:
        """Return the evaluator for `space`."""
        return manhattan_evaluator(space, dict(homes_in(space).single))


def manhattan_evaluator(space: Space, single: dict[int, int]) -> Evaluator:
    """Return the evaluator that sends the labels of `single` home and assigns repeated ones.

    `single` maps a label to its one home; with the blank among them the estimate is not sound.
    """
    grid = space.puzzle.grid
    tiles: Evaluator
    if len(space.labels) * grid.size <= _LARGEST_TABLE:
        nowhere = (0,) * grid.size
        tiles = PerTile(
            [
                _distances(grid, single[tile]) if tile in single else nowhere
                for tile in range(len(space.labels))
            ],
            sound=0 not in single,
        )
    else:
        tiles = OnLargeGrid(grid, single)
    repeated = homes_in(space).repeated
    if not repeated:
        return tiles
    return WithAssignments(
        tiles, {tile: remembered_cost(grid, cells) for tile, cells in repeated.items()}
    )


def _distances(grid: Grid, home: int) -> tuple[int, ...]:
    """Return the distance of every cell from `home`."""
    row, column = grid.place(home)
    across = [abs(other - column) for other in range(grid.columns)]
    return tuple(abs(other - row) + step for other in range(grid.rows) for step in across)


class OnLargeGrid:
    """Work out Manhattan distances as asked, where a table would outgrow its use."""

    __slots__ = ("_grid", "_homes", "admissible", "consistent")

    def __init__(self, grid: Grid, homes: dict[int, int]) -> None:
        self._grid = grid
        self._homes = homes
        self.admissible = self.consistent = 0 not in homes

    def value(self, state: State) -> int:
        """Return the sum of the distances."""
        return sum(self._distance(tile, cell) for cell, tile in enumerate(state))

    def step(self, value: int, child: State, tile: int, origin: int, target: int) -> int:
        """Return `value` with the tile's and the blank's distances brought up to date."""
        value += self._distance(tile, target) - self._distance(tile, origin)
        return value + self._distance(0, origin) - self._distance(0, target)

    def _distance(self, tile: int, cell: int) -> int:
        home = self._homes.get(tile)
        return 0 if home is None else self._grid.distance(cell, home)

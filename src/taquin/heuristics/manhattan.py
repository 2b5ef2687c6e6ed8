"""Manhattan distance: the steps that each tile would need if it were alone.

    8 1 3        tile  1 2 3 4 5 6 7 8      the blank is never counted: each step of a tile moves
    4 _ 2              1 2 0 0 2 2 0 3      the blank too, so counting it would make the estimate
    7 6 5        sum = 10                   inadmissible

With repeated labels or ANY cells, it is the cost of the cheapest assignment of tiles to goal cells
(see `taquin.heuristics.homes`). Walls, which only make paths longer, are ignored. The distances are
in a lookup table, which makes a step fast:

    value  =  sum over cells of  entry[id on the cell][cell]
    step   =  value + move[id][target] - move[id][origin]      two lookups, no branch

A move takes a tile from `origin` to `target` and the blank back, so `move` is the tile's entry
minus the blank's: counting the blank too costs nothing. S3's estimate does:

    1 2 3        one move solves this, yet tile 8 is 1 from home and the blank is 1 from home:
    4 5 6        the estimate is 2. The counts of a published study need it
    7 _ 8
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import getitem, sub

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import assignment_cost, cells_key, homes_in
from taquin.model.grid import Grid
from taquin.model.space import Space, State

LARGEST_TABLE = 1_000_000
"""The maximum number of entries (cells × labels) of the table; beyond, no table is used."""


@dataclass(frozen=True, slots=True)
class Manhattan(Named):
    """Add up the distances of the tiles from home: admissible and consistent on every puzzle."""

    name = "manhattan"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, agent=False)


@dataclass(frozen=True, slots=True)
class ManhattanWithAgent(Named):
    """Add up the distances of the tiles and of the blank from home.

    Neither admissible nor consistent if the goal names the blank's cell: one move can bring a tile
    and the blank home. A blank on a wall (see `Space`) counts as if the cell were open.
    """

    name = "manhattan-agent"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, agent=True)


def _distance(space: Space, *, agent: bool) -> Estimate:
    """Return the evaluator for the tiles and, with `agent`, for the blank."""
    grid, homes = space.puzzle.grid, homes_in(space)
    single = dict(homes.single)
    if agent and 0 in space.goal_ids:
        single[0] = space.goal_ids.index(0)
    if homes.labels * grid.size <= LARGEST_TABLE:
        tiles = _from_table(
            [_distances(grid, single.get(tile)) for tile in range(homes.labels)],
            sound=0 not in single,
        )
    else:
        tiles = _on_demand(grid, single)
    if not homes.repeated:
        return tiles
    return _with_assignments(
        tiles, {tile: assignment_cost(grid, cells) for tile, cells in homes.repeated.items()}
    )


def _distances(grid: Grid, home: int | None) -> tuple[int, ...]:
    """Return the distance of every cell from `home`; 0 without one."""
    if home is None:
        return (0,) * grid.size
    row, column = grid.place(home)
    across = [abs(other - column) for other in range(grid.columns)]
    return tuple(abs(other - row) + step for other in range(grid.rows) for step in across)


def _from_table(entries: Sequence[tuple[int, ...]], sound: bool) -> Estimate:
    """Add up `entries[id][cell]` over the cells of a state; the blank is id 0."""
    by_cell: tuple[tuple[int, ...], ...] = tuple(zip(*entries, strict=True))
    moves: list[tuple[int, ...]] = [tuple(map(sub, row, entries[0])) for row in entries]

    def total(state: State) -> int:
        return sum(map(getitem, by_cell, state))

    def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
        move = moves[tile]
        return value + move[target] - move[origin]

    return Estimate(total, step, admissible=sound, consistent=sound)


def _on_demand(grid: Grid, homes: dict[int, int]) -> Estimate:

    def distance(tile: int, cell: int) -> int:
        home = homes.get(tile)
        return 0 if home is None else grid.distance(cell, home)

    def total(state: State) -> int:
        return sum(distance(tile, cell) for cell, tile in enumerate(state))

    def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
        value += distance(tile, target) - distance(tile, origin)
        return value + distance(0, origin) - distance(0, target)

    return Estimate(total, step, admissible=0 not in homes, consistent=0 not in homes)


def _with_assignments(tiles: Estimate, costs: dict[int, Callable[[int], int]]) -> Estimate:
    """Add to `tiles` the cost of each repeated label, a function of its `cells_key`."""

    def total(state: State) -> int:
        repeated = sum(cost(cells_key(state, tile)) for tile, cost in costs.items())
        return tiles.value(state) + repeated

    def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
        value = tiles.step(value, child, tile, origin, target)
        if (cost := costs.get(tile)) is None:
            return value
        key = cells_key(child, tile)
        parent_key = key ^ 1 << 8 * origin ^ 1 << 8 * target
        return value + cost(key) - cost(parent_key)

    return Estimate(total, step, admissible=tiles.admissible, consistent=tiles.consistent)

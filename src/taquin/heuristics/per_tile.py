"""Heuristics that compare each tile with its goal cells, and the assignment of tiles to cells.

    start  A B . _        single     A → cell 1: one tile, one goal cell
           . . B .        repeated   B → cells 2, 3: several tiles or several goal cells
    goal   * A B B        free       every `.`: the goal does not name it

The blank and the walls are not tiles. `Homes` has the goal cells of each label. The tiles of a
repeated label are assigned to its goal cells at minimum cost:

    start  A A _ .        two tiles, two goal cells: 0 → 1 and 1 → 3 cost 1 + 2 = 3, and so do
    goal   * A * A        0 → 3 and 1 → 1; no other assignment fills both goal cells

The cheapest assignment by Manhattan distance is a lower bound on the steps of these tiles. One step
changes the cost of every assignment by at most one, hence also the minimum: the bound is
consistent.

The heuristics are misplaced tiles, Manhattan distance (also with the blank counted), straight-line
distances, and Gaschnig's estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil, hypot
from operator import eq, getitem, sub

from taquin.heuristics.base import Estimate, Named
from taquin.model.grid import Grid
from taquin.model.moves import WALL
from taquin.model.space import ANY_ID, Space, State

_FAR = 1 << 62
"""More than any sum of distances."""
_CACHE_SIZE = 1 << 16
"""The number of cached costs of arrangements of one label: enough for all of them on 4×4."""


@dataclass(frozen=True, slots=True)
class Homes:
    """The goal cells of each label; labels are ids of the space."""

    single: dict[int, int]
    """The goal cell of each label that has exactly one tile and one goal cell."""
    repeated: dict[int, tuple[int, ...]]
    """The goal cells, in order, of every other label that has any."""
    labels: int
    """The number of ids, those of the blank and the walls included."""
    tiles: dict[int, int]
    """The number of tiles of each label, those without a goal cell included."""

    @property
    def wanted(self) -> dict[int, tuple[int, ...]]:
        """The goal cells of every label that has any."""
        return {tile: (cell,) for tile, cell in self.single.items()} | self.repeated


def homes_in(space: Space) -> Homes:
    """Return the goal cells of each label of `space`."""
    tiles = Counter(space.start)
    ids = [tile for tile, label in enumerate(space.labels) if tile and label != WALL]
    cells: dict[int, list[int]] = {tile: [] for tile in ids}
    for cell, tile in enumerate(space.goal_ids):
        if tile in cells:
            cells[tile].append(cell)
    single = {tile: cells[tile][0] for tile in ids if tiles[tile] == 1 and len(cells[tile]) == 1}
    return Homes(
        single=single,
        repeated={tile: tuple(cells[tile]) for tile in ids if cells[tile] and tile not in single},
        labels=len(space.labels),
        tiles={tile: tiles[tile] for tile in ids},
    )


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the minimum sum of one entry per row, no two in one column.

    There must be at least as many columns as rows. Shortest augmenting paths with prices (Jonker
    and Volgenant, 1987): O(rows² · columns).

    >>> cheapest_assignment([[1, 2, 9], [1, 9, 9]])
    3
    """
    columns = len(costs[0]) if costs else 0
    # Rows and columns are numbered from 1. Column 0 belongs to the row that is being added; a
    # column with owner 0 is free.
    row_price = [0] * (len(costs) + 1)
    column_price = [0] * (columns + 1)
    owner = [0] * (columns + 1)
    for added in range(1, len(costs) + 1):
        owner[0] = added
        column = 0
        slack = [_FAR] * (columns + 1)
        previous = [0] * (columns + 1)
        in_tree = [False] * (columns + 1)
        while owner[column]:
            in_tree[column] = True
            row = owner[column]
            nearest, smallest = 0, _FAR
            for other in range(1, columns + 1):
                if in_tree[other]:
                    continue
                reduced = costs[row - 1][other - 1] - row_price[row] - column_price[other]
                if reduced < slack[other]:
                    slack[other], previous[other] = reduced, column
                if slack[other] < smallest:
                    nearest, smallest = other, slack[other]
            for other in range(columns + 1):
                if in_tree[other]:
                    row_price[owner[other]] += smallest
                    column_price[other] -= smallest
                else:
                    slack[other] -= smallest
            column = nearest
        while column:
            owner[column] = owner[previous[column]]
            column = previous[column]
    return -column_price[0]


def cells_key(state: State, tile: int) -> int:
    """Return the cells that hold `tile` as a bit mask: bit 8·c is set for cell c."""
    return int.from_bytes(bytes(map(tile.__eq__, state)), "little")


def assignment_cost(grid: Grid, goal_cells: Collection[int]) -> Callable[[int], int]:
    """Return the function from a `cells_key` to the minimum distance that fills all `goal_cells`.

    There must be at least as many tiles as goal cells; unassigned tiles cost nothing.
    """
    goal = frozenset(goal_cells)

    @lru_cache(maxsize=_CACHE_SIZE)
    def cost(key: int) -> int:
        tiles = {cell for cell, bit in enumerate(key.to_bytes(grid.size, "little")) if bit}
        # Distances obey the triangle inequality, so a tile on a goal cell may stay there.
        empty, spare = goal - tiles, tiles - goal
        return cheapest_assignment(
            [[grid.distance(home, tile) for tile in spare] for home in empty]
        )

    return cost


@dataclass(frozen=True, slots=True)
class Misplaced(Named):
    """Count the misplaced tiles: admissible and consistent on every puzzle.

    Also called h1 and Hamming distance.

        8 1 3        goal  1 2 3     1 2 5 6 8 are misplaced: 5
        4 _ 2              4 5 6     the blank is not a tile and is never counted
        7 6 5              7 8 _

    With repeated labels or ANY cells it is the number of goal cells with a wrong label: a tile has
    to move into each of them.
    """

    name = "misplaced"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        tiles = homes_in(space).wanted
        wanted = [tile if tile in tiles else ANY_ID for tile in space.goal_ids]
        count = sum(tile != ANY_ID for tile in wanted)

        def misplaced(state: State) -> int:
            met: int = sum(map(eq, wanted, state))
            return count - met

        def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
            return value + (wanted[origin] == tile) - (wanted[target] == tile)

        return Estimate(misplaced, step)


LARGEST_TABLE = 1_000_000
"""The maximum number of entries (cells × labels) of the table; beyond, no table is used."""


@dataclass(frozen=True, slots=True)
class Manhattan(Named):
    """Add up the distances of the tiles from home: admissible and consistent on every puzzle.

    It is the number of steps that the tiles would need if each were alone.

        8 1 3        tile  1 2 3 4 5 6 7 8      the blank is never counted: each step of a tile
        4 _ 2              1 2 0 0 2 2 0 3      moves the blank too, so counting it would make the
        7 6 5        sum = 10                   estimate inadmissible

    With repeated labels or ANY cells, it is the cost of the cheapest assignment of tiles to goal
    cells (see `Homes`). Walls, which only make paths longer, are ignored.
    """

    name = "manhattan"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, agent=False)


@dataclass(frozen=True, slots=True)
class ManhattanWithAgent(Named):
    """Add up the distances of the tiles and of the blank from home.

        1 2 3        one move solves this, yet tile 8 is 1 from home and the blank is 1 from home:
        4 5 6        the estimate is 2. The counts of a published study (S3) need it
        7 _ 8

    Neither admissible nor consistent if the goal names the blank's cell: one move can bring a tile
    and the blank home. A blank on a wall (see `Space`) counts as if the cell were open.
    """

    name = "manhattan-agent"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _distance(space, agent=True)


def _distance(space: Space, *, agent: bool) -> Estimate:
    """Return the evaluator for the tiles and, with `agent`, for the blank.

    The distances are in a lookup table, which makes a step fast:

        value  =  sum over cells of  entry[id on the cell][cell]
        step   =  value + move[id][target] - move[id][origin]      two lookups, no branch

    A move takes a tile from `origin` to `target` and the blank back, so `move` is the tile's entry
    minus the blank's: counting the blank too costs nothing.
    """
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


_ROUNDING = 1e-9
"""More than the floating-point error of the sum, which must not be rounded up."""


@dataclass(frozen=True, slots=True)
class Euclidean(Named):
    """Add up the Euclidean distances from home, rounded up: admissible and consistent.

        . . 1        the tile is 2 columns and 1 row from home:
        x . .        Manhattan 2 + 1 = 3     Euclidean √(4 + 1) = 2.236…     Chebyshev max(2, 1) = 2

    A step changes either straight-line distance by at most one, so both are admissible and
    consistent, and at most the Manhattan distance. The sum is rounded up: costs are integers, so it
    stays admissible and consistent. Only tiles with one home count, and walls are ignored.
    """

    name = "euclidean"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _line_distance(space, hypot)


@dataclass(frozen=True, slots=True)
class Chebyshev(Named):
    """Add up the Chebyshev distances from home: admissible and consistent.

    Only tiles with one home count, and walls are ignored; see `Euclidean`.
    """

    name = "chebyshev"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        return _line_distance(space, max)


def _line_distance(space: Space, length: Callable[[int, int], float]) -> Estimate:
    grid, single = space.puzzle.grid, homes_in(space).single
    by_cell = []
    for cell in range(grid.size):
        row, column = grid.place(cell)
        lengths = [0.0] * len(space.labels)
        for tile, home in single.items():
            home_row, home_column = grid.place(home)
            lengths[tile] = length(abs(row - home_row), abs(column - home_column))
        by_cell.append(lengths)

    def total(state: State) -> int:
        return ceil(sum(map(getitem, by_cell, state)) - _ROUNDING)

    return Estimate(total)


@dataclass(frozen=True, slots=True)
class Gaschnig(Named):
    """Count the swaps of the blank with arbitrary tiles: admissible and consistent.

    Also called maxswap.

        2 3 1        the blank is home, so 1 first goes to the blank's cell; then 3, 2 and 1 go
        4 5 6        home: 4 swaps
        7 8 _

    For each cell with a wrong label, connect this label with the cell's goal label. The labels form
    connected components, here {1, 2, 3}. The blank solves its own component with one swap per
    misplaced tile. To enter another component it needs one more swap, which moves a tile out.

    Where the goal has ANY cells, a component may have more tiles of a label than goal cells for it.
    Each such surplus tile moves out to an ANY cell by one swap, and any of these swaps also enters
    the component. If surplus tiles exist, but none in the blank's component, the blank ends that
    component on its goal cell. The next surplus tile then lands there and has to move once more.

    This is the exact cost of a relaxed problem (Gaschnig, 1979), hence admissible and consistent on
    every puzzle, also with walls, repeated labels or ANY cells.
    """

    name = "gaschnig"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        walls = space.puzzle.grid.walls
        goal = [
            (cell, label)
            for cell, label in enumerate(space.goal_ids)
            if label != ANY_ID and cell not in walls
        ]
        return Estimate(partial(_swaps, goal, range(len(space.labels))))


def _swaps(goal: list[tuple[int, int]], labels: range, state: State) -> int:
    """Count the swaps to a goal of `(cell, label)` pairs, labels being ids; the blank is 0."""
    leader = list(labels)
    surplus = [0] * len(leader)
    misplaced = 0
    touched = set()
    for cell, wanted in goal:
        held = state[cell]
        if held == wanted:
            continue
        misplaced += wanted != 0
        touched.add(held)
        touched.add(wanted)
        surplus[held] += 1
        surplus[wanted] -= 1
        while leader[held] != held:
            held = leader[held]
        while leader[wanted] != wanted:
            wanted = leader[wanted]
        leader[held] = wanted
    if not touched:
        return 0
    surplus_tiles: dict[int, int] = {}
    blank_component = -1
    for label in touched:
        component = label
        while leader[component] != component:
            component = leader[component]
        if label == 0:
            blank_component = component
        tiles = surplus[label] if label and surplus[label] > 0 else 0
        surplus_tiles[component] = surplus_tiles.get(component, 0) + tiles
    moved_out = sum(surplus_tiles.values())
    to_enter = sum(
        not tiles for component, tiles in surplus_tiles.items() if component != blank_component
    )
    swaps = misplaced + to_enter + moved_out
    if moved_out and not surplus_tiles.get(blank_component):
        # The blank ends on its goal cell only if the goal names one.
        swaps += any(wanted == 0 for _, wanted in goal)
    return swaps

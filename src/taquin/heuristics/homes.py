"""The goal cells of each label, and the cheapest assignment of tiles to them.

    start  A B . _        single     A → cell 1: one tile, one goal cell
           . . B .        repeated   B → cells 2, 3: several tiles or several goal cells
    goal   * A B B        free       every `.`: the goal does not name it

The blank and the walls are not tiles. The tiles of a repeated label are assigned to its goal cells
at minimum cost:

    start  A A _ .        two tiles, two goal cells: 0 → 1 and 1 → 3 cost 1 + 2 = 3, and so do
    goal   * A * A        0 → 3 and 1 → 1; no other assignment fills both goal cells

The cheapest assignment by Manhattan distance is a lower bound on the steps of these tiles. One step
changes the cost of every assignment by at most one, hence also the minimum: the bound is
consistent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from taquin.model.grid import Grid
from taquin.model.moves import WALL
from taquin.model.space import Space, State

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

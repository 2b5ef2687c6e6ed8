"""The cheapest way to give every goal cell of a label a tile of its own.

    start  A A _ .        two tiles, two goal cells: 0 → 1 and 1 → 3 cost 1 + 2 = 3, and so do
    goal   * A * A        0 → 3 and 1 → 1; no other pairing gives each goal cell its own tile

Every tile moves on its own in the best case, so the cheapest assignment by Manhattan distance is a
lower bound on the steps of these tiles. One step changes the cost of each assignment by one at
most, hence also that of the cheapest: the bound is consistent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from taquin.model.grid import Grid
from taquin.model.space import State

_FAR = 1 << 62
"""More than any sum of distances."""

_REMEMBERED = 1 << 16
"""Arrangements of one label whose cost is kept: all of them on 4×4, the recent ones beyond."""


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> int:
    """Return the least sum of one entry per row, no two in one column.

    Needs at least as many columns as rows. Shortest augmenting paths with prices (Jonker and
    Volgenant, 1987): O(rows² · columns).

    >>> cheapest_assignment([[1, 2, 9], [1, 9, 9]])
    3
    """
    columns = len(costs[0]) if costs else 0
    # Rows and columns count from 1 here: column 0 stands for the row that is being added, and
    # owner 0 for none.
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


def assignment_cost(grid: Grid, places: Collection[int], tiles: Collection[int]) -> int:
    """Return the least total Manhattan distance that fills all `places` from `tiles`.

    Needs at least as many tiles as places; tiles left over cost nothing.
    """
    # Distances obey the triangle inequality, so a tile that stands on a place may keep it.
    empty = [place for place in places if place not in tiles]
    spare = [tile for tile in tiles if tile not in places]
    return cheapest_assignment([[grid.distance(place, tile) for tile in spare] for place in empty])


def cells_key(state: State, tile: int) -> int:
    """Return the cells that hold `tile` as one number: bit 8·c is set for cell c."""
    return int.from_bytes(bytes(map(tile.__eq__, state)), "little")


def remembered_cost(grid: Grid, places: Collection[int]) -> Callable[[int], int]:
    """Return the function from a `cells_key` to the cost of filling `places` from those cells."""
    wanted = frozenset(places)

    @lru_cache(maxsize=_REMEMBERED)
    def cost(key: int) -> int:
        held = key.to_bytes(grid.size, "little")
        return assignment_cost(grid, wanted, {cell for cell, bit in enumerate(held) if bit})

    return cost

"""Pattern tables built on the card; `kernels/tables.cu` describes how.

What depends only on the grid and the number of tiles (sets of cells, their regions, what moves do
to orders) is made once and serves all patterns of that size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import THREADS, Array, Card
from taquin.tables.shape import Cells, Shape

_LISTED = 24
"""Orders in a word of a plane."""


def orders_of(size: int) -> int:
    """Return the length of a table's row: the orders of `size` tiles, at least a word of them."""
    return max(_LISTED, factorial(size))


def table_bytes(cells: int, size: int) -> int:
    """Return the size of a table."""
    return comb(cells, size) * orders_of(size) // 2


def binomials() -> NDArray[np.uint32]:
    """Return the binomials by which sets are ranked: of each cell over 0 to 8."""
    return np.array([[comb(cell, place) for place in range(9)] for cell in range(32)], np.uint32)


@dataclass(frozen=True, slots=True)
class Sets:
    """All sets of `size` cells of a grid, and what moves do to orders."""

    card: Card
    """The card that holds the arrays."""
    rows: int
    """Rows of the grid."""
    columns: int
    """Columns of the grid."""
    size: int
    """Tiles of a pattern."""
    sets: Array
    """Each set of cells, as bits, by rank."""
    planes: Array
    """The first plane of each set; one more than the sets."""
    lists: tuple[Array, Array]
    """The ranks of the sets of each parity."""
    turns: Array
    """From `(from * size + to) * orders`: each order after a tile went between two places."""
    permuted: Array
    """What that does to the bits of a word."""
    labels: Array
    """Each order as nibbles."""
    choose: Array
    """Binomials."""

    @property
    def settings(self) -> dict[str, int]:
        """What the kernels are compiled with."""
        return _settings(self.rows, self.columns, self.size)

    def build(self, goal: Cells, blank: int, report: Callable[[int], None]) -> Array:
        """Return the table of the pattern whose tiles belong in the cells `goal`, rising.

        `blank` is the goal's blank; `report` is given each level, and ends the build by raising.
        """
        xp, card, size = self.card.xp, self.card, self.size
        words, planes = orders_of(size) // _LISTED, int(self.planes[-1])
        shape = Shape(self.rows, self.columns, blank)
        inside = frozenset(goal)
        regions = sorted({shape.region(inside, c)[0] for c in range(shape.size) if c not in inside})
        rank = sum(comb(cell, place + 1) for place, cell in enumerate(goal))
        plane = int(self.planes[rank]) + regions.index(shape.region(inside, blank)[0])

        table = xp.full(table_bytes(shape.size, size) // 4, 0xFFFFFFFF, np.uint32)
        seen, fronts = xp.zeros(planes * words, np.uint32), xp.zeros(planes * words, np.uint32)
        alive = xp.zeros(planes, np.uint8)
        grown = xp.zeros(1, np.uint32)
        seen[plane * words] = fronts[plane * words] = alive[plane] = 1
        table[rank * words * 3] = 0xFFFFFFF0
        parity = sum(cell // self.columns + cell % self.columns for cell in goal) & 1
        level = card.kernel("tables.cu", "level", self.settings)
        homes = xp.asarray(np.array(goal, np.uint32))
        for depth in count(1):
            report(depth)
            chosen = self.lists[(parity + depth) & 1]
            grown[0] = 0
            level(
                *(min(len(chosen), 32 * card.processors) or 1, THREADS, 0),
                *(chosen, np.uint32(len(chosen)), self.sets, self.planes, self.choose),
                *(self.turns, self.permuted, self.labels, homes),
                *(seen, fronts, alive, table, np.uint32(depth), grown),
            )
            if not int(grown[0]):
                break
        return table

    def spread(self, table: Array) -> Array:
        """Return a table laid out by cells, digits to the base of the grid's size."""
        entries = (self.rows * self.columns) ** self.size
        target = self.card.xp.empty((entries + 1) // 2, np.uint8)
        self.card.kernel("tables.cu", "spread", self.settings)(
            *(32 * self.card.processors, THREADS, 0),
            *(self.choose, table, np.uint64(len(target)), target),
        )
        return target


@lru_cache(maxsize=16)
def sets_of(card: Card, rows: int, columns: int, size: int) -> Sets:
    """Return the sets of `size` cells of a grid, made on the card."""
    xp = card.xp
    settings = _settings(rows, columns, size)
    total, orders = comb(rows * columns, size), orders_of(size)
    choose = xp.asarray(binomials().reshape(-1))
    sets, regions = xp.zeros(total, np.uint32), xp.zeros(total, np.uint32)
    parities = xp.zeros(total, np.uint8)
    turns = xp.zeros(size * size * orders, np.uint16)
    permuted = xp.zeros(min(size, 4) ** 2 * 768, np.uint32)
    labels = xp.zeros(orders, np.uint32)

    def run(name: str, *arguments: object) -> None:
        card.kernel("tables.cu", name, settings)(32 * card.processors, THREADS, 0, *arguments)

    run("census", choose, np.uint32(total), sets, regions, parities)
    run("turn", turns)
    run("permute", permuted)
    run("label", labels)
    planes = xp.zeros(total + 1, np.uint32)
    planes[1:] = xp.cumsum(regions)
    even, odd = (xp.flatnonzero(parities == parity).astype(np.uint32) for parity in (0, 1))
    return Sets(
        *(card, rows, columns, size, sets, planes, (even, odd), turns, permuted, labels, choose)
    )


def _settings(rows: int, columns: int, size: int) -> dict[str, int]:
    cells = range(rows * columns)
    return {
        "CELLS": len(cells),
        "COLUMNS": columns,
        "SIZE": size,
        "ORDERS": orders_of(size),
        "NOT_FIRST": sum(1 << cell for cell in cells if cell % columns),
        "NOT_LAST": sum(1 << cell for cell in cells if cell % columns != columns - 1),
        "ORDERS_OF_A_WORD": (1 << min(_LISTED, factorial(size))) - 1,
    }

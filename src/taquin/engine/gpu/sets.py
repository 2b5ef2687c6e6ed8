"""Pattern tables made on the card; how is told in `kernels/tables.cu`.

What hangs on the grid and the number of tiles only (sets of cells, their regions, what moves do to
orders) is made once and serves all patterns of that size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import Array, Card
from taquin.tables.patterns import PACKED_CELLS, PatternKey
from taquin.tables.shape import Cells, Shape

MOST_TILES = 8
"""Tiles of the largest pattern: an order of more has no room in 16 bits."""
_THREADS = 256
_LISTED = 24
"""Orders in a word of a plane."""


def orders_of(size: int) -> int:
    """Return the length of a table's row: the orders of so many tiles, at least a word of them."""
    return max(_LISTED, factorial(size))


def table_bytes(cells: int, size: int) -> int:
    """Return the size of a table."""
    return comb(cells, size) * orders_of(size) // 2


def binomials() -> NDArray[np.uint32]:
    """Return the binomials by which sets are ranked, from `9 * cell`."""
    return np.array([[comb(cell, place) for place in range(9)] for cell in range(32)], np.uint32)


@dataclass(frozen=True, slots=True)
class Sets:
    """All sets of `size` cells of a grid, and what moves do to orders."""

    card: Card
    """Where it is."""
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
    """From `(from * size + to) * orders`: each order after a tile went from place to place."""
    permuted: Array
    """What such a turn does to the bits of a word."""
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

        `blank` is the goal's blank; `report` is told each level, and ends the build by raising.
        """
        xp, card, size = self.card.xp, self.card, self.size
        words, count = orders_of(size) // _LISTED, len(self.planes) - 1
        all_planes = int(self.planes[-1])
        shape = Shape(self.rows, self.columns, blank)
        inside = frozenset(goal)
        regions = sorted({shape.region(inside, c)[0] for c in range(shape.size) if c not in inside})
        rank = sum(comb(cell, place + 1) for place, cell in enumerate(goal))
        plane = int(self.planes[rank]) + regions.index(shape.region(inside, blank)[0])

        table = xp.full(table_bytes(shape.size, size) // 4, 0xFFFFFFFF, np.uint32)
        seen = xp.zeros(all_planes * words, np.uint32)
        fronts = xp.zeros(all_planes * words, np.uint32)
        alive = xp.zeros(all_planes, np.uint8)
        grown = xp.zeros(1, np.uint32)
        seen[plane * words] = fronts[plane * words] = alive[plane] = 1
        table[rank * words * 3] = 0xFFFFFFF0
        parity = sum(cell // self.columns + cell % self.columns for cell in goal) & 1
        level = card.kernel("tables.cu", "level", self.settings)
        homes = xp.asarray(np.array(goal, np.uint32))
        depth = 0
        while True:
            depth += 1
            report(depth)
            chosen = self.lists[(parity + depth) & 1]
            grown[0] = 0
            level(
                min(len(chosen), 32 * card.processors) or 1,
                _THREADS if card.lanes > 1 else 1,
                0,
                *(chosen, np.uint32(len(chosen)), self.sets, self.planes, self.choose),
                *(self.turns, self.permuted, self.labels, homes),
                *(seen, fronts, alive, table, np.uint32(depth), grown),
            )
            if not int(grown[0]):
                break
        assert len(self.sets) == count
        return table

    def spread(self, table: Array) -> Array:
        """Return a table laid out by cells, digits to the base of the grid's size."""
        entries = (self.rows * self.columns) ** self.size
        target = self.card.xp.empty((entries + 1) // 2, np.uint8)
        self.card.kernel("tables.cu", "spread", self.settings)(
            32 * self.card.processors,
            _THREADS if self.card.lanes > 1 else 1,
            0,
            *(self.choose, table, np.uint64(len(target)), target),
        )
        return target


@lru_cache(maxsize=16)
def sets_of(card: Card, rows: int, columns: int, size: int) -> Sets:
    """Return the sets of `size` cells of a grid, made on the card."""
    xp = card.xp
    settings = _settings(rows, columns, size)
    count, orders = comb(rows * columns, size), orders_of(size)
    blocks, threads = 32 * card.processors, _THREADS if card.lanes > 1 else 1
    choose = xp.asarray(binomials().reshape(-1))
    sets, regions = xp.zeros(count, np.uint32), xp.zeros(count, np.uint32)
    parities = xp.zeros(count, np.uint8)
    turns = xp.zeros(size * size * orders, np.uint16)
    permuted = xp.zeros(min(size, 4) ** 2 * 768, np.uint32)
    labels = xp.zeros(orders, np.uint32)

    def run(name: str, *arguments: object) -> None:
        card.kernel("tables.cu", name, settings)(blocks, threads, 0, *arguments)

    run("census", choose, np.uint32(count), sets, regions, parities)
    run("turn", turns)
    run("permute", permuted)
    run("label", labels)
    planes = xp.zeros(count + 1, np.uint32)
    planes[1:] = xp.cumsum(regions)
    lists = tuple(xp.flatnonzero(parities == parity).astype(np.uint32) for parity in (0, 1))
    return Sets(
        *(card, rows, columns, size, sets, planes, (lists[0], lists[1])),
        *(turns, permuted, labels, choose),
    )


def stored_form(card: Card, key: PatternKey) -> NDArray[np.uint8]:
    """Return the table of a small pattern, built on the card, as the table store keeps it."""
    sets = sets_of(card, key.rows, key.columns, len(key.tiles))
    table = sets.build(key.tiles, key.blank, lambda level: None)
    plain: NDArray[np.uint8] = card.host(sets.spread(table))
    if key.cells > PACKED_CELLS:
        return plain
    # Up to 16 cells the store weaves the bits of the cells: take the values in that order.
    woven = plane = np.zeros(1, np.int64)
    for place, spots in enumerate(key.spots):
        woven = (woven[:, None] + np.array(spots)).reshape(-1)
        digit = np.arange(key.cells) * key.cells ** (len(key.tiles) - 1 - place)
        plane = (plane[:, None] + digit).reshape(-1)
    nibbles = np.full(key.entries, 15, np.uint8)
    nibbles[woven] = plain[plane >> 1] >> (4 * (plane & 1)).astype(np.uint8) & 15
    return (nibbles[0::2] | nibbles[1::2] << 4).astype(np.uint8)


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

"""Pattern tables built on the GPU; `kernels/tables.cu` describes how.

Sets of cells, their regions and the permutations by moves depend only on the grid and the number of
tiles: they are made once for all patterns of that size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import count
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.device import THREADS, Array, Device
from taquin.tables.patterns import PatternKey
from taquin.tables.shape import Cells, Shape

_LISTED, _SIBLINGS = 24, 5
"""Orders in a word of a plane, and words of a thread, if there is more than one word."""
_THREADS_AT_ONCE = 1408
"""Threads per multiprocessor. So many need a few more registers than there are, so some words spill
to memory; three quarters of the threads avoid that, and take 5 % longer for a table."""


def orders_of(size: int) -> int:
    """Return the length of a table's row: the orders of `size` tiles, at least one word."""
    return max(_LISTED, factorial(size))


def table_bytes(cells: int, size: int) -> int:
    """Return the size of a table."""
    return comb(cells, size) * orders_of(size) // 2


@cache
def binomials() -> NDArray[np.uint32]:
    """Return the binomials by which sets are ranked: of each cell over 0 to 8."""
    return np.array([[comb(cell, place) for place in range(9)] for cell in range(32)], np.uint32)


def settings_of(rows: int, columns: int, size: int) -> dict[str, int]:
    """Return the settings of `tables.cu` for patterns of `size` tiles."""
    cells, prefixes = range(rows * columns), max(1, orders_of(size) // _LISTED // _SIBLINGS)
    threads = -(-prefixes // 32) * 32
    return {
        "CELLS": len(cells),
        "COLUMNS": columns,
        "SIZE": size,
        "ORDERS": orders_of(size),
        "NOT_FIRST": sum(1 << cell for cell in cells if cell % columns),
        "NOT_LAST": sum(1 << cell for cell in cells if cell % columns != columns - 1),
        "KINDS": comb(size, min(size, 4)),
        "THREADS": threads,
        "BLOCKS": min(32, _THREADS_AT_ONCE // threads),
    }


class TileSets:
    """All sets of `size` cells of a grid, and the permutations of orders by moves."""

    def __init__(self, device: Device, rows: int, columns: int, size: int) -> None:
        xp = device.xp
        total, orders = comb(rows * columns, size), orders_of(size)
        self._device, self._rows, self._columns, self._size = device, rows, columns, size
        self._settings = settings_of(rows, columns, size)
        self._choose = xp.asarray(binomials().reshape(-1))
        # Each set of cells, as bits, by rank.
        self._sets = xp.zeros(total, np.uint32)
        regions, parities = xp.zeros(total, np.uint32), xp.zeros(total, np.uint8)
        self._run("census", self._choose, np.uint32(total), self._sets, regions, parities)
        self.turns: Array = xp.zeros(size * size * orders, np.uint16)
        """From `(from * size + to) * orders`: each order after a tile went between two places."""
        self._run("turn", self.turns)
        # Each order as nibbles.
        self._labels = xp.zeros(orders, np.uint32)
        self._run("label", self._labels)
        # Computed on the CPU, because CuPy would compile a kernel for each of these steps. The
        # first plane of each set, and the number of all:
        planes = np.cumsum(device.host(regions), dtype=np.uint32)
        self._planes = xp.asarray(np.concatenate((np.zeros(1, np.uint32), planes)))
        # From which planes a plane is reached, for each tile and way eight bytes:
        self._steps = xp.zeros(total * 4 * size, np.uint64)
        self._run(
            *("list_steps", self._choose, np.uint32(total)),
            *(self._sets, self._planes, self._steps),
        )
        self._turned_words, self._kinds, self._examples = map(xp.asarray, self._words())
        # The ranks of the sets of each parity:
        odd = device.host(parities) == 1
        self._lists = [xp.asarray(np.flatnonzero(are).astype(np.uint32)) for are in (~odd, odd)]

    def _words(self) -> tuple[NDArray[np.uint16], NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the target of each word, the kind of each word, and a word of each kind.

        A word is a run of orders with equal tiles in the first places. Its kind is the set of tiles
        for the last four places.
        """
        size = self._size
        words, high = orders_of(size) // _LISTED, max(0, size - 4)
        siblings = _SIBLINGS if high else 1
        turns = self._device.host(self.turns).reshape(size, size, words, _LISTED)
        turned = turns[:high, :high, :, 0] // _LISTED
        # In planes, the words of neighbouring threads are adjacent.
        place_of = np.arange(words).reshape(siblings, -1).T.reshape(-1)
        in_places = np.zeros((high, high, words), np.uint16)
        in_places[:, :, place_of] = place_of[turned]
        labels = self._device.host(self._labels)[::_LISTED]
        firsts = np.zeros(words, np.uint32)
        for place in range(high):
            firsts |= np.uint32(1) << (labels >> 4 * place & 15)
        _, examples, kinds = np.unique(firsts, return_index=True, return_inverse=True)
        return in_places.reshape(-1), kinds.astype(np.uint32), examples.astype(np.uint32)

    def _run(self, name: str, *arguments: object, threads: int = THREADS) -> None:
        kernel = self._device.kernel("tables.cu", name, self._settings)
        kernel(32 * self._device.processors, threads, 0, *arguments)

    def build(self, goal: Cells, blank: int, report: Callable[[int], None]) -> Array:
        """Return the table of the pattern whose tiles belong in the cells `goal`, rising.

        `blank` is the goal's blank; `report` is called with each level, and may raise to abort.
        """
        xp, size = self._device.xp, self._size
        words, planes = orders_of(size) // _LISTED, int(self._planes[-1])
        shape = Shape(self._rows, self._columns, blank)
        inside = frozenset(goal)
        regions = sorted({shape.region(inside, c)[0] for c in range(shape.size) if c not in inside})
        rank = sum(comb(cell, place) for place, cell in enumerate(goal, 1))
        plane = int(self._planes[rank]) + regions.index(shape.region(inside, blank)[0])

        # The table needs no initial values, and only live fronts are read.
        table = xp.empty(table_bytes(shape.size, size) // 4, np.uint32)
        seen, fronts = xp.zeros(planes * words, np.uint32), xp.empty(planes * words, np.uint32)
        alive, grown = xp.zeros(planes, np.uint8), xp.zeros(1, np.uint32)
        fronts[plane * words : (plane + 1) * words] = table[rank * words * 3] = 0
        seen[plane * words] = fronts[plane * words] = alive[plane] = 1
        parity = sum(cell // self._columns + cell % self._columns for cell in goal) & 1
        homes = xp.asarray(np.array(goal, np.uint32))
        for depth in count(1):
            report(depth)
            ranks = self._lists[(parity + depth) & 1]
            grown[0] = 0
            self._run(
                *("level", ranks, np.uint32(len(ranks)), self._sets, self._planes, self._steps),
                *(self._turned_words, self._labels, homes),
                *(seen, fronts, alive, table, np.uint32(depth), grown),
                threads=self._settings["THREADS"],
            )
            if not int(grown[0]):
                break
        self._run(
            *("finish", np.uint32(len(self._sets)), self._sets, self._planes, self._labels),
            *(self._kinds, self._examples, homes, seen, table),
        )
        return table

    def spread(self, table: Array) -> Array:
        """Return a table laid out by cells, digits to the base of the grid's size."""
        entries = (self._rows * self._columns) ** self._size
        target = self._device.xp.empty((entries + 1) // 2, np.uint8)
        self._run("spread", self._choose, table, np.uint64(len(target)), target)
        return target


@lru_cache(maxsize=16)
def sets_of(device: Device, rows: int, columns: int, size: int) -> TileSets:
    """Return the sets of `size` cells of a grid, made on the GPU once."""
    return TileSets(device, rows, columns, size)


def _alike(shape: Shape, tiles: Cells) -> Shape:
    """Return the canonical shape with an equal table of a pattern.

    Tables do not count the moves of other tiles. So the blank's goal cell matters only by its
    region, the cells that the blank reaches without moving a tile of the pattern.
    """
    return replace(shape, blank=shape.region(frozenset(tiles), shape.blank)[0])


class GpuTables:
    """The tables of a process, kept on its GPU."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._ranked: dict[tuple[Shape, Cells], Array] = {}
        """Tables by their tiles and canonical shape."""
        self._direct: dict[PatternKey, Array] = {}

    def missing(self, shape: Shape, patterns: Iterable[Cells]) -> int:
        """Return the bytes of the missing tables of large patterns."""
        return sum(
            table_bytes(shape.size, len(tiles))
            for tiles in patterns
            if (_alike(shape, tiles), tiles) not in self._ranked
        )

    def ranked(self, shape: Shape, tiles: Cells, report: Callable[[str], None]) -> Array:
        """Return the table of a large pattern, in the shape's own orientation."""
        alike = _alike(shape, tiles)
        if (alike, tiles) not in self._ranked:
            sets = sets_of(self._device, shape.rows, shape.columns, len(tiles))
            name = f"{shape.rows}x{shape.columns}-{'.'.join(map(str, tiles))}"
            self._ranked[alike, tiles] = sets.build(
                tiles, alike.blank, lambda level: report(f"building table {name}, level {level}")
            )
        return self._ranked[alike, tiles]

    def direct(self, key: PatternKey, report: Callable[[str], None]) -> Array:
        """Return the table of a small pattern, by the cells of its tiles to the grid's base."""
        if key not in self._direct:
            report(f"building table {key.name}")
            sets = sets_of(self._device, key.rows, key.columns, len(key.tiles))
            self._direct[key] = sets.spread(sets.build(key.tiles, key.blank, lambda level: None))
        return self._direct[key]

"""Build one pattern database on all cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, count, permutations, product
from math import comb, perm
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.system.threads import thread_pool
from taquin.tables.patterns import PatternKey, keys_of
from taquin.tables.shape import Shape
from taquin.tables.store import VERSION

Table: TypeAlias = NDArray[np.uint8]
"""Two values in a byte; see `taquin.tables.retrograde`."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the configurations reached so far and their number in all."""
_SETS = 1 << 8
"""How many sets of cells a thread takes at a time."""
_BLOCK = 1 << 18
"""Most values that are put in order at a time: as many as a processor keeps near."""
_INTERVAL = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True, slots=True)
class PatternRecipe:
    """A pattern database as `taquin.tables.store` keeps it."""

    key: PatternKey
    """What it is about."""

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.key.name

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid, pattern and index of the table."""
        return {
            "kind": "pattern database",
            "version": VERSION,
            "rows": self.key.rows,
            # Tables on users' disks say "cols": another word would have them all built again.
            "cols": self.key.columns,
            "tiles": list(self.key.tiles),
            "blank": self.key.blank,
            "spots": [list(cells) for cells in self.key.spots],
        }

    def build(self, threads: int | None, progress: Progress) -> Table:
        """Return the table, built from nothing."""
        return build_table(self.key, threads=threads, progress=progress)

    def is_sound(self, table: Table) -> bool:
        """Return whether a table has the bytes of this pattern."""
        return table.nbytes == self.key.nbytes


def recipes_of(shape: Shape, name: str) -> tuple[PatternRecipe, ...]:
    """Return the recipes of a named set."""
    return tuple(PatternRecipe(key) for key in keys_of(shape, name))


def build_table(
    key: PatternKey, *, threads: int | None = None, progress: Progress | None = None
) -> Table:
    """Return the table of `key`, built from nothing.

    Besides the table this takes a byte of memory a configuration, and two bits for each region in
    which it may have the blank: about half a byte. `progress` is called every tenth of a second or
    so, and by raising ends the build.
    """
    with thread_pool(threads) as pool:
        reported_at = monotonic()

        def report(reached: int) -> None:
            nonlocal reported_at
            if progress is not None and monotonic() - reported_at >= _INTERVAL:
                progress(reached, key.configurations)
                reported_at = monotonic()

        levels = _levels(key, pool, report)
        table = _packed(key, levels, pool, report)
    if progress is not None:
        progress(key.configurations, key.configurations)
    return table


def _levels(key: PatternKey, pool: ThreadPoolExecutor, report: Callable[[int], None]) -> Table:
    """Return the cost of each configuration, by its set of cells and its order."""
    # Imported late: compiling and loading Numba costs seconds that a reader of tables never pays.
    from taquin.tables.retrograde import (
        UNREACHED,
        Grid,
        Links,
        Reached,
        Sets,
        count_regions,
        link,
        sweep,
    )

    cells, columns, size = key.cells, key.columns, len(key.tiles)
    every_cell = range(cells)
    bits = _sets(cells, size)
    grid = Grid(
        cells,
        columns,
        (1 << cells) - 1,
        sum(1 << cell for cell in every_cell if cell % columns != columns - 1),
        sum(1 << cell for cell in every_cell if cell % columns != 0),
    )
    starts = range(0, len(bits), _SETS)
    # The first set of each piece of work, and the end of the piece.
    pieces = starts, (*starts[1:], len(bits))
    counts = np.zeros(len(bits), np.int64)
    for _ in pool.map(partial(count_regions, bits, counts, grid), *pieces):
        report(0)
    begins = np.concatenate(([0], np.cumsum(counts)))
    sets = Sets(grid, bits, begins, _binomials(cells, size))
    turn, turns = _permutations(size, columns)
    # A tile can be pushed from four sides at most.
    links = Links(np.zeros((len(bits), 4 * size), np.int64), np.zeros(begins[-1], np.int32))
    for _ in pool.map(partial(link, sets, turn, links), *pieces):
        report(0)

    orders = turns.shape[1]
    bitmaps = (int(begins[-1]), -(-orders // 64))
    goal = sum(1 << tile for tile in key.tiles)
    coloured = [cell for cell in every_cell if (cell // columns + cell % columns) & 1]
    reached = Reached(
        front=np.zeros(bitmaps, np.uint64),
        seen=np.zeros(bitmaps, np.uint64),
        lives=np.zeros(bitmaps[0], np.uint8),
        levels=np.full((len(bits), orders), UNREACHED, np.uint8),
        odd=np.sum([(bits ^ goal) >> cell & 1 for cell in coloured], axis=0).astype(np.uint8) & 1,
    )

    shape = Shape(key.rows, columns, key.blank)
    home = int(np.searchsorted(bits, goal))
    tiles = frozenset(key.tiles)
    regions = {shape.region(tiles, cell) for cell in every_cell if cell not in tiles}
    first = int(begins[home]) + sorted(regions).index(shape.region(tiles, key.blank))
    reached.front[first, 0] = reached.seen[first, 0] = reached.lives[first] = 1
    reached.levels[home, 0] = 0
    done, alive = 1, 1
    for level in count(1):
        if not alive:
            break
        alive = 0
        reach = partial(sweep, begins, links, turns, reached, level)
        for more, bitmaps_alive in pool.map(reach, *pieces):
            done += more
            alive += bitmaps_alive
            report(done)
    return reached.levels


def _packed(
    key: PatternKey, levels: Table, pool: ThreadPoolExecutor, report: Callable[[int], None]
) -> Table:
    """Return the table for these costs."""
    from taquin.tables.retrograde import Packing, pack

    cells, size = key.cells, len(key.tiles)
    placed = next(n for n in range(size) if perm(cells - n, size - n) <= _BLOCK)
    left, free = size - placed, cells - placed
    parts = np.array(list(combinations(range(free), left)), np.uint8)
    orders = np.array(list(permutations(range(left))), np.int64)
    shape = Shape(key.rows, key.columns, key.blank)
    distance = [[shape.manhattan(tile, cell) for cell in range(cells)] for tile in key.tiles]
    packing = Packing(
        cells=cells,
        tiles=size,
        placed=placed,
        ranked=key.ranked,
        choose=_binomials(cells, size),
        parts=parts,
        ranks=_ranks(parts[:, orders].astype(np.int64), free).astype(np.int32),
        heads=np.array(list(permutations(range(free), left - 1)), np.uint8),
        spots=np.array(key.spots, np.int64),
        manhattan=np.array(distance, np.int64),
    )
    table = np.full(key.nbytes, 255, np.uint8)
    blocks = perm(cells, placed)
    for _ in pool.map(partial(pack, levels, table, packing), range(blocks), range(1, blocks + 1)):
        report(key.configurations)
    return table


def _sets(cells: int, size: int) -> NDArray[np.int64]:
    """Return every set of `size` cells, as bits, in rising order."""
    chosen = np.array(list(combinations(range(cells), size)), np.int64)
    return np.sort((1 << chosen).sum(axis=1))


def _binomials(cells: int, size: int) -> NDArray[np.int64]:
    return np.array([[comb(n, k) for k in range(size + 1)] for n in range(cells)], np.int64)


def _ranks(places: NDArray[np.int64], among: int) -> NDArray[np.int64]:
    """Return the ranks (see `taquin.tables.patterns.rank`) of arrangements, along the last axis."""
    size = places.shape[-1]
    ranks = np.zeros(places.shape[:-1], np.int64)
    for i in range(size):
        digit = places[..., i].copy()
        for j in range(i):
            digit -= places[..., j] < places[..., i]
        ranks = ranks * (among - i) + digit
    return ranks


def _permutations(size: int, columns: int) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Return what becomes of each order when a tile passes others, and where that is to be found.

    The first array has the number of a row of the second by the tile's places before and after;
    row 0 is that of a tile that passes none.
    """
    orders = np.array(list(permutations(range(size))), np.int64)
    becomes_rows = [np.arange(len(orders))]
    number = np.zeros((size, size), np.int64)
    for before, after in product(range(size), repeat=2):
        if 0 < abs(before - after) < columns:
            places = list(range(size))
            places.insert(after, places.pop(before))
            becomes = np.array([places.index(place) for place in range(size)])
            number[before, after] = len(becomes_rows)
            becomes_rows.append(_ranks(becomes[orders], size))
    return number, np.array(becomes_rows, np.uint16)


def value_at(table: Table, index: int) -> int:
    """Return half of what the pattern needs beyond its Manhattan distance."""
    return int(table[index >> 1]) >> 4 * (index & 1) & 15

"""Build one pattern database on all cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations, product
from math import comb, perm
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.system.threads import thread_pool
from taquin.tables.patterns import PatternKey
from taquin.tables.shape import Shape
from taquin.tables.store import VERSION

Table: TypeAlias = NDArray[np.uint8]
"""Two values in a byte; see `taquin.tables.retrograde`."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the configurations reached so far and all of them."""
_SETS = 1 << 8
"""Sets of cells that a thread takes at a time."""
_BLOCK = 1 << 18
"""Most values that are sorted at a time: as many as fit into a processor's cache."""
_INTERVAL = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True, slots=True)
class PatternRecipe:
    """A pattern database as `taquin.tables.store` keeps it."""

    key: PatternKey

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
            # Tables on users' disks say "cols": with another word they would all be rebuilt.
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


def build_table(
    key: PatternKey, *, threads: int | None = None, progress: Progress | None = None
) -> Table:
    """Return the table of `key`, built from nothing.

    Besides the table this takes about one and a half bytes of memory a configuration. `progress` is
    called every tenth of a second or so, and ends the build by raising.
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
    from taquin.tables import retrograde

    cells, columns, size = range(key.cells), key.columns, len(key.tiles)
    bits = np.sort((1 << np.array(list(combinations(cells, size)), np.int64)).sum(axis=1))
    grid = retrograde.Grid(
        key.cells,
        columns,
        (1 << key.cells) - 1,
        sum(1 << cell for cell in cells if cell % columns != columns - 1),
        sum(1 << cell for cell in cells if cell % columns != 0),
    )
    starts = range(0, len(bits), _SETS)
    # The first set of each thread's task, and the end of the task.
    tasks = starts, (*starts[1:], len(bits))
    counts = np.zeros(len(bits), np.int64)
    for _ in pool.map(partial(retrograde.count_regions, bits, counts, grid), *tasks):
        report(0)
    begins = np.concatenate(([0], np.cumsum(counts)))
    sets = retrograde.Sets(grid, bits, begins, _binomials(key.cells, size))
    numbers, permuted = _permutations(size, columns)
    # A tile can be pushed from four sides at most.
    steps = np.zeros((len(bits), 4 * size), np.int64)
    links = retrograde.Links(steps, np.zeros(begins[-1], np.int32))
    for _ in pool.map(partial(retrograde.link, sets, numbers, links), *tasks):
        report(0)

    orders = permuted.shape[1]
    bitmaps = (int(begins[-1]), -(-orders // 64))
    goal = sum(1 << tile for tile in key.tiles)
    coloured = [cell for cell in cells if (cell // columns + cell % columns) & 1]
    reached = retrograde.Reached(
        front=np.zeros(bitmaps, np.uint64),
        seen=np.zeros(bitmaps, np.uint64),
        lives=np.zeros(bitmaps[0], np.uint8),
        levels=np.full((len(bits), orders), retrograde.UNREACHED, np.uint8),
        odd=np.sum([(bits ^ goal) >> cell & 1 for cell in coloured], axis=0).astype(np.uint8) & 1,
    )

    shape = Shape(key.rows, columns, key.blank)
    home = int(np.searchsorted(bits, goal))
    tiles = frozenset(key.tiles)
    regions = {shape.region(tiles, cell) for cell in cells if cell not in tiles}
    first = int(begins[home]) + sorted(regions).index(shape.region(tiles, key.blank))
    reached.front[first, 0] = reached.seen[first, 0] = reached.lives[first] = 1
    reached.levels[home, 0] = 0
    done, alive, level = 1, 1, 0
    while alive:
        alive, level = 0, level + 1
        sweep = partial(retrograde.sweep, begins, links, permuted, reached, level)
        for fresh, bitmaps_alive in pool.map(sweep, *tasks):
            done += fresh
            alive += bitmaps_alive
            report(done)
    return reached.levels


def _packed(
    key: PatternKey, levels: Table, pool: ThreadPoolExecutor, report: Callable[[int], None]
) -> Table:
    """Return the table for these costs."""
    from taquin.tables import retrograde

    cells, size = key.cells, len(key.tiles)
    placed = next(n for n in range(size) if perm(cells - n, size - n) <= _BLOCK)
    left, free = size - placed, cells - placed
    parts = np.array(list(combinations(range(free), left)), np.uint8)
    orders = np.array(list(permutations(range(left))), np.int64)
    shape = Shape(key.rows, key.columns, key.blank)
    distance = [[shape.manhattan(tile, cell) for cell in range(cells)] for tile in key.tiles]
    packing = retrograde.Packing(
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
    pack = partial(retrograde.pack, levels, table, packing)
    for _ in pool.map(pack, range(blocks), range(1, blocks + 1)):
        report(key.configurations)
    return table


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
    """Return the number of a permutation by a moved tile's places, and each permuted order.

    The first array is indexed by the tile's places before and after, the second by the number and
    the order. Number 0 is a tile that passes no other.
    """
    orders = np.array(list(permutations(range(size))), np.int64)
    permuted = [np.arange(len(orders))]
    numbers = np.zeros((size, size), np.int64)
    for before, after in product(range(size), repeat=2):
        if 0 < abs(before - after) < columns:
            places = list(range(size))
            places.insert(after, places.pop(before))
            new_places = np.array([places.index(place) for place in range(size)])
            numbers[before, after] = len(permuted)
            permuted.append(_ranks(new_places[orders], size))
    return numbers, np.array(permuted, np.uint16)


def value_at(table: Table, index: int) -> int:
    """Return a value of a table: half of what its pattern needs beyond Manhattan distance."""
    return int(table[index >> 1]) >> 4 * (index & 1) & 15

"""Make one pattern database on all cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import perm
from time import monotonic
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.system.threads import thread_pool
from taquin.tables.patterns import PACKED_CELLS, PatternKey, keys_of
from taquin.tables.shape import Shape
from taquin.tables.store import VERSION

Table: TypeAlias = NDArray[np.uint8]
"""Two values in a byte; see `taquin.tables.retrograde`."""
Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the configurations reached so far and their number in all."""
_PIECE = 1 << 18
"""About how many configurations a thread takes at a time."""
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
        """Tell whether a table has the bytes of this pattern."""
        return table.nbytes == self.key.nbytes


def recipes_of(shape: Shape, name: str) -> tuple[PatternRecipe, ...]:
    """Return the recipes of a named set."""
    return tuple(PatternRecipe(key) for key in keys_of(shape, name))


def build_table(
    key: PatternKey, *, threads: int | None = None, progress: Progress | None = None
) -> Table:
    """Return the table of `key`, built from nothing.

    Besides the table this takes 2 bytes of memory a configuration (4 on grids of more than 16
    cells). `progress` is called every tenth of a second or so, and by raising ends the build.
    """
    # Imported late: compiling and loading Numba costs seconds that a reader of tables never pays.
    from taquin.tables.retrograde import sweep

    cells, columns, size = key.cells, key.columns, len(key.tiles)
    grid = range(cells)
    shape = Shape(key.rows, columns, key.blank)
    weights = np.array([perm(cells - 1 - i, size - 1 - i) for i in range(size)], np.int64)
    near = np.full((cells, 4), -1, np.int64)
    for cell in grid:
        for direction, there in shape.steps[cell]:
            near[cell, direction] = there
    distance = np.array([[shape.manhattan(t, c) for c in grid] for t in key.tiles], np.int64)
    numbers = np.array(
        [
            cells,
            columns,
            size,
            sum(tile // columns + tile % columns for tile in key.tiles) & 1,
            (1 << cells) - 1,
            sum(1 << cell for cell in grid if cell % columns != columns - 1),
            sum(1 << cell for cell in grid if cell % columns != 0),
        ],
        np.int64,
    )
    words = np.zeros(key.configurations, np.uint16 if cells <= PACKED_CELLS else np.uint32)
    table = np.full(key.nbytes, 255, np.uint8)
    # The goal's own digits: its tiles rise, so each has all the earlier ones below it.
    goal = sum((tile - i) * int(weights[i]) for i, tile in enumerate(key.tiles))
    words[goal] = 1 << key.blank | 1 << key.tiles[0]

    spots = np.array(key.spots, np.int64)
    pieces = _pieces(cells, size)
    reached = level = 0

    def expand(piece: tuple[int, int]) -> int:
        first, last = piece
        return int(sweep(words, table, first, last, level, numbers, weights, spots, near, distance))

    told = 0.0
    with thread_pool(threads) as pool:
        before = -1
        while reached > before:
            before = reached
            for count in pool.map(expand, pieces):
                reached += count
                if progress is not None and monotonic() - told >= _INTERVAL:
                    # A configuration cut in pieces by its tiles is met more than once.
                    progress(min(reached, key.configurations), key.configurations)
                    told = monotonic()
            level += 1
    if progress is not None:
        progress(key.configurations, key.configurations)
    return table


def _pieces(cells: int, size: int) -> list[tuple[int, int]]:
    """Cut the ranks into ranges that share the first tile's cell and never a byte of the table."""
    block = perm(cells - 1, size - 1)
    # Ranks that differ in the last tile only may share bytes, direct or ranked.
    unit = 2 * (cells - size + 1)
    step = max(1, _PIECE // unit) * unit
    return [
        (first, min(first + step, start + block))
        for start in range(0, cells * block, block)
        for first in range(start, start + block, step)
    ]


def value_at(table: Table, index: int) -> int:
    """Return half of what the pattern needs beyond its Manhattan distance."""
    return int(table[index >> 1]) >> 4 * (index & 1) & 15

"""Run the retrograde search of one pattern database on all cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import perm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.system.machine import usable_cores
from taquin.tables.geometry import manhattan, steps
from taquin.tables.patterns import PACKED_CELLS, PatternKey

Table: TypeAlias = NDArray[np.uint8]
"""Two values in a byte; see `taquin.tables.retrograde`."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called after each level with the configurations reached so far and their number in all."""

_PIECE = 1 << 18
"""About how many configurations a thread takes at a time."""


def build_table(
    key: PatternKey, *, threads: int | None = None, progress: Progress | None = None
) -> Table:
    """Return the table of `key`, built from nothing.

    Besides the table this takes 2 bytes of memory a configuration (4 on grids of more than 16
    cells). An exception raised by `progress` ends the build.
    """
    # Imported late: compiling and loading Numba costs seconds that a reader of tables never pays.
    from taquin.tables.retrograde import sweep

    cells, cols, size = key.cells, key.cols, len(key.tiles)
    grid = range(cells)
    weights = np.array([perm(cells - 1 - i, size - 1 - i) for i in range(size)], np.int64)
    near = np.full((cells, 4), -1, np.int64)
    for cell in grid:
        for direction, there in steps(key.rows, cols)[cell]:
            near[cell, direction] = there
    distance = np.array([[manhattan(cols, t, c) for c in grid] for t in key.tiles], np.int64)
    shape = np.array(
        [
            cells,
            cols,
            size,
            sum(tile // cols + tile % cols for tile in key.tiles) & 1,
            (1 << cells) - 1,
            sum(1 << cell for cell in grid if cell % cols != cols - 1),
            sum(1 << cell for cell in grid if cell % cols != 0),
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
        return int(sweep(words, table, first, last, level, shape, weights, spots, near, distance))

    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        while expanded := sum(pool.map(expand, pieces)):
            reached += expanded
            level += 1
            if progress is not None:
                # A configuration cut in pieces by its tiles is met more than once.
                progress(min(reached, key.configurations), key.configurations)
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

"""Everything the loop of `taquin.engine.wide` needs to know about one goal and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.engine import wide
from taquin.engine.automaton import Automaton
from taquin.engine.normal import Normal
from taquin.engine.shared_plan import (
    WORD,
    Start,
    fixed_numbers,
    listed_directions,
    state_changes,
    tile_moves,
)
from taquin.engine.slots import slots_of
from taquin.tables.build import Table
from taquin.tables.geometry import Cells
from taquin.tables.index import value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey

_AMPLE = 0x2000
"""Room of a partition that is not there."""


class WidePlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 25 cells."""

    width = wide.WIDTH

    def __init__(
        self,
        rows: int,
        cols: int,
        blank: int,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
    ) -> None:
        self._tables = tables
        # Without any partition the first room is kept by Manhattan distance alone.
        self._views = max(1, len(partitions))
        self._slots = slots_of(rows, cols, blank, partitions)
        self._widening = [0] * wide.WIDTH
        self._widening[5] = sum(1 << 16 * view for view in range(self._views))

        fixed = fixed_numbers(rows, cols)
        fixed[0] = (len(self._slots) + 1) // 2
        self._arguments: tuple[NDArray[Any], ...] = (
            fixed,
            listed_directions(),
            np.array(automaton.allowed, np.uint8),
            state_changes(automaton, wide.STATE),
            _stray(rows, cols, blank),
            self._lookup(),
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * wide.WIDTH
        for cell, name in enumerate(normal.board):
            words[cell >> 3] |= name << 8 * (cell & 7)
        words[3] |= where[0] << wide.BLANK | normal.manhattan << wide.DISTANCE
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[4] |= value << 4 * number
            words[6 + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view in range(wide.VIEWS):
            room = max(sums) - sums[view] if view < self._views else _AMPLE
            words[5] |= wide.ROOMY + room << 16 * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    def work(
        self,
        shared: NDArray[np.int64],
        stacks: NDArray[np.uint64],
        paths: NDArray[np.uint8],
        controls: NDArray[np.int64],
        member: int,
        budget: int,
    ) -> None:
        """Search on; see `taquin.engine.wide.walk`."""
        wide.work(shared, stacks, paths, controls, member, budget, *self._arguments)

    def _lookup(self) -> NDArray[np.uint64]:
        lookup = np.zeros((32, 8, 8), np.uint64)
        for number, slot in enumerate(self._slots):
            word, shift = number // 2, 32 * (number & 1)
            for name, place in zip(slot.names, _places(slot.key), strict=True):
                used = int(lookup[name, 0, 7]) // 8
                lookup[name, used, :6] = (
                    word,
                    shift,
                    self._tables[slot.key].ctypes.data,
                    4 * number,
                    sum(1 << 16 * view for view in slot.views),
                    sum(wide.ROOMY << 16 * view for view in slot.views),
                )
                lookup[name, 0, 7] += np.uint64(8)
                for direction, change in enumerate(slot.shifts):
                    old = int(lookup[name, 4 + direction, word])
                    lookup[name, 4 + direction, word] = (old + (change * place << shift)) & WORD
        return lookup.reshape(-1)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))


def _stray(rows: int, cols: int, blank: int) -> NDArray[np.uint8]:
    """Return, for direction, tile and its cell, whether the move leads the tile away from home."""
    stray = np.zeros((4, 32, 32), np.uint8)
    for name, _, direction, cell, strays in tile_moves(rows, cols, blank):
        stray[direction, name, cell] = strays
    return stray.reshape(-1)

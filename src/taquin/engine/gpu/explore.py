"""Walk through a whole space on the card, a bit for each board; see `kernels/explore.cu`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from taquin.engine.gpu.card import Array, Card
from taquin.search.control import Ended
from taquin.tables.distances import board_at, orders, plane_parity, weights
from taquin.tables.shape import Cells, Shape

LARGEST = 15
"""Cells of the largest space: 3 × 5 has 653,837,184,000 boards, 82 GB."""
_SPLIT = 181_440
_NOTED = 1 << 20
"""Boards of a level that are noted, should it be the last."""
_THREADS = 256

_DIGITS = np.dtype(
    [("weight", "<u8", 16), ("part", "<u4", 16), ("inverse", "<f4", 16), ("split", "<u4")],
    align=True,
)
"""The struct `Digits` of the kernel."""


def bytes_of(cells: int) -> int:
    """Return the memory that a space takes."""
    return cells * 4 * -(-orders(cells) // 32)


class SpaceOnCard:
    """The boards of a space seen so far, a bit each."""

    def __init__(self, card: Card, shape: Shape) -> None:
        xp = card.xp
        self._card, self._shape = card, shape
        self._orders = orders(shape.size)
        self._words = -(-self._orders // 32)
        self._planes = xp.zeros(shape.size * self._words, np.uint32)
        self._planes[shape.blank * self._words] = 1
        self._noted = xp.zeros(_NOTED, np.uint64)
        self._last: tuple[int, Array] = (0, np.zeros(0, np.uint64))
        digits = np.zeros((), _DIGITS)
        split = 0
        for i, weight in enumerate(weights(shape.size)):
            digits["weight"][i] = weight
            if weight >= _SPLIT:
                split = i + 1
        for i, weight in enumerate(weights(shape.size)):
            part = max(1, weight // _SPLIT if i < split else weight)
            digits["part"][i], digits["inverse"][i] = part, 1 / part
        digits["split"] = split
        self._digits = xp.asarray(np.frombuffer(digits.tobytes(), np.uint8))
        settings = {"CELLS": shape.size, "COLUMNS": shape.columns, "ROWS": shape.rows}
        self._widen = card.kernel("explore.cu", "widen", settings)

    def walk(
        self, progress: Callable[[int, int, int], None] | None
    ) -> tuple[tuple[int, ...], bool]:
        """Return the boards at each distance, and whether these are all.

        `progress` is told each distance, the boards so far and those in all. They are not all when
        it raised `Ended`, or after Ctrl-C.
        """
        shape = self._shape
        histogram = [1]
        total = shape.size * self._orders
        with suppress(KeyboardInterrupt, Ended):
            while count := self._level(len(histogram)):
                histogram.append(count)
                if progress is not None:
                    progress(len(histogram) - 1, sum(histogram), total)
            return tuple(histogram), True
        return tuple(histogram), False

    def front_boards(self, most: int) -> Iterator[Cells]:
        """Yield up to `most` boards of the last level."""
        count, noted = self._last
        for number in sorted(noted[: min(count, _NOTED)].tolist())[:most]:
            plane, order = divmod(number, self._orders)
            yield board_at(self._shape.size, plane, order, plane_parity(self._shape, plane))

    def _level(self, distance: int) -> int:
        """Add the boards at `distance`; return how many there are."""
        card, shape = self._card, self._shape
        xp = card.xp
        counted, notes = xp.zeros(1, np.uint64), xp.zeros(1, np.uint32)
        for cell in range(shape.size):
            if (shape.manhattan(cell, shape.blank) + distance) % 2 == 0:
                self._widen(
                    *(64 * card.processors, _THREADS if card.lanes > 1 else 1, 0, self._planes),
                    *(np.uint64(self._words), np.uint64(self._orders), self._digits),
                    *(np.uint32(cell), np.uint32(plane_parity(shape, cell)), counted),
                    *(self._noted, np.uint32(_NOTED), notes),
                )
        count = int(counted[0])
        if count:
            self._last = (count, card.host(self._noted[: min(count, _NOTED)]))
        return count

"""Explore a whole space on the GPU, with one bit a board; see `engine/gpu/kernels/explore.cu`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np

from taquin.analysis.explore import Survey, narrow, turned_back
from taquin.engine.base import FITS, Fit
from taquin.engine.gpu.device import THREADS, Device, gpu_fit, the_gpu, too_small
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.search.control import Ended
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.tables.distances import board_at, orders, plane_parity, weights
from taquin.tables.shape import Cells, Shape, shape_of

LARGEST = 15
"""Cells of the largest space: 3 × 5 has 653,837,184,000 boards, 82 GB."""
_SPLIT = 181_440
_LISTED = 1 << 24
"""Boards of the largest level that is listed."""
_OTHER_BYTES = 1 << 30
"""Bytes beside the boards."""

_DIGITS = np.dtype(
    [("weight", "<u8", 16), ("part", "<u4", 16), ("inverse", "<f4", 16), ("split", "<u4")],
    align=True,
)
"""The struct `Digits` of the kernel."""


def bytes_of(cells: int) -> int:
    """Return the bytes for a space."""
    return cells * 4 * -(-orders(cells) // 32)


def explore_fit(puzzle: Puzzle) -> Fit:
    """Return whether there is a GPU with memory for all boards of a puzzle."""
    shape = shape_of(puzzle.goal)
    if shape is None or shape.size > LARGEST or puzzle.metric is not Metric.SINGLE:
        return Fit(False, f"it explores classic grids of up to {LARGEST} cells by single moves")
    if not (fit := gpu_fit()):
        return fit
    needed, memory = bytes_of(shape.size) + _OTHER_BYTES, the_gpu().memory
    return too_small(needed, memory) if needed > memory else FITS


def explore(
    puzzle: Puzzle,
    *,
    most_farthest: int = 100,
    progress: Callable[[int, int, int], None] | None = None,
) -> Survey:
    """Return the boards at each distance from the goal and the farthest, as found by the GPU.

    The puzzle must fit (`explore_fit`). When `progress` raises `Ended`, or at Ctrl-C, the levels so
    far are returned.
    """
    with DeferredInterrupts() as block:
        shape = shape_of(puzzle.goal)
        assert shape is not None, "the puzzle fits"
        turned, image = narrow(shape)
        space = GpuSpace(the_gpu(), turned)
        histogram, is_complete = space.walk(progress)
        farthest: tuple[Board, ...] = ()
        if is_complete:
            farthest = turned_back(puzzle.goal, image, space.front_boards(most_farthest))
        return Survey(histogram, farthest, is_complete and not block.is_interrupted)


class GpuSpace:
    """The boards of a space seen so far, a bit each."""

    def __init__(self, device: Device, shape: Shape) -> None:
        xp = device.xp
        self._device, self._shape = device, shape
        self._orders = orders(shape.size)
        self._words = -(-self._orders // 32)
        self._planes = xp.zeros(shape.size * self._words, np.uint32)
        self._planes[shape.blank * self._words] = 1
        longest = min(_LISTED, shape.size * self._orders)
        self._list, self._next = xp.zeros(longest, np.uint64), xp.zeros(longest, np.uint64)
        self._list[0] = shape.blank * self._orders
        self._count = 1
        digits = np.zeros((), _DIGITS)
        by_place = list(weights(shape.size))
        # Weights fall from place to place.
        split = sum(weight >= _SPLIT for weight in by_place)
        for i, weight in enumerate(by_place):
            part = max(1, weight // _SPLIT if i < split else weight)
            digits["weight"][i], digits["part"][i], digits["inverse"][i] = weight, part, 1 / part
        digits["split"] = split
        self._digits = xp.asarray(np.frombuffer(digits.tobytes(), np.uint8))
        settings = {"CELLS": shape.size, "COLUMNS": shape.columns, "ROWS": shape.rows}
        self._widen = device.kernel("explore.cu", "widen", settings)
        self._push = device.kernel("explore.cu", "push", settings)

    def walk(
        self, progress: Callable[[int, int, int], None] | None
    ) -> tuple[tuple[int, ...], bool]:
        """Return the number of boards at each distance, and whether the space is exhausted.

        `progress` gets each distance, the boards so far and all boards. The search stops early at
        Ctrl-C or when it raises `Ended`.
        """
        histogram = [1]
        total = self._shape.size * self._orders
        with suppress(KeyboardInterrupt, Ended):
            while count := self._level(len(histogram)):
                histogram.append(count)
                raise_if_interrupted()
                if progress is not None:
                    progress(len(histogram) - 1, sum(histogram), total)
            return tuple(histogram), True
        return tuple(histogram), False

    def front_boards(self, most: int) -> Iterator[Cells]:
        """Yield up to `most` boards of the last level."""
        listed = self._device.host(self._list[: min(self._count, len(self._list))])
        for number in np.sort(listed)[:most].tolist():
            plane, order = divmod(number, self._orders)
            yield board_at(self._shape.size, plane, order, plane_parity(self._shape, plane))

    def _level(self, distance: int) -> int:
        """Add the boards at `distance`; return their number."""
        device, shape = self._device, self._shape
        counted, notes = device.xp.zeros(1, np.uint64), device.xp.zeros(1, np.uint32)
        grid = (64 * device.processors, THREADS, 0)
        space = (self._planes, np.uint64(self._words), np.uint64(self._orders), self._digits)
        noted = (self._next, np.uint32(len(self._next)), notes)
        if self._count <= len(self._list):
            home_row = np.uint32(shape.blank // shape.columns)
            self._push(*grid, *space, home_row, self._list, np.uint64(self._count), *noted)
            count = int(notes[0])
        else:
            for cell in range(shape.size):
                if (shape.manhattan(cell, shape.blank) + distance) % 2 == 0:
                    odd = np.uint32(plane_parity(shape, cell))
                    self._widen(*grid, *space, np.uint32(cell), odd, counted, *noted)
            count = int(counted[0])
        if count:
            self._count = count
            self._list, self._next = self._next, self._list
        return count

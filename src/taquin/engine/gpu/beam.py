"""The beam of the anytime engine on the GPU; see `kernels/beam.cu`.

It selects boards like `CpuBeam` (`anytime/beam.py`), with three differences: a duplicate is dropped
even if its first copy was not kept; ties in value are broken arbitrarily; and values of large
boards are compared in groups of four.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from taquin.engine.anytime.beam import BeamPass, keys_of, most_per_cell, reachable
from taquin.engine.anytime.puzzle_arrays import Moves, PuzzleArrays, Tiles, arrays_of, blank_of
from taquin.engine.anytime.value import (
    KINDS,
    NO_TILE,
    OFFSETS,
    REACH,
    RIM,
    homes_in,
    pair_weights,
    single_values,
)
from taquin.engine.gpu.device import THREADS, Array, Device, Launch
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.model.space import Space

NO_VALUE, NO_ORIGIN, NO_DIRECTION = 0x7FFFFFFF, 0xFFFFFFFF, 7
NODE_WORDS = 8
"""Words of a node."""
BUCKETS = 4_096
"""The number of distinct values, or groups of them, in one level."""
DROP = 512
"""Buckets below the best value of the previous level."""
NOTED = 16
"""Levels between two saved ones: a history, one word, has as many moves."""
_PATIENCE = 60
"""Levels without a better board after which a search ends."""
_MARKS_FOR_A_BOARD = 16
_COUNT_THREADS = 256
"""Threads of a block that counts values."""
_NEAR_CELLS = 49
"""Bytes of shared memory for each thread: of the cells near the blank."""
_BLOCKS, _BLOCKS_AT_ONCE = 8, 2
"""Blocks per multiprocessor, and how many expanding ones it runs at once."""
_BOARDS_BETWEEN_LOOKS = 1 << 26
"""Boards of all levels between two checks of the clock: about 20 ms."""
_MOST_LEVELS_BETWEEN_LOOKS = 32

_CUT = np.dtype([("bucket", "<u4"), ("rest", "<u4"), ("ties", "<u4")])
"""The struct `Cut` of the kernels."""
_STATE = np.dtype(
    [
        ("generated", "<u8"),
        ("least", "<u8"),
        ("count", "<u4"),
        ("kept", "<u4"),
        ("level", "<u4"),
        ("solved", "<u4"),
        ("base", "<i4"),
        ("best", "<i4"),
        ("best_level", "<u4"),
        ("colour", "<u4"),
        ("first", "<u4"),
        ("limit", "<i4"),
        ("cut", _CUT),
        ("unused", "<u4"),
    ]
)
"""The struct `State`."""
_ARRAYS = ("marks", "mask", "children", "tiles", "counts", "totals", "cuts", "state", "best_node")
_BEAM = np.dtype(
    [(name, "<u8") for name in (*_ARRAYS, "tile_keys", "cell_keys", "singles", "pairs")]
    + [(name, "<u4") for name in ("width", "per_cell")]
)
"""The struct `Beam`."""


def _is_wide(cells: int) -> bool:
    return cells > 250


def _board_bytes(cells: int) -> int:
    """Return the bytes of a board: a multiple of 16, the unit of copies."""
    return -(-cells * (2 if _is_wide(cells) else 1) // 16) * 16


def _shift(cells: int) -> int:
    """Return the number of low bits of values to ignore."""
    return 2 if cells > 144 else 0


def settings_of(rows: int, columns: int) -> dict[str, int]:
    """Return the settings of `beam.cu` for boards of a size."""
    cells = rows * columns
    return {
        "CELLS": cells,
        "COLUMNS": columns,
        "WIDE": _is_wide(cells),
        "NOTED": NOTED,
        "THREADS": THREADS,
        "COUNT_THREADS": _COUNT_THREADS,
        "BLOCKS": _BLOCKS_AT_ONCE,
        "BUCKETS": BUCKETS,
        "DROP": DROP,
        "SHIFT": _shift(cells),
        "REACH": REACH,
        "RIM": RIM,
        "NO_TILE": NO_TILE,
        "KINDS": KINDS,
        "OFFSETS": len(OFFSETS),
    }


def bytes_for(width: int, cells: int, levels: int) -> int:
    """Return the bytes of a beam for up to `levels` levels."""
    nodes_and_boards = 2 * (4 * NODE_WORDS + _board_bytes(cells))
    children, trail = 4 * (4 + 2), 8 * (levels // NOTED + 1)
    return width * (nodes_and_boards + children + trail) + 4 * _marks(width)


def _marks(width: int) -> int:
    return 1 << (_MARKS_FOR_A_BOARD * width - 1).bit_length()


@lru_cache(maxsize=64)
def _warm_up(device: Device, rows: int, columns: int) -> None:
    goal = Goal.blank_last(rows, columns)
    puzzle = arrays_of(Space(Puzzle(goal), random_walk(Puzzle(goal), 40, seed=1)))
    GpuBeam(device, rows, columns, 64).search(puzzle, puzzle.start, lambda: True, longest=40)


def warm_up(device: Device, puzzle: PuzzleArrays) -> None:
    """Compile the kernels for a puzzle, or load them."""
    _warm_up(device, puzzle.rows, puzzle.columns)


class GpuBeam:
    """A beam for a classic puzzle on a GPU, and its arrays."""

    def __init__(self, device: Device, rows: int, columns: int, most: int) -> None:
        xp = device.xp
        cells = rows * columns
        self.most = most
        """The number of boards that fit into its memory."""
        self.width = most
        """The maximum number of boards of a level; may change between searches."""
        self.generated = 0
        """Successors generated so far."""
        self.levels = 0
        """Levels of the last search."""
        self._device, self._cells, self._columns = device, cells, columns
        self._shift = _shift(cells)
        children = -(-most // device.lanes) * device.lanes * 4
        self._levels = [xp.zeros(most * NODE_WORDS, np.uint32) for _ in range(2)]
        self._boards = [xp.zeros(most * _board_bytes(cells), np.uint8) for _ in range(2)]
        self._marks = xp.zeros(_marks(most), np.uint32)
        self._children = xp.zeros(children, np.int32)
        self._tiles = xp.zeros(children, np.uint16)
        self._counts = xp.zeros(cells * BUCKETS, np.uint32)
        self._totals = xp.zeros(BUCKETS, np.uint32)
        self._cuts = xp.zeros(cells * _CUT.itemsize, np.uint8)
        self._state = xp.zeros(_STATE.itemsize, np.uint8)
        self._best_node = xp.zeros(NODE_WORDS, np.uint32)
        keys = keys_of(cells + 2)
        self._keys = [xp.asarray(np.array(each.tolist(), np.uint64)) for each in keys]
        self._trail: list[tuple[Array, Array]] = []
        self._struct: Array = None
        self._singles: Array = None
        self._pairs = xp.asarray(np.array(pair_weights(), np.int16).reshape(-1))
        settings = settings_of(rows, columns)
        names = ("expand", "tally", "decide", "keep", "finish", "note")
        self._kernels: dict[str, Launch] = {
            name: device.kernel("beam.cu", name, settings) for name in names
        }

    def search(
        self,
        puzzle: PuzzleArrays,
        start: Tiles,
        keep_going: Callable[[], bool],
        *,
        longest: int = 1 << 30,
    ) -> BeamPass:
        """Search from `start` until a board is solved or the best one has not improved for a while.

        It stops early after `longest` moves or when `keep_going`, called every few levels, returns
        False.
        """
        self.levels = 0
        if not self.begin(puzzle, start):
            return BeamPass(b"", True)
        batch = _BOARDS_BETWEEN_LOOKS // self.width
        batch = max(1, min(_MOST_LEVELS_BETWEEN_LOOKS, batch))
        made, before, is_cut = 0, self.generated, False
        while True:
            for _ in range(min(batch, longest - made)):
                self.advance(made)
                made += 1
            state = self.state()
            self.generated, self.levels = before + int(state["generated"]), int(state["level"])
            if int(state["solved"]) != NO_ORIGIN:
                return BeamPass(self._solution(state), True)
            if not int(state["count"]) or made - int(state["best_level"]) >= _PATIENCE:
                break
            if made >= longest or not keep_going():
                is_cut = True
                break
        return BeamPass(self._way_to_best(state), False, is_cut)

    def begin(self, puzzle: PuzzleArrays, start: Tiles) -> bool:
        """Make the first level; return False for a board that is solved."""
        device, xp, cells = self._device, self._device.xp, self._cells
        blank = blank_of(start)
        homes, misses = homes_in(puzzle, start)
        if misses == 0:
            return False
        homes[blank] = cells + 1
        singles = single_values(*[max(puzzle.rows, puzzle.columns)] * 2)
        self._singles = xp.asarray(np.array(singles.items.tolist(), np.int32))
        node = np.zeros(NODE_WORDS, np.uint32)
        node[5] = blank | NO_DIRECTION << 10 | misses << 13
        self._levels[0][:NODE_WORDS] = xp.asarray(node)
        self._best_node[:] = xp.asarray(node)
        board = np.array(homes[:cells], np.uint16 if _is_wide(cells) else np.uint8).view(np.uint8)
        self._boards[0][: len(board)] = xp.asarray(board)

        marks = _marks(self.width)
        self._marks[:marks] = 0
        self._counts[:], self._totals[:] = 0, 0
        self._cuts[:] = 0
        state = np.zeros((), _STATE)
        state["count"], state["solved"], state["least"] = 1, NO_ORIGIN, (1 << 64) - 1
        state["base"] = -(DROP << self._shift)
        state["colour"] = (blank // self._columns + blank % self._columns) & 1
        state["limit"] = NO_VALUE - 1
        self._state[:] = self._as_bytes(state)

        beam = np.zeros((), _BEAM)
        arrays = {
            **{name: getattr(self, f"_{name}") for name in _ARRAYS if name != "mask"},
            **dict(zip(("tile_keys", "cell_keys"), self._keys, strict=True)),
            "singles": self._singles,
            "pairs": self._pairs,
        }
        for name, array in arrays.items():
            beam[name] = device.address(array)
        beam["mask"], beam["width"] = marks - 1, self.width
        beam["per_cell"] = most_per_cell(self.width, reachable(puzzle.near))
        self._struct = self._as_bytes(beam)
        self._trail.clear()
        return True

    def advance(self, made: int) -> None:
        """Make the next level after `made` ones; do nothing when the search is over."""
        level, following = self._levels[made % 2], self._levels[(made + 1) % 2]
        noted = made // NOTED
        boards, own_boards = self._boards[noted % 2], self._boards[(noted + 1) % 2]
        processors = self._device.processors
        at_once = (_BLOCKS_AT_ONCE * processors, THREADS, THREADS * _NEAR_CELLS)
        grid = (_BLOCKS * processors, THREADS, 0)
        self._run("expand", at_once, level, boards)
        self._run("tally", (self._cells, _COUNT_THREADS, 0))
        self._run("decide", (1, _COUNT_THREADS, 0))
        self._run("keep", grid, level, following)
        self._run("finish", (1, _COUNT_THREADS, 0), following)
        if (made + 1) % NOTED == 0:
            empty = self._device.xp.empty
            self._trail.append((empty(self.width, np.uint32), empty(self.width, np.uint32)))
            self._run("note", grid, following, *self._trail[-1], boards, own_boards)

    def state(self) -> Any:
        """Return the state of the search, after all pending kernels."""
        return self._device.host(self._state).view(_STATE)[0]

    def _run(self, name: str, grid: tuple[int, int, int], *arguments: Any) -> None:
        self._kernels[name](*grid, self._struct, *arguments)

    def _as_bytes(self, records: Any) -> Array:
        return self._device.xp.asarray(np.frombuffer(records.tobytes(), np.uint8))

    def _solution(self, state: Any) -> Moves:
        """Return the moves to the solved child."""
        parent, direction = divmod(int(state["solved"]), 4)
        depth = int(state["level"])
        first = parent * NODE_WORDS
        node = self._device.host(self._levels[depth % 2][first : first + NODE_WORDS])
        return self._way_to(node, depth, depth % NOTED) + bytes([direction])

    def _way_to_best(self, state: Any) -> Moves:
        """Return the moves to the best board of all levels."""
        depth = int(state["best_level"])
        # It was copied before its level was recorded.
        recent = (depth - 1) % NOTED + 1 if depth else 0
        return self._way_to(self._device.host(self._best_node), depth, recent)

    def _way_to(self, node: Any, depth: int, recent: int) -> Moves:
        """Return the moves to a node; the last `recent` of them are in its history."""
        history, ancestor = int(node[2]), int(node[3])
        moves = bytearray()
        while True:
            moves += bytes(history >> 2 * step & 3 for step in range(recent))
            depth -= recent
            if not depth:
                return bytes(reversed(moves))
            histories, ancestors = self._trail[depth // NOTED - 1]
            history, ancestor = int(histories[ancestor]), int(ancestors[ancestor])
            recent = NOTED

"""A wide beam: all boards of one depth at a time, of which the most promising are kept.

Of the successors of a level the best `free` are kept wherever their blank is, and then the best
`per_cell` for each cell of the blank, until the beam is full. The second part lets the blank leave
a region where every tile stands well for now, which on large boards all of the first part share.
A board that was kept once is not kept again, as far as a table of fixed size remembers. `value.py`
says which boards are promising.

A kernel takes its arrays one by one, more than other functions may.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from taquin.engine.anytime.field import Field, blank_of
from taquin.engine.anytime.value import CONFLICT, change, judged, terms_of
from taquin.system.kernels import kernel
from taquin.system.native import part, prefetch

_MOST_BUCKETS = 1 << 16
_NO_MOVE = 9
_BATCH = 4_096
"""Boards that are kept between two looks at the clock: about 4 ms, and little beside the looks."""
VALUE, MISSES, BLANK, LAST = range(4)
"""What is known of a board: its value, its cells that are wrong, its blank, the move that led to
it."""
_UPPER, _MARK = np.uint64(32), np.uint64(4)
"""The lower bits of a hash find its place, the upper 32 are remembered there, in 4 bytes."""


@part
def _sort(values: Any, made: Any, least: Any, most: Any, order: Any, buckets: Any) -> None:
    """Put the numbers of the first values into order, the least value first."""
    # A counting sort; where values are very different, near ones share a bucket.
    shift = 0
    while (most - least) >> shift >= len(buckets):
        shift += 1
    last = (most - least) >> shift
    buckets[: last + 1] = 0
    for number in range(made):
        buckets[(values[number] - least) >> shift] += 1
    before = 0
    for bucket in range(last + 1):
        before, buckets[bucket] = before + buckets[bucket], before
    for number in range(made):
        bucket = (values[number] - least) >> shift
        order[buckets[bucket]] = number
        buckets[bucket] += 1


@part
def _level(
    words: Any, boards: Any, info: Any, hashes: Any, count: Any, near: Any, columns: Any,
    conflict: Any, about: Any, steps: Any, weights: Any, wrong: Any, tile_keys: Any, cell_keys: Any,
    origins: Any, values: Any, keys: Any, order: Any, buckets: Any, seen: Any, seen_at: Any,
    next_words: Any, next_boards: Any, next_info: Any, next_hashes: Any, free: Any,
    per_cell: Any, taken: Any, links: Any,
) -> Any:  # fmt: skip
    """Make the next level; return its size, the successors made, and a solved board or -1.

    `links` tells for each board kept the number of its parent times four and the direction;
    `words` are the same memory as `boards`, and quicker to copy; `seen_at` is the address of
    `seen`.
    """
    mask = np.uint64(len(seen) - 1)
    made = 0
    least = np.int64(1) << 60
    most = -least
    for number in range(count):
        board = boards[number]
        blank = np.int64(info[number, BLANK])
        back = 3 - info[number, LAST]
        for direction in range(4):
            cell = np.int64(near[blank, direction])
            if direction == back or cell < 0:
                continue
            tile = np.int64(board[cell])
            value = np.int64(info[number, VALUE])
            if conflict > 0:
                value += change(
                    board, tile, cell, blank, direction, columns, conflict, about, steps
                )
            else:
                value += weights[tile, blank] - weights[tile, cell]
            origins[made] = number << 2 | direction
            values[made] = value
            key = hashes[number] + tile_keys[tile] * (cell_keys[blank] - cell_keys[cell])
            keys[made] = key
            prefetch(np.uint64(seen_at) + (key & mask) * _MARK)
            least = min(least, value)
            most = max(most, value)
            made += 1
    if made == 0:
        return 0, 0, -1
    _sort(values, made, least, most, order, buckets)
    room = len(next_boards)
    kept = 0
    solved = -1
    taken[:] = 0
    for place in range(made):
        number = order[place]
        key = keys[number]
        mark = np.uint32(key >> _UPPER)
        if seen[key & mask] == mark:
            continue
        parent = origins[number] >> 2
        direction = origins[number] & 3
        blank = np.int64(info[parent, BLANK])
        cell = np.int64(near[blank, direction])
        if kept >= free and taken[cell] >= per_cell:
            continue
        taken[cell] += 1
        seen[key & mask] = mark
        for word in range(words.shape[1]):
            next_words[kept, word] = words[parent, word]
        tile = np.int64(boards[parent, cell])
        next_boards[kept, blank] = tile
        next_boards[kept, cell] = boards[parent, blank]
        misses = np.int64(info[parent, MISSES])
        if conflict > 0:
            misses += np.int64(tile != blank) - np.int64(tile != cell)
        else:
            misses += np.int64(wrong[tile, blank]) + wrong[0, cell]
            misses -= np.int64(wrong[tile, cell]) + wrong[0, blank]
        next_info[kept, VALUE] = values[number]
        next_info[kept, MISSES] = misses
        next_info[kept, BLANK] = cell
        next_info[kept, LAST] = direction
        next_hashes[kept] = key
        links[kept] = origins[number]
        if misses == 0 and solved < 0:
            solved = kept
        kept += 1
        if kept == room:
            break
    return kept, made, solved


@kernel
def advance(
    words: Any, boards: Any, info: Any, hashes: Any, count: Any, near: Any, columns: Any,
    conflict: Any, about: Any, steps: Any, weights: Any, wrong: Any, tile_keys: Any, cell_keys: Any,
    origins: Any, values: Any, keys: Any, order: Any, buckets: Any, seen: Any, seen_at: Any,
    next_words: Any, next_boards: Any, next_info: Any, next_hashes: Any, free: Any,
    per_cell: Any, taken: Any, links: Any, sizes: Any, firsts: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Make some levels, one for each row of `links`, fewer when a board is solved or none is left.

    Return how many, the successors made, and the solved board or -1. The last level is where the
    first was if their number is even, else in the other arrays. `sizes` and `firsts` tell for each
    how many boards it has, and the value of the first.
    """
    total = 0
    for level in range(len(links)):
        count, made, solved = _level(
            words, boards, info, hashes, count, near, columns, conflict, about, steps, weights,
            wrong, tile_keys, cell_keys, origins, values, keys, order, buckets, seen, seen_at,
            next_words, next_boards, next_info, next_hashes, free, per_cell, taken, links[level],
        )  # fmt: skip
        total += made
        if count == 0:
            return level, total, -1
        sizes[level] = count
        firsts[level] = next_info[0, VALUE]
        words, next_words = next_words, words
        boards, next_boards = next_boards, boards
        info, next_info = next_info, info
        hashes, next_hashes = next_hashes, hashes
        if solved >= 0:
            return level + 1, total, solved
    return len(links), total, -1


@dataclass(slots=True)
class Found:
    """What a beam came to."""

    moves: Any
    """The directions of the blank, to the goal or to the best board."""
    solved: bool
    """Whether they lead to the goal."""
    value: int
    """The value of that board."""
    ended: bool = False
    """Whether it was ended from outside before it came to anything."""


@dataclass(slots=True)
class Beam:
    """A beam of boards, and the arrays that it needs; use it for one walk at a time."""

    width: int
    """Most boards of a level."""
    cells: int
    """Cells of a board."""
    generated: int = 0
    """Successors made so far."""
    _now: list[Any] = field(init=False)
    _next: list[Any] = field(init=False)
    _candidates: list[Any] = field(init=False)
    _seen: Any = field(init=False)

    def __post_init__(self) -> None:
        width = self.width
        self._now, self._next = self._room(), self._room()
        most = 4 * width
        kinds = (np.int32, np.int64, np.uint64, np.int32)
        buckets = min(_MOST_BUCKETS, max(1_024, 1 << most.bit_length()))
        self._candidates = [*(np.empty(most, kind) for kind in kinds), np.empty(buckets, np.int32)]
        self._seen = np.zeros(1 << max(16, (8 * width - 1).bit_length()), np.uint32)

    def _room(self) -> list[Any]:
        """Return arrays for one level: its boards as words and as cells, what is known of them."""
        words = np.empty((self.width, self.cells // 4 + 1), np.uint64)
        info = np.empty((self.width, 4), np.int32)
        return [words, words.view(np.uint16), info, np.empty(self.width, np.uint64)]

    def walk(
        self,
        puzzle: Field,
        start: Any,
        go_on: Callable[[], bool],
        *,
        is_open: Any = None,
        spread: bool = True,
        conflict: int = CONFLICT,
        patience: int = 60,
        longest: int = 1 << 30,
    ) -> Found:
        """Walk from `start` until a board is solved, or none has been better for a while.

        It is ended when `go_on`, which is asked all few levels, says no, and after `longest` moves.
        Cells that are not open keep their tiles. Unless `spread`, boards are kept by their value
        alone, wherever their blank is. `conflict` is what two tiles in each other's way add to it.
        """
        near = puzzle.near if is_open is None else _among(puzzle.near, is_open)
        known, value, misses = judged(puzzle, start, conflict)
        terms = (
            puzzle.columns, conflict if puzzle.is_classic else 0, *terms_of(puzzle),
            puzzle.weights, puzzle.wrong, *_keys(self.cells + 2),
        )  # fmt: skip
        now, then = self._now, self._next
        now[1][0, : len(known)] = known
        now[2][0] = value, misses, blank_of(start), _NO_MOVE
        now[3][0] = 0
        if misses == 0:
            return Found(np.empty(0, np.int8), True, 0)
        self._seen[:] = 0
        taken = np.empty(self.cells, np.int32)
        # The blank is on every second cell of a level.
        per_cell = max(1, self.width // (2 * self.cells)) if spread else 0
        free = max(0, self.width - per_cell * self.cells // 2)
        links: list[Any] = []
        count, best, depth = 1, value, 0
        while len(links) - depth < patience:
            if len(links) >= longest or not go_on():
                return Found(_path(links, depth, 0), False, best, ended=True)
            batch = min(max(1, _BATCH // self.width), longest - len(links))
            block = np.empty((batch, self.width), np.int32)
            sizes, firsts = np.empty(batch, np.int64), np.empty(batch, np.int64)
            done, made, solved = advance(
                *now, count, near, *terms, *self._candidates, self._seen, self._seen.ctypes.data,
                *then, free, per_cell, taken, block, sizes, firsts,
            )  # fmt: skip
            self.generated += made
            for level in range(done):
                links.append(block[level, : sizes[level]])
                if firsts[level] < best:
                    best, depth = int(firsts[level]), len(links)
            if solved >= 0:
                return Found(_path(links, len(links), solved), True, 0)
            if done < batch:
                break
            count = int(sizes[-1])
            if done % 2:
                now, then = then, now
        return Found(_path(links, depth, 0), False, best)


def _path(links: list[Any], depth: int, place: int) -> Any:
    """Return the directions that lead to a board of a level."""
    moves = np.empty(depth, np.int8)
    for level in range(depth - 1, -1, -1):
        link = int(links[level][place])
        moves[level], place = link & 3, link >> 2
    return moves


@cache
def _keys(kinds: int) -> tuple[Any, Any]:
    """Return a number for each tile and for each cell.

    A board's hash is the sum, over its tiles, of the products of theirs and their cells'.
    """
    words = np.arange(1, 2 * kinds + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for factor in (0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9):
        words = (words ^ (words >> _UPPER)) * np.uint64(factor)
    words ^= words >> _UPPER
    return words[:kinds] | np.uint64(1), words[kinds:]


def _among(near: Any, is_open: Any) -> Any:
    """Return the neighbours of each cell that are open; there is one more, for none."""
    return np.where(np.append(is_open, False)[near], near, -1)

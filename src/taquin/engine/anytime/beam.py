"""A wide beam: all boards of one depth at a time, of which the most promising are kept.

Of the successors of a level the best `free` are kept wherever their blank is, and then the best
`per_cell` for each cell of the blank, until the beam is full. The second part lets the blank leave
a region where every tile is well placed for now, which on large boards all of the first part share.
A board that was kept once is not kept again, as far as a table of fixed size remembers. The most
promising have the least value (`value.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.arrays import Moves, Neighbours, PuzzleArrays, Tiles, blank_of
from taquin.engine.anytime.value import (
    CONFLICT,
    Slide,
    Terms,
    Weights,
    change,
    misses_after,
    terms_of,
)
from taquin.system.arguments import Matrix
from taquin.system.kernels import kernel
from taquin.system.native import part, prefetch, widened

_MOST_BUCKETS = 1 << 16
_NO_MOVE = 9
_BATCH = 4_096
"""Boards that are kept between two looks at the clock: about 4 ms."""
_PATIENCE = 60
"""Levels without a better board after which a walk ends."""
VALUE, MISSES, BLANK, LAST = range(4)
"""Facts of a board: its value, less the start's, its wrong cells, its blank, its last direction."""
_UPPER, _MARK = np.uint64(32), np.uint64(4)
"""The lower bits of a hash find its place, the upper 32 are remembered there, in 4 bytes."""


class Level(NamedTuple):
    """The boards of one depth, in the order in which they were kept."""

    words: Matrix[np.uint64]
    """The same memory as `cells`, as words, which are quicker to copy."""
    cells: Matrix[np.uint16]
    """What each cell of each board holds."""
    facts: Matrix[np.int32]
    """VALUE, MISSES, BLANK and LAST of each board."""
    hashes: NDArray[np.uint64]
    """The hash of each board."""


class Candidates(NamedTuple):
    """The successors of a level, from which the next one is chosen."""

    origins: NDArray[np.int32]
    """The number of the parent times four, plus the direction of the blank."""
    values: NDArray[np.int64]
    """The value of each."""
    hashes: NDArray[np.uint64]
    """The hash of each."""
    order: NDArray[np.int32]
    """Their numbers, the least value first."""
    buckets: NDArray[np.int32]
    """Memory for sorting."""


class Rules(NamedTuple):
    """How a move changes the cells, the value and the hash of a board."""

    near: Neighbours
    """The cells that the blank may go to."""
    terms: Terms | Weights
    """What values depend on."""
    tile_keys: NDArray[np.uint64]
    """A number for each tile: the hash of a board is the sum of tile key times cell key."""
    cell_keys: NDArray[np.uint64]
    """A number for each cell."""


class Seen(NamedTuple):
    """Boards that were kept before, as far as the table remembers."""

    marks: NDArray[np.uint32]
    """By the lower bits of a hash, its upper 32."""
    address: int
    """Where the marks are."""


class Quota(NamedTuple):
    """How many boards of a level are kept."""

    free: int
    """Boards that are kept wherever their blank is."""
    per_cell: int
    """Boards that are kept for each cell of the blank, after the first `free`."""
    taken: NDArray[np.int32]
    """Boards kept so far, by the cell of their blank."""


class Trail(NamedTuple):
    """The levels that one call makes: a row of each array for every level."""

    links: Matrix[np.int32]
    """The origin of each board kept, as in `Candidates`."""
    sizes: NDArray[np.int64]
    """The boards of the level."""
    firsts: NDArray[np.int64]
    """The value of its first board, the least."""


@part
def _list_successors(
    level: Level, count: int, rules: Rules, seen: Seen, candidates: Candidates
) -> tuple[int, int, int]:
    """Write the successors of a level; return how many, and the least and greatest value."""
    mask = np.uint64(len(seen.marks) - 1)
    generated = 0
    least, most = 1 << 60, -(1 << 60)
    for number in range(count):
        board = level.cells[number]
        blank = widened(level.facts[number, BLANK])
        back = 3 - level.facts[number, LAST]
        for direction in range(4):
            cell = widened(rules.near[blank, direction])
            if direction == back or cell < 0:
                continue
            tile = widened(board[cell])
            value = widened(level.facts[number, VALUE])
            value += change(rules.terms, board, Slide(tile, cell, blank, direction))
            key = level.hashes[number] + rules.tile_keys[tile] * (
                rules.cell_keys[blank] - rules.cell_keys[cell]
            )
            prefetch(np.uint64(seen.address) + (key & mask) * _MARK)
            candidates.origins[generated] = number << 2 | direction
            candidates.values[generated] = value
            candidates.hashes[generated] = key
            least = min(least, value)
            most = max(most, value)
            generated += 1
    return generated, least, most


@part
def _sort(candidates: Candidates, count: int, least: int, most: int) -> None:
    """Put the numbers of the first candidates into order, the least value first."""
    values, order, buckets = candidates.values, candidates.order, candidates.buckets
    # A counting sort; where values are very different, near ones share a bucket.
    shift = 0
    while (most - least) >> shift >= len(buckets):
        shift += 1
    last = (most - least) >> shift
    buckets[: last + 1] = 0
    for number in range(count):
        buckets[(values[number] - least) >> shift] += 1
    before = 0
    for bucket in range(last + 1):
        before, buckets[bucket] = before + buckets[bucket], before
    for number in range(count):
        bucket = (values[number] - least) >> shift
        order[buckets[bucket]] = number
        buckets[bucket] += 1


@part
def _keep_best(
    level: Level,
    following: Level,
    rules: Rules,
    candidates: Candidates,
    count: int,
    seen: Seen,
    quota: Quota,
    links: NDArray[np.int32],
) -> tuple[int, int]:
    """Fill the next level with the best candidates; return its size, and a solved board or -1."""
    mask = np.uint64(len(seen.marks) - 1)
    kept = 0
    solved = -1
    quota.taken[:] = 0
    for place in range(count):
        number = candidates.order[place]
        key = candidates.hashes[number]
        mark = np.uint32(key >> _UPPER)
        if seen.marks[key & mask] == mark:
            continue
        parent = candidates.origins[number] >> 2
        direction = candidates.origins[number] & 3
        blank = widened(level.facts[parent, BLANK])
        cell = widened(rules.near[blank, direction])
        if kept >= quota.free and quota.taken[cell] >= quota.per_cell:
            continue
        quota.taken[cell] += 1
        seen.marks[key & mask] = mark
        for word in range(level.words.shape[1]):
            following.words[kept, word] = level.words[parent, word]
        tile = widened(level.cells[parent, cell])
        following.cells[kept, blank] = tile
        following.cells[kept, cell] = level.cells[parent, blank]
        slide = Slide(tile, cell, blank, direction)
        misses = misses_after(rules.terms, widened(level.facts[parent, MISSES]), slide)
        following.facts[kept, VALUE] = candidates.values[number]
        following.facts[kept, MISSES] = misses
        following.facts[kept, BLANK] = cell
        following.facts[kept, LAST] = direction
        following.hashes[kept] = key
        links[kept] = candidates.origins[number]
        if misses == 0 and solved < 0:
            solved = kept
        kept += 1
        if kept == len(following.cells):
            break
    return kept, solved


@kernel
def advance(
    level: Level,
    following: Level,
    count: int,
    rules: Rules,
    candidates: Candidates,
    seen: Seen,
    quota: Quota,
    trail: Trail,
) -> tuple[int, int, int]:
    """Make a level for each row of `trail`, fewer when a board is solved or none is left.

    Return how many, the successors generated, and the solved board or -1. The last level is where
    the first was if their number is even, else in `following`.
    """
    total = 0
    for depth in range(len(trail.links)):
        generated, least, most = _list_successors(level, count, rules, seen, candidates)
        if generated == 0:
            return depth, total, -1
        total += generated
        _sort(candidates, generated, least, most)
        links = trail.links[depth]
        count, solved = _keep_best(
            level, following, rules, candidates, generated, seen, quota, links
        )
        if count == 0:
            return depth, total, -1
        trail.sizes[depth] = count
        trail.firsts[depth] = following.facts[0, VALUE]
        level, following = following, level
        if solved >= 0:
            return depth + 1, total, solved
    return len(trail.links), total, -1


@dataclass(frozen=True, slots=True)
class BeamWalk:
    """What a beam found."""

    moves: Moves
    """The directions of the blank, to the goal or to the best board."""
    solved: bool
    """Whether they lead to the goal."""
    is_cut: bool = False
    """Whether it was ended from outside."""


class Beam:
    """A beam of boards, and the arrays that it needs; for one walk at a time."""

    def __init__(self, width: int, cells: int) -> None:
        self.width = width
        """Most boards of a level."""
        self._cells = cells
        self.generated = 0
        """Successors generated so far."""
        self._level, self._following = self._empty_level(), self._empty_level()
        most = 4 * width
        self._candidates = Candidates(
            np.empty(most, np.int32),
            np.empty(most, np.int64),
            np.empty(most, np.uint64),
            np.empty(most, np.int32),
            np.empty(min(_MOST_BUCKETS, max(1_024, 1 << most.bit_length())), np.int32),
        )
        self._seen = np.zeros(1 << max(16, (8 * width - 1).bit_length()), np.uint32)

    def _empty_level(self) -> Level:
        words = np.empty((self.width, self._cells // 4 + 1), np.uint64)
        facts = np.empty((self.width, 4), np.int32)
        return Level(words, words.view(np.uint16), facts, np.empty(self.width, np.uint64))

    def walk(
        self,
        puzzle: PuzzleArrays,
        start: Tiles,
        keep_going: Callable[[], bool],
        *,
        is_open: NDArray[np.bool_] | None = None,
        spread: bool = True,
        conflict: int = CONFLICT,
        longest: int = 1 << 30,
    ) -> BeamWalk:
        """Walk from `start` until a board is solved, or none has been better for a while.

        `keep_going`, asked every few levels, ends it early, as do `longest` moves. Cells that are
        not open keep their tiles. Unless `spread`, boards are kept by their value alone, wherever
        their blank is. Two tiles in each other's way add `conflict` to the value.
        """
        near = puzzle.near
        if is_open is not None:
            # The last of `is_open` is for no neighbour, -1.
            near = np.where(np.append(is_open, False)[near], near, -1)
        terms, cells, misses = terms_of(puzzle, start, conflict)
        if misses == 0:
            return BeamWalk(np.empty(0, np.int8), True)
        rules = Rules(near, terms, *_keys(self._cells + 2))
        level, following = self._level, self._following
        level.cells[0, : len(cells)] = cells
        level.facts[0] = 0, misses, blank_of(start), _NO_MOVE
        level.hashes[0] = 0
        self._seen[:] = 0
        seen = Seen(self._seen, self._seen.ctypes.data)
        # The blank is on every second cell of a level.
        per_cell = max(1, self.width // (2 * self._cells)) if spread else 0
        free = max(0, self.width - per_cell * self._cells // 2)
        quota = Quota(free, per_cell, np.empty(self._cells, np.int32))
        links: list[NDArray[np.int32]] = []
        count, best, depth = 1, 0, 0
        while len(links) - depth < _PATIENCE:
            if len(links) >= longest or not keep_going():
                return BeamWalk(_path(links, depth, 0), False, is_cut=True)
            batch = min(max(1, _BATCH // self.width), longest - len(links))
            sizes, firsts = np.empty((2, batch), np.int64)
            trail = Trail(np.empty((batch, self.width), np.int32), sizes, firsts)
            done, generated, solved = advance(
                level, following, count, rules, self._candidates, seen, quota, trail
            )
            self.generated += generated
            for number in range(done):
                links.append(trail.links[number, : sizes[number]])
                if firsts[number] < best:
                    best, depth = int(firsts[number]), len(links)
            if solved >= 0:
                return BeamWalk(_path(links, len(links), solved), True)
            if done < batch:
                break
            count = int(sizes[-1])
            if done % 2:
                level, following = following, level
        return BeamWalk(_path(links, depth, 0), False)


def _path(links: list[NDArray[np.int32]], depth: int, place: int) -> Moves:
    """Return the directions that lead to a board of a level."""
    moves = np.empty(depth, np.int8)
    for level in range(depth - 1, -1, -1):
        link = int(links[level][place])
        moves[level], place = link & 3, link >> 2
    return moves


@cache
def _keys(kinds: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return a number for each tile and for each cell, of whose products hashes are sums."""
    words = np.arange(1, 2 * kinds + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for factor in (0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9):
        words = (words ^ (words >> _UPPER)) * np.uint64(factor)
    words ^= words >> _UPPER
    return words[:kinds] | np.uint64(1), words[kinds:]

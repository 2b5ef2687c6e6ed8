"""Beam search: all boards of one depth at a time, of which the most promising are kept.

The best successors of a level are kept until the beam is full, at most `per_cell` of them with the
blank in the same cell. Without this limit, the blank would never leave a region where every tile is
well placed: all the best boards would have it there. A lossy hash table detects boards that were
kept before. The most promising boards have the least value (`value.py`).

In the multi-tile metric a move is a slide of any number of tiles, perpendicular to the slide before
it. The last slide's axis is therefore part of a board's identity: it determines the next slides.

`CpuBeam` runs on the CPU (`gpu/beam.py` on the GPU). `Pace` plans the width of a beam, level by
level, to meet a deadline.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from taquin.engine.anytime.puzzle_arrays import Moves, Neighbours, PuzzleArrays, Tiles
from taquin.engine.anytime.team import BeamTeam
from taquin.engine.anytime.value import Box, Terms, view_memory, view_of
from taquin.system.arrays import (
    Array,
    Matrix,
    array,
    clear,
    int16,
    int32,
    int64,
    uint16,
    uint32,
    uint64,
    zeros,
)
from taquin.system.compiled import Compiled

_CROWDED = 1.5
"""How many times the average number of boards may have their blank in one cell. Of 1, 1.5, 2 and 3
this was the best from 6×6 to 14×14, or as good."""
_PATIENCE = 60
"""The default number of levels without a better board after which a search ends."""
_WORD = (1 << 64) - 1
"""The mask of a word."""


@dataclass(frozen=True, slots=True)
class BeamPass:
    """The result of one search by a beam."""

    moves: Moves
    """The directions of the blank, to the goal or to the best board."""
    solved: bool
    """Whether they lead to the goal."""
    is_cut: bool = False
    """Whether the search was stopped early."""
    value: int = 0
    """The value of that board minus the start's."""
    levels: int = 0
    """The depth of that board, in moves or slides."""


class Window(NamedTuple):
    """A part of a board, and when a search in it ends."""

    box: Box
    """The cells to which the blank is confined."""
    price: int = 0
    """Added to a board's value per level; the best board has the least sum."""
    patience: int = _PATIENCE
    """Levels without a better board after which the search ends."""


def reachable(near: Neighbours) -> int:
    """Return how many cells the blank can go to."""
    return len({*near.items} - {-1})


def most_per_cell(width: int, cells: int) -> int:
    """Return the maximum number of boards with their blank in one of `cells` cells."""
    # The blank is on every second cell of a level.
    return max(1, int(2 * _CROWDED * width / cells))


@cache
def keys_of(kinds: int) -> tuple[Array[uint64], Array[uint64]]:
    """Return a key for each tile and each cell; a hash is the sum of tile key times cell key."""
    words = [number * 0x9E3779B97F4A7C15 & _WORD for number in range(1, 2 * kinds + 1)]
    for factor in (0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9, 1):
        words = [(word ^ word >> 32) * factor & _WORD for word in words]
    return array([word | 1 for word in words[:kinds]], uint64), array(words[kinds:], uint64)


_MOST_BUCKETS = 1 << 16
_NO_MOVE = 9
_BATCH = 4_096
"""Boards kept between two checks of the clock: about 4 ms."""
VALUE, MISSES, BLANK, LAST = range(4)
"""Facts of a board: value minus the start's value, wrong cells, blank, last direction."""
_MOST_STEPS, _PARENT = 31, 7
"""Most tiles of a slide, and the bits of an origin below the number of the parent."""


class BeamLevel(NamedTuple):
    """The boards of one depth, in the order of selection."""

    cells: Matrix[uint16]
    """The items of each board, as `value.py` has them, in whole words of 64 bits."""
    facts: Matrix[int32]
    """VALUE, MISSES, BLANK and LAST of each board."""
    hashes: Array[uint64]
    """The hash of each board."""


class Candidates(NamedTuple):
    """The successors of a level, from which the next one is chosen."""

    hashes: Array[uint64]
    """The hash of each."""
    facts: Array[int64]
    """The value of each in the upper half; in the lower its origin: the number of its parent, five
    bits with the tiles that move, and two with the direction of the blank."""
    sorted_hashes: Array[uint64]
    """The hashes in order of value, for sequential reads."""
    sorted_facts: Array[int64]
    """The facts in order of value."""
    buckets: Array[int32]
    """Memory for sorting."""


class BeamRules(NamedTuple):
    """How a move changes the cells, the value and the hash of a board."""

    slides: bool
    """Whether a move is a slide of any number of tiles; else it is one tile."""
    near: Neighbours
    """The cells that the blank may go to."""
    terms: Terms
    """The terms of the value."""
    tile_keys: Array[uint64]
    """A number for each tile: the hash of a board is the sum of tile key times cell key."""
    cell_keys: Array[uint64]
    """A number for each cell."""


class Quota(NamedTuple):
    """The limits on the boards of a level."""

    width: int
    """The maximum number of boards in all."""
    per_cell: int
    """The maximum number of boards with the blank in the same cell."""
    taken: Array[int32]
    """Boards kept so far, by the cell of their blank."""
    seen: Array[uint32]
    """The boards kept before, a lossy hash table: the upper 32 bits of a hash, indexed by its lower
    bits."""


class Trail(NamedTuple):
    """The levels generated by one call: each array has a row per level."""

    links: Matrix[int32]
    """The origin of each board kept, as in `Candidates`."""
    sizes: Array[int64]
    """The boards of the level."""
    best: Array[int64]
    """Facts of the search's best board, indexed by the constants below."""
    price: int
    """Added to a board's value per level; the best board has the least sum."""
    patience: int
    """Levels without a better board after which the walk ends."""
    batch: int
    """Levels between two checks of the patience."""


_LEVELS, _DEPTH, _VALUE, _PRICED, _IS_LAST = range(5)
"""The depth of the search, the depth and value of its best board, that value plus the price
of its levels, and 1 if no board is left."""


class Advance(NamedTuple):
    """Makes a level for each row of the trail, as long as that says, and returns how many.

    The last level is where the first was if their number is even, else in `following`.
    """

    level: BeamLevel
    following: BeamLevel
    rules: BeamRules
    candidates: Candidates
    words: Array[int64]
    """What the team shares."""
    quota: Quota
    trail: Trail
    generated: int = 0
    """A result: the successors generated."""
    solved: int = -1
    """A result: the solved board of the last level, or -1."""


class Assist(NamedTuple):
    """Does parts of the levels that `Advance` makes until none comes for long."""

    one: BeamLevel
    other: BeamLevel
    rules: BeamRules
    candidates: Candidates
    words: Array[int64]
    """What the team shares."""


_ADVANCE, _ASSIST = Compiled("advance_beam", Advance), Compiled("assist_beam", Assist)


class CpuBeam:
    """A beam and its arrays; it runs one search at a time."""

    def __init__(self, width: int, cells: int, line: int = 0, team: BeamTeam | None = None) -> None:
        """Make a beam for boards, or views of boards, of up to so many cells.

        A move is a tile, or a slide where the cells of the longest `line` are given. The members
        of a team make its levels together.
        """
        self.width = width
        """The maximum number of boards of a level."""
        self.cells = cells
        """The maximum number of cells of a board."""
        self.generated = 0
        """Successors generated so far."""
        self._level, self._following = self._empty_level(), self._empty_level()
        self._slides = line > 0
        most = max(4, line) * width
        # The first board may slide along its row and along its column, others only along one.
        room = max(most, 2 * line)
        self._candidates = Candidates(
            *(zeros(room, uint64), zeros(room, int64)),
            *(zeros(room, uint64), zeros(room, int64)),
            zeros(min(_MOST_BUCKETS, max(1_024, 1 << most.bit_length())), int32),
        )
        self._seen = zeros(1 << max(16, (8 * width - 1).bit_length()), uint32)
        self._taken = zeros(cells, int32)
        self._view = view_memory(cells)
        self._team = BeamTeam() if team is None else team
        self.last = self._level.cells[:0]
        """The boards of the last level of a search that was stopped."""

    def _empty_level(self) -> BeamLevel:
        cells = zeros((self.width, 4 * (self.cells // 4 + 1)), uint16)
        return BeamLevel(cells, zeros((self.width, 4), int32), zeros(self.width, uint64))

    def search(
        self,
        puzzle: PuzzleArrays,
        start: Tiles | Array[int16],
        keep_going: Callable[[], bool],
        *,
        window: Window | None = None,
        spread: bool = True,
        longest: int = 1 << 30,
        width_after: Callable[[int], int] | None = None,
    ) -> BeamPass:
        """Search from `start` until a board is solved or the best one has not improved for a while.

        It stops early after `longest` moves or when `keep_going`, called every few levels, returns
        False; a window has its own patience. `spread` limits the boards with the blank in one cell.
        `width_after` returns the width to use after a number of levels, at most the beam's.
        """
        box, price, patience = (None, 0, _PATIENCE) if window is None else window
        view = view_of(puzzle, start, box, self._view)
        if view.misses == 0:
            return BeamPass(b"", True)
        kinds = (1 if window is None else 2) * self.cells + 2
        rules = BeamRules(self._slides, view.near, view.terms, *keys_of(kinds))
        level, following = self._level, self._following
        words = self._team.share(_ASSIST, level, following, rules, self._candidates)
        open_cells = reachable(puzzle.near) if box is None else box.size
        level.cells[0][: len(view.items)] = view.items
        level.facts[0] = 0, view.misses, view.blank, _NO_MOVE
        level.hashes[0] = 0
        clear(self._seen)
        links: list[memoryview] = []
        count, best = 1, zeros(5, int64)
        while best[_LEVELS] - best[_DEPTH] < patience and not best[_IS_LAST]:
            if len(links) >= longest or not keep_going():
                self.last = level.cells[:count]
                return self._ended(links, best, is_cut=True)
            width = self.width if width_after is None else min(self.width, width_after(len(links)))
            per_cell = most_per_cell(width, open_cells) if spread else width
            quota = Quota(width, per_cell, self._taken, self._seen)
            batch = min(max(1, _BATCH // width), patience)
            rows = min(batch * self._team.members, longest - len(links))
            sizes = zeros(rows, int64)
            trail = Trail(zeros((rows, width), int32), sizes, best, price, patience, batch)
            advance = _ADVANCE.given(
                Advance(level, following, rules, self._candidates, words, quota, trail)
            )
            done = advance()
            self.generated += advance.get("generated")
            made = trail.links.items
            for begin, size in zip(range(0, done * width, width), sizes, strict=False):
                links.append(made[begin : begin + size])
            if (solved := advance.get("solved")) >= 0:
                return BeamPass(self._path(links, len(links), solved), True)
            if done:
                count = sizes[done - 1]
            if done % 2:
                level, following = following, level
        return self._ended(links, best)

    def _ended(self, links: list[memoryview], best: Array[int64], is_cut: bool = False) -> BeamPass:
        """Return the result with the path to the best board."""
        depth = best[_DEPTH]
        return BeamPass(self._path(links, depth, 0), False, is_cut, best[_VALUE], depth)

    def _path(self, links: list[memoryview], depth: int, place: int) -> Moves:
        """Return the directions of the blank from the start to a board."""
        moves = []
        for level in range(depth - 1, -1, -1):
            link = links[level][place]
            place = link >> _PARENT
            moves.append((link >> 2 & _MOST_STEPS) * bytes([link & 3]))
        return b"".join(reversed(moves))


_FIRST_LEVELS = 32
"""The first levels, whose time is not representative: they have few boards."""
_FEW, _LEAST_TO_GO = 0.05, 0.01
"""The share of a beam's levels after which their time predicts the others; and the least share
assumed to remain."""


class Pace:
    """The widths of one beam for a deadline and an expected number of levels.

    A wide beam evaluates fewer boards per second than the narrow one before it, and the machine may
    get busy. A beam that runs out of time finds nothing, so one that is late gets narrower.
    """

    def __init__(
        self, now: Callable[[], float], end: float, length: int, least: int, most: int
    ) -> None:
        self._now, self._end, self._length = now, end, length
        self._least, self._most = least, most
        self._width = most
        self._began: float | None = None
        self._levels = 0
        self._boards = 0
        """The boards of all levels since timing began."""

    def width_after(self, levels: int) -> int:
        """Return the width to use after `levels` levels."""
        now = self._now()
        if self._began is None:
            if levels >= _FIRST_LEVELS:
                self._began, self._levels = now, levels
            return self._width
        self._boards += self._width * (levels - self._levels)
        self._levels = levels
        if levels > _FIRST_LEVELS + _FEW * self._length and now > self._began:
            affordable = self._boards * max(0.0, self._end - now) / (now - self._began)
            to_go = max(self._length - levels, _LEAST_TO_GO * self._length)
            self._width = max(self._least, min(int(affordable / to_go), self._most))
        return self._width

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
from taquin.engine.anytime.team import (
    CHUNKS,
    COUNT,
    LINE,
    RESULTS,
    SIZE,
    SOURCE,
    BeamTeam,
    await_chunk,
    await_others,
    begin_level,
    complete_level,
    end_chunk,
    publish_chunk,
    take_chunk,
)
from taquin.engine.anytime.value import (
    BlankStep,
    Box,
    Terms,
    Weights,
    change,
    item_in,
    misses_after,
    tile_of,
    view_memory,
    view_of,
)
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
from taquin.system.kernels import kernel
from taquin.system.native import part, prefetch, widened

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
_HALF, _ORIGIN = 32, (1 << 32) - 1
"""Bits of the lower half of a candidate's facts, and its mask."""
_FACTS_BYTES = uint64(16)
"""Bytes of the facts of a board."""
_MOST_STEPS, _PARENT = 31, 7
"""Most tiles of a slide, and the bits of an origin below the number of the parent."""
_UPRIGHT_KEY = uint64(0xD1B54A32D192ED03)
"""Added to the hash of a board after an upright slide."""
_EARLY = 8
"""The distance, in candidates, between a prefetch and its use."""
_UPPER, _MARK = uint64(32), uint64(4)
"""The lower bits of a hash are its index; the upper 32 are stored there, in 4 bytes."""


class BeamLevel(NamedTuple):
    """The boards of one depth, in the order of selection."""

    words: Matrix[uint64]
    """The memory of `cells` as words, which copy faster."""
    cells: Matrix[uint16]
    """The items of each board, as `value.py` has them."""
    facts: Matrix[int32]
    """VALUE, MISSES, BLANK and LAST of each board."""
    address: int
    """The address of `facts`."""
    hashes: Array[uint64]
    """The hash of each board."""


class LevelPair(NamedTuple):
    """The two levels that a beam fills in turn."""

    one: BeamLevel
    other: BeamLevel


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

    slides: int
    """1 where a move is a slide of any number of tiles; 0 where it is one tile."""

    near: Neighbours
    """The cells that the blank may go to."""
    terms: Terms | Weights
    """The terms of the value."""
    tile_keys: Array[uint64]
    """A number for each tile: the hash of a board is the sum of tile key times cell key."""
    cell_keys: Array[uint64]
    """A number for each cell."""


class Seen(NamedTuple):
    """The boards kept before: a lossy hash table."""

    marks: Array[uint32]
    """The upper 32 bits of a hash, indexed by its lower bits."""
    address: int
    """The address of the table."""


class Quota(NamedTuple):
    """The limits on the boards of a level."""

    width: int
    """The maximum number of boards in all."""
    per_cell: int
    """The maximum number of boards with the blank in the same cell."""
    taken: Array[int32]
    """Boards kept so far, by the cell of their blank."""
    seen: Seen
    """The boards kept before, which are duplicates."""


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
_SUCCESSORS, _LEAST, _MOST, _SOLVED = range(4)
"""Results of a chunk: the number of successors, their least and greatest value, and the first
solved board or -1."""


@part
def _is_upright(direction: int) -> bool:
    return direction == 0 or direction == 3


@part
def _list_successors(
    level: BeamLevel,
    begin: int,
    end: int,
    rules: BeamRules,
    candidates: Candidates,
    first_place: int,
) -> tuple[int, int, int]:
    """Write the successors of some boards; return how many, and the least and greatest value."""
    terms, place = rules.terms, first_place
    most_steps = _MOST_STEPS if rules.slides else 1
    least, most = 1 << 60, -(1 << 60)
    for number in range(begin, end):
        board = level.cells[number]
        first = widened(level.facts[number, BLANK])
        last = widened(level.facts[number, LAST])
        for direction in range(4):
            value, key = widened(level.facts[number, VALUE]), level.hashes[number]
            if rules.slides:
                # A slide goes across the line of the last one. A board from which the next slide
                # is upright is not the same as one where it is not.
                if last != _NO_MOVE and _is_upright(direction) == _is_upright(last):
                    continue
                if _is_upright(direction):
                    key = uint64(key + _UPRIGHT_KEY)
                elif last != _NO_MOVE:
                    key = uint64(key - _UPRIGHT_KEY)
            elif direction + last == 3:
                continue
            blank, steps = first, 0
            while steps < most_steps and rules.near[blank, direction] >= 0:
                cell = widened(rules.near[blank, direction])
                tile = tile_of(terms, widened(board[cell]))
                value += change(terms, board, BlankStep(tile, cell, blank, direction))
                key += rules.tile_keys[tile] * (rules.cell_keys[blank] - rules.cell_keys[cell])
                steps += 1
                origin = number << _PARENT | steps << 2 | direction
                candidates.hashes[place] = key
                candidates.facts[place] = value << _HALF | origin
                least = min(least, value)
                most = max(most, value)
                place += 1
                if rules.slides:
                    board[cell], board[blank] = board[blank], item_in(terms, tile, blank)
                    blank = cell
            while blank != first:
                cell = widened(rules.near[blank, 3 - direction])
                tile = tile_of(terms, widened(board[cell]))
                board[cell], board[blank] = board[blank], item_in(terms, tile, blank)
                blank = cell
    return place - first_place, least, most


@part
def _sort(candidates: Candidates, most_successors: int, words: Array[int64]) -> int:
    """Put the successors of all chunks into order, the least value first; return how many.

    Those of equal value keep the order of their parents.
    """
    facts, buckets = candidates.facts, candidates.buckets
    chunks, stride = widened(words[CHUNKS]), widened(words[SIZE]) * most_successors
    least, most, total = 1 << 60, -(1 << 60), 0
    for chunk in range(chunks):
        line = RESULTS + LINE * chunk
        total += widened(words[line + _SUCCESSORS])
        least = min(least, widened(words[line + _LEAST]))
        most = max(most, widened(words[line + _MOST]))
    if total == 0:
        return 0
    # A counting sort; where values are very different, near ones share a bucket.
    shift = 0
    while (most - least) >> shift >= len(buckets):
        shift += 1
    last = (most - least) >> shift
    buckets[: last + 1] = 0
    for chunk in range(chunks):
        first = chunk * stride
        for number in range(first, first + widened(words[RESULTS + LINE * chunk + _SUCCESSORS])):
            buckets[uint64(((facts[number] >> _HALF) - least) >> shift)] += 1
    before = 0
    for bucket in range(last + 1):
        before, buckets[bucket] = before + buckets[bucket], before
    for chunk in range(chunks):
        first = chunk * stride
        for number in range(first, first + widened(words[RESULTS + LINE * chunk + _SUCCESSORS])):
            bucket = ((facts[number] >> _HALF) - least) >> shift
            place = uint64(buckets[uint64(bucket)])
            candidates.sorted_hashes[place] = candidates.hashes[number]
            candidates.sorted_facts[place] = facts[number]
            buckets[uint64(bucket)] += 1
    return total


@part
def _choose_best(
    level: BeamLevel,
    following: BeamLevel,
    rules: BeamRules,
    candidates: Candidates,
    count: int,
    quota: Quota,
    links: Array[int32],
    words: Array[int64],
) -> int:
    """Choose the boards of the next level; note the value, the hash and the origin of each.

    The team makes the first ones while others are still being chosen.
    """
    seen, mask = quota.seen, uint64(len(quota.seen.marks) - 1)
    kept, size = 0, begin_level(words, min(count, quota.width), level.address)
    chunk_end = size
    quota.taken[:] = 0
    for place in range(count):
        if place + _EARLY < count:
            key = candidates.sorted_hashes[place + _EARLY]
            prefetch(uint64(seen.address) + (key & mask) * _MARK)
            early = (candidates.sorted_facts[place + _EARLY] & _ORIGIN) >> _PARENT
            prefetch(uint64(level.address) + uint64(early) * _FACTS_BYTES)
        key = candidates.sorted_hashes[place]
        mark = uint32(key >> _UPPER)
        if seen.marks[key & mask] == mark:
            continue
        origin = candidates.sorted_facts[place] & _ORIGIN
        direction = origin & 3
        cell = widened(level.facts[uint64(origin >> _PARENT), BLANK])
        for _ in range(origin >> 2 & _MOST_STEPS):
            cell = widened(rules.near[cell, direction])
        if quota.taken[cell] >= quota.per_cell:
            continue
        quota.taken[cell] += 1
        seen.marks[key & mask] = mark
        following.hashes[kept] = key
        following.facts[kept, VALUE] = candidates.sorted_facts[place] >> _HALF
        following.facts[kept, BLANK] = cell
        following.facts[kept, LAST] = origin
        links[kept] = origin
        kept += 1
        if kept == chunk_end:
            publish_chunk(words)
            chunk_end += size
        if kept == quota.width:
            break
    complete_level(words, kept)
    return kept


@part
def _make_boards(
    level: BeamLevel, following: BeamLevel, begin: int, end: int, rules: BeamRules
) -> int:
    """Make chosen boards from their parents; return the first that is solved, or -1."""
    solved = -1
    for number in range(begin, end):
        origin = widened(following.facts[number, LAST])
        parent, direction = uint64(origin >> _PARENT), origin & 3
        for word in range(level.words.shape[1]):
            following.words[number, word] = level.words[parent, word]
        blank, cell = widened(level.facts[parent, BLANK]), widened(following.facts[number, BLANK])
        following.cells[number, cell] = level.cells[parent, blank]
        misses = widened(level.facts[parent, MISSES])
        while blank != cell:
            beside = widened(rules.near[blank, direction])
            tile = tile_of(rules.terms, widened(level.cells[parent, beside]))
            following.cells[number, blank] = item_in(rules.terms, tile, blank)
            step = BlankStep(tile, beside, blank, direction)
            misses = misses_after(rules.terms, misses, step)
            blank = beside
        following.facts[number, MISSES] = misses
        following.facts[number, LAST] = direction
        if misses == 0 and solved < 0:
            solved = number
    return solved


@part
def _list_chunk(
    level: BeamLevel,
    begin: int,
    end: int,
    rules: BeamRules,
    candidates: Candidates,
    words: Array[int64],
    line: int,
) -> None:
    place = begin * _most_successors(level, candidates)
    found, least, most = _list_successors(level, begin, end, rules, candidates, place)
    words[line + _SUCCESSORS] = found
    words[line + _LEAST] = least
    words[line + _MOST] = most


@part
def _most_successors(level: BeamLevel, candidates: Candidates) -> int:
    """Return the maximum number of successors of a board."""
    return len(candidates.facts) // len(level.facts)


@part
def _do_chunk(
    level: BeamLevel,
    following: BeamLevel,
    rules: BeamRules,
    candidates: Candidates,
    words: Array[int64],
    chunk: int,
) -> None:
    """Make some boards of the next level, and list their successors."""
    begin, line = chunk * widened(words[SIZE]), RESULTS + LINE * chunk
    end = min(begin + widened(words[SIZE]), widened(words[COUNT]))
    words[line + _SOLVED] = _make_boards(level, following, begin, end, rules)
    _list_chunk(following, begin, end, rules, candidates, words, line)


@kernel
def advance(
    level: BeamLevel,
    following: BeamLevel,
    rules: BeamRules,
    candidates: Candidates,
    words: Array[int64],
    quota: Quota,
    trail: Trail,
) -> tuple[int, int, int]:
    """Make a level for each row of `trail`, as long as that says.

    Return how many, the successors generated, and the solved board or -1. The last level is where
    the first was if their number is even, else in `following`; its successors are listed.
    """
    total, best = 0, trail.best
    if best[_LEVELS] == 0:
        words[CHUNKS] = words[SIZE] = 1
        _list_chunk(level, 0, 1, rules, candidates, words, RESULTS)
    for depth in range(len(trail.links)):
        if depth and depth % trail.batch == 0 and best[_LEVELS] - best[_DEPTH] >= trail.patience:
            return depth, total, -1
        generated = _sort(candidates, _most_successors(level, candidates), words)
        total += generated
        links = trail.links[depth]
        count = _choose_best(level, following, rules, candidates, generated, quota, links, words)
        if count == 0:
            best[_IS_LAST] = 1
            return depth, total, -1
        chunk = 0
        while True:
            _do_chunk(level, following, rules, candidates, words, chunk)
            end_chunk(words)
            chunk = take_chunk(words)
            if chunk == 0:
                break
        await_others(words)
        trail.sizes[depth] = count
        best[_LEVELS] += 1
        value = widened(following.facts[0, VALUE])
        if value + trail.price * best[_LEVELS] < best[_PRICED]:
            best[_PRICED] = value + trail.price * best[_LEVELS]
            best[_DEPTH] = best[_LEVELS]
            best[_VALUE] = value
        level, following = following, level
        for chunk in range(words[CHUNKS]):
            solved = widened(words[RESULTS + LINE * chunk + _SOLVED])
            if solved >= 0:
                return depth + 1, total, solved
    return len(trail.links), total, -1


@kernel
def assist(
    levels: LevelPair,
    slides: int,
    near: Neighbours,
    terms: Terms,
    tile_keys: Array[uint64],
    cell_keys: Array[uint64],
    candidates: Candidates,
    words: Array[int64],
) -> int:
    """Do chunks of levels that `advance` makes until none comes for long; return how many.

    The rules are not in their record, which would allow other terms too: teams need only these.
    """
    one, other = levels
    rules, done = BeamRules(slides, near, terms, tile_keys, cell_keys), 0
    chunk = await_chunk(words)
    while chunk:
        if words[SOURCE] != one.address:
            one, other = other, one
        _do_chunk(one, other, rules, candidates, words, chunk)
        end_chunk(words)
        done += 1
        chunk = await_chunk(words)
    return done


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
        self._candidates = Candidates(
            *(zeros(most, uint64), zeros(most, int64)),
            *(zeros(most, uint64), zeros(most, int64)),
            zeros(min(_MOST_BUCKETS, max(1_024, 1 << most.bit_length())), int32),
        )
        self._seen = zeros(1 << max(16, (8 * width - 1).bit_length()), uint32)
        self._taken = zeros(cells, int32)
        self._view = view_memory(cells)
        self._team = BeamTeam() if team is None else team
        self.last = self._level.cells[:0]
        """The boards of the last level of a search that was stopped."""

    def _empty_level(self) -> BeamLevel:
        words = zeros((self.width, self.cells // 4 + 1), uint64)
        cells = words.as_type(uint16).in_rows(4 * words.shape[1])
        facts = zeros((self.width, 4), int32)
        return BeamLevel(words, cells, facts, facts.address, zeros(self.width, uint64))

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
        words = self._team.share(assist, LevelPair(level, following), *rules, self._candidates)
        open_cells = reachable(puzzle.near) if box is None else box.size
        level.cells[0][: len(view.items)] = view.items
        level.facts[0] = 0, view.misses, view.blank, _NO_MOVE
        level.hashes[0] = 0
        clear(self._seen)
        seen = Seen(self._seen, self._seen.address)
        links: list[memoryview] = []
        count, best = 1, zeros(5, int64)
        while best[_LEVELS] - best[_DEPTH] < patience and not best[_IS_LAST]:
            if len(links) >= longest or not keep_going():
                self.last = level.cells[:count]
                return self._ended(links, best, is_cut=True)
            width = self.width if width_after is None else min(self.width, width_after(len(links)))
            per_cell = most_per_cell(width, open_cells) if spread else width
            quota = Quota(width, per_cell, self._taken, seen)
            batch = min(max(1, _BATCH // width), patience)
            rows = min(batch * self._team.members, longest - len(links))
            sizes = zeros(rows, int64)
            trail = Trail(zeros((rows, width), int32), sizes, best, price, patience, batch)
            done, generated, solved = advance(
                level, following, rules, self._candidates, words, quota, trail
            )
            self.generated += generated
            made = trail.links.items
            for begin, size in zip(range(0, done * width, width), sizes, strict=False):
                links.append(made[begin : begin + size])
            if solved >= 0:
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

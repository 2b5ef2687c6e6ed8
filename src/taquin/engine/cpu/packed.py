"""The search loop for grids of up to 16 cells: a node is eight 64-bit words, one cache line.

    word 0      the board, 4 bits a cell
    words 1-4   the indices of all patterns, 4 bits a tile, one word for each of up to four
                partitions; a move flips bits of them (for a ranked table: of its tiles' cells)
    word 5      table values now in force, 4 bits a pattern, three patterns a partition
    word 6      0-3    cell of the blank
                4-12   depth
                16-28  state of the automaton
                36-63  room left by each partition, 7 bits, the highest of which is the sign
    word 7      between the two halves of an expansion: the moved tile and the direction

*Room* is half of what the bound leaves after depth and heuristic. A table holds half of what a
pattern needs beyond Manhattan distance, and a move changes depth plus Manhattan distance by 0 or 2:
so every change is a small whole number, and a child's word 6 is its parent's plus

    step[direction, tile, cell]           blank, depth, and one off all rooms if the tile strays
    turn[state, direction]                new state less old state

and less the *rise* of the table value in each partition's room. A child is dropped as soon as a
sign bit is set. (A negative room borrows from the next higher one only, which is read later.)

The stack is an array of nodes. A node is popped, its children are written above the top with the
values of the first two partitions, and the top rises past each survivor; a second pass over the
survivors does the same with the other two. No branch hangs on a single table value, so the reads of
brothers overlap. Because the stack is last in, first out, `path[depth]` always holds the ancestors
of the node just popped, so a node need not know its parents; and because nodes stand alone, the
stack can be cut in two at any time and searched by two threads, each with its copy of the path.

The plan makes the arrays of a goal, the kernel at the end searches with them. A kernel takes its
arrays one by one, more than other functions may: Numba knows each by its type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import getitem
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from taquin.engine.cpu import lookups
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.lookups import Slot
from taquin.engine.cpu.sharing import (
    FOUND,
    GENERATED,
    GOAL_DEPTH,
    HUNGRY,
    SOON,
    TOP,
    end_slice,
    next_slice,
)
from taquin.engine.cpu.stacks import Start
from taquin.system.native import atomic_load, kernel, load_byte
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import Partition, PatternKey
from taquin.tables.patterns import rank as rank_of
from taquin.tables.shape import Cells, Normal, Shape

WIDTH = 8
"""Words in a node."""
VIEWS = 4
"""Partitions a node has room for."""

BLANK, DEPTH, STATE, ROOM = 0, 4, 16, 36
"""First bit of each field of word 6."""

ROOM_BITS = 7
"""Bits of one partition's room, sign included."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8 = (_U(n) for n in range(9))
_15, _32, _63, _64, _192, _511, _8191 = (_U(n) for n in (15, 32, 63, 64, 192, 511, 8191))
_DEPTH, _STATE = _U(DEPTH), _U(STATE)
_ROOM0, _ROOM1, _ROOM2, _ROOM3 = (_U(ROOM + ROOM_BITS * view) for view in range(VIEWS))
_SIGN_BITS = [1 << ROOM + ROOM_BITS * view + ROOM_BITS - 1 for view in range(VIEWS)]
_FIRST_SIGNS = _U(_SIGN_BITS[0] | _SIGN_BITS[1])
_SIGNS = _U(sum(_SIGN_BITS))
_CELLS = _U(0xFEDCBA9876543210)
_ONES = _U(0x1111111111111110)


class PackedPlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 16 cells."""

    width = WIDTH

    def __init__(
        self,
        shape: Shape,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
    ) -> None:
        self._tables = tables
        # Partitions are read in pairs: the last of an odd number keeps itself company.
        paired = (*partitions, *partitions[len(partitions) & ~1 :])
        self._fields = _fields(lookups.slots_of(shape, paired))
        ranked = True if any(slot.key.ranked for slot, *_ in self._fields) else None
        self._widening = [0] * 6 + [room_of_each(VIEWS), 0]
        fixed, *others = common_arguments(shape, automaton, VIEWS, more=len(partitions) > 2)
        lookup = self._lookup()
        for (hole, direction), kind in self._flips(shape, lookup).items():
            fixed[32 + 4 * hole + direction] = kind
        self.arguments = (fixed, *others, lookup.reshape(-1), ranked)

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * WIDTH
        sums = [0] * VIEWS
        for slot, view, shift, value_shift in self._fields:
            digits = slot.digits(where)
            index = sum(map(getitem, _spots(slot.key), digits))
            words[1 + view] |= index << shift
            if slot.key.ranked:
                index = rank_of(slot.key.cells, digits)
            value = value_at(self._tables[slot.key], index)
            words[5] |= value << value_shift
            sums[view] += value
        words[0] = pack(normal.board)
        words[6] = where[0] << BLANK
        for view, total in enumerate(sums):
            words[6] |= (max(sums) - total) << _room(view)
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    @property
    def kernel(self) -> Any:
        """Return the kernel; see `walk`."""
        return work

    def _lookup(self) -> NDArray[np.uint64]:
        lookup = np.zeros((16, VIEWS, 64), np.uint64)
        for slot, view, shift, value_shift in self._fields:
            size = len(slot.names)
            lookup[slot.names, view, :5] = (
                shift,
                (1 << 4 * size) - 1,
                self._tables[slot.key].ctypes.data,
                value_shift,
                size if slot.key.ranked else 0,
            )
        return lookup

    def _flips(self, shape: Shape, lookup: NDArray[np.uint64]) -> dict[tuple[int, int], int]:
        """Enter what each move flips; return the kind of each move, by blank's cell and direction.

        Moves that flip the same bits, whichever tile goes, are of one kind: there are few on 4 x 4,
        and so the processor has them at hand.
        """
        kinds: dict[tuple[int, ...], int] = {}
        found = {}
        for hole, near in enumerate(shape.steps):
            for direction, cell in near:
                flips = [
                    (name, view, (spots[slot.image[cell]] ^ spots[slot.image[hole]]) << shift)
                    for slot, view, shift, _ in self._fields
                    for name, spots in zip(slot.names, _spots(slot.key), strict=True)
                ]
                kind = kinds.setdefault(tuple(bits for *_, bits in flips), 8 + len(kinds))
                for name, view, bits in flips:
                    lookup[name, view, kind] = bits
                found[hole, direction] = kind
        return found


@cache
def _spots(key: PatternKey) -> tuple[Cells, ...]:
    """Return what each tile adds to the index in a node, by its cell: cells, if ranked later."""
    if not key.ranked:
        return key.spots
    last = len(key.tiles) - 1
    return tuple(
        tuple(cell << 4 * (last - i) for cell in range(key.cells)) for i in range(last + 1)
    )


def _fields(slots: Sequence[Slot]) -> list[tuple[Slot, int, int, int]]:
    """Give each pattern its bits: slot, partition, first bit of its tiles and of its value.

    A pattern that two partitions hold is looked up for each: their words are separate.
    """
    fields = []
    for view in range(VIEWS):
        shift, value_shift = 0, 12 * view
        for slot in slots:
            if view in slot.views:
                fields.append((slot, view, shift, value_shift))
                shift += 4 * len(slot.names)
                value_shift += 4
    return fields


def common_arguments(
    shape: Shape, automaton: Automaton, views: int, *, more: bool = False
) -> tuple[NDArray[Any], ...]:
    """Return the arguments of both kernels: fixed, moves, allowed, turn and step."""
    fixed = np.zeros(32 + 64, np.uint64)
    numbers = lookups.fixed_numbers(shape)
    fixed[: len(numbers)] = numbers
    fixed[:3] = pack(shape.goal), shape.size, more
    step = np.zeros((4, 16, 16), np.uint64)
    for name, hole, direction, cell, strays in lookups.tile_moves(shape):
        change = (cell - hole << BLANK) + (1 << DEPTH)
        if strays:
            change -= room_of_each(views)
        step[direction, name, cell] = change & lookups.WORD
    return (
        fixed,
        lookups.listed_directions(),
        np.array(automaton.allowed, np.uint8),
        lookups.state_changes(automaton, STATE),
        step.reshape(-1),
    )


def _room(view: int) -> int:
    """Return the first bit of a partition's room."""
    return ROOM + ROOM_BITS * view


def room_of_each(views: int) -> int:
    """Return the word that has 1 in the rooms of the first `views` partitions."""
    return sum(1 << _room(view) for view in range(views))


def pack(board: Cells) -> int:
    """Return a board as one word, 4 bits a cell."""
    return sum(name << 4 * cell for cell, name in enumerate(board))


@njit
def rank(cells: Any, size: Any, count: Any) -> Any:
    """Return the rank (see `taquin.tables.patterns.rank`) of `size` cells of 4 bits, first highest.

    `left` has, in the 4 bits of each cell, how many cells below it are still free.
    """
    left = _CELLS
    number = _0
    radix = count
    shift = size << _2
    while shift > _0:
        shift -= _4
        cell = (cells >> shift & _15) << _2
        number = number * radix + (left >> cell & _15)
        left -= _ONES << cell
        radix -= _1
    return number


@njit
def _read(cells: Any, lookup: Any, entry: Any, count: Any, ranked: Any) -> Any:
    """Return the table value for one partition's word and the moved tile's `lookup` entry."""
    index = cells >> lookup[entry] & lookup[entry | _1]
    if ranked is not None and lookup[entry | _4]:
        index = rank(index, lookup[entry | _4], count)
    return load_byte(lookup[entry | _2] + (index >> _1)) >> ((index & _1) << _2) & _15


@njit
def walk(
    stack: Any,
    control: Any,
    path: Any,
    shared: Any,
    budget: int,
    fixed: Any,
    moves: Any,
    allowed: Any,
    turn: Any,
    step: Any,
    lookup: Any,
    ranked: Any,
) -> None:
    """Search the nodes on the stack until it is empty, a goal is popped, or `budget` is spent.

    `control` and `shared` are those of `taquin.engine.cpu.sharing`; when a goal was popped at depth
    d, the blank's cells are `path[0]` to `path[d]`, and calling again goes on behind it. `fixed` is
    goal board, number of cells, whether more than two partitions count, and for each direction the
    change of the blank's cell (from 4) and for each cell its exits as bits (from 8) and for each
    cell and direction the kind of move (from 32). `moves[4 * bits]` lists the directions of a set,
    ended by 4. `lookup[256 * tile]` has 64 words for each partition: shift and mask of the index,
    address of the table, shift of the value, size if ranked; from 8, by kind of move, the bits of
    the partition's word that it flips. `ranked` is True when some tables are indexed by rank, else
    None: two types, so that Numba makes two loops, because code for ranking slows the other by a
    third even when not run.
    """
    top = control[TOP]
    goal, count, more = fixed[0], fixed[1], fixed[2]
    nodes = 0
    found = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        top -= 1
        base = _U(top) << _3
        board, values, word = stack[base], stack[base | _5], stack[base | _6]
        word1, word2 = stack[base | _1], stack[base | _2]
        word3, word4 = stack[base | _3], stack[base | _4]
        blank = word & _15
        depth = word >> _DEPTH & _511
        state = word >> _STATE & _8191
        path[depth] = blank
        if board == goal:
            found = 1
            control[GOAL_DEPTH] = np.int64(depth)
            break
        choice = (_U(allowed[state]) & fixed[_8 + blank]) << _2
        direction = _U(moves[choice])
        newest = top
        while direction != _4:
            nodes += 1
            cell = (blank + fixed[_4 + direction]) & _15
            tile = board >> (cell << _2) & _15
            child = word + turn[state << _2 | direction]
            child += step[(direction << _4 | tile) << _4 | cell]
            turned = fixed[_32 + (blank << _2) + direction]
            entry = tile << _8

            cells1 = word1 ^ lookup[entry + turned]
            rise1 = _read(cells1, lookup, entry, count, ranked) - (
                values >> lookup[entry | _3] & _15
            )
            fresh = values + (rise1 << lookup[entry | _3])
            entry |= _64
            cells2 = word2 ^ lookup[entry + turned]
            rise2 = _read(cells2, lookup, entry, count, ranked) - (
                values >> lookup[entry | _3] & _15
            )
            fresh += rise2 << lookup[entry | _3]
            child -= (rise1 << _ROOM0) + (rise2 << _ROOM1)

            base = _U(newest) << _3
            stack[base] = board ^ tile << (cell << _2) ^ tile << (blank << _2)
            stack[base | _1], stack[base | _2] = cells1, cells2
            stack[base | _5], stack[base | _6] = fresh, child
            stack[base | _7] = (entry ^ _192) + turned
            newest += np.int64(child & _FIRST_SIGNS == _0)
            choice += _1
            direction = _U(moves[choice])

        if not more:
            top = newest
            continue
        for i in range(top, newest):
            base = _U(i) << _3
            entry = stack[base | _7]
            turned = entry & _63
            entry ^= turned
            fresh, child = stack[base | _5], stack[base | _6]
            cells3 = word3 ^ lookup[entry + turned]
            rise1 = _read(cells3, lookup, entry, count, ranked) - (
                values >> lookup[entry | _3] & _15
            )
            fresh += rise1 << lookup[entry | _3]
            entry |= _64
            cells4 = word4 ^ lookup[entry + turned]
            rise2 = _read(cells4, lookup, entry, count, ranked) - (
                values >> lookup[entry | _3] & _15
            )
            fresh += rise2 << lookup[entry | _3]
            child -= (rise1 << _ROOM2) + (rise2 << _ROOM3)
            kept = _U(top) << _3
            stack[kept] = stack[base]
            stack[kept | _1], stack[kept | _2] = stack[base | _1], stack[base | _2]
            stack[kept | _3], stack[kept | _4] = cells3, cells4
            stack[kept | _5], stack[kept | _6] = fresh, child
            top += np.int64(child & _SIGNS == _0)
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found


@kernel()
def work(
    shared: Any,
    stacks: Any,
    paths: Any,
    controls: Any,
    me: int,
    budget: int,
    fixed: Any,
    moves: Any,
    allowed: Any,
    turn: Any,
    step: Any,
    lookup: Any,
    ranked: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, step, lookup, ranked)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

"""The search loop for grids of up to 25 cells: a node is twelve 64-bit words.

    words 0-3    the board, 8 bits a cell, 8 cells a word; above the one cell of word 3
                 8-12 cell of the blank, 16-24 depth, 32-44 state of the automaton,
                 48-57 Manhattan distance
    word 4       table values now in force, 4 bits a slot
    word 5       room left by each of up to four partitions, plus 2^14, in 16 bits each: bit 14 is
                 set while there is room, and no lane ever borrows from the next
    words 6-11   table indices, 32 bits a slot, two in a word

Room, stack and path are those of `taquin.engine.cpu.packed`. The differences come from tables that
no cache can hold: a tile sits in up to four slots (two partitions and their mirror images), and
each is read only if the ones before left room.

The plan makes the arrays of a goal, the kernel at the end searches with them. A kernel takes its
arrays one by one, more than other functions may: Numba knows each by its type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from taquin.engine.cpu import lookups
from taquin.engine.cpu.automaton import Automaton
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
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape

WIDTH = 12
"""Words in a node."""

BLANK, DEPTH, STATE, DISTANCE = 8, 16, 32, 48
"""First bit of each field of word 3."""

VIEWS = 4
"""Partitions a node has room for."""
ROOMY = 1 << 14
"""The mark that a partition has room."""
_AMPLE = 0x2000
"""Room of a partition that is not there."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8 = (_U(n) for n in range(9))
_15, _31, _32, _511, _8191 = (_U(n) for n in (15, 31, 32, 511, 8191))
_BLANK, _DEPTH, _STATE, _DISTANCE = (_U(n) for n in (BLANK, DEPTH, STATE, DISTANCE))
_WIDTH = _U(WIDTH)
_INDEX = _U(0xFFFFFFFF)
_ROOMY = _U(sum(ROOMY << 16 * view for view in range(VIEWS)))
_EACH = _U(0x0001000100010001)
_ONWARD = _U((1 << DEPTH) - (1 << DISTANCE) & (1 << 64) - 1)


class WidePlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 25 cells."""

    width = WIDTH

    def __init__(
        self,
        shape: Shape,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
    ) -> None:
        self._tables = tables
        # Without any partition the first room is kept by Manhattan distance alone.
        self._views = max(1, len(partitions))
        self._slots = lookups.slots_of(shape, partitions)
        self._widening = [0] * WIDTH
        self._widening[5] = sum(1 << 16 * view for view in range(self._views))

        fixed = lookups.fixed_numbers(shape)
        fixed[0] = (len(self._slots) + 1) // 2
        self.arguments: tuple[Any, ...] = (
            fixed,
            lookups.listed_directions(),
            np.array(automaton.allowed, np.uint8),
            lookups.state_changes(automaton, STATE),
            _stray(shape),
            self._lookup(),
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * WIDTH
        for cell, name in enumerate(normal.board):
            words[cell >> 3] |= name << 8 * (cell & 7)
        words[3] |= where[0] << BLANK | normal.manhattan << DISTANCE
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[4] |= value << 4 * number
            words[6 + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view in range(VIEWS):
            room = max(sums) - sums[view] if view < self._views else _AMPLE
            words[5] |= ROOMY + room << 16 * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    @property
    def kernel(self) -> Any:
        """Return the kernel; see `walk`."""
        return work

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
                    sum(ROOMY << 16 * view for view in slot.views),
                )
                lookup[name, 0, 7] += np.uint64(8)
                for direction, change in enumerate(slot.shifts):
                    old = int(lookup[name, 4 + direction, word])
                    new = old + (change * place << shift)
                    lookup[name, 4 + direction, word] = new & lookups.WORD
        return lookup.reshape(-1)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))


def _stray(shape: Shape) -> NDArray[np.uint8]:
    """Return, for direction, tile and its cell, whether the move leads the tile away from home."""
    stray = np.zeros((4, 32, 32), np.uint8)
    for name, _, direction, cell, strays in lookups.tile_moves(shape):
        stray[direction, name, cell] = strays
    return stray.reshape(-1)


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
    stray: Any,
    lookup: Any,
) -> None:
    """Search the nodes on the stack until it is empty, a goal is popped, or `budget` is spent.

    All but `fixed`, `stray` and `lookup` is as in `taquin.engine.cpu.packed.walk`. `fixed` is the
    number of index words in use, and for each direction the change of the blank's cell (from 4) and
    for each cell its exits as bits (from 8). `stray[direction, tile, cell]` is 1 when the move
    leads the tile away from home. `lookup[64 * tile]` has 8 words for each of up to four slots:
    word and shift of the index, address of the table, shift of the value, scale of the rooms that
    count it and their marks of room; word 7 is 8 times the number of slots. From 32 on: the change
    of the index words, 8 by direction.
    """
    top = control[TOP]
    words = fixed[0]
    node = np.zeros(WIDTH, np.uint64)
    nodes = 0
    found = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        top -= 1
        base = _U(top) * _WIDTH
        for i in range(_6 + words):
            node[i] = stack[base + i]
        meta, values, room = node[_3], node[_4], node[_5]
        blank = meta >> _BLANK & _31
        depth = meta >> _DEPTH & _511
        state = meta >> _STATE & _8191
        path[depth] = blank
        if meta >> _DISTANCE == _0:
            found = 1
            control[GOAL_DEPTH] = np.int64(depth)
            break
        choice = (_U(allowed[state]) & fixed[_8 + blank]) << _2
        direction = _U(moves[choice])
        while direction != _4:
            nodes += 1
            cell = blank + fixed[_4 + direction]
            tile = node[cell >> _3] >> ((cell & _7) << _3) & _31
            away = _U(stray[(direction << _5 | tile) << _5 | cell])
            left = room - away * _EACH
            fresh = values
            slot = tile << _6
            end = slot + lookup[slot | _7]
            shifts = (slot | _32) + (direction << _3)
            while slot != end:
                word = lookup[slot]
                index = (node[_6 + word] + lookup[shifts + word]) >> lookup[slot | _1] & _INDEX
                value = load_byte(lookup[slot | _2] + (index >> _1)) >> ((index & _1) << _2) & _15
                rise = value - (values >> lookup[slot | _3] & _15)
                fresh += rise << lookup[slot | _3]
                left -= rise * lookup[slot | _4]
                # A straying tile may lower its own value: judge only partitions read so far.
                if left & lookup[slot | _5] != lookup[slot | _5]:
                    break
                slot += _8
            if slot == end and left & _ROOMY == _ROOMY:
                base = _U(top) * _WIDTH
                for i in range(_3):
                    stack[base + i] = node[i]
                stack[base + _3] = meta + turn[state << _2 | direction] + (away << _DISTANCE + _1)
                stack[base + _3] += ((cell - blank) << _BLANK) + _ONWARD
                stack[base + _4] = fresh
                stack[base + _5] = left
                for i in range(words):
                    stack[base + _6 + i] = node[_6 + i] + lookup[shifts + i]
                stack[base + (cell >> _3)] ^= tile << ((cell & _7) << _3)
                stack[base + (blank >> _3)] ^= tile << ((blank & _7) << _3)
                top += 1
            choice += _1
            direction = _U(moves[choice])
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found


@kernel(
    "void(i8[::1], u8[:, ::1], u1[:, ::1], i8[:, ::1], i8, i8, "
    "u8[::1], u1[::1], u1[::1], u8[::1], u1[::1], u8[::1])"
)
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
    stray: Any,
    lookup: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, stray, lookup)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

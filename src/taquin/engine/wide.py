"""The search loop for grids of up to 25 cells: a node is twelve 64-bit words.

    words 0-3    the board, 8 bits a cell, 8 cells a word; above the one cell of word 3
                 8-12 cell of the blank, 16-24 depth, 32-44 state of the automaton,
                 48-57 Manhattan distance
    word 4       table values now in force, 4 bits a slot
    word 5       room left by each of up to four partitions, plus 2^14, in 16 bits each: bit 14 is
                 set while there is room, and no lane ever borrows from the next
    words 6-11   table indices, 32 bits a slot, two in a word

Room, stack and path are those of `taquin.engine.packed`. The differences come from tables that no
cache can hold: a tile sits in up to four slots (two partitions and their mirror images), and each
is read only if the ones before left room.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from taquin.engine.sharing import (
    FOUND,
    GENERATED,
    GOAL_DEPTH,
    HUNGRY,
    SOON,
    TOP,
    end_slice,
    next_slice,
)
from taquin.system.native import atomic_load, kernel, load_byte

WIDTH = 12
"""Words in a node."""

BLANK, DEPTH, STATE, DISTANCE = 8, 16, 32, 48
"""First bit of each field of word 3."""

SLOTS = 12
"""Indices a node has room for."""

VIEWS = 4
"""Partitions a node has room for."""

ROOMY = 1 << 14
"""The mark that a partition has room."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8 = (_U(n) for n in range(9))
_15, _31, _32, _511, _8191 = (_U(n) for n in (15, 31, 32, 511, 8191))
_BLANK, _DEPTH, _STATE, _DISTANCE = (_U(n) for n in (BLANK, DEPTH, STATE, DISTANCE))
_WIDTH = _U(WIDTH)
_INDEX = _U(0xFFFFFFFF)
_ROOMY = _U(sum(ROOMY << 16 * view for view in range(VIEWS)))
_EACH = _U(0x0001000100010001)
_ONWARD = _U((1 << DEPTH) - (1 << DISTANCE) & (1 << 64) - 1)


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

    All but `fixed`, `stray` and `lookup` is as in `taquin.engine.packed.walk`. `fixed` is the
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
    """Walk as member `me` of a team (see `taquin.engine.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, stray, lookup)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

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


@njit
def rank(cells: Any, size: Any, count: Any) -> Any:
    """Return the rank (see `taquin.tables.retrograde`) of `size` cells of 4 bits, first highest.

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

    `control` and `shared` are those of `taquin.engine.sharing`; when a goal was popped at depth d,
    the blank's cells are `path[0]` to `path[d]`, and calling again goes on behind it. `fixed` is
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
    """Walk as member `me` of a team (see `taquin.engine.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, step, lookup, ranked)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

"""The search loop for grids of up to 25 cells: a node is eleven 64-bit words.

    words 0-1    the board, 5 bits a cell, 12 cells a word
    word 2       0-4 cell 24, 8-12 cell of the blank, 16-24 depth, 32-47 state of the automaton,
                 48-57 Manhattan distance
    word 3       table values now in force, 4 bits a slot
    word 4       room left by each of up to four partitions, plus 2^14, in 16 bits each: bit 14 is
                 set while there is room, and no lane ever borrows from the next
    words 5-10   table indices, 32 bits a slot, two in a word

Room, stack and the order of the search are those of `taquin.engine.cpu.packed`, but nodes are
popped one at a time: the work of a node hides what its reads cost. So `path[depth]` always holds
the blank's cells above the node just popped. A tile sits in up to four slots (two partitions and
their mirror images), and each is read only if the ones before left room. The usual case, a
partition and its mirror image, has a loop of its own without loops in it.

The plan makes the arrays of a goal, the kernel at the end searches with them. A kernel takes its
arrays one by one, more than other functions may: Numba knows each by its type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import Any

import numpy as np
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
from taquin.system.kernels import kernel
from taquin.system.native import atomic_load, load_byte, part
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape

WIDTH = 11
"""Words in a node."""

BLANK, DEPTH, STATE, DISTANCE = 8, 16, 32, 48
"""First bit of each field of word 2."""
CELLS = 12
"""Cells in a word of the board."""

VIEWS = 4
"""Partitions a node has room for."""
ROOMY = 1 << 14
"""The mark that a partition has room."""
_AMPLE = 0x2000
"""Room of a partition that is not there."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8, _9 = (_U(n) for n in range(10))
_15, _16, _24, _31, _32, _48 = (_U(n) for n in (15, 16, 24, 31, 32, 48))
_63, _255, _511, _65535 = (_U(n) for n in (63, 255, 511, 65535))
_BLANK, _DEPTH, _STATE, _DISTANCE = (_U(n) for n in (BLANK, DEPTH, STATE, DISTANCE))
_WIDTH = _U(WIDTH)
_INDEX = _U(0xFFFFFFFF)
_ROOMY = _U(sum(ROOMY << 16 * view for view in range(VIEWS)))
_EACH = _U(0x0001000100010001)
_FIRST, _SECOND = _U(ROOMY), _U(ROOMY << 16)


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
        self._widening[4] = sum(1 << 16 * view for view in range(self._views))

        fixed = np.zeros(48 + 128, np.uint64)
        numbers = lookups.fixed_numbers(shape)
        fixed[: len(numbers)] = numbers
        fixed[0] = (len(self._slots) + 1) // 2
        for hole, near in enumerate(shape.steps):
            for direction, cell in near:
                fixed[48 + 4 * hole + direction] = cell | cell // CELLS << 8 | _bit(cell) << 16
            fixed[48 + 4 * hole] |= np.uint64(hole // CELLS << 24 | _bit(hole) << 32)
        lookup = self._lookup()
        # Two slots for each tile, and four words for all.
        pairs = len(self._slots) <= 8 and bool((lookup[1 : shape.size, 0, 7] == 16).all())
        self.arguments: tuple[Any, ...] = (
            fixed,
            lookups.listed_directions(),
            np.array(automaton.allowed, np.uint8),
            lookups.followers(automaton),
            _stray(shape),
            lookup.reshape(-1),
            True if pairs else None,
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * WIDTH
        for cell, name in enumerate(normal.board):
            words[cell // CELLS] |= name << _bit(cell)
        words[2] |= where[0] << BLANK | normal.manhattan << DISTANCE
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[3] |= value << 4 * number
            words[5 + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view in range(VIEWS):
            room = max(sums) - sums[view] if view < self._views else _AMPLE
            words[4] |= ROOMY + room << 16 * view
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
                    2 * self._tables[slot.key].ctypes.data,
                    4 * number,
                    sum(1 << 16 * view for view in slot.views),
                    sum(ROOMY << 16 * view for view in slot.views),
                )
                lookup[name, 0, 7] += np.uint64(8)
                for direction, change in enumerate(slot.shifts):
                    old = int(lookup[name, 4 + direction, word])
                    new = old + (change * place << shift)
                    lookup[name, 4 + direction, word] = new & lookups.WORD
        return lookup


def _bit(cell: int) -> int:
    """Return the first bit of a cell in its word."""
    return 5 * (cell % CELLS)


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


@part
def _read(node: Any, slot: Any, changed: Any, stack: Any, lookup: Any) -> Any:
    """Return the value of a slot after a move whose changes of the index words are `changed`."""
    word = lookup[slot]
    half = ((stack[node + _5 + word] + lookup[changed + word]) >> lookup[slot + _1]) & _INDEX
    half += lookup[slot + _2]
    return load_byte(half >> _1) >> ((half & _1) << _2) & _15


@part
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
    pairs: Any,
) -> None:
    """Search the nodes on the stack until it is empty, a goal is popped, or `budget` is spent.

    `control` and `shared` are those of `taquin.engine.cpu.sharing`; when a goal was popped at depth
    d, the blank's cells are `path[0]` to `path[d]`, and calling again goes on behind it. `fixed` is
    the number of index words in use, for each cell its exits as bits (from 8), and for the blank's
    cell and the direction (from 48) the tile's cell and from bit 8 its word and from bit 16 its
    bit; from bit 24 of the first of the four the word of the blank's cell, from 32 its bit.
    `moves[4 * bits]` lists the directions of a set, ended by 4. `stray[direction, tile, cell]` is 1
    when the move leads the tile away from home. `lookup[64 * tile]` has 8 words for each of up to
    four slots: word and shift of the index, address of the table in half bytes, shift of the value,
    scale of the rooms that count it and their marks of room; word 7 is 8 times the number of
    slots. From 32 on: the change of the index words, 8 by direction. `pairs` is True when every
    tile has one slot in each of two partitions, and there are four index words at most; else None,
    a type of its own, so that Numba makes two loops.
    """
    top = control[TOP]
    words = fixed[0]
    node = _U(len(stack)) - _WIDTH
    nodes = 0
    found = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        top -= 1
        base = _U(top) * _WIDTH
        # Above the stack, where no child is written over it.
        board0, board1, meta = stack[base], stack[base + _1], stack[base + _2]
        values, room = stack[base + _3], stack[base + _4]
        stack[node], stack[node + _1], stack[node + _2] = board0, board1, meta
        for i in range(_5, _WIDTH if pairs is None else _9):
            stack[node + i] = stack[base + i]
        blank = meta >> _BLANK & _31
        depth = meta >> _DEPTH & _511
        state = meta >> _STATE & _65535
        path[depth] = blank
        if meta >> _DISTANCE == _0:
            found = 1
            control[GOAL_DEPTH] = np.int64(depth)
            break
        meta += (_1 << _DEPTH) - (_1 << _DISTANCE)
        meta ^= state << _STATE | blank << _BLANK
        choice = (_U(allowed[state]) & fixed[_8 + blank]) << _2
        places = _48 + (blank << _2)
        hole = fixed[places] >> _24
        direction = _U(moves[choice])
        while direction != _4:
            nodes += 1
            move = fixed[places + direction]
            cell = move & _255
            tile = stack[node + (move >> _8 & _255)] >> (move >> _16 & _63) & _31
            away = _U(stray[(direction << _5 | tile) << _5 | cell])
            left = room - away * _EACH
            slot = tile << _6
            changed = slot + _32 + (direction << _3)
            if pairs is None:
                fresh = values
                end = slot + lookup[slot + _7]
                while slot != end:
                    shift = lookup[slot + _3]
                    rise = _read(node, slot, changed, stack, lookup) - (values >> shift & _15)
                    fresh += rise << shift
                    left -= rise * lookup[slot + _4]
                    # A straying tile may lower its own value: judge only partitions read so far.
                    if left & lookup[slot + _5] != lookup[slot + _5]:
                        break
                    slot += _8
                fits = slot == end and left & _ROOMY == _ROOMY
            else:
                shift = lookup[slot + _3]
                rise = _read(node, slot, changed, stack, lookup) - (values >> shift & _15)
                fresh = values + (rise << shift)
                left -= rise
                fits = left & _FIRST != _0
                if fits:
                    slot += _8
                    shift = lookup[slot + _3]
                    rise = _read(node, slot, changed, stack, lookup) - (values >> shift & _15)
                    fresh += rise << shift
                    left -= rise << _16
                    fits = left & _SECOND != _0
            if fits:
                base = _U(top) * _WIDTH
                child = meta + (_U(turn[state << _2 | direction]) << _STATE)
                stack[base], stack[base + _1] = board0, board1
                stack[base + _2] = child + (away << _DISTANCE + _1) + (cell << _BLANK)
                stack[base + _3], stack[base + _4] = fresh, left
                if pairs is None:
                    for i in range(words):
                        stack[base + _5 + i] = stack[node + _5 + i] + lookup[changed + i]
                else:
                    stack[base + _5] = stack[node + _5] + lookup[changed]
                    stack[base + _6] = stack[node + _6] + lookup[changed + _1]
                    stack[base + _7] = stack[node + _7] + lookup[changed + _2]
                    stack[base + _8] = stack[node + _8] + lookup[changed + _3]
                stack[base + (move >> _8 & _255)] ^= tile << (move >> _16 & _63)
                stack[base + (hole & _255)] ^= tile << (hole >> _8)
                top += 1
            choice += _1
            direction = _U(moves[choice])
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found


@kernel
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
    pairs: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, stray, lookup, pairs)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

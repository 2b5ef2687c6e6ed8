"""The search loop for grids of up to 25 cells: a node is thirteen 64-bit words.

    words 0-1    the board, 5 bits a cell, 12 cells a word
    word 2       0-4    cell 24
                 5-9    cell of the blank
                 10-18  depth
                 19-28  Manhattan distance
                 29-44  state of the automaton
                 45-63  the parent's place in the log, counted from 1
    word 3       table values now in force, 4 bits a slot
    word 4       room left by each of up to six partitions, plus 2^9, in 10 bits each: bit 9 is set
                 while there is room, and no lane ever borrows from the next
    words 5-12   table indices, 32 bits a slot, two in a word

Room, stack, the log and the order of the search are those of `taquin.engine.cpu.packed`: the upper
few nodes are popped together, and every loop goes through all of their children. A tile sits in up
to six slots (three partitions and their mirror images). Two are read for every child, the next two
for those that have room left after these, and so on. The usual case, a partition and its mirror
image, has a loop of its own for two slots and narrower nodes.

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
from taquin.engine.cpu.log import shorten, tell_way
from taquin.engine.cpu.packed import rise_at
from taquin.engine.cpu.sharing import (
    FOUND,
    GENERATED,
    HUNGRY,
    PATH,
    SOON,
    TOP,
    end_slice,
    next_slice,
)
from taquin.engine.cpu.stacks import BATCH, DEEPEST, Start
from taquin.system.arguments import Arguments
from taquin.system.kernels import kernel
from taquin.system.native import atomic_load, half_word, part, prefetch
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape

WIDTH = 13
"""Words in a node."""
SLOTS = 16
"""Slots in a node."""
INDICES = 5
"""The first word of a node that has indices."""

BLANK, DEPTH, DISTANCE, STATE, LOG = 5, 10, 19, 29, 45
"""First bit of each field of word 2."""
CELLS = 12
"""Cells in a word of the board."""

VIEWS = 6
"""Partitions a node has room for."""
LANE = 10
"""Bits of a partition's room, with its mark."""
ROOMY = 1 << LANE - 1
"""The mark that a partition has room."""

ROW = 36
"""Words of the look-up of one move of a tile."""
_ENTRY, _CHANGES = 4, 28
"""Words for one slot, from the fourth on, and where the changes of the indices begin."""
_RECORD = 8
"""Words for a child at work."""
_PARENT = 14
"""Words for a node that was popped: its own, and four times its state."""
SCRATCH = _RECORD * (4 * BATCH + 4) + _PARENT * BATCH + 4 * BATCH
"""Words at the end of a stack for what is at work."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8, _9 = (_U(n) for n in range(10))
_10, _11, _12, _13, _14, _16, _24 = (_U(n) for n in (10, 11, 12, 13, 14, 16, 24))
_28, _31, _32 = (_U(n) for n in (28, 31, 32))
_40, _48 = _U(40), _U(48)
_63, _127, _255, _511, _1023, _65535 = (_U(n) for n in (63, 127, 255, 511, 1023, 65535))
_BLANK, _DEPTH, _DISTANCE, _STATE, _LOG = (_U(n) for n in (BLANK, DEPTH, DISTANCE, STATE, LOG))
_WIDTH, _ROW = _U(WIDTH), _U(ROW)


class WidePlan:
    """The arrays of one goal, one automaton and up to six partitions on up to 25 cells."""

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
        self._nothing = np.zeros(1, np.uint8)
        self._widening = [0] * WIDTH
        self._widening[4] = sum(1 << LANE * view for view in range(self._views))

        fixed = np.zeros(48 + 128, np.uint64)
        numbers = lookups.fixed_numbers(shape)
        fixed[: len(numbers)] = numbers
        turn = lookups.followers(automaton)
        slots_of_a_tile = [
            sum(name in slot.names for slot in self._slots) for name in _names(shape)
        ]
        pairs_of_a_tile = (max(slots_of_a_tile) + 1) // 2
        fixed[:3] = 4 + 8 * pairs_of_a_tile, turn.ctypes.data, self._widening[4]
        for hole, near in enumerate(shape.steps):
            for direction, cell in near:
                there = cell // CELLS << 8 | _bit(cell) << 16
                here = hole // CELLS << 24 | _bit(hole) << 32
                fixed[48 + 4 * hole + direction] = cell | there | here
        # Two slots for each tile, and four words for all.
        pairs = len(self._slots) <= 8 and set(slots_of_a_tile) == {2}
        self.arguments = Arguments(
            fixed,
            lookups.counted_directions(),
            np.array(automaton.allowed, np.uint8),
            turn,
            self._lookup(shape).reshape(-1),
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
            words[INDICES + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view, total in enumerate(sums):
            words[4] |= ROOMY + max(sums) - total << LANE * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    @property
    def kernel(self) -> Any:
        """Return the kernel; see `walk`."""
        return work

    def _lookup(self, shape: Shape) -> NDArray[np.uint64]:
        lookup = np.zeros((32, 4, ROW), np.uint64)
        for name, _, direction, cell, strays in lookups.tile_moves(shape):
            lookup[name, direction, 0] |= np.uint64(strays << cell)
        # A tile in fewer slots than others reads nothing in their place, an index and a value that
        # stay 0, or its first slot once more, whose value is in force by then.
        nothing = (2 * _PARENT - 1, 2 * self._nothing.ctypes.data, 0, 4 * (SLOTS - 1))
        for name in _names(shape):
            found = [(n, slot) for n, slot in enumerate(self._slots) if name in slot.names]
            for pair in range(VIEWS // 2):
                judged = {view for _, slot in found[: 2 * pair + 2] for view in slot.views}
                if not found:
                    judged = set(range(self._views))
                lookup[name, :, 1 + pair] = sum(ROOMY << LANE * view for view in judged)
            lookup[name, :, 4:_CHANGES] = VIEWS * nothing
            again = [found[0]] * (VIEWS - len(found)) if len(found) > 1 else []
            for k, (number, slot) in enumerate([*found, *again]):
                word, shift = number // 2, 32 * (number & 1)
                address = 2 * self._tables[slot.key].ctypes.data
                scale = sum(1 << LANE * view for view in slot.views)
                place = _places(slot.key)[slot.names.index(name)]
                for direction, change in enumerate(slot.shifts):
                    row = lookup[name, direction]
                    row[4 + _ENTRY * k : 8 + _ENTRY * k] = (
                        2 * INDICES + number,
                        address + change * place,
                        scale,
                        4 * number,
                    )
                    if k < len(found):
                        old = int(row[_CHANGES + word])
                        row[_CHANGES + word] = old + (change * place << shift) & lookups.WORD
        return lookup


def _names(shape: Shape) -> range:
    """Return the names of all tiles."""
    return range(1, shape.size)


def _bit(cell: int) -> int:
    """Return the first bit of a cell in its word."""
    return 5 * (cell % CELLS)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))


@part
def _half(stack: Any, parent: Any, lookup: Any, entry: Any) -> Any:
    """Return where the value of a slot is after a move, in half bytes, and have it fetched."""
    half = half_word(stack, (parent << _1) + lookup[entry]) + lookup[entry + _1]
    prefetch(half >> _1)
    return half


@part
def _copy_four(stack: Any, source: Any, target: Any) -> None:
    """Copy four words, all of them read before the first is written."""
    first, second = stack[source], stack[source + _1]
    third, fourth = stack[source + _2], stack[source + _3]
    stack[target], stack[target + _1] = first, second
    stack[target + _2], stack[target + _3] = third, fourth


@part
def _change_four(stack: Any, source: Any, lookup: Any, change: Any, target: Any) -> None:
    """Write four index words after a move."""
    first = stack[source] + lookup[change]
    second = stack[source + _1] + lookup[change + _1]
    third = stack[source + _2] + lookup[change + _2]
    fourth = stack[source + _3] + lookup[change + _3]
    stack[target], stack[target + _1] = first, second
    stack[target + _2], stack[target + _3] = third, fourth


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
    lookup: Any,
    pairs: Any,
) -> None:
    """Search the nodes on the stack until it is empty, a goal is popped, or `budget` is spent.

    `control` and `shared` are those of `taquin.engine.cpu.sharing`; when a goal was popped at depth
    d, the blank's cells are the first d + 1 numbers of `path` behind the log, and calling again
    goes on behind it.

    `fixed` is where the slots of a row of `lookup` end, the address of `turn`, and 1 for the room
    of each partition; for each cell its exits as bits (from 8); for each *place*, four times the
    blank's cell plus the direction, the tile's cell, from bit 8 its word and from bit 16 its bit,
    from bit 24 the word of the blank's cell and from bit 32 its bit (from 48). `moves` has the
    directions of each set, 2 bits each, and from bit 8 their number.

    `lookup` has 36 words for each tile and direction: from which cells the move leads the tile away
    from home, as bits; the marks of room of the partitions that the first two slots judge, the
    first four, and all. From 4 on, four words a slot: which half of the node's words its index is,
    address of the value after the move for index 0, in half bytes, scale of the rooms that count
    it, shift of the value. From 28 on: the changes of the index words.

    `pairs` is True when every tile has one slot in each of two partitions, and there are four index
    words at most; else None, a type of its own, so that Numba makes two loops.
    """
    top = control[TOP]
    entries, turns, each_room = fixed[0], fixed[1], fixed[2]
    children = _U(len(stack) - SCRATCH)
    parents = children + _U(_RECORD * (4 * BATCH + 4))
    chosen = parents + _U(_PARENT * BATCH)
    longest = _U(len(path) - DEEPEST - BATCH)
    nodes: Any = 0
    control[FOUND] = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        first = max(0, top - BATCH, top - max(1, (budget - nodes) >> 2))
        low, high = _U(first) * _WIDTH, _U(top) * _WIDTH
        solved: Any = high
        for base in range(low, high, _WIDTH):
            if stack[base + _2] >> _DISTANCE & _1023 == _0:
                solved = base
        if solved < high:
            word = stack[solved + _2]
            tell_way(word >> _LOG, word >> _BLANK & _31, word >> _DEPTH & _511, control, path)
            for i in range(solved, high - _WIDTH):
                stack[i] = stack[i + _WIDTH]
            top -= 1
            break
        logged = stack[high - _WIDTH + _2] >> _LOG
        if logged > longest:
            shorten(stack, top, _WIDTH, _2, _LOG, path)
            logged = stack[high - _WIDTH + _2] >> _LOG

        # The nodes make room for their children.
        parent, end = parents, children
        for base in range(low, high, _WIDTH):
            _copy_four(stack, base, parent)
            _copy_four(stack, base + _4, parent + _4)
            stack[parent + _8] = stack[base + _8]
            if pairs is None:
                _copy_four(stack, base + _9, parent + _9)
            word = stack[base + _2]
            blank = word >> _BLANK & _31
            state = word >> _STATE & _65535
            prefetch(turns + (state << _3))
            path[logged] = (word >> _LOG) << _5 | blank
            logged += _1
            # What all children have in common.
            word ^= state << _STATE | blank << _BLANK | (word >> _LOG ^ logged) << _LOG
            stack[parent + _2] = word + (_1 << _DEPTH) - (_1 << _DISTANCE)
            stack[parent + _13] = state << _2
            choice = _U(moves[_U(allowed[state]) & fixed[_8 + blank]])
            place = (parent << _5 | blank) << _2
            stack[end] = place | choice & _3
            stack[end + _8] = place | choice >> _2 & _3
            stack[end + _16] = place | choice >> _4 & _3
            stack[end + _24] = place | choice >> _6 & _3
            end += (choice >> _8) << _3
            parent += _14
        nodes += np.int64(end - children) >> 3

        for child in range(children, end, _8):
            origin = stack[child]
            parent = origin >> _7
            move = fixed[_48 + (origin & _127)]
            tile = stack[parent + (move >> _8 & _255)] >> (move >> _16 & _63) & _31
            row = (tile << _2 | origin & _3) * _ROW
            stack[child + _1] = _half(stack, parent, lookup, row + _4)
            stack[child + _2] = _half(stack, parent, lookup, row + _8)
            stack[child + _5], stack[child + _6] = row, move | tile << _40

        count = chosen
        for child in range(children, end, _8):
            parent, row = stack[child] >> _7, stack[child + _5]
            values = stack[parent + _3]
            away = lookup[row] >> (stack[child + _6] & _31) & _1
            shift1, shift2 = lookup[row + _7], lookup[row + _11]
            rise1 = rise_at(stack[child + _1], values, shift1)
            rise2 = rise_at(stack[child + _2], values, shift2)
            left = stack[parent + _4] - away * each_room
            left -= rise1 * lookup[row + _6] + rise2 * lookup[row + _10]
            stack[child + _3] = values + (rise1 << shift1) + (rise2 << shift2)
            stack[child + _4], stack[child + _7] = left, away
            stack[count] = child
            marks = lookup[row + _1]
            count += _U(left & marks == marks)

        if pairs is None:
            judge = _2
            for entry in range(_12, entries, _8):
                for each in range(chosen, count):
                    child = stack[each]
                    parent, pair = stack[child] >> _7, stack[child + _5] + entry
                    stack[child + _1] = _half(stack, parent, lookup, pair)
                    stack[child + _2] = _half(stack, parent, lookup, pair + _4)
                last = count
                count = chosen
                for each in range(chosen, last):
                    child = stack[each]
                    values, row = stack[child + _3], stack[child + _5]
                    pair = row + entry
                    shift1, shift2 = lookup[pair + _3], lookup[pair + _7]
                    rise1 = rise_at(stack[child + _1], values, shift1)
                    rise2 = rise_at(stack[child + _2], values, shift2)
                    left = stack[child + _4]
                    left -= rise1 * lookup[pair + _2] + rise2 * lookup[pair + _6]
                    stack[child + _3] = values + (rise1 << shift1) + (rise2 << shift2)
                    stack[child + _4] = left
                    stack[count] = child
                    marks = lookup[row + judge]
                    count += _U(left & marks == marks)
                judge += _1

        kept = low
        for each in range(chosen, count):
            child = stack[each]
            origin, row, move = stack[child], stack[child + _5], stack[child + _6]
            parent = origin >> _7
            tile = move >> _40
            stack[kept], stack[kept + _1] = stack[parent], stack[parent + _1]
            word = stack[parent + _2] + (stack[child + _7] << _DISTANCE + _1)
            word += _U(turn[stack[parent + _13] | origin & _3]) << _STATE
            stack[kept + _2] = word + ((move & _31) << _BLANK)
            stack[kept + _3], stack[kept + _4] = stack[child + _3], stack[child + _4]
            _change_four(stack, parent + _5, lookup, row + _28, kept + _5)
            if pairs is None:
                _change_four(stack, parent + _9, lookup, row + _32, kept + _9)
            stack[kept + (move >> _8 & _255)] ^= tile << (move >> _16 & _63)
            stack[kept + (move >> _24 & _255)] ^= tile << (move >> _32 & _63)
            kept += _WIDTH
        top = first + np.int64(count - chosen)
    control[TOP] = top
    control[GENERATED] = nodes
    control[PATH] = np.int64(stack[_U(top - 1) * _WIDTH + _2] >> _LOG) if top else 0


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
    lookup: Any,
    pairs: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, lookup, pairs)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

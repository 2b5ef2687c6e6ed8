"""The search loop for grids of up to 16 cells: a node is eight 64-bit words, one cache line.

    word 0      the board, 4 bits a cell
    words 1-4   the indices of all patterns, one word for each of up to four partitions; a move
                flips bits of them, or adds to them where tables are indexed by rank
    word 5      table values now in force, 4 bits a pattern, three patterns a partition
    word 6      0-3    cell of the blank
                4-12   depth
                16-31  state of the automaton
                36-63  room left by each partition, 7 bits, the highest of which is the sign
    word 7      32-63  the parent's place in the log, counted from 1

*Room* is half of what the bound leaves after depth and heuristic. A table holds half of what a
pattern needs beyond Manhattan distance, and a move changes depth plus Manhattan distance by 0 or 2:
so every change is a small whole number, and a child's word 6 is its parent's, with the new state,
plus

    step[direction, tile, cell]           blank, depth, and one off all rooms if the tile strays

and less the *rise* of the table value in each partition's room. A child is dropped as soon as a
sign bit is set. (A negative room borrows from the next higher one only, which is read later.)

The stack is an array of nodes. The upper few are popped together: all their children are listed,
the addresses of their values in the first two partitions worked out and asked for, and only then
the values read, so that the processor waits for many reads at once. Those that have room left go
the same way through the other two partitions, and the survivors become nodes. None of these loops
branches on a single value.

A log leads back from a goal to the start (`taquin.engine.cpu.log`).

The plan makes the arrays of a goal, the kernel at the end searches with them. A kernel takes its
arrays one by one, more than other functions may: Numba knows each by its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import perm
from operator import getitem
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.cpu import lookups
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.log import shorten, tell_way
from taquin.engine.cpu.lookups import Slot
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
from taquin.system.native import atomic_load, load_byte, part, prefetch
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import Partition, PatternKey, rank
from taquin.tables.shape import Cells, Normal, Shape

WIDTH = 8
"""Words in a node."""
VIEWS = 4
"""Partitions a node has room for."""

BLANK, DEPTH, STATE, ROOM = 0, 4, 16, 36
"""First bit of each field of word 6."""

STATE_BITS = 16
"""Bits of the automaton's state."""
ROOM_BITS = 7
"""Bits of one partition's room, sign included."""
SCRATCH = 16 * (4 * BATCH + 4) + 8 * BATCH + 8 * BATCH
"""Words at the end of a stack for what is at work."""

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7, _8 = (_U(n) for n in range(9))
_9, _10, _15, _28, _32 = (_U(n) for n in (9, 10, 15, 28, 32))
_63, _64, _255, _511 = (_U(n) for n in (63, 64, 255, 511))
_PASSED = 64
_CHILD = _U(16)
_STATES = _U((1 << STATE_BITS) - 1)
_DEPTH, _STATE = _U(DEPTH), _U(STATE)
_ROOM0, _ROOM1, _ROOM2, _ROOM3 = (_U(ROOM + ROOM_BITS * view) for view in range(VIEWS))
_SIGN_BITS = [1 << ROOM + ROOM_BITS * view + ROOM_BITS - 1 for view in range(VIEWS)]
_FIRST_SIGNS = _U(_SIGN_BITS[0] | _SIGN_BITS[1])
_SIGNS = _U(sum(_SIGN_BITS))


_Changes: TypeAlias = tuple[tuple[int, int, int], ...]
"""What one move adds to a partition's word or flips in it: tile, partition, change."""


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
        ranked = any(slot.key.ranked for slot, *_ in self._fields)
        self._widening = [0] * 6 + [room_of_each(VIEWS), 0]
        fixed, _, *others = common_arguments(shape, automaton, VIEWS)
        kinds = self._kinds(shape, ranked)
        stride = (4 + len(kinds) - 1).bit_length()
        fixed[2:5] = len(partitions) > 2, 1 << stride, stride + 2
        fixed[5] = max(shape.rows, shape.columns) - 1
        lookup = self._lookup(kinds, 1 << stride)
        for kind, places in enumerate(kinds.values(), 4):
            for place in places:
                fixed[32 + place] += kind
        passing = self._passing(shape) if ranked else None
        self.arguments = Arguments(
            fixed, lookups.counted_directions(), *others, lookup.reshape(-1), passing
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * WIDTH
        sums = [0] * VIEWS
        for slot, view, shift, value_shift in self._fields:
            index = _index(slot.key, slot.digits(where))
            value = value_at(self._tables[slot.key], index)
            words[1 + view] |= index << shift
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

    def _lookup(self, kinds: Iterable[_Changes], width: int) -> NDArray[np.uint64]:
        lookup = np.zeros((16, VIEWS, width), np.uint64)
        for slot, view, shift, value_shift in self._fields:
            address = 2 * self._tables[slot.key].ctypes.data
            mask = (1 << _bits(slot.key)) - 1
            lookup[slot.names, view, :4] = shift, mask, address, value_shift
        for kind, changes in enumerate(kinds, 4):
            for name, view, change in changes:
                lookup[name, view, kind] = change
        return lookup

    def _kinds(self, shape: Shape, ranked: bool) -> dict[_Changes, list[int]]:
        """Return what moves change in the words, each with the places of those that do so.

        Moves that change the same, whichever tile goes, are of one kind: there are four on 4 x 4,
        and so the processor has them at hand. Bits are flipped; where there are tables by rank,
        numbers are added, less what the tiles add that are passed.
        """
        kinds: dict[_Changes, list[int]] = {}
        for hole, near in enumerate(shape.steps):
            for direction, cell in near:
                changes = []
                for slot, view, shift, _ in self._fields:
                    key, old, new = slot.key, slot.image[cell], slot.image[hole]
                    if key.ranked:
                        steps = [(new - old) * weight for weight in _weights(key)]
                    elif ranked:
                        steps = [spots[new] - spots[old] for spots in key.spots]
                    else:
                        steps = [spots[new] ^ spots[old] for spots in key.spots]
                    for name, step in zip(slot.names, steps, strict=True):
                        changes.append((name, view, (step << shift) & lookups.WORD))
                kinds.setdefault(tuple(changes), []).append(4 * hole + direction)
        return kinds

    def _passing(self, shape: Shape) -> NDArray[np.uint64]:
        """Return which tiles each move passes in the order of a table, and what that changes."""
        images = list(dict.fromkeys(slot.image for slot, *_ in self._fields))
        blocks = _PASSED + 2 * VIEWS * 256
        found = np.zeros(blocks + 512 * len(images), np.uint64)
        for number, image in enumerate(images):
            block = found[blocks + 512 * number :].reshape(-1, 8)
            for hole, near in enumerate(shape.steps):
                for direction, cell in near:
                    passed = block[4 * hole + direction]
                    old, new = image[cell], image[hole]
                    between = range(min(old, new) + 1, max(old, new))
                    # The blank stands for a tile that is not there and changes nothing.
                    passed[:7] = 4 * hole
                    passed[: len(between)] = [4 * image.index(each) for each in between]
                    passed[7] = 256 * (new < old)
        changes = found[_PASSED:blocks].reshape(VIEWS, 2, 16, 16)
        for slot, view, shift, _ in self._fields:
            found[[4 * name + view for name in slot.names]] = blocks + 512 * images.index(
                slot.image
            )
            if not slot.key.ranked:
                continue
            weights = _weights(slot.key)
            for i, name in enumerate(slot.names):
                for j, other in enumerate(slot.names):
                    change = weights[j] if j > i else -weights[i] if j < i else 0
                    changes[view, 0, name, other] = (change << shift) & lookups.WORD
                    changes[view, 1, name, other] = (-change << shift) & lookups.WORD
        return found


@cache
def _weights(key: PatternKey) -> Cells:
    """Return the place value of each tile's digit in a rank."""
    size = len(key.tiles)
    return tuple(perm(key.cells - 1 - i, size - 1 - i) for i in range(size))


def _index(key: PatternKey, digits: Cells) -> int:
    """Return the index of the value for tiles in these cells of the table's grid."""
    return rank(key.cells, digits) if key.ranked else sum(map(getitem, key.spots, digits))


def _bits(key: PatternKey) -> int:
    """Return the bits that an index takes."""
    return (key.configurations - 1).bit_length() if key.ranked else 4 * len(key.tiles)


def _fields(slots: Sequence[Slot]) -> list[tuple[Slot, int, int, int]]:
    """Give each pattern its bits: slot, partition, first bit of its index and of its value.

    A pattern that two partitions hold is looked up for each: their words are separate.
    """
    fields = []
    for view in range(VIEWS):
        shift, value_shift = 0, 12 * view
        for slot in slots:
            if view in slot.views:
                fields.append((slot, view, shift, value_shift))
                shift += _bits(slot.key)
                value_shift += 4
    return fields


def common_arguments(shape: Shape, automaton: Automaton, views: int) -> tuple[NDArray[Any], ...]:
    """Return the arguments of both kernels: fixed, moves, allowed, turn and step."""
    fixed = np.zeros(32 + 64, np.uint64)
    numbers = lookups.fixed_numbers(shape)
    fixed[: len(numbers)] = numbers
    fixed[:2] = pack(shape.goal), shape.size
    for hole, near in enumerate(shape.steps):
        for direction, cell in near:
            place = 4 * hole + direction
            fixed[32 + place] = cell << 10 | place << 35
    step = np.zeros((4, 16, 16), np.uint64)
    rooms = room_of_each(views)
    for name, hole, direction, cell, strays in lookups.tile_moves(shape):
        change = (cell - hole << BLANK) + (1 << DEPTH) - rooms * strays
        step[direction, name, cell] = change & lookups.WORD
    return (
        fixed,
        lookups.listed_directions(),
        np.array(automaton.allowed, np.uint8),
        lookups.followers(automaton),
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


@part
def _moved(
    cells: Any, board: Any, entry: Any, view: Any, move: Any, lookup: Any, passing: Any, most: Any
) -> Any:
    """Return a partition's word after a move of the tile of `entry`; `move` is from `fixed`."""
    change = lookup[entry + (move & _255)]
    if passing is None:
        return cells ^ change
    cells += change
    tile = move >> _28 & _15
    at = passing[(tile << _2) + view] + (move >> _32)
    row = passing[at + _7] + (view << _9) + (tile << _4) + _64
    cells += passing[row + (board >> passing[at] & _15)]
    cells += passing[row + (board >> passing[at + _1] & _15)]
    cells += passing[row + (board >> passing[at + _2] & _15)]
    for more in range(_3, most):
        cells += passing[row + (board >> passing[at + _U(more)] & _15)]
    return cells


@part
def _half(cells: Any, lookup: Any, entry: Any) -> Any:
    """Return where the value for a partition's word is, in half bytes, and have it fetched."""
    half = (cells >> lookup[entry] & lookup[entry + _1]) + lookup[entry + _2]
    prefetch(half >> _1)
    return half


@part
def rise_at(half: Any, values: Any, shift: Any) -> Any:
    """Return by how much the value there is more than the one in force."""
    value = load_byte(half >> _1) >> ((half & _1) << _2) & _15
    return value - (values >> shift & _15)


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
    step: Any,
    lookup: Any,
    passing: Any,
) -> None:
    """Search the nodes on the stack until it is empty, a goal is popped, or `budget` is spent.

    `control` and `shared` are those of `taquin.engine.cpu.sharing`; when a goal was popped at depth
    d, the blank's cells are the first d + 1 numbers of `path` behind the log, and calling again
    goes on behind it.

    `fixed` is goal board, number of cells, whether more than two partitions count, words of a row
    of `lookup`, binary logarithm of four rows, most cells that a move passes; for each cell its
    exits as bits (from 8); for each *place*, four times the blank's cell plus the direction, the
    kind of move, from bit 10 the tile's cell and from bit 35 the place (from 32). `moves` has the
    directions of each set, 2 bits each, and from bit 8 their number. `lookup` has a row for each
    tile and partition: shift and mask of the index, address of the table in half bytes, shift of
    the value; then, by kind of move, what it changes in the partition's word.

    `passing` is None when no table is indexed by rank: a type of its own, so that Numba makes two
    loops. Else it has, by tile and partition, where the moves of a table's grid begin; from 64, by
    partition, whether the cell's number falls, moved tile and passed one, what that adds to the
    partition's word; and for the moves of a grid, eight words a place: the bits of the board with
    the tiles that are passed, at most seven, and 256 if the cell's number falls.
    """
    top = control[TOP]
    goal, more, view, stride, most = fixed[0], fixed[2], fixed[3], fixed[4], fixed[5]
    children = _U(len(stack) - SCRATCH)
    parents = children + _U(16 * (4 * BATCH + 4))
    chosen = parents + _U(8 * BATCH)
    longest = _U(len(path) - DEEPEST - BATCH)
    nodes: Any = 0
    control[FOUND] = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        first = max(0, top - BATCH, top - max(1, (budget - nodes) >> 2))
        low, high = _U(first) << _3, _U(top) << _3
        solved: Any = high
        for base in range(low, high, _8):
            if stack[base] == goal:
                solved = base
        if solved < high:
            word = stack[solved + _6]
            way = stack[solved + _7] >> _32
            tell_way(way, word & _15, word >> _DEPTH & _511, control, path)
            for word in range(solved, high - _8):
                stack[word] = stack[word + _8]
            top -= 1
            break
        logged = stack[high - _1] >> _32
        if logged > longest:
            shorten(stack, top, _8, _7, _32, path)
            logged = stack[high - _1] >> _32

        # The nodes make room for their children.
        parent, end = parents, children
        for base in range(low, high, _8):
            for i in range(_8):
                stack[parent + i] = stack[base + i]
            word = stack[base + _6]
            blank = word & _15
            state = word >> _STATE & _STATES
            path[logged] = (stack[base + _7] >> _32) << _5 | blank
            logged += _1
            stack[parent + _7] = logged << _32
            choice = _U(moves[_U(allowed[state]) & fixed[_8 + blank]])
            place = (parent << _8 | blank) << _2
            stack[end] = place | choice & _3
            stack[end + _CHILD] = place | choice >> _2 & _3
            stack[end + _2 * _CHILD] = place | choice >> _4 & _3
            stack[end + _3 * _CHILD] = place | choice >> _6 & _3
            end += (choice >> _8) << _4
            parent += _8
        nodes += np.int64(end - children) >> 4

        for child in range(children, end, _CHILD):
            origin = stack[child]
            parent = origin >> _10
            board = stack[parent]
            move = fixed[_32 + (origin & _63)]
            tile = board >> (move >> _8 & _63) & _15
            move |= tile << _28
            entry = tile << stride
            cells1 = _moved(stack[parent + _1], board, entry, _0, move, lookup, passing, most)
            cells2 = _moved(
                stack[parent + _2], board, entry + view, _1, move, lookup, passing, most
            )
            stack[child + _1] = _half(cells1, lookup, entry)
            stack[child + _2] = _half(cells2, lookup, entry + view)
            stack[child + _3], stack[child + _4] = cells1, cells2
            stack[child + _7] = move

        count = chosen
        for child in range(children, end, _CHILD):
            origin, move = stack[child], stack[child + _7]
            parent = origin >> _10
            values, word = stack[parent + _5], stack[parent + _6]
            state = word >> _STATE & _STATES
            direction = origin & _3
            tile = move >> _28 & _15
            entry = tile << stride
            shift1, shift2 = lookup[entry + _3], lookup[entry + view + _3]
            rise1 = rise_at(stack[child + _1], values, shift1)
            rise2 = rise_at(stack[child + _2], values, shift2)
            values += (rise1 << shift1) + (rise2 << shift2)
            word += (_U(turn[state << _2 | direction]) - state) << _STATE
            word += step[(direction << _4 | tile) << _4 | (move >> _10 & _15)]
            word -= (rise1 << _ROOM0) + (rise2 << _ROOM1)
            stack[child + _5], stack[child + _6] = values, word
            stack[count] = child
            count += _U(word & _FIRST_SIGNS == _0)

        if more:
            for each in range(chosen, count):
                child = stack[each]
                parent, move = stack[child] >> _10, stack[child + _7]
                board = stack[parent]
                entry = ((move >> _28 & _15) << stride) + view + view
                cells3 = _moved(stack[parent + _3], board, entry, _2, move, lookup, passing, most)
                cells4 = _moved(
                    stack[parent + _4], board, entry + view, _3, move, lookup, passing, most
                )
                stack[child + _1] = _half(cells3, lookup, entry)
                stack[child + _2] = _half(cells4, lookup, entry + view)
                stack[child + _8], stack[child + _9] = cells3, cells4
            last = count
            count = chosen
            for each in range(chosen, last):
                child = stack[each]
                values, word, move = stack[child + _5], stack[child + _6], stack[child + _7]
                entry = ((move >> _28 & _15) << stride) + view + view
                shift3, shift4 = lookup[entry + _3], lookup[entry + view + _3]
                rise3 = rise_at(stack[child + _1], values, shift3)
                rise4 = rise_at(stack[child + _2], values, shift4)
                stack[child + _5] = values + (rise3 << shift3) + (rise4 << shift4)
                word -= (rise3 << _ROOM2) + (rise4 << _ROOM3)
                stack[child + _6] = word
                stack[count] = child
                count += _U(word & _SIGNS == _0)

        kept = low
        for each in range(chosen, count):
            child = stack[each]
            parent, move = stack[child] >> _10, stack[child + _7]
            tile = move >> _28 & _15
            hole = stack[parent + _6] & _15
            stack[kept] = stack[parent] ^ tile << (move >> _8 & _63) ^ tile << (hole << _2)
            stack[kept + _1], stack[kept + _2] = stack[child + _3], stack[child + _4]
            stack[kept + _3], stack[kept + _4] = stack[child + _8], stack[child + _9]
            stack[kept + _5], stack[kept + _6] = stack[child + _5], stack[child + _6]
            stack[kept + _7] = stack[parent + _7]
            kept += _8
        top = np.int64(kept >> _3)
    control[TOP] = top
    control[GENERATED] = nodes
    control[PATH] = np.int64(stack[(_U(top) << _3) - _1] >> _32) if top else 0


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
    step: Any,
    lookup: Any,
    passing: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, step, lookup, passing)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

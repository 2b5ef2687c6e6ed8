"""What the loops of `taquin.engine.packed` and `taquin.engine.plain` need to know about a goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import getitem
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.engine import packed
from taquin.engine.automaton import Automaton
from taquin.engine.normal import Normal
from taquin.engine.shared_plan import (
    WORD,
    Start,
    fixed_numbers,
    listed_directions,
    state_changes,
    tile_moves,
)
from taquin.engine.slots import Slot, slots_of
from taquin.tables.build import Table
from taquin.tables.geometry import Cells, steps
from taquin.tables.index import rank, value_at
from taquin.tables.patterns import Partition, PatternKey


class PackedPlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 16 cells."""

    width = packed.WIDTH

    def __init__(
        self,
        rows: int,
        cols: int,
        blank: int,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
    ) -> None:
        self._tables = tables
        # Partitions are read in pairs: the last of an odd number keeps itself company.
        paired = (*partitions, *partitions[len(partitions) & ~1 :])
        self._fields = _fields(slots_of(rows, cols, blank, paired))
        self._work: Any = packed.work
        self._ranked = True if any(slot.key.ranked for slot, *_ in self._fields) else None
        self._widening = [0] * 6 + [_room_of_each(packed.VIEWS), 0]
        fixed, *others = _common(
            rows, cols, blank, automaton, packed.VIEWS, more=len(partitions) > 2
        )
        lookup = self._lookup()
        for (hole, direction), kind in self._flips(rows, cols, lookup).items():
            fixed[32 + 4 * hole + direction] = kind
        self._arguments = (fixed, *others, lookup.reshape(-1))

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * packed.WIDTH
        sums = [0] * packed.VIEWS
        for slot, view, shift, value_shift in self._fields:
            digits = slot.digits(where)
            index = sum(map(getitem, _spots(slot.key), digits))
            words[1 + view] |= index << shift
            if slot.key.ranked:
                index = rank(slot.key.cells, digits)
            value = value_at(self._tables[slot.key], index)
            words[5] |= value << value_shift
            sums[view] += value
        words[0] = _pack(normal.board)
        words[6] = where[0] << packed.BLANK
        for view, total in enumerate(sums):
            words[6] |= (max(sums) - total) << _room(view)
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    def work(
        self,
        shared: NDArray[np.int64],
        stacks: NDArray[np.uint64],
        paths: NDArray[np.uint8],
        controls: NDArray[np.int64],
        member: int,
        budget: int,
    ) -> None:
        """Search on; see `taquin.engine.packed.walk`."""
        self._work(shared, stacks, paths, controls, member, budget, *self._arguments, self._ranked)

    def _lookup(self) -> NDArray[np.uint64]:
        lookup = np.zeros((16, packed.VIEWS, 64), np.uint64)
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

    def _flips(
        self, rows: int, cols: int, lookup: NDArray[np.uint64]
    ) -> dict[tuple[int, int], int]:
        """Enter what each move flips; return the kind of each move, by blank's cell and direction.

        Moves that flip the same bits, whichever tile goes, are of one kind: there are few on 4 x 4,
        and so the processor has them at hand.
        """
        kinds: dict[tuple[int, ...], int] = {}
        found = {}
        for hole, near in enumerate(steps(rows, cols)):
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


class PlainPlan:
    """The arrays of one goal and one automaton for Manhattan distance on up to 16 cells."""

    width = 2

    def __init__(self, rows: int, cols: int, blank: int, automaton: Automaton) -> None:
        from taquin.engine import plain

        self._work: Any = plain.work
        self._arguments = (
            *_common(rows, cols, blank, automaton, 1, more=False),
            np.zeros(1, np.uint64),
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        words = [_pack(normal.board), normal.board.index(0) << packed.BLANK]
        return Start(normal.manhattan, words, [0, _room_of_each(1)])

    def work(
        self,
        shared: NDArray[np.int64],
        stacks: NDArray[np.uint64],
        paths: NDArray[np.uint8],
        controls: NDArray[np.int64],
        member: int,
        budget: int,
    ) -> None:
        """Search on; see `taquin.engine.plain`."""
        self._work(shared, stacks, paths, controls, member, budget, *self._arguments)


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
    for view in range(packed.VIEWS):
        shift, value_shift = 0, 12 * view
        for slot in slots:
            if view in slot.views:
                fields.append((slot, view, shift, value_shift))
                shift += 4 * len(slot.names)
                value_shift += 4
    return fields


def _common(
    rows: int, cols: int, blank: int, automaton: Automaton, views: int, *, more: bool
) -> tuple[NDArray[Any], ...]:
    """Return the arguments of both kernels: fixed, moves, allowed, turn and step."""
    fixed = np.zeros(32 + 64, np.uint64)
    numbers = fixed_numbers(rows, cols)
    fixed[: len(numbers)] = numbers
    fixed[:3] = _pack(Normal(rows, cols, blank, ()).goal), rows * cols, more
    step = np.zeros((4, 16, 16), np.uint64)
    for name, hole, direction, cell, strays in tile_moves(rows, cols, blank):
        change = (cell - hole << packed.BLANK) + (1 << packed.DEPTH)
        if strays:
            change -= _room_of_each(views)
        step[direction, name, cell] = change & WORD
    return (
        fixed,
        listed_directions(),
        np.array(automaton.allowed, np.uint8),
        state_changes(automaton, packed.STATE),
        step.reshape(-1),
    )


def _room(view: int) -> int:
    """Return the first bit of a partition's room."""
    return packed.ROOM + packed.ROOM_BITS * view


def _room_of_each(views: int) -> int:
    """Return the word that has 1 in the rooms of the first `views` partitions."""
    return sum(1 << _room(view) for view in range(views))


def _pack(board: Cells) -> int:
    return sum(name << 4 * cell for cell, name in enumerate(board))

"""The records of a goal for the kernel of grids of up to 25 cells, `kernels/ida25.c`.

A tile has up to six slots (three partitions and their mirror images). In the usual case, a
partition and its mirror image, each tile has two, and nodes are narrower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import NamedTuple

from taquin.engine.cpu import layout
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import Moves, Words
from taquin.engine.cpu.team import Start, TeamMemory
from taquin.system.arrays import uint8, uint64, zeros
from taquin.system.compiled import Call, Compiled
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape

VIEWS = 6
"""The maximum number of partitions of a node."""
SLOTS = 16
"""Slots in a node."""

BOARD, FACTS, VALUES, SLACKS, INDICES, WIDTH = 0, 2, 3, 4, 5, 13
"""The words of a node, and their number."""
BLANK, DISTANCE = 5, 19
"""First bits of fields of a node's facts."""
BOARD_CELLS = 12
"""Cells in a word of the board."""
LANE = 10
"""Bits of the slack under a partition, with its mark."""
SLACK_MARK = 1 << LANE - 1
"""The mark of slack that is not negative."""
NO_INDEX = 27
"""The place, among the half words of a parent, of an index that is always 0."""
FROM_WORD, FROM_SHIFT, TO_WORD, TO_SHIFT = 8, 16, 24, 32
"""First bits of the fields of a move after the tile's cell: the word and the bit of that cell on
the board, and those of the blank's cell."""

AWAY, MARKS, SLOT, SLOT_WIDTH, CHANGES, ROW_WIDTH = 0, 1, 4, 4, 28, 36
"""The words of a row of the lookup, for one move of a tile: the cells, as bits, from which it
leads away from home; the marks of the partitions that the first two slots judge, the first four,
and all; six slots of index, address, scale and shift; what changes in the words of indices."""


class WideTree(NamedTuple):
    """A goal on up to 25 cells, with up to six slots for each tile."""

    moves: Moves
    """The moves; for each place the tile's cell and the fields of a move."""
    lookup: Words
    """A row for each tile and direction."""
    rounds: int
    """Pairs of slots that are read."""
    each_slack: int
    """1 in the lane of each partition."""
    is_narrow: int
    """Whether each tile has two slots, and a node no more than four words of indices."""


class WideWork(NamedTuple):
    """A part of the search that one member of a team does."""

    team: TeamMemory
    me: int
    budget: int
    tree: WideTree


_SEARCH = Compiled("ida25", WideWork)


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
        # Without partitions, Manhattan distance alone determines the slack.
        self._views = max(1, len(partitions))
        self._slots = layout.slots_of(shape, partitions)
        self._nothing = zeros(1, uint8)
        self._widening = [0] * self.width
        each_slack = sum(1 << LANE * view for view in range(self._views))
        self._widening[SLACKS] = each_slack
        names = range(1, shape.size)
        slots_of_a_tile = [sum(name in slot.names for slot in self._slots) for name in names]
        self.tree = WideTree(
            layout.moves_of(shape, automaton, _move),
            self._lookup(shape),
            (max(slots_of_a_tile) + 1) // 2,
            each_slack,
            len(self._slots) <= 8 and set(slots_of_a_tile) == {2},
        )

    def work(self, team: TeamMemory, member: int) -> Call:
        """Return the kernel that searches as a member of a team."""
        return _SEARCH.given(WideWork(team, member, 0, self.tree))

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * self.width
        for cell, name in enumerate(normal.board):
            words[cell // BOARD_CELLS] |= name << _bit(cell)
        words[FACTS] |= where[0] << BLANK | normal.manhattan << DISTANCE
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[VALUES] |= value << 4 * number
            words[INDICES + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view, total in enumerate(sums):
            words[SLACKS] |= SLACK_MARK + max(sums) - total << LANE * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    def _lookup(self, shape: Shape) -> Words:
        lookup = zeros((32 * 4, ROW_WIDTH), uint64)
        first, width, changes = SLOT, SLOT_WIDTH, CHANGES
        for name, _, direction, cell, strays in layout.tile_moves(shape):
            lookup[4 * name + direction, AWAY] |= strays << cell
        # A tile with fewer slots than others reads a constant index and value of 0 instead, or its
        # first slot again, whose value is already current.
        nothing = (NO_INDEX, 2 * self._nothing.address, 0, 4 * (SLOTS - 1))
        for name in range(1, shape.size):
            slots = [(n, slot) for n, slot in enumerate(self._slots) if name in slot.names]
            for pair in range(VIEWS // 2):
                # A partition is judged once the tile's value in it is read, if it has one.
                pending = {view for _, slot in slots[2 * pair + 2 :] for view in slot.views}
                judged = set(range(self._views)) - pending
                for direction in range(4):
                    mark = sum(SLACK_MARK << LANE * view for view in judged)
                    lookup[4 * name + direction, MARKS + pair] = mark
            for direction in range(4):
                lookup[4 * name + direction][first:changes] = VIEWS * nothing
            again = [slots[0]] * (VIEWS - len(slots)) if len(slots) > 1 else []
            for k, (number, slot) in enumerate([*slots, *again]):
                word, shift = number // 2, 32 * (number & 1)
                address = 2 * self._tables[slot.key].address
                scale = sum(1 << LANE * view for view in slot.views)
                place = _places(slot.key)[slot.names.index(name)]
                for direction, change in enumerate(slot.shifts):
                    row = lookup[4 * name + direction]
                    row[first + width * k : first + width * (k + 1)] = (
                        2 * INDICES + number,
                        address + change * place,
                        scale,
                        4 * number,
                    )
                    if k < len(slots):
                        old = row[changes + word]
                        row[changes + word] = old + (change * place << shift) & layout.WORD
        return lookup.in_line()


def _move(place: int, blank: int, cell: int) -> int:
    """Return the word of a move: the tile's cell, and the positions of both cells on the board."""
    fields = (
        (FROM_WORD, cell // BOARD_CELLS),
        (FROM_SHIFT, _bit(cell)),
        (TO_WORD, blank // BOARD_CELLS),
        (TO_SHIFT, _bit(blank)),
    )
    return cell | sum(number << shift for shift, number in fields)


def _bit(cell: int) -> int:
    return 5 * (cell % BOARD_CELLS)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))

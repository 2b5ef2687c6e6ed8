"""The records of one goal on up to 25 cells for the search loop of `wide.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul

from taquin.engine.cpu import lookups
from taquin.engine.cpu import wide as at
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import Words
from taquin.engine.cpu.stacks import Start
from taquin.engine.cpu.wide import BOARD_CELLS, LANE, SLACK_MARK, SLOTS, VIEWS, PairTree, WideTree
from taquin.system.arguments import Arguments
from taquin.system.arrays import uint8, uint64, zeros
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape


class WidePlan:
    """The arrays of one goal, one automaton and up to six partitions on up to 25 cells."""

    width = int(at.WIDTH)

    def __init__(
        self,
        shape: Shape,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
    ) -> None:
        self._tables = tables
        # Without any partition, Manhattan distance alone decides the first slack.
        self._views = max(1, len(partitions))
        self._slots = lookups.slots_of(shape, partitions)
        self._nothing = zeros(1, uint8)
        self._widening = [0] * self.width
        each_slack = sum(1 << LANE * view for view in range(self._views))
        self._widening[at.SLACKS] = each_slack
        names = range(1, shape.size)
        slots_of_a_tile = [sum(name in slot.names for slot in self._slots) for name in names]
        pairs_of_a_tile = (max(slots_of_a_tile) + 1) // 2
        moves = lookups.moves_of(shape, automaton, _move)
        tree = WideTree(
            moves,
            moves.follow.address,
            self._lookup(shape),
            int(at.SLOT) + 2 * int(at.SLOT_WIDTH) * pairs_of_a_tile,
            each_slack,
        )
        is_pairs = len(self._slots) <= 8 and set(slots_of_a_tile) == {2}
        self.tree = Arguments(PairTree(tree) if is_pairs else tree)

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        words = [0] * self.width
        for cell, name in enumerate(normal.board):
            words[cell // BOARD_CELLS] |= name << _bit(cell)
        words[at.FACTS] |= where[0] << int(at.BLANK) | normal.manhattan << int(at.DISTANCE)
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[at.VALUES] |= value << 4 * number
            words[int(at.INDICES) + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view, total in enumerate(sums):
            words[at.SLACKS] |= SLACK_MARK + max(sums) - total << LANE * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    def _lookup(self, shape: Shape) -> Words:
        lookup = zeros((32 * 4, int(at.ROW_WIDTH)), uint64)
        first, width, changes = int(at.SLOT), int(at.SLOT_WIDTH), int(at.CHANGES)
        for name, _, direction, cell, strays in lookups.tile_moves(shape):
            lookup[4 * name + direction, at.AWAY] |= strays << cell
        # A tile in fewer slots than others reads an index and a value that stay 0 in their place,
        # or its first slot once more, whose value is in force by then.
        nothing = (2 * int(at.PARENT_WIDTH) - 1, 2 * self._nothing.address, 0, 4 * (SLOTS - 1))
        for name in range(1, shape.size):
            slots = [(n, slot) for n, slot in enumerate(self._slots) if name in slot.names]
            for pair in range(VIEWS // 2):
                # A partition is judged once the tile's value in it is read, if it has one.
                pending = {view for _, slot in slots[2 * pair + 2 :] for view in slot.views}
                judged = set(range(self._views)) - pending
                for direction in range(4):
                    mark = sum(SLACK_MARK << LANE * view for view in judged)
                    lookup[4 * name + direction, int(at.MARKS) + pair] = mark
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
                        2 * int(at.INDICES) + number,
                        address + change * place,
                        scale,
                        4 * number,
                    )
                    if k < len(slots):
                        old = row[changes + word]
                        row[changes + word] = old + (change * place << shift) & lookups.WORD
        return lookup.in_line()


def _move(place: int, blank: int, cell: int) -> int:
    """Return the word of a move: the tile's cell, and where both cells are on the board."""
    fields = (
        (at.FROM_WORD, cell // BOARD_CELLS),
        (at.FROM_SHIFT, _bit(cell)),
        (at.TO_WORD, blank // BOARD_CELLS),
        (at.TO_SHIFT, _bit(blank)),
    )
    return cell | sum(number << int(shift) for shift, number in fields)


def _bit(cell: int) -> int:
    return 5 * (cell % BOARD_CELLS)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))

"""Nodes for grids of up to 25 cells: thirteen 64-bit words.

    BOARD      two words: the board, 5 bits a cell, 12 cells a word
    FACTS      0-4    cell 24
               5-9    cell of the blank
               10-18  depth
               19-28  Manhattan distance
               29-44  state of the automaton
               45-63  the parent's place in the log, counted from 1
    VALUES     current table values, 4 bits a slot
    SLACKS     slack under each of up to six partitions, plus 2^9, in 10 bits each: bit 9 is set
               while slack is not negative, and no lane ever borrows from the next; and in bit 60
               whether the node is ahead of the bound
    INDICES    eight words: table indices, 32 bits a slot, two in a word

    8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8:
    5 4 3
    2 1 .      BOARD    0x8864298e8, 0x0      the 8 in cell 0 lowest, 5 bits a cell
               FACTS    0xa00100              blank in cell 8, depth 0, Manhattan distance 20
               VALUES   0x12                  2 and 1, so the heuristic is 20 + 2 · 3 = 26
               SLACKS   0x201                 slack 1, (28 - 26) / 2, and bit 9
               INDICES  0x876500008743        that of 1 2 3 4 in the lower half; seven times 0x0

A tile has up to six slots (three partitions and their mirror images). Each round of lookups reads
two of them, for the children that have slack left after the round before. The usual case, a
partition and its mirror image, is a `PairTree`, with two slots for each tile and narrower nodes.

The steps of the loop come first (`loop.py` calls them), then `WidePlan`, which makes the records of
one goal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from typing import NamedTuple

from taquin.engine.cpu import layout
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import (
    DIRECTION,
    DIRECTION_BITS,
    FOUR,
    ONE,
    STATES,
    THREE,
    TWO,
    ZERO,
    Moves,
    Word,
    Words,
    copy_four,
    rise_at,
)
from taquin.engine.cpu.loop import ORIGIN, PARENT, PLACE, NodeLayout, NodeSteps, search_loop
from taquin.engine.cpu.team import Member, Start, search
from taquin.system.arrays import Arguments, uint8, uint64, zeros
from taquin.system.native import half_word, inlined, prefetch
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey
from taquin.tables.shape import Cells, Normal, Shape

VIEWS = 6
"""The maximum number of partitions of a node."""
SLOTS = 16
"""Slots in a node."""

BOARD, FACTS, VALUES, SLACKS, INDICES, WIDTH = (Word(n) for n in (0, 2, 3, 4, 5, 13))
"""The words of a node, and their number."""
MORE_INDICES = Word(INDICES + FOUR)
"""The last four words of indices, which a `PairTree` does without."""
BLANK, DEPTH, DISTANCE, STATE, LOG = (Word(n) for n in (5, 10, 19, 29, 45))
"""First bit of each field of FACTS but cell 24."""
CELLS, DISTANCES = Word(31), Word(1023)
"""The masks of a cell or a tile, and of a distance."""
BOARD_CELLS = 12
"""Cells in a word of the board."""
LANE = 10
"""Bits of the slack under a partition, with its mark."""
SLACK_MARK = 1 << LANE - 1
"""The mark of slack that is not negative."""
AHEAD, EXTRA = Word(60), Word(61)
"""The bits of SLACKS that say that a node is ahead of the bound, and, in scratch memory, that slack
has an extra unit."""

STATE_ROW, PARENT_WIDTH = Word(13), Word(14)
"""A parent in scratch memory is a node and then the row of its state in `Moves.follow`."""
HALVES, NEW_VALUES, NEW_SLACKS, ROW, MOVE, STRAYS, CHILD = (Word(n) for n in (1, 3, 4, 5, 6, 7, 8))
"""The words of a child in scratch memory after its origin: the halves of the values of two slots,
its VALUES and SLACKS, its row in the lookup, its move, whether the tile strays; and their
number."""
FROM_WORD, FROM_SHIFT, TO_WORD, TO_SHIFT, MOVE_TILE = (Word(n) for n in (8, 16, 24, 32, 40))
"""First bits of the fields of a move after the tile's cell: the word and the bit of that cell on
the board, those of the blank's cell, and the tile."""
WORDS, SHIFTS = Word(255), Word(63)
"""The masks of the number of a word, and of a shift."""

AWAY, MARKS, SLOT, SLOT_WIDTH, CHANGES, MORE_CHANGES, ROW_WIDTH = (
    Word(n) for n in (0, 1, 4, 4, 28, 32, 36)
)
"""The words of a row of the lookup, for one move of a tile: the cells, as bits, from which it
leads away from home; the marks of the partitions that the first two slots judge, the first four,
and all; six slots; what changes in the words of indices."""
SLOT_INDEX, SLOT_ADDRESS, SLOT_SCALE, SLOT_SHIFT = (Word(n) for n in range(4))
"""The words of a slot: the place of its index among the half words of a node, the half of the value
after the move for index 0, 1 in the lanes of the slacks that count it, first bit of the value."""

LAYOUT = NodeLayout(
    *(WIDTH, FACTS, BLANK, CELLS, DEPTH, STATE, FACTS, LOG, SLACKS, AHEAD, CHILD, PARENT_WIDTH)
)


class WideTree(NamedTuple):
    """A goal on up to 25 cells, with up to six slots for each tile."""

    moves: Moves
    """The moves; for each place the tile's cell and the fields of a move."""
    follow_address: int
    """Where `Moves.follow` is."""
    lookup: Words
    """A row for each tile and direction."""
    last_slot: int
    """Where in a row the slots end that are read."""
    each_slack: int
    """1 in the lane of each partition."""


class PairTree(NamedTuple):
    """A goal with two slots for each tile, and four words of indices at most."""

    wide: WideTree


@inlined
def _change_four(stack: Words, source: Word, lookup: Words, change: Word, target: Word) -> None:
    """Write four words of indices after a move."""
    first = stack[source] + lookup[change]
    second = stack[source + ONE] + lookup[change + ONE]
    third = stack[source + TWO] + lookup[change + TWO]
    fourth = stack[source + THREE] + lookup[change + THREE]
    stack[target], stack[target + ONE] = first, second
    stack[target + TWO], stack[target + THREE] = third, fourth


@inlined
def _half(stack: Words, parent: Word, lookup: Words, slot: Word) -> Word:
    """Return the half of the value of a slot after a move, and prefetch it."""
    index = half_word(stack, (parent << ONE) + lookup[slot + SLOT_INDEX])
    half: Word = index + lookup[slot + SLOT_ADDRESS]
    prefetch(half >> ONE)
    return half


@inlined
def _fetch(stack: Words, child: Word, slot: Word, lookup: Words) -> None:
    """Prefetch the values of two slots of a child, from a slot of its row on."""
    parent = stack[child + ORIGIN] >> PARENT
    first = stack[child + ROW] + slot
    stack[child + HALVES] = _half(stack, parent, lookup, first)
    stack[child + HALVES + ONE] = _half(stack, parent, lookup, first + SLOT_WIDTH)


@inlined
def _rises(stack: Words, child: Word, values: Word, slot: Word, lookup: Words) -> tuple[Word, Word]:
    """Return a child's values after two slots, and what they take from its slacks."""
    first = stack[child + ROW] + slot
    second = first + SLOT_WIDTH
    shift, other_shift = lookup[first + SLOT_SHIFT], lookup[second + SLOT_SHIFT]
    rise = rise_at(stack[child + HALVES], values, shift)
    other_rise = rise_at(stack[child + HALVES + ONE], values, other_shift)
    taken = rise * lookup[first + SLOT_SCALE] + other_rise * lookup[second + SLOT_SCALE]
    return values + (rise << shift) + (other_rise << other_shift), taken


@inlined
def _is_goal(stack: Words, node: Word, tree: WideTree) -> bool:
    return bool(stack[node + FACTS] >> DISTANCE & DISTANCES == ZERO)


@inlined
def _pop(
    stack: Words, node: Word, parent: Word, gets_extra: Word, tree: WideTree, pairs: bool | None
) -> None:
    copy_four(stack, node, parent)
    copy_four(stack, node + FOUR, parent + FOUR)
    stack[parent + FOUR + FOUR] = stack[node + FOUR + FOUR]
    if pairs is None:
        copy_four(stack, node + MORE_INDICES, parent + MORE_INDICES)
    facts = stack[node + FACTS]
    blank = facts >> BLANK & CELLS
    state = facts >> STATE & STATES
    prefetch(Word(tree.follow_address) + (state << DIRECTION_BITS + ONE))
    # What all children share: no state and no blank yet, the tile one nearer to home.
    facts ^= state << STATE | blank << BLANK
    stack[parent + FACTS] = facts + (ONE << DEPTH) - (ONE << DISTANCE)
    stack[parent + STATE_ROW] = state << DIRECTION_BITS
    extra = Word(tree.each_slack) | ONE << AHEAD | ONE << EXTRA
    stack[parent + SLACKS] += gets_extra * extra


@inlined
def _begin(stack: Words, child: Word, tree: WideTree, pairs: bool | None) -> None:
    """Write the move of a child, the word of its place and the tile; the row of both; and fetch."""
    origin = stack[child + ORIGIN]
    move = tree.moves.by_place[origin & PLACE]
    word = stack[(origin >> PARENT) + (move >> FROM_WORD & WORDS)]
    tile = word >> (move >> FROM_SHIFT & SHIFTS) & CELLS
    stack[child + ROW] = (tile << DIRECTION_BITS | origin & DIRECTION) * ROW_WIDTH
    stack[child + MOVE] = move | tile << MOVE_TILE
    _fetch(stack, child, SLOT, tree.lookup)


@inlined
def _has_slack(slacks: Word, marks: Word) -> Word:
    """Return 1 if there is slack under all marked partitions, else 0."""
    return Word(slacks & marks == marks)


@inlined
def _judge(stack: Words, child: Word, tree: WideTree) -> Word:
    """Write a child's values and slack after its first two slots; return 1 if any is left."""
    lookup = tree.lookup
    parent, row = stack[child + ORIGIN] >> PARENT, stack[child + ROW]
    strays = lookup[row + AWAY] >> (stack[child + MOVE] & CELLS) & ONE
    values, taken = _rises(stack, child, stack[parent + VALUES], SLOT, lookup)
    slacks = stack[parent + SLACKS] - strays * Word(tree.each_slack) - taken
    stack[child + NEW_VALUES], stack[child + NEW_SLACKS] = values, slacks
    stack[child + STRAYS] = strays
    return _has_slack(slacks, lookup[row + MARKS])


@inlined
def _rounds(tree: WideTree, pairs: bool | None) -> Word:
    return (Word(tree.last_slot) - SLOT) // (TWO * SLOT_WIDTH)


@inlined
def _fetch_more(
    stack: Words, child: Word, number: Word, tree: WideTree, pairs: bool | None
) -> None:
    _fetch(stack, child, SLOT + number * TWO * SLOT_WIDTH, tree.lookup)


@inlined
def _judge_more(stack: Words, child: Word, number: Word, tree: WideTree) -> Word:
    lookup = tree.lookup
    slot = SLOT + number * TWO * SLOT_WIDTH
    values, taken = _rises(stack, child, stack[child + NEW_VALUES], slot, lookup)
    slacks = stack[child + NEW_SLACKS] - taken
    stack[child + NEW_VALUES], stack[child + NEW_SLACKS] = values, slacks
    return _has_slack(slacks, lookup[stack[child + ROW] + MARKS + number])


@inlined
def _push(stack: Words, child: Word, node: Word, tree: WideTree, pairs: bool | None) -> None:
    origin, row, move = stack[child + ORIGIN], stack[child + ROW], stack[child + MOVE]
    parent = origin >> PARENT
    tile = move >> MOVE_TILE
    stack[node + BOARD], stack[node + BOARD + ONE] = stack[parent], stack[parent + ONE]
    facts = stack[parent + FACTS] + (stack[child + STRAYS] << DISTANCE + ONE)
    following = tree.moves.follow[stack[parent + STATE_ROW] | origin & DIRECTION]
    facts += Word(following) << STATE
    stack[node + FACTS] = facts + ((move & CELLS) << BLANK)
    slacks, each_slack = stack[child + NEW_SLACKS], Word(tree.each_slack)
    returns_extra = slacks >> EXTRA & _has_slack(slacks - each_slack, each_slack * Word(SLACK_MARK))
    slacks = (slacks & ~(ONE << EXTRA)) - returns_extra * (each_slack | ONE << AHEAD)
    stack[node + VALUES], stack[node + SLACKS] = stack[child + NEW_VALUES], slacks
    _change_four(stack, parent + INDICES, tree.lookup, row + CHANGES, node + INDICES)
    if pairs is None:
        more = row + MORE_CHANGES
        _change_four(stack, parent + MORE_INDICES, tree.lookup, more, node + MORE_INDICES)
    stack[node + (move >> FROM_WORD & WORDS)] ^= tile << (move >> FROM_SHIFT & SHIFTS)
    stack[node + (move >> TO_WORD & WORDS)] ^= tile << (move >> TO_SHIFT & SHIFTS)


_STEPS = NodeSteps(_is_goal, _pop, _begin, _judge, _rounds, _fetch_more, _judge_more, _push)
_PAIR_STEPS = _STEPS._replace(rounds=None)
_search, _search_pairs = search_loop(LAYOUT, _STEPS), search_loop(LAYOUT, _PAIR_STEPS)


@search.register
def _(tree: WideTree, member: Member, budget: int) -> None:
    _search(member, budget, tree, None)


@search.register
def _(tree: PairTree, member: Member, budget: int) -> None:
    _search_pairs(member, budget, tree.wide, True)


class WidePlan:
    """The arrays of one goal, one automaton and up to six partitions on up to 25 cells."""

    width = int(WIDTH)

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
        pairs_of_a_tile = (max(slots_of_a_tile) + 1) // 2
        moves = layout.moves_of(shape, automaton, _move)
        tree = WideTree(
            moves,
            moves.follow.address,
            self._lookup(shape),
            int(SLOT) + 2 * int(SLOT_WIDTH) * pairs_of_a_tile,
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
        words[FACTS] |= where[0] << int(BLANK) | normal.manhattan << int(DISTANCE)
        sums = [0] * self._views
        for number, slot in enumerate(self._slots):
            index = sum(map(mul, slot.digits(where), _places(slot.key)))
            value = value_at(self._tables[slot.key], index)
            words[VALUES] |= value << 4 * number
            words[int(INDICES) + number // 2] |= index << 32 * (number & 1)
            for view in slot.views:
                sums[view] += value
        for view, total in enumerate(sums):
            words[SLACKS] |= SLACK_MARK + max(sums) - total << LANE * view
        return Start(normal.manhattan + 2 * max(sums), words, self._widening)

    def _lookup(self, shape: Shape) -> Words:
        lookup = zeros((32 * 4, int(ROW_WIDTH)), uint64)
        first, width, changes = int(SLOT), int(SLOT_WIDTH), int(CHANGES)
        for name, _, direction, cell, strays in layout.tile_moves(shape):
            lookup[4 * name + direction, AWAY] |= strays << cell
        # A tile with fewer slots than others reads a constant index and value of 0 instead, or its
        # first slot again, whose value is already current.
        nothing = (2 * int(PARENT_WIDTH) - 1, 2 * self._nothing.address, 0, 4 * (SLOTS - 1))
        for name in range(1, shape.size):
            slots = [(n, slot) for n, slot in enumerate(self._slots) if name in slot.names]
            for pair in range(VIEWS // 2):
                # A partition is judged once the tile's value in it is read, if it has one.
                pending = {view for _, slot in slots[2 * pair + 2 :] for view in slot.views}
                judged = set(range(self._views)) - pending
                for direction in range(4):
                    mark = sum(SLACK_MARK << LANE * view for view in judged)
                    lookup[4 * name + direction, int(MARKS) + pair] = mark
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
                        2 * int(INDICES) + number,
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
    return cell | sum(number << int(shift) for shift, number in fields)


def _bit(cell: int) -> int:
    return 5 * (cell % BOARD_CELLS)


def _places(key: PatternKey) -> Cells:
    """Return the place values of a direct index: a number in base `cells`, or 16 if more."""
    base = max(key.cells, PACKED_CELLS)
    return tuple(base ** (len(key.tiles) - 1 - i) for i in range(len(key.tiles)))

"""Nodes for grids of up to 16 cells: eight 64-bit words, one cache line.

    BOARD      the board, 4 bits a cell
    INDICES    four words, one for each of up to four partitions: the indices of its patterns; a
               move flips bits of them, or adds to them where tables are indexed by rank
    VALUES     current table values, 4 bits a pattern, three patterns a partition; up to seven
               where there are no more than two partitions
    FACTS      0-3    cell of the blank
               4-12   depth
               13     whether the node is ahead of the bound
               16-31  state of the automaton
               36-63  slack under each partition, 7 bits, the highest of which is the sign
    LOGGED     32-63  the parent's place in the log, counted from 1

    8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8 and itself again:
    5 4 3
    2 1 .      BOARD    0x12345678            the 8 in cell 0 lowest
               INDICES  0x86758565, twice     that of 1 2 3 4 lowest
               VALUES   0x12012               2 and 1, twice: Manhattan distance 20 and 2 · 3 are 26
               FACTS    0x810081000000008     blank in cell 8, depth 0, state 0; slack 1,
                                              (28 - 26) / 2, and 4 where there is no partition
               LOGGED   0x0                   no parent

A table holds half of what a pattern needs beyond its Manhattan distance. A child's FACTS are its
parent's with the new state, plus the *step* of the move (blank, depth, and one less slack under all
partitions if the tile moves away from its goal cell), less the *rise* of the table value under each
partition. A child is pruned as soon as a sign bit is set. (Negative slack borrows only from the
next higher field, which is read later.)

The first round of lookups reads two partitions, the second round, if any, the other two. Without
partitions, every lookup reads a constant 0.

The file begins with `Lookup` and `Ranks`, the records by which the loop looks up tables and moves.
The steps of the loop follow (`loop.py` calls them), and at the end `PackedPlan`, which makes the
records of one goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from math import perm
from operator import getitem
from typing import NamedTuple, TypeAlias

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
    Slot,
    Word,
    Words,
    copy_four,
    rise_at,
    word_range,
)
from taquin.engine.cpu.loop import ORIGIN, PARENT, PLACE, NodeLayout, NodeSteps, search_loop
from taquin.engine.cpu.team import Member, Start, search
from taquin.system.arrays import Arguments, uint8, uint64, zeros
from taquin.system.native import inlined, prefetch
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import Partition, PatternKey, rank
from taquin.tables.shape import Cells, Normal, Shape

CELL_BITS = Word(2)
"""A cell's tile begins at the bit `cell << CELL_BITS` of the board."""

KIND, MOVE_CELL, MOVE_TILE, MOVE_ROW = Word(255), Word(10), Word(28), Word(32)
"""Of a move: the mask of its kind, the first bits of the tile's cell, of the tile, and of the
move's row in `Ranks`, which is the place times eight."""
MOVE_SHIFT = Word(MOVE_CELL - CELL_BITS)
"""First bit of the tile's cell times four: where the tile lies on the board."""
SHIFTS = Word(63)
"""The mask of a shift."""

SHIFT, MASK, ADDRESS, VALUE_SHIFT, KINDS = (Word(n) for n in range(5))
"""The words of a row of `Lookup`."""

CHANGES, VIEW_CHANGES, BLOCK, FALLS = (Word(n) for n in (64, 9, 8, 7))
"""Of `Ranks.words`: where the changes begin, the binary logarithm of those of a partition, the
words of a move in a block, and the one that selects half of the changes."""


class Lookup(NamedTuple):
    """The tables, by tile and partition."""

    rows: Words
    """A row for each tile and partition: SHIFT and MASK of its pattern's index, ADDRESS of the
    table in half bytes, VALUE_SHIFT of the value; from KINDS on, by kind of move, what that changes
    in the partition's indices. Moves that change the same are of one kind."""
    width: int
    """Words of a row."""
    tile_bits: int
    """Binary logarithm of the words of a tile's rows."""
    has_more: int
    """Whether more than two partitions count."""


class Ranks(NamedTuple):
    """Changes of rank indices by moves: a tile passes others in the order of cells."""

    words: Words
    """By tile and partition, where the block of its table's grid begins. From CHANGES on, by
    partition, by whether the cell's number falls, by tile that moves and tile that is passed, what
    is added. Then the blocks: BLOCK words for each place, the bits of the board where tiles are
    passed, at most seven, and what picks the half of the changes."""
    most: int
    """The maximum number of cells that a move passes."""


VIEWS = 4
"""The maximum number of partitions of a node."""

BOARD, INDICES, VALUES, FACTS, LOGGED, WIDTH = (Word(n) for n in (0, 1, 5, 6, 7, 8))
"""The words of a node, and their number."""
BLANK, DEPTH, AHEAD, STATE, SLACK, SLACK_BITS = (Word(n) for n in (0, 4, 13, 16, 36, 7))
"""First bit of each field of FACTS, and the bits of slack under one partition."""
EXTRA = Word(14)
"""The bit of FACTS in scratch memory that says that slack has an extra unit."""
LOG = Word(32)
"""First bit of the parent's place in LOGGED."""
CELLS, TILE_BITS = Word(15), Word(4)
"""The mask of a cell or a tile, and the number of its bits."""

HALVES, NEW_VALUES, NEW_FACTS, MOVE, NEW_INDICES, CHILD = (Word(n) for n in (1, 3, 4, 5, 6, 16))
"""The words of a child in scratch memory after its origin: the halves of its values in two
partitions, its VALUES and FACTS, its move, its four INDICES; and the words from one child to the
next."""

LAYOUT = NodeLayout(
    WIDTH, FACTS, BLANK, CELLS, DEPTH, STATE, LOGGED, LOG, FACTS, AHEAD, CHILD, WIDTH
)
_SIGNS = [1 << int(SLACK + SLACK_BITS * Word(view) + SLACK_BITS - ONE) for view in range(VIEWS)]
_FIRST_SIGNS, _ALL_SIGNS = Word(_SIGNS[0] | _SIGNS[1]), Word(sum(_SIGNS))
EACH_SLACK = Word(sum(1 << int(SLACK + SLACK_BITS * Word(view)) for view in range(VIEWS)))
"""One unit of slack under each partition."""
_FLAGGED_EXTRA = Word(EACH_SLACK | ONE << AHEAD)
"""An extra unit of slack, and the flag of a node ahead of the bound."""


class PackedTree(NamedTuple):
    """A goal on up to 16 cells whose tables are indexed by bits."""

    goal: int
    """The goal, as the words of a board."""
    moves: Moves
    """The moves; for each place the kind of move, from MOVE_CELL on the tile's cell, and from
    MOVE_ROW on its row of `Ranks`."""
    steps: Words
    """By direction, tile and cell of the tile: what a move adds to FACTS, but for the state."""
    lookup: Lookup
    """The tables."""


class RankedTree(NamedTuple):
    """A goal on up to 16 cells, some of whose tables are indexed by rank."""

    packed: PackedTree
    ranks: Ranks


@inlined
def _tile(move: Word) -> Word:
    return move >> MOVE_TILE & CELLS


@inlined
def _row(lookup: Lookup, move: Word, view: Word) -> Word:
    """Return the first word of the row of a move's tile in a partition."""
    return (_tile(move) << Word(lookup.tile_bits)) + view * Word(lookup.width)


@inlined
def _indices_after(
    indices: Word, board: Word, move: Word, view: Word, lookup: Lookup, ranks: Ranks | None
) -> Word:
    """Return a partition's indices after a move."""
    change = lookup.rows[_row(lookup, move, view) + (move & KIND)]
    if ranks is None:
        return Word(indices ^ change)
    words = ranks.words
    indices += change
    tile = _tile(move)
    block = words[(tile << DIRECTION_BITS) + view] + (move >> MOVE_ROW)
    group = words[block + FALLS] + (view << VIEW_CHANGES) + (tile << TILE_BITS) + CHANGES
    # On most grids no move passes more than three cells: a constant loop is unrolled.
    for number in word_range(THREE):
        indices += words[group + (board >> words[block + number] & CELLS)]
    for number in word_range(THREE, Word(ranks.most)):
        indices += words[group + (board >> words[block + number] & CELLS)]
    return Word(indices)


@inlined
def _half(indices: Word, row: Word, lookup: Lookup) -> Word:
    """Return the half of the value for a partition's indices, and prefetch it."""
    rows = lookup.rows
    half: Word = (indices >> rows[row + SHIFT] & rows[row + MASK]) + rows[row + ADDRESS]
    prefetch(half >> ONE)
    return half


@inlined
def _fetch(
    stack: Words, child: Word, move: Word, view: Word, lookup: Lookup, ranks: Ranks | None
) -> None:
    """Write a child's indices in two partitions, and prefetch their values."""
    parent = stack[child + ORIGIN] >> PARENT
    board = stack[parent + BOARD]
    one, other = stack[parent + INDICES + view], stack[parent + INDICES + view + ONE]
    one = _indices_after(one, board, move, view, lookup, ranks)
    other = _indices_after(other, board, move, view + ONE, lookup, ranks)
    stack[child + HALVES] = _half(one, _row(lookup, move, view), lookup)
    stack[child + HALVES + ONE] = _half(other, _row(lookup, move, view + ONE), lookup)
    stack[child + NEW_INDICES + view], stack[child + NEW_INDICES + view + ONE] = one, other


@inlined
def _rises(
    stack: Words, child: Word, values: Word, view: Word, lookup: Lookup
) -> tuple[Word, Word]:
    """Return a child's values after two partitions, and how much that reduces slack."""
    move = stack[child + MOVE]
    shift = lookup.rows[_row(lookup, move, view) + VALUE_SHIFT]
    other_shift = lookup.rows[_row(lookup, move, view + ONE) + VALUE_SHIFT]
    rise = rise_at(stack[child + HALVES], values, shift)
    other_rise = rise_at(stack[child + HALVES + ONE], values, other_shift)
    taken = (rise << SLACK + view * SLACK_BITS) + (other_rise << SLACK + (view + ONE) * SLACK_BITS)
    return values + (rise << shift) + (other_rise << other_shift), taken


@inlined
def _is_goal(stack: Words, node: Word, tree: PackedTree) -> bool:
    return bool(stack[node + BOARD] == Word(tree.goal))


@inlined
def _pop(
    stack: Words, node: Word, parent: Word, gets_extra: Word, tree: PackedTree, ranks: Ranks | None
) -> None:
    copy_four(stack, node, parent)
    copy_four(stack, node + FOUR, parent + FOUR)
    stack[parent + FACTS] += gets_extra * (_FLAGGED_EXTRA | ONE << EXTRA)


@inlined
def _begin(stack: Words, child: Word, tree: PackedTree, ranks: Ranks | None) -> None:
    """Write the move of a child, the word of its place and the tile, and fetch its values."""
    origin = stack[child + ORIGIN]
    board = stack[(origin >> PARENT) + BOARD]
    move = tree.moves.by_place[origin & PLACE]
    move = Word(move | (board >> (move >> MOVE_SHIFT & SHIFTS) & CELLS) << MOVE_TILE)
    _fetch(stack, child, move, ZERO, tree.lookup, ranks)
    stack[child + MOVE] = move


@inlined
def _judge(stack: Words, child: Word, tree: PackedTree) -> Word:
    """Write a child's values and facts after two partitions; return 1 if it has slack left."""
    origin, move = stack[child + ORIGIN], stack[child + MOVE]
    parent = origin >> PARENT
    direction = origin & DIRECTION
    facts = stack[parent + FACTS]
    values, taken = _rises(stack, child, stack[parent + VALUES], ZERO, tree.lookup)
    state = facts >> STATE & STATES
    following = Word(tree.moves.follow[state << DIRECTION_BITS | direction])
    facts += (following - state) << STATE
    facts += tree.steps[
        (direction << TILE_BITS | _tile(move)) << TILE_BITS | (move >> MOVE_CELL & CELLS)
    ]
    facts -= taken
    stack[child + NEW_VALUES], stack[child + NEW_FACTS] = values, facts
    return Word(facts & _FIRST_SIGNS == ZERO)


@inlined
def _rounds(tree: PackedTree, ranks: Ranks | None) -> Word:
    return ONE + Word(tree.lookup.has_more)


@inlined
def _fetch_more(
    stack: Words, child: Word, number: Word, tree: PackedTree, ranks: Ranks | None
) -> None:
    _fetch(stack, child, stack[child + MOVE], TWO, tree.lookup, ranks)


@inlined
def _judge_more(stack: Words, child: Word, number: Word, tree: PackedTree) -> Word:
    values, taken = _rises(stack, child, stack[child + NEW_VALUES], TWO, tree.lookup)
    facts = stack[child + NEW_FACTS] - taken
    stack[child + NEW_VALUES], stack[child + NEW_FACTS] = values, facts
    return Word(facts & _ALL_SIGNS == ZERO)


@inlined
def _push(stack: Words, child: Word, node: Word, tree: PackedTree, ranks: Ranks | None) -> None:
    parent, move = stack[child + ORIGIN] >> PARENT, stack[child + MOVE]
    tile = _tile(move)
    blank = stack[parent + FACTS] >> BLANK & CELLS
    taken, put = tile << (move >> MOVE_SHIFT & SHIFTS), tile << (blank << CELL_BITS)
    stack[node + BOARD] = stack[parent + BOARD] ^ taken ^ put
    copy_four(stack, child + NEW_INDICES, node + INDICES)
    facts = stack[child + NEW_FACTS]
    returns_extra = facts >> EXTRA & Word(facts - EACH_SLACK & _ALL_SIGNS == ZERO)
    facts = (facts & ~(ONE << EXTRA)) - returns_extra * _FLAGGED_EXTRA
    stack[node + VALUES], stack[node + FACTS] = stack[child + NEW_VALUES], facts
    stack[node + LOGGED] = stack[parent + LOGGED]


_search = search_loop(
    LAYOUT, NodeSteps(_is_goal, _pop, _begin, _judge, _rounds, _fetch_more, _judge_more, _push)
)


@search.register
def _(tree: PackedTree, member: Member, budget: int) -> None:
    _search(member, budget, tree, None)


@search.register
def _(tree: RankedTree, member: Member, budget: int) -> None:
    _search(member, budget, tree.packed, tree.ranks)


USUAL_PATTERNS, MOST_VALUES = 3, 15
"""Patterns that every partition may have, and most values of a node."""
_NO_VALUE = 60
"""First bit of the value of tiles that are in no pattern."""
_BLANK = int(BLANK)
_SLACKS = tuple(int(SLACK) + int(SLACK_BITS) * view for view in range(VIEWS))
"""The first bit of the slack under each partition."""
_Changes: TypeAlias = tuple[tuple[int, int, int], ...]
"""What one move adds to a partition's word or flips in it: tile, partition, change."""


class PackedPlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 16 cells.

    A partition may have up to three patterns, or seven where there are only one or two partitions.
    A tile that is in none reads a value that is always 0.
    """

    width = int(WIDTH)

    def __init__(
        self,
        shape: Shape,
        partitions: Sequence[Partition],
        tables: Mapping[PatternKey, Table],
        automaton: Automaton,
        halvings: int = 0,
    ) -> None:
        self._tables = tables
        self._nothing = zeros(1, uint8)
        # Partitions are read in pairs; of an odd number the last is read twice.
        paired = (*partitions, *partitions[len(partitions) & ~1 :])
        self._fields = _fields(layout.slots_of(shape, paired, halvings))
        self._read = [tables[slot.key] for slot, *_ in self._fields]
        """The table of each."""
        ranked = any(slot.key.ranked for slot, *_ in self._fields)
        self._widening = [0] * self.width
        self._widening[FACTS] = EACH_SLACK
        kinds = self._kinds(shape, ranked)
        row_bits = (int(KINDS) + len(kinds) - 1).bit_length()
        numbered = enumerate(kinds.values(), int(KINDS))
        kind_of = {place: kind for kind, places in numbered for place in places}

        def move(place: int, blank: int, cell: int) -> int:
            row = place * int(BLOCK)
            return kind_of[place] | cell << int(MOVE_CELL) | row << int(MOVE_ROW)

        tree = PackedTree(
            layout.signed(_pack(shape.goal)),
            layout.moves_of(shape, automaton, move),
            _steps(shape),
            Lookup(
                self._lookup(kinds, 1 << row_bits),
                1 << row_bits,
                row_bits + VIEWS.bit_length() - 1,
                len(partitions) > 2,
            ),
        )
        most = max(shape.rows, shape.columns) - 1
        self.tree = Arguments(
            RankedTree(tree, Ranks(self._passing(shape), most)) if ranked else tree
        )

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        where = normal.where
        indices, sums, values = [0] * VIEWS, [0] * VIEWS, 0
        for (slot, view, shift, value_shift), table in zip(self._fields, self._read, strict=True):
            key, digits = slot.key, slot.digits(where)
            index = rank(key.cells, digits) if key.ranked else sum(map(getitem, key.spots, digits))
            value = value_at(table, index >> slot.key.halvings)
            indices[view] |= index << shift
            values |= value << value_shift
            sums[view] += value
        highest = max(sums)
        facts = where[0] << _BLANK
        for shift, total in zip(_SLACKS, sums, strict=True):
            facts |= highest - total << shift
        words = [0] * self.width
        words[BOARD], words[FACTS], words[VALUES] = _pack(normal.board), facts, values
        words[INDICES : INDICES + VIEWS] = indices
        return Start(normal.manhattan + 2 * highest, words, self._widening)

    def _lookup(self, kinds: Iterable[_Changes], width: int) -> Words:
        lookup = zeros((16 * VIEWS, width), uint64)
        for row_of_nothing in range(16 * VIEWS):
            lookup[row_of_nothing, ADDRESS] = 2 * self._nothing.address
            lookup[row_of_nothing, VALUE_SHIFT] = _NO_VALUE
        for slot, view, shift, value_shift in self._fields:
            address = 2 * self._tables[slot.key].address
            # The values that share a half have indices that differ only in the lowest bits.
            dropped = slot.key.halvings
            mask = (1 << _bits(slot.key)) - 1 >> dropped
            row = {SHIFT: shift + dropped, MASK: mask, ADDRESS: address, VALUE_SHIFT: value_shift}
            for name, (word, number) in product(slot.names, row.items()):
                lookup[name * VIEWS + view, word] = number
        for kind, changes in enumerate(kinds, int(KINDS)):
            for name, view, change in changes:
                lookup[name * VIEWS + view, kind] = change
        return lookup.in_line()

    def _kinds(self, shape: Shape, ranked: bool) -> dict[_Changes, list[int]]:
        """Return the distinct changes of words by moves, each with the places of its moves.

        Moves that change the same, whichever tile goes, are of one kind; 4 x 4 has four. Bits are
        flipped; where there are tables by rank, numbers are added, without those for passed tiles.
        """
        kinds: dict[_Changes, list[int]] = {}
        for place, blank, _, cell in layout.blank_moves(shape):
            changes = []
            for slot, view, shift, _ in self._fields:
                key, old, new = slot.key, slot.image[cell], slot.image[blank]
                if key.ranked:
                    steps = [(new - old) * weight for weight in _weights(key)]
                elif ranked:
                    steps = [spots[new] - spots[old] for spots in key.spots]
                else:
                    steps = [spots[new] ^ spots[old] for spots in key.spots]
                for name, step in zip(slot.names, steps, strict=True):
                    changes.append((name, view, (step << shift) & layout.WORD))
            kinds.setdefault(tuple(changes), []).append(place)
        return kinds

    def _passing(self, shape: Shape) -> Words:
        """Return the tiles that each move passes in a table's order, and the changes of indices."""
        images = list(dict.fromkeys(slot.image for slot, *_ in self._fields))
        first_change, width = int(CHANGES), int(BLOCK)
        changes_end = first_change + VIEWS * (1 << int(VIEW_CHANGES))
        block = 64 * width
        words = zeros(changes_end + block * len(images), uint64)
        for number, image in enumerate(images):
            for place, blank, _, cell in layout.blank_moves(shape):
                passed = words[changes_end + block * number + place * width :]
                old, new = image[cell], image[blank]
                between = range(min(old, new) + 1, max(old, new))
                # The remaining cell is the blank's, which changes nothing.
                passed[:FALLS] = [4 * blank] * FALLS
                passed[: len(between)] = [4 * image.index(table_cell) for table_cell in between]
                passed[FALLS] = 256 * (new < old)
        for name, view in product(range(16), range(VIEWS)):
            words[4 * name + view] = changes_end
        for slot, view, shift, _ in self._fields:
            begin = changes_end + block * images.index(slot.image)
            for name in slot.names:
                words[4 * name + view] = begin
            if not slot.key.ranked:
                continue
            weights = _weights(slot.key)
            for i, name in enumerate(slot.names):
                for j, other in enumerate(slot.names):
                    change = weights[j] if j > i else -weights[i] if j < i else 0
                    place = first_change + (view << VIEW_CHANGES) + 16 * name + other
                    words[place] = (change << shift) & layout.WORD
                    words[place + 256] = (-change << shift) & layout.WORD
        return words


@cache
def _weights(key: PatternKey) -> Cells:
    """Return the place value of each tile's digit in a rank."""
    size = len(key.tiles)
    return tuple(perm(key.cells - 1 - i, size - 1 - i) for i in range(size))


def _bits(key: PatternKey) -> int:
    """Return the bits that an index takes."""
    return (key.configurations - 1).bit_length() if key.ranked else 4 * len(key.tiles)


def _fields(slots: Sequence[Slot]) -> list[tuple[Slot, int, int, int]]:
    """Return for each pattern: slot, partition, first bit of its index and of its value.

    A pattern of two partitions is looked up for each, because their words are separate.
    """
    fields = []
    patterns = [sum(view in slot.views for slot in slots) for view in range(VIEWS)]
    width = 4 * max(USUAL_PATTERNS, *patterns)
    for view in range(VIEWS):
        shift, value_shift = 0, width * view
        for slot in slots:
            if view in slot.views:
                fields.append((slot, view, shift, value_shift))
                shift += _bits(slot.key)
                value_shift += 4
    return fields


def _steps(shape: Shape) -> Words:
    """Return the change of FACTS by each move, by direction, tile and cell."""
    steps = zeros(4 * 16 * 16, uint64)
    for name, blank, direction, cell, strays in layout.tile_moves(shape):
        change = (cell - blank << int(BLANK)) + (1 << int(DEPTH)) - int(EACH_SLACK) * strays
        steps[(direction * 16 + name) * 16 + cell] = change & layout.WORD
    return steps


def _pack(board: Cells) -> int:
    """Return a board as one word, 4 bits a cell."""
    # As hexadecimal digits: `hex` writes two per cell.
    return int(bytes(board[::-1]).hex()[1::2], 16)

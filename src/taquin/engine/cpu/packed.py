"""The records of a goal for the kernel of grids of up to 16 cells, `kernels/ida16.c`.

`PackedPlan` makes the arrays of one goal: the moves, what each adds to a node's facts, how each
tile's tables are looked up, and for tables indexed by rank how a move changes indices.
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
from taquin.engine.cpu.layout import Moves, Slot, Words
from taquin.engine.cpu.team import Start, TeamMemory
from taquin.system.arrays import uint8, uint64, zeros
from taquin.system.compiled import Call, Compiled
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import Partition, PatternKey, rank
from taquin.tables.shape import Cells, Normal, Shape

BLANK, DEPTH, SLACK, SLACK_BITS = 0, 4, 36, 7
"""First bits of fields of a node's facts, and the bits of slack under one partition."""
VIEWS = 4
"""The maximum number of partitions of a node."""
BOARD, INDICES, VALUES, FACTS, WIDTH = 0, 1, 5, 6, 8
"""The words of a node, and their number."""

MOVE_CELL, MOVE_ROW = 10, 32
"""Of a move: the first bits of the tile's cell, and of the move's row in `Ranks`, which is the
place times eight. The lowest bits are the number of its kind."""

SHIFT, MASK, ADDRESS, VALUE_SHIFT, KINDS = range(5)
"""The words of a row of `Lookup`."""
CHANGES, VIEW_CHANGES, BLOCK, FALLS = 64, 9, 8, 7
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


EACH_SLACK = sum(1 << SLACK + SLACK_BITS * view for view in range(VIEWS))
"""One unit of slack under each partition."""


class PackedTree(NamedTuple):
    """A goal on up to 16 cells."""

    goal: int
    """The goal, as the word of a board."""
    moves: Moves
    """The moves; for each place the kind of move, from MOVE_CELL on the tile's cell, and from
    MOVE_ROW on its row of `Ranks`."""
    steps: Words
    """By direction, tile and cell of the tile: what a move adds to FACTS, but for the state."""
    lookup: Lookup
    """The tables."""
    ranks: Ranks
    """Empty where all tables are indexed by bits."""


class PackedWork(NamedTuple):
    """A part of the search that one member of a team does."""

    team: TeamMemory
    me: int
    budget: int
    tree: PackedTree


_SEARCH = Compiled("ida16", PackedWork)


USUAL_PATTERNS, MOST_VALUES = 3, 15
"""Patterns that every partition may have, and most values of a node."""
_NO_VALUE = 60
"""First bit of the value of tiles that are in no pattern."""
_SLACKS = tuple(SLACK + SLACK_BITS * view for view in range(VIEWS))
"""The first bit of the slack under each partition."""
_Changes: TypeAlias = tuple[tuple[int, int, int], ...]
"""What one move adds to a partition's word or flips in it: tile, partition, change."""


class PackedPlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 16 cells.

    A partition may have up to three patterns, or seven where there are only one or two partitions.
    A tile that is in none reads a value that is always 0.
    """

    width = WIDTH

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
        row_bits = (KINDS + len(kinds) - 1).bit_length()
        numbered = enumerate(kinds.values(), KINDS)
        kind_of = {place: kind for kind, places in numbered for place in places}

        def move(place: int, blank: int, cell: int) -> int:
            row = place * BLOCK
            return kind_of[place] | cell << MOVE_CELL | row << MOVE_ROW

        words = self._passing(shape) if ranked else zeros(0, uint64)
        self.tree = PackedTree(
            _pack(shape.goal),
            layout.moves_of(shape, automaton, move),
            _steps(shape),
            Lookup(
                self._lookup(kinds, 1 << row_bits),
                1 << row_bits,
                row_bits + VIEWS.bit_length() - 1,
                len(partitions) > 2,
            ),
            Ranks(words, max(shape.rows, shape.columns) - 1),
        )

    def work(self, team: TeamMemory, member: int) -> Call:
        """Return the kernel that searches as a member of a team."""
        return _SEARCH.given(PackedWork(team, member, 0, self.tree))

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
        facts = where[0] << BLANK
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
        for kind, changes in enumerate(kinds, KINDS):
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
        changes_end = CHANGES + VIEWS * (1 << VIEW_CHANGES)
        block = 64 * BLOCK
        words = zeros(changes_end + block * len(images), uint64)
        for number, image in enumerate(images):
            for place, blank, _, cell in layout.blank_moves(shape):
                passed = words[changes_end + block * number + place * BLOCK :]
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
                    place = CHANGES + (view << VIEW_CHANGES) + 16 * name + other
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
        change = (cell - blank << BLANK) + (1 << DEPTH) - EACH_SLACK * strays
        steps[(direction * 16 + name) * 16 + cell] = change & layout.WORD
    return steps


def _pack(board: Cells) -> int:
    """Return a board as one word, 4 bits a cell."""
    # As hexadecimal digits: `hex` writes two per cell.
    return int(bytes(board[::-1]).hex()[1::2], 16)

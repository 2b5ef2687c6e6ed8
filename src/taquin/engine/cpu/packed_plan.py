"""The records of one goal on up to 16 cells for the search loop of `packed.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from math import perm
from operator import getitem
from typing import TypeAlias

from taquin.engine.cpu import lookups
from taquin.engine.cpu import packed as at
from taquin.engine.cpu import packed_lookup as look
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import Words
from taquin.engine.cpu.lookups import Slot
from taquin.engine.cpu.packed import VIEWS, PackedTree, RankedTree
from taquin.engine.cpu.packed_lookup import Lookup, Ranks
from taquin.engine.cpu.stacks import Start
from taquin.system.arguments import Arguments
from taquin.system.arrays import uint8, uint64, zeros
from taquin.tables.build import Table, value_at
from taquin.tables.patterns import Partition, PatternKey, rank
from taquin.tables.shape import Cells, Normal, Shape

USUAL_PATTERNS, MOST_VALUES = 3, 15
"""Patterns that every partition may have, and most values of a node."""
_NO_VALUE = 60
"""First bit of the value of tiles that are in no pattern."""
_BLANK = int(at.BLANK)
_SLACKS = tuple(int(at.SLACK) + int(at.SLACK_BITS) * view for view in range(VIEWS))
"""The first bit of the slack under each partition."""
_Changes: TypeAlias = tuple[tuple[int, int, int], ...]
"""What one move adds to a partition's word or flips in it: tile, partition, change."""


class PackedPlan:
    """The arrays of one goal, one automaton and up to four partitions on up to 16 cells.

    A partition may have up to three patterns, or seven where there are only one or two partitions.
    A tile that is in none reads a value that is always 0.
    """

    width = int(at.WIDTH)

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
        # Partitions are read in pairs: the last of an odd number is read twice.
        paired = (*partitions, *partitions[len(partitions) & ~1 :])
        self._fields = _fields(lookups.slots_of(shape, paired, halvings))
        self._read = [tables[slot.key] for slot, *_ in self._fields]
        """The table of each."""
        ranked = any(slot.key.ranked for slot, *_ in self._fields)
        self._widening = [0] * self.width
        self._widening[at.FACTS] = at.EACH_SLACK
        kinds = self._kinds(shape, ranked)
        row_bits = (int(look.KINDS) + len(kinds) - 1).bit_length()
        numbered = enumerate(kinds.values(), int(look.KINDS))
        kind_of = {place: kind for kind, places in numbered for place in places}

        def move(place: int, blank: int, cell: int) -> int:
            row = place * int(look.BLOCK)
            return kind_of[place] | cell << int(look.MOVE_CELL) | row << int(look.MOVE_ROW)

        tree = PackedTree(
            lookups.signed(_pack(shape.goal)),
            lookups.moves_of(shape, automaton, move),
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
            index = _index(slot.key, slot.digits(where))
            value = value_at(table, index >> slot.key.halvings)
            indices[view] |= index << shift
            values |= value << value_shift
            sums[view] += value
        highest = max(sums)
        facts = where[0] << _BLANK
        for shift, total in zip(_SLACKS, sums, strict=True):
            facts |= highest - total << shift
        words = [0] * self.width
        words[at.BOARD], words[at.FACTS], words[at.VALUES] = _pack(normal.board), facts, values
        words[at.INDICES : at.INDICES + VIEWS] = indices
        return Start(normal.manhattan + 2 * highest, words, self._widening)

    def _lookup(self, kinds: Iterable[_Changes], width: int) -> Words:
        lookup = zeros((16 * VIEWS, width), uint64)
        for row_of_nothing in range(16 * VIEWS):
            lookup[row_of_nothing, look.ADDRESS] = 2 * self._nothing.address
            lookup[row_of_nothing, look.VALUE_SHIFT] = _NO_VALUE
        for slot, view, shift, value_shift in self._fields:
            address = 2 * self._tables[slot.key].address
            # The values that share one have the same index but for its lowest bits.
            dropped = slot.key.halvings
            mask = (1 << _bits(slot.key)) - 1 >> dropped
            row = {
                look.SHIFT: shift + dropped,
                look.MASK: mask,
                look.ADDRESS: address,
                look.VALUE_SHIFT: value_shift,
            }
            for name, (word, number) in product(slot.names, row.items()):
                lookup[name * VIEWS + view, word] = number
        for kind, changes in enumerate(kinds, int(look.KINDS)):
            for name, view, change in changes:
                lookup[name * VIEWS + view, kind] = change
        return lookup.in_line()

    def _kinds(self, shape: Shape, ranked: bool) -> dict[_Changes, list[int]]:
        """Return what moves change in the words, each with the places of those that do so.

        Moves that change the same, whichever tile goes, are of one kind; 4 x 4 has four. Bits are
        flipped; where there are tables by rank, numbers are added, without those for passed tiles.
        """
        kinds: dict[_Changes, list[int]] = {}
        for place, blank, _, cell in lookups.blank_moves(shape):
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
                    changes.append((name, view, (step << shift) & lookups.WORD))
            kinds.setdefault(tuple(changes), []).append(place)
        return kinds

    def _passing(self, shape: Shape) -> Words:
        """Return which tiles each move passes in the order of a table, and what that changes."""
        images = list(dict.fromkeys(slot.image for slot, *_ in self._fields))
        first_change, width = int(look.CHANGES), int(look.BLOCK)
        changes_end = first_change + VIEWS * (1 << int(look.VIEW_CHANGES))
        block = 64 * width
        words = zeros(changes_end + block * len(images), uint64)
        for number, image in enumerate(images):
            for place, blank, _, cell in lookups.blank_moves(shape):
                passed = words[changes_end + block * number + place * width :]
                old, new = image[cell], image[blank]
                between = range(min(old, new) + 1, max(old, new))
                # The rest is the blank's cell, which holds no tile and changes nothing.
                passed[: look.FALLS] = [4 * blank] * look.FALLS
                passed[: len(between)] = [4 * image.index(table_cell) for table_cell in between]
                passed[look.FALLS] = 256 * (new < old)
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
                    place = first_change + (view << look.VIEW_CHANGES) + 16 * name + other
                    words[place] = (change << shift) & lookups.WORD
                    words[place + 256] = (-change << shift) & lookups.WORD
        return words


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
    """Return what each move adds to FACTS, by direction, tile and cell."""
    steps = zeros(4 * 16 * 16, uint64)
    for name, blank, direction, cell, strays in lookups.tile_moves(shape):
        change = (
            (cell - blank << int(at.BLANK)) + (1 << int(at.DEPTH)) - int(at.EACH_SLACK) * strays
        )
        steps[(direction * 16 + name) * 16 + cell] = change & lookups.WORD
    return steps


def _pack(board: Cells) -> int:
    """Return a board as one word, 4 bits a cell."""
    # As hexadecimal digits, of which `hex` writes two for each cell.
    return int(bytes(board[::-1]).hex()[1::2], 16)

"""How the loop of `packed.py` looks up tables and moves: records, and the words of their arrays."""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.layout import Word, Words

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
    """What moves change in indices that are ranks, where a tile passes others in their order."""

    words: Words
    """By tile and partition, where the block of its table's grid begins. From CHANGES on, by
    partition, by whether the cell's number falls, by tile that moves and tile that is passed, what
    is added. Then the blocks: BLOCK words for each place, the bits of the board where tiles are
    passed, at most seven, and what picks the half of the changes."""
    most: int
    """Most cells that a move passes."""

"""Bit fields and records that both layouts of nodes share.

    direction   where the blank goes: 0 up, 1 left, 2 right, 3 down
    place       four times the blank's cell plus a direction: one of all moves of a grid
    choice      the members of a set of directions, 2 bits each, and from bit 8 their number
    log entry   bits 0-4  the cell of the blank
                from 5    the place of the parent's entry in the log, counted from 1
    half        address of a table value: twice that of its byte, plus 1 for the upper half

    {left, right, down} = 0b1110 → choice 0x31b = 3 << 8 | 0b01_10_11: down is listed first, left
    is searched first, because the last one written is popped first

Names in capitals are 64-bit constants of compiled code. The two layouts of nodes are drawn in
`packed.py` and `wide.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias, cast

from taquin.system.arrays import Array, uint8, uint16, uint64
from taquin.system.native import inlined, load_byte

Word = uint64
Words: TypeAlias = Array[uint64]

BATCH = 8
"""Most nodes that the loop expands together."""
DEEPEST = 512
"""Longest solution a node's depth field can count."""
CHILDREN = 4 * BATCH + 4
"""Places for the children of a batch: four are written for each node, though fewer may count."""

ZERO, ONE, TWO, THREE, FOUR = (Word(number) for number in range(5))
DIRECTION = Word(3)
"""The mask of a direction."""
DIRECTION_BITS = Word(2)
CHOICE_SIZE = Word(8)
"""First bit of the number of directions in a choice."""
LOG_BLANK, LOG_PARENT = Word(31), Word(5)
"""The mask of the blank in a log entry, and the first bit of its parent's place."""
DEPTHS, STATES = Word(DEEPEST - 1), Word((1 << 16) - 1)
"""The masks of a depth and of a state of the automaton."""
_VALUES = Word(15)
"""The mask of a table value."""


word_range = cast(Callable[..., Iterable[Word]], range)
"""`range`, which in compiled code yields words where it is given words."""


class Moves(NamedTuple):
    """The moves of a grid, and which of them the automaton allows."""

    exits: Words
    """For each cell, the directions that stay on the grid, as a set of bits."""
    by_place: Words
    """For each place, the word of the move, which differs from loop to loop."""
    choices: Array[uint16]
    """The choice for each set of directions."""
    allowed: Array[uint8]
    """For each state, the directions that it allows, as a set of bits."""
    follow: Array[uint16]
    """For each state, times four, plus a direction, the state after it."""


@inlined
def choice_at(moves: Moves, state: Word, blank: Word) -> Word:
    """Return the choice of directions in a state, with the blank in a cell."""
    return Word(moves.choices[Word(moves.allowed[state]) & moves.exits[blank]])


@inlined
def copy_four(stack: Words, source: Word, target: Word) -> None:
    """Copy four words, all read before the first is written, so that the compiler joins them."""
    first, second = stack[source], stack[source + ONE]
    third, fourth = stack[source + TWO], stack[source + THREE]
    stack[target], stack[target + ONE] = first, second
    stack[target + TWO], stack[target + THREE] = third, fourth


@inlined
def rise_at(half: Word, values: Word, shift: Word) -> Word:
    """Return the table value at `half` less the one in force, at bit `shift` of `values`."""
    value: Word = load_byte(half >> ONE) >> ((half & ONE) << TWO) & _VALUES
    return value - (values >> shift & _VALUES)

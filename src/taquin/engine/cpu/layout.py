"""The common part of both node layouts: bit fields, records, arrays of moves, slots of tables.

    direction   where the blank goes: 0 up, 1 left, 2 right, 3 down
    place       four times the blank's cell plus a direction: one of all moves of a grid
    choice      the members of a set of directions, 2 bits each, and from bit 8 their number
    log entry   bits 0-4  the cell of the blank
                from 5    the place of the parent's entry in the log, counted from 1
    half        address of a table value: twice that of its byte, plus 1 for the upper half

    {left, right, down} = 0b1110 → choice 0x31b = 3 << 8 | 0b01_10_11: down is listed first, left
    is searched first, because the last one written is popped first

Names in capitals are 64-bit constants of compiled code. `packed.py` and `wide.py` draw the two node
layouts; the functions after the kernels, from `counted_directions` on, are for the plans of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias, cast

from taquin.engine.cpu.automaton import Automaton
from taquin.system.arrays import Array, array, uint8, uint16, uint64, zeros
from taquin.system.native import inlined, load_byte
from taquin.tables.patterns import Partition, PatternKey, table_for
from taquin.tables.shape import Cells, Shape

Word = uint64
Words: TypeAlias = Array[uint64]

BATCH = 8
"""The maximum number of nodes that the loop expands together."""
DEEPEST = 512
"""The longest solution that a node's depth field can count."""
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
    """The moves of a grid that the automaton allows."""

    exits: Words
    """For each cell, the directions that stay on the grid, as a set of bits."""
    by_place: Words
    """For each place, the word of the move; its format depends on the layout."""
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
    """Return the table value at `half` minus the current value, at bit `shift` of `values`."""
    value: Word = load_byte(half >> ONE) >> ((half & ONE) << TWO) & _VALUES
    return value - (values >> shift & _VALUES)


WORD = (1 << 64) - 1
"""The mask of a word, by which negative changes wrap."""
_ORDER = (3, 2, 1, 0)
"""Directions in the order of writing; the last written is searched first: up, towards cell 0."""


def counted_directions() -> Array[uint16]:
    """Return the choice, as drawn in the header, for each set of directions."""
    choices = zeros(16, uint16)
    for bits in range(16):
        members = [direction for direction in _ORDER if bits >> direction & 1]
        choices[bits] = len(members) << 8 | sum(d << 2 * i for i, d in enumerate(members))
    return choices


def signed(word: int) -> int:
    """Return a word as a signed 64-bit number."""
    return word - (word >> 63 << 64)


def blank_moves(shape: Shape) -> Iterator[tuple[int, int, int, int]]:
    """Yield every move of the blank: its place, the blank's cell, direction, the tile's cell."""
    for blank, near in enumerate(shape.steps):
        for direction, cell in near:
            yield 4 * blank + direction, blank, direction, cell


def tile_moves(shape: Shape) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield every move of a tile: name, blank's cell, direction, tile's cell, whether it strays.

    A tile strays when it moves away from its home.
    """
    for _, blank, direction, cell in blank_moves(shape):
        for name in range(1, shape.size):
            strays = shape.distances[blank][name] > shape.distances[cell][name]
            yield name, blank, direction, cell, strays


def moves_of(shape: Shape, automaton: Automaton, fields: Callable[[int, int, int], int]) -> Moves:
    """Return the moves of a grid; `fields(place, blank, cell)` is the word of each."""
    by_place = zeros(4 * shape.size, Word)
    for place, blank, _, cell in blank_moves(shape):
        by_place[place] = fields(place, blank, cell)
    return Moves(
        array([sum(1 << direction for direction, _ in near) for near in shape.steps], Word),
        by_place,
        counted_directions(),
        array(automaton.allowed, uint8),
        array(chain.from_iterable(automaton.follow), uint16),
    )


@dataclass(frozen=True, slots=True)
class Slot:
    """A pattern and its table."""

    views: tuple[int, ...]
    """The numbers of the partitions with this pattern."""
    key: PatternKey
    """The table."""
    names: Cells
    """The tiles of the pattern, in the order of the table's digits."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""
    shifts: Cells
    """The change of a tile's digit when the *blank* moves in each direction."""

    def digits(self, where: Sequence[int]) -> Cells:
        """Return the cells of the table's grid for tiles that stand in the cells `where[name]`."""
        return tuple([self.image[where[name]] for name in self.names])


def slots_of(shape: Shape, partitions: Sequence[Partition], halvings: int = 0) -> list[Slot]:
    """Return one slot per pattern, even if two partitions share it."""
    views: dict[Cells, list[int]] = {}
    for number, partition in enumerate(partitions):
        for pattern in partition:
            views.setdefault(pattern, []).append(number)
    slots = []
    for pattern, numbers in views.items():
        key, image = table_for(shape, pattern, halvings)
        homes = sorted(pattern, key=lambda cell: image[cell])
        names = tuple(map(shape.name_of, homes))
        # The tile moves against the blank.
        change = {d: image[blank] - image[cell] for _, blank, d, cell in blank_moves(shape)}
        shifts = tuple(change[direction] for direction in range(4))
        slots.append(Slot(tuple(numbers), key, names, image, shifts))
    return slots

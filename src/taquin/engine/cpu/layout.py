"""The common part of both node layouts: the arrays of moves and the slots of tables.

    direction   where the blank goes: 0 up, 1 left, 2 right, 3 down
    place       four times the blank's cell plus a direction: one of all moves of a grid
    choice      the members of a set of directions, 2 bits each, and from bit 8 their number

    {left, right, down} = 0b1110 → choice 0x31b = 3 << 8 | 0b01_10_11: down is listed first, left
    is searched first, because the last one written is popped first

`kernels/ida16.c` and `kernels/ida25.c` draw the two node layouts; `packed.py` and `wide.py` make
the records of one goal for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from taquin.engine.cpu.automaton import Automaton
from taquin.system.arrays import Array, array, uint8, uint16, uint64, zeros
from taquin.tables.patterns import Partition, PatternKey, table_for
from taquin.tables.shape import Cells, Shape

Words: TypeAlias = Array[uint64]

BATCH = 8
"""The maximum number of nodes that the loop expands together."""
DEEPEST = 512
"""The longest solution that a node's depth field can count."""


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
    by_place = zeros(4 * shape.size, uint64)
    for place, blank, _, cell in blank_moves(shape):
        by_place[place] = fields(place, blank, cell)
    return Moves(
        array([sum(1 << direction for direction, _ in near) for near in shape.steps], uint64),
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

"""What the plans of all kernels have in common: arrays about moves, and look-ups in tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import Moves, Word, Words
from taquin.tables.patterns import Partition, PatternKey, table_for
from taquin.tables.shape import OPPOSITE, Cells, Shape

WORD = (1 << 64) - 1
"""All the bits of a word: whole numbers are cut to it, so that negative changes wrap."""
_ORDER = (3, 2, 1, 0)
"""Directions in the order of writing; the last written is searched first: up, towards cell 0."""


def listed_directions() -> NDArray[np.uint8]:
    """Return the members of each set of directions, from `4 * bits`, ended by a 4.

    The full set has no room for its end and needs none: it is the last.
    """
    moves = np.full(16 * 4 + 1, 4, np.uint8)
    for bits in range(16):
        choice = [direction for direction in _ORDER if bits >> direction & 1]
        moves[4 * bits : 4 * bits + len(choice)] = choice
    return moves


def counted_directions() -> NDArray[np.uint16]:
    """Return the choice (see `layout.py`) for each set of directions."""
    moves = np.zeros(16, np.uint16)
    for bits in range(16):
        choice = [direction for direction in _ORDER if bits >> direction & 1]
        moves[bits] = len(choice) << 8 | sum(d << 2 * i for i, d in enumerate(choice))
    return moves


def signed(word: int) -> int:
    """Return the number of 64 bits, sign included, that has the bits of a word."""
    return word - (word >> 63 << 64)


def exits_of(shape: Shape) -> Words:
    """Return for each cell the directions that stay on the grid, as a set of bits."""
    return np.array([sum(1 << direction for direction, _ in near) for near in shape.steps], Word)


def moves_of(shape: Shape, automaton: Automaton) -> Moves:
    """Return the moves of a grid; what is told by place is still 0."""
    return Moves(
        exits_of(shape),
        np.zeros(4 * shape.size, Word),
        counted_directions(),
        np.array(automaton.allowed, np.uint8),
        followers(automaton),
    )


def followers(automaton: Automaton) -> NDArray[np.uint16]:
    """Return, from `4 * state`, the state after each direction."""
    return np.array(automaton.follow, np.uint16).reshape(-1)


def tile_moves(shape: Shape) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield every move of a tile: name, blank's cell, direction, tile's cell, whether it strays.

    A tile strays when it moves away from its home.
    """
    for hole, near in enumerate(shape.steps):
        for direction, cell in near:
            for name in range(1, shape.size):
                strays = shape.distances[hole][name] > shape.distances[cell][name]
                yield name, hole, direction, cell, strays


@dataclass(frozen=True, slots=True)
class Slot:
    """One pattern, looked up in the table that serves it."""

    views: tuple[int, ...]
    """The partitions, by number, that count this pattern."""
    key: PatternKey
    """The table."""
    names: Cells
    """The tiles of the pattern, in the order of the table's digits."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""
    shifts: tuple[int, int, int, int]
    """By how much a tile's digit changes when the *blank* moves in each direction."""

    def digits(self, where: Sequence[int]) -> Cells:
        """Return the cells of the table's grid for tiles that stand in the cells `where[name]`."""
        return tuple([self.image[where[name]] for name in self.names])


def slots_of(shape: Shape, partitions: Sequence[Partition]) -> list[Slot]:
    """Return one slot for each pattern; a pattern that two partitions share is looked up once."""
    views: dict[Cells, list[int]] = {}
    for number, partition in enumerate(partitions):
        for pattern in partition:
            views.setdefault(pattern, []).append(number)
    slots = []
    for pattern, numbers in views.items():
        key, image = table_for(shape, pattern)
        homes = sorted(pattern, key=lambda cell: image[cell])
        names = tuple(map(shape.name_of, homes))
        slots.append(Slot(tuple(numbers), key, names, image, _shifts(shape, image)))
    return slots


def _shifts(shape: Shape, image: Cells) -> tuple[int, int, int, int]:
    """Return the digit's change by direction of the blank; the tile goes the other way."""
    change = [0, 0, 0, 0]
    for cell, near in enumerate(shape.steps):
        for direction, there in near:
            change[OPPOSITE - direction] = image[there] - image[cell]
    return change[0], change[1], change[2], change[3]

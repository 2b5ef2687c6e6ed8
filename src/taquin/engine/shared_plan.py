"""What the plans of all kernels have in common: the root of a tree, and arrays about moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taquin.engine.automaton import Automaton
from taquin.engine.normal import home_of
from taquin.tables.geometry import manhattan, offsets, steps

WORD = (1 << 64) - 1
"""All the bits of a word: whole numbers are cut to it, so that negative changes wrap."""

_ORDER = (3, 2, 1, 0)
"""Directions in the order of writing; the last written is searched first: up, towards cell 0."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board as the root of every bound's tree."""

    estimate: int
    """The heuristic's value: the first bound."""

    words: list[int]
    """The node at depth 0 for that bound."""

    widening: list[int]
    """What a bound higher by two adds to each word: one more room."""

    def node(self, bound: int) -> list[int]:
        """Return the node for `bound`."""
        times = (bound - self.estimate) // 2
        return [word + times * more for word, more in zip(self.words, self.widening, strict=True)]


def listed_directions() -> NDArray[np.uint8]:
    """Return the members of each set of directions, from `4 * bits`, ended by a 4.

    The full set has no room for its end and needs none: it is the last.
    """
    moves = np.full(16 * 4 + 1, 4, np.uint8)
    for bits in range(16):
        choice = [direction for direction in _ORDER if bits >> direction & 1]
        moves[4 * bits : 4 * bits + len(choice)] = choice
    return moves


def fixed_numbers(rows: int, cols: int) -> NDArray[np.uint64]:
    """Return the change of the blank's cell by direction, from 4, and each cell's exits, from 8."""
    fixed = np.zeros(8 + rows * cols, np.uint64)
    fixed[4:8] = [offset & WORD for offset in offsets(cols)]
    fixed[8:] = [sum(1 << direction for direction, _ in near) for near in steps(rows, cols)]
    return fixed


def state_changes(automaton: Automaton, bit: int) -> NDArray[np.uint64]:
    """Return, from `4 * state`, what each direction adds to a state field that starts at `bit`."""
    follow = np.array(automaton.follow, np.int64)
    change = follow - np.arange(len(follow))[:, None]
    return (change << bit).astype(np.uint64).reshape(-1)


def tile_moves(rows: int, cols: int, blank: int) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield every move of a tile: name, blank's cell, direction, tile's cell, whether it strays.

    The goal's blank is in cell `blank`; a tile strays when it moves away from its home.
    """
    for name in range(1, rows * cols):
        home = home_of(name, blank)
        for hole, near in enumerate(steps(rows, cols)):
            for direction, cell in near:
                strays = manhattan(cols, hole, home) > manhattan(cols, cell, home)
                yield name, hole, direction, cell, strays

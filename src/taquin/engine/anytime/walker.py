"""What a beam is, on the CPU or on a GPU, and what both kinds have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from taquin.engine.anytime.arrays import Moves, Neighbours, PuzzleArrays, Tiles
from taquin.system.arrays import Array, array, uint64

_CROWDED = 1.5
"""How many times as many boards as the average may have their blank in one cell. Of 1, 1.5, 2 and 3
this one was the best from 6×6 to 14×14, or as good as the best."""
_WORD = (1 << 64) - 1
"""The mask of a word."""


@dataclass(frozen=True, slots=True)
class BeamWalk:
    """What a beam found."""

    moves: Moves
    """The directions of the blank, to the goal or to the best board."""
    solved: bool
    """Whether they lead to the goal."""
    is_cut: bool = False
    """Whether it was ended from outside."""


class Walker(Protocol):
    """A beam: on the CPU or on a GPU."""

    width: int
    """Most boards of a level."""
    generated: int
    """Successors generated so far."""

    def walk(
        self,
        puzzle: PuzzleArrays,
        start: Tiles,
        keep_going: Callable[[], bool],
        *,
        longest: int = 1 << 30,
    ) -> BeamWalk:
        """Walk as `Beam.walk` does."""


def reachable(near: Neighbours) -> int:
    """Return how many cells the blank can go to."""
    return len({*near.items} - {-1})


def most_per_cell(width: int, cells: int) -> int:
    """Return how many boards of a beam may have their blank in the same one of so many cells."""
    # The blank is on every second cell of a level.
    return max(1, int(2 * _CROWDED * width / cells))


@cache
def keys_of(kinds: int) -> tuple[Array[uint64], Array[uint64]]:
    """Return a number for each tile and for each cell, of whose products hashes are sums."""
    words = [number * 0x9E3779B97F4A7C15 & _WORD for number in range(1, 2 * kinds + 1)]
    for factor in (0xD6E8FEB86659FD93, 0xBF58476D1CE4E5B9, 1):
        words = [(word ^ word >> 32) * factor & _WORD for word in words]
    return array([word | 1 for word in words[:kinds]], uint64), array(words[kinds:], uint64)

"""Misplaced tiles (h1, Hamming distance): the tiles that still have to move at all.

    8 1 3        goal  1 2 3     1 2 5 6 8 are out of place: 5
    4 _ 2              4 5 6     the blank is no tile and is never counted
    7 6 5              7 8 _

With repeated labels or ANY cells it is the number of goal cells that lack their tile: each needs
another tile to move in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq

from taquin.heuristics.homes import homes_in
from taquin.model.space import ANY_ID, Space, State


@dataclass(frozen=True, slots=True)
class Misplaced:
    """Count the tiles out of place: admissible and consistent on every puzzle."""

    name = "misplaced"
    counts_tile_steps = True

    def bind(self, space: Space) -> MisplacedEvaluator:
        """Return the evaluator for `space`."""
        wanted = [ANY_ID] * len(space.goal_ids)
        for tile, cells in homes_in(space).wanted.items():
            for cell in cells:
                wanted[cell] = tile
        return MisplacedEvaluator(wanted)


class MisplacedEvaluator:
    """Count the cells that lack the tile `wanted` names; ANY_ID wants none."""

    __slots__ = ("_count", "_wanted")

    admissible = True
    consistent = True

    def __init__(self, wanted: Sequence[int]) -> None:
        self._wanted = tuple(wanted)
        self._count = sum(tile != ANY_ID for tile in wanted)

    def value(self, state: State) -> int:
        """Return how many goal cells lack their tile."""
        met: int = sum(map(eq, self._wanted, state))
        return self._count - met

    def step(self, value: int, child: State, tile: int, origin: int, target: int) -> int:
        """Return `value` with the two cells of the move taken into account."""
        wanted = self._wanted
        return value + (wanted[origin] == tile) - (wanted[target] == tile)

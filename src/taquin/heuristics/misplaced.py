"""Misplaced tiles (h1, Hamming distance): the number of tiles that are not at home.

    8 1 3        goal  1 2 3     1 2 5 6 8 are misplaced: 5
    4 _ 2              4 5 6     the blank is not a tile and is never counted
    7 6 5              7 8 _

With repeated labels or ANY cells it is the number of goal cells with a wrong label: a tile has to
move into each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq

from taquin.heuristics.base import Estimate, Named
from taquin.heuristics.homes import homes_in
from taquin.model.space import ANY_ID, Space, State


@dataclass(frozen=True, slots=True)
class Misplaced(Named):
    """Count the misplaced tiles: admissible and consistent on every puzzle."""

    name = "misplaced"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        tiles = homes_in(space).wanted
        wanted = [tile if tile in tiles else ANY_ID for tile in space.goal_ids]
        count = sum(tile != ANY_ID for tile in wanted)

        def misplaced(state: State) -> int:
            met: int = sum(map(eq, wanted, state))
            return count - met

        def step(value: int, child: State, tile: int, origin: int, target: int) -> int:
            return value + (wanted[origin] == tile) - (wanted[target] == tile)

        return Estimate(misplaced, step)

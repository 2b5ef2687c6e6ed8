"""Manhattan distance with the agent counted too: S3's estimate, and not an admissible one.

    1 2 3        one move solves this, yet tile 8 is 1 from home and the blank is 1 from home:
    4 5 6        the estimate is 2
    7 _ 8

Kept because a published study used it: its counts come out only with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.heuristics.base import Evaluator
from taquin.heuristics.homes import homes_in
from taquin.heuristics.manhattan import manhattan_evaluator
from taquin.model.space import Space


@dataclass(frozen=True, slots=True)
class ManhattanWithAgent:
    """Add up the distances of the tiles and of the blank from home.

    Neither admissible nor consistent: one move can bring a tile and the blank home at once, so
    the estimate may be up to twice the cost. Where the goal does not name the blank's cell it is
    plain Manhattan distance, and sound. A blank on a wall cell (see `Space`) counts as if the wall
    were open.
    """

    name = "manhattan-agent"
    counts_tile_steps = True

    def bind(self, space: Space) -> Evaluator:
        """Return the evaluator for `space`."""
        homes = dict(homes_in(space).single)
        if 0 in space.goal_ids:
            homes[0] = space.goal_ids.index(0)
        return manhattan_evaluator(space, homes)

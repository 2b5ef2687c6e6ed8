"""Gaschnig's estimate (maxswap): the swaps needed if the blank could change places with any tile.

    2 3 1        the blank is home, so 1 first goes to the blank's cell; then 3, 2 and 1 go home:
    4 5 6        4 swaps
    7 8 _

For each cell that holds a wrong label, join the label it wants and the label it holds: the labels
fall into connected pieces, here {1, 2, 3}.

The blank works through a piece it is part of at one swap per tile out of place. A piece without
the blank is entered by one more swap, which carries a tile out. Where the goal has ANY cells, the
tiles of a label beyond what their piece wants are carried out into them, one swap each, and any of
these swaps enters the piece. If there are such tiles, but none in the blank's own piece, the work
there ends with the blank at home: the next tile carried out lands on that cell, and has to be
carried once more.

This is the exact cost of a problem with fewer rules (Gaschnig, 1979), hence admissible and
consistent whatever walls, repeated labels or ANY cells there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from taquin.heuristics.base import Estimate, Named
from taquin.model.space import ANY_ID, Space, State


@dataclass(frozen=True, slots=True)
class Gaschnig(Named):
    """Count the swaps of the blank with tiles anywhere: admissible and consistent."""

    name = "gaschnig"
    counts_tile_steps = True

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        walls = space.puzzle.grid.walls
        wanted = [
            (cell, tile)
            for cell, tile in enumerate(space.goal_ids)
            if tile != ANY_ID and cell not in walls
        ]
        return Estimate(partial(_swaps, wanted, range(len(space.labels))))


def _swaps(goal: list[tuple[int, int]], labels: range, state: State) -> int:
    """Count the swaps to a goal of `(cell, id)` pairs; the blank is id 0."""
    leader = list(labels)
    surplus = [0] * len(leader)
    misplaced = 0
    touched = set()
    for cell, wanted in goal:
        held = state[cell]
        if held == wanted:
            continue
        misplaced += wanted != 0
        touched.add(held)
        touched.add(wanted)
        surplus[held] += 1
        surplus[wanted] -= 1
        while leader[held] != held:
            held = leader[held]
        while leader[wanted] != wanted:
            wanted = leader[wanted]
        leader[held] = wanted
    if not touched:
        return 0
    carried: dict[int, int] = {}
    blank_piece = -1
    for label in touched:
        piece = label
        while leader[piece] != piece:
            piece = leader[piece]
        if label == 0:
            blank_piece = piece
        # The blank leaves a cell by working, not by being carried out.
        out = surplus[label] if label and surplus[label] > 0 else 0
        carried[piece] = carried.get(piece, 0) + out
    to_enter = sum(not out for piece, out in carried.items() if piece != blank_piece)
    swaps = misplaced + to_enter + sum(carried.values())
    if any(carried.values()) and not carried.get(blank_piece):
        # Only a goal that names the blank's cell has the blank end its work at home.
        swaps += any(wanted == 0 for _, wanted in goal)
    return swaps

"""Gaschnig's estimate (maxswap): the number of swaps if the blank could swap with any tile.

    2 3 1        the blank is home, so 1 first goes to the blank's cell; then 3, 2 and 1 go home:
    4 5 6        4 swaps
    7 8 _

For each cell with a wrong label, connect this label with the cell's goal label. The labels form
connected components, here {1, 2, 3}. The blank solves its own component with one swap per misplaced
tile. To enter another component it needs one more swap, which moves a tile out.

Where the goal has ANY cells, a component may have more tiles of a label than goal cells for it.
Each such surplus tile moves out to an ANY cell by one swap, and any of these swaps also enters the
component. If surplus tiles exist, but none in the blank's component, the blank ends that component
on its goal cell. The next surplus tile then lands there and has to move once more.

This is the exact cost of a relaxed problem (Gaschnig, 1979), hence admissible and consistent on
every puzzle, also with walls, repeated labels or ANY cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from taquin.heuristics.base import Estimate, Named
from taquin.model.space import ANY_ID, Space, State


@dataclass(frozen=True, slots=True)
class Gaschnig(Named):
    """Count the swaps of the blank with arbitrary tiles: admissible and consistent."""

    name = "gaschnig"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`."""
        walls = space.puzzle.grid.walls
        goal = [
            (cell, label)
            for cell, label in enumerate(space.goal_ids)
            if label != ANY_ID and cell not in walls
        ]
        return Estimate(partial(_swaps, goal, range(len(space.labels))))


def _swaps(goal: list[tuple[int, int]], labels: range, state: State) -> int:
    """Count the swaps to a goal of `(cell, label)` pairs, labels being ids; the blank is 0."""
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
    surplus_tiles: dict[int, int] = {}
    blank_component = -1
    for label in touched:
        component = label
        while leader[component] != component:
            component = leader[component]
        if label == 0:
            blank_component = component
        tiles = surplus[label] if label and surplus[label] > 0 else 0
        surplus_tiles[component] = surplus_tiles.get(component, 0) + tiles
    moved_out = sum(surplus_tiles.values())
    to_enter = sum(
        not tiles for component, tiles in surplus_tiles.items() if component != blank_component
    )
    swaps = misplaced + to_enter + moved_out
    if moved_out and not surplus_tiles.get(blank_component):
        # The blank ends on its goal cell only if the goal names one.
        swaps += any(wanted == 0 for _, wanted in goal)
    return swaps

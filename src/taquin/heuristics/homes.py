"""Where tiles belong: what a goal asks of each label of a space.

    start  A B . _        single     A → cell 1: one tile, one goal cell
           . . B .        repeated   B → cells 2, 3: several tiles or several goal cells
    goal   * A B B        free       every `.`: no goal cell asks for it

The blank and the walls are no tiles and have no home.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from taquin.model.moves import WALL
from taquin.model.space import Space


@dataclass(frozen=True, slots=True)
class Homes:
    """The goal cells of each label, labels given by their ids in the space."""

    single: dict[int, int]
    """The goal cell of each label that has exactly one tile and one goal cell."""
    repeated: dict[int, tuple[int, ...]]
    """The goal cells, in order, of every other label that has any."""
    labels: int
    """How many ids there are, those of the blank and the walls included."""
    tiles: dict[int, int]
    """How many tiles carry each label, those without a goal cell included."""

    @property
    def wanted(self) -> dict[int, tuple[int, ...]]:
        """Return the goal cells of every label that has any."""
        return {tile: (cell,) for tile, cell in self.single.items()} | self.repeated


def homes_in(space: Space) -> Homes:
    """Return what the goal of `space` asks of each label."""
    tiles = Counter(space.start)
    ids = [tile for tile, label in enumerate(space.labels) if tile and label != WALL]
    cells: dict[int, list[int]] = {tile: [] for tile in ids}
    for cell, tile in enumerate(space.goal_ids):
        if tile in cells:
            cells[tile].append(cell)
    single = {tile: cells[tile][0] for tile in ids if tiles[tile] == 1 and len(cells[tile]) == 1}
    return Homes(
        single=single,
        repeated={tile: tuple(cells[tile]) for tile in ids if cells[tile] and tile not in single},
        labels=len(space.labels),
        tiles={tile: tiles[tile] for tile in ids},
    )

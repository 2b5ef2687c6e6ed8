"""The look-ups of a heuristic: which tile counts in which table, how a move shifts the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taquin.engine.normal import name_of
from taquin.tables.geometry import OPPOSITE, Cells, steps
from taquin.tables.patterns import Partition, PatternKey, table_for


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


def slots_of(rows: int, cols: int, blank: int, partitions: Sequence[Partition]) -> list[Slot]:
    """Return one slot for each pattern; a pattern that two partitions share is looked up once."""
    views: dict[Cells, list[int]] = {}
    for number, partition in enumerate(partitions):
        for pattern in partition:
            views.setdefault(pattern, []).append(number)
    slots = []
    for pattern, numbers in views.items():
        key, image = table_for(rows, cols, pattern, blank)
        homes = sorted(pattern, key=lambda cell: image[cell])
        names = tuple(name_of(cell, blank) for cell in homes)
        slots.append(Slot(tuple(numbers), key, names, image, _shifts(rows, cols, image)))
    return slots


def _shifts(rows: int, cols: int, image: Cells) -> tuple[int, int, int, int]:
    """Return the digit's change by direction of the blank; the tile goes the other way."""
    change = [0, 0, 0, 0]
    for cell, near in enumerate(steps(rows, cols)):
        for direction, there in near:
            change[OPPOSITE - direction] = image[there] - image[cell]
    return change[0], change[1], change[2], change[3]

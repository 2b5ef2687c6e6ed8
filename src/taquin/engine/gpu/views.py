"""Which partitions of the tiles a search on the card reads.

A *view* is a partition. Direct views have tables by the cells of their tiles, as on the CPU; ranked
ones, for patterns of seven and eight tiles, by set of cells and order (`kernels/tables.cu`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from taquin.engine.cpu.lookups import Slot, slots_of
from taquin.tables.patterns import Partition
from taquin.tables.shape import Cells, Shape

_RANKED: dict[Shape, Partition] = {
    Shape(4, 4, 0): ((2, 3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13)),
    Shape(5, 5, 0): (
        (1, 2, 5, 6, 7, 10, 11, 12),
        (3, 4, 8, 9, 13, 14, 19, 24),
        (15, 16, 17, 18, 20, 21, 22, 23),
    ),
}
"""Partitions into large patterns, for a goal whose blank is in cell 0."""


@dataclass(frozen=True, slots=True)
class RankedSlot:
    """One large pattern, looked up in the table that serves it."""

    views: tuple[int, ...]
    """The ranked views, by number, that count this pattern."""
    table: Cells
    """The goal cells of its tiles in the orientation of the table."""
    names: Cells
    """Its tiles, by those cells."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle's."""


@dataclass(frozen=True, slots=True)
class Views:
    """The partitions that a search reads."""

    shape: Shape
    """Grid and goal."""
    ranked: tuple[RankedSlot, ...]
    """The large patterns."""
    images: tuple[Cells, ...]
    """For each ranked view, the cell of the tables' grid for each cell of the puzzle's."""
    codes: tuple[Cells, ...]
    """For each ranked view, the number of each tile's pattern, from 1; 0 for the blank."""
    direct: tuple[Slot, ...]
    """The small patterns; their views are numbered after the ranked ones."""
    direct_views: int
    """Partitions into small patterns."""

    @property
    def count(self) -> int:
        """All views."""
        return len(self.images) + self.direct_views

    def slots(self) -> list[tuple[int, ...]]:
        """Return the views of each slot, ranked ones first, all numbered together."""
        shift = len(self.images)
        direct = [tuple(view + shift for view in slot.views) for slot in self.direct]
        return [slot.views for slot in self.ranked] + direct


def large_patterns(shape: Shape) -> Partition | None:
    """Return the known partition of `min(shape.symmetries)` into large patterns, or None."""
    return _RANKED.get(min(shape.symmetries)[0])


def views_of(shape: Shape, large: Partition | None, small: Sequence[Partition]) -> Views:
    """Return the views of a goal: `large`, its mirror image if the goal has one, and all `small`.

    The large partition is of the smallest image of the shape, the small ones of the shape itself.
    """
    direct = tuple(slots_of(shape, small))
    if large is None:
        return Views(shape, (), (), (), direct, len(small))
    first, to_first = min(shape.symmetries)
    mirrors = [image for other, image in first.symmetries[1:] if other == first][-1:]
    images = [to_first, *(tuple(image[cell] for cell in to_first) for image in mirrors)]
    codes = []
    for image in images:
        code = [0] * 32
        for number, pattern in enumerate(large, 1):
            for cell in pattern:
                code[shape.name_of(image.index(cell))] = number
        codes.append(tuple(code))
    slots: dict[frozenset[int], RankedSlot] = {}
    for view, image in enumerate(images):
        for pattern in large:
            names = tuple(shape.name_of(image.index(cell)) for cell in pattern)
            slot = slots.get(frozenset(names), RankedSlot((), pattern, names, image))
            slots[frozenset(names)] = replace(slot, views=(*slot.views, view))
    return Views(shape, tuple(slots.values()), tuple(images), tuple(codes), direct, len(small))

"""Additive pattern databases (Korf and Felner, Artificial Intelligence 134, 2002) as a heuristic.

    1 1 2 2        a *group* of tiles is solved by itself; only moves of the group's own tiles
    1 1 2 2        count, so the values of disjoint groups add up. Tiles in no group, the dots,
    . . . _        count with their Manhattan distance.

The tables are those of the compiled search (`taquin.tables`): built once, kept on disk. They hold
half of what a group needs beyond its Manhattan distance with the best cell for the blank. One pass
over the cells adds up the distance and the indices of all groups, each in 32 bits of its own
(groups of more than six tiles are ranked afterwards):

    sum over cells of entry[cell][id on it]  =  … index of group 2 | index of group 1 | distance
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from operator import getitem
from struct import Struct

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Estimate, Named, Report
from taquin.model.moves import BLANK, Label
from taquin.model.space import Space, State
from taquin.tables import patterns as known
from taquin.tables.patterns import Partition, PatternKey
from taquin.tables.shape import Cells, Shape, shape_of

MOST_TILES = 8
"""Tiles of the largest group; `DIRECT_TILES` on grids of more than 16 cells."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Patterns(Named):
    """Add up what groups of tiles need, looked up in pattern databases.

    `tiles` is the name of a set, such as `small`, or the labels of each group. A set has several
    ways to group the tiles, the best of which counts. Admissible; not consistent, because a table
    assumes the best cell for the blank, and the value jumps when the blank turns out to be
    elsewhere. Raise UnsuitableError for groups that share a tile, are empty or too large, and on
    puzzles that are not classic.

    >>> Patterns([[1, 2, 5, 6], [3, 4, 7, 8]]).name
    'patterns([1 2 5 6], [3 4 7 8])'
    """

    tiles: str | tuple[tuple[Label, ...], ...]
    """The name of a set, or the labels of each group."""

    counts_tile_steps = True

    def __init__(self, tiles: str | Sequence[Sequence[Label]] = "small") -> None:
        tiles = tiles if isinstance(tiles, str) else tuple(map(tuple, tiles))
        if needed := _lacking(tiles):
            raise UnsuitableError(f"patterns needs {needed}, found {_text(tiles) or 'none'}")
        object.__setattr__(self, "tiles", tiles)

    @property
    def name(self) -> str:
        """The name used on the command line."""
        return f"patterns({_text(self.tiles)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Load the tables for `space` or build and keep them; `report` is called meanwhile."""
        _tables(*self._partitions(space), report)

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, from tables that are loaded or built."""
        shape, partitions = self._partitions(space)
        return _best_sum(space, shape, partitions, _tables(shape, partitions, None))

    def _partitions(self, space: Space) -> tuple[Shape, tuple[Partition, ...]]:
        """Return the goal's shape and the ways to group its tiles, as goal cells."""
        goal = space.puzzle.goal
        shape = shape_of(goal)
        if shape is None:
            raise UnsuitableError(
                "patterns needs a classic puzzle: 2×2 to 25 cells, no walls, every tile different, "
                "every cell of the goal named"
            )
        if isinstance(self.tiles, str):
            return shape, known.table_set(shape, self.tiles)
        if unknown := [label for label in chain(*self.tiles) if label not in goal.cells]:
            raise UnsuitableError(
                f"patterns needs tiles of the goal, found {unknown[0]} that is not in {goal.text()}"
            )
        if shape.size > known.PACKED_CELLS and max(map(len, self.tiles)) > known.DIRECT_TILES:
            raise UnsuitableError(
                f"patterns needs groups of at most {known.DIRECT_TILES} tiles on more than "
                f"{known.PACKED_CELLS} cells, found {_text(self.tiles)}"
            )
        cells = (sorted(map(goal.cells.index, group)) for group in self.tiles)
        return shape, (tuple(map(tuple, cells)),)

    def __repr__(self) -> str:
        tiles = self.tiles if isinstance(self.tiles, str) else list(map(list, self.tiles))
        return f"Patterns({tiles!r})"


def _lacking(tiles: str | Sequence[Sequence[Label]]) -> str | None:
    """Return what `tiles` should be and are not."""
    if isinstance(tiles, str):
        named = known.NAMED_SETS
        return None if tiles in named else f"{' or '.join(named)} or groups of tiles"
    labels = list(chain.from_iterable(tiles))
    if not tiles or not all(tiles):
        return "at least one tile in each group"
    if len(set(labels)) < len(labels) or BLANK in labels:
        return "groups that hold a tile at most once and never the blank"
    return f"groups of at most {MOST_TILES} tiles" if max(map(len, tiles)) > MOST_TILES else None


def _text(tiles: str | Sequence[Sequence[Label]]) -> str:
    if isinstance(tiles, str):
        return tiles
    return ", ".join(f"[{' '.join(map(str, group))}]" for group in tiles)


def _tables(
    shape: Shape, partitions: Sequence[Partition], report: Report | None
) -> dict[PatternKey, memoryview]:
    """Return the tables that serve the patterns, built first where they are missing."""
    # Imported late: a search without tables need not load them.
    from taquin.tables.build import PatternRecipe
    from taquin.tables.store import TableStore

    store = TableStore()
    keys = sorted({known.table_for(shape, tiles)[0] for tiles in chain.from_iterable(partitions)})
    return {key: store.near(PatternRecipe(key), progress=report).items for key in keys}


def _best_sum(
    space: Space,
    shape: Shape,
    partitions: Sequence[Partition],
    tables: Mapping[PatternKey, memoryview],
) -> Estimate:
    """Return the evaluator that looks up the groups of every partition; the largest sum counts."""
    cells = range(shape.size)
    entries = [
        [shape.manhattan(cell, space.goal_ids.index(tile)) if tile else 0 for tile in cells]
        for cell in cells
    ]
    looked_up: list[memoryview] = []
    ranked: list[tuple[int, tuple[int, ...], Cells]] = []
    for number, pattern in enumerate(chain.from_iterable(partitions)):
        key, image = known.table_for(shape, pattern)
        tiles = tuple(space.goal_ids[cell] for cell in sorted(pattern, key=image.__getitem__))
        for tile, spots in zip(tiles, key.spots, strict=True):
            for cell in cells:
                entries[cell][tile] += spots[image[cell]] << 32 * (number + 1)
        looked_up.append(tables[key])
        if key.ranked:
            ranked.append((number, tiles, image))
    parts = [slice(*ends) for ends in pairwise((0, *accumulate(map(len, partitions))))]
    numbers = Struct(f"<{1 + len(looked_up)}I")
    unpacked, width = numbers.unpack, numbers.size

    def total(state: State) -> int:
        packed = sum(map(getitem, entries, state))
        distance, *indices = unpacked(packed.to_bytes(width, "little"))
        for number, tiles, image in ranked:
            indices[number] = known.rank(len(image), [image[state.index(tile)] for tile in tiles])
        values = [
            table[index >> 1] >> ((index & 1) << 2) & 15
            for table, index in zip(looked_up, indices, strict=True)
        ]
        most: int = max([sum(values[part]) for part in parts])
        return int(distance) + 2 * most

    return Estimate(total, consistent=False)

"""Additive pattern databases (Korf and Felner, Artificial Intelligence 134, 2002) as a heuristic.

    1 1 2 2        a *group* of tiles is solved by itself; only moves of the group's own tiles
    1 1 2 2        count, so the values of disjoint groups add up. Tiles in no group, the dots,
    . . . _        count with their Manhattan distance.

The tables are those of the compiled search (`taquin.tables`): built once, stored on disk. A value
is half of the excess of a group's cost over its Manhattan distance, for the best cell of the blank.
One pass over the cells adds up the distance and the indices of all groups, in 32 bits each (groups
of more than six tiles are ranked afterwards):

    sum over cells of entry[cell][id on it]  =  … index of group 2 | index of group 1 | distance
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from operator import getitem
from struct import Struct

from taquin.errors import InputError, UnsuitableError
from taquin.heuristics.base import Estimate, Named, Report
from taquin.model.moves import BLANK, Label
from taquin.model.space import Space, State
from taquin.reasons import reason
from taquin.tables import patterns
from taquin.tables.patterns import Partition, PatternKey
from taquin.tables.shape import Cells, Shape, shape_of


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Patterns(Named):
    """Add up the costs of groups of tiles, looked up in pattern databases.

    `tiles` is the name of a set, such as `small`, or a picture of one, such as `AAB/AAB/CC.` (see
    `taquin.tables.patterns`), or the labels of each group. If a set has several partitions, the
    maximum counts. Admissible; not consistent, because a table assumes the best cell for the blank,
    and the value jumps when the blank is elsewhere. Raise UnsuitableError for groups that
    share a tile, are empty or too large, and on puzzles that are not classic.

    >>> Patterns([[1, 2, 5, 6], [3, 4, 7, 8]]).name
    'patterns([1 2 5 6], [3 4 7 8])'
    """

    tiles: str | tuple[tuple[Label, ...], ...]
    """The name or the picture of a set, or the labels of each group."""

    def __init__(self, tiles: str | Sequence[Sequence[Label]] = "small") -> None:
        tiles = tiles if isinstance(tiles, str) else tuple(map(tuple, tiles))
        if needed := _lacking(tiles):
            raise UnsuitableError(
                reason("pattern-need", expected=needed, found=_text(tiles) or reason("nothing"))
            )
        object.__setattr__(self, "tiles", tiles)

    @property
    def name(self) -> str:
        """The name used on the command line."""
        return f"patterns({_text(self.tiles)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Load the tables for `space`, or build and store them; `report` is called regularly."""
        shape, partitions = self._partitions(space)
        _tables(_keyed(shape, partitions, self._halvings), report)

    def check(self, space: Space) -> None:
        """Raise UnsuitableError where the heuristic does not support the puzzle of `space`."""
        self._partitions(space)

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`, after loading or building the tables."""
        return _best_sum(space, self.lookups(space))

    def lookups(self, space: Space) -> list[list[PatternLookup]]:
        """Return the lookups of each partition for `space`, after loading or building the tables.

        Raise UnsuitableError where the heuristic does not support the puzzle.
        """
        shape, partitions = self._partitions(space)
        tables = _tables(_keyed(shape, partitions, self._halvings), None)
        return [
            [
                PatternLookup(
                    tuple(map(space.goal_ids.__getitem__, homes)), key, image, tables[key]
                )
                for pattern, key, image in _keyed(shape, [partition], self._halvings)
                for homes in [sorted(pattern, key=image.__getitem__)]
            ]
            for partition in partitions
        ]

    @property
    def _halvings(self) -> int:
        return patterns.halvings_of(self.tiles) if isinstance(self.tiles, str) else 0

    def _partitions(self, space: Space) -> tuple[Shape, tuple[Partition, ...]]:
        """Return the goal's shape and the partitions of its tiles, as goal cells."""
        goal = space.puzzle.goal
        shape = shape_of(goal)
        if shape is None:
            raise UnsuitableError(reason("patterns-classic"))
        if isinstance(self.tiles, str):
            try:
                return shape, patterns.partitions_of(shape, patterns.drawn(goal, self.tiles))
            except InputError as error:
                raise UnsuitableError(error.reason) from None
        if unknown := [label for label in chain(*self.tiles) if label not in goal.cells]:
            raise UnsuitableError(
                f"patterns needs tiles of the goal, found {unknown[0]} that is not in {goal.text()}"
            )
        if max(map(len, self.tiles)) > patterns.most_tiles(shape.size):
            raise UnsuitableError(
                f"patterns needs groups of at most {patterns.DIRECT_TILES} tiles on more than "
                f"{patterns.PACKED_CELLS} cells, found {_text(self.tiles)}"
            )
        cells = (sorted(map(goal.cells.index, group)) for group in self.tiles)
        return shape, (tuple(map(tuple, cells)),)

    def __repr__(self) -> str:
        tiles = self.tiles if isinstance(self.tiles, str) else list(map(list, self.tiles))
        return f"Patterns({tiles!r})"


def _lacking(tiles: str | Sequence[Sequence[Label]]) -> str | None:
    """Return the requirement that `tiles` violates, or None."""
    if isinstance(tiles, str):
        names = ", ".join(patterns.NAMED_SETS)
        return None if patterns.is_known(tiles) else reason("pattern-names", names=names)
    labels = list(chain.from_iterable(tiles))
    if not tiles or not all(tiles):
        return reason("pattern-empty")
    if len(set(labels)) < len(labels) or BLANK in labels:
        return reason("pattern-once")
    most = patterns.MOST_TILES
    return reason("pattern-most", most=most) if max(map(len, tiles)) > most else None


def _text(tiles: str | Sequence[Sequence[Label]]) -> str:
    if isinstance(tiles, str):
        return tiles
    return ", ".join(f"[{' '.join(map(str, group))}]" for group in tiles)


def _keyed(
    shape: Shape, partitions: Sequence[Partition], halvings: int
) -> list[tuple[Cells, PatternKey, Cells]]:
    """Return every pattern with the key of its table and the image of each cell in it."""
    return [
        (pattern, *patterns.table_for(shape, pattern, halvings))
        for pattern in chain.from_iterable(partitions)
    ]


def _tables(
    keyed: Sequence[tuple[Cells, PatternKey, Cells]], report: Report | None
) -> dict[PatternKey, memoryview]:
    """Return the tables of the patterns, building missing ones."""
    # Imported late: a search without tables need not load them.
    from taquin.tables.build import PatternRecipe
    from taquin.tables.store import TableStore

    store = TableStore()
    keys = sorted({key for _, key, _ in keyed})
    return {key: store.near(PatternRecipe(key), progress=report).items for key in keys}


@dataclass(frozen=True, slots=True)
class PatternLookup:
    """A pattern and the table that serves it."""

    tiles: tuple[int, ...]
    """The ids of its tiles, in the order of the table's index."""
    key: PatternKey
    """The identity of the table."""
    image: Cells
    """The cell of the table's grid for each cell of the puzzle."""
    table: memoryview
    """The table."""

    @property
    def terms(self) -> list[list[int]]:
        """The term of each tile in the index, by its cell.

        For a table by rank the index is the cells of the tiles, 4 bits each, the first highest.
        """
        if self.key.ranked:
            last = len(self.tiles) - 1
            places = range(len(self.tiles))
            return [[cell << 4 * (last - place) for cell in self.image] for place in places]
        return [[spots[cell] for cell in self.image] for spots in self.key.spots]


def _best_sum(space: Space, lookups: Sequence[Sequence[PatternLookup]]) -> Estimate:
    """Return the evaluator that looks up the groups of every partition; the maximum sum counts."""
    grid = space.puzzle.grid
    cells = range(grid.size)
    entries = [
        [grid.distance(cell, space.goal_ids.index(tile)) if tile else 0 for tile in cells]
        for cell in cells
    ]
    every = list(chain.from_iterable(lookups))
    halvings = every[0].key.halvings
    ranked: list[tuple[int, tuple[int, ...], Cells]] = []
    for number, lookup in enumerate(every):
        if lookup.key.ranked:
            ranked.append((number, lookup.tiles, lookup.image))
            continue
        for tile, terms in zip(lookup.tiles, lookup.terms, strict=True):
            for cell in cells:
                entries[cell][tile] += terms[cell] << 32 * (number + 1)
    looked_up = [lookup.table for lookup in every]
    parts = [slice(*ends) for ends in pairwise((0, *accumulate(map(len, lookups))))]
    numbers = Struct(f"<{1 + len(looked_up)}I")
    unpacked, width = numbers.unpack, numbers.size

    def total(state: State) -> int:
        packed = sum(map(getitem, entries, state))
        distance, *indices = unpacked(packed.to_bytes(width, "little"))
        for number, tiles, image in ranked:
            indices[number] = patterns.rank(
                len(image), [image[state.index(tile)] for tile in tiles]
            )
        values = [
            table[index >> halvings + 1] >> ((index >> halvings & 1) << 2) & 15
            for table, index in zip(looked_up, indices, strict=True)
        ]
        most: int = max([sum(values[part]) for part in parts])
        return int(distance) + 2 * most

    return Estimate(total, consistent=False)

"""Patterns of tiles, their tables, and the sets of tables: named ones, and those that users write.

In *normal form* (`taquin.tables.shape`) every tile is named by its goal cell, so a pattern is a set
of cells.

        . 1 2 3        {1 2 4 5 6 8}      two patterns that a symmetry of the grid
        4 5 6 7        {9 10 12 13 14 15} maps onto each other share one table, and
        8 9 a b        {3 7 11}           so do all goals that differ in labels
        c d e f

A pattern may split the grid into regions; of the goal's blank, a table depends only on its region.
Hence the key of a table is the size of the grid, the cells of the pattern and the smallest cell of
that region, for the smallest of the eight symmetric images.

Sets are written as pictures, or by labels (`partitions_of` and `drawn` read them):

    AAAB      A letter is a *group* of tiles with its own table: the tiles whose goal cells have
    AAAB      that letter. A dot is the goal's blank, or a tile in no group, for which only its
    CCCB      Manhattan distance counts.
    CCC.

    AAAB/AAAB/CCCB/CCC.           one partition on one line
    1 2 3 5 6 7 / 4 8 12 / …      this partition by labels of tiles, a slash after each group
    AAB/AAB/CC.+ABB/ABB/AC.       two partitions: the maximum of their sums counts
    small~2, AAB/AAB/CC.~4        *compressed*: each 2, 4, 8 or 16 values share their minimum

A compressed table needs a half, a quarter … of the memory. A value is the excess of a group's cost
over its Manhattan distance, so a minimum is still a lower bound, and the distance stays exact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, combinations
from math import perm
from typing import TypeAlias

from taquin.errors import InputError
from taquin.model.moves import BLANK
from taquin.model.puzzle import Goal
from taquin.system.formatting import shorten
from taquin.tables.shape import Cells, Shape

Partition: TypeAlias = tuple[Cells, ...]
"""Disjoint patterns that contain every tile once; the sum of their values is a lower bound."""
DIRECT_TILES = 6
"""Patterns up to this size are indexed directly, without ranking (see `PatternKey.spots`)."""
PACKED_CELLS = 16
"""Grids up to this size give each cell number 4 bits."""
_INTERLEAVED = tuple(enumerate((0, 2, 1, 3)))
"""The bits of a cell's number in the order in which they are interleaved."""
MOST_BYTES = 600_000_000
"""The maximum size of a set whose second partition needs its own tables."""


# Without slots, because `cached_property` keeps its values in `__dict__`.
@dataclass(frozen=True, order=True)
class PatternKey:
    """The identity of a table, in the orientation in which it is stored."""

    rows: int
    columns: int
    tiles: Cells
    """Goal cells of the pattern's tiles, ascending."""
    blank: int
    """Smallest cell that the goal's blank reaches without entering the pattern."""
    halvings: int = 0
    """The number of halvings: each 2 ** halvings values share their minimum."""

    @property
    def cells(self) -> int:
        """The number of cells of the grid."""
        return self.rows * self.columns

    @property
    def ranked(self) -> bool:
        """Whether the table is indexed by rank (large patterns) or directly (small ones)."""
        return len(self.tiles) > DIRECT_TILES

    @property
    def configurations(self) -> int:
        """The number of placements of the pattern's tiles on the grid."""
        return perm(self.cells, len(self.tiles))

    @cached_property
    def spots(self) -> tuple[Cells, ...]:
        """The term of each tile in the table's index, by its cell; zeros if ranked.

        On grids of more than 16 cells a direct index is a number in base `cells`, with the last
        tile's cell as the lowest digit. On smaller grids it has four bits per tile, interleaved:
        the lowest bit of every tile's cell, the last tile's first, then the third bits, the second,
        the fourth. On 4×4 these alternate between column and row, so that configurations one or two
        steps apart are close together, often in one cache line.
        """
        size, cells = len(self.tiles), range(self.cells)
        if self.ranked:
            return ((0,) * self.cells,) * size
        if self.cells > PACKED_CELLS:
            places = [self.cells**place for place in reversed(range(size))]
            return tuple(tuple(cell * place for cell in cells) for place in places)
        return tuple(
            tuple(
                sum((cell >> bit & 1) << rank * size + place for rank, bit in _INTERLEAVED)
                for cell in cells
            )
            for place in reversed(range(size))
        )

    @property
    def entries(self) -> int:
        """The number of values in the table, unused ones included."""
        base = max(PACKED_CELLS, self.cells)
        return self.configurations if self.ranked else base ** len(self.tiles)

    @property
    def nbytes(self) -> int:
        """The size of the table: two values per byte, after the halvings."""
        return -(-self.entries >> self.halvings + 1)

    @property
    def name(self) -> str:
        """The file name, such as `4x4-1.2.4.5.6.8-b0`, with `-min4` if compressed."""
        tiles = ".".join(map(str, self.tiles))
        least = f"-min{1 << self.halvings}" if self.halvings else ""
        return f"{self.rows}x{self.columns}-{tiles}-b{self.blank}{least}"


def rank(cells: int, where: Sequence[int]) -> int:
    """Return the rank of a sequence of distinct cells among all sequences of its length.

    >>> [rank(3, pair) for pair in ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))]
    [0, 1, 2, 3, 4, 5]
    """
    number = taken = 0
    for cell in where:
        number = number * cells + cell - (taken & (1 << cell) - 1).bit_count()
        taken |= 1 << cell
        cells -= 1
    return number


@cache
def table_for(shape: Shape, tiles: Cells, halvings: int = 0) -> tuple[PatternKey, Cells]:
    """Return the key of a pattern's table, and the image of each cell in it."""
    region = shape.region(frozenset(tiles), shape.blank)
    keys = []
    for other, image in shape.symmetries:
        pattern = tuple(sorted(image[tile] for tile in tiles))
        blank = min(image[cell] for cell in region)
        keys.append((PatternKey(other.rows, other.columns, pattern, blank, halvings), image))
    return min(keys)


@cache
def table_set(shape: Shape, name: str) -> tuple[Partition, ...]:
    """Return the partitions of a named set; the heuristic is their maximum sum.

    `small` is the default; `medium` and `large` need more memory and build time and save nodes,
    if there is a better set. Partitions after the first are mirror images if the goal's blank
    allows it, and need no further tables.
    """
    if name not in NAMED_SETS:
        raise InputError(f"there is no table set {name!r}; choose {' or '.join(NAMED_SETS)}")
    # Choose for one image of the shape, so that all of them share their tables.
    first, image = min(shape.symmetries)
    back = tuple(image.index(cell) for cell in range(shape.size))
    return tuple(_image(partition, back) for partition in _chosen(first, name))


NAMED_SETS = ("small", "medium", "large")
"""From the cheapest to the most expensive."""

_UPPER, _CORNER, _LEFT = (2, 3, 4, 7, 8, 9), (13, 14, 18, 19, 23, 24), (15, 16, 17, 20, 21, 22)
_FIVE = ((1, 2, 5, 6, 10, 11), (3, 4, 7, 8, 9, 12), _CORNER, _LEFT)
_SECOND_FIVE = ((1, 5, 6, 10, 11, 12), _UPPER, _CORNER, _LEFT)
_THIRD_FIVE = ((1, 5, 6, 10, 15, 20), _UPPER, _CORNER, (11, 12, 16, 17, 21, 22))
_CATALOGUE: dict[tuple[int, int, str], tuple[Partition, ...]] = {
    (4, 4, "small"): (
        ((1, 4, 5, 8, 9, 12), (2, 3, 6, 7, 10, 11), (13, 14, 15)),
        ((1, 2, 3, 5, 6, 7), (9, 10, 11, 13, 14, 15), (4, 8, 12)),
    ),
    (4, 4, "medium"): (((3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13), (2,)),),
    (4, 4, "large"): (((2, 3, 6, 7, 10, 11, 14, 15), (1, 4, 5, 8, 9, 12, 13)),),
    (5, 5, "small"): (_FIVE,),
    (5, 5, "medium"): (_FIVE, _SECOND_FIVE),
    (5, 5, "large"): (_FIVE, _THIRD_FIVE, _SECOND_FIVE),
}
"""Partitions measured to be good, for a goal with the blank in cell 0 (see benchmarks/)."""


@cache
def _chosen(shape: Shape, name: str) -> tuple[Partition, ...]:
    """Return the partitions of a named set: from the catalogue or compact, then mirrored."""
    sizes = _sizes(shape.size, name)
    chosen = _CATALOGUE.get((shape.rows, shape.columns, name), ()) if shape.blank == 0 else ()
    if not chosen:
        chosen = (_compact(shape, sizes, ()),)
    mirrors = [image for other, image in shape.symmetries[1:] if other == shape]
    if mirrors:
        # In a corner of a square the only mirror is the diagonal; elsewhere one mirror is enough.
        pairs = ((partition, _image(partition, mirrors[-1])) for partition in chosen)
        chosen = tuple(chain.from_iterable(pairs))
    elif len(sizes) > 1:
        second = _compact(shape, sizes, chosen[0])
        keys = {table_for(shape, pattern)[0] for pattern in (*chosen[0], *second)}
        if sum(key.nbytes for key in keys) <= MOST_BYTES:
            chosen += (second,)
    return tuple(dict.fromkeys(chosen))


def _image(partition: Partition, image: Cells) -> Partition:
    return tuple(tuple(sorted(image[cell] for cell in pattern)) for pattern in partition)


def _sizes(cells: int, name: str) -> Cells:
    """Return the sizes of the patterns of a named set, with as few patterns as possible."""
    tiles = cells - 1
    is_many = cells <= PACKED_CELLS and tiles > 2 * DIRECT_TILES
    if name == "large" and is_many:
        return ((tiles + 1) // 2, tiles // 2)
    most = DIRECT_TILES + (name == "medium" and is_many)
    whole, rest = divmod(tiles, most)
    return (most,) * whole + ((rest,) if rest else ())


def _compact(shape: Shape, sizes: Cells, unlike: Partition) -> Partition:
    """Return a partition into patterns of adjacent tiles, found by exchanging pairs.

    Adjacent tiles obstruct each other, so the score of a partition is the number of adjacent pairs
    within its patterns; pairs that are within a pattern of `unlike` count a third.
    """
    cells = [cell for cell in range(shape.size) if cell != shape.blank]
    old = {pair for pattern in unlike for pair in combinations(pattern, 2)}
    worth = {
        (cell, near): 1 if (cell, near) in old else 3
        for cell in cells
        for _, near in shape.steps[cell]
        if cell < near and near != shape.blank
    }

    def score(group: dict[int, int]) -> int:
        return sum(value for (a, b), value in worth.items() if group[a] == group[b])

    # Imported late: only new partitions need it.
    from random import Random

    random = Random(f"{shape.rows}x{shape.columns}-{shape.blank}-{sizes}")
    labels = [number for number, size in enumerate(sizes) for _ in range(size)]
    best: tuple[int, Partition] = (-1, ())
    for _ in range(12):
        random.shuffle(labels)
        group = dict(zip(cells, labels, strict=True))
        total, before = score(group), -1
        while total > before:
            before = total
            for a, b in combinations(cells, 2):
                if group[a] == group[b]:
                    continue
                group[a], group[b] = group[b], group[a]
                exchanged = score(group)
                if exchanged > total:
                    total = exchanged
                else:
                    group[a], group[b] = group[b], group[a]
        partition = tuple(
            tuple(cell for cell in cells if group[cell] == number) for number in range(len(sizes))
        )
        best = max(best, (total, partition))
    return best[1]


MOST_TILES = 8
"""Tiles of the largest group; `DIRECT_TILES` on grids of more than 16 cells."""
EXAMPLE = "AAB/AAB/CC."
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The letters of groups in a picture."""
_BLOCKS = ("2", "4", "8", "16")
"""The numbers of values that may share their minimum."""


def is_known(tables: str) -> bool:
    """Return whether a text may be a set: a name, or groups separated by slashes."""
    base = tables.partition("~")[0].strip()
    return base in NAMED_SETS or "/" in base


@cache
def partitions_of(shape: Shape, tables: str) -> tuple[Partition, ...]:
    """Return the partitions of a set, named or drawn; their maximum sum counts.

    Raise InputError for a text that is not a set of this shape.
    """
    base = tables.partition("~")[0].strip()
    halvings_of(tables)
    if base in NAMED_SETS or "/" not in base:
        return table_set(shape, base)
    return tuple(dict.fromkeys(_partition(shape, picture) for picture in base.split("+")))


def halvings_of(tables: str) -> int:
    """Return the halvings of a set's tables; raise InputError for an unknown block."""
    _, mark, block = tables.partition("~")
    if mark and block.strip() not in _BLOCKS:
        found = shorten(block) if block.strip() else "none"
        raise InputError(f"expected 2, 4, 8 or 16 values after ~, found {found}")
    return int(block).bit_length() - 1 if mark else 0


@cache
def keys_of(shape: Shape, tables: str) -> tuple[PatternKey, ...]:
    """Return the distinct tables that a set needs, smallest first."""
    patterns = chain.from_iterable(partitions_of(shape, tables))
    keys = {table_for(shape, pattern, halvings_of(tables))[0] for pattern in patterns}
    return tuple(sorted(keys, key=lambda key: (key.nbytes, key)))


def most_tiles(cells: int) -> int:
    """Return the maximum size of a group on a grid of `cells` cells."""
    return DIRECT_TILES if cells > PACKED_CELLS else MOST_TILES


def drawn(goal: Goal, tables: str) -> str:
    """Convert a set written by labels to pictures; return any other set in capitals.

    Raise InputError for a label that is not in the goal, or that is in two groups.

    >>> drawn(Goal.blank_last(3, 3), "1 2 4 / 3 5 6 / 7 8 + aab/abb/cc.")
    'AAB/ABB/CC.+AAB/ABB/CC.'
    """
    base, mark, block = tables.partition("~")
    if base.strip() in NAMED_SETS:
        return tables
    pictures = []
    for text in re.sub(r"\s*([/+])\s*", r"\1", base.strip()).split("+"):
        is_picture = re.fullmatch(r"[A-Za-z./]+", text)
        pictures.append(text.upper() if is_picture else _picture(goal, text))
    return "+".join(pictures) + mark + block.strip()


def _picture(goal: Goal, text: str) -> str:
    """Return the picture of groups of labels."""
    letters = ["."] * goal.grid.size
    groups = text.split("/")
    if len(groups) > len(_LETTERS):
        raise InputError(f"expected at most {len(_LETTERS)} groups, found {len(groups)}")
    for letter, group in zip(_LETTERS, groups, strict=False):
        for token in group.replace(",", " ").split():
            label = int(token) if token.isdecimal() else token
            if label == BLANK or label not in goal.cells:
                raise InputError(
                    f"expected groups of tiles of the goal {goal.text()}, found {shorten(token)} "
                    f"in {shorten(text, 60)}"
                )
            cell = goal.cells.index(label)
            if letters[cell] != ".":
                raise InputError(f"expected each tile in one group, found {label} in two")
            letters[cell] = letter
    columns = goal.grid.columns
    rows = range(0, len(letters), columns)
    return "/".join("".join(letters[first : first + columns]) for first in rows)


def _partition(shape: Shape, picture: str) -> Partition:
    """Return the groups of a picture, as goal cells."""
    rows = picture.split("/")
    shown = shorten(picture, 60)
    if [len(row) for row in rows] != [shape.columns] * shape.rows:
        raise InputError(
            f"expected a picture of {shape.rows} rows of {shape.columns} letters or dots, such as "
            f"{EXAMPLE} for 3×3, found {shown}"
        )
    groups: dict[str, list[int]] = {}
    for cell, letter in enumerate("".join(rows)):
        if letter not in (*_LETTERS, "."):
            raise InputError(f"expected letters and dots, found {letter!r} in {shown}")
        if letter != ".":
            groups.setdefault(letter, []).append(cell)
    if shape.blank in chain.from_iterable(groups.values()):
        row, column = divmod(shape.blank, shape.columns)
        raise InputError(
            f"expected a dot where the goal has its blank, row {row + 1}, column {column + 1}, "
            f"found {rows[row][column]} in {shown}"
        )
    most, largest = most_tiles(shape.size), max(map(len, groups.values()), default=0)
    if not 0 < largest <= most:
        raise InputError(
            f"expected groups of 1 to {most} tiles on {shape.rows}×{shape.columns}, found "
            f"{largest or 'none'} in {shown}"
        )
    patterns: list[Cells] = [tuple(cells) for cells in groups.values()]
    return tuple(patterns)

"""Sets of tables: the named ones, and those that the user writes.

    AAAB      A letter is a *group* of tiles with a table of its own: the tiles that belong in
    AAAB      its cells. A dot is the goal's blank, or a tile that is in no group and counts with
    CCCB      its Manhattan distance.
    CCC.

    AAAB/AAAB/CCCB/CCC.           the same in one line: one partition
    1 2 3 5 6 7 / 4 8 12 / …      the same by the labels of the tiles, a slash after each group
    AAB/AAB/CC.+ABB/ABB/AC.       two partitions: the greater of their sums counts
    small~2, AAB/AAB/CC.~4        *compressed*: the least of 2, 4, 8 or 16 values stands for all

A compressed table takes a half, a quarter … of the memory. Values are what a group needs beyond its
Manhattan distance, so a least value is a lower bound too, and the distance itself stays exact.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from string import ascii_uppercase

from taquin.errors import InputError
from taquin.model.goal import Goal
from taquin.model.moves import BLANK
from taquin.system.words import shorten
from taquin.tables.patterns import (
    DIRECT_TILES,
    NAMED_SETS,
    PACKED_CELLS,
    Partition,
    PatternKey,
    table_for,
    table_set,
)
from taquin.tables.shape import Cells, Shape

MOST_TILES = 8
"""Tiles of the largest group; `DIRECT_TILES` on grids of more than 16 cells."""
EXAMPLE = "AAB/AAB/CC."
_BLOCKS = ("2", "4", "8", "16")
"""How many values may share one."""


def is_known(tables: str) -> bool:
    """Return whether a text may be a set: a named one, or groups with a slash between them."""
    base = tables.partition("~")[0].strip()
    return base in NAMED_SETS or "/" in base


@cache
def partitions_of(shape: Shape, tables: str) -> tuple[Partition, ...]:
    """Return the partitions of a set that has a name or is drawn; their largest sum counts.

    Raise InputError for a text that is no set of this shape.
    """
    base = tables.partition("~")[0].strip()
    halvings_of(tables)
    if base in NAMED_SETS or "/" not in base:
        return table_set(shape, base)
    return tuple(dict.fromkeys(_partition(shape, picture) for picture in base.split("+")))


def halvings_of(tables: str) -> int:
    """Return how often the tables of a set are halved; raise InputError for an unknown block."""
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
    """Return the tiles of the largest group on a grid of so many cells."""
    return DIRECT_TILES if cells > PACKED_CELLS else MOST_TILES


def drawn(goal: Goal, tables: str) -> str:
    """Return a set that is written by labels as pictures; any other as it is, in capitals.

    Raise InputError for a label that the goal lacks, or that is in two groups.

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
    if len(groups) > len(ascii_uppercase):
        raise InputError(f"expected at most {len(ascii_uppercase)} groups, found {len(groups)}")
    for letter, group in zip(ascii_uppercase, groups, strict=False):
        for word in group.replace(",", " ").split():
            label = int(word) if word.isdecimal() else word
            if label == BLANK or label not in goal.cells:
                raise InputError(
                    f"expected groups of tiles of the goal {goal.text()}, found {shorten(word)} in "
                    f"{shorten(text, 60)}"
                )
            cell = goal.cells.index(label)
            if letters[cell] != ".":
                raise InputError(f"expected each tile in one group, found {label} in two")
            letters[cell] = letter
    columns = goal.grid.columns
    rows = range(0, len(letters), columns)
    return "/".join("".join(letters[first : first + columns]) for first in rows)


def _partition(shape: Shape, picture: str) -> Partition:
    """Return the groups that a picture shows, as goal cells."""
    rows = picture.split("/")
    shown = shorten(picture, 60)
    if [len(row) for row in rows] != [shape.columns] * shape.rows:
        raise InputError(
            f"expected a picture of {shape.rows} rows of {shape.columns} letters or dots, such as "
            f"{EXAMPLE} for 3×3, found {shown}"
        )
    groups: dict[str, list[int]] = {}
    for cell, letter in enumerate("".join(rows)):
        if letter not in (*ascii_uppercase, "."):
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

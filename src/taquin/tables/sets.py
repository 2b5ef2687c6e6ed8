"""Parse sets of tables: the named ones, and those that users write.

    AAAB      A letter is a *group* of tiles with its own table: the tiles whose goal cells have
    AAAB      that letter. A dot is the goal's blank, or a tile in no group, for which only its
    CCCB      Manhattan distance counts.
    CCC.

    AAAB/AAAB/CCCB/CCC.           the same in one line: one partition
    1 2 3 5 6 7 / 4 8 12 / …      the same by the labels of the tiles, a slash after each group
    AAB/AAB/CC.+ABB/ABB/AC.       two partitions: the maximum of their sums counts
    small~2, AAB/AAB/CC.~4        *compressed*: each 2, 4, 8 or 16 values share their minimum

A compressed table needs a half, a quarter … of the memory. A value is the excess of a group's cost
over its Manhattan distance, so a minimum is still a lower bound, and the distance stays exact.
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
    if len(groups) > len(ascii_uppercase):
        raise InputError(f"expected at most {len(ascii_uppercase)} groups, found {len(groups)}")
    for letter, group in zip(ascii_uppercase, groups, strict=False):
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

"""The forms a board or a goal can be written in, their alphabet, and how large a text may be.

The WORDS and COMPACT forms have one character for each cell:

    b12 345 678            narrow: digits are numbers, `b` is the blank, other letters are names
    123456789abcdef0       wide: letters are digits beyond 9, up to z = 35

The symbols of the rows form (`0 _ @ ☺ . # *`) mean the same in both.
"""

from __future__ import annotations

from enum import Enum
from math import isqrt

from taquin.errors import NotationError
from taquin.model.moves import BLANK, Label
from taquin.model.rows import Place, read_label

MAX_CHARACTERS = 200_000
"""The longest text that is read or written; a longer one is a slip, and refused unread."""

MAX_CELLS = 10_000
"""The most cells a text may hold: a board of 100×100."""

BLANK_MARKS = "bB_@☺"
"""The characters that mean the blank in a narrow word and cannot be part of a number."""

WIDEST = 36
"""The most cells whose numbers have one character each: 0 to z."""

EXAMPLE = "'1 2 3 / 4 5 6 / 7 8 0'"
"""A board for messages that must show what one looks like."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Size = tuple[int, int]
"""Rows and columns."""


class Form(Enum):
    """One way to write a board or a goal. `value` is the name a user types."""

    ROWS = "rows"
    """Rows of cells apart by `/` or line ends: `4 1 3 / 0 2 6 / 7 5 8`. Writes any board."""
    N_ROWS = "classic"
    """N alone on the first line, then N rows of N cells."""
    WORDS = "words"
    """A word per row, a character per cell, `b` the blank: `b12 345 678`."""
    LINE = "line"
    """The N·N cells of a square board on one line: `0,8,7,6,5,4,3,2,1`."""
    COMMENTED = "commented"
    """N, then N rows, with comments from a `#` to the end of its line."""
    COMPACT = "compact"
    """A character per cell, all in one word: `123456780`, or `123456789abcdef0`."""
    JSON = "json"
    """A list of rows, a flat list, or an object with rows, columns and cells. Writes any board."""

    def __str__(self) -> str:
        return self.value


def is_wide(cells: int) -> bool:
    """Tell whether a board of that many cells needs letters as digits."""
    return cells > 10


def label_of_character(character: str, wide: bool, place: Place = ()) -> Label:
    """Return the label that one character means; raise NotationError that points at it."""
    if wide and character.isascii() and character.isalnum():
        return int(character, WIDEST)
    if not wide and character in ("b", "B"):
        return BLANK
    return read_label(character, place)


def character_of_label(label: Label, wide: bool) -> str | None:
    """Return the character that means `label`, None when no single one does."""
    if isinstance(label, int):
        character = _DIGITS[label] if label < WIDEST else ""
    else:
        character = label
    try:
        means_it = len(character) == 1 and label_of_character(character, wide) == label
    except NotationError:
        return None
    return character if means_it else None


def is_long_name(label: Label) -> bool:
    """Tell whether `label` is a name of several letters, which could be a word of a comment."""
    return isinstance(label, str) and len(label) > 1 and not label.isdecimal()


def columns_of(count: int, size: Size | None = None) -> int | None:
    """Return the columns of a flat list of `count` cells, None when it folds into no board.

    As many cells as `size` has take that size; otherwise only squares, from 2×2 up, fold.

    >>> columns_of(9), columns_of(6), columns_of(6, (2, 3))
    (3, None, 3)
    """
    if size is not None and count == size[0] * size[1]:
        return size[1]
    root = isqrt(count)
    return root if root >= 2 and root * root == count else None


def counts_wanted(size: Size | None = None) -> str:
    """Return, for a message, how many cells a flat list may have."""
    return str(size[0] * size[1]) if size is not None else "4, 9, 16, 25 …"


def refuse_more_cells(count: int, *place: int) -> None:
    """Raise NotationError when a text holds more cells than `MAX_CELLS`."""
    if count > MAX_CELLS:
        raise NotationError(f"expected at most {MAX_CELLS:,} cells, found {count:,}", *place)

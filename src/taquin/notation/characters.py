"""Cells of one character: the alphabet of the WORDS and COMPACT forms.

    b12 345 678            narrow: digits are numbers, `b` is the blank, other letters are names
    123456789abcdef0       wide: letters are digits beyond 9, up to z = 35

The symbols of the rows form (`0 _ @ ☺ . # *`) mean the same in both.
"""

from __future__ import annotations

from taquin.errors import NotationError
from taquin.model.moves import BLANK, Label
from taquin.model.rows import read_label

BLANK_MARKS = "bB_@☺"
"""The characters that mean the blank in a narrow word and cannot be part of a number."""

WIDEST = 36
"""The most cells whose numbers have one character each: 0 to z."""

_NARROWEST = 10
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def is_wide(cells: int) -> bool:
    """Tell whether a board of that many cells needs letters as digits."""
    return cells > _NARROWEST


def label_of_character(character: str, wide: bool, line: int, column: int) -> Label:
    """Return the label that one character means; raise NotationError that points at it."""
    if wide and character.isascii() and character.isalnum():
        return int(character, WIDEST)
    if not wide and character in ("b", "B"):
        return BLANK
    return read_label(character, line, column)


def character_of_label(label: Label, wide: bool) -> str | None:
    """Return the character that means `label`, None when no single one does."""
    if isinstance(label, int):
        character = _DIGITS[label] if label < WIDEST else ""
    else:
        character = label
    if len(character) != 1:
        return None
    try:
        return character if label_of_character(character, wide, 1, 1) == label else None
    except NotationError:
        return None

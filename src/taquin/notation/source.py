"""A text cut into lines, rows and words, each word with its place.

    14 13 / 15 7     rows end at `/` and at line ends; words end at blanks, tabs and commas
    11, 12

What is no text at all (control characters, undecodable bytes, a text too long) is refused here,
before anything is built from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from taquin.errors import NotationError
from taquin.notation.forms import MAX_CELLS, MAX_CHARACTERS

EXAMPLE = "'1 2 3 / 4 5 6 / 7 8 0'"
"""A board for messages that must show what one looks like."""

_JUNK = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
_TOKEN = re.compile(r"[^\s,/]+|/")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, with its place."""

    text: str
    """The characters of the word; never empty."""
    line: int
    """Line in the text, from 1."""
    column: int
    """Column of the first character, from 1."""


def lines_of(text: str) -> list[str]:
    """Return the lines of `text`, its byte order mark dropped.

    Raise NotationError for a text that is too long, blank, or no text.
    """
    if len(text) > MAX_CHARACTERS:
        raise NotationError(
            f"expected at most {MAX_CHARACTERS:,} characters, found {len(text):,}: "
            f"this is too long for a board"
        )
    text = text.removeprefix("\ufeff")
    if junk := _JUNK.search(text):
        line, column = place_of(text, junk.start())
        found = junk.group()
        what = "a byte that is not UTF-8" if found == "\ufffd" else f"the character {found!r}"
        raise NotationError(f"expected a text, found {what}", line, column)
    if not text.strip():
        found = "only blanks" if text else "nothing"
        raise NotationError(f"expected a board, such as {EXAMPLE}, found {found}")
    return text.splitlines()


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, both from 1, of the character at `offset`."""
    lines = f"{text[:offset]}x".splitlines()
    return len(lines), len(lines[-1])


def words_of_line(line: str, number: int = 1) -> list[list[Word]]:
    """Return the rows of words on one line, empty rows left out; `number` is the line's."""
    rows: list[list[Word]] = []
    row: list[Word] = []
    for match in _TOKEN.finditer(line):
        if match.group() != "/":
            row.append(Word(match.group(), number, match.start() + 1))
        elif row:
            rows.append(row)
            row = []
    if row:
        rows.append(row)
    return rows


def words_of(lines: Iterable[str]) -> list[list[Word]]:
    """Return the rows of words on all lines; raise NotationError beyond `MAX_CELLS` words."""
    rows: list[list[Word]] = []
    count = 0
    for number, line in enumerate(lines, 1):
        for row in words_of_line(line, number):
            rows.append(row)
            count += len(row)
        if count > MAX_CELLS:
            raise NotationError(
                f"expected at most {MAX_CELLS:,} cells, found {count:,} up to here", number
            )
    return rows

"""The forms a board or a goal can be written in, and how large a text may be."""

from __future__ import annotations

from enum import Enum

MAX_CHARACTERS = 200_000
"""The longest text that is read or written; a longer one is a slip, and refused unread."""

MAX_CELLS = 10_000
"""The most cells a text may hold: a board of 100×100."""


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

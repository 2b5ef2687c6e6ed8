"""The canonical text of cells: rows apart by `/` or line ends, cells apart by blanks or commas.

    4 1 3 / 0 2 6 / 7 5 8

This is the form that boards, goals and grids print and read by themselves; `taquin.notation`
knows every other one and reads its rows here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.system.words import shorten

_SYMBOLS: dict[str, Label] = {
    "0": BLANK,
    "_": BLANK,
    "@": BLANK,
    "☺": BLANK,
    ".": FILLER,
    "#": WALL,
    "*": ANY,
}
_NUMBER = re.compile(r"[0-9]+")
_NAME = re.compile(r"[^\W\d_]\w*")
_CELL = re.compile(r"[^\s,]+")

MAX_NUMBER = 999_999
"""The largest number a tile may carry; larger ones are slips, not puzzles."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a text, with its place for error messages."""

    label: Label
    """What the cell holds."""
    line: int
    """Line in the text, from 1."""
    column: int
    """Column in the text, from 1."""


def read_label(word: str, line: int, column: int) -> Label:
    """Return the label written `word`; raise NotationError that points at it."""
    if word in _SYMBOLS:
        return _SYMBOLS[word]
    if _NUMBER.fullmatch(word):
        digits = word.lstrip("0") or "0"
        if len(digits) > len(str(MAX_NUMBER)) or int(digits) > MAX_NUMBER:
            raise NotationError(
                f"expected a number up to {MAX_NUMBER}, found {shorten(word)}", line, column
            )
        return int(digits)
    if _NAME.fullmatch(word):
        return word
    raise NotationError(
        f"expected a tile (a number, a name, 0 or _ for the blank, . for a filler, # for a wall, "
        f"* for any), found {shorten(word)}",
        line,
        column,
    )


def is_label(value: object) -> bool:
    """Tell whether `value` may stand in a cell, so that it reads back as it was written."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return 0 <= value <= MAX_NUMBER
    return isinstance(value, str) and (
        value in (FILLER, WALL, ANY) or _NAME.fullmatch(value) is not None
    )


def read_rows(text: str, first_line: int = 1) -> list[list[Cell]]:
    """Return the rows of cells in `text`, all of one length.

    Lines of blanks are skipped. Raise NotationError for an empty text, a word that is no cell,
    and rows of different lengths. `first_line` is the number of the first line, for messages.
    """
    rows: list[list[Cell]] = []
    for line_number, line in enumerate(text.splitlines(), first_line):
        offset = 0
        for part in line.split("/"):
            cells = [
                Cell(
                    read_label(match.group(), line_number, offset + match.start() + 1),
                    line_number,
                    offset + match.start() + 1,
                )
                for match in _CELL.finditer(part)
            ]
            if cells:
                if rows and len(cells) != len(rows[0]):
                    raise NotationError(
                        f"row {len(rows) + 1} has {len(cells)} cells, expected {len(rows[0])} "
                        f"like row 1",
                        cells[-1].line,
                        cells[-1].column,
                    )
                rows.append(cells)
            offset += len(part) + 1
    if not rows:
        raise NotationError(
            "expected rows of cells, such as '1 2 3 / 4 5 6 / 7 8 0', found nothing"
        )
    return rows


def write_rows(cells: Sequence[Label], columns: int) -> str:
    """Return the rows of `cells` on one line, rows apart by ` / `."""
    return " / ".join(
        " ".join(map(str, cells[start : start + columns]))
        for start in range(0, len(cells), columns)
    )


def draw_rows(cells: Iterable[Label], columns: int, blank: str = "_") -> str:
    """Return `cells` as aligned lines, one per row, the blank shown as `blank`."""
    words = [blank if label == BLANK else str(label) for label in cells]
    width = max(map(len, words))
    return "\n".join(
        " ".join(word.rjust(width) for word in words[start : start + columns])
        for start in range(0, len(words), columns)
    )

"""The canonical text of cells: `/`, `;` or a new line ends a row, spaces or commas separate cells.

    4 1 3 / 0 2 6 / 7 5 8

If no cell is marked as the blank, a lone `x`, `b`, `.` or `None` is the blank. Boards, goals and
grids write this form; `taquin.notation` reads it and all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isqrt
from operator import index
from typing import SupportsIndex, TypeVar

from taquin.errors import BoardError, NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.reasons import reason
from taquin.system.formatting import shorten

_SYMBOLS = dict.fromkeys("0_-@☺", BLANK) | {".": FILLER, "#": WALL, "*": ANY}
_NUMBER = re.compile(r"[0-9]+")
_NAME = re.compile(r"[^\W\d_]\w*")
_TOKEN = re.compile(r"[^\s,/;]+|[/;]")

MARKS = ("x", "X", "b", "B", "None", FILLER)
"""Other tokens for the blank, each of which is ambiguous."""
MAX_NUMBER = 999_999
"""The largest number of a tile."""
Place = tuple[int, ...]
"""Line and column in a text, both from 1; empty if unknown."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a text, with its place."""

    text: str
    """Its characters; never empty."""
    place: Place
    """The place of its first character."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a text, with its place for error messages."""

    label: Label
    """The content of the cell."""
    place: Place
    """Its place in the text."""


def read_label(token: str, place: Place = ()) -> Label:
    """Return the label written `token`; raise NotationError that points at it."""
    if token in _SYMBOLS:
        return _SYMBOLS[token]
    if _NUMBER.fullmatch(token):
        digits = token.lstrip("0") or "0"
        if len(digits) <= len(str(MAX_NUMBER)):
            return int(digits)
        raise NotationError(reason("number-range", most=MAX_NUMBER, found=shorten(token)), *place)
    if _NAME.fullmatch(token):
        return token
    raise NotationError(reason("not-a-tile", found=shorten(token)), *place)


def is_label(value: object) -> bool:
    """Return whether a cell may hold `value`, so that it reads back as it was written."""
    if isinstance(value, str):
        return value in (FILLER, WALL, ANY) or _NAME.fullmatch(value) is not None
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_NUMBER


def tokens_of_line(line: str, number: int = 1) -> list[list[Token]]:
    """Return the rows of tokens on line `number`, without empty rows."""
    rows: list[list[Token]] = [[]]
    for match in _TOKEN.finditer(line):
        if match.group() in "/;":
            rows.append([])
        else:
            rows[-1].append(Token(match.group(), (number, match.start() + 1)))
    return [row for row in rows if row]


def tokens_of_lines(lines: Iterable[str]) -> list[list[Token]]:
    """Return the rows of tokens of a text, without empty rows."""
    return [row for number, line in enumerate(lines, 1) for row in tokens_of_line(line, number)]


def read_rows(text: str) -> list[list[Cell]]:
    """Return the rows of cells in `text`; raise NotationError like `cells_of_tokens`."""
    return cells_of_tokens(tokens_of_lines(text.splitlines()))


def cells_of_tokens(rows_of_tokens: Iterable[Sequence[Token]]) -> list[list[Cell]]:
    """Convert rows of tokens to rows of cells.

    Raise NotationError for a token that is not a cell, rows of different lengths, or no rows.
    """
    rows: list[list[Cell]] = []
    for tokens in rows_of_tokens:
        rows.append([Cell(read_label(token.text, token.place), token.place) for token in tokens])
        if len(tokens) != (width := len(rows[0])):
            raise NotationError(
                reason("row-length", row=len(rows), count=len(tokens), width=width),
                *tokens[-1].place,
            )
    if not rows:
        raise NotationError(reason("no-rows"))
    return rows


def with_blank(rows: Sequence[Sequence[Cell]]) -> Sequence[Sequence[Cell]]:
    """Return rows in which a lone mark of `MARKS` is the blank, unless there is another blank."""
    labels = {cell.label for row in rows for cell in row}
    marked = [cell for row in rows for cell in row if cell.label in MARKS]
    if len(marked) != 1 or not labels.isdisjoint((BLANK, ANY)):
        return rows
    names = [label for label in labels if isinstance(label, str) and label not in (WALL, *MARKS)]
    if names and marked[0].label == FILLER:
        # Among names a dot is a filler, and the blank is missing.
        return rows
    return [
        [Cell(BLANK, cell.place) if cell is marked[0] else cell for cell in row] for row in rows
    ]


def labels_of(rows: Iterable[Iterable[Cell]]) -> list[list[Label]]:
    """Return the labels of rows of cells."""
    return [[cell.label for cell in row] for row in rows]


def fold(items: Sequence[Item], columns: int) -> list[list[Item]]:
    """Return a flat sequence as rows of `columns` items."""
    return [list(items[start : start + columns]) for start in range(0, len(items), columns)]


def rows_of_value(value: object) -> list[list[Label]]:
    """Return the rows of labels of nested sequences, of an array, or of a flat square.

    None and an empty text are the blank; a float may be a whole number. Raise BoardError otherwise.
    """
    rows = _listed(value)
    if hasattr(value, "read_text"):
        raise BoardError(f"expected a board, found the path {value}: write path.read_text()")
    if rows is None:
        raise BoardError(
            f"expected a board: a text such as '1 2 / 3 0', rows such as [[1, 2], [3, 0]], or an "
            f"array; found {type(value).__name__}"
        )
    nested = [_listed(row) for row in rows]
    if not any(row is not None for row in nested):
        columns = isqrt(len(rows))
        if columns < 2 or columns * columns != len(rows):
            raise BoardError(
                f"expected rows such as [[1, 2], [3, 0]], found a flat list of {len(rows)}, which "
                f"is not a square number"
            )
        nested = list(fold(rows, columns))
    return [[_label_of(item) for item in row or ()] for row in nested]


def lines_of_value(value: object) -> str:
    """Return the text of a list of lines, one for each row; empty for any other value."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        return ""
    is_square = len(value) > 1 and isqrt(len(value)) ** 2 == len(value)
    if is_square and not any(len(re.findall(_TOKEN, line)) > 1 for line in value):
        return ""
    return "\n".join(value)


def _listed(value: object) -> list[object] | None:
    """Return an iterable other than a text or a dict as a list; None for any other value."""
    # `tolist` converts the numbers of an array to Python's.
    plain = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(plain, str | bytes | dict) or not isinstance(plain, Iterable):
        return None
    return list(plain)


def _label_of(item: object) -> Label:
    if item is None:
        return BLANK
    if isinstance(item, str):
        return read_label(item.strip() or str(BLANK))
    if isinstance(item, float) and item.is_integer():
        return int(item)
    if isinstance(item, SupportsIndex) and not isinstance(item, bool):
        return index(item)
    raise BoardError(f"expected a number or a name for a tile, found {shorten(repr(item))}")


def is_long_name(label: Label) -> bool:
    """Return whether `label` is a name of several letters, which may belong to a comment."""
    return isinstance(label, str) and len(label) > 1 and not label.isdecimal()


def write_rows(cells: Sequence[Label], columns: int) -> str:
    """Return the rows of `cells` on one line, with ` / ` between them."""
    return " / ".join(" ".join(map(str, row)) for row in fold(cells, columns))


def write_canonical(cells: Sequence[Label], columns: int) -> str:
    """Return the rows of `cells` on one line, in a form that always reads back."""
    # Without a `/`, one row would be read as a square.
    end = " /" if len(cells) == columns else ""
    # An indented row with a wall is not a comment.
    indent = " " if cells[0] == WALL and any(map(is_long_name, cells)) else ""
    return f"{indent}{write_rows(cells, columns)}{end}"


def draw_rows(cells: Iterable[Label], columns: int, blank: str = "_") -> str:
    """Return `cells` as aligned lines without trailing spaces, the blank shown as `blank`."""
    texts = [blank if label == BLANK else str(label) for label in cells]
    width = max(map(len, texts))
    rows = (" ".join(text.rjust(width) for text in row) for row in fold(texts, columns))
    return "\n".join(map(str.rstrip, rows))

"""Read and draw rows in a frame: boxes, bars and brackets.

    ┌───┬───┐        [[1 2]        [1 2; 3 0]
    │ 1 │ 2 │         [3 0]]
    ├───┼───┤
    │ 3 │   │        what NumPy prints, and what MATLAB reads
    └───┴───┘

    1|2              1 | 2         bars between the cells, with or without lines between the
    3|               --+--         rows; an empty cell is the blank
                     3 | _

In a box an empty cell is the blank and a filled one a wall. Text around a box is ignored, such as
the other forms that `taquin show` prints below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from taquin.model.moves import BLANK, WALL, Label
from taquin.model.rows import Token, draw_rows, fold

_BAR, _PLAIN_BAR = "[│┃║]", "[|]"
_FILLED = "█"
_MOST_BARS = 10_002
"""The limit on bars per line and on lines with bars: more than the cells of a text."""
_WALLS = ({_FILLED}, {str(WALL)})
"""What fills a wall: drawn, and in ASCII."""
_DRAWN: dict[Label, str] = {BLANK: "", WALL: _FILLED}

_ROW = r"\[[^][,/{}\"]*\]"
_BRACKETS = rf"\s*(?:\[\s*(?:{_ROW}\s*)+\]|{_ROW}|\[[^][/{{}}\"]*/[^][{{}}\"]*\])\s*"
"""Rows in brackets of their own without commas, one such row, or rows separated by slashes."""
_TOKEN = r"[^][\s,/]+|[]/]"


def draw_box(cells: Sequence[Label], columns: int) -> str:
    """Return the cells with lines between them."""
    texts = [_DRAWN.get(label, str(label)) for label in cells]
    width = max(1, *map(len, texts))
    texts = [text * width if text == _FILLED else text.rjust(width) for text in texts]
    bar = "─" * (width + 2)
    top, between, bottom = (
        left + middle.join([bar] * columns) + right for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = [f"│ {' │ '.join(row)} │" for row in fold(texts, columns)]
    return "\n".join([top, f"\n{between}\n".join(lines), bottom])


def rows_in_box(lines: Sequence[str]) -> list[list[Token]]:
    """Return the rows of tokens of a box that is drawn in `lines`; empty if there is none."""
    rows: list[list[Token]] = []
    for number, line in enumerate(lines, 1):
        # Plain bars form a box only if they enclose the line: not in 1|2|3.
        bar = _PLAIN_BAR if line.strip()[:1] == line.strip()[-1:] == "|" else _BAR
        bars = [match.start() for match in islice(re.finditer(bar, line), _MOST_BARS)]
        if len(bars) < 2 or len(rows) > _MOST_BARS or is_rule(line):
            continue
        row = []
        for left, right in pairwise(bars):
            text = line[left + 1 : right].strip()
            start = line.index(text, left + 1) if text else left + 1
            label = str(WALL) if set(text) in _WALLS else text or str(BLANK)
            row.append(Token(label, (number, start + 1)))
        rows.append(row)
    return rows


def draw_bars(cells: Sequence[Label], columns: int) -> str:
    """Return the cells with bars between them."""
    text = "\n".join("|".join(map(str, row)) for row in fold(cells, columns))
    # Without a `/`, one row would be read as a square.
    return f"{text}/" if len(cells) == columns else text


def rows_between(separator: str, lines: Sequence[str]) -> list[list[Token]]:
    """Return the rows of tokens between separators; an empty cell is the blank."""
    rows = []
    for number, line in enumerate(lines, 1):
        column = 1
        for part in line.split("/"):
            row = []
            for piece in islice(part.split(separator), _MOST_BARS):
                indent = len(piece) - len(piece.lstrip())
                row.append(Token(piece.strip() or str(BLANK), (number, column + indent)))
                column += len(piece) + 1
            if part.strip():
                rows.append(row)
    return rows


def in_one_line(lines: Sequence[str]) -> str:
    """Return a text of one line whose bars are replaced: between rows by `/`, else by spaces."""
    pieces = [piece.split() for line in lines for piece in line.split("|")]
    lengths = {len(piece[0]) for piece in pieces if piece}
    is_rows = max(map(len, pieces)) > 1 or lengths == {len(pieces)}
    return "\n".join(line.replace("|", "/" if is_rows else " ") for line in lines)


def is_rule(line: str) -> bool:
    """Return whether a line is drawn between rows, such as `--+--`."""
    return ("--" in line or "+" in line) and not line.strip("-+=:| \t")


def draw_brackets(cells: Sequence[Label], columns: int) -> str:
    """Return the cells as NumPy prints them."""
    return "[[" + draw_rows(cells, columns, blank="0").replace("\n", "]\n [") + "]]"


def rows_in_brackets(lines: Sequence[str]) -> list[list[Token]] | None:
    """Return the rows of tokens in brackets, or None for anything else, such as JSON."""
    text = "\n".join(lines)
    if not re.fullmatch(_BRACKETS, text) or len(text.replace("[", "").replace("]", "").split()) < 2:
        return None
    rows: list[list[Token]] = [[]]
    for number, line in enumerate(lines, 1):
        for match in re.finditer(_TOKEN, line):
            if match.group() in "]/":
                rows.append([])
            else:
                rows[-1].append(Token(match.group(), (number, match.start() + 1)))
    return [row for row in rows if row]

"""Alternative readings of a text, tried if its form gives no board.

    3 4              1 14 13 15 7 …      1   3        1 2 3 4         State: b12 345 678
    1 2 3 4          a number, then      4 2 5        5 6 7 8         start
    5 6 7 8          sixteen cells       7 8 6        9 a b c         1 2 3
    9 10 11 0                            nothing is   d e f 0         4 _ 5
    rows and                             the blank    letters are     7 8 6
    columns first                                     tiles above 9   a title, then a board

    4x4 A(0,3) B(1,3) C(2,3) agent(3,3)         (0, 0)     (1, 0)     (2, 0)
                                                A (0, 1)   B (1, 1)   agent (2, 1)
    the size, then where the tiles are          or every cell, with or without a tile

Places are those of S3: x counts from the left and y from the top, both from 0. A cell that is not
mentioned holds a filler on a board, and any tile in a goal.

The first reading that gives a board wins. Only one kind of text is ambiguous: three rows of two
cells under `3 2` may be a board of four rows; `second_reading` returns the other reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, Label
from taquin.model.rows import Cell, Token, read_label, tokens_of_lines, with_blank
from taquin.notation.cells import cells_of
from taquin.notation.forms import (
    WIDEST,
    Form,
    Size,
    Source,
    lines_of,
    place_of,
    recognise,
    refuse_more_cells,
    without_tails,
)
from taquin.notation.frames import rows_between

_LONGEST = 60_000
"""The maximum length of a text with a size line: 100×100 cells."""
_LONG = 8_000
"""The maximum length of a text for which all readings are tried."""
_WORD_CHARACTER = r"\w"
_BY = r"([0-9]{1,5})[x×X]([0-9]{1,5})"
_COUNT = r"[1-9][0-9]{0,4}"
_TITLE = r"[^\W\d_]{2}"
_LABEL = r"\s*[^\W\d_][^:]{0,60}:"
_HEAD = r"\s*(?:[^\W\d]\w*\s*=\s*)?([^\W\d][\w.]*\s*\()?\s*(?=[\[('\"])"
"""Code before a value: `board = `, `np.array(`."""
_QUOTED = r"(['\"])([^'\"]*)\1\s*\)\s*"
_WHOLE_FLOAT = r"(?<=[0-9])\.0*(?=[\s,\])])"
_JSON_MARKS = str.maketrans("()'", '[]"')
_SIZE = r"\s*+([0-9]{1,5})\s*+[xX×]\s*+([0-9]{1,5})(?=\s)"
_TILE = r"[\s,]*+([^\s(),]*+)\s*+\(\s*+([0-9]{1,5})\s*+,\s*+([0-9]{1,5})\s*+\)[\s,]*+"
_BY_PLACE = f"(?:{_SIZE})?(?:{_TILE})+"
"""An optional size, then tiles with their places."""
_FORM_NAMES = {form.value for form in Form}

Rows = Sequence[Sequence[Cell]]
"""The cells of a text."""


def readings(text: str, size: Size | None, rest: Label) -> Iterator[Callable[[], Rows]]:
    """Yield functions that read `text`, the most literal first; each may raise NotationError.

    A flat text with as many cells as `size` has that size. `rest` is the label of cells that a list
    of places does not mention.
    """
    if len(text) <= _LONGEST and text.rstrip()[-1:] == ")" and re.fullmatch(_BY_PLACE, text):
        yield lambda: _cells_by_place(text, size, rest)
        return
    yield lambda: cells_of(recognise(text), size)
    has_words = re.search(_WORD_CHARACTER, text) is not None
    if len(text) <= _LONGEST and has_words:
        yield lambda: _below_size(text)
    if len(text) <= _LONG and has_words:
        yield lambda: _numbered(text)
        yield lambda: _after_size(text)
        yield lambda: _with_empty_blank(text)
        yield lambda: _with_letters(cells_of(recognise(text), size))
        yield lambda: cells_of(recognise(_of_python(text)), size)
        yield lambda: cells_of(recognise(_without_labels(text)), size)
        yield lambda: cells_of(recognise(_without_first_line(text)), size)
        yield lambda: _with_empty_blank(_without_first_line(text))


def second_reading(text: str) -> Rows | None:
    """Return the cells below the size line if they are a board too, else None."""
    try:
        rows = _below_size(text)
    except NotationError:
        return None
    labels = [cell.label for row in rows for cell in row]
    return rows if set(labels) == set(range(len(labels))) else None


def _cells_by_place(text: str, size: Size | None, rest: Label) -> Rows:
    """Read the places of tiles; `rest` fills the cells that the text does not mention.

    A text without a size has `size`.
    """
    header = re.match(_SIZE, text)
    cells: dict[tuple[int, int], Cell] = {}
    for match in re.compile(_TILE).finditer(text, header.end() if header else 0):
        name, x, y = match[1], int(match[2]), int(match[3])
        place = place_of(text, match.start(1))
        if (y, x) in cells:
            raise NotationError(f"expected one tile at ({x},{y}), found another: {name}", *place)
        label = BLANK if name.lower() == "agent" else read_label(name, place) if name else rest
        cells[y, x] = Cell(label, place)
    if header:
        size = int(header[1]), int(header[2])
    least_rows, least_columns = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    if size is None and len(cells) < least_rows * least_columns:
        raise NotationError(
            "expected the size of the grid before the places of its tiles, as in "
            "'4x4 A(0,3) agent(3,3)', found no size"
        )
    if rest != ANY and all(cell.label != BLANK for cell in cells.values()):
        raise NotationError("expected the place of the blank too, as agent(3,3), found none")
    rows, columns = size or (least_rows, least_columns)
    refuse_more_cells(rows * columns)
    for (y, x), cell in cells.items():
        if y >= rows or x >= columns:
            expected = f"a place on {rows}×{columns}, counted from 0"
            raise NotationError(f"expected {expected}, found ({x},{y})", *cell.place)
    unmentioned = Cell(rest, ())
    return [[cells.get((y, x), unmentioned) for x in range(columns)] for y in range(rows)]


def _no_reading() -> NotationError:
    """Return an error that users never see: the error of the first reading is reported."""
    return NotationError("no such reading")


def _numbered(text: str) -> Rows:
    """Parse a line that begins with the number of its board, or with N."""
    tokens = _tokens_of_line(text)
    if not tokens[0].text.isdecimal():
        raise _no_reading()
    return cells_of(Source(Form.LINE, text, [tokens[1:]]))


def _after_size(text: str) -> Rows:
    """Parse a line that begins with the numbers of rows and columns."""
    tokens = _tokens_of_line(text)
    size = _size_in(tokens[:2])
    if size is None or len(tokens) != 2 + size[0] * size[1]:
        raise _no_reading()
    return cells_of(Source(Form.LINE, text, [tokens[2:]]), size)


def _tokens_of_line(text: str) -> Sequence[Token]:
    source = recognise(text)
    if source.form is not Form.LINE:
        raise _no_reading()
    return source.rows[0]


def _below_size(text: str) -> Rows:
    """Parse rows below a line with the numbers of rows and columns."""
    rows = tokens_of_lines(without_tails(lines_of(text)))
    size = _size_in(rows[0]) if rows else None
    if size is None or len(rows) - 1 != size[0] or any(len(row) != size[1] for row in rows[1:]):
        raise _no_reading()
    return cells_of(Source(Form.ROWS, text, rows[1:]))


def _size_in(tokens: Sequence[Token]) -> Size | None:
    texts = [token.text for token in tokens]
    if len(texts) == 1 and (match := re.fullmatch(_BY, texts[0])):
        texts = list(match.groups())
    if len(texts) != 2 or not all(re.fullmatch(_COUNT, text) for text in texts):
        return None
    return int(texts[0]), int(texts[1])


def _with_empty_blank(text: str) -> Rows:
    """Parse rows with an empty blank: between two commas or tabs, or in an aligned column."""
    lines = lines_of(text)
    for separator in (",", "\t"):
        rows = rows_between(separator, lines) if separator in text else []
        is_even = all(len(row) == len(rows[0]) for row in rows)
        if rows and is_even and not any(" " in token.text for row in rows for token in row):
            is_line = len(rows) == 1 and "/" not in text
            return cells_of(Source(Form.LINE if is_line else Form.ROWS, text, rows))
    rows = tokens_of_lines(lines)
    if len(rows) != sum(bool(line.strip()) for line in lines):
        raise _no_reading()
    width = max(len(row) for row in rows)
    short = [number for number, row in enumerate(rows) if len(row) < width]
    if len(short) != 1 or len(rows[short[0]]) != width - 1:
        raise _no_reading()
    for is_right in (True, False):
        edges = [
            [token.place[1] + (len(token.text) - 1 if is_right else 0) for token in row]
            for row in rows
        ]
        own = edges.pop(short[0])
        for blank in range(width):
            if all(own == row[:blank] + row[blank + 1 :] for row in edges) and (
                len({row[blank] for row in edges}) == 1
            ):
                place = (short[0] + 1, max(1, edges[0][blank]))
                rows[short[0]].insert(blank, Token(str(BLANK), place))
                return cells_of(Source(Form.ROWS, text, rows))
    raise _no_reading()


def _with_letters(rows: Rows) -> Rows:
    """Parse single letters as tiles above 9, if that gives the tiles 1, 2, 3 … once each."""
    numbered = [[Cell(_digit(cell.label), cell.place) for cell in row] for row in rows]
    labels = [cell.label for row in with_blank(numbered) for cell in row]
    if ANY in labels or set(labels) != set(range(len(labels))):
        raise _no_reading()
    return numbered


def _digit(label: Label) -> Label:
    is_letter = isinstance(label, str) and len(label) == 1 and label.isascii() and label.isalpha()
    return int(str(label), WIDEST) if is_letter and label not in ("x", "X") else label


def _of_python(text: str) -> str:
    """Convert a value printed by Python to JSON without moving any character.

    It may contain tuples, None, names in single quotes, floats, and `array(…)` or `board = …`.
    """
    head = re.match(_HEAD, text)
    if head is None:
        raise _no_reading()
    body = text[head.end() :]
    if head[1]:
        if quoted := re.fullmatch(_QUOTED, body):
            return f"{' ' * (head.end() + 1)}{quoted[2]}"
        body = body[: max(body.rfind("]"), body.rfind(")", 0, body.rfind(")"))) + 1]
    body = re.sub(_WHOLE_FLOAT, lambda match: " " * len(match[0]), body).replace("None", "null")
    plain = " " * head.end() + body.translate(_JSON_MARKS)
    if plain == text:
        raise _no_reading()
    return plain


def _without_labels(text: str) -> str:
    """Remove labels from a text: `State:`, the name of a form."""
    lines = []
    for line in text.splitlines():
        head, _, tail = line.partition(":")
        if label := re.match(_LABEL, line):
            line = " " * label.end() + line[label.end() :]
        elif tail:
            line = head
        for name in _FORM_NAMES.intersection(line.split(None, 1)[:1]):
            line = line.replace(name, " " * len(name), 1)
        lines.append(line)
    bare = "\n".join(lines)
    if bare == text:
        raise _no_reading()
    return bare


def _without_first_line(text: str) -> str:
    first, _, rest = text.lstrip("\ufeff\r\n").partition("\n")
    if not re.search(_TITLE, first):
        raise _no_reading()
    return f"\n{rest}"

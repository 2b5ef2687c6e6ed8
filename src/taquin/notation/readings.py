"""Read the cells of a text, form by form, with the place of each; and alternatives to that reading.

A board may repeat labels, so `1 2 3 / 4 4 6 / 7 8 0` is one. The second 4 is an error only on a
*classic* board, whose tiles must be 1, 2, 3 ….

If the form of a text gives no board, `readings` tries alternatives:

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
from itertools import chain
from math import isqrt

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.model.rows import (
    Cell,
    Token,
    cells_of_tokens,
    fold,
    read_label,
    tokens_of_lines,
    with_blank,
)
from taquin.notation.forms import (
    BLANK_MARKS,
    EXAMPLE,
    MAX_CELLS,
    WIDEST,
    Form,
    Size,
    Source,
    columns_of,
    fold_flat,
    is_wide,
    label_of_character,
    lines_of,
    place_of,
    recognise,
    refuse_more_cells,
    rows_between,
    without_tails,
)
from taquin.notation.json_values import json_cells
from taquin.reasons import Reason, reason
from taquin.system.formatting import listed, shorten

_MAX_N = isqrt(MAX_CELLS)
"""The largest N of a text that begins with N."""


def cells_of(source: Source, size: Size | None = None) -> list[list[Cell]]:
    """Return the rows of cells of a text, all of one length.

    A flat text with as many cells as `size` has that size; any other flat text is square. Raise
    NotationError that points at the first fault.
    """
    match source.form:
        case Form.NUMPY if len(source.rows) == 1 and source.text.count("[") == 1:
            return _of_line(source.rows[0], size)
        case Form.KORF | Form.LINE:
            return _of_line(source.rows[0], size)
        case Form.N_ROWS | Form.COMMENTED:
            return _below_header(source)
        case Form.WORDS:
            return _of_words(list(chain(*source.rows)))
        case Form.COMPACT:
            return _of_compact(source.rows[0][0], size)
        case Form.JSON:
            return json_cells(source.text, size)
        case _:
            return cells_of_tokens(source.rows)


def check_classic(rows: Sequence[Sequence[Cell]]) -> None:
    """Raise NotationError unless the cells hold the blank and the tiles 1, 2, 3 … once each."""
    cells = [cell for cell in chain(*rows) if cell.label != WALL]
    wanted = set(range(len(cells)))
    first: dict[Label, Cell] = {}
    for cell in cells:
        label = cell.label
        if label in wanted and label not in first:
            first[label] = cell
            continue
        detail, last = _missing(sorted(wanted - {cell.label for cell in cells})), len(cells) - 1
        if label in first:
            line, column = first[label].place
            fault = reason("tile-twice", tile=label, line=line, column=column, detail=detail)
        elif isinstance(label, str):
            fault = reason("tile-unknown", last=last, found=shorten(label), detail=detail)
        else:
            fault = reason("tile-range", last=last, tile=label, detail=detail)
        raise NotationError(fault, *cell.place)


def _missing(labels: Sequence[int]) -> Reason:
    """Return that a board lacks some labels, at least one."""
    tiles = [label for label in labels if label != BLANK]
    if not tiles:
        return reason("blank-missing")
    return reason(
        "both-missing" if len(tiles) < len(labels) else "tiles-missing",
        names=listed(tiles),
        count=len(tiles),
    )


def _below_header(source: Source) -> list[list[Cell]]:
    header, rows = source.rows[0][0], source.rows[1:]
    text = header.text
    n = int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 0
    if not 2 <= n <= _MAX_N:
        raise NotationError(reason("header", most=_MAX_N, found=shorten(text)), *header.place)
    hint = reason("hash-comment") if source.form is Form.COMMENTED else ""
    for number, row in enumerate(rows[:n], 1):
        if len(row) != n:
            raise NotationError(
                reason("header-row", row=number, count=len(row), width=n, hint=hint),
                *row[min(n, len(row) - 1)].place,
            )
    if len(rows) != n:
        place = (rows[n][0] if len(rows) > n else rows[-1][-1]).place
        raise NotationError(reason("header-rows", count=len(rows), rows=n), *place)
    return cells_of_tokens(rows)


def _of_words(tokens: Sequence[Token]) -> list[list[Cell]]:
    columns = len(tokens[0].text)
    for number, token in enumerate(tokens, 1):
        if len(token.text) != columns:
            found, count = shorten(token.text), len(token.text)
            raise NotationError(
                reason("word-length", row=number, found=found, count=count, width=columns),
                *token.place,
            )
    count = columns * len(tokens)
    refuse_more_cells(count, tokens[0].place[0])
    wide = is_wide(count) and count <= WIDEST and _are_digits(tokens, count)
    return fold(_cells_of_characters(tokens, wide), columns)


def _are_digits(tokens: Sequence[Token], count: int) -> bool:
    """Return whether letters are tiles above 9.

    They are if each tile then occurs once, or if there would be several blanks otherwise.
    """
    text = "".join(token.text for token in tokens)
    if not (text.isascii() and any(map(str.isalpha, text))):
        return False
    cells = _cells_of_characters(tokens, wide=True)
    blanks = sum(character in f"0{BLANK_MARKS}" for character in text if character not in "xX")
    return {cell.label for cell in cells} == set(range(count)) or (blanks > 1 and text.isalnum())


def _of_line(tokens: Sequence[Token], size: Size | None) -> list[list[Cell]]:
    # A line has no names, so `b` and `x` can only be the blank.
    cells = [
        Cell(
            BLANK if token.text in ("b", "B", "x", "X") else read_label(token.text, token.place),
            token.place,
        )
        for token in tokens
    ]
    for cell in cells:
        if isinstance(cell.label, str) and cell.label not in (FILLER, WALL, ANY):
            raise NotationError(reason("name-in-line", found=shorten(cell.label)), *cell.place)
    return fold_flat(cells, size, reason("separate-rows"), *cells[-1].place)


def _of_compact(token: Token, size: Size | None) -> list[list[Cell]]:
    count = len(token.text)
    columns = columns_of(count, size)
    if columns is None or count > WIDEST:
        found = shorten(token.text)
        raise NotationError(reason("no-word", example=EXAMPLE, found=found), *token.place)
    return fold(_cells_of_characters([token], is_wide(count)), columns)


def _cells_of_characters(tokens: Sequence[Token], wide: bool) -> list[Cell]:
    """Return a cell for each character; letters are names or, if `wide`, digits beyond 9.

    If `wide`, a lone `x` is the blank if there is no other and its number is out of range.
    """
    letters = [
        Token(letter, (token.place[0], token.place[1] + number))
        for token in tokens
        for number, letter in enumerate(token.text)
    ]
    cells = [
        Cell(label_of_character(letter.text, wide, letter.place), letter.place)
        for letter in letters
    ]
    if wide and {BLANK, ANY}.isdisjoint(cell.label for cell in cells):
        marked = [number for number, letter in enumerate(letters) if letter.text in ("x", "X")]
        if len(marked) == 1 and len(letters) <= int("x", WIDEST):
            cells[marked[0]] = Cell(BLANK, cells[marked[0]].place)
    return cells


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
            raise NotationError(reason("place-twice", x=x, y=y, name=name), *place)
        label = BLANK if name.lower() == "agent" else read_label(name, place) if name else rest
        cells[y, x] = Cell(label, place)
    if header:
        size = int(header[1]), int(header[2])
    least_rows, least_columns = (1 + max(place[axis] for place in cells) for axis in (0, 1))
    if size is None and len(cells) < least_rows * least_columns:
        raise NotationError(reason("place-size"))
    if rest != ANY and all(cell.label != BLANK for cell in cells.values()):
        raise NotationError(reason("place-blank"))
    rows, columns = size or (least_rows, least_columns)
    refuse_more_cells(rows * columns)
    for (y, x), cell in cells.items():
        if y >= rows or x >= columns:
            fault = reason("place-outside", rows=rows, columns=columns, x=x, y=y)
            raise NotationError(fault, *cell.place)
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

    def digit(label: Label) -> Label:
        is_letter = isinstance(label, str) and re.fullmatch("[a-wyzA-WYZ]", label)
        return int(str(label), WIDEST) if is_letter else label

    numbered = [[Cell(digit(cell.label), cell.place) for cell in row] for row in rows]
    labels = [cell.label for row in with_blank(numbered) for cell in row]
    if ANY in labels or set(labels) != set(range(len(labels))):
        raise _no_reading()
    return numbered


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

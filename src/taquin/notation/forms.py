"""The text forms of boards and goals: how they are recognised, and how frames are read and drawn.

The WORDS and COMPACT forms have one character for each cell:

    b12 345 678            narrow: digits are numbers, `b` is the blank, other letters are names
    123456789abcdef0       wide: letters are digits beyond 9, up to z = 35

The symbols of the rows form (`0 _ - @ ☺ . # *`) mean the same in both. COMPACT is wide beyond ten
cells; WORDS is wide where that gives the tiles 1, 2, 3 ….

These rules give the first reading of a text; `taquin.notation.readings` has alternatives, for texts
that are not a board by the first:

    lines of a drawn box                            BOX
    a bar                                           BARS
    [ without commas, or with `;`                   NUMPY
    [ or {                                          JSON
    one word, then longer rows                      N_ROWS, COMMENTED when there is a `#`
    one line without `/`    one word                COMPACT
                            words for rows          WORDS
                            else                    LINE
    a word per row, all as long, two letters up     WORDS
    else                                            ROWS

No valid board is mistaken for WORDS: every board has a blank, and a blank in ROWS or LINE is a word
of one character. A board of one row ends with `/`, because without it the text would be a LINE.

Which `#` starts a comment, and which is a wall:

    # made by hand          N alone comes first: every `#` starts
    3                       a comment, up to the end of its line
    1 2 3   # top row
    4 5 6
    7 8 0

    # made by hand          no N: only a whole line can be a comment, and it must start with `#`;
    1 # 3                   a `#` after other cells is a wall
    # 5 _                   a row that starts with a wall: as long as the others, all of it cells

A line that starts with `#` is a comment **unless** it could be a row: `#` stands alone, everything
after it is a cell, and its rows are as long as the other rows of the text. So that `# my board`
above a board of three columns stays a comment, a row that starts with `#` in the first column must
not hold names of several letters; an indented one may. A text without any other line is a board
only if it has at least two rows or a `/`.

Control characters, undecodable bytes and texts that are too long are rejected here.

Rows may be framed by a box, bars or brackets:

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
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice, pairwise
from math import isqrt

from taquin.errors import NotationError
from taquin.model.moves import BLANK, WALL, Label
from taquin.model.rows import (
    Item,
    Place,
    Token,
    draw_rows,
    fold,
    is_long_name,
    read_label,
    tokens_of_line,
    tokens_of_lines,
)
from taquin.reasons import Reason, reason

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


MAX_CHARACTERS = 200_000
"""The maximum length of a text that is parsed or written."""
MAX_LINES = 20_000
"""The maximum number of lines: twice the cells, for as many comments."""
MAX_CELLS = 10_000
"""The maximum number of cells of a text: a board of 100×100."""
BLANK_MARKS = "bBxX_-@☺"
"""The characters that mean the blank in a narrow row and cannot be part of a number."""
WIDEST = 36
"""The maximum number of cells with one character each: 0 to z."""
EXAMPLE = "'1 2 3 / 4 5 6 / 7 8 0'"
"""An example of a board, for error messages."""

_JUNK = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

Size = tuple[int, int]
"""Rows and columns."""


class Form(Enum):
    """One way to write a board or a goal. `value` is the name a user types."""

    ROWS = "rows"
    """Rows of cells, separated by `/` or line ends: `4 1 3 / 0 2 6 / 7 5 8`. Writes any board."""
    SEMICOLONS = "semicolons"
    """Rows separated by `;`, as in MATLAB: `4 1 3; 0 2 6; 7 5 8`."""
    SLIDYSIM = "slidysim"
    """Rows separated by a bare `/`, as in slidysim: `4 1 3/0 2 6/7 5 8`."""
    DRAWN = "drawn"
    """A line for each row, aligned, `_` the blank: what `print(board)` prints."""
    HOLES = "holes"
    """The same with nothing for the blank, as S4 prints boards."""
    BOX = "box"
    """Drawn with lines between the cells, as `taquin show` does; walls are filled."""
    NUMPY = "numpy"
    """What NumPy prints: `[[4 1 3]`, ` [0 2 6]`, ` [7 5 8]]` in three lines. Numbers only."""
    SIZED = "sized"
    """The numbers of rows and columns on the first line, then the rows."""
    KORF = "korf"
    """A number for the board, then its cells on one line: `1 14 13 15 7 …`."""
    N_ROWS = "classic"
    """N alone on the first line, then N rows of N cells."""
    WORDS = "words"
    """A word per row, a character per cell, `b` the blank: `b12 345 678`."""
    LINE = "line"
    """The N·N cells of a square board on one line: `0,8,7,6,5,4,3,2,1`."""
    COMMENTED = "commented"
    """N, then N rows, with comments from a `#` to the end of its line: the form of school 42."""
    COMPACT = "compact"
    """A character per cell, all in one word: `123456780`, or `123456789abcdef0`."""
    BARS = "bars"
    """A line for each row, cells separated by `|`, with or without lines of `-` between rows."""
    JSON = "json"
    """A list of rows, a flat list, or an object with rows, columns and cells. Writes any board."""

    def __str__(self) -> str:
        return self.value

    @classmethod
    def _missing_(cls, value: object) -> Form | None:
        return cls.COMMENTED if value == "42" else None


def is_wide(cells: int) -> bool:
    """Return whether a board of `cells` cells needs letters as digits."""
    return cells > 10


def label_of_character(character: str, wide: bool, place: Place = ()) -> Label:
    """Return the label of one character; raise NotationError that points at it."""
    if wide and character.isascii() and character.isalnum():
        return int(character, WIDEST)
    if not wide and character in ("b", "B"):
        return BLANK
    return read_label(character, place)


def character_of_label(label: Label, wide: bool) -> str:
    """Return the character for `label`, or an empty text if there is none."""
    character = _DIGITS[label] if isinstance(label, int) and label < WIDEST else str(label)
    with suppress(NotationError):
        if len(character) == 1 and label_of_character(character, wide) == label:
            return character
    return ""


def columns_of(count: int, size: Size | None = None) -> int | None:
    """Return the columns of a flat list of `count` cells, or None if it is not a board.

    A list with as many cells as `size` has that size; otherwise it must be a square, from 2×2 up.
    """
    if size is not None and count == size[0] * size[1]:
        return size[1]
    root = isqrt(count)
    return root if root >= 2 and root * root == count else None


def fold_flat(
    items: Sequence[Item], size: Size | None, advice: Reason, *place: int
) -> list[list[Item]]:
    """Return the rows of a flat list, or raise NotationError that ends with `advice`."""
    columns = columns_of(len(items), size)
    if columns is None:
        fault = reason("no-square", count=len(items), detail=advice)
        if size is not None:
            wanted = size[0] * size[1]
            fault = reason("cell-count", count=wanted, found=len(items), detail=advice)
        raise NotationError(fault, *place)
    return fold(items, columns)


def refuse_more_cells(count: int, *place: int) -> None:
    """Raise NotationError if a text has more cells than `MAX_CELLS`."""
    if count > MAX_CELLS:
        raise NotationError(reason("most-cells", most=MAX_CELLS, found=count), *place)


@dataclass(frozen=True, slots=True)
class Source:
    """A text whose form is known."""

    form: Form
    """Its form."""
    text: str
    """The text with its comments emptied; every other character keeps its place."""
    rows: Sequence[Sequence[Token]]
    """Its rows of tokens; empty for JSON."""


def recognise(text: str) -> Source:
    """Return the form and the tokens of `text`; raise NotationError if it has none."""
    lines = lines_of(text)
    if boxed := rows_in_box(lines):
        refuse_more_cells(sum(map(len, boxed)))
        return Source(Form.BOX, text, boxed)
    if any("|" in line for line in lines):
        bare = [
            "" if is_rule(line) or (starts_with_hash(line) and "|" not in line) else line
            for line in lines
        ]
        barred = rows_between("|", bare)
        refuse_more_cells(sum(map(len, barred)))
        if len(barred) == 1 and "/" not in text:
            # Between rows the bars mean `/`, else spaces.
            pieces = [piece.split() for line in lines for piece in line.split("|")]
            lengths = {len(piece[0]) for piece in pieces if piece}
            is_rows = max(map(len, pieces)) > 1 or lengths == {len(pieces)}
            return recognise(text.replace("|", "/" if is_rows else " "))
        return Source(Form.BARS, text, barred)
    starts = (line.lstrip()[0] for line in lines if line.strip())
    if next((start for start in starts if start != "#"), "") in ("[", "{"):
        if (bracketed := rows_in_brackets(lines)) is not None:
            return Source(Form.NUMPY, text, bracketed)
        bare = ["" if starts_with_hash(line) else line for line in lines]
        return Source(Form.JSON, "\n".join(bare), ())
    has_header = _has_header(lines)
    bare = without_tails(lines) if has_header else without_comments(lines)
    count = 0
    for number, line in enumerate(bare, 1):
        # Check the number before creating a `Token` for each.
        count += len(line.replace("/", " ").replace(",", " ").split())
        refuse_more_cells(count, number)
    rows = tokens_of_lines(bare)
    if not rows:
        found = reason("only-comments") if "#" in text else reason("only-separators")
        raise NotationError(reason("expected-board", example=EXAMPLE, reason=found))
    is_one = [[token.text for token in row] for row in rows] == [["1"], ["0"]]
    if is_one and rows[0][0].place[0] != rows[1][0].place[0]:
        # N = 1 and its only cell on two lines, which S4 rejects too.
        raise NotationError(reason("one-cell"), *rows[0][0].place)
    bare_text = "\n".join(bare)
    form = _form_of(rows, "/" in bare_text)
    if has_header:
        form = Form.N_ROWS if bare == lines else Form.COMMENTED
    return Source(form, bare_text, rows)


def lines_of(text: str) -> list[str]:
    """Return the lines of `text` without byte order mark, with every `;` replaced by `/`.

    Raise NotationError for a text that is too long, blank, or binary.
    """
    if len(text) > MAX_CHARACTERS:
        raise NotationError(reason("most-characters", most=MAX_CHARACTERS))
    text = text.removeprefix("\ufeff")
    if junk := _JUNK.search(text):
        fault = reason("bad-byte")
        if junk[0] != "\ufffd":
            fault = reason("bad-character", found=repr(junk[0]))
        raise NotationError(fault, *place_of(text, junk.start()))
    if not text.strip():
        found = reason("only-space" if text else "nothing")
        raise NotationError(reason("expected-board", example=EXAMPLE, reason=found))
    lines = text.replace(";", "/").splitlines()
    if len(lines) > MAX_LINES:
        raise NotationError(reason("most-lines", most=MAX_LINES, found=len(lines)))
    return lines


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, both from 1, of the character at `offset`."""
    lines = f"{text[:offset]}x".splitlines()
    return len(lines), len(lines[-1])


def _form_of(rows: Sequence[Sequence[Token]], has_slash: bool) -> Form:
    if len(rows) == 1 and not has_slash:
        if len(rows[0]) == 1:
            return Form.COMPACT
        return Form.WORDS if _are_rows([token.text for token in rows[0]]) else Form.LINE
    tokens = [row[0].text for row in rows]
    are_single = len(rows) > 1 and all(len(row) == 1 for row in rows)
    has_zero = any(token.strip("0") == "" for token in tokens)
    return Form.WORDS if are_single and _same_length(tokens) and not has_zero else Form.ROWS


def _are_rows(tokens: Sequence[str]) -> bool:
    """Return whether each token of a line is a row of one-character cells."""
    is_marked = any(mark in token for token in tokens for mark in BLANK_MARKS)
    if not _same_length(tokens):
        # Different lengths are an error, but digits around a `b` show that WORDS was meant.
        return any(
            len(token) > 1 and any(mark in token for mark in BLANK_MARKS) for token in tokens
        ) and set("".join(tokens)) <= set("0123456789.*" + BLANK_MARKS)
    is_line = isqrt(len(tokens)) ** 2 == len(tokens) and all(token.isdecimal() for token in tokens)
    return (is_marked or len(tokens) == len(tokens[0])) and not is_line


def _same_length(tokens: Sequence[str]) -> bool:
    return len(tokens[0]) > 1 and all(len(token) == len(tokens[0]) for token in tokens)


def starts_with_hash(line: str) -> bool:
    """Return whether the first character of `line` after any spaces is `#`."""
    return line.lstrip().startswith("#")


def is_comment(line: str) -> bool:
    """Return whether `line`, by itself, is a comment."""
    return starts_with_hash(line) and (
        len(line) > MAX_CHARACTERS or not any(without_comments([line]))
    )


def without_comments(lines: Sequence[str]) -> list[str]:
    """Return `lines` with comments emptied, by the rule for texts without N."""
    hashed = [line for line in lines if starts_with_hash(line)]
    if not hashed:
        return list(lines)
    plain = (tokens_of_line(line) for line in lines if not starts_with_hash(line))
    model = next((rows for rows in plain if rows), None)
    width = len((model or tokens_of_line(hashed[-1]))[0])
    bare = [
        line if not starts_with_hash(line) or _could_be_row(line, width) else "" for line in lines
    ]
    if model is None and sum(map(starts_with_hash, bare)) == 1 and "/" not in "".join(bare):
        return [""] * len(bare)
    return bare


def _has_header(lines: Sequence[str]) -> bool:
    """Return whether the first row is N: one token alone, with longer rows below it.

    A comment may follow. If that could also be the rest of a row with a wall, as in `3 # 2`, the
    rows below decide.
    """
    first = lines[0].partition("/")[0]
    if "#" not in first and len(first.split()) > 1:
        return False
    rows = tokens_of_lines(without_tails(lines))
    if not rows or len(rows[0]) != 1 or all(len(row) == 1 for row in rows):
        return False
    header = lines[rows[0][0].place[0] - 1]
    if "#" not in header:
        return True
    token, *tail = tokens_of_line(header)[0]
    names = [token for token in tail if is_long_name(token.text)]
    is_prose = bool(names) or not all(map(_is_cell, (token, *tail)))
    says_rows = rows[0][0].text == str(len(rows) - 1)
    whole = tokens_of_lines(lines)
    if any(len(row) != len(whole[0]) for row in whole):
        return is_prose or says_rows
    return is_prose and says_rows and len(whole[0]) == len(rows) - 1


def without_tails(lines: Sequence[str]) -> list[str]:
    """Return `lines`, each cut at its first `#`: the rule for texts that begin with N."""
    return [line.partition("#")[0] for line in lines]


def _could_be_row(line: str, width: int) -> bool:
    rows = tokens_of_line(line)
    tokens = list(chain(*rows))
    return (
        tokens[0].text == WALL
        and all(len(row) == width for row in rows)
        and all(map(_is_cell, tokens))
        and (line[0] != "#" or not any(is_long_name(token.text) for token in tokens))
    )


def _is_cell(token: Token) -> bool:
    try:
        read_label(token.text)
    except NotationError:
        return False
    return True

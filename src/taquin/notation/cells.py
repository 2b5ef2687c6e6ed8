"""Read the cells of a text, form by form, each with its place for error messages.

A board may repeat labels, so `1 2 3 / 4 4 6 / 7 8 0` is one. The second 4 is an error only on a
*classic* board, whose tiles must be 1, 2, 3 ….
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from math import isqrt

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.model.rows import Cell, Token, cells_of_tokens, fold, read_label, where
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
    refuse_more_cells,
)
from taquin.notation.json_values import json_cells
from taquin.system.words import counted, listed, shorten

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
        if label in first:
            fault = f"tile {label} appears twice, first {where(first[label].place)}"
        else:
            shown = shorten(label) if isinstance(label, str) else f"{label}, which is out of range"
            fault = f"expected the tiles 1 to {len(cells) - 1} and the blank 0, found {shown}"
        missing = sorted(wanted - {cell.label for cell in cells})
        names = ["the blank" if number == BLANK else f"tile {number}" for number in missing]
        are = "is" if len(names) == 1 else "are"
        raise NotationError(f"{fault}; {listed(names)} {are} missing", *cell.place)


def _below_header(source: Source) -> list[list[Cell]]:
    header, rows = source.rows[0][0], source.rows[1:]
    text = header.text
    n = int(text) if re.fullmatch(r"[0-9]{1,3}", text) else 0
    if not 2 <= n <= _MAX_N:
        raise NotationError(
            f"expected N, the number of rows, from 2 to {_MAX_N} (it is alone above longer "
            f"rows), found {shorten(text)}",
            *header.place,
        )
    hint = " (# starts a comment here)" if source.form is Form.COMMENTED else ""
    for number, row in enumerate(rows[:n], 1):
        if len(row) != n:
            raise NotationError(
                f"row {number} has {counted(len(row), 'cell')}, expected {n} as N says{hint}",
                *row[min(n, len(row) - 1)].place,
            )
    if len(rows) != n:
        place = (rows[n][0] if len(rows) > n else rows[-1][-1]).place
        raise NotationError(f"found {counted(len(rows), 'row')}, expected {n} as N says", *place)
    return cells_of_tokens(rows)


def _of_words(tokens: Sequence[Token]) -> list[list[Cell]]:
    columns = len(tokens[0].text)
    for number, token in enumerate(tokens, 1):
        if len(token.text) != columns:
            size = counted(len(token.text), "character")
            raise NotationError(
                f"row {number}, {shorten(token.text)}, has {size}, expected {columns} like row 1: "
                f"one for each cell",
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
            raise NotationError(
                f"expected only numbers on one line, found {shorten(cell.label)}: put / between "
                f"rows to use names",
                *cell.place,
            )
    return fold_flat(cells, size, "on one line; a row ends with /", *cells[-1].place)


def _of_compact(token: Token, size: Size | None) -> list[list[Cell]]:
    count = len(token.text)
    columns = columns_of(count, size)
    if columns is None or count > WIDEST:
        raise NotationError(
            f"expected a board, such as {EXAMPLE}, or one character for each cell "
            f"(4, 9, 16, 25 or 36 in all), found {shorten(token.text)}",
            *token.place,
        )
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

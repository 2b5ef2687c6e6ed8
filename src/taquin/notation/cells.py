"""The cells of a text, form by form, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL
from taquin.model.rows import Cell, read_label, read_rows
from taquin.notation.characters import WIDEST, is_wide, label_of_character
from taquin.notation.detect import Source
from taquin.notation.folding import Size, columns_of, counts_wanted, fold
from taquin.notation.forms import MAX_CELLS, Form
from taquin.notation.json_text import json_cells
from taquin.notation.source import EXAMPLE, Word
from taquin.system.words import counted, shorten

MAX_N = isqrt(MAX_CELLS)
"""The largest N of a text that begins with N."""


def cells_of(source: Source, size: Size | None = None) -> list[list[Cell]]:
    """Return the rows of cells of a text, all of one length.

    A flat text of as many cells as `size` has takes that size; any other flat text is square.
    Raise NotationError that points at the first thing that is wrong.
    """
    match source.form:
        case Form.ROWS:
            return read_rows(source.text)
        case Form.N_ROWS | Form.COMMENTED:
            return _below_header(source)
        case Form.WORDS:
            return _of_words([word for row in source.rows for word in row])
        case Form.LINE:
            return _of_line(source.rows[0], size)
        case Form.COMPACT:
            return _of_compact(source.rows[0][0], size)
        case Form.JSON:
            return json_cells(source.text, size)


def _cell(word: Word) -> Cell:
    return Cell(read_label(word.text, word.line, word.column), word.line, word.column)


def _below_header(source: Source) -> list[list[Cell]]:
    header, rows = source.rows[0][0], source.rows[1:]
    text = header.text
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_N))
    n = int(text) if is_number else 0
    if not 2 <= n <= MAX_N:
        raise NotationError(
            f"expected N, the number of rows, from 2 to {MAX_N} (one word comes before longer "
            f"rows), found {shorten(text)}",
            header.line,
            header.column,
        )
    hint = " (# starts a comment here)" if source.form is Form.COMMENTED else ""
    for number, row in enumerate(rows[:n], 1):
        if len(row) != n:
            word = row[min(n, len(row) - 1)]
            raise NotationError(
                f"row {number} has {counted(len(row), 'cell')}, expected {n} as N says{hint}",
                word.line,
                word.column,
            )
    if len(rows) != n:
        word = rows[n][0] if len(rows) > n else rows[-1][-1]
        raise NotationError(
            f"found {counted(len(rows), 'row')}, expected {n} as N says", word.line, word.column
        )
    return [[_cell(word) for word in row] for row in rows]


def _of_words(words: Sequence[Word]) -> list[list[Cell]]:
    columns = len(words[0].text)
    for number, word in enumerate(words, 1):
        if len(word.text) != columns:
            raise NotationError(
                f"word {number}, {shorten(word.text)}, has "
                f"{counted(len(word.text), 'character')}, expected {columns} like word 1: one for "
                f"each cell of a row",
                word.line,
                word.column,
            )
    if columns * len(words) > MAX_CELLS:
        raise NotationError(
            f"expected at most {MAX_CELLS:,} cells, found {columns * len(words):,}", words[0].line
        )
    return [_spread(word, wide=False) for word in words]


def _of_line(words: Sequence[Word], size: Size | None) -> list[list[Cell]]:
    # A line has no names, so a lone `b` can only be the blank.
    cells = [
        Cell(BLANK, word.line, word.column) if word.text in ("b", "B") else _cell(word)
        for word in words
    ]
    for cell in cells:
        if isinstance(cell.label, str) and cell.label not in (FILLER, WALL, ANY):
            raise NotationError(
                f"expected only numbers on one line, found {shorten(cell.label)}: put / between "
                f"rows to use names",
                cell.line,
                cell.column,
            )
    columns = columns_of(len(cells), size)
    if columns is None:
        raise NotationError(
            f"expected {counts_wanted(size)} cells, found {len(cells)} on one line; "
            f"a row ends with /",
            cells[-1].line,
            cells[-1].column,
        )
    return fold(cells, columns)


def _of_compact(word: Word, size: Size | None) -> list[list[Cell]]:
    count = len(word.text)
    columns = columns_of(count, size)
    if columns is None or count > WIDEST:
        raise NotationError(
            f"expected a board, such as {EXAMPLE}, or one character for each cell "
            f"(4, 9, 16, 25 or 36 in all), found {shorten(word.text)}",
            word.line,
            word.column,
        )
    return fold(_spread(word, is_wide(count)), columns)


def _spread(word: Word, wide: bool) -> list[Cell]:
    """Return a cell for each character of `word`."""
    return [
        Cell(label_of_character(character, wide, word.line, column), word.line, column)
        for column, character in enumerate(word.text, word.column)
    ]

"""Read and write boards and goals in any form; what is written reads back the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TypeVar, assert_never

from taquin.errors import NotationError
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.model.rows import draw_rows, fold, with_blank
from taquin.notation.cells import check_classic
from taquin.notation.forms import (
    EXAMPLE,
    MAX_CELLS,
    MAX_CHARACTERS,
    WIDEST,
    Form,
    Size,
    character_of_label,
    is_comment,
    is_wide,
)
from taquin.notation.frames import draw_bars, draw_box, draw_brackets
from taquin.notation.readings import Rows, readings, second_reading
from taquin.system.words import shorten, unknown

_Position = TypeVar("_Position", Board, Goal)


def read_board(text: str, classic: bool = False) -> Board:
    """Return the board that `text` holds, in any `Form`.

    With `classic`, require the blank and the tiles 1, 2, 3 … once each, as the goals `blank_last`,
    `blank_first` and `snail` do; otherwise labels may be names and may repeat. Raise NotationError
    that points at the fault.

    >>> read_board("b12 345 678") == read_board("[[0, 1, 2], [3, 4, 5], [6, 7, 8]]")
    True
    """
    return _read(text, None, FILLER, partial(_board, classic=classic))


def read_goal(text: str, rows: int | None = None, columns: int | None = None) -> Goal:
    """Return the goal that `text` holds, in any `Form`; `*` is any tile.

    A flat text (one line, one word, one list) of `rows` × `columns` cells has that size, any other
    flat text is square. Raise NotationError that points at the fault.

    >>> print(read_goal("1,2,3,4,5,0", rows=2, columns=3))
    1 2 3
    4 5 _
    """
    size = None if rows is None or columns is None else (rows, columns)
    return _read(text, size, ANY, Goal.of_cells)


def _read(
    text: str, size: Size | None, rest: Label, build: Callable[[Rows], _Position]
) -> _Position:
    """Return the position of the first reading that gives one; raise the first reading's error."""
    first_error: NotationError | None = None
    for reading in readings(text, size, rest):
        rows: Rows = ()
        try:
            rows = reading()
            return build(rows)
        except NotationError as error:
            first_error = first_error or error
            if any(cell.label == ANY for row in rows for cell in row):
                # A goal where a board is expected: another reading would only hide that.
                break
    assert first_error is not None, "there is a first reading"
    raise first_error


def _board(rows: Rows, classic: bool) -> Board:
    rows = with_blank(rows)
    labels = [cell.label for row in rows for cell in row]
    if classic and ANY not in labels and labels.count(BLANK) <= 1:
        check_classic(rows)
    return Board.of_cells(rows)


def another_board(text: str, classic: bool = False) -> Board | None:
    """Return the board that an ambiguous `text` may mean besides that of `read_board`, or None.

    >>> text = "2 2 / 1 2 / 3 0"
    >>> print(read_board(text).text(), "or", another_board(text).text())
    2 2 / 1 2 / 3 0 or 1 2 / 3 0
    """
    rows = second_reading(text)
    if rows is None:
        return None
    board = _board(rows, classic)
    return None if board == read_board(text, classic) else board


def read_many(lines: Iterable[str], classic: bool = False) -> Iterator[Board | NotationError]:
    """Yield the board of each line, or the error in that line.

    Blank lines and comments are skipped. An error carries the number of its line, from 1, and does
    not end the reading.

    >>> for entry in read_many(["# a board and an error", "1230", "1 2 3"]):
    ...     print(entry)
    1 2
    3 _
    line 3, column 5: expected 4, 9, 16, 25 … cells, found 3 on one line; a row ends with /
    """
    for number, line in enumerate(lines, 1):
        line = line.removeprefix("\ufeff")
        if not line.strip() or is_comment(line):
            continue
        try:
            yield read_board(line, classic)
        except NotationError as error:
            yield NotationError(error.message, number, error.column)


def read_boards(text: str, classic: bool = False) -> tuple[Board, ...]:
    r"""Return the boards of a text: one per line, or blocks of lines with empty lines between.

    Raise NotationError that points at the fault, and for a text without a board.

    >>> len(read_boards("1 2 3 0\n3 1 2 0")), len(read_boards("1 2\n3 0\n\n3 1\n2 0"))
    (2, 2)
    """
    lines = text.splitlines()
    entries = list(read_many(lines, classic))
    boards = tuple(entry for entry in entries if isinstance(entry, Board))
    if entries and len(boards) == len(entries):
        return boards
    blocks = [
        [number for number, _ in block]
        for is_text, block in groupby(enumerate(lines), lambda line: bool(line[1].strip()))
        if is_text
    ]
    if all(len(block) == 1 for block in blocks) or 2 * len(boards) >= len(entries):
        # One board per line: report the first bad line.
        raise next(
            (entry for entry in entries if isinstance(entry, NotationError)),
            NotationError(f"expected boards, such as {EXAMPLE}, found none"),
        )
    return tuple(_read_block(lines, block, classic) for block in blocks)


def _read_block(lines: list[str], block: list[int], classic: bool) -> Board:
    """Return the board on some lines; an error carries the line number in the whole text."""
    try:
        return read_board("\n".join(lines[number] for number in block), classic)
    except NotationError as error:
        line = block[0] + (error.line or 1)
        raise NotationError(error.message, line, error.column) from None


def write_board(board: BoardLike, form: Form | str = Form.ROWS) -> str:
    """Return the text of `board` in `form`, which `read_board` reads back.

    `form` may be given by its name. Raise NotationError for an unknown form, and for one that
    cannot express the board.

    >>> write_board("0 1 2 / 3 4 5 / 6 7 8", "words")
    'b12 345 678'
    """
    return _write(board if isinstance(board, Goal) else Board.of(board), form)


def write_goal(goal: Goal, form: Form | str = Form.ROWS) -> str:
    """Return the text of `goal` in `form`, which `read_goal` reads back, like `write_board`."""
    return _write(goal, form)


def _write(board: Board | Goal, form: Form | str) -> str:
    try:
        form = Form(form)
    except ValueError:
        raise NotationError(unknown("form", str(form), map(str, Form))) from None
    grid, cells = board.grid, board.cells
    if grid.size > MAX_CELLS:
        raise NotationError(f"a text holds at most {MAX_CELLS:,} cells, this is {grid.size:,}")
    match form:
        case Form.ROWS:
            text = board.text()
        case Form.SEMICOLONS:
            text = board.text().replace(" /", ";")
        case Form.SLIDYSIM:
            text = board.text().replace(" /", "/").replace("/ ", "/")
        case Form.DRAWN:
            text = _checked(board, form, draw_rows(cells, grid.columns))
        case Form.HOLES:
            text = _checked(board, form, _with_empty_blank(cells, grid.columns))
        case Form.BOX:
            text = draw_box(cells, grid.columns)
        case Form.NUMPY:
            _require_numbers(board, form)
            text = draw_brackets(cells, grid.columns)
        case Form.SIZED:
            drawn = draw_rows(cells, grid.columns, blank="0")
            text = _checked(board, form, f"{grid.rows} {grid.columns}\n{drawn}")
        case Form.KORF:
            _require_numbers(board, form)
            _require_square(board, form)
            text = f"1 {' '.join(map(str, cells))}"
        case Form.N_ROWS:
            text = _n_rows(board, form)
        case Form.COMMENTED:
            text = f"# {grid}\n{_n_rows(board, form)}"
        case Form.WORDS:
            text = _words(board)
        case Form.LINE:
            text = _line(board)
        case Form.COMPACT:
            text = _compact(board)
        case Form.BARS:
            if grid.columns < 2:
                raise _cannot(form, "is for two columns and more")
            text = _checked(board, form, draw_bars(cells, grid.columns))
        case Form.JSON:
            text = json.dumps(fold(cells, grid.columns), ensure_ascii=False)
        case _:
            assert_never(form)
    if len(text) > MAX_CHARACTERS:
        raise NotationError(
            f"a text has at most {MAX_CHARACTERS:,} characters, this takes {len(text):,}"
        )
    return text


def can_write(position: Board | Goal, form: Form) -> bool:
    """Return whether `form` can express a board or a goal."""
    try:
        _write(position, form)
    except NotationError:
        return False
    return True


def _with_empty_blank(cells: Sequence[Label], columns: int) -> str:
    return "\n".join(line.rstrip() for line in draw_rows(cells, columns, blank=" ").split("\n"))


def _checked(position: Board | Goal, form: Form, text: str) -> str:
    """Return `text` if it reads back as `position`; some forms cannot tell all boards apart."""
    try:
        read_back = read_board(text) if isinstance(position, Board) else read_goal(text)
    except NotationError:
        read_back = None
    if read_back != position:
        raise _cannot(form, "would read back as another board than this one")
    return text


def _require_numbers(position: Board | Goal, form: Form) -> None:
    for label in position.cells:
        if isinstance(label, str):
            raise _cannot(form, f"has only numbers, found {shorten(label)}")


def _n_rows(position: Board | Goal, form: Form) -> str:
    _require_square(position, form)
    if position.grid.walls:
        raise _cannot(form, "has no walls, for # starts a comment in it")
    return f"{position.grid.rows}\n{draw_rows(position.cells, position.grid.columns, blank='0')}"


def _words(position: Board | Goal) -> str:
    grid = position.grid
    if grid.rows < 2 or grid.columns < 2:
        raise NotationError(f"the words form needs two rows and two columns, this is {grid}")
    if BLANK not in position.cells and grid.rows != grid.columns:
        raise _cannot(Form.WORDS, "needs a blank unless it is square")
    # Beyond nine tiles, letters are digits and the blank is 0.
    wide = is_wide(grid.size) and set(position.cells) == set(range(grid.size))
    characters = _characters(position, Form.WORDS, wide)
    if not wide:
        characters = characters.replace("0", "b")
    text = " ".join("".join(row) for row in fold(characters, grid.columns))
    return _checked(position, Form.WORDS, text) if is_wide(grid.size) else text


def _line(position: Board | Goal) -> str:
    _require_square(position, Form.LINE)
    _refuse_first_wall(position, Form.LINE)
    for label in position.cells:
        if isinstance(label, str) and label not in (FILLER, WALL, ANY):
            raise _cannot(Form.LINE, f"has no names, found {shorten(label)}")
    return ",".join(map(str, position.cells))


def _compact(position: Board | Goal) -> str:
    _require_square(position, Form.COMPACT)
    if position.grid.size > WIDEST:
        raise _cannot(Form.COMPACT, f"has at most {WIDEST} cells, this is {position.grid}")
    return _characters(position, Form.COMPACT, is_wide(position.grid.size))


def _characters(position: Board | Goal, form: Form, wide: bool) -> str:
    """Return one character for each cell."""
    _refuse_first_wall(position, form)
    characters = []
    for label in position.cells:
        character = character_of_label(label, wide)
        if character is None:
            name = shorten(str(label))
            raise _cannot(form, f"has one character for each cell and none for {name}")
        characters.append(character)
    return "".join(characters)


def _require_square(position: Board | Goal, form: Form) -> None:
    grid = position.grid
    if grid.rows != grid.columns or grid.rows < 2:
        raise _cannot(form, f"is for squares from 2×2 up, this is {grid}")


def _refuse_first_wall(position: Board | Goal, form: Form) -> None:
    if position.cells[0] == WALL:
        raise _cannot(form, "cannot begin with a wall, for a line that starts with # is a comment")


def _cannot(form: Form, reason: str) -> NotationError:
    return NotationError(f"the {form} form {reason}; write rows instead")

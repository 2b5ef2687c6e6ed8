"""Parse and write boards and goals in any form; what is written parses back to the same value.

`as_start` and `as_goal` also take Python values: texts of any form, rows, arrays.

    solve("8 6 7 / 2 5 4 / 3 0 1")      solve([[8, 6, 7], [2, 5, 4], [3, 0, 1]], "snail")
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, TypeVar

from taquin.errors import NotationError
from taquin.model.board import Arrangement, Board, BoardLike
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Direction, Label, Move
from taquin.model.puzzle import NAMED_GOALS, Goal, named_goal
from taquin.model.rows import draw_rows, fold, with_blank, write_canonical
from taquin.notation.forms import (
    EXAMPLE,
    MAX_CELLS,
    MAX_CHARACTERS,
    WIDEST,
    Form,
    Size,
    character_of_label,
    draw_bars,
    draw_box,
    draw_brackets,
    is_comment,
    is_wide,
)
from taquin.notation.json_values import board_of_json, goal_of_json
from taquin.notation.moves import read_moves
from taquin.notation.readings import Rows, check_classic, readings, second_reading
from taquin.reasons import reason
from taquin.system.formatting import shorten, unknown

_Position = TypeVar("_Position", Board, Goal)
_FAST_PATH_LENGTH = 1_000
"""The maximum length of a line for which `_numbered` is tried."""
_NUMBERS = {str(number): number for number in range(400)}
"""The tokens that `_numbered` recognises."""


def read_board(text: str, classic: bool = False) -> Board:
    """Parse a board in any `Form`.

    With `classic`, require the blank and the tiles 1, 2, 3 … once each, as named goals do;
    otherwise labels may be names and may repeat. Raise NotationError that points at the fault.

    >>> read_board("b12 345 678") == read_board("[[0, 1, 2], [3, 4, 5], [6, 7, 8]]")
    True
    """
    return _read(text, None, FILLER, partial(_board, classic=classic))


def read_goal(text: str, rows: int | None = None, columns: int | None = None) -> Goal:
    """Parse a goal in any `Form`; `*` is any tile.

    A flat text (one line or one list) of `rows` × `columns` cells has that size, any other flat
    text is square. Raise NotationError that points at the fault.

    >>> print(read_goal("1,2,3,4,5,0", rows=2, columns=3))
    1 2 3
    4 5 _
    """
    size = None if rows is None or columns is None else (rows, columns)
    return _read(text, size, ANY, Goal.of_cells)


def _read(
    text: str, size: Size | None, rest: Label, build: Callable[[Rows], _Position]
) -> _Position:
    """Return the position of the first reading that succeeds, or raise the first one's error."""
    first_error: NotationError | None = None
    for reading in readings(text, size, rest):
        rows: Rows = ()
        try:
            rows = reading()
            return build(rows)
        except NotationError as error:
            first_error = first_error or error
            if any(cell.label == ANY for row in rows for cell in row):
                # A goal where a board is expected: another reading would hide that error.
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
    """Return the second meaning of an ambiguous text, which `read_board` does not return, or None.

    >>> text = "2 2 / 1 2 / 3 0"
    >>> print(read_board(text).text(), "or", another_board(text).text())
    2 2 / 1 2 / 3 0 or 1 2 / 3 0
    """
    rows = second_reading(text)
    if rows is None:
        return None
    board = _board(rows, classic)
    return None if board == read_board(text, classic) else board


def read_many(
    lines: Iterable[str], classic: bool = False, first: int = 1
) -> Iterator[Board | NotationError]:
    """Yield the board or the error of each line; skip blank lines and comments.

    Errors contain the line number, which counts from `first`.

    >>> for entry in read_many(["# a board and an error", "1230", "1 2 3"]):
    ...     print(entry)
    1 2
    3 _
    line 3, column 5: 3 cells do not form a square; separate rows with /
    """
    for number, line in enumerate(lines, first):
        if not is_entry(line):
            continue
        line = line.removeprefix("\ufeff")
        try:
            yield _numbered(line) or read_board(line, classic)
        except NotationError as error:
            yield NotationError(error.message, number, error.column)


def is_entry(line: str) -> bool:
    """Return whether a line of a file of boards is neither blank nor a comment."""
    line = line.removeprefix("\ufeff")
    return bool(line.strip()) and not is_comment(line)


def _numbered(line: str) -> Board | None:
    """Parse rows of the numbers 0, 1, 2 … separated by `/`; return None for other lines.

    This fast path covers most lines of long files; `read_board` is many times slower.
    """
    if len(line) > _FAST_PATH_LENGTH:
        return None
    rows = [row.split() for row in line.split("/")]
    columns = len(rows[0])
    if columns < 2 or len(rows) < 2 or {*map(len, rows)} != {columns}:
        return None
    try:
        cells = tuple([_NUMBERS[token] for row in rows for token in row])
    except KeyError:
        return None
    if sorted(cells) != [*range(len(cells))]:
        return None
    return Board.trusted(_grid(len(rows), columns), cells)


@lru_cache(maxsize=64)
def _grid(rows: int, columns: int) -> Grid:
    """Return a grid without walls, shared by boards."""
    return Grid(rows, columns)


def read_boards(text: str, classic: bool = False) -> tuple[Board, ...]:
    """Parse several boards: one per line, or in blocks separated by empty lines.

    Raise NotationError that points at the fault, or if there is no board.
    """
    lines = text.splitlines()
    entries = list(read_many(lines, classic))
    boards = tuple(entry for entry in entries if isinstance(entry, Board))
    if entries and len(boards) == len(entries):
        return boards
    groups = groupby(enumerate(lines), lambda line: bool(line[1].strip()))
    blocks = [list(block) for is_text, block in groups if is_text]
    if all(len(block) == 1 for block in blocks) or 2 * len(boards) >= len(entries):
        # One board per line: report the first bad line.
        raise next(
            (entry for entry in entries if isinstance(entry, NotationError)),
            NotationError(f"expected boards, such as {EXAMPLE}, found none"),
        )
    boards = ()
    for block in blocks:
        try:
            boards += (read_board("\n".join(line for _, line in block), classic),)
        except NotationError as error:
            line = block[0][0] + (error.line or 1)
            raise NotationError(error.message, line, error.column) from None
    return boards


def write_board(board: BoardLike, form: Form | str = Form.ROWS) -> str:
    """Write a board or a goal in `form`, which `read_board` or `read_goal` parses back.

    Raise NotationError for an unknown form, or one that cannot express the board.

    >>> write_board("0 1 2 / 3 4 5 / 6 7 8", "words")
    'b12 345 678'
    """
    position = board if isinstance(board, Goal) else Board.of(board)
    try:
        form = Form(form)
    except ValueError:
        raise NotationError(unknown("form", str(form), map(str, Form))) from None
    if position.grid.size > MAX_CELLS:
        size = f"{position.grid.size:,}"
        raise NotationError(f"a text may have at most {MAX_CELLS:,} cells, got {size}")
    if obstacle := _obstacle(position, form):
        raise NotationError(f"the {form} form {obstacle}; write rows instead")
    text = _WRITERS[form](position.cells, position.grid.columns)
    if len(text) > MAX_CHARACTERS:
        raise NotationError(
            f"a text may have at most {MAX_CHARACTERS:,} characters, this needs {len(text):,}"
        )
    if form in _AMBIGUOUS or (form is Form.WORDS and is_wide(position.grid.size)):
        try:
            is_same = position == (read_goal if isinstance(position, Goal) else read_board)(text)
        except NotationError:
            is_same = False
        if not is_same:
            raise NotationError(
                f"the {form} form of this board means a different board; write rows instead"
            )
    return text


write_goal = write_board
"""The same function under the name that goes with `read_goal`."""


def can_write(position: Board | Goal, form: Form) -> bool:
    """Return whether `form` can express a board or a goal."""
    try:
        write_board(position, form)
    except NotationError:
        return False
    return True


_AMBIGUOUS = (Form.DRAWN, Form.HOLES, Form.SIZED, Form.BARS)
"""Forms in which some boards have the text of another board."""
_SQUARE = (Form.KORF, Form.N_ROWS, Form.COMMENTED, Form.LINE, Form.COMPACT)


def _obstacle(position: Board | Goal, form: Form) -> str:
    """Return why `form` cannot express a board or a goal; empty if it can."""
    grid, cells = position.grid, position.cells
    names = [label for label in cells if isinstance(label, str)]
    if form in (Form.NUMPY, Form.KORF) and names:
        return f"has only numbers, found {shorten(names[0])}"
    if form in _SQUARE and (grid.rows != grid.columns or grid.rows < 2):
        return f"supports only square boards from 2×2 on, this is {grid}"
    if form in (Form.N_ROWS, Form.COMMENTED) and grid.walls:
        return "has no walls, because # starts a comment"
    if form is Form.BARS and grid.columns < 2:
        return "needs two columns"
    if form is Form.WORDS and min(grid.rows, grid.columns) < 2:
        return f"needs two rows and two columns, this is {grid}"
    if form is Form.WORDS and BLANK not in cells and grid.rows != grid.columns:
        return "needs a blank unless it is square"
    if form is Form.COMPACT and grid.size > WIDEST:
        return f"has at most {WIDEST} cells, this is {grid}"
    if form in (Form.WORDS, Form.COMPACT, Form.LINE) and cells[0] == WALL:
        return "cannot begin with a wall, because a line that starts with # is a comment"
    names = [name for name in names if name not in (FILLER, WALL, ANY)]
    if form is Form.LINE and names:
        return f"has no names, found {shorten(names[0])}"
    if form in (Form.WORDS, Form.COMPACT):
        wide = _has_digits(cells, form)
        for label in cells:
            if not character_of_label(label, wide):
                return f"has one character per cell and none for {shorten(str(label))}"
    return ""


def _characters(cells: Sequence[Label], form: Form) -> str:
    wide = _has_digits(cells, form)
    text = "".join(character_of_label(label, wide) for label in cells)
    return text.replace("0", "b") if form is Form.WORDS and not wide else text


def _has_digits(cells: Sequence[Label], form: Form) -> bool:
    """Return whether letters are digits beyond 9 in the WORDS or COMPACT form of `cells`."""
    size = len(cells)
    return is_wide(size) and (form is Form.COMPACT or set(cells) == set(range(size)))


_drawn = partial(draw_rows, blank="0")

_WRITERS: Mapping[Form, Callable[[Sequence[Label], int], str]] = {
    Form.ROWS: write_canonical,
    Form.SEMICOLONS: lambda cells, columns: write_canonical(cells, columns).replace(" /", ";"),
    Form.SLIDYSIM: lambda cells, columns: re.sub(" ?/ ?", "/", write_canonical(cells, columns)),
    Form.DRAWN: draw_rows,
    Form.HOLES: partial(draw_rows, blank=" "),
    Form.BOX: draw_box,
    Form.NUMPY: draw_brackets,
    Form.SIZED: lambda cells, n: f"{len(cells) // n} {n}\n{_drawn(cells, n)}",
    Form.KORF: lambda cells, columns: f"1 {' '.join(map(str, cells))}",
    Form.N_ROWS: lambda cells, n: f"{n}\n{_drawn(cells, n)}",
    Form.COMMENTED: lambda cells, n: f"# {n}×{n}\n{n}\n{_drawn(cells, n)}",
    Form.WORDS: lambda cells, columns: " ".join(
        map("".join, fold(_characters(cells, Form.WORDS), columns))
    ),
    Form.LINE: lambda cells, columns: ",".join(map(str, cells)),
    Form.COMPACT: lambda cells, columns: _characters(cells, Form.COMPACT),
    Form.BARS: draw_bars,
    Form.JSON: lambda cells, columns: json.dumps(fold(cells, columns), ensure_ascii=False),
}
"""For each form the function of cells and columns that writes a position it can express."""


_SIZE = r"\s*([0-9]{1,2})\s*[x×X]\s*([0-9]{1,2})\s*"

GoalLike = Goal | Board | str | Iterable[Any] | None
"""A goal, its name or text, a size for blank-last, rows, an array; None for blank-last."""


def read_value(kind: type, value: Any) -> Board | Goal | tuple[tuple[Direction, int], ...]:
    """Parse a text or a JSON object; the model calls this through `taquin.system.lazy`.

    `kind` is `Board`, `Goal` (a size such as `3x3` is the goal blank-last), or `Move` for the
    directions and counts of a move string. Raise NotationError that points at the fault.
    """
    if kind is Move:
        return read_moves(value)
    if issubclass(kind, Goal):
        if isinstance(value, str) and value in NAMED_GOALS:
            name = value.replace("-", "_")
            raise NotationError(f"the goal {value} needs a size: write Goal.{name}(3, 3)")
        if isinstance(value, str) and (size := re.fullmatch(_SIZE, value)):
            return Goal.blank_last(int(size[1]), int(size[2]))
        return read_goal(value) if isinstance(value, str) else goal_of_json(value)
    return read_board(value) if isinstance(value, str) else board_of_json(value)


def as_goal(value: GoalLike, board: Arrangement) -> Goal:
    """Convert `value` to a goal on the grid of `board`; None is blank-last.

    A size, such as `3x3`, is the goal blank-last of that size.
    """
    name = "blank-last" if value is None else value
    if isinstance(name, str):
        if name in NAMED_GOALS:
            return named_goal(name, board.grid)
        if re.fullmatch(_SIZE, name):
            return Goal.of(name)
        try:
            return read_goal(name, board.grid.rows, board.grid.columns)
        except NotationError:
            if message := no_goal(name):
                raise NotationError(message) from None
            raise
    return Goal.of(name)


def as_start(value: BoardLike, goal: GoalLike) -> Board:
    """Convert `value` to a board; for a named goal, prefer the tiles 1, 2, 3 …."""
    is_named = goal is None or (isinstance(goal, str) and goal in NAMED_GOALS)
    if isinstance(value, str) and is_named:
        try:
            return read_board(value, classic=True)
        except NotationError as fault:
            # If it is a board at all, the comparison of start and goal reports the fault.
            try:
                return Board.of(value)
            except NotationError:
                if any(letter.isalpha() for letter in value):
                    raise
            raise fault
    return Board.of(value)


def no_goal(text: str) -> str:
    """Return the error message for a text that looks like a goal name; empty for other texts."""
    if any(mark in text for mark in "0123456789*_@. "):
        return ""
    return reason("no-goal", found=shorten(text), names=", ".join(NAMED_GOALS))

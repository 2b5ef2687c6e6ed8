"""Read boards and goals in any form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.notation.cells import cells_of
from taquin.notation.checks import board_of_cells, goal_of_cells
from taquin.notation.comments import is_comment
from taquin.notation.detect import recognise


def read_board(text: str, classic: bool = False) -> Board:
    """Return the board that `text` holds, in whatever `Form` it is.

    With `classic`, demand the blank and the tiles 1, 2, 3 … once each, as the goals `blank_last`,
    `blank_first` and `snail` do; without it labels may be names and may repeat. Raise NotationError
    that points at the fault, and nothing else, whatever the text.

    >>> read_board("b12 345 678") == read_board("[[0, 1, 2], [3, 4, 5], [6, 7, 8]]")
    True
    """
    return board_of_cells(cells_of(recognise(text)), classic)


def read_goal(text: str, rows: int | None = None, columns: int | None = None) -> Goal:
    """Return the goal that `text` holds, in whatever `Form` it is; `*` is any tile.

    A flat text (one line, one word, one list) of `rows` × `columns` cells takes that size, any
    other flat text is square. Raise NotationError that points at the fault.

    >>> print(read_goal("1,2,3,4,5,0", rows=2, columns=3))
    1 2 3
    4 5 _
    """
    size = None if rows is None or columns is None else (rows, columns)
    return goal_of_cells(cells_of(recognise(text), size))


def read_many(lines: Iterable[str], classic: bool = False) -> Iterator[Board | NotationError]:
    """Yield the board of each line, or the error that says what is wrong with that line.

    Blank lines and comments are skipped. An error carries the number of its line, from 1, and does
    not end the reading.

    >>> for found in read_many(["# a board and a slip", "1230", "1 2 3"]):
    ...     print(found)
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

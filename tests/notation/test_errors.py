"""What is wrong, and where: every message names its place."""

from __future__ import annotations

import pytest

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.notation import MAX_CHARACTERS, read_board, read_goal, read_many
from taquin.notation.boards import as_start
from taquin.views.traces import place_names
from tests.notation.strategies import brief


def error_of(text: str, classic: bool = False) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read_board(text, classic)
    assert len(str(caught.value)) < 250
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        # Nothing, blanks, separators, comments, junk.
        ("", None, None, "found nothing"),
        ("\ufeff", None, None, "found nothing"),
        (" \t\r\n \n", None, None, "found only white space"),
        (" , / ,\n/", None, None, "found only separators"),
        ("# one\n#two\n", None, None, "found only comments"),
        (",\n# 1 2 0", None, None, "found only comments"),
        ("1 2\n3 \x00", 2, 3, r"found the character '\x00'"),
        ("\x1b[31m1 2 / 3 0", 1, 1, r"found the character '\x1b'"),
        ("1 2 / 3 \ufffd", 1, 9, "found a byte that is not UTF-8"),
        ("1 2 / 3 \udc80", 1, 9, r"found the character '\udc80'"),
        # N = 1; a column of two cells is written `1 / 0`.
        ("1\n0", 1, 1, "expected N of 2 or more on the first line, found 1"),
        ("# one cell\n\n1\n0\n", 3, 1, "expected N of 2 or more on the first line, found 1"),
        # Cells.
        ("1 2 3\n4 -5 6\n7 8 0", 2, 3, "found '-5'"),
        ("1 2 3\n4 5.5 6\n7 8 0", 2, 3, "found '5.5'"),
        ("1 2 / 3 1000000", 1, 9, "expected a number up to 999999, found '1000000'"),
        ("1 2 / 3 " + "9" * 5000, 1, 9, "(5000 characters)"),
        ("1 2 / 3 ?" + "x" * 5000, 1, 9, "(5001 characters)"),
        ("1 * / 3 0", 1, 3, "a board cannot hold '*' (any): only a goal can"),
        # Counts.
        ("1 2 3\n4 5\n7 8 0", 2, 3, "row 2 has 2 cells, expected 3 like row 1"),
        ("1 2 3\n4 5 6 9\n7 8 0", 2, 7, "row 2 has 4 cells, expected 3 like row 1"),
        ("1 2 3 4 5 6 7 0", 1, 15, "8 cells do not form a square; separate rows with /"),
        ("\n\n1 2 A 0", 3, 5, "expected only numbers on one line, found 'A'"),
        ("b12 345 67", 1, 9, "row 3, '67', has 2 characters, expected 3 like row 1"),
        ("b12 345 6+8", 1, 10, "found '+'"),
        ("b12\n345\n6?8", 3, 2, "found '?'"),
        ("12345678", 1, 1, "(4, 9, 16, 25 or 36 in all), found '12345678'"),
        ("blank-last", 1, 1, "or one character for each cell"),
        ("1" * 49, 1, 1, "(4, 9, 16, 25 or 36 in all)"),
        # Blanks.
        ("1 2 / 3 4", None, None, "a board needs one blank (0 or _), found none"),
        ("1 x\n3 b", None, None, "0 for it if x in line 1, column 3 or b in line 2, column 3 is"),
        ("0 2\n3 _\n0 1", 2, 3, "has one blank, found 3, the first in line 1, column 1"),
        ("b12 345 67-", 1, 11, "has one blank, found 2, the first in line 1, column 1"),
        ("123450780", 1, 9, "has one blank, found 2, the first in line 1, column 6"),
        # N, then rows.
        ("x\n1 2\n3 0", 1, 1, "expected N, the number of rows, from 2 to 100"),
        ("1\n1 2\n3 0", 1, 1, "found '1'"),
        ("-3\n1 2\n3 0", 1, 1, "found '-3'"),
        ("²\n1 2\n3 0", 1, 1, "found '²'"),
        ("101\n1 2\n3 0", 1, 1, "found '101'"),
        ("9" * 5000 + "\n1 2\n3 0", 1, 1, "(5000 characters)"),
        ("3\n1 2 3\n4 5 6", 3, 5, "found 2 rows, expected 3 as N says"),
        ("2\n1 2\n3 0\n\n4 5", 5, 1, "found 3 rows, expected 2 as N says"),
        ("3\n1 2 3\n4 5\n7 8 0", 3, 3, "row 2 has 2 cells, expected 3 as N says"),
        ("3\n1 2 3\n4 5 6 7 8\n7 8 0", 3, 7, "row 2 has 5 cells, expected 3 as N says"),
        ("3\n1 2 3\n4 # 6\n7 8 0", 3, 1, "expected 3 as N says (# starts a comment here)"),
        ("3 # the size\n1 2 3\n4 5 6", 3, 5, "found 2 rows, expected 3 as N says"),
        ("1 # 2\n3 4\n5 6 0", 2, 3, "row 2 has 2 cells, expected 3 like row 1"),
        ("2\n1 2\n3 0x", 3, 3, "found '0x'"),
        # JSON.
        ("[[1, 2], [3, 0]", 1, 16, "invalid JSON: expecting ',' delimiter"),
        ("[[1, 2],\r\n [3 0]]", 2, 5, "invalid JSON"),
        ("[[1, 2],\n [3, true]]", 2, 6, "or a name, found true"),
        ("[[1, -2], [3, 0]]", 1, 6, "or a name, found -2"),
        ("[[1, 12345678], [3, 0]]", 1, 6, "a number up to 999999, found '12345678'"),
        ("[[1, " + "9" * 5000 + "], [3, 0]]", 1, 6, "(5000 characters)"),
        ('[[1, "a b"], [3, 0]]', 1, 6, "found 'a b'"),
        ('{"rows": 2, "cells": [1, 2, 3, "?"], "columns": 2}', 1, 32, "found '?'"),
        ("[[1, 0], [3, 0]]", 1, 14, "has one blank, found 2, the first in line 1, column 6"),
        ("[1, 2, 0]", None, None, "3 cells do not form a square; make each row a list"),
        ("[[]]", None, None, "row 1 has 0 cells, expected at least one"),
        ("[[1, 2], []]", None, None, "row 2 has 0 cells, expected 2 like row 1"),
        ("[[1, 2], 3, 0]", None, None, "expected only rows or only cells, found both"),
        ("[[1, 2], [3, [0]]]", None, None, "row 2, column 2: expected a number or a name"),
        ("[1, {}, 2, 0]", None, None, "found an object"),
        ("[" * 100_000, None, None, "nested too deeply"),
        ("[NaN, 1, 2, 0]", None, None, "found NaN"),
        ("{}", None, None, "found no rows"),
        ('{"rows": 2, "columns": 2}', None, None, "found no cells"),
        ('{"rows": 2, "colums": 2, "cells": []}', None, None, "columns and cells, found 'colums'"),
        ('{"rows": 2, "rows": 2}', None, None, "expected each key once, found 'rows' twice"),
        ('{"rows": 0, "columns": 2, "cells": []}', None, None, "number of rows, from 1 to 10000"),
        ('{"rows": 1, "columns": true, "cells": [0]}', None, None, "of columns, from 1 to 10000"),
        ('{"rows": 2, "columns": 2, "cells": 5}', None, None, "expected a list of cells, found 5"),
        (
            '{"rows": 2, "columns": 2, "cells": [1, 0]}',
            None,
            None,
            "expected 4 cells, found 2; make",
        ),
        ('{"rows": 2, "columns": 2, "cells": [[1, 0]]}', None, None, "as rows and columns say"),
        # Places.
        ("A(0,3) B(1,3) agent(2,3)", None, None, "expected the size of the grid before the places"),
        ("2x2 A(0,3) agent(1,1)", 1, 5, "expected a place on 2×2, counted from 0"),
        ("2x2 A(0,1) B(0,1) agent(1,1)", 1, 12, "expected one tile at (0,1), found"),
        ("200x200 A(0,1) agent(1,1)", None, None, "expected at most 10,000 cells, found 40,000"),
        ("2x2 A(0,1)", None, None, "expected the place of the blank too"),
    ],
    ids=brief,
)
def test_the_error_names_the_place_and_the_fault(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    error = error_of(text)
    assert message in error.message
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        (
            "1 2 3\n4 4 6\n7 8 0",
            2,
            3,
            "4 appears twice, first in line 2, column 1; tile 5 is missing",
        ),
        ("1 2 3 / 4 5 6 / 7 9 0", 1, 19, "found 9, which is out of range; tile 8 is missing"),
        ("123456789", 1, 9, "found 9, which is out of range; the blank is missing"),
        ("b12 345 677", 1, 11, "tile 7 appears twice, first in line 1, column 10; tile 8 is"),
        ("3\n1 2 3\n4 A 6\n7 8 0", 3, 3, "the tiles 1 to 8 and the blank 0, found 'A'; tile 5 is"),
        (
            "[[1, 1], [1, 0]]",
            1,
            6,
            "tile 1 appears twice, first in line 1, column 3; tiles 2, 3 are missing",
        ),
        ("# 2 . / 0 1 3", 1, 5, "the tiles 1 to 4 and the blank 0, found '.'; tile 4 is missing"),
        ("1 2 3 / 4 0 6 / 7 0 8", 1, 19, "a board has one blank, found 2"),
        (" ".join(["99"] * 99) + " 0", 1, 4, "tiles 1, 2, 3, 4, 5 and 93 more are missing"),
    ],
)
def test_a_classic_board_has_each_tile_once(
    text: str, line: int, column: int, message: str
) -> None:
    error = error_of(text, classic=True)
    assert message in error.message
    assert (error.line, error.column) == (line, column)


def test_repeated_labels_are_a_board_unless_a_classic_one_is_asked_for() -> None:
    assert read_board("1 2 3 / 4 4 6 / 7 8 0").labels[4] == 2
    assert read_board("1 # / 2 0", classic=True) == read_board("1 # / 2 0")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1 0 / 0 *", 1, 7, "a goal has one blank, found 2, the first in line 1, column 3"),
        ("1 2 / 3 4", None, None, "needs one blank (0 or _), found none"),
        ("1 x / 3 b", None, None, "x in line 1, column 3 or b in line 1, column 9 is meant"),
        ("# # / # #", None, None, "at least one cell that is not a wall"),
    ],
)
def test_a_goal_that_cannot_be_is_refused(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(NotationError) as caught:
        read_goal(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 / 4 5 6 / 7 8 8", "tile 8 appears twice"),
        ("1 2 3 / 4 5 6 / 7 8 9", "found 9, which is out of range"),
        # With letters it is a puzzle of named tiles, whose goal was forgotten.
        ("1 x / 3 b", "is meant"),
    ],
)
def test_a_start_that_is_no_board_is_refused_as_one_of_a_named_goal(
    text: str, message: str
) -> None:
    for goal in (None, "blank-first"):
        with pytest.raises(NotationError, match=message):
            as_start(text, goal)


@pytest.mark.parametrize("unit", ["1", "1 ", "1\n", "/", "[", "#", "\x00", " "])
def test_ten_megabytes_are_refused_unread(unit: str) -> None:
    text = unit * (10_000_000 // len(unit))
    assert error_of(text).message == (
        "expected at most 200,000 characters, found more: this is too long for a board"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1 " * 10_001, 1),
        ("1\n" * 10_001, 10_001),
        ("1 " * 5000 + "/ " + "1 " * 5001, 1),
        ("b" * 6000 + " " + "b" * 6000, 1),
        ("[" + "1, " * 10_200 + "0]", None),
        ('{"rows": 101, "columns": 101, "cells": [' + "1, " * 10_200 + "0]}", None),
    ],
    ids=brief,
)
def test_more_cells_than_a_text_may_hold_are_refused(text: str, line: int | None) -> None:
    assert len(text) <= MAX_CHARACTERS
    error = error_of(text)
    assert "expected at most 10,000 cells, found 1" in error.message
    assert error.line == line


def test_more_lines_than_cells_and_comments_need_are_refused_and_100_by_100_is_read() -> None:
    assert error_of("# a\n" * 20_001).message.startswith("expected at most 20,000 lines")
    board = read_board(",".join(map(str, range(10_000))), classic=True)
    assert (board.grid.rows, board.grid.columns) == (100, 100)


def test_many_boards_are_read_line_by_line_and_errors_do_not_end_the_reading() -> None:
    lines = [
        *("\ufeff# boards\n", "b12 345 678\n", "\n", "# 1 2 3 / 4 5 6 / 7 8 0\n", "1 2 / 3\n"),
        *(" \t\r\n", "[[1, 2], [3, ?]]\n", "# 1 / 2 0\n", "\x00\n", "0,1,2,3"),
    ]
    found = list(read_many(lines))
    assert [item for item in found if not isinstance(item, NotationError)] == [
        read_board("012345678"),
        read_board("# 1 / 2 0"),
        read_board("0 1 / 2 3"),
    ]
    assert [(item.line, item.column) for item in found if isinstance(item, NotationError)] == [
        (5, 7),
        (7, 14),
        (9, 1),
    ]
    # They can be asked to be classic, and long lines cost nothing.
    found = list(read_many(["1123", "1230"], classic=True))
    assert isinstance(found[0], NotationError)
    assert found[1] == read_board("1230")
    (error,) = read_many(["#" + " 1" * 5_000_000, "1 " * 5_000_000])
    assert isinstance(error, NotationError)
    assert error.line == 2


BOARD = ". . . . / . . . . / . . . . / A B C 0"
TABLE = """\
(0, 0)\t(1, 0)\t(2, 0)\t(3, 0)
(0, 1)\t(1, 1)\t(2, 1)\t(3, 1)
(0, 2)\t(1, 2)\t(2, 2)\t(3, 2)
A (0, 3)\tB (1, 3)\tC (2, 3)\tagent (3, 3)
"""


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        "4x4 A(0,3) B(1,3) C(2,3) agent(3,3)",
        "4×4\nC (2, 3), B (1, 3), A (0, 3), Agent(3, 3)",
    ],
)
def test_a_board_is_read_by_the_places_of_its_tiles(text: str) -> None:
    assert read_board(text) == Board.parse(BOARD)


@pytest.mark.parametrize("board", [BOARD, ". B . / A . @", "1 A / . 0", "0 A"])
def test_what_a_trace_calls_a_board_reads_back_with_its_size(board: str) -> None:
    wanted = read_board(f"{board} /")
    assert read_board(f"{wanted.grid} {place_names(wanted)}") == wanted


def test_a_goal_leaves_open_what_it_does_not_name() -> None:
    wanted = read_goal("* A * / * B * / * 0 *")
    assert read_goal("A(1,0) B(1,1) agent(1,2)", 3, 3) == wanted
    assert read_goal("3x3 A(1,0) B(1,1) agent(1,2)") == wanted

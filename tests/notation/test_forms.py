"""Every form, read and written."""

from __future__ import annotations

import pytest

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.puzzle import Goal
from taquin.notation import (
    Form,
    can_write,
    read_board,
    read_goal,
    recognise,
    write_board,
    write_goal,
)
from tests.notation.strategies import brief

FIRST = Board.of_rows([[0, 1, 2], [3, 4, 5], [6, 7, 8]])
FOUR = Board.of_rows([[0, 1, 3], [4, 2, 5], [7, 8, 6]])
FIFTEEN = Board.of_rows([[14, 13, 15, 7], [11, 12, 9, 5], [6, 0, 2, 1], [4, 8, 10, 3]])


@pytest.mark.parametrize(
    ("text", "form", "board"),
    [
        ("0 1 2 / 3 4 5 / 6 7 8", Form.ROWS, FIRST),
        ("0 1 2\n3 4 5\n6 7 8\n", Form.ROWS, FIRST),
        ("0,1,2/3,4,5/6,7,8", Form.ROWS, FIRST),
        ("_ 1, 2 \r\n\r\n 3\t4 5\t\r\n 6 7 8  \r\n", Form.ROWS, FIRST),
        ("\ufeff@ 1 2 / 3 4 5 / 6 7 8", Form.ROWS, FIRST),
        ("☺ 1 2\n3 4 5 / 6 7 8", Form.ROWS, FIRST),
        ("0 1 2 3 /", Form.ROWS, Board.of_rows([[0, 1, 2, 3]])),
        ("0 / 1 / 12 / 3", Form.ROWS, Board.of_rows([[0], [1], [12], [3]])),
        ("3\n1\n2\n0", Form.ROWS, Board.of_rows([[3], [1], [2], [0]])),
        ("A # . / 0 12 B2", Form.ROWS, Board.of_rows([["A", "#", "."], [0, 12, "B2"]])),
        ("3\n0 1 3\n4 2 5\n7 8 6\n", Form.N_ROWS, FOUR),
        ("3\r\n 0  1  3 \r\n 4  2  5 \r\n 7  8  6 \r\n", Form.N_ROWS, FOUR),
        ("3 / 0 1 3 / 4 2 5 / 7 8 6", Form.N_ROWS, FOUR),
        ("2\n\nA B\n. _", Form.N_ROWS, Board.of_rows([["A", "B"], [".", 0]])),
        ("b12 345 678", Form.WORDS, FIRST),
        ("B12,345,678", Form.WORDS, FIRST),
        ("012 345 678", Form.WORDS, FIRST),
        ("b12\n345\n678\n", Form.WORDS, FIRST),
        ("_12/345/678", Form.WORDS, FIRST),
        ("1234 1234 1234 123_", Form.WORDS, Board.of_rows([[1, 2, 3, 4]] * 3 + [[1, 2, 3, 0]])),
        ("1b 23 45", Form.WORDS, Board.of_rows([[1, 0], [2, 3], [4, 5]])),
        ("A.C 1@#", Form.WORDS, Board.of_rows([["A", ".", "C"], [1, 0, "#"]])),
        ("0,1,2,3,4,5,6,7,8", Form.LINE, FIRST),
        ("b 1 2 3 4 5 6 7 8", Form.LINE, FIRST),
        (" 0 1 3 4 2 5 7 8 6\n", Form.LINE, FOUR),
        ("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", Form.LINE, FIFTEEN),
        ("012345678", Form.COMPACT, FIRST),
        ("b12345678\n", Form.COMPACT, FIRST),
        ("_12345678", Form.COMPACT, FIRST),
        ("1230", Form.COMPACT, Board.of_rows([[1, 2], [3, 0]])),
        ("edf7bc9560214 8a3".replace(" ", ""), Form.COMPACT, FIFTEEN),
        ("EDF7BC95602148A3", Form.COMPACT, FIFTEEN),
        ("[[0, 1, 2], [3, 4, 5], [6, 7, 8]]", Form.JSON, FIRST),
        ("[0, 1, 2, 3, 4, 5, 6, 7, 8]", Form.JSON, FIRST),
        ('[[null, "1", 2], [3, 4, 5], [6, 7, 8]]', Form.JSON, FIRST),
        ('{"rows": 1, "columns": 2, "cells": ["A", "_"]}', Form.JSON, Board.of_rows([["A", 0]])),
        ('{"cells": [[1], [0]], "columns": 1, "rows": 2}', Form.JSON, Board.of_rows([[1], [0]])),
    ],
)
def test_every_form_is_recognised_and_read(text: str, form: Form, board: Board) -> None:
    assert recognise(text).form is form
    assert read_board(text) == board
    assert read_goal(text) == Goal(board)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Form.ROWS, "0 1 3 / 4 2 5 / 7 8 6"),
        (Form.N_ROWS, "3\n0 1 3\n4 2 5\n7 8 6"),
        (Form.WORDS, "b13 425 786"),
        (Form.LINE, "0,1,3,4,2,5,7,8,6"),
        (Form.COMMENTED, "# 3×3\n3\n0 1 3\n4 2 5\n7 8 6"),
        (Form.COMPACT, "013425786"),
        (Form.JSON, "[[0, 1, 3], [4, 2, 5], [7, 8, 6]]"),
    ],
)
def test_every_form_is_written_as_its_users_know_it(form: Form, text: str) -> None:
    assert write_board(FOUR, form) == text
    assert recognise(text).form is form


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Form.BOX, "┌────┬────┐\n│  1 │ 12 │\n├────┼────┤\n│  3 │    │\n└────┴────┘"),
        (Form.BARS, "1|12\n3|0"),
        (Form.NUMPY, "[[ 1 12]\n [ 3  0]]"),
    ],
)
def test_drawn_forms_align_their_cells(form: Form, text: str) -> None:
    assert write_board("1 12 / 3 0", form) == text


def test_a_larger_compact_board_uses_letters_as_digits() -> None:
    assert write_board(FIFTEEN, Form.COMPACT) == "edf7bc9560214" + "8a3"


def test_one_row_is_written_with_a_slash_so_that_it_is_not_a_square() -> None:
    row = Board.of_rows([[1, 2, 3, 0]])
    assert write_board(row) == "1 2 3 0 /"
    assert read_board("1 2 3 0 /") == row
    assert read_board("1 2 3 0") == Board.of_rows([[1, 2], [3, 0]])


def test_a_goal_may_hold_any_and_lack_a_blank() -> None:
    goal = Goal.of_rows([["*", "A"], ["*", "*"]])
    assert read_goal("* A / * *") == goal
    assert read_goal("*A **") == goal
    assert read_goal("*A**") == goal
    assert read_goal('["*", "A", "*", "*"]') == goal
    assert write_goal(goal, Form.WORDS) == "*A **"


@pytest.mark.parametrize("text", ["1,2,3,4,5,0", "123450", "[1, 2, 3, 4, 5, 0]"])
def test_a_flat_goal_takes_the_size_of_the_start(text: str) -> None:
    assert read_goal(text, rows=2, columns=3) == Goal.blank_last(2, 3)
    assert read_goal(text, rows=3, columns=2) == Goal.blank_last(3, 2)
    with pytest.raises(NotationError):
        read_goal(text)


def test_the_size_of_the_start_does_not_override_a_goal_that_has_its_own() -> None:
    assert read_goal("1 2 / 3 0", rows=4, columns=1) == Goal.blank_last(2, 2)
    assert read_goal("123456780", rows=2, columns=2) == Goal.blank_last(3, 3)


@pytest.mark.parametrize(
    ("rows", "form", "why"),
    [
        ([[1, 2, 0]], Form.LINE, "square boards from 2×2 on, this is 1×3"),
        ([[1, 2, 3], [4, 5, 0]], Form.N_ROWS, "square boards from 2×2 on, this is 2×3"),
        ([[1, 2, 3], [4, 5, 0]], Form.COMPACT, "square boards from 2×2 on, this is 2×3"),
        ([["#", 1], [2, 0]], Form.N_ROWS, "no walls"),
        ([[1, "#"], [2, 0]], Form.COMMENTED, "no walls"),
        ([["#", 1], [2, 0]], Form.LINE, "cannot begin with a wall"),
        ([["#", 1], [2, 0]], Form.WORDS, "cannot begin with a wall"),
        ([["#", 1], [2, 0]], Form.COMPACT, "cannot begin with a wall"),
        ([["A", 1], [2, 0]], Form.LINE, "no names, found 'A'"),
        ([[1, 12], [2, 0]], Form.WORDS, "none for '12'"),
        ([[1, "b"], [2, 0]], Form.WORDS, "none for 'b'"),
        ([["AB", 1], [2, 0]], Form.COMPACT, "none for 'AB'"),
        ([[1], [0]], Form.WORDS, "two rows and two columns"),
        ([list(range(7 * row, 7 * row + 7)) for row in range(7)], Form.COMPACT, "at most 36"),
        ([[1, "x" * 300_000, 0]], Form.ROWS, "at most 200,000 characters"),
        ([[0, *[1] * 10_000]], Form.ROWS, "at most 10,000 cells"),
    ],
    ids=brief,
)
def test_a_form_that_cannot_express_a_board_says_why(
    rows: list[list[int | str]], form: Form, why: str
) -> None:
    board = Board.of_rows(rows)
    assert not can_write(board, form)
    with pytest.raises(NotationError, match=why) as caught:
        write_board(board, form)
    assert len(str(caught.value)) < 200


def test_a_goal_without_a_blank_is_in_words_only_when_square() -> None:
    assert not can_write(Goal.of_rows([[1, "*"], ["*", 2], ["*", "*"]]), Form.WORDS)
    assert can_write(Goal.of_rows([[1, "*"], ["*", 2]]), Form.WORDS)


@pytest.mark.parametrize("board", ["413026758", [[4, 1, 3], [0, 2, 6], [7, 5, 8]]])
@pytest.mark.parametrize("form", [Form.WORDS, "words"])
def test_whatever_stands_for_a_board_is_written(board: object, form: Form | str) -> None:
    assert write_board(board, form) == "413 b26 758"  # type: ignore[arg-type]


def test_a_form_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(NotationError, match=r"there is no form 'word'\. Did you mean words"):
        write_board("413026758", "word")


def test_a_form_without_a_writer_is_named_in_the_error() -> None:
    forgotten = object.__new__(Form)
    forgotten._name_, forgotten._value_ = "FORGOTTEN", "forgotten"
    with pytest.raises(KeyError, match="forgotten"):
        write_board("1 2 / 3 0", forgotten)


EIGHT = Board.of_rows([[1, 2, 3], [4, 5, 6], [7, 8, 0]])


@pytest.mark.parametrize(
    "text",
    [
        "# This puzzle is solvable\n3\n1 2 3\n4 5 6\n7 8 0",
        "# a\n#b\n#\n\n3 # the size\n1 2 3 # top\n4 5 6#middle\n#between\n7 8 0 # 9 9\n# end\n",
        "3 # n\n1 2 3 # x\n4 5 6\n7 8 0",
        "3 #\n1 2 3\n4 5 6\n7 8 0",
        "3 # size\n1 2 3\n4 5 6\n7 8 0",
        "# # #\n3\n1 2 3\n4 5 6\n7 8 0",
    ],
)
def test_every_hash_starts_a_comment_when_n_comes_first(text: str) -> None:
    assert recognise(text).form is Form.COMMENTED
    assert read_board(text) == EIGHT


@pytest.mark.parametrize(
    ("comment", "text", "form"),
    [
        ("# my board", "1 2 3\n4 5 6\n7 8 0", Form.ROWS),
        ("# ? !", "1 2 3\n4 5 6\n7 8 0", Form.ROWS),
        ("# 1 2 3", "1 2 3\n4 5 6\n7 8 0", Form.ROWS),
        ("#1 2", "1 2 3 / 4 5 6 / 7 8 0", Form.ROWS),
        ("##", "1 2 3 4 5 6 7 8 0", Form.LINE),
        ("# for b12 345 678", "123 456 78b", Form.WORDS),
        ("# nine", "123456780", Form.COMPACT),
        ("# [[", "[[1, 2, 3], [4, 5, 6],\n# half way\n[7, 8, 0]]", Form.JSON),
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_a_line_that_starts_with_a_hash_and_is_no_row_is_a_comment(
    comment: str, text: str, form: Form, before: bool
) -> None:
    whole = f"{comment}\n{text}" if before else f"{text}\n{comment}\n"
    assert recognise(whole).form is form
    assert read_board(whole) == EIGHT


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("# 1 / 2 0", [["#", 1], [2, 0]]),
        ("# 1\n2 0", [["#", 1], [2, 0]]),
        ("2 0\n# A", [[2, 0], ["#", "A"]]),
        ("# #\n1 0\n# #", [["#", "#"], [1, 0], ["#", "#"]]),
        ("# 1\n# 0", [["#", 1], ["#", 0]]),
        ("# a title\n# 1\n# 0", [["#", 1], ["#", 0]]),
        ("#\n1\n0", [["#"], [1], [0]]),
        (" # AB\n 0  1", [["#", "AB"], [0, 1]]),
        (" # AB / 0 1", [["#", "AB"], [0, 1]]),
        ("1 # 2\n3 4 5\n6 7 0", [[1, "#", 2], [3, 4, 5], [6, 7, 0]]),
        ("3 # 2\n3 4 5\n6 7 1\n8 9 0", [[3, "#", 2], [3, 4, 5], [6, 7, 1], [8, 9, 0]]),
        ("1 # AB\n0 3  4", [[1, "#", "AB"], [0, 3, 4]]),
        ("1 2 / # 0", [[1, 2], ["#", 0]]),
        ("1 # 2 0", [[1, "#"], [2, 0]]),
        ("# 0 /", [["#", 0]]),
    ],
)
def test_a_row_that_could_stand_in_the_board_is_walls(
    text: str, rows: list[list[int | str]]
) -> None:
    assert read_board(text) == Board.of_rows(rows)

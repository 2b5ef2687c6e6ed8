"""Every form and JSON, read, written and read back, whatever board, goal or move."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import InputError, NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Metric, Move
from taquin.model.puzzle import Goal
from taquin.notation import (
    Form,
    another_board,
    board_json,
    board_of_json,
    can_write,
    goal_json,
    goal_of_json,
    move_json,
    move_of_json,
    read_board,
    read_goal,
    read_many,
    read_moves,
    recognise,
    write_board,
    write_goal,
)
from taquin.search.grammar import heuristic_named, search_named
from tests.notation.strategies import boards, brief, goals

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


def test_a_larger_compact_board_uses_letters_and_one_row_a_slash() -> None:
    assert write_board(FIFTEEN, Form.COMPACT) == "edf7bc95602148a3"
    row = Board.of_rows([[1, 2, 3, 0]])
    assert write_board(row) == "1 2 3 0 /"
    assert read_board("1 2 3 0 /") == row
    assert read_board("1 2 3 0") == Board.of_rows([[1, 2], [3, 0]])


def test_a_goal_may_hold_any_and_lack_a_blank_and_keeps_its_own_size() -> None:
    goal = Goal.of_rows([["*", "A"], ["*", "*"]])
    assert read_goal("* A / * *") == goal
    assert read_goal("*A **") == goal
    assert read_goal("*A**") == goal
    assert read_goal('["*", "A", "*", "*"]') == goal
    assert write_goal(goal, Form.WORDS) == "*A **"
    assert read_goal("1 2 / 3 0", rows=4, columns=1) == Goal.blank_last(2, 2)
    assert read_goal("123456780", rows=2, columns=2) == Goal.blank_last(3, 3)
    assert not can_write(Goal.of_rows([[1, "*"], ["*", 2], ["*", "*"]]), Form.WORDS)
    assert can_write(Goal.of_rows([[1, "*"], ["*", 2]]), Form.WORDS)


@pytest.mark.parametrize("text", ["1,2,3,4,5,0", "123450", "[1, 2, 3, 4, 5, 0]"])
def test_a_flat_goal_takes_the_size_of_the_start(text: str) -> None:
    assert read_goal(text, rows=2, columns=3) == Goal.blank_last(2, 3)
    assert read_goal(text, rows=3, columns=2) == Goal.blank_last(3, 2)
    with pytest.raises(NotationError):
        read_goal(text)


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


@pytest.mark.parametrize("board", ["413026758", [[4, 1, 3], [0, 2, 6], [7, 5, 8]]])
@pytest.mark.parametrize("form", [Form.WORDS, "words"])
def test_whatever_stands_for_a_board_is_written(board: object, form: Form | str) -> None:
    assert write_board(board, form) == "413 b26 758"  # type: ignore[arg-type]


def test_a_form_that_there_is_not_or_without_a_writer_is_refused_by_name() -> None:
    with pytest.raises(NotationError, match=r"there is no form 'word'\. Did you mean words"):
        write_board("413026758", "word")
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


EVERYTHING = {Form.ROWS, Form.SEMICOLONS, Form.SLIDYSIM, Form.BOX, Form.JSON}
"""The forms that express every board."""

KIN = {
    Form.SEMICOLONS: Form.ROWS,
    Form.SLIDYSIM: Form.ROWS,
    Form.DRAWN: Form.ROWS,
    Form.HOLES: Form.ROWS,
    Form.SIZED: Form.ROWS,
    Form.KORF: Form.LINE,
}
"""The forms that are told apart only by reading them, each with the one it is taken for."""


@given(boards())
def test_a_board_reads_back_from_every_form_that_can_express_it(board: Board) -> None:
    for form in Form:
        if can_write(board, form):
            text = write_board(board, form)
            assert form in KIN or recognise(text).form in (form, Form.JSON)
            assert read_board(text) == board
            assert read_board(f"\ufeff\r\n{text}\r\n\r\n".replace("\n", "\r\n")) == board
        else:
            assert form not in EVERYTHING


@given(goals())
def test_a_goal_reads_back_from_every_form_that_can_express_it(goal: Goal) -> None:
    for form in Form:
        if can_write(goal, form):
            text = write_goal(goal, form)
            assert form in KIN or recognise(text).form in (form, Form.JSON)
            assert read_goal(text) == goal
            assert read_goal(text, goal.grid.rows, goal.grid.columns) == goal
        else:
            assert form not in EVERYTHING


@pytest.mark.parametrize("n", range(2, 7))
def test_every_form_expresses_the_classic_boards_it_is_made_for(n: int) -> None:
    goal = Goal.blank_last(n, n)
    for form in Form:
        # Under `2 2` two rows of two might be three rows.
        assert can_write(goal, form) == (form is not Form.SIZED or n > 2)
        if form in KIN and n > 2:
            assert recognise(write_goal(goal, form)).form in (KIN[form], Form.N_ROWS)


@given(boards().filter(lambda board: board.grid.rows > 1))
def test_a_board_reads_back_from_its_drawing(board: Board) -> None:
    assert read_board(str(board)) == board


@given(st.lists(boards(), max_size=5), st.sampled_from([Form.ROWS, Form.JSON]))
def test_many_boards_read_back_from_one_line_each(many: list[Board], form: Form) -> None:
    lines = [line for board in many for line in ("# a comment", "", write_board(board, form))]
    assert list(read_many(lines)) == many


@pytest.mark.parametrize(
    "line",
    [
        *("1 2 / 3 0", " 1\t2/3  0 ", "01 2 / 3 00", "1 2 / 3 0 /", "/ 1 2 / 3 0", "1 2 / 3"),
        *("1 2 / 3 3", "+1 2 / 3 0", "1_0 2 / 3 0", "-1 2 / 3 0", "１ 2 / 3 0", "1 2 / 3 4"),
        *("0 1 2 3", "1 / 0"),
    ],
)
def test_the_quick_look_at_a_line_sees_what_the_full_reading_sees(line: str) -> None:
    try:
        expected: object = read_board(line)
    except NotationError as error:
        expected = str(NotationError(error.message, 1, error.column))
    (found,) = read_many([line])
    assert (found if isinstance(found, Board) else str(found)) == expected


@given(boards(), st.sampled_from(Form), st.data())
def test_a_damaged_text_is_another_board_or_an_error_that_points_into_it(
    board: Board, form: Form, data: st.DataObject
) -> None:
    if not can_write(board, form):
        form = Form.ROWS
    text = write_board(board, form)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 3)))
        junk = data.draw(st.text('0129Ab#*./,_@ \n[]{}:"-\x00\ufffd', max_size=3))
        text = text[:start] + junk + text[end:]
    check_reading(text)


PIECES = [
    *("12", "999999", "1000000", "ab", "  ", "\r\n", "[[", "]]", "│", "┌", "─", "█", "3 3", "4x4"),
    *("array(", ")", "State:", "rows", "null", "名", "é", "²", "U", "R2", "astar", "(", "max", ";"),
    *("manhattan", "weight=2", *"0123456789ABbxX#*._@☺/, =\t\n[]{}\"':-\\u\x00\ufeff\ufffd"),
]


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text_is_a_board_or_a_notation_error(text: str) -> None:
    check_reading(text)
    for reader in (another_board, search_named, heuristic_named, read_moves):
        read_or_refuse(reader, text)


@given(st.binary())
def test_any_bytes_are_a_board_or_a_notation_error(junk: bytes) -> None:
    check_reading(junk.decode("utf-8", errors="replace"))
    check_reading(junk.decode("utf-8", errors="surrogateescape"))
    check_reading(junk.decode("latin-1"))


KEYS = ["rows", "columns", "cells", "tile", "direction", "tiles", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from([*"A_*?", "up"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
)


@given(JSON, st.sampled_from([None, 0, 2]))
def test_any_json_is_a_board_or_a_notation_error(value: object, indent: int | None) -> None:
    check_reading(json.dumps(value, indent=indent))
    for reader in (board_of_json, goal_of_json, move_of_json):
        read_or_refuse(reader, value)


def read_or_refuse(reader: Callable[[Any], object], value: object) -> None:
    """Demand a value, or a refusal in one short line."""
    said = ""
    try:
        reader(value)
    except InputError as error:
        said = str(error)
    assert len(said) < 600
    assert "\n" not in said


def check_reading(text: str) -> None:
    """Read `text` in every way: each gives a value that reads back, or a NotationError."""
    try:
        board = read_board(text)
    except NotationError as error:
        check_error(error, text)
        with pytest.raises(NotationError):
            read_board(text, classic=True)
    else:
        assert read_board(write_board(board)) == board
        assert read_goal(text) == Goal(board)
    try:
        goal = read_goal(text, 2, 3)
    except NotationError as error:
        check_error(error, text)
    else:
        assert read_goal(write_goal(goal)) == goal
    for found in read_many(text.splitlines()):
        if isinstance(found, NotationError):
            check_error(found, text)


def check_error(error: NotationError, text: str) -> None:
    """Demand a short message in one line that points into the text or just behind its end."""
    assert len(str(error)) < 300
    assert "\n" not in str(error)
    if error.line is not None:
        lines = (text.removeprefix("\ufeff") + "x").splitlines()
        assert 1 <= error.line <= len(lines)
        if error.column is not None:
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1


@given(boards())
def test_a_board_survives_json(board: Board) -> None:
    text = json.dumps(board_json(board))
    assert board_of_json(json.loads(text)) == board
    assert read_board(text) == board
    for move in board.moves(Metric.MULTI):
        assert move_of_json(json.loads(json.dumps(move_json(move)))) == move


@given(goals())
def test_a_goal_survives_json(goal: Goal) -> None:
    text = json.dumps(goal_json(goal), indent=2)
    assert goal_of_json(json.loads(text)) == goal
    assert read_goal(text) == goal


def test_a_move_names_its_tile_and_all_tiles_when_there_are_several() -> None:
    assert move_json(Move((5,), Direction.UP)) == {"tile": 5, "direction": "up"}
    assert move_json(Move((5, "A"), Direction.LEFT)) == {
        "tile": "A",
        "direction": "left",
        "tiles": [5, "A"],
    }


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "expected a list or an object, found null"),
        (5, "expected a list or an object, found 5"),
        (10**400, "found a very large number"),
        (object, "expected a list or an object"),
        ([[1, 2], [3, object()]], "row 2, column 2: expected a number from 0 to 999999"),
        ([[1, 10**5000], [3, 0]], "row 1, column 2: expected a number from 0 to 999999"),
        ([[1, "a b"], [3, 0]], "row 1, column 2: expected a tile"),
        ([[1, 2], [3, 4]], "a board needs one blank"),
        ([[1, 0], [3, 0]], "a board has one blank, found 2"),
        ([[1, "*"], [3, 0]], "only a goal can"),
        ({"rows": 1, "columns": 2, "cells": [1, 0], 5: 6}, "rows, columns and cells, found 5"),
    ],
)
def test_a_value_that_is_no_board_is_refused_by_row_and_column(value: object, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        board_of_json(value)
    assert message in str(caught.value)
    assert caught.value.line is None


def test_a_value_that_is_no_goal_is_refused() -> None:
    with pytest.raises(NotationError, match="needs one blank"):
        goal_of_json([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "an object with the keys tile and direction"),
        ({"tile": 5}, "an object with the keys tile and direction"),
        ({"tile": 5, "direction": "north"}, "one of up, down, left, right"),
        ({"tile": 5, "direction": ["up"]}, "one of up, down, left, right"),
        ({"tile": 5, "direction": "up", "tiles": [5, 6]}, "ends with the tile of the move"),
        ({"tile": 5, "direction": "up", "tiles": []}, "ends with the tile of the move"),
        ({"tile": 5, "direction": "up", "tiles": 5}, "ends with the tile of the move"),
        ({"tile": 0, "direction": "up"}, "a tile that can move, found 0"),
        ({"tile": "#", "direction": "up"}, "a tile that can move, found '#'"),
        ({"tile": "?", "direction": "up"}, "found '?'"),
        ({"tile": True, "direction": "up"}, "found true"),
    ],
)
def test_a_value_that_is_no_move_is_refused(value: object, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        move_of_json(value)
    assert message in str(caught.value)
    assert caught.value.line is None

"""What is written reads back the same, in every form and in JSON, whatever board, goal or move."""

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
from tests.notation.strategies import boards, goals

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

"""Boards, goals and moves as JSON values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Metric, Move
from taquin.model.puzzle import Goal
from taquin.notation import (
    board_json,
    board_of_json,
    goal_json,
    goal_of_json,
    move_json,
    move_of_json,
    read_board,
    read_goal,
)
from tests.notation.strategies import boards, goals


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

"""Boards and goals told by the places of their tiles, as S3 has them."""

from __future__ import annotations

import pytest

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.notation import read_board, read_goal
from taquin.views.traces import place_names

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


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A(0,3) B(1,3) agent(2,3)", "expected the size of the grid before the places"),
        ("2x2 A(0,3) agent(1,1)", "line 1, column 5: expected a place on 2×2, counted from 0"),
        ("2x2 A(0,1) B(0,1) agent(1,1)", "line 1, column 12: expected one tile at (0,1), found"),
        ("200x200 A(0,1) agent(1,1)", "expected at most 10,000 cells, found 40,000"),
        ("2x2 A(0,1)", "expected the place of the blank too"),
    ],
)
def test_what_is_missing_or_wrong_is_said_in_one_sentence(text: str, wrong: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_board(text)
    assert wrong in str(caught.value)

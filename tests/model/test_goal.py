from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import BoardError, NotationError
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.puzzle import Goal
from taquin.notation import Form, can_write
from tests.model.strategies import boards, goals_for


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (Goal.blank_last(3, 3), "1 2 3 / 4 5 6 / 7 8 0"),
        (Goal.blank_first(3, 3), "0 1 2 / 3 4 5 / 6 7 8"),
        (Goal.snail(3, 3), "1 2 3 / 8 0 4 / 7 6 5"),
        (Goal.snail(4, 4), "1 2 3 4 / 12 13 14 5 / 11 0 15 6 / 10 9 8 7"),
        (Goal.snail(2, 4), "1 2 3 4 / 0 7 6 5"),
        (Goal.snail(4, 2), "1 2 / 0 3 / 7 4 / 6 5"),
        (Goal.snail(1, 3), "1 2 0 /"),
        (Goal.snail(3, 1), "1 / 2 / 0"),
        (Goal.blank_last(1, 1), "0 /"),
        (Goal.blank_first(1, 1), "0 /"),
        (Goal.snail(1, 1), "0 /"),
        (Goal.blank_last(2, 3, walls=[5]), "1 2 3 / 4 0 #"),
        (Goal.blank_first(2, 3, walls=[0]), "# 0 1 / 2 3 4"),
        (Goal.snail(3, 3, walls=[4]), "1 2 3 / 0 # 4 / 7 6 5"),
    ],
)
def test_the_customary_goals_look_as_they_should(goal: Goal, text: str) -> None:
    assert goal.text() == text
    assert goal.is_full


def test_the_goal_of_a_board_is_met_by_that_board_only() -> None:
    board = Board.parse("1 2 / 3 0")
    assert Goal(board).is_met(board)
    assert not Goal(board).is_met(Board.parse("2 1 / 3 0"))
    assert not Goal(board).is_met(Board.parse("1 2 3 0 /"))


def test_a_partial_goal_is_met_whatever_lies_in_its_any_cells() -> None:
    goal = Goal.parse("* A / * @")
    assert goal.is_met(Board.parse("1 A / 2 _"))
    assert goal.is_met(Board.parse(". A / . _"))
    assert not goal.is_met(Board.parse("1 A / _ 2"))
    assert goal.fixed == {1: "A", 3: 0}
    assert not goal.is_full


def test_a_goal_with_a_repeated_label_is_not_full_and_walls_do_not_count() -> None:
    assert not Goal.parse("A A / 1 0").is_full
    assert Goal.parse("1 # # / 2 3 0").is_full


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((1, 2, 3), "a goal on a 2×2 grid needs 4 cells, found 3"),
        ((1, 2, 3, 4), "a goal that names every cell needs one blank"),
        ((1, 0, 0, "*"), "a goal has one blank, found 2"),
        ((1, 2, 0, "?"), "row 2, column 2: expected a number or a name"),
    ],
)
def test_cells_that_form_no_goal_are_refused(cells: Any, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Goal(Grid(2, 2), cells)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1 2 / 3 4", None, None, "needs one blank"),
        ("0 * / @ *", 1, 7, "one blank, found 2"),
        ("1 2 / 3 +", 1, 9, "expected a tile"),
    ],
)
def test_a_text_that_is_no_goal_is_refused_at_its_place(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        Goal.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@given(boards(), st.data())
def test_a_goal_reads_back_as_it_was_written(board: Board, data: st.DataObject) -> None:
    goal = data.draw(goals_for(board))
    assert Goal.parse(goal.text()) == goal
    assert eval(repr(goal)) == goal
    assert not can_write(goal, Form.DRAWN) or Goal.parse(str(goal)) == goal


@given(st.integers(1, 7), st.integers(1, 7))
def test_the_snail_turns_only_clockwise_and_ends_at_the_blank(rows: int, columns: int) -> None:
    goal = Goal.snail(rows, columns)
    where = {label or rows * columns: cell for cell, label in enumerate(goal.cells)}
    path = [goal.grid.place(where[number]) for number in range(1, rows * columns + 1)]
    ways = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(path)]
    assert all(abs(down) + abs(right) == 1 for down, right in ways)
    for (down, right), following in itertools.pairwise(ways):
        assert following in ((down, right), (right, -down))

"""Move strings, in and out, in both metrics."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import IllegalMoveError, NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Metric, Move
from taquin.notation import moves_on, read_moves, write_moves
from taquin.tables.shape import steps_along
from tests.notation.strategies import boards, brief

U, D, L, R = Direction.UP, Direction.DOWN, Direction.LEFT, Direction.RIGHT
CORNER = Board.of_rows([[1, 2, 3], [4, 5, 6], [7, 8, 0]])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("URDL2", [(U, 1), (R, 1), (D, 1), (L, 2)]),
        ("urdl2", [(U, 1), (R, 1), (D, 1), (L, 2)]),
        (" U, r  D\tL2,\n", [(U, 1), (R, 1), (D, 1), (L, 2)]),
        ("LL", [(L, 1), (L, 1)]),
        ("L2L", [(L, 2), (L, 1)]),
        ("R12D", [(R, 12), (D, 1)]),
        ("R02", [(R, 2)]),
        ("", []),
        (" ,\n", []),
    ],
)
def test_a_move_string_is_letters_and_numbers(
    text: str, steps: list[tuple[Direction, int]]
) -> None:
    assert read_moves(text) == tuple(steps)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("UxL", 1, 2, "found 'xL'"),
        ("U 2", 1, 3, "found '2'"),
        ("U\nR,\n  ?", 3, 3, "found '?'"),
        ("UR-2", 1, 3, "found '-2'"),
        ("U0", 1, 2, "expected a number from 1 to 9999999, found '0'"),
        ("U10000000", 1, 2, "found '10000000'"),
        ("U" + "9" * 10_000_000, 1, 2, "(10000000 characters)"),
        ("\x00", 1, 1, r"found '\x00'"),
        ("x" * 10_000_000, 1, 1, "(10000000 characters)"),
    ],
    ids=brief,
)
def test_what_is_no_move_is_pointed_at(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_moves(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (line, column)
    assert len(str(caught.value)) < 200


def test_a_number_is_several_moves_in_the_single_metric_and_one_slide_in_the_multi_metric() -> None:
    assert moves_on(CORNER, "R2D") == (Move((8,), R), Move((7,), R), Move((4,), D))
    assert moves_on(CORNER, "R2D", Metric.MULTI) == (Move((8, 7), R), Move((4,), D))
    assert write_moves(moves_on(CORNER, "RRDL")) == "R2DL"
    for text in ("R2", "RR", "R2DL2", "R2DLL", "R2LL"):
        assert write_moves(moves_on(CORNER, text, Metric.MULTI), Metric.MULTI) == text
    with pytest.raises(IllegalMoveError, match="'8 7 right' slides 2 tiles"):
        write_moves([Move((8, 7), R)])


@pytest.mark.parametrize(("text", "number"), [("U", 1), ("RL2", 2), ("R2D3", 2), ("R9999999", 1)])
@pytest.mark.parametrize("metric", list(Metric))
def test_a_move_the_board_does_not_allow_is_named_by_its_number(
    text: str, number: int, metric: Metric
) -> None:
    with pytest.raises(IllegalMoveError, match=f"move {number}, "):
        moves_on(CORNER, text, metric)


@given(boards(), st.lists(st.integers(0, 10_000), max_size=40), st.sampled_from(Metric))
def test_moves_read_back_as_they_were_written(
    board: Board, choices: list[int], metric: Metric
) -> None:
    moves = []
    here = board
    for choice in choices:
        legal = here.moves(metric)
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        here = here.apply(moves[-1])
    text = write_moves(moves, metric)
    assert moves_on(board, text, metric) == tuple(moves)
    spaced = "".join(f", {mark}" if mark.isalpha() else mark for mark in text.lower())
    assert moves_on(board, spaced, metric) == tuple(moves)


@given(st.text() | st.text("URDLurdl 0123,\n"))
def test_any_text_is_moves_or_a_notation_error(text: str) -> None:
    try:
        steps = read_moves(text)
    except NotationError:
        return
    assert read_moves(" ".join(f"{step.letter}{count}" for step, count in steps)) == steps


@given(st.lists(st.integers(0, 3), max_size=60))
def test_a_walk_is_written_as_its_moves_are(directions: list[int]) -> None:
    board = Board.parse("1 2 3 4 / 5 6 7 8 / 9 0 10 11 / 12 13 14 15")
    blank, steps = board.blank, []
    for direction in directions:
        target = blank + (-4, -1, 1, 4)[direction]
        if 0 <= target < 16 and (direction in (0, 3) or target // 4 == blank // 4):
            steps.append(direction)
            blank = target
    walk = steps_along(board, steps)
    plain = tuple(walk)
    assert walk == plain
    for is_blank in (False, True):
        assert write_moves(walk, blank=is_blank) == write_moves(plain, blank=is_blank)
    copied = pickle.loads(pickle.dumps(walk))
    assert (copied, write_moves(copied)) == (walk, write_moves(walk))
    assert moves_on(board, write_moves(walk)) == walk

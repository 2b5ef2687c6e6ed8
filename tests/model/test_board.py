from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, Grid
from taquin.errors import BoardError, IllegalMoveError, MismatchError, NotationError
from taquin.model.moves import ANY, BLANK, FILLER, KORF_ORDER, WALL, Direction, Label, Metric, Move
from taquin.model.rows import MAX_NUMBER, draw_rows, is_label, read_label, read_rows, write_rows
from taquin.notation import Form, can_write
from tests import truth
from tests.model.strategies import boards, names, numbers

BOARD = Board.parse("4 1 3 / 0 2 6 / 7 5 8")


def test_a_board_knows_its_blank_its_rows_and_its_labels_and_equals_one_with_the_same_cells() -> (
    None
):
    assert (BOARD.blank, BOARD.rows()) == (3, ((4, 1, 3), (0, 2, 6), (7, 5, 8)))
    assert Board.parse("A . # / . 0 #").labels == Counter({".": 2, "#": 2, "A": 1, 0: 1})
    other = Board.of_rows([[4, 1, 3], [0, 2, 6], [7, 5, 8]])
    assert other == BOARD
    assert hash(BOARD) == hash(other)
    assert Board.parse("4 1 3 0 2 6 7 5 8 /") != BOARD


def test_a_board_prints_aligned_and_has_a_canonical_text_that_is_read_in_several_forms() -> None:
    assert str(Board.parse("10 2 / 3 0")) == "10  2\n 3  _"
    assert str(Board.parse("1 10 / A 0")) == " 1 10\n A  _"
    assert Board.parse("10 2 / 3 _").text() == "10 2 / 3 0"
    assert Board([[1, 2, 0]]).text() == "1 2 0 /"
    assert Board([["#", "Anna"], [1, 0]]).text() == " # Anna / 1 0"
    assert Board(["1", "2", "3", "0"]) == Board(["1 2", "3 0"]) == Board("1 2 / 3 0")


@pytest.mark.parametrize(
    ("board", "metric", "moves"),
    [
        (BOARD, Metric.SINGLE, "7 up, 4 down, 2 left"),
        (BOARD, Metric.MULTI, "7 up, 4 down, 2 left, 2 6 left"),
        (Board.parse("0 1 # 2 / 3 4 5 6"), Metric.MULTI, "3 up, 1 left"),
    ],
)
def test_the_legal_moves_name_the_tiles_and_where_they_go_and_end_at_walls(
    board: Board, metric: Metric, moves: str
) -> None:
    assert ", ".join(map(str, board.moves(metric))) == moves


@pytest.mark.parametrize(
    ("direction", "count", "message"),
    [
        (Direction.RIGHT, 1, "^no tile can slide right here:"),
        (Direction.UP, 2, "only 1 tile can slide up here, not 2"),
        (Direction.LEFT, 3, "only 2 tiles can slide left here, not 3"),
        (Direction.LEFT, 0, "expected 1 tile or more to slide left, found 0"),
        (Direction.LEFT, -1, "found -1"),
    ],
)
def test_a_slide_that_the_board_does_not_allow_is_refused(
    direction: Direction, count: int, message: str
) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        BOARD.slide(direction, count)


@pytest.mark.parametrize(
    "move",
    [
        Move((4,), Direction.UP),
        Move((1,), Direction.DOWN),
        Move((2, 7), Direction.LEFT),
        Move((2, 6, 9), Direction.LEFT),
        Move((), Direction.LEFT),
        Move((2,), Direction.RIGHT),
    ],
)
def test_a_move_of_other_tiles_is_refused(move: Move) -> None:
    with pytest.raises(IllegalMoveError, match="is not a legal move here"):
        BOARD.apply(move)


@pytest.mark.parametrize(
    ("walls", "cells", "message"),
    [
        ({1}, (1, 2, 3, 0), "row 1, column 2: expected a wall, found 2"),
        ((), (1, 2, 0), "a board on a 2×2 grid needs 4 cells, found 3"),
        ((), (1, 2, 3, 4), "a board needs one blank"),
        ((), (1, 0, 0, 4), "a board has one blank, found 2"),
        ((), (1, "*", 0, 4), "a board cannot hold '\\*'"),
        ((), (1, "#", 0, 4), "row 1, column 2: expected no wall, found '#'"),
        ((), (1, 2, -3, 0), "row 2, column 1: expected a number or a name, found -3"),
        ((), (1, 2, 0, True), "row 2, column 2: expected a number or a name, found True"),
        ((), (1, [], 0, 4), "row 1, column 2: expected a number or a name"),
    ],
)
def test_cells_that_form_no_board_are_refused(walls: Any, cells: Any, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Board(Grid(2, 2, frozenset(walls)), cells)


@pytest.mark.parametrize("rows", [[], [[]], [[1, 0], [2]]])
def test_rows_that_form_no_rectangle_are_refused(rows: list[list[int]]) -> None:
    with pytest.raises(BoardError):
        Board.of_rows(rows)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("1 * / 0 3", 1, 3, "only a goal can"),
        ("1 2 / 0 _", 1, 9, "one blank, found 2"),
        ("1 0\n2 0\n0 3", 2, 3, "one blank, found 3"),
        ("1 2 / 3 4", None, None, "needs one blank"),
        ("# # / # #", None, None, "not a wall"),
        ("1 2 / 3 ?", 1, 9, "expected a tile"),
    ],
)
def test_a_text_that_is_no_board_is_refused_at_its_place(
    text: str, line: int | None, column: int | None, message: str
) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        Board.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


@given(boards())
def test_a_board_reads_back_as_it_was_written(board: Board) -> None:
    assert Board.parse(board.text()) == board
    assert eval(repr(board)) == board
    assert Board(board.rows()) == board
    assert not can_write(board, Form.DRAWN) or Board.parse(str(board)) == board


@given(boards())
def test_the_moves_of_a_board_lead_to_its_true_neighbours_and_can_be_taken_back(
    board: Board,
) -> None:
    steps = {Metric.SINGLE: truth.neighbours, Metric.MULTI: truth.line_neighbours}
    for metric, neighbours in steps.items():
        found = [board.apply(move).cells for move in board.moves(metric)]
        expected = neighbours(board.cells, board.grid.rows, board.grid.columns)
        assert Counter(found) == Counter(expected)
    for move in board.moves(Metric.MULTI):
        back = Move(move.tiles[::-1], move.direction.opposite)
        assert board.apply(move).apply(back) == board


def test_a_board_tells_where_a_tile_is() -> None:
    board = Board.parse("8 A 3 / . 0 2 / 7 . #")
    assert [board.find(label) for label in (8, "A", 0, 2, ".", "#")] == [0, 1, 4, 5, 3, 8]
    with pytest.raises(MismatchError, match="no cell of this board holds 9"):
        board.find(9)


@pytest.mark.parametrize("direction", Direction)
def test_a_direction_has_an_opposite_and_a_letter(direction: Direction) -> None:
    assert direction.opposite is not direction
    assert direction.opposite.opposite is direction
    for letter in (direction.letter, direction.letter.lower()):
        assert Direction.of_letter(letter) is direction
    with pytest.raises(KeyError):
        Direction.of_letter("X")


def test_moves_and_metrics_speak_of_tiles() -> None:
    assert str(Move((6,), Direction.UP)) == "6 up"
    assert str(Move((6, "A"), Direction.LEFT)) == "6 A left"
    assert repr(Move((6, "A"), Direction.LEFT)) == "Move((6, 'A'), Direction.LEFT)"
    assert Move((6, 3), Direction.UP).tile == 3, "the one a finger pushes"
    assert [(str(metric), metric.longest) for metric in Metric] == [("single", 1), ("multi", None)]
    assert BOARD.slide(Direction.LEFT, 2) == Board.parse("4 1 3 / 2 6 0 / 7 5 8")
    assert [str(direction.opposite) for direction in KORF_ORDER] == ["up", "left", "right", "down"]


def labels_of(text: str) -> list[list[Label]]:
    return [[cell.label for cell in row] for row in read_rows(text)]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        *((word, BLANK) for word in ("0", "_", "@", "☺", "00")),
        *((word, 7) for word in ("7", "007", "0000000007")),
        *((name, name) for name in ("A", "été", "b2_x")),
        *((".", FILLER), ("#", WALL), ("*", ANY), ("999999", MAX_NUMBER)),
    ],
)
def test_a_word_is_the_label_it_should_be(word: str, label: Label) -> None:
    assert read_label(word) == label


@pytest.mark.parametrize("word", ["1000000", "9" * 5000, "-1", "1.5", "2a", "__", "_x", "??", "٣"])
def test_a_word_that_is_no_label_is_refused(word: str) -> None:
    with pytest.raises(NotationError, match="line 3, column 5: expected") as caught:
        read_label(word, (3, 5))
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("value", [True, False, -1, 1_000_000, 1.0, None, "", "0", "_", "a b", ()])
def test_other_values_are_no_labels(value: object) -> None:
    assert not is_label(value)


@pytest.mark.parametrize(
    "text",
    ["1 2 / 3 0", "1,2/3,0", "1 2\n3 0", "1 2\r\n3 _\r\n", "\n\n 1,  2 ,\n\n3 @/", "1 2 / / 3 ☺"],
)
def test_rows_are_apart_by_slashes_or_line_ends_and_cells_by_blanks_or_commas(text: str) -> None:
    assert labels_of(text) == [[1, 2], [3, 0]]


def test_every_cell_knows_its_line_and_column() -> None:
    cells = [cell for row in read_rows("1 2 / 3 4\n  5 6") for cell in row]
    places = [cell.place for cell in cells]
    assert places == [(1, 1), (1, 3), (1, 7), (1, 9), (2, 3), (2, 5)]


@pytest.mark.parametrize(
    ("text", "said", "place"),
    [
        ("1 2 3\n4 5", "row 2 has 2 cells", (2, 3)),
        *((text, "found nothing", (None, None)) for text in ("", " \n\t", "//", ",,,")),
    ],
)
def test_ragged_rows_are_refused_at_the_end_of_the_row_and_so_is_nothing(
    text: str, said: str, place: tuple[int | None, int | None]
) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        read_rows(text)
    assert (caught.value.line, caught.value.column) == place


@given(st.data(), st.integers(1, 5), st.integers(1, 5))
def test_rows_read_back_as_they_were_written(data: st.DataObject, rows: int, columns: int) -> None:
    label = st.one_of(numbers, names, st.sampled_from([BLANK, FILLER, WALL, ANY]))
    cells = data.draw(st.lists(label, min_size=rows * columns, max_size=rows * columns))
    assert all(map(is_label, cells))
    expected = [cells[row * columns : (row + 1) * columns] for row in range(rows)]
    assert labels_of(write_rows(cells, columns)) == expected
    assert labels_of(draw_rows(cells, columns)) == expected

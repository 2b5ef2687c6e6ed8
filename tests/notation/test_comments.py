"""Where `#` is a comment, and where it is a wall."""

from __future__ import annotations

import pytest

from taquin.model.board import Board
from taquin.notation import Form, read_board, recognise

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

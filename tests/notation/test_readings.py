"""What people write and what the program prints, read as it is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.notation import another_board, read_board, read_goal, read_many
from taquin.notation.forms import draw_box
from tests.cli.runs import refusal, run

EIGHT = Board.of_rows([[1, 2, 3], [4, 5, 6], [7, 8, 0]])
MIDDLE = Board.of_rows([[1, 2, 3], [4, 0, 5], [7, 8, 6]])
TWELVE = Board.of_rows([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 0]])
FIFTEEN = Board.of_rows([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 0, 15]])
KORF_1 = Board.of_rows([[14, 13, 15, 7], [11, 12, 9, 5], [6, 0, 2, 1], [4, 8, 10, 3]])


@pytest.mark.parametrize("mark", ["-", "x", "X", "b", "B", ".", "_", "@", "0"])
def test_a_lone_mark_is_the_blank_in_every_form_with_a_place_for_it(mark: str) -> None:
    assert read_board(f"1 2 3 / 4 5 6 / 7 8 {mark}", classic=True) == EIGHT
    assert read_board(f"123 456 78{mark}", classic=True) == EIGHT
    assert read_board(f"12345678{mark}", classic=True) == EIGHT
    assert read_board(f'[[1, 2, 3], [4, 5, 6], [7, 8, "{mark}"]]', classic=True) == EIGHT
    assert read_goal(f"1 2 3\n4 5 6\n7 8 {mark}").cells == EIGHT.cells
    assert Board.parse(f"1 2 3 / 4 5 6 / 7 8 {mark}") == EIGHT


@pytest.mark.parametrize("number", ["x", "A", "N", "1a", "-1"])
def test_what_stands_before_a_board_on_its_line_is_a_number_or_an_error(number: str) -> None:
    with pytest.raises(NotationError):
        read_board(f"{number} 1 2 3 0")


def test_a_mark_is_a_tile_where_the_blank_is_marked_otherwise_and_of_two_none_is_guessed() -> None:
    assert read_board("x b / . 0") == Board.of_rows([["x", "b"], [".", 0]])
    assert read_goal("x * / * *").cells == ("x", "*", "*", "*")
    with pytest.raises(NotationError, match=r"write 0 for it if x .* or b .* is meant"):
        read_board("1 x / 2 b")


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ("1 2 3; 4 5 6; 7 8 0", EIGHT),
        ("1,2,3;4,5,6;7,8,0", EIGHT),
        ("[1 2 3; 4 5 6; 7 8 0]", EIGHT),
        ("[1, 2, 3; 4, 5, 6; 7, 8, 0]", EIGHT),
        ("[[1 2 3]\n [4 5 6]\n [7 8 0]]", EIGHT),
        ("[1 2 3 4 5 6 7 8 0]", EIGHT),
        ("array([[1, 2, 3],\n       [4, 5, 6],\n       [7, 8, 0]], dtype=int8)", EIGHT),
        ("[[ 1  2  3  4]\n [ 5  6  7  8]\n [ 9 10 11  0]]", TWELVE),
        ("3 4\n1 2 3 4\n5 6 7 8\n9 10 11 0", TWELVE),
        ("3x4\n1 2 3 4\n5 6 7 8\n9 10 11 0", TWELVE),
        ("3 4 1 2 3 4 5 6 7 8 9 10 11 0", TWELVE),
        ("1234 5678 9abc de0f", FIFTEEN),
        ("1234\n5678\n9ABC\nDE0F", FIFTEEN),
        ("1234 5678 9abc de_f", FIFTEEN),
        ("1234 5678 9abc dexf", FIFTEEN),
        ("123456789abcdexf", FIFTEEN),
        ("1234 5678 9ab0", TWELVE),
        ("1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", KORF_1),
        ("3 1 2 3 4 5 6 7 8 0", EIGHT),
        ("1 2 3/4 5 6/7 8 0", EIGHT),
        ("# This puzzle is solvable\n3\n1 2 3\n4 5 6\n7 8 0", EIGHT),
        ("1 2 3\n4 5 6\n7 8", EIGHT),
        ("1 2 3\n4   5\n7 8 6", MIDDLE),
        ("  1  2  3  4\n  5  6  7  8\n  9 10 11", TWELVE),
        ("1  2  3  4\n5  6  7  8\n9  10 11", TWELVE),
        ("  3\n1 2", Board.of_rows([[0, 3], [1, 2]])),
        ("1,2,3\n4,,5\n7,8,6", MIDDLE),
        ("1,2,3,4,,5,7,8,6", MIDDLE),
        ("1\t2\t3\n4\t\t5\n7\t8\t6", MIDDLE),
        ("State: 123 4b5 786", MIDDLE),
        ("start\n1 2 3\n4 _ 5\n7 8 6", MIDDLE),
        ("1. 5 left\n1 2 3\n4 _ 5\n7 8 6", MIDDLE),
        ("Try 1: f = g + h = 0 + 2 = 2\n  1 2 3\n  4 _ 5\n  7 8 6", MIDDLE),
        ("1 2 3 / 4 0 5 / 7 8 6: created 0, traversed 1, estimated cost 2 = 0 + 2", MIDDLE),
        ("words    123 4b5 786", MIDDLE),
    ],
)
def test_a_text_is_read_as_it_is_meant(text: str, board: Board) -> None:
    assert read_board(text) == board
    assert read_board(text, classic=True) == board
    assert read_goal(text).cells == board.cells


def test_letters_apart_are_names_and_korfs_lines_are_read_one_after_the_other() -> None:
    text = "1 2 3 4 / 5 6 7 8 / 9 a b c / d e 0 f"
    assert read_board(text, classic=True) == FIFTEEN
    assert read_board(text).cells[9:12] == ("a", "b", "c")
    lines = ["1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "2 1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"]
    assert list(read_many(lines)) == [KORF_1, FIFTEEN]


def test_the_number_of_a_single_board_is_said_to_be_no_tile(tmp_path: Path) -> None:
    line = "1 3 1 2 0"
    note = "Note: 1 is taken as the number of the board 3 1 / 2 0, not as a tile.\n"
    assert run("solve", line).stderr == note
    assert run("solve", *line.split()).stderr == note
    (tmp_path / "boards.txt").write_text(line)
    for words in ((), ("--many",)):
        read = run("solve", str(tmp_path / "boards.txt"), "--style", "moves", *words)
        assert (read.stdout, read.stderr) == ("RDLU\n", "")
    assert "5 cells do not form a square" in refusal("solve", "1 2 3 0 4")


def test_two_columns_under_their_size_are_said_to_be_two_boards() -> None:
    text = "2 2\n1 2\n3 0"
    under = Board.of_rows([[1, 2], [3, 0]])
    assert read_board(text) == Board.of_rows([[2, 2], [1, 2], [3, 0]])
    assert another_board(text) == under
    assert read_board(text, classic=True) == under
    assert another_board(text, classic=True) is None
    shown = run("show", text)
    assert "for the board 1 2 / 3 0, leave it out" in shown.stderr
    assert run("solve", text).stderr == ""


def test_the_form_of_school_42_has_its_name() -> None:
    assert run("show", "1230", "--form", "42").stdout == "# 2×2\n2\n1 2\n3 0\n"


@pytest.mark.parametrize("board", ["1 2 3 / 4 0 5 / 7 8 6", "A # . / 0 12 B", "* A / * 0"])
def test_the_whole_of_what_show_prints_can_be_piped_back(board: str) -> None:
    shown = run("show", board).stdout
    assert run("show", text=shown).stdout == shown


@pytest.mark.parametrize("style", ["pretty", "classic"])
def test_every_board_of_a_printed_solution_reads_back(style: str) -> None:
    printed = run("solve", "1 2 3 / 4 0 5 / 7 8 6", "--style", style).stdout
    if style == "classic":
        blocks = ["\n".join(printed.split("\n")[first : first + 3]) for first in (0, 4, 8)]
    else:
        lines = printed.split("\n\n")[0].split("\n")
        blocks = ["\n".join(line[12 * n : 12 * n + 9] for line in lines) for n in range(3)]
    after = Board.of_rows([[1, 2, 3], [4, 5, 0], [7, 8, 6]])
    assert [read_board(block) for block in blocks] == [MIDDLE, after, EIGHT]


def test_a_box_is_read_wherever_it_stands_and_of_plain_bars_too() -> None:
    box = draw_box(MIDDLE.cells, 3)
    assert read_board(f"my board:\n{box}\nand more") == MIDDLE
    assert read_board("\n".join(f"   {line}  " for line in box.split("\n"))) == MIDDLE
    with pytest.raises(NotationError, match="line 2, column 3: expected a tile"):
        read_board("┌───┬───┐\n│ ? │ 2 │\n├───┼───┤\n│ 3 │   │\n└───┴───┘")
    assert read_board("+---+---+\n| 1 | 2 |\n+---+---+\n| 3 |   |\n+---+---+") == read_board("1230")
    assert read_board("|1|2|3|\n|4| |5|\n|6|7|8|") == read_board("123405678")
    with pytest.raises(NotationError, match="line 2, column 5: expected a tile"):
        read_board("1 | 2\n3 | ?")
    with pytest.raises(NotationError, match="row 2 has 3 cells, expected 2 like row 1"):
        read_board("1|2\n3|4|0")


@pytest.mark.parametrize(
    "text",
    [
        "1|2|3\n4||5\n7|8|6",
        "1 | 2 | 3\n4 |   | 5\n7 | 8 | 6",
        "# mine\n 1 | 2 | 3\n---+---+---\n 4 | _ | 5\n---+---+---\n 7 | 8 | 6",
        "| 1 | 2 | 3 |\n|---|---|---|\n| 4 | 0 | 5 |\n| 7 | 8 | 6 |",
        "1|2|3/4|0|5/7|8|6",
        "1 2 3 | 4 0 5 | 7 8 6",
        "123|405|786",
        "1|2|3|4|0|5|7|8|6",
        "np.array([[1, 2, 3], [4, 0, 5], [7, 8, 6]], dtype=np.uint8)",
        "array([[1., 2., 3.],\n       [4., 0., 5.],\n       [7., 8., 6.]])",
        "[[1. 2. 3.]\n [4. 0. 5.]\n [7. 8. 6.]]",
        "start = [(1, 2, 3), (4, None, 5), (7, 8, 6)]",
        "((1, 2, 3), (4, 0, 5), (7, 8, 6))",
        "[['1', '2', '3'], ['4', '_', '5'], ['7', '8', '6']]",
        "1 2 3\n4 None 5\n7 8 6",
        "Board('1 2 3 / 4 0 5 / 7 8 6')",
    ],
)
def test_bars_and_what_python_prints_are_read(text: str) -> None:
    assert read_board(text, classic=True) == MIDDLE


def test_a_file_that_powershell_wrote_is_read(tmp_path: Path) -> None:
    for order in ("utf-16", "utf-16-be"):
        file = tmp_path / f"{order}.txt"
        mark = "\ufeff" if order == "utf-16-be" else ""
        file.write_bytes(f"{mark}1 2 3\r\n4 0 5\r\n7 8 6\r\n".encode(order))
        assert run("show", str(file), "--form", "rows").output == "1 2 3 / 4 0 5 / 7 8 6\n"
    many = tmp_path / "many.txt"
    many.write_bytes("1 2 / 3 0\n1 2 / 0 3\n".encode("utf-16"))
    assert len(run("solve", "--many", str(many)).output.splitlines()) == 2

"""`taquin scramble` by other difficulties than depth."""

from __future__ import annotations

import pytest

import taquin as tq
from tests.cli.runs import run


def boards(*words: str) -> list[tq.Board]:
    result = run("scramble", *words, "--seed", "5")
    assert result.exit_code == 0
    return [tq.Board(line) for line in result.stdout.splitlines()]


def test_boards_are_chosen_by_the_number_of_shortest_solutions() -> None:
    for words, least, most in ((["--solutions", "1"], 1, 1), (["--solutions", "4+"], 4, 10**6)):
        (board,) = boards("2x3", *words)
        assert least <= len(list(tq.all_solutions(board))) <= most


def test_boards_are_chosen_by_how_far_manhattan_distance_is_off() -> None:
    for board in boards("2x3", "--gap", "8-10", "--count", "3"):
        assert 8 <= (tq.moves_left(board) or 0) - tq.estimate("manhattan", board) <= 10
    (board,) = boards("3x3", "--depth", "12", "--gap", "4")
    assert (tq.moves_left(board), tq.estimate("manhattan", board)) == (12, 8)


def test_boards_may_be_unsolvable() -> None:
    for board in boards("4x4", "--unsolvable", "--count", "3"):
        assert not tq.solvability(board)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--unsolvable", "--depth", "3"], 2, "--unsolvable cannot be combined with --depth"),
        (["--gap", "much"], 2, "expected a number or a range, such as 2, 2-5 or 2+"),
        (["--gap", "5-2"], 2, "expected a number or a range"),
        (["--gap", "2", "--metric", "multi"], 2, "--gap supports only --metric single"),
        (["--unsolvable", "--goal", ". . / A @"], 2, "every arrangement of these tiles"),
        (["--as-moves", "--goal", "* * / A @"], 2, "--as-moves needs a goal that is one board"),
        (["--variants", "3"], 2, "require --sheet FILE"),
        (["--depth", "2", "--gap", "8"], 3, "0 of 1 board found"),
    ],
)
def test_what_cannot_be_found_is_explained(words: list[str], status: int, said: str) -> None:
    result = run("scramble", "2x2" if "--goal" in words else "2x3", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert said in result.stderr

"""The classroom API of S4, against exhaustive truth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from taquin.classroom import Board, Detection, Priority, Solver
from taquin.errors import BoardError
from tests import truth

PUZZLE04 = Board([[0, 1, 3], [4, 2, 5], [7, 8, 6]])
IMPOSSIBLE = Board([[1, 2, 3], [4, 5, 6], [8, 7, 0]])
EXAMPLE = Board([[8, 1, 3], [4, 0, 2], [7, 6, 5]])


def board_of(cells: truth.Cells, n: int) -> Board:
    numbers = [int(label) for label in cells]
    return Board([numbers[at : at + n] for at in range(0, n * n, n)])


def every_2x2() -> list[truth.Cells]:
    return truth.arrangements((0, 1, 2, 3), ("*",) * 4)


def test_boards_have_the_priorities_of_the_assignment_and_are_equal_when_their_tiles_are() -> None:
    assert (EXAMPLE.hamming(), EXAMPLE.manhattan()) == (5, 10)
    # The blank is never counted.
    one_move = Board([[1, 2, 3], [4, 5, 6], [7, 0, 8]])
    assert (one_move.hamming(), one_move.manhattan()) == (1, 1)
    assert Board([[0, 1], [2, 3]]) == Board(((0, 1), (2, 3)))
    assert Board([[0, 1], [2, 3]]) != Board([[1, 0], [2, 3]])
    assert Board([[0, 1], [2, 3]]) != Board([[1, 2, 3], [4, 5, 6], [7, 8, 0]])
    assert Board([[0, 1], [2, 3]]) != [[0, 1], [2, 3]]
    assert hash(Board([[0, 1], [2, 3]])) == hash(Board(((0, 1), (2, 3))))


def test_neighbors_are_one_move_away_and_twins_solvable_exactly_when_the_board_is_not() -> None:
    for cells in list(truth.eight_puzzle())[:2000:97]:
        expected = {board_of(other, 3) for other in truth.neighbours(cells, 3, 3)}
        found = board_of(cells, 3).neighbors()
        assert len(found) == len(expected)
        assert set(found) == expected
    solvable = truth.distances([(1, 2, 3, 0)], 2, 2)
    every = {board_of(cells, 2): cells in solvable for cells in every_2x2()}
    for board, answer in every.items():
        assert every[board.twin()] != answer


def test_a_board_prints_its_rows_shows_how_to_make_it_again_and_knows_its_size() -> None:
    assert str(PUZZLE04) == "  1 3\n4 2 5\n7 8 6"
    assert str(Board([[1, 2], [3, 0]])) == "1 2\n3"
    rows = str(Board([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 0, 15]])).split("\n")
    assert (rows[0], rows[3]) == (" 1  2  3  4", "13 14    15")
    assert eval(repr(PUZZLE04)) == PUZZLE04
    assert PUZZLE04.dimension() == 3
    assert not PUZZLE04.is_goal()
    assert Board([[1, 2], [3, 0]]).is_goal()


@pytest.mark.parametrize(
    ("tiles", "complaint"),
    [
        ([[0]], "N > 1"),
        ([[0, 1, 2]], "N rows of N"),
        ([[0, 1], [2, 3], [4, 5]], "N rows of N"),
        ([[0, 1], [2]], "row 2 has 1 cell"),
        ([], "at least one row"),
        ([[0, 1], [2, 4]], "found 4"),
        ([[0, 1], [2, 2]], "found 2 more than once"),
        ([[0, 0], [1, 2]], "one blank"),
        ([[1, 2], [3, 4]], "one blank"),
        ([[1, 2], [3, -1]], "found -1"),
        ([[1, 2.5], [3, 0]], "found 2.5"),
        ([["1", 2], [3, 0]], "found '1'"),
        ([["#", 2], [3, 0]], "found #"),
    ],
)
def test_tiles_that_make_no_board_are_explained(
    tiles: Sequence[Sequence[Any]], complaint: str
) -> None:
    with pytest.raises(BoardError, match=complaint):
        Board(tiles)


@pytest.mark.parametrize("priority", Priority)
@pytest.mark.parametrize("detection", Detection)
@pytest.mark.parametrize(("critical_optimisation", "enqueued"), [(True, 10), (False, 13)])
def test_puzzle04_takes_4_moves_and_10_states(
    priority: Priority, detection: Detection, critical_optimisation: bool, enqueued: int
) -> None:
    solver = Solver(
        PUZZLE04,
        priority=priority,
        critical_optimisation=critical_optimisation,
        detection=detection,
    )
    assert solver.is_solvable()
    assert (solver.moves(), solver.enqueued()) == (4, enqueued)
    assert solver.solution()[0] == PUZZLE04
    assert [str(board).replace("\n", "/") for board in solver.solution()] == [
        *("  1 3/4 2 5/7 8 6", "1   3/4 2 5/7 8 6", "1 2 3/4   5/7 8 6", "1 2 3/4 5/7 8 6"),
        "1 2 3/4 5 6/7 8",
    ]


@pytest.mark.parametrize("detection", Detection)
@pytest.mark.parametrize("priority", Priority)
def test_every_2x2_board_is_solved_in_the_least_moves(
    detection: Detection, priority: Priority
) -> None:
    least: dict[truth.Cells, int] = truth.distances([(1, 2, 3, 0)], 2, 2)
    for cells in every_2x2():
        solver = Solver(board_of(cells, 2), priority=priority, detection=detection)
        solution = solver.solution()
        assert (solver.moves(), solver.is_solvable()) == (least.get(cells, -1), cells in least)
        assert len(solution) == solver.moves() + 1
        assert all(other in one.neighbors() for one, other in pairwise(solution))
        if solution:
            assert (solution[0], solution[-1].is_goal()) == (board_of(cells, 2), True)
        if solver.moves() == 0:
            assert solver.enqueued() == 1


def test_both_detections_agree_on_random_3x3_boards() -> None:
    chance = Random(226)
    least = truth.eight_puzzle()
    for _ in range(4):
        cells = tuple(chance.sample(range(9), 9))
        board = board_of(cells, 3)
        by_parity, by_race = Solver(board), Solver(board, detection=Detection.TWIN)
        assert by_parity.moves() == by_race.moves() == least.get(cells, -1)
        assert by_parity.solution() == by_race.solution()
        if by_parity.is_solvable():
            assert by_parity.enqueued() == by_race.enqueued()


def test_every_method_of_the_assignment_goes_by_its_name_there_and_by_pythons() -> None:
    solver = Solver(PUZZLE04)
    assert solver.isSolvable() is solver.is_solvable() is True
    assert Solver(IMPOSSIBLE).isSolvable() is False
    assert PUZZLE04.isGoal() is PUZZLE04.is_goal() is False
    assert PUZZLE04.toString() == PUZZLE04.to_string() == str(PUZZLE04)
    assert PUZZLE04.equals(Board([[0, 1, 3], [4, 2, 5], [7, 8, 6]]))
    assert not PUZZLE04.equals(IMPOSSIBLE)

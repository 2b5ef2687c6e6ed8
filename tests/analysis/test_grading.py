"""Answers graded, against every board of 2×3 and by hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from taquin import Board, Goal, Metric, Puzzle, grade
from taquin.analysis import Grade
from taquin.errors import MismatchError
from taquin.notation import write_moves
from tests.truth import distances

START = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
FIFTEEN = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0").apply("RDDDRRUUU")


SHORTEST = "solved, and no solution is shorter"
LONGER = "solved with 2 moves more than needed; move {} is the first that leads away"


@pytest.mark.parametrize(
    ("answer", "moves", "wrong", "detour", "remark"),
    [
        ("LU", 2, None, None, SHORTEST),
        ("5 6", 2, None, None, SHORTEST),
        ("D U left up", 4, None, 1, LONGER.format(1)),
        ("LUDU", 4, None, 3, LONGER.format(3)),
        ("", 0, None, None, "no answer"),
        ("L", 1, None, None, "legal, but not solved after 1 move: 1 move short of the goal"),
        ("LUD", 3, None, 3, "solved after move 2, but the answer goes on"),
        ("LL", 1, 2, None, "L: no tile can go left; what can move there: 6 up, 3 down, 5 right"),
        (
            *("5 1", 1, 2, None),
            "1: tile 1 is not beside the blank; what can move there: 6 up, 3 down, 5 right",
        ),
        (
            *("5 up", 0, 1, None),
            "5 up: tile 5 cannot go up; what can move there: 8 up, 2 down, 5 left, 4 right",
        ),
        ("L 9", 1, 2, None, "there is no tile '9' on this board"),
    ],
)
def test_an_answer_is_told_what_it_is_worth(
    answer: str, moves: int, wrong: int | None, detour: int | None, remark: str
) -> None:
    is_solved = remark in (SHORTEST, LONGER.format(detour))
    told = f"move {wrong}, {remark}" if wrong else remark
    expected = Grade(moves, is_solved, 2, wrong, detour, told, readable=answer != "L 9")
    assert replace(grade(START, answer), reached=None) == expected


@pytest.mark.parametrize(
    ("start", "goal", "answers", "moves"),
    [
        (Board.parse("0 1 2 / 3 4 5"), Goal.parse("1 2 0 / 3 4 5"), "L2, 2, 2 left", 1),
        (FIFTEEN, Goal.blank_last(4, 4), "DDDLLUUUL, D3L2U3L", 4),
    ],
)
def test_slides_in_one_direction_are_one_move_of_the_multi_metric_as_players_count_them(
    start: Board, goal: Goal, answers: str, moves: int
) -> None:
    for answer in answers.split(", "):
        found = grade(start, answer, goal, metric=Metric.MULTI)
        assert (found.moves, found.solved, found.shortest) == (moves, True, moves)


def test_a_slide_of_several_tiles_is_several_moves_of_the_single_metric() -> None:
    start, goal = Board.parse("0 1 2 / 3 4 5"), Goal.parse("1 2 0 / 3 4 5")
    assert grade(start, "L2", goal).moves == 2
    assert grade(start, "2", goal).wrong == 1
    found = grade("1 2 / 3 0", "DDRRUULL", "1 2 / 3 0", metric=Metric.MULTI)
    assert (found.wrong, found.moves) == (2, 1)


@pytest.mark.parametrize("blank", [False, True])
def test_an_answer_that_is_right_the_other_way_round_is_told_so(blank: bool) -> None:
    found = grade(START, "LU" if blank else "RD", blank=blank)
    meant, read = ("tile", "blank") if blank else ("blank", "tile")
    assert (found.solved, found.swapped) == (False, True)
    assert found.remark.startswith(f"right as moves of the {meant}, but not of the {read}: ")
    assert not grade(START, "DU", blank=blank).swapped


def test_an_unsolvable_board_has_no_shortest_length_and_an_answer_ends_where_it_is_legal() -> None:
    found = grade(Board.parse("2 1 3 / 4 5 6 / 7 8 0"), "DU")
    assert (found.legal, found.solved, found.shortest, found.detour) == (True, False, None, None)
    assert found.remark == "legal, but not solved after 2 moves"
    ends = {"LU": Board("1 2 3 / 4 5 6 / 7 8 0"), "LL": Board("1 2 3 / 4 5 0 / 7 8 6"), "": None}
    assert {answer: grade(START, answer).reached for answer in ends} == ends


def test_tiles_must_be_told_apart_and_what_does_not_belong_together_is_refused() -> None:
    alike = Goal.parse("* * / * A")
    assert "several tiles are called ." in grade(Board.parse("A . / . 0"), ".", alike).remark
    assert grade(Board.parse(". . / A 0"), "A", alike).solved
    with pytest.raises(MismatchError):
        grade(START, "LU", Goal.blank_last(2, 3))
    with pytest.raises(MismatchError):
        grade(Board.parse("1 2 3 / 4 0 5 / 7 8 9"), "LU", distance=lambda board: 2)


def test_the_first_detour_is_where_the_distance_first_fails_to_fall() -> None:
    goal = Goal.blank_last(2, 3)
    puzzle = Puzzle(goal)
    true = distances([goal.cells], 2, 3)
    chance = Random(1)
    starts = [Board(goal.grid, cells) for cells, distance in true.items() if distance == 12]
    for start in starts[:8]:
        boards, moves = [start], []
        for _ in range(14):
            move, board = chance.choice(list(puzzle.successors(boards[-1])))
            nearer = true[board.cells] < true[boards[-1].cells]
            if nearer or chance.random() < 0.3:
                moves.append(move)
                boards.append(board)
        off = [made + true[board.cells] > 12 for made, board in enumerate(boards)]
        expected = off.index(True) if True in off else None
        assert grade(start, write_moves(moves), goal).detour == expected


def test_a_detour_is_not_named_where_a_distance_on_the_way_is_unknown() -> None:
    solved = Board.parse("1 2 3 / 4 5 6 / 7 8 0")

    def distance(board: Board) -> int | None:
        return None if board == solved else 2 if board == START else 1

    found = grade(START, "LUD", distance=distance)
    assert (found.solved, found.shortest, found.detour) == (False, 2, None)
    assert grade(START, "LUD").detour == 3

"""Exploring any small puzzle through the model."""

from __future__ import annotations

import pytest

from taquin.analysis.explore import survey
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from tests import truth


@pytest.mark.parametrize(
    ("goal", "start"),
    [
        ("1 2 3 / 4 5 _", "1 2 3 / 4 5 _"),
        ("1 2 # / * * * / 3 _ *", "1 2 # / . . . / 3 _ ."),
        ("a a b / b _ c", "a b a / c b _"),
        ("* * A / * * *", "A . . / . . _"),
    ],
)
@pytest.mark.parametrize("metric", Metric)
def test_a_survey_counts_every_board_at_its_distance(goal: str, start: str, metric: Metric) -> None:
    puzzle, board = Puzzle(Goal.parse(goal), metric), Board.parse(start)
    goals = truth.arrangements(list(board.cells), puzzle.goal.cells)
    known = truth.distances(goals, puzzle.grid.rows, puzzle.grid.columns, metric is Metric.MULTI)
    found = survey(puzzle, board, most_farthest=10**6)
    depths = list(known.values())
    assert found.histogram == tuple(depths.count(depth) for depth in range(max(depths) + 1))
    assert found.boards == len(known)
    assert {each.cells for each in found.farthest} == {
        cells for cells, depth in known.items() if depth == found.radius
    }


def test_a_survey_that_is_too_large_is_refused_and_one_that_grows_so_given_up() -> None:
    goal = Goal.blank_last(3, 3)
    with pytest.raises(UnsuitableError, match="at least 181,440 boards"):
        survey(Puzzle(goal), Board(goal.grid, goal.cells), most=1000)
    walled = Goal.parse("1 2 3 4 / 5 # 6 7 / 8 9 10 0")
    with pytest.raises(UnsuitableError, match="more than 1,000 boards lie within"):
        survey(Puzzle(walled), Board(walled.grid, walled.cells), most=1000)


def test_ctrl_c_ends_a_survey_with_the_levels_so_far() -> None:
    goal = Goal.blank_last(3, 3)

    def press(distance: int, seen: int) -> None:
        if distance == 3:
            raise KeyboardInterrupt

    found = survey(Puzzle(goal), Board(goal.grid, goal.cells), progress=press)
    assert (found.histogram, found.is_complete) == ((1, 2, 4, 8), False)

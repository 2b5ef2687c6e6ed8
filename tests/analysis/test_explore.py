"""Whole spaces have the published number of boards at each distance."""

import json
from pathlib import Path

import pytest

from taquin import Board, Goal, Grid, Metric, Puzzle, TaquinError
from taquin.analysis.explore import explore, survey
from taquin.errors import UnsuitableError
from tests import truth

SHAPES = [(2, 2), (2, 3), (3, 2), (4, 2), (2, 4), (3, 3), (5, 2), (2, 5)]
LARGE = [(3, 4), (6, 2)]


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize(
    ("rows", "columns"), [*SHAPES, *(pytest.param(*each, marks=pytest.mark.slow) for each in LARGE)]
)
def test_histogram_is_the_published_one(
    data: Path, rows: int, columns: int, metric: Metric
) -> None:
    found = explore(Puzzle(Goal.blank_last(rows, columns), metric))
    published = json.loads((data / "depth_histograms.json").read_text())
    name = f"{metric.value}:{max(rows, columns)}x{min(rows, columns)}"
    assert list(found.histogram) == published[name]
    assert len(found.farthest) == min(100, found.histogram[-1])


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2), (2, 4)])
def test_farthest_boards_are_those_of_an_exhaustive_search(rows: int, columns: int) -> None:
    for blank in range(rows * columns):
        goal = (*range(1, blank + 1), 0, *range(blank + 1, rows * columns))
        known = truth.distances([goal], rows, columns)
        found = explore(Puzzle(Goal(Grid(rows, columns), goal)), most_farthest=10**6)
        radius = max(known.values())
        assert found.radius == radius
        assert {board.cells for board in found.farthest} == {
            board for board, d in known.items() if d == radius
        }


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        *(
            (goal, "can be explored")
            for goal in ("1 2 # / 3 _ 4", "1 2 3 _ /", "1 1 2 / 3 4 _", "* 1 / 2 3")
        ),
        (Goal.blank_last(4, 4).text(), "12 cells"),
    ],
)
def test_what_is_not_classic_or_too_large_is_refused(goal: str, said: str) -> None:
    with pytest.raises(TaquinError, match=said):
        explore(Puzzle(Goal.parse(goal)))


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

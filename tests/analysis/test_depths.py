"""Boards of an exact depth, checked against every board of a small puzzle."""

from __future__ import annotations

from collections import Counter

import pytest

from taquin import Board, Goal, Limits, Metric, Puzzle, boards_at_depth
from taquin.analysis import depths
from taquin.errors import UnsuitableError
from taquin.search.control import Control
from tests.truth import distances

LAST = Goal.blank_last(2, 3)
TRUE = distances([LAST.cells], 2, 3)


def at(depth: int) -> set[tuple[int | str, ...]]:
    return {cells for cells, distance in TRUE.items() if distance == depth}


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a 2×3 space one that is too large to be walked through."""
    monkeypatch.setattr(depths, "MOST_BOARDS", 0)


@pytest.mark.parametrize("depth", [0, 1, 9, 20, 21])
def test_as_many_boards_as_there_are_at_a_depth_are_all_of_them(depth: int) -> None:
    wanted = at(depth)
    drawing = boards_at_depth(LAST, depth, seed=5, count=len(wanted))
    assert drawing.uniform
    assert drawing.known == len(wanted)
    boards = [board.cells for board in drawing.boards]
    assert len(boards) == len(wanted)
    assert set(boards) == wanted


@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize(
    ("goal", "depth"),
    [
        (Goal.snail(2, 3), 11),
        (Goal.blank_first(2, 3), 11),
        (Goal.parse("* A * / # B * / * @ *"), 8),
    ],
    ids=str,
)
def test_the_depth_is_that_of_the_goal_and_the_metric(
    goal: Goal, depth: int, metric: Metric
) -> None:
    filled = tuple("." if label == "*" else label for label in goal.cells)
    true = distances([filled], goal.grid.rows, goal.grid.columns, metric is Metric.MULTI)
    boards = list(boards_at_depth(Puzzle(goal, metric), depth, seed=1, count=5).boards)
    assert [true[board.cells] for board in boards] == [depth] * 5
    assert len(set(boards)) == 5


def test_every_board_of_a_depth_has_the_same_chance() -> None:
    drawn = Counter(next(boards_at_depth(LAST, 5, seed).boards).cells for seed in range(700))
    assert set(drawn) == at(5)
    # 700 draws of 7 boards: 100 each, with a spread of 9.3.
    assert all(65 < times < 135 for times in drawn.values())


@pytest.mark.usefixtures("crowded")
def test_boards_drawn_until_one_has_the_depth_have_the_same_chance_too() -> None:
    drawings = [boards_at_depth(Goal.blank_last(2, 2), 3, seed) for seed in range(200)]
    assert all(drawing.uniform and drawing.known is None for drawing in drawings)
    drawn = Counter(next(drawing.boards).text() for drawing in drawings)
    # 200 draws of 2 boards: 100 each, with a spread of 7.
    assert [75 < times < 125 for times in drawn.values()] == [True, True]


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize("metric", Metric)
def test_walks_are_bisected_for_boards_of_the_depth(
    metric: Metric, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(depths, "PILOT", 0)
    true = distances([LAST.cells], 2, 3, metric is Metric.MULTI)
    for depth in (1, 2, 7, 14):
        drawing = boards_at_depth(Puzzle(LAST, metric), depth, seed=3, count=2)
        assert not drawing.uniform
        boards = list(drawing.boards)
        assert [true[board.cells] for board in boards] == [depth] * 2


@pytest.mark.usefixtures("crowded")
def test_a_search_for_too_rare_boards_comes_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depths, "PILOT", 0)
    monkeypatch.setattr(depths, "FRUITLESS", 20)
    drawing = boards_at_depth(LAST, 1, seed=3, count=3)
    found: list[Board] = []
    with pytest.raises(UnsuitableError, match="20 random walks in a row found no new board"):
        found.extend(iter(drawing.boards.__next__, None))
    assert len(found) <= 2


@pytest.mark.parametrize(
    ("puzzle", "depth", "farthest"),
    [
        (Puzzle(LAST), 22, 21),
        (Puzzle(Goal.blank_last(3, 3)), 40, 31),
        (Puzzle(Goal.blank_last(3, 3), Metric.MULTI), 25, 24),
        (Puzzle(Goal.blank_first(4, 4)), 81, 80),
        (Puzzle(Goal.blank_last(4, 4), Metric.MULTI), 44, 43),
        (Puzzle(Goal.blank_last(5, 3)), 85, 84),
        (Puzzle(Goal.blank_last(5, 5)), 10**9, 208),
    ],
)
def test_a_depth_that_no_board_has_is_refused(puzzle: Puzzle, depth: int, farthest: int) -> None:
    with pytest.raises(UnsuitableError, match=f"the greatest distance is at most {farthest}"):
        boards_at_depth(puzzle, depth, seed=1)


def test_more_boards_than_there_are_are_refused_and_a_limit_ends_the_drawing() -> None:
    with pytest.raises(UnsuitableError, match="2×3 has only 2 boards that need exactly 1 move"):
        boards_at_depth(LAST, 1, seed=1, count=3)
    control = Control(Limits(seconds=0))
    assert list(boards_at_depth(Goal.blank_last(4, 4), 30, seed=1, control=control).boards) == []
    assert control.reason == "limit of 0 seconds"


@pytest.mark.usefixtures("crowded")
def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depths, "PILOT", 0)
    control = Control()
    boards = boards_at_depth(LAST, 9, seed=1, count=50, control=control).boards
    first = next(boards)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(depths, "walk_from_goal", interrupted)
    assert (TRUE[first.cells], list(boards), control.reason) == (9, [], "interrupted")

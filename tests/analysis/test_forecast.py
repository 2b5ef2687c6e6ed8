"""Forecasts of IDA*, against the nodes that it generates."""

from __future__ import annotations

from math import exp, log

import pytest

from taquin import AStar, Board, Engine, Goal, IDAStar, Metric, Puzzle, random_board
from taquin.analysis import forecast as forecasts
from taquin.analysis.forecast import IDAStarTree, expected_nodes, forecast, tree_of, whole_search
from taquin.engine.choose import run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.glass import GlassBox
from taquin.engine.textbook.engine import Textbook
from taquin.errors import UnsuitableError
from taquin.heuristics.per_tile import Manhattan, Misplaced
from taquin.search.control import Control
from taquin.search.conventions import Conventions, Duplicates
from taquin.search.result import Task
from tests import naive, truth

PUZZLE = Puzzle(Goal.blank_last(3, 3))
HARD = Board.parse("8 6 7 / 2 5 4 / 3 0 1")


WALLED = Puzzle(Goal.parse("1 2 3 4 / * # * * / * * * *"))


@pytest.mark.parametrize(
    ("puzzle", "search", "engine"),
    [
        (PUZZLE, IDAStar(), Textbook()),
        (PUZZLE, None, Cpu(tables="AAB/AAB/CC.", threads=1)),
        (WALLED, IDAStar(), GlassBox()),
        *(
            pytest.param(PUZZLE, search, engine, marks=pytest.mark.slow)
            for search, engine in (
                (IDAStar(Misplaced()), GlassBox()),
                (IDAStar(conventions=Conventions(duplicates=Duplicates.NONE)), Textbook()),
                (None, Cpu(tables=None, threads=1)),
            )
        ),
    ],
)
def test_completed_bounds_are_near_their_forecast(
    puzzle: Puzzle, search: IDAStar | None, engine: Engine
) -> None:
    task = Task(puzzle, random_board(puzzle.goal, 3 if puzzle is WALLED else 5), search)
    *completed, _ = run(task, engine, Control()).bounds
    foreseen = forecast(tree_of(task, engine), [int(bound) for bound, _ in completed], 100)
    assert [each.bound for each in foreseen] == [bound for bound, _ in completed]
    assert len(foreseen) > 3 * (puzzle is WALLED)
    for each, (_, nodes) in zip(foreseen, completed, strict=True):
        assert abs(each.nodes - nodes) <= 4 * each.error + 1e-9
        assert puzzle is not WALLED or each.formula is None


def test_the_formula_is_the_mean_over_all_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "SAMPLE", 3000)
    goal = Goal.blank_last(2, 3)
    puzzle, bound = Puzzle(goal), 13
    cells = tuple(map(int, goal.cells))
    boards = [board for board in truth.distances([cells], 2, 3) if board[0] == 0]

    def generated(board: tuple[int, ...], left: int, before: tuple[int, ...] = ()) -> int:
        if naive.manhattan(board, cells, 3) > left:
            return 0
        children = list(truth.neighbours(board, 2, 3))
        below = (generated(child, left - 1, board) for child in children if child != before)
        return len(children) + sum(below)

    mean = sum(generated(board, bound) for board in boards) / len(boards)
    tree = tree_of(Task(puzzle, Board(goal.grid, boards[0]), IDAStar()), GlassBox())
    assert tree.by_formula(bound) == pytest.approx(mean, rel=0.15)


def test_a_seed_gives_the_same_forecast() -> None:
    tree = tree_of(Task(PUZZLE, HARD, IDAStar()), GlassBox())
    assert tree.sampled(27, 3, seed=1)(27) == tree.sampled(27, 3, seed=1)(27)
    assert tree.sampled(27, 3, seed=1)(27) != tree.sampled(27, 3, seed=2)(27)


def test_a_whole_search_counts_a_part_of_the_last_bound() -> None:
    task = Task(PUZZLE, HARD, IDAStar())
    bounds = forecast(tree_of(task, GlassBox()), (21, 23, 25))
    assert whole_search(bounds) == bounds[0].nodes + bounds[1].nodes + 0.3 * bounds[2].nodes
    assert expected_nodes(task, "glass-box", [21, 23, 25]) == whole_search(bounds)


@pytest.mark.parametrize(
    "task",
    [
        Task(PUZZLE, HARD, AStar(Manhattan())),
        Task(PUZZLE, HARD),
        Task(Puzzle(PUZZLE.goal, Metric.MULTI), HARD, IDAStar()),
        Task(PUZZLE, HARD, IDAStar(conventions=Conventions(duplicates=Duplicates.REACHED))),
    ],
)
def test_only_ida_star_is_forecast(task: Task) -> None:
    with pytest.raises(UnsuitableError, match="forecasts support only"):
        tree_of(task, GlassBox())
    assert expected_nodes(task, "glass-box", [21]) is None


@pytest.mark.slow
def test_korfs_hundred_boards_are_within_a_factor_of_two_on_average() -> None:
    puzzle = Puzzle(Goal.blank_first(4, 4))
    foreseen, taken = [], []
    for cells, (distance, length, _, nodes) in truth.published("korf100.txt").values():
        task = Task(puzzle, Board(puzzle.grid, cells), IDAStar())
        tree = IDAStarTree(
            task, Manhattan(), counts_parent=False, visits_parent=False, is_pruned=False
        )
        sampled = tree.sampled(length)
        *completed, last = (sampled(bound)[0] for bound in range(distance, length + 1, 2))
        foreseen.append(sum(completed) + forecasts.LAST_SHARE * last)
        taken.append(nodes)
    assert len(taken) == 100
    logs = [log(guess / nodes) for guess, nodes in zip(foreseen, taken, strict=True)]
    assert 0.5 < exp(sum(logs) / len(logs)) < 2
    assert 0.5 < sum(foreseen) / sum(taken) < 2
    assert exp(sum(map(abs, logs)) / len(logs)) < 2
    assert sum(abs(each) < log(2) for each in logs) >= 65

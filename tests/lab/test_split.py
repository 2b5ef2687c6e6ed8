"""One board split into tasks: the same answer and the same counts, whoever does them."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

import pytest

from taquin.engine.conductor import search
from taquin.errors import UnsuitableError
from taquin.lab.split import Task, solve_split, work_on
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.search.result import Limits, Outcome
from taquin.tables.shape import Normal, Shape
from taquin.tables.store import TableStore

FIFTEEN = Puzzle(Goal.blank_first(4, 4))
HARD = Board.parse("14 13 15 7 / 11 12 9 5 / 6 0 2 1 / 4 8 10 3")


class SameThread(Executor):
    """Run each task where it is submitted; remember them."""

    def __init__(self, most: int | None = None) -> None:
        self.tasks: list[Task] = []
        self.most = most

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks.append(args[0])
        future: Future[Any] = Future()
        future.set_result(fn(*args, **({"most": self.most} if self.most else {})))
        return future


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("most", [None, 5_000])
def test_a_split_search_is_exact_however_small_its_tasks(workers: int, most: int | None) -> None:
    executor = SameThread(most)
    result = solve_split(FIFTEEN, HARD, executor, workers)
    assert result.outcome is Outcome.SOLVED
    assert result.cost == 57
    assert result.optimal
    assert len(result.boards()) == 58
    assert result.engine == ("cluster, 1 worker" if workers == 1 else "cluster, 3 workers")


def test_completed_bounds_count_the_same_nodes_as_the_engine(store: TableStore) -> None:
    cells = tuple(int(label) for label in HARD.cells)
    alone = search(Normal(Shape(4, 4, 0), cells), store=store, threads=1)
    before_last = sum(nodes for bound, nodes in alone.nodes_by_bound if bound < 55)
    split = solve_split(FIFTEEN, HARD, SameThread(5_000), 2, limits=Limits(depth=54))
    assert split.outcome is Outcome.LIMIT_REACHED
    assert split.lower_bound == 55
    assert split.stats.generated == before_last


def test_a_pool_of_processes_can_do_the_tasks() -> None:
    puzzle = Puzzle(Goal.blank_last(4, 4))
    start = random_board(puzzle.goal, seed=7)
    with ProcessPoolExecutor(2) as pool:
        split = solve_split(puzzle, start, pool, 2)
    alone = solve_split(puzzle, start, SameThread(), 1)
    assert split.cost == alone.cost
    assert split.optimal


def test_a_solution_shorter_than_the_cutting_is_found() -> None:
    puzzle = Puzzle(Goal.blank_last(4, 4))
    for moves in range(6):
        start = random_walk(puzzle.goal, moves, seed=1)
        assert solve_split(puzzle, start, SameThread(), 4).cost == moves


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(nodes=100), "limit of 100 nodes generated"),
        (Limits(seconds=0), "limit of 0 seconds"),
        (Limits(depth=45), "limit of 45 moves"),
        (Limits(memory=1), "limit of 1 bytes of memory"),
    ],
)
def test_limits_end_a_split_search_with_its_bound(limits: Limits, reason: str) -> None:
    result = solve_split(FIFTEEN, HARD, SameThread(2_000), 2, limits=limits)
    assert result.outcome is Outcome.LIMIT_REACHED
    assert result.reason == reason
    assert 41 <= result.lower_bound <= 57


def test_what_cannot_be_split_is_refused_and_the_unsolvable_told() -> None:
    walls = Goal.parse("1 2 # / 3 4 0")
    with pytest.raises(UnsuitableError, match="split for classic puzzles"):
        solve_split(Puzzle(walls), Board.parse("1 2 # / 3 0 4"), SameThread(), 1)
    odd = Board.parse("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0")
    result = solve_split(Puzzle(Goal.blank_last(4, 4)), odd, SameThread(), 1)
    assert result.outcome is Outcome.UNSOLVABLE


def test_a_task_that_takes_too_long_comes_back_with_its_rest() -> None:
    executor = SameThread(1_000)
    solve_split(FIFTEEN, HARD, executor, 1, tables=None, limits=Limits(nodes=300_000))
    assert len(executor.tasks) > 1
    done = work_on(executor.tasks[-1], most=1 << 40)
    assert done.rest is None
    assert done.blanks is None

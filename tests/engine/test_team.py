"""Threads share a tree, also ahead of its bound: nothing is lost or searched twice.

Searches run beside each other too: in Python threads, and in forked children.
"""

from __future__ import annotations

import os
import random
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise
from math import inf

import pytest

import taquin as tq
from taquin.engine.base import method
from taquin.engine.cpu.engine import plan_for
from taquin.engine.cpu.team import Piece, Team, first_near, least_depth, next_near
from taquin.engine.deepening import Deepening
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit
from taquin.system import machine as sharing_rule
from taquin.tables.shape import Cells
from taquin.tables.store import TableStore
from tests import naive
from tests.engine.boards import normal, search, task

GOAL = tuple(range(16))
BOARD = naive.random_board(4, 4, GOAL, random.Random(1))


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every thread join at once, however small the tree."""
    monkeypatch.setattr(sharing_rule, "_THREAD_COST", 1)


def go_on() -> bool:
    """Never stop a search."""
    return True


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("threads", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_a_tree_has_the_same_nodes_for_a_team_as_for_one_thread(threads: int) -> None:
    rng = random.Random(threads)
    store = TableStore()
    compared = 0
    for _ in range(30):
        board = normal(4, 4, naive.random_board(4, 4, GOAL, rng))
        plan = plan_for(board.shape, None, store)
        start = plan.start(board)
        with Team(plan, start, threads) as team:
            for bound in range(start.estimate, start.estimate + 12, 2):
                alone = Piece(start.node(bound), plan.width)
                nodes = alone.search(plan, 1 << 60)
                found = team.search(bound, go_on, inf)
                assert found is not None
                assert (found == ()) == (alone.solution is None)
                if alone.solution is not None:
                    break
                assert team.nodes == nodes
                compared += 1
    assert compared > 150


@pytest.mark.usefixtures("eager")
def test_a_team_finds_solutions_of_every_length() -> None:
    for moves in range(45):
        board = naive.shuffled(4, 4, GOAL, moves, random.Random(moves))
        alone = search(task(4, 4, board), None)
        shared = search(task(4, 4, board), None, 4)
        assert shared.cost == alone.cost
        assert shared.boards()[-1].cells == GOAL


def test_threads_outlive_a_search_and_serve_the_next() -> None:
    search(task(4, 4, BOARD, nodes=200_000), None, 3)
    before = threading.active_count()
    for _ in range(40):
        search(task(4, 4, BOARD, nodes=200_000), None, 3)
    # One that has just ended a task is not yet known to be free: then another is made.
    assert threading.active_count() < before + 20


def test_threads_rest_after_a_search_that_failed() -> None:
    board = normal(4, 4, BOARD)
    plan = plan_for(board.shape, None, TableStore())
    start = plan.start(board)

    with pytest.raises(ZeroDivisionError), Team(plan, start, 3) as team:
        team.search(start.estimate + 30, lambda: team.nodes < 100_000 or 1 // 0 > 0, inf)
    busy = time.process_time()
    time.sleep(0.2)
    assert time.process_time() - busy < 0.1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_has_threads_of_its_own() -> None:
    search(task(4, 4, BOARD, nodes=200_000), None, 2)
    child = os.fork()
    if child == 0:
        result = search(task(4, 4, BOARD, nodes=200_000, seconds=20), None, 2)
        os._exit(0 if (result.stats.generated or 0) > 199_996 else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_a_team_never_passes_a_limit_on_nodes_and_comes_near_it(threads: int) -> None:
    board = normal(4, 4, BOARD)
    plan = plan_for(board.shape, None, TableStore())
    start = plan.start(board)
    for most in (0, 3, 4, 5, 100, 10_000, 123_456):
        with Team(plan, start, threads) as team:
            assert team.search(start.estimate + 30, go_on, most) is None
            assert most - 4 < team.nodes <= most


def test_threads_join_a_tree_only_when_its_nodes_are_worth_it() -> None:
    # As measured on 16 cores: 160,000 nodes gain by two to four threads and lose by eight.
    assert [sharing_rule.threads_worth(nodes, 16) for nodes in (0, 10_000, 160_000)] == [1, 1, 3]
    assert sharing_rule.threads_worth(10**9, 16) == 16
    board = normal(4, 4, BOARD)
    plan = plan_for(board.shape, None, TableStore())
    start = plan.start(board)
    with Team(plan, start, 16) as team:
        joined = []
        for bound in range(start.estimate, start.estimate + 12, 2):
            alone = Piece(start.node(bound), plan.width)
            nodes = alone.search(plan, 1 << 60)
            assert team.search(bound, go_on, inf) == ()
            assert team.nodes == nodes
            joined.append((nodes, team.members))
    assert joined[0][1] == 1
    assert all(members == 1 or nodes > 30_000 for nodes, members in joined)
    assert all(members <= sharing_rule.threads_worth(4 * nodes, 16) for nodes, members in joined)
    # An easy board stays on one thread, whatever the cores.
    easy = naive.shuffled(4, 4, GOAL, 40, random.Random(1))
    assert str(search(task(4, 4, easy), None, 16).engine) == "cpu, 1 thread"


FIRST_OF_KORF = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
COMPLETED = ((47, 10), (49, 74), (51, 538), (53, 4_353), (55, 27_866))


def test_a_search_ahead_saves_most_of_the_last_bound_and_a_limit_on_depth_refuses_it() -> None:
    result = search(task(4, 4, FIRST_OF_KORF))
    assert result.cost == 57
    assert result.bounds[:-1] == COMPLETED
    # From the start on, the last bound generates 41,661 nodes.
    assert result.bounds[-1][1] < 5_000
    cut = search(task(4, 4, FIRST_OF_KORF, depth=55))
    assert cut.cost is None
    assert [bound for bound, _ in cut.bounds] == [bound for bound, _ in COMPLETED]
    for each in (result, cut):
        assert sum(nodes for _, nodes in each.bounds) == each.stats.generated


class Unsettled:
    """A searcher whose other threads still count nodes when it has found a solution."""

    def __init__(self) -> None:
        self._nodes = count(100)

    @property
    def nodes(self) -> int:
        return next(self._nodes)

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        return (1, 0) if bound == 5 else ()

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        return ()


def test_the_nodes_of_all_bounds_are_those_of_the_search() -> None:
    asked = task(2, 2, (1, 0, 2, 3))
    deepening = Deepening(Control())
    with deepening.control.guard():
        deepening.control.begin()
        deepening.run(1, Unsettled())
    result = deepening.result(asked, method(None), EngineTag("cpu"))
    assert [bound for bound, _ in result.bounds] == [1, 3, 5]
    assert sum(nodes for _, nodes in result.bounds) == result.stats.generated


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("most", [10_000, 33_000, 33_600, 35_000])
def test_a_limit_on_nodes_holds_for_those_ahead_too(most: int, threads: int) -> None:
    result = search(task(4, 4, FIRST_OF_KORF, nodes=most), threads=threads)
    generated = result.stats.generated
    assert generated is not None
    assert generated <= most
    assert sum(nodes for _, nodes in result.bounds) == generated
    assert result.cost == 57 or (result.limit is Limit.NODES and generated > most - 4)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_solutions_ahead_are_shortest_and_completed_bounds_have_the_nodes_of_one_thread(
    threads: int,
) -> None:
    rng = random.Random(threads)
    solutions = 0
    for _ in range(20):
        board = normal(4, 4, naive.random_board(4, 4, GOAL, rng))
        plan = plan_for(board.shape, "small", TableStore())
        start = plan.start(board)
        with Team(plan, start, threads) as team:
            bound, path = start.estimate, team.search(start.estimate, go_on, inf)
            while not path:
                alone = Piece(start.node(bound), plan.width)
                assert alone.search(plan, 1 << 60) == team.nodes
                assert alone.solution is None
                bound += 2
                path = team.solution_ahead(go_on, inf)
                solutions += bool(path)
                path = path or team.search(bound, go_on, inf)
        assert path is not None
        assert len(path) == bound + 1
        assert naive.replay(4, 4, board.board, path) == GOAL
    assert solutions > 5


def test_the_search_ahead_goes_as_far_as_the_last_bound_tells() -> None:
    near = first_near(47)
    assert least_depth(47, near) == 47 - near > 0
    assert next_near(near, 100_000, 6_000) == near
    # One move more makes 1.4 times as many nodes.
    assert next_near(near, 100_000, 4_300) == near + 1
    assert next_near(near, 100_000, 8_400) == near - 1
    assert [next_near(near, 100_000, ahead) - near for ahead in (0, 90_000)] == [3, -3]
    assert next_near(2, 0, 100) == 1
    found = [next_near(near, 100_000, ahead) for ahead in range(0, 30_000, 500)]
    assert all(more >= less for more, less in pairwise(found))
    assert least_depth(10, 30) == 0


HARD = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
LENGTHS = {
    HARD: 49,
    "8 6 7 / 2 5 4 / 3 0 1": 31,
    "6 4 7 / 8 5 0 / 3 2 1": 31,
    "1 2 3 / 4 0 5 / 7 8 6": 2,
    "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0": None,
}
"""The moves of shortest solutions; None where parity forbids any."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("engine", ["cpu", "general"])
def test_a_process_that_forks_in_the_midst_of_a_search_and_its_child_find_what_they_look_for(
    engine: str,
) -> None:
    children: list[int] = []

    def fork(counters: Counters, seconds: float) -> None:
        if children or not counters.generated:
            return
        with warnings.catch_warnings():
            # Newer Pythons warn of what is tested here.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            try:
                os._exit(tq.solve(HARD, engine=engine).cost or 0)
            finally:
                os._exit(255)
        children.append(child)

    assert tq.solve(HARD, engine=engine, progress=fork).cost == LENGTHS[HARD]
    (child,) = children
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == LENGTHS[HARD]


def test_eight_python_threads_at_once_find_what_one_finds() -> None:
    walks = [naive.shuffled(4, 4, GOAL, 60, random.Random(seed)) for seed in range(6)]
    alone = [search(task(4, 4, board), None).cost for board in walks]

    def lengths(seed: int) -> dict[str, int | None]:
        boards = random.Random(seed).sample(sorted(LENGTHS), len(LENGTHS))
        return {board: tq.solve(board).cost for board in boards}

    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda board: search(task(4, 4, board), None, 2).cost, walks)
        assert list(pool.map(lengths, range(8))) == [LENGTHS] * 8
        assert list(found) == alone

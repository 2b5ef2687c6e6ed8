"""Part of the next bound is searched ahead: solutions stay shortest, counts stay exact."""

import random
from collections.abc import Callable
from itertools import count, pairwise
from math import inf

import pytest

from taquin.engine.classic import method
from taquin.engine.cpu.engine import plan_for
from taquin.engine.cpu.team import Piece, Team, first_near, least_depth, next_near
from taquin.engine.deepening import Deepening
from taquin.search.control import Control
from taquin.search.result import EngineTag, Limit
from taquin.system import machine as sharing_rule
from taquin.tables.shape import Cells
from taquin.tables.store import TableStore
from tests import naive, truth
from tests.engine.boards import normal, search, task

FIRST_OF_KORF = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
COMPLETED = ((47, 10), (49, 74), (51, 538), (53, 4_353), (55, 27_866))


def test_a_search_ahead_saves_most_of_the_last_bound() -> None:
    result = search(task(4, 4, FIRST_OF_KORF))
    assert result.cost == 57
    assert result.bounds[:-1] == COMPLETED
    # From the start on, the last bound generates 41,661 nodes.
    assert result.bounds[-1][1] < 5_000
    assert sum(nodes for _, nodes in result.bounds) == result.stats.generated


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


def test_a_limit_on_depth_refuses_a_solution_ahead_of_it() -> None:
    asked = task(4, 4, FIRST_OF_KORF, depth=55)
    result = search(asked)
    assert result.cost is None
    assert [bound for bound, _ in result.bounds] == [bound for bound, _ in COMPLETED]
    assert sum(nodes for _, nodes in result.bounds) == result.stats.generated


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_solutions_ahead_are_shortest_and_completed_bounds_have_the_nodes_of_one_thread(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Let every thread join at once.
    monkeypatch.setattr(sharing_rule, "_THREAD_COST", 1)
    goal = tuple(range(16))
    rng = random.Random(threads)
    solutions = 0
    for _ in range(20):
        board = normal(4, 4, naive.random_board(4, 4, goal, rng))
        plan = plan_for(board.shape, "small", TableStore())
        start = plan.start(board)
        with Team(plan, start, threads) as team:
            bound, path = start.estimate, team.search(start.estimate, lambda: True, inf)
            while not path:
                alone = Piece(start.node(bound), plan.width)
                assert alone.search(plan, 1 << 60) == team.nodes
                assert alone.solution is None
                bound += 2
                path = team.solution_ahead(lambda: True, inf)
                solutions += bool(path)
                path = path or team.search(bound, lambda: True, inf)
        assert path is not None
        assert len(path) == bound + 1
        assert naive.replay(4, 4, board.board, path) == goal
    assert solutions > 5


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", [1, 2])
def test_lengths_are_those_of_the_whole_space(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing_rule, "_THREAD_COST", 1)
    goal = tuple(range(9))
    known = truth.distances([goal], 3, 3)
    ahead = 0
    for board in random.Random(threads).sample(sorted(known), 200):
        result = search(task(3, 3, board), threads=threads)
        assert result.cost == known[board]
        *completed, (last, _) = result.bounds
        assert last == result.cost
        root = normal(3, 3, board)
        plan = plan_for(root.shape, "small", TableStore())
        start = plan.start(root)
        for bound, nodes in completed:
            alone = Piece(start.node(int(bound)), plan.width)
            assert alone.search(plan, 1 << 60) == nodes
        whole = Piece(start.node(int(last)), plan.width)
        whole.search(plan, 1 << 60)
        ahead += bool(completed) and result.bounds[-1][1] < whole.nodes
    assert ahead > 5


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

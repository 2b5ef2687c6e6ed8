"""Nodes kept for the next bound are searched first: solutions stay shortest, counts stay exact."""

import random
from collections.abc import Callable
from itertools import count
from math import inf

import pytest

from taquin.engine.classic import method
from taquin.engine.cpu import team as team_rules
from taquin.engine.cpu.engine import plan_for
from taquin.engine.cpu.stacks import Piece
from taquin.engine.cpu.team import Team
from taquin.engine.deepening import Deepening
from taquin.search.control import Control
from taquin.search.result import EngineTag, Limit
from taquin.system import threads as sharing_rule
from taquin.tables.shape import Cells
from taquin.tables.store import TableStore
from tests import naive
from tests.engine.boards import normal, search, task

FIRST_OF_KORF = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)
COMPLETED = ((47, 10), (49, 74), (51, 538), (53, 4_353), (55, 27_866))


def test_kept_nodes_save_most_of_the_last_bound() -> None:
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

    def search_kept(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
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


@pytest.mark.parametrize("most", [33_000, 33_200, 34_000])
def test_a_limit_on_nodes_holds_for_kept_nodes_too(most: int) -> None:
    result = search(task(4, 4, FIRST_OF_KORF, nodes=most))
    generated = result.stats.generated
    assert generated is not None
    assert generated <= most
    assert result.cost == 57 or (result.limit is Limit.NODES and generated > most - 4)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_solutions_below_kept_nodes_are_shortest(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Keep nodes in the smallest bounds too, and let every thread join at once.
    monkeypatch.setattr(team_rules, "FEWEST_KEPT", 1)
    monkeypatch.setattr(sharing_rule, "_COST", 1)
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
                path = team.search_kept(lambda: True, inf)
                solutions += bool(path)
                path = path or team.search(bound, lambda: True, inf)
        assert path is not None
        assert len(path) == bound + 1
        assert naive.replay(4, 4, board.board, path) == goal
    assert solutions > 5

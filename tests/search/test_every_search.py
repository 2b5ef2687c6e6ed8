"""What every search says is true, whatever its duplicates, goal test, heuristic and limits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from taquin import Board, Goal, Limits, Manhattan, Metric, Outcome, Puzzle, trace
from taquin.events import Fate, Generated, Improved
from taquin.heuristics.base import Estimate, Evaluator, Named
from taquin.model.space import Space, State
from taquin.search.algorithms import ALGORITHMS, AStar
from taquin.search.grammar import options_of, search_named
from taquin.search.result import Count, Limit
from taquin.search.run import Algorithm, Conventions, Duplicates, GoalTest
from tests import truth
from tests.glass import solve
from tests.puzzles import drawn

GOAL = Goal.blank_last(2, 3)
DISTANCES = {
    metric: truth.distances([GOAL.cells], 2, 3, multi=metric is Metric.MULTI) for metric in Metric
}
BY_LENGTH = sorted(DISTANCES[Metric.SINGLE], key=DISTANCES[Metric.SINGLE].__getitem__)
BOARDS = [BY_LENGTH[place] for place in (8, 67, 100, -1)]
"""Boards near the goal, so that searches in linear memory end, and the farthest one."""
ENOUGH = 800
"""Nodes; a search that takes more is cut there, and its bound must be true too."""


@dataclass(frozen=True)
class Forgetful(Named):
    """Estimate 0 on every second board: admissible, and as inconsistent as can be."""

    # The bounds of a heuristic outside taquin prove nothing.
    __module__ = "taquin.heuristics"
    name = "forgetful"

    def bind(self, space: Space) -> Evaluator:
        """Return the Manhattan distance where the blank is on a cell with an odd number."""
        value = Manhattan().bind(space).value

        def estimate(state: State) -> int:
            return value(state) if state.index(0) % 2 else 0

        return Estimate(estimate, consistent=False)


def variants(name: str) -> list[Algorithm]:
    """Return a search with every choice of duplicates, of the goal test, and two heuristics."""
    plain = ALGORITHMS[name]()
    choices = [
        [(option, value) for value in plain.supported.get(option, kind)]  # type: ignore[attr-defined]
        for option, kind in (("duplicates", Duplicates), ("goal_test", GoalTest))
        if option not in plain.unsupported  # type: ignore[attr-defined]
    ]
    heuristics = (Manhattan(), Forgetful()) if "heuristic" in options_of(name) else (None,)
    return [
        ALGORITHMS[name](
            conventions=Conventions(**dict(chosen)),
            **({} if heuristic is None else {"heuristic": heuristic}),
        )
        for chosen in product(*choices)
        for heuristic in heuristics
    ]


@dataclass(frozen=True)
class Barrier(Named):
    """Estimate 0 everywhere but on one board: that is passed only once nothing cheaper is left."""

    board: Board
    distance: int

    __module__ = "taquin.heuristics"
    name = "barrier"

    def bind(self, space: Space) -> Evaluator:
        """Return the true distance of the board."""
        there = space.encode(self.board)
        return Estimate(lambda state: self.distance * (state == there), consistent=False)


@pytest.mark.parametrize("duplicates", [Duplicates.CLOSED, Duplicates.DEQUEUE])
def test_a_search_that_never_reopens_proves_nothing_by_an_inconsistent_estimate(
    duplicates: Duplicates,
) -> None:
    # The blank goes round four cells. The short way begins at the barrier; boards beyond it are
    # first reached by the long way round, and their estimates are too high from then on.
    start, puzzle = Board.parse("4 2 3 / 5 0 1 / 7 8 6"), Puzzle(Goal.blank_last(3, 3))
    distances = truth.eight_puzzle()
    length = distances[start.cells]
    barrier = next(
        after for _, after in puzzle.successors(start) if distances[after.cells] < length
    )
    heuristic = Barrier(barrier, length - 1)
    search = AStar(heuristic, conventions=Conventions(duplicates=duplicates))
    result = solve(puzzle, start, search)
    assert result.cost is not None
    assert result.lower_bound <= length < result.cost


@pytest.mark.parametrize("name", ALGORITHMS)
def test_bounds_solutions_and_counts_are_true_under_every_convention_and_limit(name: str) -> None:
    for number, search in enumerate(variants(name)):
        metric = Metric.MULTI if number % 3 == 2 else Metric.SINGLE
        puzzle = Puzzle(GOAL, metric)
        for place, cells in enumerate(BOARDS):
            start, length = Board(GOAL.grid, cells), DISTANCES[metric][cells]
            counting = list(Count)[(number + place) % 4]
            for depth, nodes in (
                (None, ENOUGH),
                (length, ENOUGH),
                (length - 1, ENOUGH),
                (None, 40),
            ):
                limits = Limits(depth=depth, nodes=nodes, counting=counting)
                result = solve(puzzle, start, search, limits)
                told = f"{search} on {start.text()} within {limits}: {result}"
                assert result.lower_bound <= length, told
                assert getattr(result.stats, counting.value) <= nodes, told
                if result.moves is None:
                    assert result.outcome is Outcome.LIMIT_REACHED, told
                    assert result.limit is not Limit.DEPTH or depth is not None, told
                else:
                    assert puzzle.is_goal(result.boards()[-1]), told
                    assert length <= result.cost <= (depth or result.cost), told  # type: ignore[operator]


@pytest.mark.parametrize("text", ["bts", "beam(width=40)", "bidirectional", "mm", "nbs", "arastar"])
def test_a_solution_found_before_a_limit_is_returned(text: str) -> None:
    search, compared = search_named(text), 0
    for seed in (27, 44, 50, 83):
        puzzle, start = drawn(seed).puzzle, drawn(seed).start
        generated, first = 0, None
        for event in trace(puzzle, start, search):
            # A beam prunes boards that it has counted already.
            generated += isinstance(event, Generated) and event.fate is not Fate.PRUNED
            if first is None and isinstance(event, Improved):
                first = event.cost, generated
        if first is not None and first[1] < generated:
            result = solve(puzzle, start, search, Limits(nodes=first[1]))
            assert (result.limit, result.cost) == (Limit.NODES, first[0])
            assert puzzle.is_goal(result.boards()[-1])
            compared += 1
    assert compared

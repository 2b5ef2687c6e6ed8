"""What every search says is true, whatever its duplicates, goal test, heuristic and limits.

The stream of events agrees with the counters, and each event with the board that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from taquin import Board, Goal, Limits, Manhattan, Metric, Outcome, Puzzle, trace
from taquin.heuristics.base import Estimate, Evaluator, Named
from taquin.model.space import Space, State
from taquin.search.algorithms import ALGORITHMS, AStar, DepthFirst, IDAStar
from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Discarded,
    Expanded,
    Fate,
    Finished,
    Generated,
    GoalFound,
    Improved,
    Node,
    Started,
)
from taquin.search.grammar import options_of, search_named
from taquin.search.result import Count, Limit
from taquin.search.run import Algorithm, Conventions, Duplicates, GoalTest
from tests import naive, truth
from tests.glass import solve
from tests.puzzles import drawn

EIGHT = Puzzle(Goal.blank_last(3, 3))
FOURTEEN = Board.parse("8 1 3 / 4 0 2 / 7 6 5")
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
            assert result.gap == first[0] / result.lower_bound - 1
            compared += 1
    assert compared


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("metric", Metric)
def test_events_agree_with_the_counters_and_with_a_search_that_nobody_watches(
    name: str, metric: Metric
) -> None:
    puzzle, limits = Puzzle(EIGHT.goal, metric), Limits(nodes=4000)
    first, *events, last = trace(puzzle, FOURTEEN, ALGORITHMS[name](), limits)
    assert isinstance(first, Started)
    assert isinstance(last, Finished)
    assert not any(isinstance(event, Finished) for event in events)
    result, stats = last.result, last.result.stats
    assert sum(isinstance(event, Expanded) for event in events) == stats.expanded
    made = [event for event in events if isinstance(event, Generated)]
    assert sum(event.fate is not Fate.PRUNED for event in made) == stats.generated
    dropped = sum(event.fate in (Fate.DUPLICATE, Fate.PARENT) for event in made)
    dropped += sum(isinstance(event, Discarded) for event in events)
    assert dropped == stats.duplicates
    if result.moves is not None:
        assert isinstance(events[-1], GoalFound)
    quiet = solve(puzzle, FOURTEEN, ALGORITHMS[name](), limits)
    assert (result.outcome, result.moves) == (quiet.outcome, quiet.moves)
    assert result.lower_bound == quiet.lower_bound
    for counter in ("expanded", "generated", "enqueued", "dequeued", "duplicates", "max_depth"):
        assert getattr(stats, counter) == getattr(quiet.stats, counter), counter
    nodes: dict[int, Node] = {}
    for node in [event.node for event in events if not isinstance(event, BoundRaised | Finished)]:
        assert nodes.setdefault(node.number, node).board == node.board
        if node.parent is None:
            assert (node.depth, node.move) == (0, None)
        else:
            parent = nodes[node.parent]
            assert node.move is not None
            assert parent.board.apply(node.move) == node.board
            assert (node.depth, node.side) == (parent.depth + 1, parent.side)


def test_estimates_in_events_are_the_heuristic_of_the_board() -> None:
    for event in trace(EIGHT, FOURTEEN, AStar(), Limits(nodes=500)):
        if isinstance(event, Expanded):
            node = event.node
            assert node.h == naive.manhattan(node.board.cells, EIGHT.goal.cells, 3)
            assert node.f == node.depth + node.h


def test_depth_first_search_backtracks_from_every_board_and_ida_star_raises_its_bound() -> None:
    events = list(trace(EIGHT, FOURTEEN, DepthFirst(max_depth=3)))
    entered, left = (
        sorted(event.node.number for event in events if isinstance(event, kind))
        for kind in (Expanded, Backtracked)
    )
    assert entered == left
    *raised, last = trace(EIGHT, FOURTEEN, IDAStar(Manhattan()))
    bounds = [event.bound for event in raised if isinstance(event, BoundRaised)]
    assert bounds == sorted(set(bounds))
    assert isinstance(last, Finished)
    assert (bounds[0], bounds[-1]) == (10, last.result.cost)

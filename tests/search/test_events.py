"""The stream of events: its order, its numbering, and its agreement with the counters."""

from __future__ import annotations

import pytest

from taquin import Board, Goal, Limits, Manhattan, Metric, Puzzle, trace
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
    Node,
    Started,
)
from tests.glass import solve

EIGHT = Puzzle(Goal.blank_last(3, 3))
START = Board.parse("8 1 3 / 4 0 2 / 7 6 5")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("metric", Metric)
def test_events_agree_with_the_counters_and_with_a_search_that_nobody_watches(
    name: str, metric: Metric
) -> None:
    puzzle, limits = Puzzle(EIGHT.goal, metric), Limits(nodes=4000)
    first, *events, last = trace(puzzle, START, ALGORITHMS[name](), limits)
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
    quiet = solve(puzzle, START, ALGORITHMS[name](), limits)
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
    for event in trace(EIGHT, START, AStar(), Limits(nodes=500)):
        if isinstance(event, Expanded):
            cells = event.node.board.cells
            expected = sum(
                EIGHT.grid.distance(cell, EIGHT.goal.cells.index(label))
                for cell, label in enumerate(cells)
                if label != 0
            )
            assert event.node.h == expected
            assert event.node.f == event.node.depth + expected


def test_depth_first_search_backtracks_from_every_board_it_leaves() -> None:
    events = list(trace(EIGHT, START, DepthFirst(max_depth=3)))
    entered = [event.node.number for event in events if isinstance(event, Expanded)]
    left = [event.node.number for event in events if isinstance(event, Backtracked)]
    assert sorted(entered) == sorted(left)


def test_ida_star_announces_each_bound_once_and_rising() -> None:
    events = list(trace(EIGHT, START, IDAStar(Manhattan())))
    bounds = [event.bound for event in events if isinstance(event, BoundRaised)]
    assert bounds == sorted(set(bounds))
    assert bounds[0] == 10
    last = events[-1]
    assert isinstance(last, Finished)
    assert bounds[-1] == last.result.cost

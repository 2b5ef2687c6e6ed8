"""A limit or an interrupt returns the best solution found, and `Improved` tells of each."""

from __future__ import annotations

import pytest

import taquin as tq
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.driver import solve as drive
from taquin.search.result import Task

HARDEST = tq.Board.parse("8 6 7 / 2 5 4 / 3 0 1")
EIGHT = tq.Puzzle(tq.Goal.blank_last(3, 3))
FIFO = tq.AStar(conventions=tq.Conventions(ties=tq.Ties.FIFO))
"""An A* that goes on for a while after its first solution."""


def improvements(algorithm: tq.Algorithm, start: tq.Board = HARDEST) -> list[int]:
    return [
        event.cost for event in tq.trace(EIGHT, start, algorithm) if isinstance(event, tq.Improved)
    ]


@pytest.mark.parametrize(
    "algorithm", [tq.AStar(weight=3), tq.Beam(width=50), tq.Bidirectional(), tq.Greedy()], ids=str
)
def test_improvements_fall_and_the_last_is_the_solution(algorithm: tq.Algorithm) -> None:
    costs = improvements(algorithm)
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == tq.solve(HARDEST, algorithm=algorithm).cost


@pytest.mark.sampled(3)
@pytest.mark.parametrize("algorithm", [FIFO, tq.Beam(width=50), tq.Bidirectional()], ids=str)
def test_a_search_ended_after_its_first_solution_returns_it_replayed(
    algorithm: tq.Algorithm,
) -> None:
    generated = 0
    for event in tq.trace(EIGHT, HARDEST, algorithm):
        generated += isinstance(event, tq.Generated) and event.fate is not tq.Fate.PRUNED
        if isinstance(event, tq.Improved):
            break
    limits = tq.Limits(nodes=generated)
    task = Task(EIGHT, HARDEST, algorithm, limits)
    result = drive(task, algorithm, Control(limits))
    assert (result.outcome, result.limit) == (tq.Outcome.LIMIT_REACHED, tq.Limit.NODES)
    assert result.moves is not None
    assert EIGHT.is_goal(result.boards()[-1])
    assert result.lower_bound <= 31 <= len(result.moves)
    assert result.gap == len(result.moves) / result.lower_bound - 1


@pytest.mark.slow
def test_a_solution_that_a_first_try_came_upon_is_not_lost() -> None:
    generated = 0
    for event in tq.trace(EIGHT, HARDEST, FIFO):
        generated += isinstance(event, tq.Generated)
        if isinstance(event, tq.Improved):
            break
    task, control = Task(EIGHT, HARDEST), Control()
    assert control.attempt(generated, lambda: drive(task, FIFO, control)) is None
    # The next search is ended before it finds anything.
    control.end(tq.Limit.SECONDS, 1)
    result = drive(task, tq.IDAStar(), control)
    assert (result.outcome, result.limit) == (tq.Outcome.LIMIT_REACHED, tq.Limit.SECONDS)
    assert EIGHT.is_goal(result.boards()[-1])
    assert result.stats.generated == generated


def test_an_interrupt_returns_the_best_so_far() -> None:
    goal = tq.Board(EIGHT.grid, EIGHT.goal.cells)
    space = Space(EIGHT, HARDEST)
    manhattan = tq.Manhattan().bind(space)
    known: list[tq.Board] = []

    def estimate(board: tq.Board) -> int:
        if known:
            raise KeyboardInterrupt
        if board == goal:
            known.append(board)
        return manhattan.value(space.encode(board))

    algorithm = tq.AStar(tq.FromFunction(estimate), conventions=FIFO.conventions)
    result = tq.solve(HARDEST, algorithm=algorithm)
    assert result.outcome is tq.Outcome.STOPPED
    assert result.cost is not None
    assert EIGHT.is_goal(result.boards()[-1])

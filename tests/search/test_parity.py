"""Every bound has the parity that all solutions of the board have, whoever proves it."""

from __future__ import annotations

import pytest

from taquin.engine.choose import solve
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.algorithms import ALGORITHMS
from taquin.search.result import Counters, Limits, verdict
from tests import truth

FAR = "8 6 7 / 2 5 4 / 3 0 1"
"""31 moves from the goal with the blank last."""


@pytest.mark.parametrize(
    "goal", ["1 2 3 / 4 5 0", "0 1 2 / 3 4 5", "* 1 * / * * 0", "1 * 3 / 4 5 *", "* * # / 1 2 0"]
)
def test_solutions_have_the_parity_that_the_puzzle_tells(goal: str) -> None:
    puzzle = Puzzle(Goal.parse(goal))
    walls = puzzle.grid.walls
    fillers = iter(range(10, 20))
    full = tuple(next(fillers) if label == "*" else label for label in puzzle.goal.cells)
    if 0 not in full:
        # Either of the free cells may be the blank's; here both are of one colour.
        full = tuple(0 if label == 10 else label for label in full)
    goals = [
        cells
        for cells in truth.distances([full], 2, 3)
        if all(w in ("*", "#", label) for w, label in zip(puzzle.goal.cells, cells, strict=True))
    ]
    known = truth.distances(goals, 2, 3)
    assert walls == {cell for cell, label in enumerate(full) if label == "#"}
    for cells, distance in known.items():
        start = Board(puzzle.grid, cells)
        assert puzzle.solution_parity(start) == distance % 2


def test_no_parity_is_claimed_where_solutions_of_both_may_exist() -> None:
    free = Puzzle(Goal.parse("1 * * / * * *"))
    assert free.solution_parity([[0, 1, 2], [3, 4, 5]]) is None
    slides = Puzzle(Goal.blank_last(2, 3), Metric.MULTI)
    assert slides.solution_parity([[0, 1, 2], [3, 4, 5]]) is None


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("nodes", [5, 300, 301])
def test_a_search_cut_short_has_proven_a_bound_of_the_right_parity(name: str, nodes: int) -> None:
    told: list[float] = []

    def note(counters: Counters, seconds: float) -> None:
        told.append(counters.bound)

    search = ALGORITHMS[name](**({"cap": 10**9} if name == "capped-beam" else {}))
    result = solve(FAR, algorithm=search, limits=Limits(nodes=nodes), progress=note)
    assert result.lower_bound % 2 == 1
    assert result.lower_bound <= 31
    assert all(bound % 2 == 1 for bound in told)
    assert ", an odd number" in verdict(result)


def test_parity_closes_a_gap_of_one_move() -> None:
    # All that greedy search proves is the estimate of the start, 7; the solution has 8 moves.
    result = solve("0 3 6 / 1 4 2 / 7 5 8", algorithm="greedy(misplaced)")
    assert result.cost == result.lower_bound == 8
    assert verdict(result) == "Solved in 8 moves; no solution is shorter."

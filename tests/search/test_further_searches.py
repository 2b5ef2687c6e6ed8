"""The searches with a paper and a loop of their own: what each promises, on known distances."""

from __future__ import annotations

import tracemalloc
from math import inf

import pytest

import taquin as tq
from taquin.search.grammar import search_named
from tests import truth
from tests.glass import solve
from tests.search.test_exactness import spread_boards

EIGHT = tq.Puzzle(tq.Goal.blank_last(3, 3))
PROMISES: dict[str, float] = {
    "mm(manhattan)": 1,
    "nbs(manhattan)": 1,
    "arastar(manhattan)": 1,
    "peastar(manhattan)": 1,
    "bts(manhattan)": 1,
    "wastar(manhattan, weight=1.5)": 1.5,
    "widastar(manhattan, weight=1.5)": 1.5,
    "focal(manhattan, weight=1.2)": 1.2,
    "astar(manhattan, goal_test=generation)": inf,
    "potential(manhattan, weight=1.2)": 1.2,
    "lrtastar(manhattan)": inf,
    "lss-lrtastar(manhattan)": inf,
    "hill-climbing(manhattan)": inf,
    "annealing(manhattan)": inf,
}
"""Searches, and how many times longer than a shortest solution theirs may be."""


def check(text: str, most: float, boards: list[tuple[truth.Cells, int]]) -> None:
    search = search_named(text)
    assert search.optimal is (most == 1)
    for cells, depth in boards:
        result = solve(EIGHT, tq.Board(EIGHT.grid, cells), search)
        assert result.outcome is tq.Outcome.SOLVED
        assert result.cost is not None
        assert result.cost == 0 if depth == 0 else depth <= result.cost <= most * depth
        assert result.lower_bound <= depth
        assert result.optimal or most > 1
        assert EIGHT.is_goal(result.boards()[-1])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", PROMISES)
def test_a_search_keeps_its_promise_on_boards_of_every_depth(text: str) -> None:
    # A search that promises no length takes longer, and has less to be checked.
    check(text, PROMISES[text], [*spread_boards(1)[:: 1 if PROMISES[text] < inf else 6]])


@pytest.mark.slow
@pytest.mark.parametrize("text", [text for text, most in PROMISES.items() if most < inf])
def test_a_search_keeps_its_promise_on_every_3x3_board(text: str) -> None:
    # With pattern tables it takes minutes, with Manhattan an hour.
    by_tables = text.replace("manhattan", "patterns")
    check(by_tables, PROMISES[text], [*truth.eight_puzzle().items()])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("text", ["mm", "nbs", "arastar", "peastar"])
@pytest.mark.parametrize("heuristic", ["zero", "patterns"])
def test_an_optimal_search_is_exact_with_weak_and_inconsistent_estimates(
    text: str, heuristic: str
) -> None:
    search = search_named(f"{text}({heuristic})")
    for cells, depth in spread_boards(1)[:24:4]:
        result = solve(EIGHT, tq.Board(EIGHT.grid, cells), search)
        assert result.cost == result.lower_bound == depth


@pytest.mark.parametrize("name", ["mm", "nbs"])
def test_a_search_from_both_ends_refuses_an_estimate_that_knows_one_goal_only(name: str) -> None:
    def misplaced(board: tq.Board) -> int:
        return sum(a != b for a, b in zip(board.cells, EIGHT.goal.cells, strict=True))

    with pytest.raises(tq.errors.UnsuitableError, match="misplaced supports one goal only; use"):
        tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=name, heuristic=misplaced)


def test_mm_never_expands_a_board_beyond_the_middle() -> None:
    for cells, depth in spread_boards(1)[:22:3]:
        for event in tq.trace(EIGHT, tq.Board(EIGHT.grid, cells), "mm(manhattan)"):
            if isinstance(event, tq.events.Expanded):
                assert 2 * event.node.depth <= depth


@pytest.mark.parametrize("text", ["widastar(manhattan, weight=1)", "bts(manhattan)"])
def test_the_memory_of_a_deepening_search_is_linear_in_the_depth(text: str) -> None:
    search = search_named(text)
    # What is imported and cached does not count.
    solve(EIGHT, tq.Board.parse("1 2 3 / 4 5 6 / 7 0 8"), search)
    tracemalloc.start()
    result = solve(EIGHT, tq.Board.parse("8 6 7 / 2 5 4 / 3 0 1"), search)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (result.stats.expanded or 0) > 1_000
    assert peak < 200_000

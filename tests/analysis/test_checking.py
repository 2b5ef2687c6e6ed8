"""The check of solutions of user code against the true distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import taquin as tq
from taquin.analysis import isolated
from taquin.analysis.isolated import checked, checked_events, contradiction
from taquin.search.result import verdict
from tests.search.test_assumptions import manhattan

HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""Its shortest solutions have 31 moves (published: one of the two hardest boards of 3×3)."""
NEAR = "1 2 3 / 4 0 5 / 7 8 6"


def _scaled(factor: float, **claims: bool) -> tq.FromFunction:
    def function(board: tq.Board) -> float:
        return factor * manhattan(board)

    return tq.FromFunction(function, "mine", **claims)


def test_a_lie_is_found_out_and_the_solution_compared_with_the_optimum() -> None:
    result = checked(tq.solve(HARD, algorithm=tq.AStar(_scaled(3, admissible=True))))
    assert result.cost is not None
    assert (result.lower_bound, result.optimal, result.assumes) == (31, False, "")
    longer = f"{result.cost - 31} moves longer than the optimum"
    assert result.reason == f"{longer}; mine is not admissible (63 > 31 here)"
    assert verdict(result) == f"Solved in {result.cost} moves; {result.reason}."


@pytest.mark.parametrize("claims", [{}, {"admissible": True}])
def test_a_correct_heuristic_gets_a_proof_with_the_flag_and_without(
    claims: dict[str, bool],
) -> None:
    result = checked(tq.solve(HARD, algorithm=tq.AStar(_scaled(1, **claims))))
    assert (result.cost, result.lower_bound, result.optimal) == (31, 31, True)
    assert verdict(result) == "Solved in 31 moves; no solution is shorter (checked)."


def test_a_lie_that_finds_a_shortest_solution_is_still_a_lie() -> None:
    result = checked(tq.solve(NEAR, algorithm=tq.AStar(_scaled(3, admissible=True))))
    assert verdict(result) == (
        "Solved in 2 moves; no solution is shorter (checked); mine is not admissible (6 > 2 here)."
    )


def test_what_is_not_seen_is_not_claimed() -> None:
    """A wrong value elsewhere shows only in a solution that is too long."""
    blind = tq.FromFunction(
        lambda board: 0 if board.text() == NEAR else 3 * manhattan(board), "blind", admissible=True
    )
    for algorithm in (
        tq.AStar(blind),
        tq.Greedy(blind),
        tq.AStar(replace(blind, admissible=False)),
    ):
        result = replace(
            tq.solve(NEAR, algorithm=algorithm),
            moves=tuple(tq.solve(NEAR, algorithm=lambda board: "RLLU").moves or ()),
            lower_bound=2,
        )
        assert checked(result).reason == "2 moves longer than the optimum of 2"
    longer = replace(result, assumes="blind is admissible")
    assert checked(longer).reason.endswith("of 2, so blind is not admissible")


def test_without_a_distance_the_assumption_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=tq.AStar(_scaled(1, admissible=True)))
    limited = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm="bfs", max_nodes=900)
    assert limited.outcome is tq.Outcome.LIMIT_REACHED
    monkeypatch.setattr(isolated, "_shortest", lambda result: limited)
    result = checked(found)
    assert (result.optimal, result.lower_bound) == (False, max(10, limited.lower_bound))
    assert verdict(result) == "Solved in 14 moves; optimal if mine is admissible."


def test_only_user_code_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(result: tq.Result) -> None:
        raise AssertionError("searched again")

    monkeypatch.setattr(isolated, "_shortest", fail)
    for algorithm in ("greedy(manhattan)", "bfs", "beam(width=3)"):
        result = tq.solve(HARD, algorithm=algorithm, max_nodes=10**5)
        assert checked(result) == result
    unsolved = tq.solve(HARD, algorithm=tq.AStar(_scaled(3)), max_nodes=10)
    assert checked(unsolved) == unsolved


def test_the_library_does_no_second_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "checked", lambda result: 1 / 0)
    detour: Callable[[tq.Board], str] = lambda board: "RLLU"  # noqa: E731
    result = tq.solve(NEAR, algorithm=detour)
    assert (result.cost, result.lower_bound, result.engine.name) == (4, 2, "glass-box")
    assert [each.cost for each in tq.solve_many([NEAR], algorithm=detour)] == [4]


def test_the_last_event_of_a_trace_is_checked() -> None:
    *_, last = checked_events(tq.trace(NEAR, algorithm=tq.AStar(_scaled(1))))
    assert isinstance(last, tq.Finished)
    assert last.result.optimal


def test_a_shorter_solution_contradicts_an_assumption() -> None:
    lie = tq.solve(HARD, algorithm=tq.AStar(_scaled(3, admissible=True)))
    assert lie.cost is not None
    longer = f"{lie.cost - 31} moves longer than another solution"
    assert contradiction(lie, 31) == f"{longer}, so mine is not admissible"
    assert contradiction(lie, lie.cost) == ""
    assert contradiction(tq.solve(NEAR), 0) == ""

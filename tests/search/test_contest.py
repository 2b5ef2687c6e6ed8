"""Searches side by side: lockstep, places, and how a contest is stopped."""

from __future__ import annotations

from itertools import count

import pytest

from taquin import Board, Goal, Puzzle
from taquin.search import driver as contests
from taquin.search.driver import Contest, Effort, rank_of
from taquin.search.grammar import search_named
from taquin.search.result import NO_LIMITS, Outcome

PUZZLE = Puzzle(Goal.blank_last(3, 3))


def contest(*names: str, board: str, by: Effort = Effort.EXPANSIONS) -> Contest:
    """Return a race about to begin."""
    searches = [search_named(name) for name in names]
    return Contest(PUZZLE, Board.parse(board), searches, NO_LIMITS, by)


HARD = "8 6 7 / 2 5 4 / 3 0 1"


def test_all_have_had_the_same_number_of_expansions_also_when_they_are_stopped() -> None:
    held = contest("bfs", "astar", "idastar", board=HARD)
    for amount in (1, 1, 5, 20):
        held.advance(amount, 1e9)
        assert {runner.expanded for runner in held.contestants} == {held.level}
    held.advance(1e9, 0.01)
    counts = [runner.expanded for runner in held.contestants]
    assert max(counts) - min(counts) <= 1
    held.stop()
    assert not held.running
    for runner, expanded in zip(held.contestants, counts, strict=True):
        assert runner.result is not None
        assert runner.result.outcome is Outcome.STOPPED
        assert (runner.result.stats.expanded or 0) >= expanded


def test_by_time_nobody_is_ahead_by_more_than_one_expansion(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = count()
    monkeypatch.setattr(contests, "perf_counter", lambda: next(looks) / 1_000)
    held = contest("bfs", "astar:linear-conflict", board=HARD, by=Effort.TIME)
    held.advance(0.05, 1e9)
    spent = [runner.spent for runner in held.contestants]
    assert min(spent) >= 0.05 - 1e-9
    assert max(spent) - min(spent) < 0.002
    assert all(runner.result is None for runner in held.contestants)


def test_the_first_place_is_for_the_fewest_expansions() -> None:
    held = contest("bfs", "astar", "astar", board="0 1 3 / 4 2 5 / 7 8 6")
    held.advance(1e9, 1e9)
    assert not held.running
    assert [rank_of(runner, held.contestants) for runner in held.contestants] == [3, 1, 1]
    assert [runner.result.cost for runner in held.contestants if runner.result] == [4, 4, 4]
    assert all(PUZZLE.is_goal(runner.board) for runner in held.contestants)

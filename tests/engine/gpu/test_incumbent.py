"""A solution that a beam finds saves the last bound, and nothing else changes."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from taquin.engine.anytime.arrays import arrays_of, follow
from taquin.engine.choose import solve
from taquin.engine.gpu import incumbent as incumbents
from taquin.engine.gpu.card import Card
from taquin.engine.gpu.engine import Gpu
from taquin.engine.gpu.incumbent import Incumbent
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Limits, Outcome, Result, Task
from tests import truth

THREE = Goal.blank_last(3, 3)


def incumbent_of(card: Card, seed: int) -> tuple[Incumbent, int]:
    """Return what beams are to find for a random board, and its true length."""
    board = random_board(THREE, seed=seed)
    puzzle = arrays_of(Space(Puzzle(THREE), board))
    return Incumbent(card, puzzle), truth.eight_puzzle()[board.cells]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let beams of a few boards be worth their time."""
    monkeypatch.setattr(incumbents, "_LEAST_WIDTH", 1)
    monkeypatch.setattr(incumbents, "_NODES_FOR_A_BOARD", 1)


@pytest.mark.usefixtures("small")
def test_beams_find_a_solution_from_either_side(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    for walk in incumbents._WALKS:
        monkeypatch.setattr(incumbents, "_WALKS", (walk,))
        for seed in range(10):
            incumbent, length = incumbent_of(card, seed)
            incumbent.improve(length, 1_000, lambda: True, inf)
            assert incumbent.moves == length
            assert incumbent.generated > 0
            puzzle = incumbent._puzzle
            steps = [
                list(puzzle.near[cell]).index(following)
                for cell, following in zip(incumbent.path, incumbent.path[1:], strict=False)
            ]
            assert follow(puzzle.start, bytes(steps), puzzle.near) == puzzle.goal


@pytest.mark.usefixtures("small")
def test_a_beam_that_cannot_help_does_not_begin(
    card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    incumbent, length = incumbent_of(card, 1)
    incumbent.improve(length, 1_000, lambda: True, 10_000)
    assert incumbent.generated == 0, "more nodes than are allowed"
    incumbent.improve(length, 2, lambda: False, inf)
    assert incumbent.generated == 0, "the search is over"
    monkeypatch.setattr(incumbents, "_LEAST_WIDTH", 1_000)
    incumbent.improve(length, 1_000, lambda: True, inf)
    assert incumbent.generated == 0, "the bound is small"
    monkeypatch.setattr(incumbents, "_MEMORY_SHARE", 0.0)
    incumbent.improve(length, 10_000, lambda: True, inf)
    assert incumbent.generated == 0, "no memory is left"
    monkeypatch.undo()
    assert incumbent.moves is None


@pytest.mark.usefixtures("small")
def test_a_solution_that_was_too_long_is_replaced(card: Card) -> None:
    improved = 0
    for seed in range(40):
        incumbent, length = incumbent_of(card, seed)
        incumbent.improve(length, 6, lambda: True, inf)
        narrow = incumbent.moves
        incumbent.improve(length, 4_000, lambda: True, inf)
        assert incumbent.moves == length
        improved += narrow is not None and narrow > length
        before = incumbent.generated
        incumbent.improve(length, 1e6, lambda: True, inf)
        assert incumbent.generated == before, "it is as short as it can be"
    assert improved


def solved(seed: int, limits: Limits | None = None) -> Result:
    board = random_board(THREE, seed=seed)
    return solve(board, THREE, engine=Gpu(6), limits=limits or Limits())


@pytest.mark.usefixtures("wired")
def test_it_changes_no_length_and_no_completed_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = [solved(seed) for seed in range(20)]
    monkeypatch.setattr(incumbents, "_LEAST_WIDTH", 1)
    saved = 0
    # Of narrow beams some find longer solutions, and some find none.
    for nodes_for_a_board in (1, 30, 200):
        monkeypatch.setattr(incumbents, "_NODES_FOR_A_BOARD", nodes_for_a_board)
        for seed, without in enumerate(plain):
            result = solved(seed)
            assert result.optimal
            assert result.cost == without.cost == truth.eight_puzzle()[result.start.cells]
            assert result.bounds[:-1] == without.bounds[:-1]
            assert sum(nodes for _, nodes in result.bounds) == result.stats.generated
            saved += result.moves != without.moves
    assert saved, "some solutions are those of beams"


@pytest.mark.usefixtures("wired", "small")
def test_a_search_that_is_ended_has_the_solution_known_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    improve = Incumbent.improve

    def interrupted(incumbent: Incumbent, *rest: Any) -> None:
        improve(incumbent, *rest)
        if incumbent.path:
            raise KeyboardInterrupt

    monkeypatch.setattr(Incumbent, "improve", interrupted)
    tasks = [Task(Puzzle(THREE), random_board(THREE, seed=seed)) for seed in range(10)]
    results = [Gpu(6).solve(task, Control()) for task in tasks]
    # The others were solved before any beam.
    stopped = [result for result in results if result.outcome is Outcome.STOPPED]
    assert stopped
    for ended in stopped:
        assert ended.moves is not None
        length = truth.eight_puzzle()[ended.start.cells]
        assert ended.lower_bound < length <= len(ended.moves)
        assert ended.boards()[-1].cells == THREE.cells


@pytest.mark.usefixtures("wired", "small")
def test_a_solution_longer_than_the_limit_on_depth_is_none() -> None:
    for seed in range(10):
        board = random_board(THREE, seed=seed)
        length = truth.eight_puzzle()[board.cells]
        assert solved(seed, Limits(depth=length - 1)).moves is None
        assert solved(seed, Limits(depth=length)).cost == length

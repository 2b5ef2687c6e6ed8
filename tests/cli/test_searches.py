"""What the command line says about searches, checked against the searches themselves."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

import pytest

from taquin.cli.searches import UNHEEDED
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.conventions import GoalTest, Ties
from taquin.search.driver import solve
from taquin.search.registry import ALGORITHMS, algorithm_named
from taquin.search.result import Stats

BOARDS = ("1 2 3 / 4 0 5 / 7 8 6", "4 5 0 / 1 2 3", "4 1 2 / 0 5 3")
VALUES = {"ties": tuple(Ties), "goal_test": tuple(GoalTest)}


def counts(name: str, board: str, **convention: Any) -> tuple[object, ...]:
    """Return all that is counted when a search runs with one convention changed."""
    usual = algorithm_named(name).conventions
    # A wide beam prunes nothing on a small board.
    options = {"width": 4} if name == "beam" else {}
    search = algorithm_named(name, conventions=replace(usual, **convention), **options)
    start = Board.parse(board)
    puzzle = Puzzle(Goal.blank_last(start.grid.rows, start.grid.columns))
    stats: Stats = replace(solve(puzzle, start, search).stats, seconds=0, peak_memory=0)
    return astuple(stats)


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("convention", VALUES)
def test_exactly_the_conventions_that_make_a_difference_can_be_chosen(
    name: str, convention: str
) -> None:
    differs = any(
        len({counts(name, board, **{convention: value}) for value in VALUES[convention]}) > 1
        for board in BOARDS
    )
    assert differs is (convention not in UNHEEDED.get(name, ()))

"""Which conventions each search supports, checked against the searches themselves."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

import pytest

from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.algorithms import ALGORITHMS
from taquin.search.conventions import GoalTest, Ties
from taquin.search.grammar import search_from_options
from taquin.search.result import Stats
from tests.glass import solve

BOARDS = ("1 2 3 / 4 0 5 / 7 8 6", "4 5 0 / 1 2 3", "4 1 2 / 0 5 3")
VALUES: dict[str, tuple[Any, ...]] = {"ties": tuple(Ties), "goal_test": tuple(GoalTest)}


def counts(name: str, board: str, **convention: Any) -> tuple[object, ...]:
    """Return all that is counted when a search runs with one convention changed by force."""
    # A wide beam prunes nothing on a small board.
    search = search_from_options(name, {"width": 4} if name == "beam" else {})
    object.__setattr__(search, "conventions", replace(search.conventions, **convention))
    start = Board.parse(board)
    puzzle = Puzzle(Goal.blank_last(start.grid.rows, start.grid.columns))
    stats: Stats = replace(
        solve(puzzle, start, search).stats, seconds=0, cpu_seconds=0, peak_memory=0
    )
    return astuple(stats)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("convention", VALUES)
def test_exactly_the_conventions_that_make_a_difference_can_be_chosen(
    name: str, convention: str
) -> None:
    differs = any(
        len({counts(name, board, **{convention: value}) for value in VALUES[convention]}) > 1
        for board in BOARDS
    )
    assert differs is (convention not in getattr(search_from_options(name, {}), "unsupported", ()))


@pytest.mark.parametrize("board", BOARDS)
def test_a_beam_knows_only_the_ties_that_differ(board: str) -> None:
    first_in, *others = (counts("beam", board, ties=ties) for ties in (Ties.FIFO, *Ties))
    known = ALGORITHMS["beam"]().supported["ties"]  # type: ignore[attr-defined]
    for ties, found in zip(Ties, others, strict=True):
        assert ties in known or found == first_in

"""Hints: the moves left, and a good next move."""

from __future__ import annotations

import pytest

from taquin import Goal, Puzzle, random_board
from taquin.analysis import hints as advising
from taquin.analysis.hints import HINT_PATIENCE, PATIENCE, HintFinder
from taquin.engine import Engine
from taquin.engine.base import run
from taquin.search.control import Control
from taquin.search.result import Result, Task

_LINE_BY_LINE = 283
"""The moves of this board's line-by-line solution. A search for a second finds about 115."""


def test_a_hint_for_a_large_board_begins_a_good_solution_and_repeats_no_search(
    table_folder: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines: list[str] = []

    def noted(task: Task, engine: Engine, control: Control) -> Result:
        engines.append(engine.name)
        return run(task, engine, control)

    monkeypatch.setattr(advising, "run", noted)
    goal = Goal.blank_last(5, 5)
    finder, board = HintFinder(Puzzle(goal)), random_board(goal, seed=1)
    for patience in (PATIENCE, HINT_PATIENCE):
        # The moves left, then a hint.
        finder.find(board, patience, lambda stage: None, lambda: False)
    assert engines == ["auto", "anytime"]
    advice = finder.of(board)
    assert advice is not None
    assert advice.left is not None
    assert advice.at_least <= advice.left < _LINE_BY_LINE
    assert advice.move in [move for move, _ in Puzzle(goal).successors(board)]

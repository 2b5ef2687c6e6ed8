"""Hints: the moves left, and a good next move."""

from __future__ import annotations

from taquin.engine.advice import HINT_PATIENCE, Knowledge
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board

_LINE_BY_LINE = 283
"""The moves of this board's line-by-line solution. A search for a second finds about 115."""


def test_a_hint_for_a_large_board_begins_a_good_solution(table_folder: object) -> None:
    goal = Goal.blank_last(5, 5)
    knowledge, board = Knowledge(Puzzle(goal)), random_board(goal, seed=1)
    knowledge.find(board, HINT_PATIENCE, lambda stage: None, lambda: False)
    advice = knowledge.of(board)
    assert advice is not None
    assert advice.left is not None
    assert advice.at_least <= advice.left < _LINE_BY_LINE
    assert advice.move in [move for move, _ in Puzzle(goal).successors(board)]

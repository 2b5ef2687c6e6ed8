"""Convert Python values to boards and goals: texts of any form, rows, arrays.

solve("8 6 7 / 2 5 4 / 3 0 1")      solve([[8, 6, 7], [2, 5, 4], [3, 0, 1]], "snail")
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from taquin.errors import NotationError
from taquin.model.board import Arrangement, Board, BoardLike
from taquin.model.goal import NAMED_GOALS, Goal, named_goal
from taquin.model.moves import Direction, Move
from taquin.notation.boards import read_board, read_goal
from taquin.notation.json_values import board_of_json, goal_of_json
from taquin.notation.moves import read_moves
from taquin.system.words import shorten

_SIZE = r"\s*([0-9]{1,2})\s*[x×X]\s*([0-9]{1,2})\s*"

GoalLike = Goal | Board | str | Iterable[Any] | None
"""A goal, its name or text, a size for blank-last, rows, an array; None for blank-last."""


def read_value(kind: type, value: Any) -> Board | Goal | tuple[tuple[Direction, int], ...]:
    """Parse a text or a JSON object; the model calls this through `taquin.system.hooks`.

    `kind` is `Board`, `Goal` (a size such as `3x3` is the goal blank-last), or `Move` for the
    directions and counts of a move string. Raise NotationError that points at the fault.
    """
    if kind is Move:
        return read_moves(value)
    if issubclass(kind, Goal):
        if isinstance(value, str) and value in NAMED_GOALS:
            name = value.replace("-", "_")
            raise NotationError(f"the goal {value} needs a size: write Goal.{name}(3, 3)")
        if isinstance(value, str) and (size := re.fullmatch(_SIZE, value)):
            return Goal.blank_last(int(size[1]), int(size[2]))
        return read_goal(value) if isinstance(value, str) else goal_of_json(value)
    return read_board(value) if isinstance(value, str) else board_of_json(value)


def as_goal(value: GoalLike, board: Arrangement) -> Goal:
    """Convert `value` to a goal on the grid of `board`; None is blank-last.

    A size, such as `3x3`, is the goal blank-last of that size.
    """
    name = "blank-last" if value is None else value
    if isinstance(name, str):
        if name in NAMED_GOALS:
            return named_goal(name, board.grid)
        if re.fullmatch(_SIZE, name):
            return Goal.of(name)
        try:
            return read_goal(name, board.grid.rows, board.grid.columns)
        except NotationError:
            if message := no_goal(name):
                raise NotationError(message) from None
            raise
    return Goal.of(name)


def as_start(value: BoardLike, goal: GoalLike) -> Board:
    """Convert `value` to a board; for a named goal, prefer the tiles 1, 2, 3 …."""
    is_named = goal is None or (isinstance(goal, str) and goal in NAMED_GOALS)
    if isinstance(value, str) and is_named:
        # On failure, the comparison of start and goal reports the fault.
        with suppress(NotationError):
            return read_board(value, classic=True)
    return Board.of(value)


def no_goal(text: str) -> str:
    """Return the error message for a text that looks like a goal name; empty for other texts."""
    if any(mark in text for mark in "0123456789*_@. "):
        return ""
    return (
        f"there is no goal {shorten(text)}; expected {', '.join(NAMED_GOALS)}, or a board with * "
        f"where any tile will do"
    )

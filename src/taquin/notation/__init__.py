"""Every text and JSON form of boards, goals and moves, in and out.

One reader recognises every `Form`; errors are `NotationError` and point at the character.
"""

from taquin.notation.boards import read_board, read_goal, read_many
from taquin.notation.detect import detect
from taquin.notation.forms import MAX_CELLS, MAX_CHARACTERS, Form
from taquin.notation.moves import moves_on, read_moves, write_moves
from taquin.notation.values import (
    BoardJson,
    MoveJson,
    board_json,
    board_of_json,
    goal_json,
    goal_of_json,
    move_json,
    move_of_json,
)
from taquin.notation.writing import can_write, write_board, write_goal

__all__ = [
    "MAX_CELLS",
    "MAX_CHARACTERS",
    "BoardJson",
    "Form",
    "MoveJson",
    "board_json",
    "board_of_json",
    "can_write",
    "detect",
    "goal_json",
    "goal_of_json",
    "move_json",
    "move_of_json",
    "moves_on",
    "read_board",
    "read_goal",
    "read_many",
    "read_moves",
    "write_board",
    "write_goal",
    "write_moves",
]

# The public names of the notation; `taquin.system.lazy` loads each when it is first used.

__all__: list[str]

from taquin.notation.answers import Answers as Answers
from taquin.notation.answers import read_answers as read_answers
from taquin.notation.boards import GoalLike as GoalLike
from taquin.notation.boards import another_board as another_board
from taquin.notation.boards import as_goal as as_goal
from taquin.notation.boards import can_write as can_write
from taquin.notation.boards import read_board as read_board
from taquin.notation.boards import read_boards as read_boards
from taquin.notation.boards import read_goal as read_goal
from taquin.notation.boards import read_many as read_many
from taquin.notation.boards import write_board as write_board
from taquin.notation.boards import write_goal as write_goal
from taquin.notation.forms import MAX_CELLS as MAX_CELLS
from taquin.notation.forms import MAX_CHARACTERS as MAX_CHARACTERS
from taquin.notation.forms import Form as Form
from taquin.notation.forms import recognise as recognise
from taquin.notation.json_values import BoardJson as BoardJson
from taquin.notation.json_values import MoveJson as MoveJson
from taquin.notation.json_values import board_json as board_json
from taquin.notation.json_values import board_of_json as board_of_json
from taquin.notation.json_values import goal_json as goal_json
from taquin.notation.json_values import goal_of_json as goal_of_json
from taquin.notation.json_values import move_json as move_json
from taquin.notation.json_values import move_of_json as move_of_json
from taquin.notation.moves import moves_on as moves_on
from taquin.notation.moves import read_moves as read_moves
from taquin.notation.moves import write_moves as write_moves

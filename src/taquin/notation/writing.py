"""Write boards and goals in any form that can express them: what is written reads back the same."""

from __future__ import annotations

import json

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import ANY, BLANK, FILLER, WALL
from taquin.model.rows import draw_rows, write_rows
from taquin.notation.characters import WIDEST, character_of_label, is_wide
from taquin.notation.comments import is_long_name
from taquin.notation.folding import fold
from taquin.notation.forms import MAX_CELLS, MAX_CHARACTERS, Form
from taquin.system.words import shorten


def write_board(board: Board, form: Form = Form.ROWS) -> str:
    """Return the text of `board` in `form`, which `read_board` reads back.

    Raise NotationError when the form cannot express the board.

    >>> write_board(Board.parse("0 1 2 / 3 4 5 / 6 7 8"), Form.WORDS)
    'b12 345 678'
    """
    return _write(board, form)


def write_goal(goal: Goal, form: Form = Form.ROWS) -> str:
    """Return the text of `goal` in `form`, which `read_goal` reads back.

    Raise NotationError when the form cannot express the goal.
    """
    return _write(goal, form)


def can_write(position: Board | Goal, form: Form) -> bool:
    """Tell whether `form` can express a board or a goal."""
    try:
        _write(position, form)
    except NotationError:
        return False
    return True


def _write(position: Board | Goal, form: Form) -> str:
    if position.grid.size > MAX_CELLS:
        raise NotationError(
            f"a text holds at most {MAX_CELLS:,} cells, this is {position.grid.size:,}"
        )
    match form:
        case Form.ROWS:
            text = _rows(position)
        case Form.N_ROWS:
            text = _n_rows(position, form)
        case Form.COMMENTED:
            text = f"# {position.grid}\n{_n_rows(position, form)}"
        case Form.WORDS:
            text = _words(position)
        case Form.LINE:
            text = _line(position)
        case Form.COMPACT:
            text = _compact(position)
        case Form.JSON:
            text = json.dumps(fold(position.cells, position.grid.columns), ensure_ascii=False)
    if len(text) > MAX_CHARACTERS:
        raise NotationError(
            f"a text has at most {MAX_CHARACTERS:,} characters, this takes {len(text):,}"
        )
    return text


def _rows(position: Board | Goal) -> str:
    text = write_rows(position.cells, position.grid.columns)
    if position.grid.rows == 1:
        # Without a `/` one row would read as the cells of a square.
        text += " /"
    if position.cells[0] == WALL and any(map(is_long_name, position.cells)):
        # Indented, it cannot be a comment.
        text = f" {text}"
    return text


def _n_rows(position: Board | Goal, form: Form) -> str:
    _demand_square(position, form)
    if position.grid.walls:
        raise NotationError(f"the {form} form has no walls, for # starts a comment in it{_INSTEAD}")
    return f"{position.grid.rows}\n{draw_rows(position.cells, position.grid.columns, blank='0')}"


def _words(position: Board | Goal) -> str:
    grid = position.grid
    if grid.rows < 2 or grid.columns < 2:
        raise NotationError(f"the words form needs two rows and two columns, this is {grid}")
    if BLANK not in position.cells and grid.rows != grid.columns:
        raise NotationError(f"the words form needs a blank unless it is square{_INSTEAD}")
    characters = _characters(position, Form.WORDS, wide=False).replace("0", "b")
    return " ".join("".join(row) for row in fold(characters, grid.columns))


def _line(position: Board | Goal) -> str:
    _demand_square(position, Form.LINE)
    _refuse_first_wall(position, Form.LINE)
    for label in position.cells:
        if isinstance(label, str) and label not in (FILLER, WALL, ANY):
            raise NotationError(f"the line form has no names, found {shorten(label)}{_INSTEAD}")
    return ",".join(map(str, position.cells))


def _compact(position: Board | Goal) -> str:
    _demand_square(position, Form.COMPACT)
    if position.grid.size > WIDEST:
        raise NotationError(
            f"the compact form has at most {WIDEST} cells, this is {position.grid}{_INSTEAD}"
        )
    return _characters(position, Form.COMPACT, is_wide(position.grid.size))


def _characters(position: Board | Goal, form: Form, wide: bool) -> str:
    """Return one character for each cell."""
    _refuse_first_wall(position, form)
    found = []
    for label in position.cells:
        character = character_of_label(label, wide)
        if character is None:
            raise NotationError(
                f"the {form} form has one character for each cell and none for "
                f"{shorten(str(label))}{_INSTEAD}"
            )
        found.append(character)
    return "".join(found)


_INSTEAD = "; write rows instead"


def _demand_square(position: Board | Goal, form: Form) -> None:
    grid = position.grid
    if grid.rows != grid.columns or grid.rows < 2:
        raise NotationError(f"the {form} form is for squares from 2×2 up, this is {grid}{_INSTEAD}")


def _refuse_first_wall(position: Board | Goal, form: Form) -> None:
    if position.cells[0] == WALL:
        raise NotationError(
            f"the {form} form cannot begin with a wall, for a line that starts with # is a "
            f"comment{_INSTEAD}"
        )

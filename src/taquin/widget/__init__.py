"""A board to play in a notebook, by anywidget; the extra `widget` installs it.

    from taquin.widget import BoardWidget

    widget = BoardWidget("8 1 3 / 4 0 2 / 7 6 5")
    widget                      # click a tile, or use the arrow keys
    widget.board                # the current board; assign another one to show it

It uses the code and the style of the page (`taquin/web/static`).
"""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from taquin.errors import MissingError
from taquin.model.board import Board, BoardLike
from taquin.model.puzzle import Goal
from taquin.notation.boards import as_goal
from taquin.system.lazy import not_installed
from taquin.web.site import STATIC

if find_spec("anywidget") is None:
    raise MissingError(not_installed("widgets need anywidget", "widget"))

import anywidget
import traitlets

_MODULES = (
    *("page/storage.js", "page/messages.js", "page/dom.js"),
    *("puzzle/puzzle.js", "puzzle/board.js"),
)
"""The modules of the page that draw a board, each after the modules that it imports."""
_SECTIONS = ("puzzle",)
"""The messages that they need, in English like those of Python."""


def _script() -> str:
    """Concatenate the modules of the page and the widget's, without imports."""
    page = "\n".join((STATIC / name).read_text("utf-8") for name in _MODULES)
    page = re.sub(r"^import\b[^;]*;\n", "", page, flags=re.MULTILINE)
    page = re.sub(r"^export ", "", page, flags=re.MULTILINE)
    table = json.loads((STATIC / "messages" / "en.json").read_text("utf-8"))
    messages = json.dumps({section: table[section] for section in _SECTIONS})
    page += f'\nuseMessages({messages}, "en");\n'
    return page + (Path(__file__).parent / "widget.js").read_text("utf-8")


def _style() -> str:
    """Return the page's colours and rules for boards, restricted to the widget."""
    style = (STATIC / "styles" / "style.css").read_text("utf-8")
    root = re.search(r":root \{\n.*?^\}", style, re.DOTALL | re.MULTILINE)
    boards = re.search(
        r"/\* --- boards -+ \*/\n(.*?)(?=^/\* --- )", style, re.DOTALL | re.MULTILINE
    )
    assert root is not None, "style.css begins with its colours"
    assert boards is not None, "style.css has a section on boards"
    tokens = root[0].replace(":root", ".taquin-board", 1)
    return f"{tokens}\n.taquin-board {{ max-width: 20rem;\n{boards[1]}}}\n"


def _rows(value: Board | Goal, widget: object) -> list[list[Any]]:
    return [list(row) for row in value.rows()]


class BoardWidget(anywidget.AnyWidget):
    """A board that is played with clicks and arrow keys.

    `board` and `goal` accept any value that `Board` and `Goal` accept, and can be observed:
    `widget.observe(print, "board")`. Raise InputError for any other value.
    """

    _esm = _script()
    _css = _style()
    board = traitlets.Any().tag(
        sync=True, to_json=_rows, from_json=lambda rows, widget: Board.of_rows(rows)
    )
    """The current board, in Python and in the notebook."""
    goal = traitlets.Any().tag(sync=True, to_json=_rows)
    """The goal; tiles in their goal cells are tinted."""

    def __init__(self, board: BoardLike, goal: Goal | BoardLike | None = None) -> None:
        start = Board.of(board)
        super().__init__(board=start, goal=as_goal(goal, start))

    @traitlets.validate("board")
    def _check_board(self, proposal: Any) -> Board:
        return Board.of(proposal["value"])

    @traitlets.validate("goal")
    def _check_goal(self, proposal: Any) -> Goal:
        return Goal.of(proposal["value"])

    def play(self, moves: Any) -> None:
        """Apply moves, such as `"LU"`; raise IllegalMoveError for an illegal one."""
        self.board = self.board.apply(moves)

    @property
    def solved(self) -> bool:
        """Whether the board meets the goal."""
        return bool(self.goal.is_met(self.board))

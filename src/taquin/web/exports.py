"""The job of writing a board or its solution to a file: a picture, a film, text or JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from taquin.engine.grading import moves_meant
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.answers import read_pushes
from taquin.notation.json_values import move_json, move_of_json
from taquin.notation.moves import write_moves
from taquin.search.grammar import Written
from taquin.search.result import EngineTag, Outcome, Result
from taquin.system.words import counted
from taquin.views.wording import move_name
from taquin.web.job import STOP_SECONDS, Stop, Tell, rows_of

TYPES = {
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "png": "image/png",
    "text": "text/plain; charset=utf-8",
    "json": "application/json",
}
"""The forms of files, each with its content type."""
_MOST_MOVES = 20_000
"""Of a solution that is written to a file."""
_ENDINGS = {"text": "txt"}
"""What names end with, where it is not the form."""


@dataclass(frozen=True, slots=True)
class Export:
    """Write a board and the moves that solve it."""

    puzzle: Puzzle
    start: Board
    written: object
    """The moves as the request has them: a text, or a list of them; None for the board alone."""
    form: str
    """One of TYPES."""
    dark: bool | None = None
    """How pictures look; None for as their reader's page where they can."""

    is_quick = False
    seconds = 60.0
    stop_seconds = STOP_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Make the file, and tell it whole."""
        moves = _moves(self.written, self.start, self.puzzle.metric)
        walk = _Walk(self.puzzle, self.start, moves)
        if self.form == "text":
            made = "\n".join(walk.lines()).encode()
        elif self.form == "json":
            made = json.dumps(walk.record(), ensure_ascii=False).encode()
        else:
            made = walk.picture(self.form, self.dark)
        name = f"taquin.{_ENDINGS.get(self.form, self.form)}"
        content = base64.b64encode(made).decode()
        tell("result", {"file": {"name": name, "type": TYPES[self.form], "base64": content}})


@dataclass(frozen=True, slots=True)
class _Walk:
    """A board, and the moves that solve it if there are any."""

    puzzle: Puzzle
    start: Board
    moves: tuple[Move, ...] | None

    def _boards(self) -> tuple[Board, ...]:
        return (self.start,) if self.moves is None else self.puzzle.replay(self.start, self.moves)

    def _title(self) -> str:
        return f"Solved in {counted(len(self.moves or ()), 'move')}"

    def lines(self) -> Iterator[str]:
        """Yield the moves in one line, then every board with the move that led to it."""
        boards, moves = self._boards(), self.moves or ()
        if self.moves is not None:
            yield from (f"{self._title()}: {write_moves(moves, self.puzzle.metric)}", "", "start")
        yield from (str(boards[0]), "")
        for number, (move, board) in enumerate(zip(moves, boards[1:], strict=True), 1):
            yield from (f"{number}. {move_name(move)}", str(board), "")

    def record(self) -> dict[str, object]:
        """Return all of it as a record of JSON."""
        boards = self._boards()
        return {
            "board": rows_of(self.start),
            "goal": rows_of(self.puzzle.goal),
            "metric": self.puzzle.metric.value,
            "moves": None if self.moves is None else [move_json(move) for move in self.moves],
            "boards": [rows_of(board) for board in boards],
        }

    def picture(self, form: str, dark: bool | None) -> bytes:
        """Return the file of a picture or a film."""
        # Only pictures need it, and it brings large libraries.
        from taquin.views.pictures.drawings import board_drawing, solution_drawing
        from taquin.views.pictures.formats import painted

        if self.moves is None:
            return painted(board_drawing(self.start), form, dark)
        result = Result(
            Outcome.SOLVED, self.puzzle, self.start, self.moves, 0, Written("moves"), EngineTag("")
        )
        return painted(solution_drawing(result, self._title()), form, dark)


def _moves(value: object, start: Board, metric: Metric) -> tuple[Move, ...] | None:
    """Return moves that are written as text, or are a list of moves as JSON holds them."""
    if value is None:
        return None
    if isinstance(value, list):
        moves = tuple(map(move_of_json, value))
    elif isinstance(value, str):
        meant = moves_meant(start, read_pushes(value, start), metric)
        moves = tuple(islice(meant, _MOST_MOVES + 1))
    else:
        raise UnsuitableError("moves: expected a text such as LURD, or a list of moves")
    if len(moves) > _MOST_MOVES:
        raise UnsuitableError(f"moves: expected at most {_MOST_MOVES:,}, found more")
    return moves

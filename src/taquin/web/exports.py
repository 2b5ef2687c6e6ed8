"""The job of exporting a board or its solution to a file: a picture, an animation, text or JSON."""

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
from taquin.web.job import Emit, Job, ShouldStop, rows_of

TYPES = {
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "png": "image/png",
    "text": "text/plain; charset=utf-8",
    "json": "application/json",
}
"""The formats of files, each with its content type."""
_MOST_MOVES = 20_000
"""The longest solution that is exported."""


@dataclass(frozen=True, slots=True)
class Export(Job):
    """Write a board and the moves that solve it."""

    puzzle: Puzzle
    start: Board
    moves: object
    """The moves of the request: a text, or a list of moves; None for the board alone."""
    format: str
    """A key of TYPES."""
    dark: bool | None = None
    """The theme of pictures; None lets an SVG follow the page that shows it."""

    seconds = 60.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the file."""
        moves = _moves(self.moves, self.start, self.puzzle.metric)
        solution = _Solution(self.puzzle, self.start, moves)
        if self.format == "text":
            content = "\n".join(solution.lines()).encode()
        elif self.format == "json":
            content = json.dumps(solution.record(), ensure_ascii=False).encode()
        else:
            content = solution.picture(self.format, self.dark)
        file = {
            "name": "taquin.txt" if self.format == "text" else f"taquin.{self.format}",
            "type": TYPES[self.format],
            "base64": base64.b64encode(content).decode(),
        }
        emit("result", {"file": file})


@dataclass(frozen=True, slots=True)
class _Solution:
    """A board, and the moves that solve it unless it is exported alone."""

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
        """Return the JSON record."""
        boards = self._boards()
        return {
            "board": rows_of(self.start),
            "goal": rows_of(self.puzzle.goal),
            "metric": self.puzzle.metric.value,
            "moves": None if self.moves is None else [move_json(move) for move in self.moves],
            "boards": [rows_of(board) for board in boards],
        }

    def picture(self, form: str, dark: bool | None) -> bytes:
        """Return the file of a picture or an animation."""
        # Imported late: only pictures need these large libraries.
        from taquin.views.pictures.drawings import board_drawing, painted, solution_drawing

        if self.moves is None:
            return painted(board_drawing(self.start), form, dark)
        result = Result(
            Outcome.SOLVED, self.puzzle, self.start, self.moves, 0, Written("moves"), EngineTag("")
        )
        return painted(solution_drawing(result, self._title()), form, dark)


def _moves(value: object, start: Board, metric: Metric) -> tuple[Move, ...] | None:
    """Return the moves of a text, or of a list of JSON moves."""
    if value is None:
        return None
    if isinstance(value, list):
        moves = tuple(map(move_of_json, value))
    elif isinstance(value, str):
        moves = tuple(
            islice(moves_meant(start, read_pushes(value, start), metric), _MOST_MOVES + 1)
        )
    else:
        raise UnsuitableError("moves: expected a text such as LURD, or a list of moves")
    if len(moves) > _MOST_MOVES:
        raise UnsuitableError(f"moves: expected at most {_MOST_MOVES:,}, found more")
    return moves

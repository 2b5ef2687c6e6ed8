"""The job of exporting a board or its solution to a file: a picture, an animation, text or JSON."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from itertools import islice

from taquin import Board, Metric, Move, Outcome, Puzzle, Result, UnsuitableError, write_moves
from taquin.engine.grading import moves_named
from taquin.notation.answers import read_pushes
from taquin.notation.json_values import move_json, move_of_json
from taquin.search.grammar import RecordedMethod
from taquin.search.result import EngineTag
from taquin.system.words import counted
from taquin.views.wording import move_name
from taquin.web.job import Emit, Job, Lane, ShouldStop

TYPES = {
    "gif": "image/gif",
    "svg": "image/svg+xml",
    "png": "image/png",
    "text": "text/plain; charset=utf-8",
    "json": "application/json",
}
"""The formats of files, each with its content type."""
Moves = tuple[Move, ...] | None
"""The moves of a solution; None for the board alone."""
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
    """The theme of pictures; None lets an SVG follow the theme of its page."""

    lane = Lane.EXPORT
    seconds = 60.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit the file."""
        moves = _moves(self.moves, self.start, self.puzzle.metric)
        write = {"text": self._text, "json": self._json}.get(self.format, self._picture)
        file = {
            "name": "taquin.txt" if self.format == "text" else f"taquin.{self.format}",
            "type": TYPES[self.format],
            "base64": base64.b64encode(write(moves)).decode(),
        }
        emit("result", {"file": file})

    def _boards(self, moves: Moves) -> tuple[Board, ...]:
        return (self.start,) if moves is None else self.puzzle.replay(self.start, moves)

    def _text(self, moves: Moves) -> bytes:
        """Return the moves in one line, then every board with the move to it."""
        start, *boards = self._boards(moves)
        lines = [str(start), ""]
        if moves is not None:
            line = f"{_title(moves)}: {write_moves(moves, self.puzzle.metric)}"
            lines = [line, "", "start", *lines]
        for number, (move, board) in enumerate(zip(moves or (), boards, strict=True), 1):
            lines += [f"{number}. {move_name(move)}", str(board), ""]
        return "\n".join(lines).encode()

    def _json(self, moves: Moves) -> bytes:
        record = {
            "board": self.start.rows(),
            "goal": self.puzzle.goal.rows(),
            "metric": self.puzzle.metric.value,
            "moves": None if moves is None else [move_json(move) for move in moves],
            "boards": [board.rows() for board in self._boards(moves)],
        }
        return json.dumps(record, ensure_ascii=False).encode()

    def _picture(self, moves: Moves) -> bytes:
        # Imported late: only pictures need these large libraries.
        from taquin.views.pictures.drawings import board_drawing, painted, solution_drawing

        drawing = board_drawing(self.start)
        if moves is not None:
            outcome, search = Outcome.SOLVED, RecordedMethod("moves")
            result = Result(outcome, self.puzzle, self.start, moves, 0, search, EngineTag(""))
            drawing = solution_drawing(result, _title(moves))
        return painted(drawing, self.format, self.dark)


def _title(moves: tuple[Move, ...]) -> str:
    return f"Solved in {counted(len(moves), 'move')}"


def _moves(value: object, start: Board, metric: Metric) -> Moves:
    if value is None:
        return None
    if isinstance(value, list):
        moves = tuple(map(move_of_json, value))
    elif isinstance(value, str):
        named = moves_named(start, read_pushes(value, start), metric)
        moves = tuple(islice(named, _MOST_MOVES + 1))
    else:
        raise UnsuitableError("moves: expected a text such as LURD, or a list of moves")
    if len(moves) > _MOST_MOVES:
        raise UnsuitableError(f"moves: expected at most {_MOST_MOVES:,}, found more")
    return moves

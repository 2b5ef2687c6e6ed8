"""The adviser of a game: it computes the remaining moves in a thread of its own.

Keys never wait for it. It works on the board that was asked for last; a new question stops the
search for the previous one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread

from taquin.engine.advice import PATIENCE, Advice, Knowledge
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle

_CLOSING = 0.3
"""Seconds to wait for a search to stop; compiling takes longer, and ends with the process."""


@dataclass(frozen=True, slots=True)
class _Question:
    board: Board
    patience: float


class Adviser:
    """Computes the remaining moves, one board at a time."""

    def __init__(self, puzzle: Puzzle, notify: Callable[[], None]) -> None:
        self._notify = notify
        self._knowledge = Knowledge(puzzle)
        self._tried: dict[Board, float] = {}
        self._question: _Question | None = None
        self._busy: _Question | None = None
        self._closing = False
        self._condition = Condition()
        self._thread: Thread | None = None
        self.stage = ""
        """The preparation under way, in words; empty during a search."""

    def known(self, board: Board) -> Advice | None:
        """Return what is known of a board."""
        return self._knowledge.of(board)

    def is_busy(self, board: Board) -> bool:
        """Return whether a board is being searched, or is next."""
        return any(
            question is not None and question.board == board
            for question in (self._question, self._busy)
        )

    def ask(self, board: Board, patience: float = PATIENCE) -> None:
        """Ask for a search of `patience` seconds unless that was done; return at once."""
        known = self.known(board)
        if (known and known.is_exact) or self._tried.get(board, 0.0) >= patience:
            return
        with self._condition:
            busy = self._busy
            if busy and busy.board == board and busy.patience >= patience:
                self._question = None
                return
            self._question = _Question(board, patience)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="adviser", daemon=True)
                self._thread.start()
            self._condition.notify()

    def close(self) -> None:
        """Stop the search under way and the thread."""
        with self._condition:
            self._closing = True
            self._condition.notify()
        if self._thread is not None:
            self._thread.join(_CLOSING)

    def _work(self) -> None:
        while True:
            with self._condition:
                while self._question is None and not self._closing:
                    self._condition.wait()
                if self._closing:
                    return
                self._busy, self._question = self._question, None
            assert self._busy is not None
            self._answer(self._busy)
            # Cleared first, so that the listener sees an idle adviser.
            self._busy = None
            self._notify()

    def _answer(self, question: _Question) -> None:
        self._knowledge.find(question.board, question.patience, self._prepare, self._is_over)
        if not self._is_unwanted():
            self._tried[question.board] = question.patience

    def _prepare(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            self._notify()

    def _is_over(self) -> bool:
        # Tables serve every board, so only the end of the game stops building them.
        return self._closing if self.stage else self._is_unwanted()

    def _is_unwanted(self) -> bool:
        return self._closing or self._question is not None

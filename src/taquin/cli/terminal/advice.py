"""The adviser of a game: finds what is left to do in a thread of its own.

Keys are never kept waiting. The board asked for last is the one that is worked on; whoever asks
again for another one ends the search under way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread

from taquin.engine.advice import PATIENCE, Advice, Knowledge
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle

_CLOSING = 0.3
"""Seconds that a search has for its end when nobody wants it any more; compiling takes longer, and
ends with the process."""


@dataclass(frozen=True, slots=True)
class _Question:
    board: Board
    patience: float


class Adviser:
    """Works out what is left to do, one board at a time."""

    def __init__(self, puzzle: Puzzle, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._knowledge = Knowledge(puzzle)
        self._tried: dict[Board, float] = {}
        self._question: _Question | None = None
        self._busy: _Question | None = None
        self._closing = False
        self._turn = Condition()
        self._thread: Thread | None = None
        self.stage = ""
        """What is being prepared, in words; empty during a search."""

    def known(self, board: Board) -> Advice | None:
        """Return what is known of a board."""
        return self._knowledge.of(board)

    def is_busy(self, board: Board) -> bool:
        """Return whether a board is being worked on, or is next."""
        return any(
            each is not None and each.board == board for each in (self._question, self._busy)
        )

    def ask(self, board: Board, patience: float = PATIENCE) -> None:
        """Work on a board for so many seconds, unless that was done; never waits."""
        known = self.known(board)
        if (known and known.is_exact) or self._tried.get(board, 0.0) >= patience:
            return
        with self._turn:
            busy = self._busy
            if busy and busy.board == board and busy.patience >= patience:
                self._question = None
                return
            self._question = _Question(board, patience)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="adviser", daemon=True)
                self._thread.start()
            self._turn.notify()

    def close(self) -> None:
        """End whatever is under way."""
        with self._turn:
            self._closing = True
            self._turn.notify()
        if self._thread is not None:
            self._thread.join(_CLOSING)

    def _work(self) -> None:
        while True:
            with self._turn:
                while self._question is None and not self._closing:
                    self._turn.wait()
                if self._closing:
                    return
                self._busy, self._question = self._question, None
            assert self._busy is not None
            self._answer(self._busy)
            # Whoever is told finds nobody at work any more.
            self._busy = None
            self._tell()

    def _answer(self, question: _Question) -> None:
        self._knowledge.find(question.board, question.patience, self._prepare, self._is_over)
        if not self._is_unwanted():
            self._tried[question.board] = question.patience

    def _prepare(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            self._tell()

    def _is_over(self) -> bool:
        # Tables that are half built serve any board, so only the end of the game ends that.
        return self._closing if self.stage else self._is_unwanted()

    def _is_unwanted(self) -> bool:
        return self._closing or self._question is not None

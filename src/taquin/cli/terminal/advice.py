"""The adviser of a game: it computes the remaining moves in a thread of its own.

Keys never wait for it. It works on the board that was asked for last; a new question stops the
search for the previous one.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread

from taquin import Board, Puzzle
from taquin.engine.advice import PATIENCE, Advice, Knowledge

_CLOSING = 0.3
"""Seconds to wait for a search to stop; compiling takes longer, and ends with the process."""


class Adviser:
    """Computes the remaining moves, one board at a time."""

    def __init__(self, puzzle: Puzzle, notify: Callable[[], None]) -> None:
        self._notify = notify
        self._knowledge = Knowledge(puzzle)
        self._tried: dict[Board, float] = {}
        self._question: tuple[Board, float] | None = None
        """The board to search next, and the seconds that the search may take."""
        self._busy: tuple[Board, float] | None = None
        """The question under way."""
        self._closing = False
        self._condition = Condition()
        self.stage = ""
        """The preparation under way, in words; empty during a search."""
        self._thread = Thread(target=self._work, name="adviser", daemon=True)
        self._thread.start()

    def known(self, board: Board) -> Advice | None:
        """Return what is known of a board."""
        return self._knowledge.of(board)

    def is_busy(self, board: Board) -> bool:
        """Return whether a board is being searched, or is next."""
        return any(question and question[0] == board for question in (self._question, self._busy))

    def ask(self, board: Board, patience: float = PATIENCE) -> None:
        """Ask for a search of `patience` seconds unless that was done; return at once."""
        known = self.known(board)
        if (known and known.is_exact) or self._tried.get(board, 0.0) >= patience:
            return
        with self._condition:
            busy = self._busy
            if busy and busy[0] == board and busy[1] >= patience:
                self._question = None
                return
            self._question = (board, patience)
            self._condition.notify()

    def close(self) -> None:
        """Stop the search under way and the thread."""
        with self._condition:
            self._closing = True
            self._condition.notify()
        self._thread.join(_CLOSING)

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._question or self._closing)
                if self._closing or self._question is None:
                    return
                self._busy, self._question = self._question, None
                board, patience = self._busy
            self._knowledge.find(board, patience, self._prepare, self._is_over)
            if not self._is_over():
                self._tried[board] = patience
            # Cleared first, so that the listener sees an idle adviser.
            self._busy = None
            self._notify()

    def _prepare(self, stage: str) -> None:
        if stage != self.stage:
            self.stage = stage
            self._notify()

    def _is_over(self) -> bool:
        # Tables serve every board, so only the end of the game stops building them.
        return self._closing or (not self.stage and self._question is not None)

"""How many moves are left at best, and which comes next: found in a thread of its own.

Keys are never kept waiting. The board asked for last is the one that is worked on; whoever asks
again for another one ends the search under way. What is known of one board is known of every board
on its shortest solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread
from time import perf_counter

from taquin.engine.choose import Auto, run
from taquin.engine.seam import Engine
from taquin.errors import TaquinError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.result import Counters, Limits, Outcome, Result, Task
from taquin.system.machine import safe_memory
from taquin.tables.patterns import PACKED_CELLS
from taquin.tables.shape import shape_of

PATIENCE = 1.0
"""Seconds that a search for the moves left may take."""
HINT_PATIENCE = 10.0
"""Seconds for a move that somebody asked for."""
_ROUGH_WEIGHT = 5
"""Of the estimate in the search for any way at all, where no shortest one is found."""
_MOST_KNOWN = 20_000
_CLOSING = 0.3
"""Seconds that a search has for its end when nobody wants it any more; compiling takes longer, and
ends with the process."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What is known of a board."""

    at_least: int
    """Moves that every solution is proven to have."""
    left: int | None = None
    """Moves of the best solution known; None while none is."""
    move: Move | None = None
    """Its first move."""

    @property
    def is_exact(self) -> bool:
        """Tell whether the best solution known is a shortest one."""
        return self.left == self.at_least


@dataclass(frozen=True, slots=True)
class _Question:
    board: Board
    patience: float


class Adviser:
    """Works out what is left to do, one board at a time."""

    def __init__(self, puzzle: Puzzle, tell: Callable[[], None]) -> None:
        self._puzzle, self._tell = puzzle, tell
        self._known: dict[Board, Advice] = {}
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
        return self._known.get(board)

    def is_busy(self, board: Board) -> bool:
        """Tell whether a board is being worked on, or is next."""
        return any(
            each is not None and each.board == board for each in (self._question, self._busy)
        )

    def ask(self, board: Board, patience: float = PATIENCE) -> None:
        """Work on a board for so many seconds, unless that was done; never waits."""
        known = self._known.get(board)
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
        board = question.board
        self._search(question, None)
        known = self._known.get(board)
        if question.patience > PATIENCE and not self._is_unwanted() and not (known and known.left):
            # Better any way than none.
            self._search(question, AStar(LinearConflict(), weight=_ROUGH_WEIGHT))
        if not self._is_unwanted():
            self._tried[board] = question.patience

    def _search(self, question: _Question, algorithm: AStar | None) -> None:
        began: float | None = None

        def look(counters: Counters, seconds: float) -> None:
            nonlocal began
            if counters.stage != self.stage:
                self.stage = counters.stage
                self._tell()
            if began is None and not counters.stage:
                began = perf_counter()

        def stop() -> bool:
            # Tables that are half built serve any board, so only the end of the game ends that.
            if self.stage:
                return self._closing
            late = began is not None and perf_counter() - began > question.patience
            return late or self._is_unwanted()

        limits = Limits(memory=safe_memory())
        task = Task(self._puzzle, question.board, algorithm, limits)
        try:
            result = run(task, _engine(self._puzzle), Control(limits, progress=look, stop=stop))
        except TaquinError:
            # A puzzle that this search is not made for.
            return
        finally:
            self.stage = ""
        self._learn(question.board, result)

    def _is_unwanted(self) -> bool:
        return self._closing or self._question is not None

    def _learn(self, board: Board, result: Result) -> None:
        if result.outcome is Outcome.UNSOLVABLE:
            return
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        before = self._known.get(board)
        at_least = max(result.lower_bound, before.at_least if before else 0)
        if result.moves is None:
            self._known[board] = Advice(at_least)
            return
        for done, here in enumerate(result.boards()):
            rest = result.moves[done:]
            # One move brings the goal nearer by one at most; so the rest of a shortest solution is
            # a shortest one of its board.
            advice = Advice(max(0, at_least - done), len(rest), rest[0] if rest else None)
            if here == board or advice.is_exact or here not in self._known:
                self._known[here] = advice


def _engine(puzzle: Puzzle) -> Engine:
    """Return the fastest engine that has what it needs within seconds."""
    shape = shape_of(puzzle.goal)
    if shape is None or shape.size <= PACKED_CELLS:
        return Auto(once=True)
    # The tables of larger boards take minutes; they serve if they are there.
    from taquin.tables.build import recipes_of
    from taquin.tables.store import TableStore

    store = TableStore()
    there = all(store.path_of(recipe.name).exists() for recipe in recipes_of(shape, "small"))
    return Auto(tables="small" if there else None)

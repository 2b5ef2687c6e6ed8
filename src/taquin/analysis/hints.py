"""Hints: a lower bound on the moves left, and a good next move.

A shortest solution gives a hint for every board on it. Tables of boards above 16 cells are used if
they exist, never built.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

from taquin.engine.anytime.engine import Anytime
from taquin.engine.base import Engine, run
from taquin.engine.cpu.engine import missing_tables
from taquin.engine.task import Auto, is_first_board
from taquin.errors import TaquinError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.result import Counters, Limits, Outcome, Result, Task
from taquin.search.run import Algorithm
from taquin.system.machine import safe_memory
from taquin.tables.patterns import PACKED_CELLS
from taquin.tables.shape import shape_of

PATIENCE = 1.0
"""Seconds of search for the moves left."""
HINT_PATIENCE = 10.0
"""Seconds of search for a move that the user asks for."""
_OPTIMAL_SECONDS = 0.5
"""Seconds of search for a shortest solution of a large board, before any solution is taken."""
_FALLBACK_SECONDS = 1.0
"""Seconds of search for any solution of a large board."""
_FALLBACK = AStar(LinearConflict(), weight=5)
"""The search for any solution of other puzzles."""
_CACHE_SIZE = 20_000


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint for one board."""

    at_least: int
    """Lower bound on the moves of every solution."""
    left: int | None = None
    """Moves of the best solution known, if any."""
    move: Move | None = None
    """Its first move."""

    @property
    def is_exact(self) -> bool:
        """Whether the best solution known is a shortest one."""
        return self.left == self.at_least


class HintFinder:
    """The hints for the boards of one puzzle; `memory` is the limit of a search in bytes."""

    def __init__(self, puzzle: Puzzle, memory: int | None = None) -> None:
        self._puzzle = puzzle
        self._memory = safe_memory() if memory is None else memory
        self._cache: dict[Board, Advice] = {}

    def of(self, board: Board) -> Advice | None:
        """Return the hint for a board, if one was found."""
        return self._cache.get(board)

    def find(
        self, board: Board, patience: float, report: Callable[[str], None], stop: Callable[[], bool]
    ) -> None:
        """Search for `patience` seconds for the moves left.

        `report` is called with the stage of the preparation, which does not count as search, and
        with an empty text during the search. `stop` is polled, and ends the search.
        """
        began: float | None = None
        stage = ""

        def progress(counters: Counters, seconds: float) -> None:
            nonlocal began, stage
            if counters.stage != stage:
                stage = counters.stage
                report(stage)
            if stage:
                began = None
            elif began is None:
                began = perf_counter()

        def is_enough() -> bool:
            return stop() or (began is not None and perf_counter() - began > patience)

        limits = Limits(memory=self._memory)
        is_hint = patience > PATIENCE
        anytime = Anytime(seconds=_FALLBACK_SECONDS)
        is_large = self._puzzle.grid.size > PACKED_CELLS and anytime.fits(Task(self._puzzle, board))
        if is_large and is_hint:
            # On a large board a shortest solution is found at once or not in acceptable time.
            patience = _OPTIMAL_SECONDS
        attempts: tuple[tuple[Algorithm | None, Engine], ...] = (
            (None, quick_engine(self._puzzle)),
            (None, anytime) if is_large else (_FALLBACK, quick_engine(self._puzzle)),
        )
        if is_large and is_hint and self.of(board):
            # The longer search for the moves left found no shortest solution either.
            attempts = attempts[1:]
        for algorithm, engine in attempts:
            began, stage = None, ""
            task = Task(self._puzzle, board, algorithm, limits)
            control = Control(limits, progress=progress, stop=is_enough)
            try:
                # An error means that the search does not support the puzzle.
                with suppress(TaquinError):
                    self._learn(board, run(task, engine, control))
            finally:
                report("")
            known = self.of(board)
            if not is_hint or stop() or (known and known.left):
                return

    def _learn(self, board: Board, result: Result) -> None:
        if result.outcome is Outcome.UNSOLVABLE:
            return
        if len(self._cache) > _CACHE_SIZE:
            self._cache.clear()
        before = self._cache.get(board)
        at_least = max(result.lower_bound, before.at_least if before else 0)
        if result.moves is None:
            self._cache[board] = Advice(at_least)
            return
        for done, later in enumerate(result.boards()):
            rest = result.moves[done:]
            # A move lowers the distance by one at most, so the bound falls by one at most too.
            advice = Advice(max(0, at_least - done), len(rest), rest[0] if rest else None)
            if later == board or advice.is_exact or later not in self._cache:
                self._cache[later] = advice


def quick_engine(puzzle: Puzzle) -> Engine:
    """Return the fastest engine whose preparation takes only seconds."""
    shape = shape_of(puzzle.goal)
    if shape is None or shape.size <= PACKED_CELLS:
        return Auto(once=is_first_board())
    # The tables of larger boards take minutes to build.
    return Auto(tables=None if missing_tables(shape, "small") else "small")

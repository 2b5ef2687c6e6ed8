"""All solutions of a board, shorter ways in a sequence of moves, and hints.

`all_solutions` yields every shortest solution of a board, and optionally longer ones. `detours`
shortens a sequence of moves window by window. A `HintFinder` gives a lower bound on the moves left,
and a good next move.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice, pairwise
from time import perf_counter
from typing import TypeAlias

from taquin.engine.anytime.engine import Anytime
from taquin.engine.base import Engine, Solutions, check_fit
from taquin.engine.choose import Auto, engine_named, is_first_board, run
from taquin.engine.cpu.engine import missing_tables
from taquin.errors import TaquinError, UnsuitableError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.search.algorithms import AStar
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.result import (
    MOST_BEYOND,
    NO_LIMITS,
    Counters,
    Limits,
    Outcome,
    Result,
    Task,
    Want,
)
from taquin.search.run import Algorithm
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts
from taquin.system.machine import safe_memory
from taquin.tables.patterns import PACKED_CELLS
from taquin.tables.shape import shape_of


def all_solutions(
    start: BoardLike,
    goal: GoalLike = None,
    *,
    most: int | None = None,
    limits: Limits | None = None,
    metric: Metric | str = Metric.SINGLE,
    engine: Engine | str = "auto",
    progress: Progress | None = None,
    beyond: int = 0,
) -> Iterator[tuple[Move, ...]]:
    """Return an iterator over every shortest solution, at most `most` of them.

    With `beyond`, also over solutions up to that many moves longer, as defined by `every_solution`,
    in no particular order. Start, goal and exceptions are those of `solve`. An unsolvable board has
    no solution. A limit or Ctrl-C ends the iterator early.
    """
    with DeferredInterrupts():
        board = as_start(start, goal)
        puzzle = Puzzle(as_goal(goal, board), Metric.named(metric))
        task = Task(puzzle, board, limits=limits or NO_LIMITS, want=Want.EVERY, beyond=beyond)
        if isinstance(engine, str):
            engine = engine_named(engine)
        return every_solution(task, engine, Control(task.limits, progress=progress), most)


def every_solution(
    task: Task, engine: Engine, control: Control, most: int | None = None
) -> Solutions:
    """Return every solution that a task asks for; `control` has the reason if it ends early.

    A solution that is longer than the shortest visits no board twice; in the multi-tile metric, its
    slides alternate between rows and columns, as two slides along one line are one.
    """
    if not 0 <= task.beyond <= MOST_BEYOND:
        raise UnsuitableError(f"beyond must be 0 to {MOST_BEYOND}, got {task.beyond}")
    with DeferredInterrupts() as block:
        check_fit(engine, task)
        solutions = engine.every(task, control)
        if task.beyond:
            solutions = (path for path in solutions if _is_direct(task, path))
        stop = partial(control.stop, INTERRUPTED)
        return deferring_interrupts(islice(solutions, most), stop, block)


def _is_direct(task: Task, moves: tuple[Move, ...]) -> bool:
    """Return whether a solution visits no board twice and splits no slide."""
    boards = list(accumulate(moves, Board.apply, initial=task.start))
    in_parts = task.puzzle.metric is Metric.MULTI and any(
        move.direction in (previous.direction, previous.direction.opposite)
        for previous, move in pairwise(moves)
    )
    return not in_parts and len(set(boards)) == len(boards)


Solve: TypeAlias = Callable[[Task], Result]
"""Finds a shortest solution of a task."""


@dataclass(frozen=True, slots=True)
class Detour:
    """A part of a sequence that can be shorter."""

    first: int
    """The number of its first move, from 1."""
    last: int
    moves: tuple[Move, ...]
    """The moves as they are."""
    shorter: tuple[Move, ...]
    """Fewer moves between the same boards; empty if the detour is a loop."""


def detours(
    start: Board, moves: Sequence[Move], metric: Metric, window: int, solve: Solve
) -> Iterator[Detour]:
    """Yield disjoint detours of up to `window` moves in order.

        moves   1 2 3 4 5 6 7 8 9 …
                  └──────────┘            a detour: six moves that four can replace

    A detour is a part of the sequence that is longer than the distance between its ends. Let d(i,
    j) be the distance from the board after i moves to the one after j. As j grows by one, d grows
    by at most one, so j - i - d(i, j) never falls; the same holds as i falls. So a linear scan
    finds the first j that ends a detour, and bisection the last i that begins it; no part of that
    detour is a detour.

    A window that `solve` leaves unsolved counts as no detour.
    """
    boards = list(accumulate(moves, Board.apply, initial=start))

    def shortcut(first: int, last: int) -> tuple[Move, ...] | None:
        """Return a shortest path between two boards; None if the moves are one."""
        puzzle = Puzzle(Goal(boards[last].grid, boards[last].cells), metric)
        path = solve(Task(puzzle, boards[first], AStar(LinearConflict()))).moves
        return path if path is not None and len(path) < last - first else None

    first = 0
    for last in range(1, len(boards)):
        first = max(first, last - window)
        if shortcut(first, last) is None:
            continue
        place = bisect_left(
            range(first, last), True, key=lambda index: shortcut(index, last) is None
        )
        first += place - 1
        path = shortcut(first, last)
        assert path is not None, "bisection stops at the last index that begins the detour"
        yield Detour(first + 1, last, tuple(moves[first:last]), path)
        first = last


def replaced(moves: Sequence[Move], parts: Sequence[Detour]) -> tuple[Move, ...]:
    """Return the moves with these detours replaced."""
    kept = list(moves)
    for detour in reversed(parts):
        kept[detour.first - 1 : detour.last] = detour.shorter
    return tuple(kept)


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
    """The hints for the boards of one puzzle; `memory` is the limit of a search in bytes.

    A shortest solution gives a hint for every board on it. Tables of boards above 16 cells are used
    if they exist, never built.
    """

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
            # A shortest solution of a large board is found at once, or not in an acceptable time.
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
    """Return the fastest engine that needs at most seconds of preparation."""
    shape = shape_of(puzzle.goal)
    if shape is None or shape.size <= PACKED_CELLS:
        return Auto(once=is_first_board())
    # The tables of larger boards take minutes to build.
    return Auto(tables=None if missing_tables(shape, "small") else "small")

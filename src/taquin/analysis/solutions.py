"""All solutions of a board, and shorter ways in a sequence of moves.

`all_solutions` yields every shortest solution of a board, and optionally longer ones. `detours`
shortens a sequence of moves window by window.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice, pairwise
from typing import TypeAlias

from taquin.engine.base import Engine, Solutions, check_fit
from taquin.engine.task import engine_named
from taquin.errors import UnsuitableError
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.search.algorithms import AStar
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.result import MOST_BEYOND, NO_LIMITS, Limit, Limits, Outcome, Result, Task, Want
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts


class AllSolutions(Iterator[tuple[Move, ...]]):
    """Yields the moves of each solution as it is found, and knows whether these are all.

    >>> solutions = all_solutions("2 3 8 / 1 7 5 / 0 6 4")
    >>> len(list(solutions)), solutions.is_complete
    (3, True)
    """

    def __init__(
        self, solutions: Solutions, control: Control, most: int | None, block: DeferredInterrupts
    ) -> None:
        self._control = control
        self._is_exhausted = False
        work = islice(self._noting_the_end_of(solutions), most)
        self._solutions = deferring_interrupts(work, partial(control.stop, INTERRUPTED), block)

    def _noting_the_end_of(self, solutions: Solutions) -> Solutions:
        yield from solutions
        self._is_exhausted = True

    def __iter__(self) -> Iterator[tuple[Move, ...]]:
        """Return the solutions themselves, in which no Ctrl-C is lost."""
        return self._solutions

    def __next__(self) -> tuple[Move, ...]:
        """Return the moves of the next solution."""
        return next(self._solutions)

    @property
    def is_complete(self) -> bool:
        """Whether every solution was yielded; False until then, and if anything ended it early."""
        is_cut = self._control.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED)
        return self._is_exhausted and not is_cut

    @property
    def limit(self) -> Limit | None:
        """The limit that ended it early; None if none did."""
        return self._control.limit

    @property
    def reason(self) -> str:
        """Why it ended, such as "limit of 2 seconds", or why there is no solution; may be empty."""
        return self._control.reason


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
) -> AllSolutions:
    """Return an iterator over every shortest solution, at most `most` of them.

    With `beyond`, also over solutions up to that many moves longer, as defined by `every_solution`,
    in no particular order. Start, goal and exceptions are as for `solve`. An unsolvable board has
    no solution. A limit or Ctrl-C ends the iterator early; see `is_complete`, `limit` and `reason`.
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
) -> AllSolutions:
    """Return an iterator over every solution that a task asks for.

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
        return AllSolutions(solutions, control, most, block)


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
    """The moves to replace."""
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

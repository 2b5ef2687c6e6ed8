"""`tq.all_solutions`: every shortest solution of a board, and optionally longer ones."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate, islice, pairwise

from taquin.engine.base import Engine, Solutions, check_fit
from taquin.engine.choose import engine_named
from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.values import GoalLike, as_goal, as_start
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.result import NO_LIMITS, Limits, Task, Want
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts

MOST_BEYOND = 10
"""Most moves by which a solution may exceed the shortest; beyond that there are millions."""


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

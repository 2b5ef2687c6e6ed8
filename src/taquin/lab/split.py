"""One very hard board on many machines: the tree of each bound cut into tasks.

    bound 57    ┌ task ┐ ┌ task ┐ ┌ task ┐ …     nodes of the tree, each with what lies below it
                worker 1   worker 2   worker 1     a task that grows too large comes back in part
    bound 59    begins when every task of bound 57 is done

Tasks are plain numbers (a stack of nodes and the path to them), so any `concurrent.futures`
executor can run them: a pool of processes, Dask's `Client.get_executor()`, or a fake in the same
thread. A worker keeps its tables mapped from task to task. A solution calls off the tasks that have
not begun; those that have end within a few seconds by themselves. Every node is expanded once, by
whichever worker, so the node count of a completed bound does not depend on how many there are.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass

import numpy as np

from taquin.engine.cpu.plan import plan_for
from taquin.engine.cpu.stacks import Piece, Plan
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import Solvability, solvability
from taquin.search.driver import Progress
from taquin.search.result import Counters, Limits, Outcome, Result, Stats
from taquin.system.machine import peak_memory, process_memory
from taquin.system.words import counted
from taquin.tables.shape import Normal, Shape, moves_along, normal_form
from taquin.tables.store import TableStore

_CUT = 4_000
"""Nodes searched to make one node of the tree into several."""
_TASKS_PER_WORKER = 16
"""Tasks a bound is cut into at first: enough that no worker idles while another is busy."""
_TASK_NODES = 40_000_000
"""Nodes after which a task comes back, its rest to be dealt out anew: a few seconds."""
_LOOK = 0.1
"""Seconds between two looks at limits and progress."""


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the tree of one bound, for any worker."""

    shape: Shape
    """The grid and the goal."""
    tables: str | None
    """The set of pattern tables to use."""
    nodes: bytes
    """The nodes to search, as the engine stacks them."""
    path: bytes
    """The blank's cells above them."""


@dataclass(frozen=True, slots=True)
class TaskDone:
    """What became of a task."""

    generated: int
    """Nodes generated."""
    blanks: tuple[int, ...] | None
    """The blank's cells along a solution, if one was met."""
    rest: tuple[bytes, bytes] | None
    """Nodes and path of what is left to search; None when it was searched to its end."""


def work_on(task: Task, most: int = _TASK_NODES) -> TaskDone:
    """Search a task for about `most` nodes; runs on a worker."""
    plan = plan_for(task.shape, task.tables, TableStore())
    piece = Piece(np.frombuffer(task.nodes, np.uint64), plan.width)
    piece.path[:] = np.frombuffer(task.path, np.uint8)
    generated = piece.search(plan, most)
    if piece.solution is not None:
        return TaskDone(generated, piece.solution, None)
    return TaskDone(generated, None, _packed(piece) if piece.size else None)


def solve_split(
    puzzle: Puzzle,
    start: Board,
    executor: Executor,
    workers: int,
    *,
    limits: Limits | None = None,
    tables: str | None = "small",
    progress: Progress | None = None,
    label: str = "cluster",
) -> Result:
    """Return a shortest solution of a classic puzzle, searched by the workers of `executor`.

    `workers` says how many tasks run at the same time. Limits on nodes (generated), seconds, depth
    and the memory of this process, not of the workers, hold; Ctrl-C ends the search; both with the
    bound proven so far. Raise UnsuitableError for a puzzle that the compiled search does not know.
    """
    normal = splittable(puzzle, start)
    return _Splitter(
        puzzle, start, normal, executor, workers, limits or Limits(), tables, progress, label
    ).search()


def splittable(puzzle: Puzzle, start: Board) -> Normal:
    """Return the board as numbers; raise UnsuitableError for one that cannot be split."""
    puzzle.check(start)
    normal = normal_form(puzzle, start)
    if normal is None:
        raise UnsuitableError(
            "a search can be split for classic puzzles of up to 25 cells: at least 2×2, no walls, "
            "every tile different, every cell of the goal named, single moves"
        )
    return normal


class _Splitter:
    """One board under way."""

    def __init__(
        self,
        puzzle: Puzzle,
        start: Board,
        normal: Normal,
        executor: Executor,
        workers: int,
        limits: Limits,
        tables: str | None,
        progress: Progress | None,
        label: str,
    ) -> None:
        self._puzzle, self._start, self._normal = puzzle, start, normal
        self._executor, self._workers, self._limits = executor, workers, limits
        self._tables, self._progress, self._label = tables, progress, label
        self._began = time.perf_counter()
        self._generated = 0
        self._bound = 0

    def search(self) -> Result:
        """Raise the bound until a solution is found or a limit is met."""
        verdict = solvability(self._puzzle, self._start)
        if verdict.answer is Solvability.NO:
            return self._result(Outcome.UNSOLVABLE, verdict.reason)
        plan = plan_for(self._normal.shape, self._tables, TableStore())
        root = plan.start(self._normal)
        self._bound = root.estimate
        while not (reason := self._limit_reached()):
            try:
                blanks = self._search_bound(plan, Piece(root.node(self._bound), plan.width))
            except KeyboardInterrupt:
                return self._result(Outcome.STOPPED, "interrupted")
            if blanks is not None:
                return self._result(Outcome.SOLVED, blanks=blanks)
            if self._limit_reached():
                continue
            self._bound += 2
        return self._result(Outcome.LIMIT_REACHED, reason)

    def _search_bound(self, plan: Plan, root: Piece) -> tuple[int, ...] | None:
        """Return a solution within the bound; None when there is none, or a limit came first."""
        waiting, blanks = self._cut(plan, root)
        running: set[Future[TaskDone]] = set()
        try:
            while blanks is None and (waiting or running) and not self._limit_reached():
                while waiting and len(running) < 2 * self._workers:
                    nodes, path = waiting.popleft()
                    task = Task(self._normal.shape, self._tables, nodes, path)
                    running.add(self._executor.submit(work_on, task))
                finished, running = wait(running, _LOOK, FIRST_COMPLETED)
                for future in finished:
                    done = future.result()
                    self._generated += done.generated
                    blanks = blanks or done.blanks
                    if done.rest is not None:
                        waiting.extend(_halves(plan, *done.rest))
                if self._progress is not None:
                    passed = time.perf_counter() - self._began
                    self._progress(Counters(generated=self._generated, bound=self._bound), passed)
        finally:
            for future in running:
                future.cancel()
        return blanks

    def _cut(
        self, plan: Plan, root: Piece
    ) -> tuple[deque[tuple[bytes, bytes]], tuple[int, ...] | None]:
        """Return the tree of a bound in parts, or its solution if cutting comes upon it."""
        parts = deque([root])
        wanted = _TASKS_PER_WORKER * self._workers
        for _ in range(4 * wanted):
            if not parts or len(parts) >= wanted:
                break
            piece = parts.popleft()
            self._generated += piece.search(plan, _CUT)
            if piece.solution is not None:
                return deque(), piece.solution
            if piece.size > 1:
                parts.append(piece.split())
            if piece.size:
                parts.append(piece)
        return deque(_packed(piece) for piece in parts), None

    def _limit_reached(self) -> str:
        """Return which limit is reached, in words; empty while none is."""
        limits = self._limits
        if limits.nodes is not None and self._generated >= limits.nodes:
            return f"limit of {limits.nodes:,} nodes generated"
        if limits.seconds is not None and time.perf_counter() - self._began >= limits.seconds:
            return f"limit of {limits.seconds:g} seconds"
        if limits.depth is not None and self._bound > limits.depth:
            return f"limit of {limits.depth:,} moves"
        if limits.memory is not None and process_memory() >= limits.memory:
            return f"limit of {limits.memory:,} bytes of memory"
        return ""

    def _result(
        self, outcome: Outcome, reason: str = "", blanks: tuple[int, ...] | None = None
    ) -> Result:
        moves = None if blanks is None else moves_along(self._start, blanks)
        return Result(
            outcome=outcome,
            puzzle=self._puzzle,
            start=self._start,
            moves=moves,
            cost=None if moves is None else len(moves),
            lower_bound=self._bound,
            algorithm=f"idastar({f'patterns {self._tables}' if self._tables else 'manhattan'})",
            engine=f"{self._label}, {counted(self._workers, 'worker')}",
            stats=Stats(
                generated=self._generated,
                seconds=time.perf_counter() - self._began,
                peak_memory=peak_memory(),
            ),
            reason=reason,
        )


def _packed(piece: Piece) -> tuple[bytes, bytes]:
    return piece.words.tobytes(), piece.path.tobytes()


def _halves(plan: Plan, nodes: bytes, path: bytes) -> list[tuple[bytes, bytes]]:
    """Deal the nodes of a task that came back out to two."""
    words = np.frombuffer(nodes, np.uint64).reshape(-1, plan.width)
    return [(part.tobytes(), path) for part in (words[0::2], words[1::2]) if len(part)]

"""Solve many boards of one goal in turn on one thread, without leaving compiled code.

The kernel (`kernels/ida16.c`) searches each board exactly like `Deepening` with a `Team` of one. It
returns after about `budget` nodes, and the next call resumes from the state in `BatchBoards` and on
the stack.

`CpuBatch` runs it and makes the results. Compiled code never reads a clock, so the seconds of a
batch are divided among its boards by their nodes. A limit on seconds is checked for the current
board every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from time import perf_counter
from typing import NamedTuple

from taquin.engine.base import is_refuted, method, normal_of
from taquin.engine.cpu.layout import DEEPEST
from taquin.engine.cpu.packed import PackedPlan, PackedTree
from taquin.engine.cpu.team import INTERVAL, UNLIMITED, CpuPlan, Stacks, Start, TeamMemory
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Limits, Result, Task
from taquin.system.arrays import Array, Matrix, array, int64, matrix, uint8, uint64, zeros
from taquin.system.compiled import Compiled
from taquin.system.machine import peak_memory
from taquin.tables.shape import moves_along

MOST_BOUNDS = 128
"""The maximum number of bounds of a board: none of up to 16 cells has as many."""
ENDING, ESTIMATE, BOUNDS, GENERATED, GENERATED_AHEAD, BOUND_NODES = range(6)
"""Of a row of `BatchBoards.answers`: how the search ended, the first bound, how many were begun,
nodes in all, those ahead of completed bounds, and from there on the nodes of each bound."""
ANSWER = BOUND_NODES + MOST_BOUNDS
"""Numbers in an answer."""
SOLVED, OUT_OF_NODES, TOO_DEEP, TIMED_OUT = 1, 2, 3, 4
"""Endings; 0 while there is none. The caller writes the last one."""
NEXT, IS_BEGUN, NEAR, NOTES = range(4)
"""Indices into `BatchBoards.notes`: the current board, whether its bound has begun, the remaining
depth at which look-ahead starts; and the number of notes."""


class BatchBoards(NamedTuple):
    """Boards with one goal, and what is found."""

    roots: Matrix[uint64]
    """For each board, its node for the first bound."""
    widening: Array[uint64]
    """Added to a node when the bound rises by two."""
    answers: Matrix[int64]
    cells: Matrix[uint8]
    """For each board, the blank's cells along the solution."""
    notes: Array[int64]
    nodes: int
    """The maximum number of nodes for each board."""
    depth: int
    """The last bound for each board."""


class BatchWork(NamedTuple):
    """Boards to search on one thread."""

    team: TeamMemory
    budget: int
    boards: BatchBoards
    tree: PackedTree


_SEARCH = Compiled("ida16_batch", BatchWork)

try:
    from time import thread_time
except ImportError:  # WebAssembly has one thread, and no clock of its own for it.
    from time import process_time as thread_time

_BUDGET = 1 << 20
"""Nodes between two calls of the control: some hundredths of a second."""
_NODES_A_SECOND = 10_000_000
"""Nodes that a slow core generates in a second."""
_TAG = EngineTag("cpu", "1 thread")

_kept: list[Stacks] = []
"""The memory of finished batches, for reuse."""


class CpuBatch:
    """Solvable boards of one goal under the same limits, for one thread."""

    def __init__(self, plan: PackedPlan, starts: Sequence[Start], limits: Limits) -> None:
        size = len(starts)
        self._answers = zeros((size, ANSWER), int64)
        self._cells = zeros((size, DEEPEST), uint8)
        self._notes = zeros(NOTES, int64)
        for number, start in enumerate(starts):
            self._answers[number, ESTIMATE] = start.estimate
        boards = BatchBoards(
            matrix([start.words for start in starts], uint64),
            array(starts[0].widening, uint64),
            self._answers,
            self._cells,
            self._notes,
            UNLIMITED if limits.nodes is None else limits.nodes,
            UNLIMITED if limits.depth is None else limits.depth,
        )
        try:
            self._stacks = _kept.pop()
        except IndexError:
            self._stacks = Stacks(plan.width)
        self._seconds = limits.seconds
        budget = _BUDGET if limits.seconds is None else int(limits.seconds * _NODES_A_SECOND)
        budget = max(INTERVAL, min(_BUDGET, budget))
        self._call = _SEARCH.given(BatchWork(self._stacks.memory, budget, boards, plan.tree))
        self._began = perf_counter()
        self._nodes = 0
        self._spent = 0.0, 0.0
        self._peak = 0

    def run(self, control: Control) -> None:
        """Solve the boards until the control ends the batch."""
        done = 0
        wall, cpu = perf_counter(), thread_time()
        while done < len(self._answers) and control.tick(Counters(generated=self._nodes)):
            began = perf_counter()
            before, made = done, self._call()
            done = self._notes[NEXT]
            self._nodes += made
            if self._seconds is None or done == len(self._answers):
                continue
            now = perf_counter()
            if done > before:
                share = self._answers[done, GENERATED] / max(1, made)
                self._began = now - share * (now - began)
            if now - self._began >= self._seconds:
                self._answers[done, ENDING] = TIMED_OUT
                self._notes[IS_BEGUN] = 0
                done = self._notes[NEXT] = done + 1
                self._began = now
        self._spent = perf_counter() - wall, thread_time() - cpu
        self._peak = peak_memory()
        _kept.append(self._stacks)

    def result(self, number: int, task: Task, tables: str | None, whole: Control) -> Result:
        """Return the result of one board; its share of the batch's time is by its nodes."""
        at_row = number * ANSWER
        answer = self._answers.items[at_row : at_row + ANSWER]
        generated, begun = answer[GENERATED], answer[BOUNDS]
        nodes = answer[BOUND_NODES : BOUND_NODES + begun].tolist()
        if begun:
            nodes[-1] += answer[GENERATED_AHEAD]
        first = answer[ESTIMATE]
        bounds = tuple(zip(range(first, first + 2 * begun, 2), nodes, strict=True))
        own = Control(task.limits)
        share = generated / max(1, self._nodes)
        seconds, cpu_seconds = self._spent
        own.credit(share * seconds, share * cpu_seconds, self._peak)
        own.prove(bounds[-1][0] if bounds else first)
        ending, moves = answer[ENDING], None
        if ending == SOLVED:
            at_cell = number * DEEPEST
            cells = self._cells.items[at_cell : at_cell + bounds[-1][0] + 1]
            moves = moves_along(task.start, cells.tolist())
        elif ending == TOO_DEEP:
            own.prove(first + 2 * begun)
        elif ending:
            own.end(Limit.NODES if ending == OUT_OF_NODES else Limit.SECONDS)
        elif whole.limit is not None:
            own.end(whole.limit)
        else:
            own.stop(whole.reason)
        counters = Counters(generated=generated)
        return own.result(
            *(task, method(tables), _TAG, counters),
            counts=("generated",),
            moves=moves,
            bounds=bounds,
        )


def solve_batch(
    tasks: Sequence[Task], plan: CpuPlan, tables: str | None, control: Control
) -> list[Result]:
    """Return the result of each task; all have equal goals and limits."""
    assert isinstance(plan, PackedPlan), "small boards with tables"
    normals = [normal_of(task) for task in tasks]
    solvable = [normal.solvable for normal in normals]
    starts = [plan.start(normal) for normal in compress(normals, solvable)]
    batch = CpuBatch(plan, starts, tasks[0].limits) if starts else None
    control.begin()
    if batch is not None:
        batch.run(control)
    results = []
    number = 0
    for task, is_solvable in zip(tasks, solvable, strict=True):
        if is_solvable and batch is not None:
            results.append(batch.result(number, task, tables, control))
            number += 1
        else:
            own = Control(task.limits)
            is_refuted(task, own)
            results.append(
                own.result(task, method(tables), _TAG, Counters(), counts=("generated",))
            )
    return results

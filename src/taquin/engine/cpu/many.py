"""Results of many boards of one goal, solved on one thread by the kernel of `batch.py`.

A board's seconds are its share of the whole by its nodes, because nothing looks at a clock while
compiled code runs. A limit on seconds is checked for the board under way every few milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from time import perf_counter

from taquin.engine.base import is_refuted
from taquin.engine.classic import method, normal_of
from taquin.engine.cpu import batch as at
from taquin.engine.cpu.layout import DEEPEST
from taquin.engine.cpu.packed_plan import PackedPlan
from taquin.engine.cpu.sharing import INTERVAL
from taquin.engine.cpu.stacks import UNLIMITED, Plan, Stacks, Start
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Limits, Result, Task
from taquin.system.arguments import Arguments
from taquin.system.arrays import array, int64, matrix, uint8, uint64, zeros
from taquin.system.machine import peak_memory
from taquin.tables.shape import moves_along

try:
    from time import thread_time
except ImportError:  # WebAssembly has one thread, and no clock of its own for it.
    from time import process_time as thread_time

_BUDGET = 1 << 20
"""Nodes between two looks at the control: some hundredths of a second."""
_NODES_A_SECOND = 10_000_000
"""Nodes that a slow core generates in a second."""
_TAG = EngineTag("cpu", "1 thread")

_kept: list[Stacks] = []
"""The memory of batches that are done, for the next ones."""


class Batch:
    """Solvable boards of one goal under the same limits, for one thread."""

    def __init__(self, plan: PackedPlan, starts: Sequence[Start], limits: Limits) -> None:
        size = len(starts)
        self._answers = zeros((size, at.ANSWER), int64)
        self._cells = zeros((size, DEEPEST), uint8)
        self._notes = zeros(at.NOTES, int64)
        for number, start in enumerate(starts):
            self._answers[number, at.ESTIMATE] = start.estimate
        boards = at.Boards(
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
        self._call = at.deepen.given(Arguments(self._stacks.memory, budget, boards), plan.tree)
        self._began = perf_counter()
        self._nodes = 0
        self._spent = 0.0, 0.0
        self._peak = 0

    def run(self, control: Control) -> None:
        """Solve all boards, or as many as the control allows."""
        done = 0
        wall, cpu = perf_counter(), thread_time()
        while done < len(self._answers) and control.tick(Counters(generated=self._nodes)):
            began = perf_counter()
            before, (done, made) = done, self._call()
            self._nodes += made
            if self._seconds is None or done == len(self._answers):
                continue
            now = perf_counter()
            if done > before:
                share = self._answers[done, at.GENERATED] / max(1, made)
                self._began = now - share * (now - began)
            if now - self._began >= self._seconds:
                self._answers[done, at.ENDING] = at.TIMED_OUT
                self._notes[at.IS_BEGUN] = 0
                done = self._notes[at.NEXT] = done + 1
                self._began = now
        self._spent = perf_counter() - wall, thread_time() - cpu
        self._peak = peak_memory()
        _kept.append(self._stacks)

    def result(self, number: int, task: Task, tables: str | None, whole: Control) -> Result:
        """Return the result of one board, whose share of the time of all is by its nodes."""
        at_row = number * at.ANSWER
        answer = self._answers.items[at_row : at_row + at.ANSWER]
        generated, begun = answer[at.GENERATED], answer[at.BOUNDS]
        nodes = answer[at.BOUND_NODES : at.BOUND_NODES + begun].tolist()
        if begun:
            nodes[-1] += answer[at.GENERATED_AHEAD]
        first = answer[at.ESTIMATE]
        bounds = tuple(zip(range(first, first + 2 * begun, 2), nodes, strict=True))
        own = Control(task.limits)
        share = generated / max(1, self._nodes)
        seconds, cpu_seconds = self._spent
        own.credit(share * seconds, share * cpu_seconds, self._peak)
        own.prove(bounds[-1][0] if bounds else first)
        ending, moves = answer[at.ENDING], None
        if ending == at.SOLVED:
            at_cell = number * DEEPEST
            cells = self._cells.items[at_cell : at_cell + bounds[-1][0] + 1]
            moves = moves_along(task.start, cells.tolist())
        elif ending == at.TOO_DEEP:
            own.prove(first + 2 * begun)
        elif ending:
            own.end(Limit.NODES if ending == at.OUT_OF_NODES else Limit.SECONDS)
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
    tasks: Sequence[Task], plan: Plan, tables: str | None, control: Control
) -> list[Result]:
    """Return the result of each task; all have one goal and the same limits."""
    assert isinstance(plan, PackedPlan), "small boards with tables"
    normals = [normal_of(task) for task in tasks]
    solvable = [normal.solvable for normal in normals]
    starts = [plan.start(normal) for normal in compress(normals, solvable)]
    batch = Batch(plan, starts, tasks[0].limits) if starts else None
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

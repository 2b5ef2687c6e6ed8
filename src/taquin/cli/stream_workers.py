"""Worker processes for a long spec of a stream of boards that are all of one kind.

    lines ──► batches of 64 ──► worker processes, one batch each ──► texts, printed in order
              at most 8 a process

A worker does for its lines what `many.py` does for all: it reads, solves and writes. The Python of
one process runs on one core at a time, however many threads there are, and takes a fifth of the
time where tables are large. A worker gives back the first line that is a board of another kind;
from there on boards are solved in this process again, as all are before the spec.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Self

from taquin.cli.stream import STOP, Answered, BatchSpec, LineBatch, Lines, Tally
from taquin.errors import MachineError
from taquin.notation.boards import is_entry
from taquin.search.result import Outcome
from taquin.system.interrupts import DeferredInterrupts, interrupted
from taquin.system.machine import HAS_THREADS, process_memory
from taquin.system.workers import WorkerProcess

_LINES = 64
"""Lines of a batch."""
_CHARACTERS = 100_000
"""Characters after which a batch has no further line."""
_BATCHES = 8
"""Batches a process that wait, are at work, or whose answers wait for others: enough that no
process idles while one has a hard board."""
_INTERVAL = 0.05
"""Seconds between two looks for Ctrl-C."""


class StretchWorkers:
    """Worker processes for a spec; a thread waits for each."""

    def __init__(self, count: int, spec: BatchSpec) -> None:
        self.count = count
        self.is_stopped = False
        """Whether the stream ends with the answers that are found by now."""
        self._stretch = pickle.dumps(spec, pickle.HIGHEST_PROTOCOL)
        self._workers = [WorkerProcess("taquin.cli.stream_worker") for _ in range(count)]
        self._idle: SimpleQueue[WorkerProcess] = SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)
        self._pool = ThreadPoolExecutor(count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self._workers:
            worker.close()
        self._pool.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.reap()

    def stop(self) -> None:
        """Have each process end its batch at the board under way, and begin no other."""
        if not self.is_stopped:
            self.is_stopped = True
            for worker in self._workers:
                worker.send(pickle.dumps(STOP))

    def answered(self, lines: Lines, first: int) -> Iterator[Answered]:
        """Yield the answers to the next lines, in order, until a line is given back.

        `first` is the number of the first answer. Raise MachineError when a process ended; the
        lines that were not answered are then given back too.
        """
        batches: deque[tuple[LineBatch, Future[Answered]]] = deque()
        while True:
            try:
                while len(batches) < _BATCHES * self.count and not self.is_stopped:
                    if not (batch := _next_batch(lines, first, may_wait=not batches)).lines:
                        break
                    first += sum(map(is_entry, batch.lines))
                    batches.append((batch, self._pool.submit(self._ask, batch)))
            except KeyboardInterrupt:
                self.stop()
            if not batches:
                return
            batch, future = batches.popleft()
            with DeferredInterrupts():
                while not future.done():
                    wait([future], _INTERVAL)
                    if interrupted():
                        self.stop()
            fault = future.exception()
            answered = Answered([], Tally(), 0) if fault else future.result()
            yield answered
            if answered.tally.outcomes[Outcome.STOPPED]:
                return
            if answered.taken < len(batch.lines):
                rest = [batch.lines[answered.taken :], *(later.lines for later, _ in batches)]
                lines.take_back([line for each in rest for line in each])
                if fault:
                    raise fault
                return

    def _ask(self, batch: LineBatch) -> Answered:
        """Return what the next process that is idle answers to a batch."""
        worker = self._idle.get()
        try:
            if worker.pid is None and worker.start() is not None:
                worker.send(self._stretch)
            worker.send(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
            answered: Answered | None = worker.read()
            if answered is None:
                raise MachineError(f"a worker process ended: {worker.reap()}")
            return answered
        finally:
            self._idle.put(worker)


def _next_batch(lines: Lines, first: int, *, may_wait: bool) -> LineBatch:
    """Return the next lines; without lines at the end, or where it would have to wait for one."""
    taken: list[str] = []
    characters = 0
    while len(taken) < _LINES and characters < _CHARACTERS:
        if not (lines.is_ready or (may_wait and not taken)):
            break
        line = next(lines, None)
        if line is None:
            break
        taken.append(line)
        characters += len(line)
    return LineBatch(taken, lines.taken - len(taken) + 1, first)


def worthwhile_workers(threads: int, memory: int | None) -> int:
    """Return how many processes to use in place of threads; less than 2 for none.

    Each holds about as much as this process does, and the limit on memory holds for all together.
    """
    if not HAS_THREADS:
        return 0
    return threads if memory is None else min(threads, memory // max(1, process_memory()))

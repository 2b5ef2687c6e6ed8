"""Where runs are done: one seam, and two of its sides; `taquin.lab.cluster` has the third.

An executor takes jobs and gives back records, in whatever order they get done. A run that fails is
a record too; what an executor raises is the end of the study, not of a run.
"""

from __future__ import annotations

from collections import deque
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Protocol

from taquin.lab.cell import Cell
from taquin.lab.execution import execute
from taquin.lab.job import Job
from taquin.lab.record import Ending, Record


class Executor(Protocol):
    """What does jobs."""

    @property
    def slots(self) -> int:
        """Return how many jobs are done at the same time."""
        ...

    def submit(self, job: Job) -> None:
        """Take a job, and return at once."""
        ...

    def completed(self, seconds: float) -> list[Record]:
        """Return what got done since the last call, after waiting up to `seconds` for something.

        Raise TaquinError when no job can be done any more.
        """
        ...

    def close(self) -> None:
        """Drop the jobs that are not done, and let go of every process."""
        ...


class SameThread:
    """Do each job in the caller's own thread, while it waits: for tests, and for a debugger."""

    slots = 1

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._jobs.append(job)

    def completed(self, seconds: float) -> list[Record]:
        """Do the next job; raise KeyboardInterrupt when that was stopped by hand."""
        if not self._jobs:
            return []
        record = execute(self._jobs.popleft())
        if record.ending is Ending.STOPPED:
            raise KeyboardInterrupt
        return [record]

    def close(self) -> None:
        """Drop the jobs that are not done."""
        self._jobs.clear()


class Pool:
    """Do jobs in `slots` processes of this machine, each in a cell of its own.

    `memory` is the most bytes that a run may add to its process; None for no ceiling.
    """

    def __init__(self, slots: int, memory: int | None = None) -> None:
        self.slots = slots
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._done: SimpleQueue[Record | Exception] = SimpleQueue()
        self._cells = [Cell(memory) for _ in range(slots)]
        self._threads = [
            Thread(target=self._serve, args=(cell,), name="taquin cell", daemon=True)
            for cell in self._cells
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._jobs.put(job)

    def completed(self, seconds: float) -> list[Record]:
        """Return what got done since the last call."""
        return drain(self._done, seconds)

    @property
    def pids(self) -> list[int]:
        """Return the processes at work."""
        return [pid for cell in self._cells if (pid := cell.pid) is not None]

    def close(self) -> None:
        """Kill the processes, and wait until they are gone."""
        for _ in self._threads:
            self._jobs.put(None)
        for cell, thread in zip(self._cells, self._threads, strict=True):
            # More than once, as a process may be about to start.
            while thread.is_alive():
                cell.close()
                thread.join(0.05)
            cell.close()
            cell.join()

    def _serve(self, cell: Cell) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                record = cell.run(job)
            except Exception as error:
                self._done.put(error)
                return
            if record is None:
                return
            self._done.put(record)


def drain(done: SimpleQueue[Record | Exception], seconds: float) -> list[Record]:
    """Return all records of a queue, after waiting up to `seconds` for the first.

    Raise the first exception among them.
    """
    records: list[Record] = []
    try:
        item = done.get(timeout=seconds)
        while True:
            if isinstance(item, Exception):
                raise item
            records.append(item)
            item = done.get_nowait()
    except Empty:
        return records

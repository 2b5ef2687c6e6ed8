"""Where runs are done: one seam, and two of its sides; `taquin.lab.run.cluster` has the third.

An executor takes jobs and gives back records, in whatever order they get done. A run that fails is
a record too; what an executor raises is the end of the study, not of a run.

A pool does each run in a cell, a process of its own: started when needed, replaced when it dies,
and when it keeps libraries or tables that the next run would not load: the time and the memory of a
run never depend on what its process did before.
A run that crashes its process, or is killed by the system for want of memory, takes nothing with
it. Because a worker may also be killed by someone who meant no harm to the study, a run is tried
`TRIES` times before it is recorded as crashed.

Code of the user's own may hang where nothing in its process can end it, in a library of C for one.
Then its process is killed some seconds after the limit on its time, and the limit recorded.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Hashable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread, Timer
from typing import Protocol

from taquin.errors import MachineError, UnsuitableError
from taquin.heuristics.own import holds_own_code
from taquin.lab.run.record import Ending, Record
from taquin.lab.run.worker import Answer, Request, execute, overdue_record, unfinished
from taquin.lab.study.study import Job, code_version

TRIES = 3
"""How often a run is tried whose process dies."""
_GRACE = 10.0
"""Seconds after the limit on time until a process that runs code of the user's own is killed."""
_STARTS = 5
"""How often a process is started that dies before it is ready."""


class Executor(Protocol):
    """What does jobs."""

    @property
    def slots(self) -> int:
        """Return how many jobs are done at the same time."""

    def submit(self, job: Job) -> None:
        """Take a job, and return at once."""

    def completed(self, seconds: float) -> list[Record]:
        """Return what got done since the last call, after waiting up to `seconds` for something.

        Raise TaquinError when no job can be done any more.
        """

    def close(self) -> None:
        """Drop the jobs that are not done, and let go of every process."""


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
            cell.bury()

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


def kind_of(job: Job) -> Hashable:
    """Return what decides which libraries and tables a run loads."""
    return job.engine, job.run.algorithm, job.run.own_code, job.run.goal, job.run.metric


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


class Cell:
    """One worker process at a time, and the means to talk to it. Not for two threads at once."""

    def __init__(self, memory: int | None = None) -> None:
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._code = ""
        self._kind: Hashable = None
        """The only kind of runs that the process is fit for; None for any."""
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """Return the process at work; None while there is none."""
        return self._process.pid if self._process else None

    def run(self, job: Job) -> Record | None:
        """Return the record of a run; None when the cell was closed meanwhile.

        Raise UnsuitableError for a job that cannot be sent to another process, and TaquinError
        when no worker starts, or one with other code than the job is for.
        """
        try:
            request = pickle.dumps(Request(job, self._memory), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise _unsendable(job, f"{type(error).__name__}: {error}") from None
        if self._kind not in (None, kind_of(job)):
            self.bury()
        death = ""
        seconds = job.run.limits.seconds
        patience = None
        if seconds is not None and holds_own_code(job.algorithm):
            patience = seconds + _GRACE
        for _ in range(TRIES):
            overdue = Event()
            answer = None
            if not self._is_closed:
                answer = self._ask(request, job.run.code, patience, overdue)
            if self._is_closed:
                return None
            if overdue.is_set():
                self.bury()
                return overdue_record(job)
            if answer is None:
                death = self.bury()
            elif answer.fault:
                raise _unsendable(job, answer.fault)
            else:
                if answer.last:
                    self.bury()
                elif answer.kept:
                    self._kind = kind_of(job)
                return answer.record
        return unfinished(job, Ending.CRASHED, f"its process died {TRIES} times: {death}")

    def close(self) -> None:
        """End the process, whatever it is doing; from any thread."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()

    def __del__(self) -> None:
        self.close()
        self.bury()

    def _ask(
        self, request: bytes, code: str, patience: float | None, overdue: Event
    ) -> Answer | None:
        """Return the answer to a request; None when the worker died of it.

        After `patience` seconds `overdue` is set and the worker killed.
        """
        process = self._process or self._start()
        if process is None or process.stdin is None:
            return None
        if code == code_version() and code != self._code:
            raise MachineError(
                "the code of taquin was changed while the study ran: what is done is recorded; "
                "run the study again to go on with the code as it is now"
            )
        with suppress(OSError):
            process.stdin.write(request)
            process.stdin.flush()
            if patience is None:
                return _read(process)

            def kill() -> None:
                overdue.set()
                process.kill()

            timer = Timer(patience, kill)
            timer.start()
            try:
                return _read(process)
            finally:
                timer.cancel()
        return None

    def _start(self) -> subprocess.Popen[bytes] | None:
        """Start a worker; None when the cell was closed meanwhile.

        A worker that someone kills before it is ready is replaced a few times.
        """
        # Modules of the caller's, a heuristic's for one, are found where the caller finds them.
        path = os.pathsep.join(each or os.getcwd() for each in sys.path)
        ending = ""
        for _ in range(_STARTS):
            self._process = subprocess.Popen(
                [sys.executable, "-c", "from taquin.lab.run.worker import main; main()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": path},
            )
            if (ready := _read(self._process)) is not None:
                self._code = ready.code
                return self._process
            if self._is_closed:
                return None
            ending = self.bury()
        raise MachineError(f"no process for runs could be started: {ending}")

    def bury(self) -> str:
        """Wait for the end of the process, outside of `run`; say how it ended."""
        process, self._process, self._kind = self._process, None, None
        if process is None:
            return "closed"
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        status = process.wait()
        if status >= 0:
            return f"exit status {status}"
        name = signal.Signals(-status).name
        return f"{name}, perhaps for want of memory" if name == "SIGKILL" else name


def _read(process: subprocess.Popen[bytes]) -> Answer | None:
    """Return the next answer; None when the process died before it was complete."""
    assert process.stdout is not None
    try:
        answer: Answer = pickle.load(process.stdout)
    except (EOFError, OSError, pickle.UnpicklingError, ValueError):
        return None
    return answer


def _unsendable(job: Job, why: str) -> UnsuitableError:
    return UnsuitableError(
        f"the search {job.run.search!r} cannot be sent to another process ({why}): define what it "
        f"is made of in a module that can be imported, start again if that module was edited, or "
        f"run the study with 0 processes"
    )

"""Executors do the jobs of a study. Two are here; `taquin.lab.run.cluster` has the third.

A run that fails has a record too; an exception that an executor raises ends the study.

A pool does each run in a worker process. A worker that dies is replaced, and so is one that keeps
libraries or tables which the next run does not need: the time and the memory of a run never depend
on the runs before it. A run whose process dies is tried `TRIES` times, as anyone may kill it.

User code may never return. Its process is then killed half a second after the limit on time
(`taquin.system.jobs`), and the limit is recorded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from threading import Condition, Thread
from time import perf_counter
from typing import Any, Protocol

from taquin.errors import MachineError, UnsuitableError
from taquin.heuristics.base import holds_own_code
from taquin.lab.run.record import Ending, Record
from taquin.lab.run.worker import Answer, answer, begin, execute, overdue_record, unfinished
from taquin.lab.study.study import Job, code_version
from taquin.system.jobs import End, JobProcess
from taquin.system.jobs import Ending as JobEnding

TRIES = 3
"""How often a run is tried if its process dies."""
_SILENCE = 10.0
"""Seconds beyond the limit on time after which a process that gives no sign of life is killed."""


class Executor(Protocol):
    """Does jobs, several at a time."""

    @property
    def slots(self) -> int:
        """The number of jobs that run at the same time."""

    def submit(self, job: Job) -> None:
        """Take a job, and return at once."""

    def completed(self, seconds: float) -> list[Record]:
        """Return the records since the last call; wait up to `seconds` for the first.

        Raise TaquinError when no job can be done any more.
        """

    def close(self) -> None:
        """Drop the jobs that are not done, and end every process."""


class SameThread:
    """Does each job in the thread that asks for records: for tests, and for a debugger."""

    slots = 1

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._jobs.append(job)

    def completed(self, seconds: float) -> list[Record]:
        """Do the next job; raise KeyboardInterrupt if Ctrl-C stopped it."""
        records = [execute(self._jobs.popleft())] if self._jobs else []
        if records and records[0].ending is Ending.STOPPED:
            raise KeyboardInterrupt
        return records

    def close(self) -> None:
        """Drop the jobs that are not done."""
        self._jobs.clear()


def kind_of(job: Job) -> Hashable:
    """Return what jobs that load the same libraries and tables have in common."""
    run = job.run
    return job.engine, run.algorithm, run.own_code, run.goal, run.metric


class JobQueue:
    """Jobs that wait, in order; but a process gets those first that it is ready for.

    To replace a process takes as long as hundreds of short runs, and a study of several searches
    lists them in turn.
    """

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._changed = Condition()
        self._heavy: set[Hashable] = set()
        """The kinds for which processes keep libraries or tables."""
        self._is_closed = False

    def put(self, job: Job) -> None:
        """Add a job."""
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()

    def note(self, kind: Hashable) -> None:
        """Note that a process now serves one kind only; None for any."""
        if kind is not None:
            self._heavy.add(kind)

    def get(self, kind: Hashable) -> Job | None:
        """Wait for a job and take it, if possible one of a kind; None when the queue is closed.

        A process that serves any kind, None, takes one that leaves it so, if possible.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._is_closed)
            if self._is_closed:
                return None
            for place, job in enumerate(self._jobs):
                its = kind_of(job)
                if its not in self._heavy if kind is None else its == kind:
                    return self._jobs.pop(place)
            return self._jobs.pop(0)

    def close(self) -> None:
        """Wake every thread that waits in `get`, which then returns None."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


class Pool:
    """Does jobs in `slots` worker processes of this machine, each with its limit on memory."""

    def __init__(self, slots: int, memory: int | None = None) -> None:
        self.slots = slots
        self._jobs = JobQueue()
        self._done: SimpleQueue[Record | Exception] = SimpleQueue()
        self._workers = [StudyWorker(memory) for _ in range(slots)]
        self._threads = [
            Thread(target=self._serve, args=(worker,), name="taquin worker", daemon=True)
            for worker in self._workers
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Take a job."""
        self._jobs.put(job)

    def completed(self, seconds: float) -> list[Record]:
        """Return the records since the last call."""
        return drain(self._done, seconds)

    def close(self) -> None:
        """Kill the processes, and wait until they are gone."""
        self._jobs.close()
        for worker, thread in zip(self._workers, self._threads, strict=True):
            # More than once, because the thread may be about to start a process.
            while thread.is_alive():
                worker.close()
                thread.join(0.05)
            worker.close()
            worker.reap()

    def _serve(self, worker: StudyWorker) -> None:
        try:
            while (job := self._jobs.get(worker.kind)) and (record := worker.run(job)):
                self._done.put(record)
                self._jobs.note(worker.kind)
        except Exception as error:
            self._done.put(error)


def drain(done: SimpleQueue[Record | Exception], seconds: float) -> list[Record]:
    """Return all records of a queue, or raise the first exception; wait for the first item."""
    records: list[Record] = []
    with suppress(Empty):
        item = done.get(timeout=seconds)
        while not isinstance(item, Exception):
            records.append(item)
            item = done.get_nowait()
        raise item
    return records


class StudyWorker(JobProcess):
    """One worker process of a study."""

    def __init__(self, memory: int | None = None) -> None:
        super().__init__("taquin.lab.run.worker")
        self._memory = memory
        self._code = ""
        """The version of the code that the process runs."""
        self.kind: Hashable = None
        """The only kind of jobs that the process may do; None for any."""

    def run(self, job: Job) -> Record | None:
        """Return the record of a job; None if the worker was closed meanwhile.

        Raise UnsuitableError for a job that cannot be sent to another process, and TaquinError if
        no process starts, or if it runs other code than the job asks for.
        """
        kind = kind_of(job)
        if self.kind not in (None, kind):
            self.reap()
        for _ in range(TRIES):
            answered = "closed" if self.is_closed else self._ask(job)
            if self.is_closed:
                return None
            if isinstance(answered, str):
                ending = answered
                continue
            if answered.fault or answered.is_last:
                self.reap()
            elif answered.kept:
                self.kind = kind
            if answered.fault:
                raise _unsendable(job, answered.fault)
            return answered.record
        return unfinished(job, Ending.CRASHED, f"its process died {TRIES} times: {ending}")

    def reap(self) -> str:
        """Wait for the end of the process, and return how it ended; the next does any job."""
        self.kind = None
        return super().reap()

    def _ask(self, job: Job) -> Answer | str:
        """Return the answer to a job, or how its process died."""
        if self.pid is None:
            begun = self._ending(begin)
            if self.is_closed or begun.how is not End.DONE:
                return str(begun.value)
            self._code = begun.value
        if job.run.code == code_version() != self._code:
            raise MachineError(
                "the code of taquin was changed while the study ran: what is done is recorded; "
                "run the study again to go on with the code as it is now"
            )
        seconds = job.run.limits.seconds
        is_timed = seconds is not None and holds_own_code(job.algorithm)
        silence = seconds + _SILENCE if is_timed and seconds is not None else inf
        began = perf_counter()
        try:
            ending = self._ending(answer, job, self._memory, silence=silence)
        except Exception as error:
            raise _unsendable(job, f"{type(error).__name__}: {error}") from None
        match ending.how:
            case End.DONE:
                answered: Answer = ending.value
                return answered
            case End.SECONDS:
                return Answer(overdue_record(job, perf_counter() - began))
            case End.MEMORY:
                return Answer(unfinished(job, Ending.OUT_OF_MEMORY, "out of memory"), is_last=True)
            case End.FAILED:
                return Answer(None, fault=str(ending.value))
        return str(ending.value)

    def _ending(
        self, function: Callable[..., Any], *arguments: Any, silence: float = inf
    ) -> JobEnding:
        messages = self.messages(function, *arguments, silence=silence)
        return next(message for message in messages if isinstance(message, JobEnding))


def _unsendable(job: Job, why: str) -> UnsuitableError:
    return UnsuitableError(
        f"the search {job.run.search!r} cannot be sent to another process ({why}): define what it "
        f"is made of in a module that can be imported, start again if that module was edited, or "
        f"run the study with 0 processes"
    )

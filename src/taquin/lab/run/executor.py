"""Do one run of a study, and executors that do many: in this thread, in processes, or with Dask.

`execute` does one run and returns its record. A run that fails has a record too; an exception that
an executor raises ends the study.

`Pool` does each run as a job (`taquin.system.jobs`) of a worker process, `StudyWorker`. The time
and the memory of a run never depend on the runs before it: a worker is replaced when it dies, after
a run that left it larger than before, and when it keeps libraries or tables that the next run does
not need (`kind_of`). A run whose process dies is tried `TRIES` times, as anyone may kill it. User
code may never return. Its process is then killed half a second after the limit on time, and the
limit is recorded.

`ClusterExecutor` does the runs on many machines, by Dask (extra `cluster`); see docs/lab.md. The
runner writes the records; workers need taquin, in the same version, and nothing else. Workers may
join and leave: if one dies, another does its run again. Each thread of a Dask worker does its runs
in a worker process, as the pool does, so a run that crashes does not end the Dask worker.
"""

from __future__ import annotations

import gc
import json
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import chdir, nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from math import inf
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Condition, Thread
from time import monotonic, perf_counter
from typing import Any, Protocol
from uuid import uuid4

from taquin import Limit, write_moves
from taquin.analysis.isolated import control_for
from taquin.engine.cluster import Connection
from taquin.engine.task import Wishes, engine_named, solve
from taquin.errors import MachineError, MissingError, TaquinError, UnsuitableError, UserCodeError
from taquin.heuristics.base import holds_user_code
from taquin.heuristics.user_code import with_source
from taquin.lab.run.database import Ending, Record
from taquin.lab.study.definition import Job, code_version
from taquin.lab.study.identity import changed_part, contents, written
from taquin.search.control import Control
from taquin.search.driver import tables_first
from taquin.search.result import Stats, Task
from taquin.search.user_search import UserSearch
from taquin.system import machine
from taquin.system.compiled import is_loaded
from taquin.system.jobs import End, JobEnding, JobProcess, Link
from taquin.system.machine import safe_memory, usable_cores

_GROWTH = 4 << 20
"""Bytes that a worker may keep after a run without being replaced."""
_CHANGED = (
    "is other code there, as its file was edited or a variable that it uses was changed after this "
    "program loaded it"
)

ASKS_SOLVER = "it calls a solver of taquin"
"""The reason in a record of user code that has another search do its work."""


def execute(job: Job, control_of: Callable[..., Control] = Control) -> Record:
    """Do a run in this process and return its record; exceptions become records too."""
    try:
        engine = engine_named(job.engine)
        task = Task(job.puzzle, job.start, job.algorithm, job.run.limits)
        if job.algorithm is not None and job.engine == "auto":
            # Compiled or not, a named search has the same counts.
            compiled = engine_named("textbook", threads=1)
            is_compiled = compiled.preferred_for(task) and compiled.fits(task)
            engine = compiled if is_compiled else engine_named("glass")
        if getattr(engine, "threads", 0) is None:
            # Runs are parallel, so that each has one thread and the same counts every time.
            engine = replace(engine, threads=1)  # type: ignore[type-var]
        limits, created = job.run.limits, Control.created
        control = control_of(limits, uncounted=tables_first(job.algorithm))
        result = solve(task, Wishes(engine, fallback=False), control)
    except MemoryError:
        return unfinished(job, Ending.OUT_OF_MEMORY, "out of memory")
    except UserCodeError as error:
        return unfinished(job, Ending.CRASHED, str(error))
    except TaquinError as error:
        return unfinished(job, Ending.UNSUITABLE, str(error))
    except Exception as error:
        return unfinished(job, Ending.CRASHED, f"{type(error).__name__}: {error}")
    is_full = result.limit is Limit.MEMORY
    # Runs are not checked, so that a record measures the search alone.
    reason = result.reason or (result.assumes and f"optimal if {result.assumes}")
    record = unfinished(
        job, Ending.OUT_OF_MEMORY if is_full else Ending(result.outcome.value), reason
    )
    if isinstance(job.algorithm, UserSearch) and Control.created > created + 1:
        # The glass box makes no other control, so user code has called one of taquin's solvers.
        record = replace(record, reason="; ".join(filter(None, (result.reason, ASKS_SOLVER))))
        own = result.stats
        uncounted = Stats(
            seconds=own.seconds, cpu_seconds=own.cpu_seconds, peak_memory=own.peak_memory
        )
        result = replace(result, stats=uncounted)
    has_moves = job.records_moves and result.moves is not None
    return replace(
        record,
        limit_reached=result.limit and result.limit.value,
        ran=str(result.algorithm),
        engine=str(result.engine),
        cost=result.cost,
        lower_bound=result.lower_bound,
        solution=write_moves(result.moves or (), job.puzzle.metric) if has_moves else None,
        preparation_seconds=result.preparation.total,
        bounds=" ".join(f"{bound}:{nodes}" for bound, nodes in result.bounds),
        stats=result.stats,
    )


def unfinished(job: Job, ending: Ending, reason: str) -> Record:
    """Return the record of a run without its result."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Record(job.run, ending, reason, machine=machine.machine(), when=now)


def _here(record: Record) -> Record:
    """Return a record of this process, or of a worker that it started, with their provenance."""
    own = {"user code": record.run.own_code} if record.run.own_code else {}
    return replace(record, provenance=json.dumps(machine.provenance() | own))


def overdue_record(job: Job, elapsed: float) -> Record:
    """Return the record of a run whose process was killed after some seconds at a limit."""
    limits = job.run.limits
    control = Control(limits)
    is_cpu = limits.cpu_seconds is not None and elapsed < (limits.seconds or inf)
    limit = Limit.CPU_SECONDS if is_cpu else Limit.SECONDS
    control.end(limit)
    record = unfinished(job, Ending.LIMIT, f"{control.reason}; its process was killed")
    return replace(record, limit_reached=limit.value)


_kept: int | None = None
"""The bytes that this worker held after a run that loaded a library; None if it loaded none."""


def answer(link: Link, job: Job, memory: int | None, code: str) -> tuple[Record, bool]:
    """Do a run that may add `memory` bytes to this worker, by default any number.

    Return its record, and whether the worker now keeps libraries or tables that only runs of this
    kind load. `code` is the version of the parent's code.
    """
    global _kept
    if job.run.code == code != code_version():
        raise MachineError(
            "the code of taquin was changed while the study ran: what is done is recorded; "
            "run the study again to go on with the code as it is now"
        )
    # Functions and classes are pickled by name: this process imported them from their files.
    if place := changed_part(job.algorithm, job.run.own_code):
        raise UnsuitableError(f"{place} {_CHANGED}")
    loaded, had_library = len(sys.modules), is_loaded()
    is_reset = machine.reset_peak()
    ceilings = [size for size in (memory, job.run.limits.memory) if size is not None]
    with machine.memory_ceiling(min(ceilings, default=None)):
        record = execute(job, partial(control_for, link))
    if is_reset:
        record = replace(record, stats=replace(record.stats, peak_memory=machine.peak_memory()))
    gc.collect()
    machine.release_memory()
    if len(sys.modules) > loaded:
        # What this run has loaded is not freed either: to look through it takes a millisecond.
        gc.freeze()
    if is_loaded() and not had_library:
        # The next run of this kind would only load the library again.
        _kept = machine.process_memory()
    link.is_last = machine.process_memory() - (_kept or link.size) > _GROWTH
    return record, _kept is not None


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
        if not self._jobs:
            return []
        job = self._jobs.popleft()
        with chdir(job.home) if job.home else nullcontext():
            records = [_here(execute(job))]
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
        for worker in self._workers:
            worker.close()
        for worker, thread in zip(self._workers, self._threads, strict=True):
            thread.join()
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
        super().__init__(__name__)
        self._memory = memory
        self.kind: Hashable = None
        """The only kind of jobs that the process may do; None for any."""

    def run(self, job: Job) -> Record | None:
        """Return the record of a job; None if the worker was closed meanwhile.

        Raise UnsuitableError for a job that cannot be sent to another process, and MachineError if
        no process starts, or if it runs other code than the job asks for.
        """
        kind = kind_of(job)
        if self.kind not in (None, kind):
            self.reap()
        for _ in range(TRIES):
            self.start()
            began = perf_counter()
            ending = self._ending(job)
            if self.is_closed:
                return None
            match ending.how:
                case End.DONE:
                    record, is_kept = ending.value
                    if is_kept and not ending.is_last:
                        self.kind = kind
                    return _here(record)
                case End.SECONDS:
                    return _here(overdue_record(job, perf_counter() - began))
                case End.MEMORY:
                    return _here(unfinished(job, Ending.OUT_OF_MEMORY, "out of memory"))
                case End.FAILED if isinstance(ending.value, MachineError):
                    raise ending.value
                case End.FAILED:
                    raise _unsendable(job, str(ending.value))
        return _here(unfinished(job, Ending.CRASHED, f"{TRIES} attempts failed: {ending.value}"))

    def reap(self) -> str:
        """Wait for the end of the process, and return how it ended; the next does any job."""
        self.kind = None
        return super().reap()

    def _ending(self, job: Job) -> JobEnding:
        seconds = job.run.limits.seconds
        is_timed = seconds is not None and holds_user_code(job.algorithm)
        silence = seconds + _SILENCE if is_timed and seconds is not None else inf
        arguments = answer, job, self._memory, code_version()
        try:
            messages = self.messages(*arguments, silence=silence, folder=job.home)
            ending = deque(messages, maxlen=1).pop()
        except Exception as error:
            raise _unsendable(job, f"{type(error).__name__}: {error}") from None
        assert isinstance(ending, JobEnding), "every job has an ending"
        return ending


def _unsendable(job: Job, why: str) -> UnsuitableError:
    return UnsuitableError(
        f"the search {job.run.search!r} cannot be sent to another process ({why}): define what it "
        f"is made of in a module that can be imported, start again if that module was edited, or "
        f"run the study with 0 processes"
    )


_COUNT_SECONDS = 2.0
"""Seconds between counts of the workers."""


class ClusterExecutor:
    """Does jobs on the workers of a Dask scheduler: whatever `Connection` takes."""

    def __init__(self, address: Any) -> None:
        self._dask = Connection(address)
        self._address = address if isinstance(address, str) else self._dask.client.scheduler.address
        self._runner = uuid4().hex
        self._done: SimpleQueue[Record | Exception] = SimpleQueue()
        self._slots, self._counted = 1, 0.0
        self._is_closed = False
        self._plugin: Any = None
        """Sends the files of the study to the workers."""

    @property
    def slots(self) -> int:
        """The number of threads of all workers now; at least 1."""
        if monotonic() - self._counted > _COUNT_SECONDS:
            self._counted = monotonic()
            try:
                self._slots = self._dask.threads()
            except (OSError, RuntimeError):
                raise self._lost() from None
        return self._slots

    def submit(self, job: Job) -> None:
        """Take a job."""
        if job.home and self._plugin is None:
            # Workers that join later are sent the files too.
            self._plugin = _sent_files(self._runner, contents(job.home))
            self._dask.client.register_plugin(self._plugin)
        future = self._dask.executor.submit(run_on_worker, job, self._runner, code_version())
        future.add_done_callback(partial(self._queue_result, job))

    def completed(self, seconds: float) -> list[Record]:
        """Return the records since the last call."""
        return drain(self._done, seconds)

    def close(self) -> None:
        """Drop the jobs that are not done; stop the workers if this started them."""
        self._is_closed = True
        try:
            # If the scheduler is gone, its workers are gone with it.
            with suppress(OSError, RuntimeError):
                self._dask.executor.shutdown(wait=False)
                self._dask.client.run(stop_workers, self._runner, on_error="ignore")
                if self._plugin is not None:
                    self._dask.client.unregister_worker_plugin(self._plugin.name)
        finally:
            self._dask.close()

    def _queue_result(self, job: Job, future: Future[Record | TaquinError | None]) -> None:
        """Queue the record of a job, or the error that ends the study."""
        if self._is_closed:
            return
        try:
            answer = future.result()
        except (CancelledError, Exception) as error:
            answer = self._lost()
            if isinstance(error, import_module("distributed").KilledWorker):
                answer = unfinished(job, Ending.CRASHED, "the workers that tried it died")
        if answer is not None:
            self._done.put(answer)

    def _lost(self) -> TaquinError:
        return MissingError(
            f"the Dask scheduler at {self._address} is gone: what is done is recorded; run the "
            f"study again to go on"
        )


_BUSY: dict[StudyWorker, str] = {}
"""The worker processes of this Dask worker that have a job, with the runner of each."""
_THREAD = threading.local()
"""Holds the worker process of each thread of this Dask worker."""


def run_on_worker(job: Job, runner: str, code: str) -> Record | TaquinError | None:
    """Do a job on this Dask worker and return its record; None if it was cancelled.

    `code` is the version of the runner's code. An error that ends the study is returned, because
    Dask would print a long traceback for an exception.
    """
    if job.run.code == code != code_version():
        return MissingError(
            f"a worker of the cluster runs taquin {code_version()}, the study is for {code}: "
            f"install the same version everywhere"
        )
    worker = getattr(_THREAD, "worker", None)
    if worker is None:
        worker = _THREAD.worker = StudyWorker(safe_memory(usable_cores()))
    if job.home:
        home = _HOMES[runner].name
        job = replace(job, home=home, algorithm=with_source(job.algorithm, home))
    _BUSY[worker] = runner
    try:
        record = worker.run(job)
    except TaquinError as error:
        return error
    finally:
        del _BUSY[worker]
    if record is None:
        _THREAD.worker = None
    return record


_HOMES: dict[str, TemporaryDirectory[str]] = {}
"""The copies of the files of studies on this Dask worker, by runner."""


def _sent_files(runner: str, files: Mapping[str, bytes]) -> Any:
    """Return the Dask plugin that gives each worker the files of a runner's study."""

    class Files(import_module("distributed").WorkerPlugin):  # type: ignore[misc]
        name = f"taquin-files-{runner}"

        def setup(self, worker: object) -> None:
            keep_files(runner, files)

        def teardown(self, worker: object) -> None:
            drop_files(runner)

    return Files()


def keep_files(runner: str, files: Mapping[str, bytes]) -> None:
    """Write the files of a runner's study for this Dask worker, or several of one process."""
    if runner not in _HOMES:
        _HOMES[runner] = written(files)


def drop_files(runner: str) -> None:
    """Delete the files of a runner's study on this Dask worker."""
    if folder := _HOMES.pop(runner, None):
        folder.cleanup()


def stop_workers(runner: str) -> None:
    """End the jobs that this Dask worker does for a runner."""
    for worker, served in list(_BUSY.items()):
        if served == runner:
            worker.close()

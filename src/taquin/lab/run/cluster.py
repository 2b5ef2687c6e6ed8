"""Runs on many machines, by Dask (extra `cluster`); see docs/lab.md.

The runner writes the records; workers need taquin, in the same version, and nothing else. Workers
may join and leave: if one dies, another does its run again. Each thread of a Dask worker does its
runs in a worker process, as the pool does, so a run that crashes does not end the Dask worker.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from importlib import import_module
from queue import SimpleQueue
from time import monotonic
from typing import Any
from uuid import uuid4

from taquin.engine.dask import connect, disconnect
from taquin.errors import MissingError, TaquinError
from taquin.lab.run.executor import StudyWorker, drain
from taquin.lab.run.record import Ending, Record
from taquin.lab.run.worker import unfinished
from taquin.lab.study.study import Job, code_version
from taquin.system.machine import safe_memory, usable_cores

_COUNT_SECONDS = 2.0
"""Seconds between counts of the workers."""


class Cluster:
    """Does jobs on the workers of a Dask scheduler: whatever `connect` takes."""

    def __init__(self, address: Any) -> None:
        self._client, self._local = connect(address)
        self._address = address if isinstance(address, str) else self._client.scheduler.address
        self._runner = uuid4().hex
        self._done: SimpleQueue[Record | Exception] = SimpleQueue()
        self._futures: dict[str, Any] = {}
        self._slots, self._counted = 0, 0.0
        self._is_closed = False

    @property
    def slots(self) -> int:
        """The number of threads of all workers now; at least 1."""
        if monotonic() - self._counted > _COUNT_SECONDS:
            self._counted = monotonic()
            try:
                self._slots = sum(self._client.nthreads().values())
            except (OSError, RuntimeError):
                raise self._lost() from None
        return max(1, self._slots)

    def submit(self, job: Job) -> None:
        """Take a job."""
        key = f"taquin-{job.key}-{self._runner}"
        future = self._client.submit(
            run_on_worker, job, self._runner, code_version(), key=key, pure=False
        )
        self._futures[job.key] = future
        future.add_done_callback(lambda done: self._queue_result(job, done))

    def completed(self, seconds: float) -> list[Record]:
        """Return the records since the last call."""
        return drain(self._done, seconds)

    def close(self) -> None:
        """Drop the jobs that are not done; stop the workers if this started them."""
        self._is_closed = True
        try:
            # If the scheduler is gone, its workers are gone with it.
            with suppress(OSError, RuntimeError):
                if self._futures:
                    self._client.cancel(list(self._futures.values()), force=True)
                    self._client.run(stop_workers, self._runner, on_error="ignore")
        finally:
            disconnect(self._client, self._local)

    def _queue_result(self, job: Job, future: Any) -> None:
        """Queue the record of a job, or the error that ends the study."""
        if self._is_closed:
            return
        self._futures.pop(job.key, None)
        try:
            answer = future.result()
        except (asyncio.CancelledError, Exception) as error:
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


def stop_workers(runner: str) -> None:
    """End the jobs that this Dask worker does for a runner."""
    for worker, served in list(_BUSY.items()):
        if served == runner:
            worker.close()

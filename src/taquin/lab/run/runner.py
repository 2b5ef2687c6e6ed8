"""The runner of a study: it claims the runs that have no record, submits them, writes the records.

A record is written and its claim deleted in one transaction: a runner that is killed leaves either
a record or a run to do again.

Two runners on one file share the work. Each registers, sends a heartbeat every few seconds, and
claims runs before it does them. A runner is dead if its process is gone (on this machine), or if
its last heartbeat is old: by its time stamp, or because this runner has seen no newer one for as
long, whatever the clock says. The claims of a dead runner expire. If two runners do the same run,
because one of them was suspended for minutes, the first record stays.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from os import PathLike
from threading import Event, Thread
from time import monotonic, sleep, time
from typing import Any
from uuid import uuid4

from taquin.errors import InputError, TaquinError
from taquin.lab.run.database import Record, Records, Store
from taquin.lab.run.executor import Executor, Pool, SameThread
from taquin.lab.study.definition import Job, Study, jobs_of
from taquin.system.machine import safe_memory, usable_cores

BEAT = 5.0
"""Seconds between heartbeats."""
LEASE = 60.0
"""Seconds without a heartbeat after which a runner counts as dead."""
_OWN_RUNNERS: set[str] = set()
"""The runners of this process."""
_COMMIT = 0.2
"""Seconds that records wait to be committed together, because every commit writes to the disk."""
_LOOK = 0.5
"""Seconds between checks of other runners, and between reports of progress."""
_AHEAD = 0.5
"""Seconds of work to submit in advance, so that no slot waits for the disk."""
_MOST_AHEAD = 100
"""The most runs per slot to submit in advance."""


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """The progress of a study."""

    total: int
    done: int
    """Runs with a record, by any runner."""
    running: int
    failed: int
    """Runs that crashed or did not suit their search, since this runner started."""
    seconds: float
    """Seconds since this runner started."""
    estimate: float | None
    """Seconds until the end, if the other runs take as long as those done; None if none is done."""


OnProgress = Callable[[StudyProgress], None]
"""Called about twice a second, and at the end."""


def run_study(
    study: Study,
    store: str | PathLike[str] | None = None,
    *,
    processes: int | None = None,
    cluster: Any = None,
    progress: OnProgress | None = None,
) -> Records:
    """Do the runs of `Study.run` that have no record; return the records of the whole study."""
    slots = usable_cores() if processes is None else processes

    def make_executor() -> Executor:
        if cluster is not None:
            from taquin.lab.run.executor import ClusterExecutor

            return ClusterExecutor(cluster)
        if slots < 0:
            raise InputError(f"the number of processes must be 0 or more, not {slots}")
        return Pool(slots, safe_memory(slots)) if slots else SameThread()

    algorithms = tuple(search.algorithm for search in study.searches)
    with (
        study.files.copied(algorithms) as home,
        Store.of_study(study.name, store, write=True) as opened,
    ):
        # Only once: code that cannot be identified gets different keys every time.
        jobs = list(jobs_of(study, home=home))
        damaged = opened.remove_damaged()
        run_jobs(jobs, opened, make_executor, progress)
        records = opened.records_for(jobs)
        records.faults[:0] = damaged
        return records


def run_jobs(
    jobs: list[Job],
    store: Store,
    make_executor: Callable[[], Executor],
    progress: OnProgress | None = None,
) -> None:
    """Do the jobs that have no record; return when all of them have one.

    The executor is made only if there is a job to do. Ctrl-C still records the finished jobs.
    """
    runner = _Runner({job.key: job for job in jobs}, store, progress)
    if not runner.is_over:
        with JobClaims(store) as claims, closing(make_executor()) as executor:
            runner.run(executor, claims)
    runner.report(0)


class _Runner:
    """The jobs of one call, by their state."""

    def __init__(self, jobs: dict[str, Job], store: Store, progress: OnProgress | None) -> None:
        self._jobs, self._store, self._progress = jobs, store, progress
        recorded = store.keys()
        self._waiting = deque(key for key in jobs if key not in recorded)
        self._missing = len(self._waiting)
        """Jobs without a record when this started."""
        self._claimed_by_others: list[str] = []
        """Jobs that other runners have claimed."""
        self._running: set[str] = set()
        self._finished: list[Record] = []
        """Records not yet written."""
        self._slots = 1
        self._failed = 0
        self._own = 0
        """Jobs done by this runner."""
        self._own_seconds = 0.0
        self._began = monotonic()
        self._committed = self._reported = self._looked = 0.0

    @property
    def is_over(self) -> bool:
        """Whether every job has a record."""
        return not (self._waiting or self._running or self._claimed_by_others or self._finished)

    def run(self, executor: Executor, claims: JobClaims) -> None:
        """Do the jobs."""
        try:
            while not self.is_over:
                self._exchange(executor, claims)
                self.report(_LOOK)
                if self._running:
                    for record in executor.completed(_COMMIT if self._finished else _LOOK):
                        # A worker that was taken for dead may still answer.
                        if record.key in self._running:
                            self._running.remove(record.key)
                            self._finished.append(record)
                            self._failed += record.ending.is_failure
                            self._own += 1
                            self._own_seconds += record.seconds
                elif self._claimed_by_others and not self._waiting:
                    sleep(_LOOK)
        finally:
            if self._finished:
                with self._store.transaction() as connection:
                    self._write(connection)

    def _exchange(self, executor: Executor, claims: JobClaims) -> None:
        """Write the finished records and claim new jobs, in one transaction, when it is time."""
        now = monotonic()
        self._slots = executor.slots
        # Two jobs per slot, and more if they are short.
        mean = self._own_seconds / self._own if self._own else _AHEAD
        ahead = self._slots * max(2, round(_AHEAD / max(mean, _AHEAD / _MOST_AHEAD)))
        wanted = max(0, ahead - len(self._running))
        claims_more = self._waiting and wanted >= ahead // 2
        overdue = self._finished and now - self._committed >= _COMMIT
        if now - self._looked >= _LOOK:
            self._looked = now
            self._waiting.extend(self._claimed_by_others)
            self._claimed_by_others = []
            overdue = overdue or bool(self._waiting and wanted)
        if not (claims_more or overdue or (self._finished and not self._running)):
            return
        self._committed = now
        with self._store.transaction() as connection:
            self._write(connection)
            taken, others = claims.take(connection, self._waiting, wanted)
            if others:
                claims.expire_dead_runners(connection)
        self._finished = []
        self._claimed_by_others += others
        for key in taken:
            self._running.add(key)
            executor.submit(self._jobs[key])

    def _write(self, connection: sqlite3.Connection) -> None:
        """Write the finished records and delete their claims, within a transaction."""
        self._store.add(self._finished)
        keys = [(record.key,) for record in self._finished]
        connection.executemany("DELETE FROM claims WHERE key = ?", keys)

    def report(self, interval: float) -> None:
        """Report the progress, unless the last report is less than `interval` seconds old."""
        now = monotonic()
        if self._progress is None or now - self._reported < interval:
            return
        self._reported = now
        left = len(self._waiting) + len(self._claimed_by_others) + len(self._running)
        seconds = now - self._began
        done_here = self._missing - left
        self._progress(
            StudyProgress(
                total=len(self._jobs),
                done=len(self._jobs) - left,
                running=min(self._slots, len(self._running)),
                failed=self._failed,
                seconds=seconds,
                estimate=seconds / done_here * left if done_here else None if left else 0.0,
            )
        )


class JobClaims:
    """The claims of this runner; a context manager that registers the runner and removes it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # The current folder changes during runs in this thread.
        self._path = store.path.absolute()
        self._id = uuid4().hex
        self._over = Event()
        self._heart = Thread(target=self._beat, name="taquin heartbeat", daemon=True)
        self._seen: dict[tuple[str, float], float] = {}
        """When each heartbeat of another runner was first seen, by the monotonic clock."""

    def __enter__(self) -> JobClaims:
        _OWN_RUNNERS.add(self._id)
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO runners VALUES (?, ?, ?, ?)",
                (self._id, socket.gethostname(), os.getpid(), time()),
            )
        self._heart.start()
        return self

    def __exit__(self, *raised: object) -> None:
        _OWN_RUNNERS.discard(self._id)
        self._over.set()
        self._heart.join()
        # If this fails, on a full disk, the claims expire with the process.
        with suppress(TaquinError), self._store.transaction() as connection:
            _remove(connection, self._id)

    def take(
        self, connection: sqlite3.Connection, waiting: deque[str], most: int
    ) -> tuple[list[str], list[str]]:
        """Claim up to `most` of the runs in `waiting`, from the left, within a transaction.

        Return the claimed runs and the runs of other runners; remove every run examined.
        """
        taken, others = list[str](), list[str]()
        while waiting and len(taken) < most:
            key = waiting.popleft()
            if connection.execute("SELECT 1 FROM records WHERE key = ?", (key,)).fetchone():
                continue
            try:
                connection.execute("INSERT INTO claims VALUES (?, ?)", (key, self._id))
                taken.append(key)
            except sqlite3.IntegrityError:
                others.append(key)
        return taken, others

    def expire_dead_runners(self, connection: sqlite3.Connection) -> None:
        """Delete dead runners and their claims, within a transaction."""
        for runner, host, pid, beat in connection.execute("SELECT * FROM runners").fetchall():
            seen = self._seen.setdefault((runner, beat), monotonic())
            is_silent = runner not in _OWN_RUNNERS and monotonic() - seen > LEASE
            if is_silent or not _is_alive(runner, host, pid, beat):
                _remove(connection, runner)

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            # A missed heartbeat does no harm, and the runner itself reports what is wrong.
            with (
                suppress(Exception),
                Store(self._path, write=True) as store,
                store.transaction() as connection,
            ):
                connection.execute("UPDATE runners SET beat = ? WHERE id = ?", (time(), self._id))


def _remove(connection: sqlite3.Connection, runner: str) -> None:
    connection.execute("DELETE FROM claims WHERE runner = ?", (runner,))
    connection.execute("DELETE FROM runners WHERE id = ?", (runner,))


def living_runners(store: Store) -> int:
    """Return the number of runners that are alive."""
    rows = store.rows("SELECT * FROM runners")
    # A heartbeat in the future was sent before the clock was set back.
    return sum(_is_alive(*row) and row[-1] - time() <= LEASE for row in rows)


def _is_alive(runner: str, host: str, pid: int, beat: float) -> bool:
    if runner in _OWN_RUNNERS:
        return True
    # A runner of this process ended, but could not remove itself, because the disk was full.
    here = socket.gethostname()
    if time() - beat > LEASE or (host, pid) == (here, os.getpid()):
        return False
    # On Windows, os.kill would end the process; there only the lease decides.
    if host == here and os.name != "nt":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
    return True

"""Run what a study still lacks: claim runs, hand them out, record them as they come back.

One loop, whatever the executor. A record is written, and its claim given up, in one transaction, so
that a runner that is killed leaves behind either a record or a run to be done again.

Two runners on one file do not do the same work. Each registers, gives a sign of life every few
seconds, and claims runs before it does them. It counts as dead when its process is gone (on this
machine) or its last sign of life is old, by the clock or because no other has come for as long as
that, whatever the clock says; its claims lapse then. Claims only save work: should two
runners do one run all the same, because one of them was asleep for minutes, the first record stays
and the second is dropped.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from os import PathLike
from threading import Event, Thread
from time import monotonic, sleep, time
from uuid import uuid4

from taquin.errors import InputError, TaquinError
from taquin.lab.run.executor import Executor, Pool, SameThread
from taquin.lab.run.record import Record, Records
from taquin.lab.run.store import Store
from taquin.lab.study.study import Job, Study, jobs_of
from taquin.system.machine import safe_memory, usable_cores

BEAT = 5.0
"""Seconds between signs of life."""
LEASE = 60.0
"""Seconds without a sign of life after which a runner counts as dead."""
_HERE: set[str] = set()
"""The runners at work in this very process."""
_COMMIT = 0.2
"""Seconds that records may wait to be written together: a commit costs a write to the disk."""
_LOOK = 0.5
"""Seconds between looks at what other runners do, and between reports of progress."""
_AHEAD = 0.5
"""Seconds of work to hand out in advance, so that no slot waits for the disk."""
_MOST_AHEAD = 100
"""Most runs per slot to hand out in advance."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study has come."""

    total: int
    """Runs of the study."""
    done: int
    """Those recorded, by this runner, another, or before."""
    running: int
    """Those under way."""
    failed: int
    """Those that crashed, or that the search could not serve, since this runner began."""
    seconds: float
    """Since this runner began."""
    estimate: float | None
    """Seconds until the end, should the rest be like what is done; None while nobody knows."""


Report = Callable[[Progress], None]
"""Called about twice a second, and at the end."""


def run_study(
    study: Study,
    store: str | PathLike[str] | None = None,
    *,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Report | None = None,
) -> Records:
    """Run what is not yet recorded, and return the records of the whole study.

    See `Study.run` for the arguments.
    """
    with Store.of_study(study.name, store, write=True) as opened:
        # Once only: code that cannot be identified would get other keys the next time.
        jobs = list(jobs_of(study))
        run_jobs(jobs, opened, lambda: executor_for(processes, cluster), progress)
        return opened.records_for(jobs)


def executor_for(processes: int | None = None, cluster: str | None = None) -> Executor:
    """Return what does the runs: a cluster, this very process (0), or a pool of processes."""
    if cluster is not None:
        from taquin.lab.run.cluster import Cluster

        return Cluster(cluster)
    if processes is None:
        processes = usable_cores()
    if processes < 0:
        raise InputError(f"the number of processes must be 0 or more, not {processes}")
    return Pool(processes, safe_memory(processes)) if processes else SameThread()


def run_jobs(
    jobs: list[Job],
    store: Store,
    make_executor: Callable[[], Executor],
    progress: Report | None = None,
) -> None:
    """Do the jobs that are not recorded; return when all of them are.

    The executor is made only when there is something to do. KeyboardInterrupt comes through, once
    all that is done is recorded.
    """
    runner = _Runner({job.key: job for job in jobs}, store, progress)
    if not runner.is_over:
        with Claims(store) as claims, closing(make_executor()) as executor:
            runner.go(executor, claims)
    runner.report(0)


class _Runner:
    """The jobs of one call, by where they are."""

    def __init__(self, jobs: dict[str, Job], store: Store, progress: Report | None) -> None:
        self._jobs, self._store, self._progress = jobs, store, progress
        recorded = store.keys()
        self._waiting = deque(key for key in jobs if key not in recorded)
        self._at_hand = len(self._waiting)
        """Jobs to do when this began."""
        self._elsewhere: list[str] = []
        """Jobs that other runners have claimed."""
        self._running: set[str] = set()
        self._finished: list[Record] = []
        """Records not yet written."""
        self._slots = 1
        self._failed = 0
        self._own = 0
        """Jobs done by this runner, and how long they took."""
        self._own_seconds = 0.0
        self._began = monotonic()
        self._committed = self._reported = self._looked = 0.0

    @property
    def is_over(self) -> bool:
        """Tell whether every job is recorded."""
        return not (self._waiting or self._running or self._elsewhere or self._finished)

    def go(self, executor: Executor, claims: Claims) -> None:
        """Do the jobs."""
        try:
            while not self.is_over:
                self._exchange(executor, claims)
                self.report(_LOOK)
                if self._running:
                    self._take_in(executor.completed(_COMMIT if self._finished else _LOOK))
                elif self._elsewhere and not self._waiting:
                    sleep(_LOOK)
        finally:
            if self._finished:
                with self._store.transaction() as connection:
                    self._write(connection, claims)

    def _take_in(self, records: list[Record]) -> None:
        for record in records:
            # A worker that was given up for dead may answer after all.
            if record.key in self._running:
                self._running.remove(record.key)
                self._finished.append(record)
                self._failed += record.ending.is_failure
                self._own += 1
                self._own_seconds += record.seconds

    def _exchange(self, executor: Executor, claims: Claims) -> None:
        """Write what is finished and claim what comes next, in one transaction, when it is time."""
        now = monotonic()
        self._slots = executor.slots
        ahead = self._ahead(self._slots)
        room = max(0, ahead - len(self._running))
        hungry = self._waiting and room >= ahead // 2
        overdue = self._finished and now - self._committed >= _COMMIT
        if now - self._looked >= _LOOK:
            self._looked = now
            self._waiting.extend(self._elsewhere)
            self._elsewhere = []
            overdue = overdue or bool(self._waiting and room)
        if not (hungry or overdue or (self._finished and not self._running)):
            return
        self._committed = now
        with self._store.transaction() as connection:
            self._write(connection, claims)
            taken, elsewhere = claims.take(connection, self._waiting, room)
            if elsewhere:
                claims.expire_dead_runners(connection)
        self._finished = []
        self._elsewhere += elsewhere
        for key in taken:
            self._running.add(key)
            executor.submit(self._jobs[key])

    def _write(self, connection: sqlite3.Connection, claims: Claims) -> None:
        """Write what is finished and give up its claims, within a transaction."""
        self._store.add(self._finished)
        claims.release(connection, [record.key for record in self._finished])

    def _ahead(self, slots: int) -> int:
        """Return how many jobs to have handed out: two per slot, and more when they are short."""
        if not self._own:
            return 2 * slots
        each = max(self._own_seconds / self._own, _AHEAD / _MOST_AHEAD)
        return slots * max(2, min(_MOST_AHEAD, round(_AHEAD / each)))

    def report(self, interval: float) -> None:
        """Tell how far this is, unless that was told less than `interval` seconds ago."""
        now = monotonic()
        if self._progress is None or now - self._reported < interval:
            return
        self._reported = now
        left = len(self._waiting) + len(self._elsewhere) + len(self._running)
        seconds = now - self._began
        done_here = self._at_hand - left
        self._progress(
            Progress(
                total=len(self._jobs),
                done=len(self._jobs) - left,
                running=min(self._slots, len(self._running)),
                failed=self._failed,
                seconds=seconds,
                estimate=seconds / done_here * left if done_here else None if left else 0.0,
            )
        )


class Claims:
    """The claims of this runner; a context manager that registers it and strikes it off."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._id = uuid4().hex
        self._over = Event()
        self._heart = Thread(target=self._beat, name="taquin heartbeat", daemon=True)
        self._seen: dict[tuple[str, float], float] = {}
        """When each sign of life of another runner was first seen, by a clock nobody can set."""

    def __enter__(self) -> Claims:
        _HERE.add(self._id)
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO runners VALUES (?, ?, ?, ?)",
                (self._id, socket.gethostname(), os.getpid(), time()),
            )
        self._heart.start()
        return self

    def __exit__(self, *raised: object) -> None:
        _HERE.discard(self._id)
        self._over.set()
        self._heart.join()
        # Where this fails (a full disk) the claims lapse with the process.
        with suppress(TaquinError), self._store.transaction() as connection:
            connection.execute("DELETE FROM claims WHERE runner = ?", (self._id,))
            connection.execute("DELETE FROM runners WHERE id = ?", (self._id,))

    def take(
        self, connection: sqlite3.Connection, waiting: deque[str], most: int
    ) -> tuple[list[str], list[str]]:
        """Claim up to `most` of the runs that wait, from the left, within a transaction.

        Return those that are now this runner's, and those that another runner has. Those are gone
        from `waiting`, and so are runs that turn out to be recorded.
        """
        taken: list[str] = []
        elsewhere: list[str] = []
        while waiting and len(taken) < most:
            key = waiting.popleft()
            if connection.execute("SELECT 1 FROM records WHERE key = ?", (key,)).fetchone():
                continue
            try:
                connection.execute("INSERT INTO claims VALUES (?, ?)", (key, self._id))
                taken.append(key)
            except sqlite3.IntegrityError:
                elsewhere.append(key)
        return taken, elsewhere

    def release(self, connection: sqlite3.Connection, keys: Iterable[str]) -> None:
        """Give up claims, within a transaction: the runs are recorded, or will not be done."""
        connection.executemany("DELETE FROM claims WHERE key = ?", ((key,) for key in keys))

    def expire_dead_runners(self, connection: sqlite3.Connection) -> None:
        """Let the claims of dead runners lapse, within a transaction."""
        for runner, host, pid, beat in connection.execute("SELECT * FROM runners").fetchall():
            seen = self._seen.setdefault((runner, beat), monotonic())
            silent = runner not in _HERE and monotonic() - seen > LEASE
            if silent or not _lives(runner, host, pid, beat):
                connection.execute("DELETE FROM claims WHERE runner = ?", (runner,))
                connection.execute("DELETE FROM runners WHERE id = ?", (runner,))

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            # A missed beat does no harm, and the runner itself will tell what is wrong.
            with (
                suppress(TaquinError),
                Store(self._store.path, write=True) as store,
                store.transaction() as connection,
            ):
                connection.execute("UPDATE runners SET beat = ? WHERE id = ?", (time(), self._id))


def living_runners(store: Store) -> int:
    """Return how many runners are at work on a file."""
    rows = store.rows("SELECT * FROM runners")
    # A sign of life from a time to come was given before the clock was set back.
    return sum(_lives(*row) and row[-1] - time() <= LEASE for row in rows)


def _lives(runner: str, host: str, pid: int, beat: float) -> bool:
    if runner in _HERE:
        return True
    if time() - beat > LEASE:
        return False
    if (host, pid) == (socket.gethostname(), os.getpid()):
        # It ended, but could not say so: its disk was full.
        return False
    # Windows has no way to ask without doing harm; there the lease alone decides.
    if host != socket.gethostname() or os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

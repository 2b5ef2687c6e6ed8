"""Who does which run, so that two runners on one file do not do the same work.

A runner registers, gives a sign of life every few seconds, and claims runs before it does them. It
counts as dead when its process is gone (on this machine) or its last sign of life is old; its
claims lapse then. Claims only save work: should two runners do one run all the same, because one
of them was asleep for minutes, the first record stays and the second is dropped.
"""

from __future__ import annotations

import os
import socket
import sqlite3
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from threading import Event, Thread
from time import time
from types import TracebackType
from uuid import uuid4

from taquin.errors import TaquinError
from taquin.lab.run.store import Store

BEAT = 5.0
"""Seconds between signs of life."""

LEASE = 60.0
"""Seconds without a sign of life after which a runner counts as dead."""

_HERE: set[str] = set()
"""The runners at work in this very process."""


class Claims:
    """The claims of this runner; a context manager that registers it and strikes it off."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._id = uuid4().hex
        self._over = Event()
        self._heart = Thread(target=self._beat, name="taquin heartbeat", daemon=True)

    def __enter__(self) -> Claims:
        _HERE.add(self._id)
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT INTO runners VALUES (?, ?, ?, ?)",
                (self._id, socket.gethostname(), os.getpid(), time()),
            )
        self._heart.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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

    def bury_the_dead(self, connection: sqlite3.Connection) -> None:
        """Let the claims of dead runners lapse, within a transaction."""
        for runner, host, pid, beat in connection.execute("SELECT * FROM runners").fetchall():
            if not _lives(runner, host, pid, beat):
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
    return sum(_lives(*row) for row in store.rows("SELECT * FROM runners"))


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

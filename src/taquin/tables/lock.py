"""A lock between processes that the system itself frees when its holder dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_POLL_SECONDS = 0.05

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def locked(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file `path` for the length of the block.

    `waiting` is called once if another process holds it. Closing the file frees the lock, and so
    does the death of the process, however it dies; the empty file stays and means nothing. Raise
    OSError when the file cannot be made.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        told = False
        while not _try_lock(handle):
            if not told:
                waiting()
                told = True
            # Polling, not blocking, so that an interrupt is heard.
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(handle)

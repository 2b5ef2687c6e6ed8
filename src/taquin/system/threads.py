"""Threads that share out work, and let go of it when it is to end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from taquin.system.machine import refuse_threads, usable_cores


@contextmanager
def thread_pool(threads: int | None) -> Iterator[ThreadPoolExecutor]:
    """Yield a pool of so many threads, None for one per core.

    When the block raises, as at Ctrl-C, what still waits for its turn is dropped. Raise
    UnsuitableError for fewer than one thread or more than there can be.
    """
    refuse_threads(threads)
    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise

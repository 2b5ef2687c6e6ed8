"""Pools of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from taquin.system.machine import HAS_THREADS, refuse_threads, usable_cores


class CallerExecutor(Executor):
    """Runs what is submitted at once, in the thread of the caller."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run `fn`, and return its result or its exception as a future."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def thread_pool(threads: int | None) -> Iterator[Executor]:
    """Yield a pool of `threads` threads, one per core for None.

    When the block raises, as at Ctrl-C, pending work is dropped. Raise UnsuitableError for an
    impossible number of threads.
    """
    refuse_threads(threads)
    size = threads or usable_cores()
    with ThreadPoolExecutor(size) if HAS_THREADS else CallerExecutor() as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise

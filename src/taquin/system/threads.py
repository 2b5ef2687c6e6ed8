"""Thread pools."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from taquin.system.machine import HAS_THREADS, refuse_threads, usable_cores


class CallerExecutor(Executor):
    """An executor that runs each task at once, in the calling thread."""

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
    """Yield a pool of `threads` threads, one per core by default.

    If the block raises, as on Ctrl-C, pending tasks are cancelled. Raise UnsuitableError for an
    invalid number of threads.
    """
    refuse_threads(threads)
    size = threads or usable_cores()
    with ThreadPoolExecutor(size) if HAS_THREADS else CallerExecutor() as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise

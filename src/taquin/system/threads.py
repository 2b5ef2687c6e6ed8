"""Thread pools, and the number of threads that pays off for a search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from math import isqrt
from typing import Any

from taquin.system.machine import HAS_THREADS, refuse_threads, usable_cores

_COST = 1 << 14
"""Nodes that one core searches in the time that it takes to start another thread, about 0.7 ms.
On 16 x86 cores, Korf's 100 boards (160,000 nodes on average) took 0.65 s on one thread, 0.42 on
two, 0.40 on four, 0.65 on eight and 1.48 on sixteen."""


def threads_worth(nodes: float, most: int) -> int:
    """Return the number of threads, from 1 to `most`, that minimises the time for `nodes` nodes.

    With n threads the search takes nodes / n and starting them takes n · _COST; the sum is minimal
    where both are equal.

    >>> [threads_worth(nodes, 16) for nodes in (1_000, 100_000, 1_000_000, 10_000_000)]
    [1, 2, 7, 16]
    """
    return max(1, min(most, isqrt(int(nodes) // _COST)))


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

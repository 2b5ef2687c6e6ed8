"""Pools of threads, and how many threads are worth their cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from math import isqrt
from typing import Any

from taquin.system.machine import HAS_THREADS, refuse_threads, usable_cores

_COST = 1 << 14
"""Nodes that a core searches in the time that one more thread takes to join, about 0.7 ms.
Measured on 16 x86 cores: Korf's 100 boards, of 160,000 nodes on average, took 0.65 s on one
thread, 0.42 on two, 0.40 on four, 0.65 on eight and 1.48 on sixteen."""


def threads_worth(nodes: float, most: int) -> int:
    """Return how many threads, from 1 to `most`, pay for a search of `nodes` nodes.

    With n threads the search takes nodes / n, and starting them n times the cost of one; the sum is
    least where both are equal.

    >>> [threads_worth(nodes, 16) for nodes in (1_000, 100_000, 1_000_000, 10_000_000)]
    [1, 2, 7, 16]
    """
    return max(1, min(most, isqrt(int(nodes) // _COST)))


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

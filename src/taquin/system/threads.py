"""Threads that share out work, and let go of it when it is to end."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import isqrt

from taquin.system.machine import refuse_threads, usable_cores

_COST = 1 << 14
"""Nodes that a core searches in about the time it takes to let one more thread join, 0.7 ms.
Measured on 16 x86 cores: Korf's 100 boards, of 160,000 nodes on the average, took 0.65 s on one
thread, 0.42 on two, 0.40 on four, 0.65 on eight and 1.48 on sixteen."""


def threads_worth(nodes: float, most: int) -> int:
    """Return how many threads are worth it for so many nodes: from 1 to `most`.

    With n threads the search takes nodes / n, and calling them n times the cost of one; the sum is
    least where both are equal.

    >>> [threads_worth(nodes, 16) for nodes in (1_000, 100_000, 1_000_000, 10_000_000)]
    [1, 2, 7, 16]
    """
    return max(1, min(most, isqrt(int(nodes) // _COST)))


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

"""The boards that await expansion, lowest priority first, ties broken as a convention says.

Priorities are few and entries many, so entries with one priority share a bucket and only the
distinct priorities are kept in a heap: a push and a pop cost a dictionary look-up each, and an
entry costs one pointer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from taquin.search.conventions import Ties
from taquin.search.events import Entry


def frontier_for(ties: Ties) -> BucketFrontier | HeapFrontier:
    """Return an empty frontier that breaks ties as `ties` says."""
    if ties is Ties.HEAP:
        return HeapFrontier()
    return BucketFrontier(newest_first=ties is Ties.LIFO, by_estimate=ties is Ties.LOW_H)


class BucketFrontier:
    """Entries of one priority in one bucket: first come, first out, or `newest_first`.

    With `by_estimate` a bucket holds the entries of one priority and one estimate.
    """

    __slots__ = ("_buckets", "_by_estimate", "_keys", "_take")

    def __init__(self, newest_first: bool = False, by_estimate: bool = False) -> None:
        self._by_estimate = by_estimate
        self._take: Callable[[deque[Entry]], Entry] = deque.pop if newest_first else deque.popleft
        # A key is a priority, or a priority and an estimate: both order as they should.
        self._buckets: dict[Any, deque[Entry]] = {}
        self._keys: list[Any] = []

    def push(self, priority: float, h: int, entry: Entry) -> None:
        """Add an entry."""
        key = (priority, h) if self._by_estimate else priority
        bucket = self._buckets.get(key)
        if bucket is None:
            self._buckets[key] = deque((entry,))
            heappush(self._keys, key)
        else:
            bucket.append(entry)

    def pop(self) -> Entry:
        """Remove and return the next entry of the lowest key."""
        key = self._keys[0]
        bucket = self._buckets[key]
        entry = self._take(bucket)
        if not bucket:
            del self._buckets[key]
            heappop(self._keys)
        return entry

    def lowest(self) -> float:
        """Return the lowest priority."""
        key = self._keys[0]
        lowest: float = key[0] if self._by_estimate else key
        return lowest


class HeapFrontier:
    """The order of a C++ `std::priority_queue` as libstdc++ implements it.

    Equal priorities come out in whatever order the binary heap's sifting leaves them. Pushing
    sifts the new entry up past strictly larger parents. Popping moves the hole at the root down
    to a leaf along the smaller children (the right one on a tie), puts the last entry there and
    sifts it up.
    """

    __slots__ = ("_heap",)

    def __init__(self) -> None:
        self._heap: list[tuple[float, Entry]] = []

    def push(self, priority: float, h: int, entry: Entry) -> None:
        """Add an entry."""
        self._heap.append((priority, entry))
        self._sift_up(len(self._heap) - 1, (priority, entry))

    def pop(self) -> Entry:
        """Remove and return the entry at the root."""
        heap = self._heap
        top = heap[0]
        last = heap.pop()
        size = len(heap)
        if size:
            hole = 0
            child = 2
            while child < size:
                if heap[child][0] > heap[child - 1][0]:
                    child -= 1
                heap[hole] = heap[child]
                hole = child
                child = 2 * hole + 2
            if child == size:
                heap[hole] = heap[child - 1]
                hole = child - 1
            self._sift_up(hole, last)
        return top[1]

    def lowest(self) -> float:
        """Return the lowest priority."""
        return self._heap[0][0]

    def _sift_up(self, hole: int, item: tuple[float, Entry]) -> None:
        heap = self._heap
        while hole:
            parent = (hole - 1) >> 1
            if not heap[parent][0] > item[0]:
                break
            heap[hole] = heap[parent]
            hole = parent
        heap[hole] = item

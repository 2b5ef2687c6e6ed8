"""Threads that make the levels of one beam together.

The *caller* chooses the boards of a level, one after the other; to make them and to list their
successors is most of the work, and is divided into *chunks*. The caller publishes each chunk once
its boards are chosen, then does chunks too, chunk 0 first, and waits only for those that others
have begun:

    caller     | chooses . . 0 . . 1 . . 2 . . 3 | does 0 | does 3 | waits | sorts, chooses …
    member 1     waits . . . . . . | does 1 | waits | does 2 . . . . . . . |
    member 2     sleeps; nobody waits for it

So a member that the system does not schedule delays nobody. What a chunk writes depends on the
chunk alone, so a level is the same for every number of members.

All members see `words`, in which each number has a cache line of its own:

    CHUNK_NUMBERS   the number of the level, the chunks taken and those published, of 20 bits each;
                    the level's keeps a late member from taking a chunk of a level that is over
    DONE            chunks done
    STOP            set when the members should return to Python
    MEMBERS         threads of the team
    COUNT           boards of the level, once they are chosen
    SIZE            boards of each chunk, of which the last may have fewer
    CHUNKS          chunks of the level, once it is chosen
    SOURCE          the address of the level before it
    RESULTS         a line of results for each chunk
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from taquin.system.arrays import Arguments, Array, int64, zeros
from taquin.system.kernels import Call, Kernel
from taquin.system.machine import usable_cores
from taquin.system.native import (
    atomic_add,
    atomic_load,
    atomic_store,
    atomic_swap,
    part,
    widened,
    yield_thread,
)

LINE = 8
"""Numbers of 64 bits in a cache line."""
CHUNK_NUMBERS, DONE, STOP, MEMBERS, COUNT, SIZE, CHUNKS, SOURCE, RESULTS = (
    LINE * word for word in range(9)
)
"""Indices into `words`."""
_BITS, _NUMBER = 20, (1 << 20) - 1
_UNKNOWN = 1 << 60
"""The boards of a level before they are chosen."""
_MOST_MEMBERS = 64
"""The maximum number of threads: more would find no chunk."""
_CHUNKS_PER_MEMBER = 3
"""Chunks of a level for each member, so that all end at about the same time."""
_LEAST_CHUNK = 16
"""The fewest boards of a chunk."""
_LEAST_SHARED = 100
"""The fewest boards of a level to share: with fewer, one thread is as fast."""
_POLITE = 1 << 6
"""Checks after which a waiting thread yields its core."""
_PATIENCE = 1 << 16
"""Checks without a chunk before a member returns to Python: about a millisecond."""
_LONGEST_SLEEP = 5e-3
"""Seconds a member sleeps at most before it looks for chunks again."""


@part
def begin_level(words: Array[int64], most: int, source: int) -> int:
    """Begin a level of at most so many boards; return the boards of a chunk."""
    members = widened(words[MEMBERS])
    chunks = 1
    if members > 1 and most >= _LEAST_SHARED:
        chunks = min(_CHUNKS_PER_MEMBER * members, most // _LEAST_CHUNK)
    words[COUNT] = _UNKNOWN
    words[SIZE] = (most + chunks - 1) // chunks
    words[SOURCE] = source
    words[DONE] = 0
    level = widened(words[CHUNK_NUMBERS]) >> 2 * _BITS
    # The caller does chunk 0 itself: it may be the only one.
    atomic_store(words, CHUNK_NUMBERS, (level + 1) << 2 * _BITS | 1 << _BITS)
    return widened(words[SIZE])


@part
def publish_chunk(words: Array[int64]) -> None:
    """Let members do the next chunk."""
    atomic_add(words, CHUNK_NUMBERS, 1)


@part
def complete_level(words: Array[int64], count: int) -> None:
    """Publish the last chunk, if it has fewer boards than the others, now that all are chosen."""
    size = widened(words[SIZE])
    words[COUNT] = count
    words[CHUNKS] = (count + size - 1) // size
    if count % size:
        publish_chunk(words)


@part
def take_chunk(words: Array[int64]) -> int:
    """Return the number of a published chunk that nobody else does; 0 where there is none."""
    numbers = atomic_load(words, CHUNK_NUMBERS)
    while (numbers >> _BITS & _NUMBER) < (numbers & _NUMBER):
        if atomic_swap(words, CHUNK_NUMBERS, numbers, numbers + (1 << _BITS)):
            return widened(numbers >> _BITS & _NUMBER)
        numbers = atomic_load(words, CHUNK_NUMBERS)
    return 0


@part
def await_chunk(words: Array[int64]) -> int:
    """Wait for a chunk to do and return its number; 0 to return to Python."""
    patience = _PATIENCE
    while patience and not atomic_load(words, STOP):
        chunk = take_chunk(words)
        if chunk:
            return chunk
        patience -= 1
        if patience % _POLITE == 0:
            yield_thread()
    return 0


@part
def end_chunk(words: Array[int64]) -> None:
    """Count a chunk that is done."""
    atomic_add(words, DONE, 1)


@part
def await_others(words: Array[int64]) -> None:
    """Wait until all chunks of a level are done."""
    checks, chunks = 0, widened(words[CHUNKS])
    while atomic_load(words, DONE) < chunks:
        checks += 1
        if checks % _POLITE == 0:
            yield_thread()


class BeamTeam:
    """The threads that make the levels of a beam together; the caller is member 0."""

    def __init__(self, threads: int = 1) -> None:
        self.members = min(threads, usable_cores(), _MOST_MEMBERS)
        """The number of threads, including the caller's; at most one per core."""
        self.words = self._new_words()
        self._work: tuple[Kernel[..., int], Arguments] | None = None
        self._arguments: tuple[Any, ...] = ()
        self._is_over = False

    def _new_words(self) -> Array[int64]:
        words = zeros(RESULTS + LINE * max(1, _CHUNKS_PER_MEMBER * self.members), int64)
        words[MEMBERS] = self.members
        return words

    def share(self, kernel: Kernel[..., int], *arguments: Any) -> Array[int64]:
        """Have the other members call `kernel` with these arguments and the words returned."""
        if self.members > 1 and arguments != self._arguments:
            self.words[STOP] = 1
            self.words = self._new_words()
            self._arguments = arguments
            self._work = kernel, Arguments(*arguments, self.words)
        return self.words

    def end(self) -> None:
        """Stop the other members."""
        self._is_over = True
        self.words[STOP] = 1

    def help(self, member: int, keep_going: Callable[[], bool]) -> None:
        """Work as one of the members until the team ends."""
        work, call, seconds = None, None, 0.0
        while not self._is_over and keep_going():
            if self._work is not work and member < self.members:
                work = self._work
                call = None if work is None else Call(work[0], (work[1],))
            if call is not None and call():
                seconds = 0.0
            else:
                time.sleep(seconds)
                seconds = min(_LONGEST_SLEEP, 2 * seconds + 1e-5)

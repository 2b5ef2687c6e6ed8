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

`kernels/beam.c` has what the members do, and the layout of the words that they share.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from taquin.system.arrays import Array, int64, zeros
from taquin.system.compiled import Compiled
from taquin.system.machine import usable_cores

_LINE = 8
"""Numbers of 64 bits in a cache line."""
_STOP, _MEMBERS, _RESULTS = 2 * _LINE, 3 * _LINE, 8 * _LINE
"""Places in the words: set when the members should return to Python, the threads of the team, a
line for each chunk."""
_MOST_MEMBERS = 64
"""The maximum number of threads: more would find no chunk."""
_CHUNKS_PER_MEMBER = 3
"""Chunks of a level for each member, so that all end at about the same time."""
_LONGEST_SLEEP = 5e-3
"""Seconds a member sleeps at most before it looks for chunks again."""


class BeamTeam:
    """The threads that make the levels of a beam together; the caller is member 0."""

    def __init__(self, threads: int = 1) -> None:
        self.members = min(threads, usable_cores(), _MOST_MEMBERS)
        """The number of threads, including the caller's; at most one per core."""
        self.words = self._new_words()
        self._work: tuple[Compiled[Any], tuple[Any, ...]] | None = None
        self._arguments: tuple[Any, ...] = ()
        self._is_over = False

    def _new_words(self) -> Array[int64]:
        words = zeros(_RESULTS + _LINE * max(1, _CHUNKS_PER_MEMBER * self.members), int64)
        words[_MEMBERS] = self.members
        return words

    def share(self, kernel: Compiled[Any], *arguments: Any) -> Array[int64]:
        """Have the other members call `kernel` with these arguments and the words returned."""
        if self.members > 1 and arguments != self._arguments:
            self.words[_STOP] = 1
            self.words = self._new_words()
            self._arguments = arguments
            self._work = kernel, kernel.record(*arguments, self.words)
        return self.words

    def end(self) -> None:
        """Stop the other members."""
        self._is_over = True
        self.words[_STOP] = 1

    def help(self, member: int, keep_going: Callable[[], bool]) -> None:
        """Work as one of the members until the team ends."""
        work, call, seconds = None, None, 0.0
        while not self._is_over and keep_going():
            if self._work is not work and member < self.members:
                work = self._work
                call = None if work is None else work[0].given(work[1])
            if call is not None and call():
                seconds = 0.0
            else:
                time.sleep(seconds)
                seconds = min(_LONGEST_SLEEP, 2 * seconds + 1e-5)

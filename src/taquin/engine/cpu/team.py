"""A team of threads that searches one tree after another; how they share is in `sharing.py`.

Threads are lent by one pool for the whole process, because making one takes as long as solving an
easy board. A tree is begun by one thread; others join as the nodes of the tree before it, and of
this one so far, make it worth their while (`system/threads.py`): so many cores are never slower
than one.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from typing import Self

from taquin.engine.cpu.sharing import ONE_STEP
from taquin.engine.cpu.stacks import UNLIMITED, Plan, Stacks, Start
from taquin.system.machine import MOST_THREADS
from taquin.system.threads import threads_worth
from taquin.tables.shape import Cells

_GROWTH = 4
"""How many times as many nodes a tree has at least as the one before it, as a rule."""
_TURN = 1 << 16
"""Nodes searched by the caller's thread between two looks at the world: a few milliseconds."""
_LONGEST_REST = 1e-3
"""Seconds a thread sleeps at most before it looks for work again."""


class Team:
    """Threads that search the trees of one board, bound after bound.

    Use it as a context manager: leaving it sends the threads back.
    """

    def __init__(self, plan: Plan, start: Start, threads: int) -> None:
        self._plan, self._start = plan, start
        self._threads = threads
        self._stacks = Stacks(plan.width, threads)
        self._helping: list[Future[None]] = []
        self._rests = [0.0] * threads
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stacks.stop()
        for helping in self._helping:
            if not helping.cancel() and helping.done():
                helping.result()

    @property
    def members(self) -> int:
        """Threads that have joined so far, the caller's included."""
        return 1 + len(self._helping)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present tree; exact once it is exhausted."""
        return self._stacks.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early.

        `keep_going` is asked every few milliseconds, in the calling thread; `most` nodes, less the
        few that one step might make, end the search too. A bound after a solution or an early end
        is not searched.
        """
        if most < ONE_STEP:
            return None
        stacks = self._stacks
        stacks.limit(None if most == inf else int(most))
        stacks.put(self._start.node(bound))
        self._call_for_help(_GROWTH * self._last)
        while not (stacks.stopped or stacks.exhausted):
            stacks.work(self._plan, 0, _TURN)
            if not keep_going():
                break
            self._rest_if_idle(0)
            if not (stacks.stopped or stacks.exhausted):
                # What was searched is about what is still to come.
                self._call_for_help(stacks.nodes)
        self._last = stacks.nodes
        if self._helping:
            # An atomic look at the end makes all that the others wrote before it visible here.
            stacks.work(self._plan, 0, 0)
        if stacks.exhausted or stacks.stopped:
            solution = stacks.solution
            return solution if solution or stacks.stopped else ()
        return None

    def _call_for_help(self, nodes: int) -> None:
        """Let as many threads join as are worth it for so many nodes."""
        for member in range(self.members, threads_worth(nodes, self._threads)):
            self._helping.append(_pool().submit(self._help, member))

    def _help(self, member: int) -> None:
        while not self._stacks.stopped:
            self._stacks.work(self._plan, member, UNLIMITED)
            self._rest_if_idle(member)

    def _rest_if_idle(self, member: int) -> None:
        """Let other threads have the core after waiting in vain, longer each time."""
        if self._stacks.idle(member):
            rest = self._rests[member]
            time.sleep(rest)
            self._rests[member] = min(_LONGEST_REST, 2 * rest + 1e-5)
        else:
            self._rests[member] = 0.0


_threads: ThreadPoolExecutor | None = None


def _pool() -> ThreadPoolExecutor:
    """Return the threads of this process, made as they are asked for."""
    global _threads
    if _threads is None:
        _threads = ThreadPoolExecutor(MOST_THREADS, "taquin")
    return _threads


def _forget_threads() -> None:
    """Start anew in a forked child, where no thread but one lives on."""
    global _threads
    _threads = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)

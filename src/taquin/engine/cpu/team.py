"""A team of threads that searches the trees of one board, bound after bound.

`sharing.py` is the part in compiled code: how threads steal work. This part starts and stops them.
They come from one pool of the process, because starting a thread takes as long as solving an easy
board. One thread begins each tree; others join when the nodes of the bound before, and of this one
so far, make it worthwhile (`system/threads.py`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Self

from taquin.engine.cpu.sharing import INTERVAL, ONE_STEP, first_near, least_depth, next_near
from taquin.engine.cpu.stacks import UNLIMITED, Plan, Stacks, Start
from taquin.system.machine import MOST_THREADS, threads_worth
from taquin.tables.shape import Cells

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

_GROWTH = 4
"""Usual growth of the nodes from one tree to the next, at least."""
_LONGEST_SLEEP = 1e-3
"""Seconds a thread sleeps at most before it looks for work again."""

_kept: dict[tuple[int, int], Stacks] = {}
"""The memory of a team that is done, by width and members, for the next one: to have new memory
from the system takes a tenth of the time of an easy board."""


class Team:
    """A context manager: threads that search the trees of one board, bound after bound."""

    def __init__(self, plan: Plan, start: Start, threads: int) -> None:
        self._plan, self._start = plan, start
        self._threads = threads
        self._kept_as = plan.width, threads
        stacks = _kept.pop(self._kept_as, None)
        self._stacks = Stacks(*self._kept_as) if stacks is None else stacks
        self._near = first_near(start.estimate)
        self._is_done = False
        self._nodes = 0
        self._helpers: list[Future[None]] = []
        self._sleeps = [0.0] * threads
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stacks.stop()
        for helper in self._helpers:
            if not helper.cancel() and helper.done():
                helper.result()
        if not self._helpers:
            # Others may still be at work in theirs.
            self._stacks.renew()
            _kept[self._kept_as] = self._stacks

    @property
    def members(self) -> int:
        """Threads that have joined so far, the caller's included."""
        return 1 + len(self._helpers)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present tree; exact once it is exhausted.

        Until then those ahead of the bound are among them; `solution_ahead` counts them apart.
        """
        return self._nodes if self._is_done else self._stacks.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `Searcher.search` says; not after a solution or an early end."""
        stacks = self._stacks
        self._is_done = False
        stacks.limit(None if most == inf else int(most))
        if most < ONE_STEP:
            return None
        stacks.look_ahead(least_depth(bound, self._near))
        stacks.put(self._start.node(bound))
        self._add_helpers(_GROWTH * self._last)
        solution = self._finish(keep_going)
        if solution == ():
            self._is_done = True
            self._nodes = self._last = stacks.nodes - stacks.nodes_ahead
            self._near = next_near(self._near, self._last, stacks.nodes_ahead)
        return solution

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `ForesightedSearcher.solution_ahead` says."""
        self._nodes = self._stacks.nodes_ahead
        return self._stacks.solution_ahead or ()

    def _finish(self, keep_going: Callable[[], bool]) -> Cells | None:
        """Search the present tree; return the cells to a goal, () for none, None if ended early."""
        stacks = self._stacks
        while not (stacks.stopped or stacks.exhausted):
            stacks.work(self._plan, 0, INTERVAL)
            if not keep_going():
                break
            self._sleep_if_idle(0)
            if not (stacks.stopped or stacks.exhausted):
                # Expect about as many nodes again.
                self._add_helpers(stacks.nodes)
        if self._helpers:
            # Its atomic reads make all that the others wrote before visible here.
            stacks.work(self._plan, 0, 0)
        if stacks.exhausted or stacks.stopped:
            solution = stacks.solution
            return solution if solution or stacks.stopped else ()
        return None

    def _add_helpers(self, nodes: int) -> None:
        """Let as many threads join as are worth it for a number of nodes."""
        for member in range(self.members, threads_worth(nodes, self._threads)):
            self._helpers.append(_pool().submit(self._help, member))

    def _help(self, member: int) -> None:
        while not self._stacks.stopped:
            self._stacks.work(self._plan, member, UNLIMITED)
            self._sleep_if_idle(member)

    def _sleep_if_idle(self, member: int) -> None:
        """Let other threads have the core while there is no work, longer each time."""
        if self._stacks.idle(member):
            seconds = self._sleeps[member]
            time.sleep(seconds)
            self._sleeps[member] = min(_LONGEST_SLEEP, 2 * seconds + 1e-5)
        else:
            self._sleeps[member] = 0.0


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads of this process, started as they are needed."""
    # Imported late: many boards are solved before a second thread would pay.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(MOST_THREADS, "taquin")


if hasattr(os, "register_at_fork"):
    # No thread but one lives on in a forked child.
    os.register_at_fork(after_in_child=_pool.cache_clear)

"""A team of threads that searches one tree after another; how they share is in `sharing.py`.

The threads come from one pool of the process, because starting one takes as long as solving an easy
board. One thread begins a tree; others join when the nodes of the tree before it, and of this one
so far, are worth it (`system/threads.py`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from math import inf
from typing import Self

from taquin.engine.cpu.fringe import FEWEST_KEPT, GROWTH, MOST_AT_ONCE, NODES_OF_KEPT
from taquin.engine.cpu.sharing import INTERVAL, ONE_STEP
from taquin.engine.cpu.stacks import UNLIMITED, Plan, Stacks, Start
from taquin.system.machine import MOST_THREADS
from taquin.system.threads import threads_worth
from taquin.tables.shape import Cells, Normal

_FEWEST_SLOTS = 4_096
"""Slots that each of many threads has at least, if one thread has as many."""
_LONGEST_SLEEP = 1e-3
"""Seconds a thread sleeps at most before it looks for work again."""

_kept: dict[tuple[int, int, int], Stacks] = {}
"""The memory of a team that is done, by width, members and slots, for the next one: to have new
memory from the system takes a tenth of the time of an easy board."""


class Team:
    """A context manager: threads that search the trees of one board, bound after bound."""

    def __init__(self, plan: Plan, start: Start, threads: int) -> None:
        self._plan, self._start = plan, start
        self._threads = threads
        slots = max(plan.keeps // threads, min(plan.keeps, _FEWEST_SLOTS))
        self._kept_as = plan.width, threads, slots
        stacks = _kept.pop(self._kept_as, None)
        self._stacks = Stacks(*self._kept_as) if stacks is None else stacks
        self._slots = 0
        self._least = 1
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
        """Nodes generated in the present tree; exact once it is exhausted."""
        return self._stacks.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `Searcher.search` says; not after a solution or an early end."""
        stacks = self._stacks
        stacks.limit(None if most == inf else int(most))
        if most < ONE_STEP:
            return None
        stacks.put(self._start.node(bound))
        expected = GROWTH * self._last
        slots = int(self._plan.kept_share * expected) // NODES_OF_KEPT
        self._slots = slots if slots >= FEWEST_KEPT else 0
        for member in range(self.members):
            self._keep(member)
        self._add_helpers(expected)
        solution = self._finish(keep_going)
        self._last = stacks.nodes
        if self._slots:
            # A node of the same estimate is deeper by 2 under the next bound.
            self._least = 2 + max(stacks.keep_no_more(member) for member in range(self.members))
        return solution

    def search_kept(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `KeepingSearcher.search_kept` says."""
        stacks = self._stacks
        stacks.limit(None if most == inf else int(most))
        if most < ONE_STEP or not self._slots:
            return ()
        # Nothing is kept on the way: these are not all nodes of their bound.
        self._slots = 0
        most_nodes = self._plan.kept_share * self._last
        while True:
            count = int(most_nodes - stacks.nodes) // NODES_OF_KEPT
            if count < 1 or not stacks.gather(min(count, MOST_AT_ONCE)):
                return ()
            if (solution := self._finish(keep_going)) != ():
                return solution and self._from_the_start(solution)

    def _from_the_start(self, rest: Cells) -> Cells:
        """Return the whole of a solution of which a kept node is the first."""
        normal, stacks = self._start.normal, self._stacks
        shape = normal.shape
        board = list(shape.goal)
        for blank, before in pairwise(reversed(rest)):
            board[blank], board[before] = board[before], 0
        node = self._plan.start(Normal(shape, tuple(board)))
        for way in stacks.ways(node.words[0], stacks.root_depth):
            cells = _cells_along(normal, way, board)
            if cells:
                return (*cells, *rest)
        raise AssertionError("every kept node has a way")

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

    def _keep(self, member: int) -> None:
        if self._slots:
            self._stacks.keep(member, self._slots, self._least)

    def _add_helpers(self, nodes: int) -> None:
        """Let as many threads join as are worth it for a number of nodes."""
        for member in range(self.members, threads_worth(nodes, self._threads)):
            self._keep(member)
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


def _cells_along(normal: Normal, way: Iterable[int], target: list[int]) -> Cells:
    """Return the blank's cells but the last on a way to `target`; () if it leads elsewhere."""
    board, cells = list(normal.board), [normal.board.index(0)]
    for direction in way:
        blank = cells[-1]
        cell = dict(normal.shape.steps[blank]).get(direction)
        if cell is None:
            return ()
        board[blank], board[cell] = board[cell], 0
        cells.append(cell)
    return tuple(cells[:-1]) if board == target else ()


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the threads of this process, started as they are needed."""
    return ThreadPoolExecutor(MOST_THREADS, "taquin")


if hasattr(os, "register_at_fork"):
    # No thread but one lives on in a forked child.
    os.register_at_fork(after_in_child=_pool.cache_clear)

"""Threads that share one bound's tree inside compiled code, by stealing work without locks.

`kernels/ida_loop.h` describes how: each member of a team owns one row of each array of
`TeamMemory`, searches it in slices, and gives half of its nodes to a member that has none. The
first member is the caller's thread, which returns from compiled code every few milliseconds to
check the limits; the others return when the search is over, or to sleep after a long wait.

The kernels search a `Start`, the root of a bound's tree, by a `CpuPlan`, the record of its goal, in
`Stacks`, the memory of the members. A `Piece` is a part of a tree for one thread.

A `Team` starts and stops the threads. They come from one pool of the process, because starting a
thread takes as long as solving an easy board. One thread begins each tree; others join when the
nodes of the bound before, and of this one so far, make it worthwhile (`system/threads.py`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from taquin.engine.cpu.layout import BATCH, DEEPEST
from taquin.system.arrays import Array, Matrix, int64, uint32, uint64, zeros
from taquin.system.compiled import Call
from taquin.system.machine import MOST_THREADS, threads_worth
from taquin.tables.shape import Cells, Normal

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

LINE = 8
"""Numbers of 64 bits in a cache line."""

HUNGRY, ACTIVE, STOP, NODES, MOST, LEFT, AHEAD, LEAST, MAIL = (LINE * word for word in range(9))
"""Indices into `shared`; each mailbox has its own cache line."""

TOP, GENERATED, GENERATED_AHEAD, FOUND, FOUND_AHEAD, GOAL_DEPTH, HOLDS, WIDTH, TAKEN, PATH = range(
    10
)
"""Control numbers: nodes on the stack, nodes generated in the last slice, and those of them ahead
of the bound, 0 or where in the path the way to a goal begins, plus 1, the same for a goal ahead of
the bound, its depth, whether the member counts as active, 64-bit words in a node, nodes reserved of
those left, how much of the path the nodes need."""
CONTROLS = 2 * LINE
"""Control numbers of a member, in whole cache lines."""

ONE_STEP = 4
"""The maximum number of nodes that one expansion makes: with fewer left the search ends."""
INTERVAL = 1 << 16
"""Nodes between two calls of the control: a few milliseconds."""

_NEAR = 26
"""The remaining depth at which look-ahead starts in the first iteration, at most."""
_AHEAD_SHARE = 0.06
"""The target ratio of nodes ahead of a bound to nodes of the bound."""
_GROWTH, _HALF_A_MOVE = 1.4, 1.2
"""The growth of nodes ahead if look-ahead starts one move earlier, and half a move earlier."""
_MOST_RISE = 3
"""The most moves by which the look-ahead depth changes from one bound to the next."""


class TeamMemory(NamedTuple):
    """The memory of a team."""

    shared: Array[int64]
    stacks: Matrix[uint64]
    """For each member, its nodes."""
    paths: Matrix[uint32]
    """For each member, the path to its nodes, and at the end the path to a goal."""
    controls: Matrix[int64]
    """For each member, its control numbers."""


def first_near(bound: int) -> int:
    """Return the remaining depth at which look-ahead starts in the first iteration."""
    return min(_NEAR, bound // 2)


def next_near(near: int, nodes: int, ahead: int) -> int:
    """Adjust the look-ahead depth from the last iteration's node counts."""
    wanted, found = 1 + nodes * _AHEAD_SHARE, 1.0 + ahead
    rise = 0
    while rise < _MOST_RISE and wanted > found * _HALF_A_MOVE:
        found *= _GROWTH
        rise += 1
    while rise > -_MOST_RISE and found > wanted * _HALF_A_MOVE:
        found /= _GROWTH
        rise -= 1
    return max(1, near + rise)


def least_depth(bound: int, near: int) -> int:
    """Return the least depth of nodes that are searched ahead of a bound."""
    return max(0, bound - near)


UNLIMITED = 1 << 60
"""A number of nodes that no search reaches."""
_CAPACITY = 4 * BATCH * (DEEPEST + 2)
"""Nodes a stack can hold: four children of each node at each depth, and some at work."""
_LOG = 2 * BATCH * DEEPEST
"""Entries of the log that leads back to the start; see `kernels/ida_loop.h`."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board as the root of every bound's tree."""

    estimate: int
    """The heuristic's value: the first bound."""
    words: list[int]
    """The node at depth 0 for that bound."""
    widening: list[int]
    """Added to each word when the bound rises by two: one unit of slack."""

    def node(self, bound: int) -> list[int]:
        """Return the node for `bound`."""
        times = (bound - self.estimate) // 2
        return [word + times * more for word, more in zip(self.words, self.widening, strict=True)]


class CpuPlan(Protocol):
    """The layout of nodes and the record of one goal."""

    width: int
    """Words in a node."""

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""

    def work(self, team: TeamMemory, member: int) -> Call:
        """Return the kernel that searches as a member of a team, with its `budget`."""


class Stacks:
    """The memory of a team: its members' stacks, and the words that they share."""

    def __init__(self, width: int, members: int = 1) -> None:
        self.shared = zeros(MAIL + LINE * members, int64)
        self.stacks = zeros((members, _CAPACITY * width), uint64)
        self.paths = zeros((members, _LOG + DEEPEST), uint32)
        self.controls = zeros((members, CONTROLS), int64)
        # Collecting the arguments of a kernel takes longer than a call.
        self._calls: list[tuple[CpuPlan, Call] | None] = [None] * members
        self._width = width
        self.renew()

    @property
    def memory(self) -> TeamMemory:
        """The memory as a record for kernels."""
        return TeamMemory(self.shared, self.stacks, self.paths, self.controls)

    def renew(self) -> None:
        """Forget all trees; no member may be at work."""
        self.shared[:] = [0] * len(self.shared)
        first_control = [0] * CONTROLS
        first_control[WIDTH], first_control[PATH] = self._width, DEEPEST
        for control in self.controls:
            control[:] = first_control
        self.limit(None)
        self.look_ahead(DEEPEST)

    def put(self, words: Sequence[int]) -> None:
        """Begin a tree: put its nodes on the first member's stack."""
        for control in self.controls:
            control[TAKEN] = control[FOUND_AHEAD] = 0
        self.stacks[0][: len(words)] = words
        top = len(words) // self._width
        self.controls[0, TOP] = top
        self.controls[0, HOLDS] = self.shared[ACTIVE] = int(top > 0)

    def look_ahead(self, least: int) -> None:
        """Search ahead of the bound from this depth on."""
        self.shared[LEAST] = least

    def work(self, plan: CpuPlan, member: int, nodes: int) -> None:
        """Search as a member of the team, for about `nodes` nodes or until none is left."""
        cached = self._calls[member]
        if cached is None or cached[0] is not plan:
            cached = plan, plan.work(self.memory, member)
            self._calls[member] = cached
        call = cached[1]
        call.put("budget", nodes)
        call()

    def limit(self, nodes: int | None) -> None:
        """Reset the node counts and set the limit on nodes."""
        most = UNLIMITED if nodes is None else nodes
        self.shared[NODES] = self.shared[AHEAD] = 0
        self.shared[MOST] = self.shared[LEFT] = most

    def stop(self) -> None:
        """Make every member return soon, permanently."""
        self.shared[STOP] = self.shared[HUNGRY] = 1

    @property
    def nodes(self) -> int:
        """Nodes generated in this tree."""
        nodes: int = self.shared[NODES]
        return nodes

    @property
    def nodes_ahead(self) -> int:
        """Nodes of this tree that are ahead of the bound."""
        nodes: int = self.shared[AHEAD]
        return nodes

    @property
    def stopped(self) -> bool:
        """Whether a goal or a limit on nodes was reached."""
        return bool(self.shared[STOP])

    @property
    def exhausted(self) -> bool:
        """Whether no member has a node left."""
        return not self.shared[ACTIVE]

    def idle(self, member: int) -> bool:
        """Whether a member waits for nodes while others have some."""
        return not (self.controls[member, HOLDS] or self.stopped or self.exhausted)

    @property
    def solution(self) -> tuple[int, ...] | None:
        """The blank's cells to a goal, if one was found."""
        return self._solution(FOUND)

    @property
    def solution_ahead(self) -> tuple[int, ...] | None:
        """The blank's cells to a goal ahead of the bound, if one was found."""
        return self._solution(FOUND_AHEAD)

    def _solution(self, found: int) -> tuple[int, ...] | None:
        for control, path in zip(self.controls, self.paths, strict=True):
            if first := control[found]:
                return tuple(path[first - 1 : first + control[GOAL_DEPTH]])
        return None


class Piece(Stacks):
    """A part of a tree for one thread, searched in slices of any length."""

    def __init__(self, words: Sequence[int], width: int) -> None:
        super().__init__(width)
        self.put(words)

    @property
    def words(self) -> memoryview:
        """The nodes on the stack, in the kernel's format."""
        return self.stacks.items[: self.size * self._width]

    @property
    def path(self) -> memoryview:
        """The path to the nodes, in the kernel's format."""
        return self.paths.items[: self.controls[0, PATH]]

    def take(self, words: memoryview, path: memoryview) -> None:
        """Replace the nodes and the path to them."""
        self.put(words)
        self.paths.items[: len(path)] = path

    @property
    def size(self) -> int:
        """The number of nodes on the stack."""
        size: int = self.controls[0, TOP]
        return size

    def search(self, plan: CpuPlan, budget: int) -> int:
        """Search a slice and return the nodes generated in it."""
        self.shared[STOP] = self.shared[HUNGRY] = self.shared[NODES] = self.shared[AHEAD] = 0
        self.controls[0, FOUND] = 0
        self.work(plan, 0, budget)
        return self.nodes


_TREE_GROWTH = 4
"""The usual least growth of the nodes from one tree to the next."""
_LONGEST_SLEEP = 1e-3
"""The most seconds a thread sleeps before it checks for work."""

_kept: dict[tuple[int, int], Stacks] = {}
"""The memory of finished teams by width and members, for reuse: allocating it would take a tenth of
the time of an easy board."""


class Team:
    """A context manager: threads that search the trees of one board, bound after bound."""

    def __init__(self, plan: CpuPlan, start: Start, threads: int) -> None:
        self._plan, self._start = plan, start
        self._threads = threads
        self._kept_as = plan.width, threads
        stacks = _kept.pop(self._kept_as, None)
        self._stacks = Stacks(*self._kept_as) if stacks is None else stacks
        self._near = first_near(start.estimate)
        self._is_done = False
        self._nodes = 0
        self._helpers: list[Future[None]] = []
        self._failures: list[BaseException] = []
        """Exceptions raised by helpers."""
        self._sleeps = [0.0] * threads
        self._last = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stacks.stop()
        for helper in self._helpers:
            helper.cancel()
        if not self._helpers:
            # Helpers may still be using this memory.
            self._stacks.renew()
            _kept[self._kept_as] = self._stacks

    @property
    def members(self) -> int:
        """Threads that have joined so far, the caller's included."""
        return 1 + len(self._helpers)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present tree; exact once it is exhausted.

        Until then they include nodes ahead of the bound, which `solution_ahead` counts apart.
        """
        return self._nodes if self._is_done else self._stacks.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Search a bound; not after a solution or an early end. See `Searcher.search`."""
        stacks = self._stacks
        self._is_done = False
        stacks.limit(None if most == inf else int(most))
        if most < ONE_STEP:
            return None
        stacks.look_ahead(least_depth(bound, self._near))
        stacks.put(self._start.node(bound))
        self._add_helpers(_TREE_GROWTH * self._last)
        solution = self._finish(keep_going)
        if solution == ():
            self._is_done = True
            self._nodes = self._last = stacks.nodes - stacks.nodes_ahead
            self._near = next_near(self._near, self._last, stacks.nodes_ahead)
        return solution

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the solution that look-ahead found, or () for none."""
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
        if self._failures:
            raise self._failures[0]
        if self._helpers:
            # Its atomic reads make the other threads' writes visible here.
            stacks.work(self._plan, 0, 0)
        if stacks.exhausted or stacks.stopped:
            solution = stacks.solution
            return solution if solution or stacks.stopped else ()
        return None

    def _add_helpers(self, nodes: int) -> None:
        """Let more threads join if `nodes` nodes are worth it."""
        for member in range(self.members, threads_worth(nodes, self._threads)):
            self._helpers.append(_pool().submit(self._help, member))

    def _help(self, member: int) -> None:
        try:
            while not self._stacks.stopped:
                self._stacks.work(self._plan, member, UNLIMITED)
                self._sleep_if_idle(member)
        except BaseException as error:
            # Its nodes are lost, so the caller's thread ends the search.
            self._failures.append(error)
            self._stacks.stop()

    def _sleep_if_idle(self, member: int) -> None:
        """Sleep while there is no work, longer each time."""
        if self._stacks.idle(member):
            seconds = self._sleeps[member]
            time.sleep(seconds)
            self._sleeps[member] = min(_LONGEST_SLEEP, 2 * seconds + 1e-5)
        else:
            self._sleeps[member] = 0.0


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the process's pool of threads, which start on demand."""
    # Imported late: many boards are solved before a second thread would pay.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(MOST_THREADS, "taquin")


if hasattr(os, "register_at_fork"):
    # Only the forking thread survives in a forked child.
    os.register_at_fork(after_in_child=_pool.cache_clear)

"""Search the tree of a bound with several threads, with the result and the counts of one thread.

One thread searches a small bound alone. A larger bound is split: a search to a fixed depth lists
the nodes there in order, the *roots* of subtrees, and each thread takes the next free root. When a
subtree has a solution, only the subtrees before it are searched to their end. The solution is
therefore the first in the order of the tree, and the counts are those of one thread, which the
glass box's counts require.

The engine `cpu` balances its threads better, by work stealing (`engine/cpu/team.py`), but which
solution it finds in the last bound, and after how many nodes, depends on timing.

A `DepthFirstSearch` searches a tree or a subtree; a `ParallelSearcher` runs one in each thread.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Lock

from taquin.engine.general import walks
from taquin.engine.general.estimates import GeneralPlan
from taquin.engine.general.form import END, Tiles, cell_of
from taquin.system.arrays import int32, int64, zeros
from taquin.system.machine import threads_worth
from taquin.tables.shape import Cells

_ALONE = 1 << 17
"""Nodes that one thread searches before others join: some milliseconds."""
_GROWTH = 4
"""The usual least growth of the nodes from one bound to the next."""
_SLICE = 1 << 16
"""Nodes of the caller's thread between two calls of `keep_going`."""
_LONG_SLICE = 1 << 18
"""Nodes of other threads between two checks of the shared state."""
_ROOTS = 64
"""Roots for each thread: enough that none idles long at the end."""
_DEEPEST_ROOT = 24
_NEVER = 1 << 30
"""Infinity: greater than any excess of f over a bound."""
_POLL = 2e-3
"""Seconds between two calls of `keep_going` while other threads finish."""


@dataclass(frozen=True, slots=True)
class DepthFirstCounts:
    """The counts of a depth-first search."""

    nodes: int = 0
    """Successors generated, without reverse moves."""
    expanded: int = 0
    """Nodes expanded, without the root and goals."""
    deepest: int = 0
    """The greatest depth of an expanded node."""
    excess: int = _NEVER
    """The least f that was pruned, minus the bound."""

    def __add__(self, other: DepthFirstCounts) -> DepthFirstCounts:
        return DepthFirstCounts(
            self.nodes + other.nodes,
            self.expanded + other.expanded,
            max(self.deepest, other.deepest),
            min(self.excess, other.excess),
        )


class DepthFirstSearch:
    """A depth-first search of a bound's tree, or of its subtree below `path`; it can be resumed."""

    def __init__(
        self, plan: GeneralPlan, start: Tiles, bound: int, path: Cells = (), floor: int = _NEVER
    ) -> None:
        path = path or (start.index(0),)
        depth = len(path) - 1
        deepest = max(bound, depth) + 3
        whole_path = zeros(deepest, int32)
        whole_path[: depth + 1] = path
        state = zeros(9, int64)
        state[walks.DEPTH] = state[walks.BASE] = state[walks.DEEPEST] = depth
        state[walks.FLOOR], state[walks.BOUND], state[walks.EXCESS] = floor, bound, _NEVER
        self._path, self._state = whole_path.items, state.items
        # Converting the arguments takes as long as a short search.
        self._walk_on = plan.begin(start, state, whole_path)

    def advance(self, budget: int) -> int:
        """Generate at most `budget` nodes, and return how many were generated."""
        before: int = self._state[walks.NODES]
        self._walk_on.put("budget", budget)
        self._walk_on()
        return self._state[walks.NODES] - before

    @property
    def is_done(self) -> bool:
        """Whether the tree is exhausted."""
        return bool(self._state[walks.DEPTH] < self._state[walks.BASE])

    @property
    def has_stopped(self) -> bool:
        """Whether the search stopped at a goal or at its floor."""
        return bool(self._state[walks.STOP])

    @property
    def solution(self) -> Cells:
        """The blank's cells along the solution; () if the present node is no goal."""
        return self.path if self._state[walks.STOP] == walks.GOAL else ()

    @property
    def path(self) -> Cells:
        """The blank's cells from the start to the present node."""
        return tuple(self._path[: self._state[walks.DEPTH] + 1])

    @property
    def last_cell(self) -> int | None:
        """The blank's cell after the last step from the present node; None before the first.

        Undefined for searches of slides and at a solution.
        """
        _, walk, rules, *_ = self._walk_on.record
        depth = self._state[walks.DEPTH]
        step: int = END if self.is_done else rules.steps.lists[int(walk.nexts[depth]) - 1]
        return None if step == END else cell_of(step)

    @property
    def counts(self) -> DepthFirstCounts:
        """The counts so far."""
        places = (walks.NODES, walks.EXPANDED, walks.DEEPEST, walks.EXCESS)
        return DepthFirstCounts(*(self._state[place] for place in places))


@dataclass(slots=True)
class _Root:
    """The root of a subtree for one thread, and the counts before it."""

    path: Cells
    before: DepthFirstCounts
    own: DepthFirstCounts = DepthFirstCounts()
    solution: Cells = ()
    is_searched: bool = False


class ParallelSearcher:
    """Threads that search the trees of one board: a `Searcher` for `Deepening`."""

    def __init__(self, plan: GeneralPlan, start: Tiles, threads: int) -> None:
        self._plan, self._start, self._threads = plan, start, threads
        self._estimate = plan.estimate(start)
        self._lock = Lock()
        self._last = 0
        self.counts = DepthFirstCounts()
        """The counts of the present bound; complete once it is searched."""

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        return self.counts.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._last, self.counts = self.counts.nodes, DepthFirstCounts()
        if self._estimate > bound:
            self.counts = DepthFirstCounts(excess=self._estimate - bound)
            return ()
        search = DepthFirstSearch(self._plan, self._start, bound)
        while not (search.is_done or search.has_stopped):
            if self._threads > 1 and search.counts.nodes >= _ALONE:
                expected = _GROWTH * max(self._last, search.counts.nodes)
                threads = threads_worth(expected, self._threads)
                return self._together(bound, threads, keep_going, most)
            search.advance(int(min(_SLICE, most - self.counts.nodes)))
            self.counts = search.counts
            if not keep_going() or self.counts.nodes >= most:
                return search.solution or (() if search.is_done else None)
        return search.solution

    def _together(
        self, bound: int, threads: int, keep_going: Callable[[], bool], most: float
    ) -> Cells | None:
        """Search a bound with `threads` threads, at least two."""
        roots, above = self._roots(bound, threads)
        self._left, self._is_over = most - above.nodes, False
        self._free, self._first = iter(range(len(roots))), len(roots)

        others: list[Future[None]] = []

        def keep_on() -> bool:
            self.counts = sum((root.own for root in roots), above)
            has_failed = any(other.done() and other.exception() for other in others)
            return not has_failed and keep_going()

        with ThreadPoolExecutor(threads - 1) as pool:
            try:
                others += [pool.submit(self._work, roots, bound) for _ in range(threads - 1)]
                self._work(roots, bound, keep_on)
                while not self._is_over and wait(others, _POLL).not_done:
                    self._is_over = not keep_on()
            finally:
                self._is_over = True
        for other in others:
            other.result()
        if any(not root.is_searched for root in roots[: self._first]):
            keep_on()
            return None
        searched = roots[: self._first + 1]
        is_solved = self._first < len(roots)
        before = searched[-1].before if is_solved else above
        self.counts = sum((root.own for root in searched), before)
        return searched[-1].solution if is_solved else ()

    def _roots(self, bound: int, threads: int) -> tuple[list[_Root], DepthFirstCounts]:
        """Return the nodes of the first depth with enough of them, and the counts above it."""
        for depth in range(4, _DEEPEST_ROOT):
            search = DepthFirstSearch(self._plan, self._start, bound, floor=depth)
            roots = []
            while not search.is_done:
                search.advance(_LONG_SLICE)
                if search.has_stopped:
                    # Below a root that is a solution itself there is nothing to search.
                    roots.append(_Root(search.path, search.counts, solution=search.solution))
            if len(roots) >= _ROOTS * threads:
                break
        return roots, search.counts

    def _work(
        self, roots: list[_Root], bound: int, keep_on: Callable[[], bool] | None = None
    ) -> None:
        """Search the subtrees of free roots until none is left or the search is over."""
        size = _LONG_SLICE if keep_on is None else _SLICE
        while not self._is_over:
            with self._lock:
                number = next(self._free, self._first)
                if number >= self._first:
                    return
            root = roots[number]
            search = DepthFirstSearch(self._plan, self._start, bound, root.path)
            while not (root.solution or search.is_done or self._is_over or self._first < number):
                budget = self._reserve(size)
                self._reserve(search.advance(budget) - budget)
                root.own, root.solution = search.counts, search.solution
                if budget == 0 or (keep_on is not None and not keep_on()):
                    self._is_over = True
            root.is_searched = search.is_done or bool(root.solution)
            if root.solution:
                with self._lock:
                    self._first = min(self._first, number)

    def _reserve(self, nodes: int) -> int:
        """Reserve up to `nodes` of the limit, or return some if negative; return how many."""
        with self._lock:
            reserved = int(min(nodes, self._left))
            self._left -= reserved
            return reserved

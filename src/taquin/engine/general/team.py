"""Search the tree of a bound on all cores, with the same result on any number of them.

One thread alone searches a bound that takes a moment. Any other bound is cut: a walk to a small
depth yields its nodes there, in order, as *roots*, and each thread takes the next free root. When a
root holds a solution, only the roots before it are searched to their ends. So the solution is the
first in the order of the tree, and the counts are those of one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock

import numpy as np

from taquin.engine.general import walks as at
from taquin.engine.general.form import CELL_BIT, EDGE_BIT, EDGES, Tiles, Ways
from taquin.engine.general.plans import WalkPlan
from taquin.system.arguments import Arguments
from taquin.system.threads import threads_worth
from taquin.tables.shape import Cells

_ALONE = 1 << 17
"""Nodes that one thread searches before others join: some milliseconds."""
_GROWTH = 4
"""How many times as many nodes a bound takes at least as the one before it, as a rule."""
_SLICE = 1 << 16
"""Nodes of the caller's thread between two calls of `keep_going`."""
_LONG_SLICE = 1 << 18
"""Nodes of other threads between two looks at each other."""
_ROOTS = 64
"""Roots for each thread: enough that none idles long at the end."""
_DEEPEST_ROOT = 24
_BUDGET = 3
"""The place of the budget among the arguments of `walk_on`."""
_NEVER = 1 << 30
"""More than any f is above a bound."""
_LOOK = 2e-3
"""Seconds between two calls of `keep_going` while other threads finish."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a walk."""

    nodes: int = 0
    """Successors generated, without the way back."""
    expanded: int = 0
    """Nodes expanded, without the root and goals."""
    deepest: int = 0
    """Greatest depth of these."""
    excess: int = _NEVER
    """By how much the least f that was cut is above the bound."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.nodes + other.nodes,
            self.expanded + other.expanded,
            max(self.deepest, other.deepest),
            min(self.excess, other.excess),
        )


class Walker:
    """One walk through the tree of a bound, or through the part of it below a path."""

    def __init__(
        self,
        plan: WalkPlan,
        start: Tiles,
        bound: int,
        path: Cells | None = None,
        floor: int = _NEVER,
    ) -> None:
        path = path or (start.index(0),)
        depth = len(path) - 1
        board, turn = _along(plan.ways, start, path)
        deepest = max(bound, depth) + 3
        self._path, turns = np.zeros((2, deepest), np.int32)
        self._path[: depth + 1] = path
        turns[depth] = turn
        self._state = np.zeros(9, np.int64)
        self._state[[at.DEPTH, at.BASE, at.DEEPEST]] = depth
        self._state[at.FLOOR], self._state[at.BOUND] = floor, bound
        self._state[at.EXCESS] = _NEVER
        walk = at.Walk(self._state, np.array(board, np.uint16), self._path, turns)
        estimates = plan.estimates(board, depth, deepest)
        # To put them together takes as long as a short walk.
        self._walk_on = at.walk_on.given(Arguments(walk, plan.rules, estimates, 0))

    def go(self, budget: int) -> int:
        """Walk on, and return the nodes made; never more than the budget."""
        before = int(self._state[at.NODES])
        self._walk_on.put(_BUDGET, budget)
        self._walk_on()
        return int(self._state[at.NODES]) - before

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to search."""
        return bool(self._state[at.DEPTH] < self._state[at.BASE])

    @property
    def has_stopped(self) -> bool:
        """Whether it stopped for a reason: at a goal or at its floor."""
        return bool(self._state[at.STOP])

    @property
    def solution(self) -> Cells:
        """The blank's cells along the solution it stands at; () when it does not."""
        return self.path if self._state[at.STOP] == at.GOAL else ()

    @property
    def path(self) -> Cells:
        """The blank's cells from the start to where the walk stands."""
        return tuple(self._path[: int(self._state[at.DEPTH]) + 1].tolist())

    @property
    def tally(self) -> Tally:
        """What was counted so far."""
        places = (at.NODES, at.EXPANDED, at.DEEPEST, at.EXCESS)
        return Tally(*(int(self._state[place]) for place in places))


def _along(ways: Ways, start: Tiles, path: Cells) -> tuple[Tiles, int]:
    """Return the board at the end of a path, and the list of steps that comes there."""
    board, turn = list(start), ways.begin[path[0]]
    for blank, target in pairwise(path):
        while ways.steps[turn] >> CELL_BIT != target:
            turn += 1
        first = turn
        while not ways.steps[first] & 1:
            first -= 1
        empty = blank
        for step in ways.steps[first : turn + 1]:
            board[empty], board[step >> CELL_BIT] = board[step >> CELL_BIT], 0
            empty = step >> CELL_BIT
        turn = ways.follow[ways.steps[turn] >> EDGE_BIT & EDGES]
    return tuple(board), turn


@dataclass(slots=True)
class _Root:
    """A node from which one thread goes on, and what was counted before it."""

    path: Cells
    before: Tally
    own: Tally = Tally()
    solution: Cells = ()
    is_searched: bool = False


class Team:
    """Threads that search the trees of one board: a `Searcher` for `Deepening`."""

    def __init__(self, plan: WalkPlan, start: Tiles, threads: int) -> None:
        self._plan, self._start, self._threads = plan, start, threads
        self._lock = Lock()
        self._last = 0
        self.tally = Tally()
        """What was counted in the present bound; whole once it is searched."""

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        return self.tally.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._last, self.tally = self.tally.nodes, Tally()
        estimate = self._plan.estimate(self._start)
        if estimate > bound:
            self.tally = Tally(excess=estimate - bound)
            return ()
        walker = Walker(self._plan, self._start, bound)
        while not (walker.is_done or walker.has_stopped):
            if self._threads > 1 and walker.tally.nodes >= _ALONE:
                expected = _GROWTH * max(self._last, walker.tally.nodes)
                threads = threads_worth(expected, self._threads)
                return self._together(bound, threads, keep_going, most)
            walker.go(int(min(_SLICE, most - self.tally.nodes)))
            self.tally = walker.tally
            if not keep_going() or self.tally.nodes >= most:
                return walker.solution or (() if walker.is_done else None)
        return walker.solution

    def _together(
        self, bound: int, threads: int, keep_going: Callable[[], bool], most: float
    ) -> Cells | None:
        """Search a bound with `threads` threads, at least two."""
        roots, last = self._roots(bound, threads)
        self._left, self._ended = most - last.nodes, False
        self._taken, self._first = iter(range(len(roots))), len(roots)

        def keep_on() -> bool:
            self.tally = last + sum((root.own for root in roots), Tally())
            return keep_going()

        with ThreadPoolExecutor(threads - 1) as pool:
            try:
                others = [pool.submit(self._work, roots, bound) for _ in range(threads - 1)]
                self._work(roots, bound, keep_on)
                while not self._ended and wait(others, _LOOK).not_done:
                    self._ended = not keep_on()
            finally:
                self._ended = True
        for other in others:
            other.result()
        if any(not root.is_searched for root in roots[: self._first]):
            keep_on()
            return None
        searched = roots[: self._first + 1]
        found = self._first < len(roots)
        before = searched[-1].before if found else last
        self.tally = sum((root.own for root in searched), before)
        return searched[-1].solution if found else ()

    def _roots(self, bound: int, threads: int) -> tuple[list[_Root], Tally]:
        """Return the nodes of a depth where there are enough, and what was counted above them."""
        for depth in range(4, _DEEPEST_ROOT):
            walker = Walker(self._plan, self._start, bound, floor=depth)
            roots = []
            while not walker.is_done:
                walker.go(_LONG_SLICE)
                if walker.solution:
                    # A solution so near: whoever meets it at the next root has nothing to search.
                    roots.append(_Root(walker.path, walker.tally, solution=walker.path))
                elif walker.has_stopped:
                    roots.append(_Root(walker.path, walker.tally))
            if len(roots) >= _ROOTS * threads:
                break
        return roots, walker.tally

    def _work(
        self, roots: list[_Root], bound: int, keep_on: Callable[[], bool] | None = None
    ) -> None:
        """Search free roots until there are no more or the search has ended."""
        size = _LONG_SLICE if keep_on is None else _SLICE
        while not self._ended:
            with self._lock:
                number = next(self._taken, self._first)
                if number >= self._first:
                    return
            root = roots[number]
            walker = Walker(self._plan, self._start, bound, root.path)
            while not (root.solution or walker.is_done or self._ended or self._first < number):
                budget = self._take(size)
                self._take(walker.go(budget) - budget)
                root.own, root.solution = walker.tally, walker.solution
                if budget == 0 or (keep_on is not None and not keep_on()):
                    self._ended = True
            root.is_searched = walker.is_done or bool(root.solution)
            if root.solution:
                with self._lock:
                    self._first = min(self._first, number)

    def _take(self, nodes: int) -> int:
        """Return how many of these nodes may be made, and hold them; fewer than 0 give back."""
        with self._lock:
            taken = int(min(nodes, self._left))
            self._left -= taken
            return taken

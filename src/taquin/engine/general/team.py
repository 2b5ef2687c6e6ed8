"""Search the tree of a bound with several threads, with the result and the counts of one thread.

One thread searches a small bound alone. A larger bound is split: a walk to a fixed depth lists the
nodes there in order, the *roots* of subtrees, and each thread takes the next free root. When a
subtree has a solution, only the subtrees before it are searched to their end. The solution is
therefore the first in the order of the tree, and the counts are those of one thread, which the
glass box's counts require.

The engine `cpu` balances its threads better, by work stealing (`engine/cpu/team.py`), but which
solution it finds in the last bound, and after how many nodes, depends on timing.

A `Walker` is one walk, a `Team` the threads; `solve_counted` is IDA* as the glass box runs it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any

from taquin.engine.base import FITS, Fit, is_refuted
from taquin.engine.deepening import Deepening
from taquin.engine.general import walks
from taquin.engine.general.estimates import WalkPlan
from taquin.engine.general.form import (
    GeneralForm,
    Steps,
    Tiles,
    begins_line,
    cell_of,
    edge_of,
    form_of,
)
from taquin.heuristics.base import Zero
from taquin.heuristics.per_tile import Manhattan, homes_in
from taquin.model.moves import Metric
from taquin.model.space import Space
from taquin.search.algorithms import IDAStar
from taquin.search.conventions import Duplicates
from taquin.search.result import DEFAULT_COUNTERS, Counters, EngineTag, Result, Task, Want
from taquin.system.arrays import Arguments, array, int32, int64, uint16, zeros
from taquin.system.machine import threads_worth
from taquin.tables.shape import Cells

if TYPE_CHECKING:
    from taquin.engine.general.estimates import DistancesPlan

_ALONE = 1 << 17
"""Nodes that one thread searches before others join: some milliseconds."""
_GROWTH = 4
"""How many times as many nodes a bound takes as the one before it, at least as a rule."""
_SLICE = 1 << 16
"""Nodes of the caller's thread between two calls of `keep_going`."""
_LONG_SLICE = 1 << 18
"""Nodes of other threads between two checks of the shared state."""
_ROOTS = 64
"""Roots for each thread: enough that none idles long at the end."""
_DEEPEST_ROOT = 24
_BUDGET = 3
"""The place of the budget among the arguments of `walk_on`."""
_NEVER = 1 << 30
"""More than any f is above a bound."""
_POLL = 2e-3
"""Seconds between two calls of `keep_going` while other threads finish."""


@dataclass(frozen=True, slots=True)
class WalkCounts:
    """The counts of a walk."""

    nodes: int = 0
    """Successors generated, the way back left out."""
    expanded: int = 0
    """Nodes expanded, the root and goals left out."""
    deepest: int = 0
    """Greatest depth of these."""
    excess: int = _NEVER
    """By how much the least f that was cut is above the bound."""

    def __add__(self, other: WalkCounts) -> WalkCounts:
        return WalkCounts(
            self.nodes + other.nodes,
            self.expanded + other.expanded,
            max(self.deepest, other.deepest),
            min(self.excess, other.excess),
        )


class Walker:
    """One walk through the tree of a bound, or through the part of it below a path."""

    def __init__(
        self, plan: WalkPlan, start: Tiles, bound: int, path: Cells = (), floor: int = _NEVER
    ) -> None:
        path = path or (start.index(0),)
        depth = len(path) - 1
        deepest = max(bound, depth) + 3
        whole_path, nexts = zeros((2, deepest), int32)
        whole_path[: depth + 1] = path
        board, nexts[depth] = _along(plan.rules.steps, start, path)
        state = zeros(9, int64)
        state[walks.DEPTH] = state[walks.BASE] = state[walks.DEEPEST] = depth
        state[walks.FLOOR], state[walks.BOUND], state[walks.EXCESS] = floor, bound, _NEVER
        walk = walks.Walk(state, array(board, uint16), whole_path, nexts)
        self._path, self._state = whole_path.items, state.items
        estimates = plan.estimates(board, depth, deepest)
        # Converting the arguments takes as long as a short walk.
        self._walk_on = walks.walk_on.given(Arguments(walk, plan.rules, estimates, 0))

    def go(self, budget: int) -> int:
        """Walk on, and return the nodes generated; never more than the budget."""
        before: int = self._state[walks.NODES]
        self._walk_on.put(_BUDGET, budget)
        self._walk_on()
        return self._state[walks.NODES] - before

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to search."""
        return bool(self._state[walks.DEPTH] < self._state[walks.BASE])

    @property
    def has_stopped(self) -> bool:
        """Whether it stopped for a reason: at a goal or at its floor."""
        return bool(self._state[walks.STOP])

    @property
    def solution(self) -> Cells:
        """The blank's cells along the solution it stands at; () when it does not."""
        return self.path if self._state[walks.STOP] == walks.GOAL else ()

    @property
    def path(self) -> Cells:
        """The blank's cells from the start to where the walk stands."""
        return tuple(self._path[: self._state[walks.DEPTH] + 1])

    @property
    def counts(self) -> WalkCounts:
        """What was counted so far."""
        places = (walks.NODES, walks.EXPANDED, walks.DEEPEST, walks.EXCESS)
        return WalkCounts(*(self._state[place] for place in places))


def _along(steps: Steps, start: Tiles, path: Cells) -> tuple[Tiles, int]:
    """Return the board at the end of a path, and where the list of its steps begins."""
    board, at = list(start), steps.begin[path[0]]
    for blank, target in pairwise(path):
        while cell_of(steps.lists[at]) != target:
            at += 1
        first = at
        while not begins_line(steps.lists[first]):
            first -= 1
        for step in steps.lists.items[first : at + 1]:
            board[blank], board[cell_of(step)] = board[cell_of(step)], 0
            blank = cell_of(step)
        at = steps.follow[edge_of(step)]
    return tuple(board), at


@dataclass(slots=True)
class _Root:
    """A node from which one thread goes on, and the counts before it."""

    path: Cells
    before: WalkCounts
    own: WalkCounts = WalkCounts()
    solution: Cells = ()
    is_searched: bool = False


class Team:
    """Threads that search the trees of one board: a `Searcher` for `Deepening`."""

    def __init__(self, plan: WalkPlan, start: Tiles, threads: int) -> None:
        self._plan, self._start, self._threads = plan, start, threads
        self._lock = Lock()
        self._last = 0
        self.counts = WalkCounts()
        """The counts of the present bound; complete once it is searched."""

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        return self.counts.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._last, self.counts = self.counts.nodes, WalkCounts()
        estimate = self._plan.estimate(self._start)
        if estimate > bound:
            self.counts = WalkCounts(excess=estimate - bound)
            return ()
        walker = Walker(self._plan, self._start, bound)
        while not (walker.is_done or walker.has_stopped):
            if self._threads > 1 and walker.counts.nodes >= _ALONE:
                expected = _GROWTH * max(self._last, walker.counts.nodes)
                threads = threads_worth(expected, self._threads)
                return self._together(bound, threads, keep_going, most)
            walker.go(int(min(_SLICE, most - self.counts.nodes)))
            self.counts = walker.counts
            if not keep_going() or self.counts.nodes >= most:
                return walker.solution or (() if walker.is_done else None)
        return walker.solution

    def _together(
        self, bound: int, threads: int, keep_going: Callable[[], bool], most: float
    ) -> Cells | None:
        """Search a bound with `threads` threads, at least two."""
        roots, above = self._roots(bound, threads)
        self._left, self._is_over = most - above.nodes, False
        self._free, self._first = iter(range(len(roots))), len(roots)

        def keep_on() -> bool:
            self.counts = sum((root.own for root in roots), above)
            return keep_going()

        with ThreadPoolExecutor(threads - 1) as pool:
            try:
                others = [pool.submit(self._work, roots, bound) for _ in range(threads - 1)]
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

    def _roots(self, bound: int, threads: int) -> tuple[list[_Root], WalkCounts]:
        """Return the nodes of a depth where there are enough, and the counts above them."""
        for depth in range(4, _DEEPEST_ROOT):
            walker = Walker(self._plan, self._start, bound, floor=depth)
            roots = []
            while not walker.is_done:
                walker.go(_LONG_SLICE)
                if walker.has_stopped:
                    # Below a root that is a solution itself there is nothing to search.
                    roots.append(_Root(walker.path, walker.counts, solution=walker.solution))
            if len(roots) >= _ROOTS * threads:
                break
        return roots, walker.counts

    def _work(
        self, roots: list[_Root], bound: int, keep_on: Callable[[], bool] | None = None
    ) -> None:
        """Search free roots until there are no more or the search is over."""
        size = _LONG_SLICE if keep_on is None else _SLICE
        while not self._is_over:
            with self._lock:
                number = next(self._free, self._first)
                if number >= self._first:
                    return
            root = roots[number]
            walker = Walker(self._plan, self._start, bound, root.path)
            while not (root.solution or walker.is_done or self._is_over or self._first < number):
                budget = self._reserve(size)
                self._reserve(walker.go(budget) - budget)
                root.own, root.solution = walker.counts, walker.solution
                if budget == 0 or (keep_on is not None and not keep_on()):
                    self._is_over = True
            root.is_searched = walker.is_done or bool(root.solution)
            if root.solution:
                with self._lock:
                    self._first = min(self._first, number)

    def _reserve(self, nodes: int) -> int:
        """Return how many of these nodes may be generated; a negative number gives some back."""
        with self._lock:
            reserved = int(min(nodes, self._left))
            self._left -= reserved
            return reserved


def counted_fit(task: Task) -> Fit:
    """Return whether a search by name can run with the counts of the glass box."""
    search, limits = task.algorithm, task.limits
    if task.want is not Want.ONE:
        return Fit(False, "it lists every shortest solution by a search of its own")
    if not isinstance(search, IDAStar) or not isinstance(search.heuristic, Manhattan | Zero):
        return Fit(False, f"it runs IDA* with the Manhattan distance, not {search}")
    if search.conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE):
        return Fit(False, f"it keeps no boards in mind, as {search} does")
    if limits.nodes is not None or limits.depth is not None:
        return Fit(False, f"it has no limit on nodes or depth for {search}")
    if task.puzzle.metric is not Metric.SINGLE:
        return Fit(False, f"it runs {search} for single moves only")
    if homes_in(Space(task.puzzle, task.start)).repeated:
        return Fit(False, f"it runs {search} where no two tiles of the goal share a label")
    return FITS


def solve_counted(task: Task, deepening: Deepening, tag: EngineTag, threads: int) -> Result:
    """Run the task's IDA*, and return what the glass box would, count for count."""
    control, counters = deepening.control, deepening.counters
    search: Any = task.algorithm
    is_solved = task.puzzle.is_goal(task.start)
    control.prove(not is_solved)
    if is_refuted(task, control):
        return deepening.result(task, search, tag, DEFAULT_COUNTERS)
    form, board = form_of(task.puzzle, task.start)
    with control.guard():
        control.prepare("loading the compiled search")
        from taquin.engine.general.estimates import DistancesPlan
        from taquin.engine.general.form import steps_on

        conventions = search.conventions
        returns = conventions.duplicates is Duplicates.NONE
        steps = steps_on(form, conventions.directions, returns)
        distances = _distances(task, form, isinstance(search.heuristic, Zero))
        plan = DistancesPlan(form, steps, distances)
        control.begin()
        if is_solved:
            deepening.blanks = form.on_grid((board.index(0),))
            counters.enqueued = counters.dequeued = 1
        else:
            rounds = Rounds(plan, Team(plan, board, threads), counters, returns)
            deepening.run(plan.estimate(board), rounds, rounds.after)
    return deepening.result(task, search, tag, DEFAULT_COUNTERS)


@dataclass(slots=True)
class Rounds:
    """The rounds of one search, counted as the glass box counts: a `Searcher` for `Deepening`.

    The walk leaves out the way back. The glass box generates it, counts it and drops it, once for
    every board it expands but the start; only on the last path it may not have come to that:

        expanded     boards that the walk entered, and the start, in every round
        duplicates   these, less the start, and less the boards of the last path whose way back
                     would have come after the way they went
        generated    what the walk generated, and the duplicates
    """

    plan: DistancesPlan
    team: Team
    counters: Counters
    returns: bool
    """Whether the walk makes the way back."""
    _way_back: int = 0

    @property
    def nodes(self) -> int:
        """Nodes generated in the present round."""
        return self.team.nodes + self._way_back

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._way_back = 0
        path = self.team.search(bound, keep_going, most)
        counts, counters = self.team.counts, self.counters
        if not self.returns:
            self._way_back = counts.expanded - self._not_reached(path or ())
        counters.expanded += 1 + counts.expanded
        counters.enqueued += 1 + counts.expanded + bool(path)
        counters.dequeued = counters.enqueued
        counters.duplicates += self._way_back
        counters.max_frontier = max(counters.max_frontier, 1 + counts.deepest)
        counters.max_depth = max(counters.max_depth, counts.deepest, len(path or ()) - 1)
        return path and self.plan.form.on_grid(path)

    def after(self, bound: int) -> int:
        """Return the least f that was cut."""
        return bound + self.team.counts.excess

    def _not_reached(self, path: Cells) -> int:
        """Return how many boards of a path have their way back after the way they went."""
        late = 0
        for before, cell, after in zip(path, path[1:], path[2:], strict=False):
            order = self.plan.rules.steps.from_cell(cell)
            late += order.index(before) > order.index(after)
        return late


def _distances(task: Task, form: GeneralForm, is_zero: bool) -> list[list[int]]:
    """Return each tile's distance from its home, by cell; 0 for the blank and free tiles."""
    grid = task.puzzle.grid
    zeros = [0] * form.size
    distances = [zeros]
    for tile in form.tiles:
        home = form.cells[form.places(form.groups[tile])[0]]
        distances.append([0 if is_zero else grid.distance(cell, home) for cell in form.cells])
    return distances + [zeros] * (form.frees > 0)

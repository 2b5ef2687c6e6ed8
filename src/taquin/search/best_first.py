"""One best-first loop (breadth-first, uniform cost, greedy, A*, weighted A*), and beam search.

The searches of the loop differ in one function, the priority of a board that is g moves from the
start and at an estimated h moves from the goal:

    breadth-first, uniform cost   g            greedy        h
    A*                            g + h        weighted A*   g + w·h

Priorities are few and entries many, so the frontier has a bucket per priority, and a heap of the
distinct priorities only: a push and a pop cost a dictionary lookup each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from math import inf
from operator import itemgetter
from typing import Any

from taquin.model.space import State
from taquin.search import events as on
from taquin.search.conventions import Duplicates, GoalTest, Ties
from taquin.search.events import Entry, Fate
from taquin.search.result import COUNTERS, Limit
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, SearchRun, path_to


@dataclass(frozen=True, slots=True)
class Order:
    """How a best-first search ranks boards, and the lower bound that this proves."""

    priority: Callable[[int, int], float]
    """(g, h) → priority; the lowest is expanded first."""
    lower_bound: Callable[[float], float] | None = None
    """Lowest priority in the frontier → lower bound on the cost of any solution, given an
    admissible heuristic; None if there is none."""
    sort_siblings: bool = False
    """Whether the successors of a board join the frontier in order of h."""


def best_first(run: SearchRun, order: Order) -> Loop:
    """Expand the board of lowest priority until it is solved or none is left."""
    space, counters, watch, conventions = run.space, run.counters, run.watch, run.conventions
    duplicates = conventions.duplicates
    by_reached = duplicates is Duplicates.REACHED
    by_closed = duplicates is Duplicates.CLOSED
    by_dequeue = duplicates is Duplicates.DEQUEUE
    by_parent = duplicates is Duplicates.PARENT
    test_on_generation = conventions.goal_test is GoalTest.GENERATION
    frontier = frontier_for(conventions.ties)
    push, pop = frontier.push, frontier.pop
    siblings: list[tuple[float, int, Entry]] = []
    put = (lambda *item: siblings.append(item)) if order.sort_siblings else push
    rays, slide, is_goal = space.rays, space.slider(), space.goal_test()
    step, priority = run.evaluator.step, order.priority
    reopens = not (by_closed or by_dequeue)
    is_sound = run.evaluator.admissible and (reopens or run.evaluator.consistent)
    lower_bound = order.lower_bound if is_sound else None
    if lower_bound:
        run.counts = COUNTERS
    max_depth, max_estimate = run.max_depth, run.max_estimate
    least_cut = lowest_cut = inf
    # Comparing with infinity is slow, and the loop below would do so for every child.
    is_shallow, is_counted = max_estimate < inf, run.nodes < inf
    max_expanded, max_generated, max_enqueued, max_dequeued = run.node_limits

    h = run.evaluator.value(space.start)
    root: Entry = (space.start, None, 0, h)
    reached: dict[State, Entry] = {space.start: root} if by_reached else {}
    closed: set[State] = set()
    remembers = by_reached or by_closed or by_dequeue
    push(priority(0, h), h, root)
    expanded = generated = dequeued = discarded = reopened = updated = deepest = widest = 0
    enqueued, until_tick, proven = 1, 0, -inf
    # Members of an enumeration are slow to look up; the loop below does so for every child.
    new, duplicate, way_back = Fate.ENQUEUED, Fate.DUPLICATE, Fate.PARENT
    reopen, update = Fate.REOPENED, Fate.UPDATED

    def sync() -> None:
        counters.expanded, counters.generated = expanded, generated
        counters.enqueued, counters.dequeued = enqueued, dequeued
        counters.duplicates = discarded
        counters.reopened, counters.updated = reopened, updated
        counters.frontier, counters.max_frontier = enqueued - dequeued, widest
        counters.max_depth = deepest

    def cut(g: int, h: int) -> None:
        nonlocal least_cut, lowest_cut
        counters.cut = True
        least_cut, lowest_cut = min(least_cut, g + h), min(lowest_cut, priority(g, h))

    if watch:
        yield on.Started(watch.node(root, priority(0, h)))
    if test_on_generation and is_goal(space.start):
        sync()
        return Found([space.start])
    while enqueued > dequeued:
        if enqueued - dequeued > widest:
            widest = enqueued - dequeued
        if lower_bound:
            lowest = frontier.lowest()
            if lowest > proven:
                proven = lowest
                counters.expanded = expanded
                counters.prove(lower_bound(lowest))
        if is_counted and dequeued >= max_dequeued:
            sync()
            return NODE_LIMIT
        entry = pop()
        dequeued += 1
        state, parent, g, h = entry
        if g > deepest:
            deepest = g
        if by_reached:
            stale = reached[state] is not entry
        elif by_dequeue:
            stale = state in closed or (conventions.bumps and space.is_blocked(state))
        else:
            stale = False
        if stale:
            discarded += 1
            if watch:
                yield on.Discarded(watch.node(entry, priority(g, h)))
            continue
        if not test_on_generation and is_goal(state):
            sync()
            if watch:
                yield on.GoalFound(watch.node(entry, priority(g, h)))
            return Found(path_to(entry))
        if until_tick <= 0:
            sync()
            until_tick = yield None
        until_tick -= 1
        if is_counted and expanded >= max_expanded:
            sync()
            return NODE_LIMIT
        if remembers:
            closed.add(state)
        if watch:
            sync()
            yield on.Expanded(
                watch.node(entry, priority(g, h)), frontier=enqueued - dequeued, closed=expanded
            )
        expanded += 1
        if g >= max_depth:
            cut(g + 1, 0)
            continue
        came_from = None if parent is None else parent[0]
        g += 1
        # `Space.stepper` inlined: this loop is the hottest of all.
        start_blank = state.index(0)
        for ray in rays[start_blank]:
            child, blank = state, start_blank
            for cell in ray:
                tile = child[cell]
                child = slide(child, blank, cell)
                target, blank = blank, cell
                if is_counted and generated >= max_generated:
                    sync()
                    return NODE_LIMIT
                generated += 1
                fate = new
                if by_reached:
                    known = reached.get(child)
                    if known is not None:
                        if known[2] <= g:
                            fate = duplicate
                        else:
                            fate = reopen if child in closed else update
                elif by_closed:
                    if child in closed:
                        fate = duplicate
                elif by_parent and child == came_from:
                    fate = way_back
                if fate is duplicate or fate is way_back:
                    discarded += 1
                    if watch:
                        child_h = step(h, child, tile, cell, target)
                        child_entry = (child, entry, g, child_h)
                        yield on.Generated(watch.node(child_entry, priority(g, child_h)), fate)
                    continue
                child_h = step(h, child, tile, cell, target)
                child_entry = (child, entry, g, child_h)
                if is_shallow and g + child_h > max_estimate:
                    cut(g, child_h)
                    if watch:
                        yield on.Generated(watch.node(child_entry, priority(g, child_h)), Fate.CUT)
                    continue
                if is_counted and enqueued >= max_enqueued:
                    sync()
                    return NODE_LIMIT
                if by_reached:
                    reached[child] = child_entry
                    if fate is reopen:
                        closed.remove(child)
                        reopened += 1
                    elif fate is update:
                        updated += 1
                put(priority(g, child_h), child_h, child_entry)
                enqueued += 1
                if watch:
                    yield on.Generated(watch.node(child_entry, priority(g, child_h)), fate)
                # A board with h = 0 may be the goal: a solution, perhaps not the best one.
                if (child_h and not test_on_generation) or not is_goal(child):
                    continue
                if not test_on_generation:
                    if run.improve(g, partial(path_to, child_entry)) and watch:
                        yield on.Improved(watch.node(child_entry, priority(g, child_h)), g)
                else:
                    deepest = max(deepest, g)
                    sync()
                    if watch:
                        yield on.GoalFound(watch.node(child_entry, priority(g, child_h)))
                    return Found(path_to(child_entry))
        if siblings:
            siblings.sort(key=itemgetter(1))
            for item in siblings:
                push(*item)
            siblings.clear()
    sync()
    if lower_bound and counters.cut:
        counters.bound = max(counters.bound, min(least_cut, lower_bound(lowest_cut)))
    if run.evaluator.admissible and counters.cut and reopens:
        # Whatever the order, every board within the limit was expanded at its least depth.
        counters.bound = max(counters.bound, least_cut)
    return Exhausted(complete=not counters.cut)


def frontier_for(ties: Ties) -> BucketFrontier | HeapFrontier:
    """Return an empty frontier with this tie-breaking."""
    if ties is Ties.HEAP:
        return HeapFrontier()
    return BucketFrontier(newest_first=ties is Ties.LIFO, by_estimate=ties is Ties.LOW_H)


class BucketFrontier:
    """A frontier with a bucket per priority: first in, first out, or `newest_first`.

    With `by_estimate` there is a bucket per priority and h.
    """

    __slots__ = ("_buckets", "_by_estimate", "_keys", "_take")

    def __init__(self, newest_first: bool = False, by_estimate: bool = False) -> None:
        self._by_estimate = by_estimate
        self._take: Callable[[deque[Entry]], Entry] = deque.pop if newest_first else deque.popleft
        # A key is a priority, or a pair of priority and h.
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
        lowest: float = self._keys[0][0] if self._by_estimate else self._keys[0]
        return lowest


@dataclass(slots=True)
class _Ranked:
    priority: float
    entry: Entry

    def __lt__(self, other: _Ranked) -> bool:
        return self.priority < other.priority


class HeapFrontier:
    """A frontier in the order of a C++ `std::priority_queue`, as libstdc++ implements it.

    `heapq` sifts in the same way. Pushing sifts the new entry up past strictly larger parents.
    Popping moves the hole at the root down to a leaf along the smaller children (the right one on
    a tie), puts the last entry there and sifts it up. Entries of one priority compare as equal.
    """

    __slots__ = ("_heap",)

    def __init__(self) -> None:
        self._heap: list[_Ranked] = []

    def push(self, priority: float, h: int, entry: Entry) -> None:
        """Add an entry."""
        heappush(self._heap, _Ranked(priority, entry))

    def pop(self) -> Entry:
        """Remove and return the entry at the root."""
        return heappop(self._heap).entry

    def lowest(self) -> float:
        """Return the lowest priority."""
        return self._heap[0].priority


def beam(run: SearchRun, width: int) -> Loop:
    """Keep the `width` boards of lowest h of each level until one is solved.

        level 0        o
        level 1      o o x          the width is 2: of each level the 2 boards with the
        level 2    x o o x          lowest h are kept, the others (x) are pruned

    Once a board has been pruned, a solution is not proven shortest, and its absence proves nothing.
    """
    space, counters, watch = run.space, run.counters, run.watch
    duplicates = run.conventions.duplicates
    by_reached = duplicates is Duplicates.REACHED
    by_parent = duplicates is Duplicates.PARENT
    test_on_generation = run.conventions.goal_test is GoalTest.GENERATION
    newest_first = run.conventions.ties is Ties.LIFO
    steps, is_goal, step = space.stepper(), space.goal_test(), run.evaluator.step
    root = run.root
    reached: set[State] = {space.start}
    level = [root]
    until_tick = 0
    dropped = False
    max_estimate, nearest_cut = run.max_estimate, inf
    max_expanded, max_generated, max_enqueued, max_dequeued = run.node_limits
    counters.enqueued = counters.max_frontier = 1
    if watch:
        yield on.Started(watch.node(root, root[3]))
    if test_on_generation and is_goal(space.start):
        return Found([space.start])
    while level:
        counters.max_depth = depth = level[0][2]
        if watch:
            yield on.BoundRaised(depth, depth + 1)
        next_level: list[Entry] = []
        for position, entry in enumerate(level):
            state, parent, g, h = entry
            if counters.dequeued >= max_dequeued:
                return NODE_LIMIT
            counters.dequeued += 1
            if not test_on_generation and is_goal(state):
                if not dropped and by_reached:
                    # Nothing was ever pruned, so this was breadth-first search.
                    counters.bound = max(counters.bound, g)
                if watch:
                    yield on.GoalFound(watch.node(entry, h))
                return Found(path_to(entry))
            counters.frontier = len(level) - position - 1 + len(next_level)
            if until_tick <= 0:
                until_tick = yield None
            until_tick -= 1
            if counters.expanded >= max_expanded:
                return NODE_LIMIT
            if watch:
                yield on.Expanded(watch.node(entry, h), counters.frontier, counters.expanded)
            counters.expanded += 1
            if g >= run.max_depth:
                counters.cut = True
                nearest_cut = min(nearest_cut, g + 1)
                continue
            came_from = None if parent is None else parent[0]
            for child, tile, origin, target in steps(state):
                if counters.generated >= max_generated:
                    return NODE_LIMIT
                counters.generated += 1
                child_h = step(h, child, tile, origin, target)
                child_entry: Entry = (child, entry, g + 1, child_h)
                if (by_reached and child in reached) or (by_parent and child == came_from):
                    counters.duplicates += 1
                    if watch:
                        fate = Fate.DUPLICATE if by_reached else Fate.PARENT
                        yield on.Generated(watch.node(child_entry, child_h), fate)
                    continue
                if g + 1 + child_h > max_estimate:
                    counters.cut = True
                    nearest_cut = min(nearest_cut, g + 1 + child_h)
                    if watch:
                        yield on.Generated(watch.node(child_entry, child_h), Fate.CUT)
                    continue
                if by_reached:
                    reached.add(child)
                next_level.append(child_entry)
                if watch:
                    yield on.Generated(watch.node(child_entry, child_h), Fate.ENQUEUED)
                if (child_h and not test_on_generation) or not is_goal(child):
                    continue
                if test_on_generation:
                    counters.max_depth = g + 1
                    if watch:
                        yield on.GoalFound(watch.node(child_entry, child_h))
                    return Found(path_to(child_entry))
                if run.improve(g + 1, partial(path_to, child_entry)) and watch:
                    yield on.Improved(watch.node(child_entry, child_h), g + 1)
        if newest_first:
            next_level.reverse()
        next_level.sort(key=itemgetter(3))
        level = next_level[:width]
        if len(next_level) > width:
            dropped = True
            if watch:
                for entry in next_level[width:]:
                    yield on.Generated(watch.node(entry, entry[3]), Fate.PRUNED)
        if counters.enqueued + len(level) > max_enqueued:
            return NODE_LIMIT
        counters.enqueued += len(level)
        counters.max_frontier = max(counters.max_frontier, len(level))
    if dropped:
        return Exhausted(complete=False, limit=Limit.WIDTH, size=width)
    if counters.cut and run.evaluator.admissible:
        counters.bound = max(counters.bound, nearest_cut)
    return Exhausted(complete=not counters.cut)

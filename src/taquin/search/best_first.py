"""One best-first loop (breadth-first, uniform cost, greedy, A*, weighted A*), beams and variants.

The searches of the loop differ in one function, the priority of a board that is g moves from the
start and at an estimated h moves from the goal:

    breadth-first, uniform cost   g            greedy        h
    A*                            g + h        weighted A*   g + w·h

Priorities are few and entries many, so the frontier has a bucket per priority, and a heap of the
distinct priorities only: a push and a pop cost a dictionary lookup each.

The variants of A* at the end (ARA*, A*ε, potential search, PEA*) group their frontier by f and g:

    groups   {(12, 3): {state: entry, …}, (14, 2): {…}}      few groups, many boards

There a board is in the frontier once: a shorter path to it replaces the longer one. So a search can
compare groups instead of boards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from math import inf
from operator import itemgetter
from typing import Any, ClassVar

from taquin.errors import UnsuitableError
from taquin.model.space import State
from taquin.reasons import reason
from taquin.search import events as on
from taquin.search.events import KEPT, Entry, Fate
from taquin.search.result import COUNTERS, Limit
from taquin.search.run import (
    LOW_H_FIRST,
    NODE_LIMIT,
    OPEN,
    Conventions,
    Duplicates,
    Exhausted,
    Found,
    GoalTest,
    Loop,
    RememberingSearch,
    SearchRun,
    Ties,
    path_to,
)
from taquin.search.tally import Tally, limited


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


Group = tuple[int, int]
"""The f and the g that the boards of a group share; their h is f - g."""


class GroupedFrontier:
    """The boards that a search has reached, and those in its frontier by group."""

    def __init__(self) -> None:
        self.reached: dict[State, Entry] = {}
        """Every board reached, by the shortest path known."""
        self.groups: dict[Group, dict[State, Entry]] = {}
        """The boards to expand, in each group the newest last."""

    def push(self, entry: Entry) -> None:
        """Add a board, replacing a longer path to it."""
        state, _, g, h = entry
        known = self.reached.get(state)
        if known is not None:
            key = (known[2] + known[3], known[2])
            if self.groups.get(key, {}).pop(state, None) and not self.groups[key]:
                del self.groups[key]
        self.reached[state] = entry
        self.groups.setdefault((g + h, g), {})[state] = entry

    def pop(self, group: Group) -> Entry:
        """Remove and return the newest board with this f and g."""
        _, entry = self.groups[group].popitem()
        if not self.groups[group]:
            del self.groups[group]
        return entry

    @property
    def least_f(self) -> int:
        """The least f in the frontier."""
        return min(self.groups)[0]

    def least_g(self, most_f: float = inf) -> float:
        """Return the least g of the boards with at most this f; infinity for none."""
        return min((g for f, g in self.groups if f <= most_f), default=inf)


@dataclass(frozen=True, slots=True)
class AnytimeRepairing(RememberingSearch):
    """Find a first solution with a high weight, then better ones, at last a shortest (ARA*).

    Likhachev, Gordon and Thrun (2003). ARA* runs rounds of weighted A* with a falling weight, each
    of which reuses the round before. A round expands by f = g + w·h until no board in the frontier
    can improve the best solution; it expands no board twice. A board that was expanded and is then
    reached by a shorter path is inconsistent, and joins the frontier of the next round:

        w = 3     ─── a solution that costs at most 3 times the shortest
        w = 2.5   ─── a better one, from the frontier and the inconsistent boards
        …
        w = 1     ─── a shortest solution

    Every solution passes through one of these boards, so their least g + h is a lower bound.
    """

    weight: float = 3
    """The weight of the first round, which bounds the relative cost of its solution."""
    step: float = 0.5
    """The decrease of the weight per round."""
    conventions: Conventions = OPEN

    name = "arastar"
    least: ClassVar = {"weight": 1}
    optimal = True

    def __post_init__(self) -> None:
        RememberingSearch.__post_init__(self)
        if not 0 < self.step < inf:
            raise UnsuitableError(reason("option-positive", name="step", found=str(self.step)))

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Order boards by g + weight · h, and lower the weight after each round."""
        tally, watch, is_goal = Tally(run), run.watch, run.space.goal_test()
        weight, root = self.weight, run.root
        reached: dict[State, Entry] = {root[0]: root}
        best = root if is_goal(root[0]) else None
        frontier = [root]
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, weight * root[3]))
        while frontier:
            # The number breaks ties first in, first out.
            queue = [(_f(entry, weight), number, entry) for number, entry in enumerate(frontier)]
            heapify(queue)
            number, closed, inconsistent = len(queue), set[State](), list[Entry]()
            while queue and (best is None or queue[0][0] < best[2]):
                tally.dequeue()
                f, _, entry = heappop(queue)
                if reached[entry[0]] is not entry:
                    yield from tally.discard(entry, f)
                    continue
                closed.add(entry[0])
                yield from tally.expand(entry, f)
                for child in tally.children(entry):
                    state = child[0]
                    fate = tally.admit(child, reached.get(state))
                    if watch:
                        yield on.Generated(watch.node(child, _f(child, weight)), fate)
                    if fate not in KEPT:
                        continue
                    reached[state] = child
                    if state in closed:
                        inconsistent.append(child)
                    else:
                        heappush(queue, (_f(child, weight), number := number + 1, child))
                    if is_goal(state) and run.improve(child[2], partial(path_to, child)):
                        best = child
                        if watch:
                            yield on.Improved(watch.node(child, _f(child, weight)), child[2])
            frontier = [entry for _, _, entry in queue if reached[entry[0]] is entry]
            frontier += [entry for entry in inconsistent if reached[entry[0]] is entry]
            least = min((g + h for _, _, g, h in frontier), default=inf)
            if best is not None:
                tally.prove(min(least, best[2]))
                if best[2] <= least:
                    return (yield from tally.found(best, best[2]))
            weight = max(1, weight - self.step)
        return tally.exhausted()


def _f(entry: Entry, weight: float) -> float:
    return entry[2] + weight * entry[3]


@dataclass(frozen=True, slots=True)
class _BoundedSearch(RememberingSearch, ABC):
    weight: float = 1.5
    """Solutions cost at most `weight` times the shortest."""
    conventions: Conventions = OPEN

    least: ClassVar = {"weight": 1}
    optimal = False

    @abstractmethod
    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the rank of a group if a solution may cost `most`; the lowest comes first."""

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Expand a board of the lowest rank within weight · f_min."""
        tally, watch, is_goal = Tally(run), run.watch, run.space.goal_test()
        root, frontier = run.root, GroupedFrontier()
        frontier.push(root)
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, root[3]))
        while frontier.groups:
            least = frontier.least_f
            tally.prove(least)
            most = self.weight * least
            allowed = [group for group in frontier.groups if group[0] <= most]
            tally.dequeue()
            entry = frontier.pop(min(allowed, key=lambda group: self.rank(group, most)))
            f = entry[2] + entry[3]
            if is_goal(entry[0]):
                return (yield from tally.found(entry, f))
            yield from tally.expand(entry, f)
            for child in tally.children(entry):
                fate = tally.admit(child, frontier.reached.get(child[0]))
                if watch:
                    yield on.Generated(watch.node(child, child[2] + child[3]), fate)
                if fate not in KEPT:
                    continue
                frontier.push(child)
                if is_goal(child[0]) and run.improve(child[2], partial(path_to, child)) and watch:
                    yield on.Improved(watch.node(child, child[2] + child[3]), child[2])
        return tally.exhausted()


class Focal(_BoundedSearch):
    """Of the boards with f ≤ weight · f_min, expand the one of lowest h (A*ε).

    Every solution costs at least f_min, the least f = g + h in the frontier. So any board with f ≤
    w·f_min may be expanded, and a goal among these is a solution within w times the shortest. Pearl
    and Kim (1982) choose by an estimate of the remaining effort, which is h itself here.
    """

    __slots__ = ()
    name = "focal"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return h; ties go to the lowest f."""
        f, g = group
        return f - g, f


class DynamicPotential(_BoundedSearch):
    """Expand the board most likely to lead to a solution within `weight` (dynamic potential).

    Gilon, Felner and Stern (2016), after Stern, Puzis and Felner (2011). The boards are those of
    focal search, f ≤ w·f_min. The next one has the greatest potential (w·f_min − g) / h: the cost
    that may still be spent, in multiples of h.

    The paper compares it with explicit estimation search (EES), which would need a second,
    inadmissible estimate.
    """

    __slots__ = ()
    name = "potential"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the inverse of the potential, which is infinite for a goal."""
        f, g = group
        return ((f - g) / (most - g) if f > g else 0), f


@dataclass(frozen=True, slots=True)
class PartialExpansion(RememberingSearch):
    """A* that enqueues only promising children, and the others when needed (PEA*).

    Yoshizumi, Miura and Ishida (2000). A board is expanded again each time its stored value F
    rises. Only its children with f ≤ F + cutoff are enqueued; the board returns to the frontier
    with the least f of the others:

        F = 12    children with f = 12, 14, 14: the first is enqueued, the board returns with F = 14

    Most boards with an f above the cost of a solution are never stored, at the price of repeated
    expansions.
    """

    cutoff: int = 0
    """A child is enqueued if its f exceeds the value of its parent by at most this."""
    conventions: Conventions = OPEN

    name = "peastar"
    least: ClassVar = {"cutoff": 0}
    defaults = LOW_H_FIRST
    unsupported = ("goal_test", "limit_test")
    optimal = True

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Order boards by their stored values."""
        tally, counters, watch, is_goal = Tally(run), run.counters, run.watch, run.space.goal_test()
        root = run.root
        reached: dict[State, Entry] = {root[0]: root}
        frontier = frontier_for(run.conventions.ties)
        frontier.push(root[3], root[3], root)
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, root[3]))
        while counters.frontier:
            value = frontier.lowest()
            tally.prove(value)
            tally.dequeue()
            entry = frontier.pop()
            if reached[entry[0]] is not entry:
                yield from tally.discard(entry, value)
                continue
            if is_goal(entry[0]):
                return (yield from tally.found(entry, value))
            yield from tally.expand(entry, value)
            least_left = inf
            for child in tally.children(entry):
                state, _, g, h = child
                f = g + h
                known = reached.get(state)
                if f > value + self.cutoff and (known is None or known[2] > g):
                    # Beyond the limit on depth, a child is cut for good.
                    counters.cut = counters.cut or f > run.max_estimate
                    least_left = min(least_left, f if f <= run.max_estimate else inf)
                    fate = Fate.CUT
                else:
                    fate = tally.admit(child, known)
                if watch:
                    yield on.Generated(watch.node(child, f), fate)
                if fate not in KEPT:
                    continue
                reached[state] = child
                frontier.push(f, h, child)
                if is_goal(state) and run.improve(g, partial(path_to, child)) and watch:
                    yield on.Improved(watch.node(child, f), g)
            if least_left < inf:
                tally.enqueue()
                frontier.push(least_left, entry[3], entry)
                if watch:
                    yield on.Backtracked(watch.node(entry, least_left))
        return tally.exhausted()

"""One loop: breadth-first, uniform cost, greedy, A*, weighted A*.

They differ in one function, the priority of a board that lies g moves from the start and is
estimated to be h moves from the goal:

    breadth-first, uniform cost   g            greedy        h
    A*                            g + h        weighted A*   g + w·h
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf
from operator import itemgetter

from taquin.model.space import State
from taquin.search import events as on
from taquin.search.conventions import Duplicates, GoalTest
from taquin.search.events import Entry, Fate
from taquin.search.frontier import frontier_for
from taquin.search.result import Count
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to


@dataclass(frozen=True, slots=True)
class Order:
    """How a best-first search ranks boards, and what its ranking proves."""

    priority: Callable[[int, int], float]
    """(g, h) → priority; the lowest is expanded first."""
    proves: Callable[[float], float] | None = None
    """Lowest priority in the frontier → lower bound on the cost of any solution, given an
    admissible heuristic; None when it proves nothing."""
    sort_siblings: bool = False
    """Whether the successors of a board join the frontier in order of their estimates."""


def best_first(run: Run, order: Order) -> Loop:
    """Expand the board of lowest priority until it is solved or none is left."""
    space, counters, watch = run.space, run.counters, run.watch
    conventions = run.conventions
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
    proves = _proof(run, order)
    max_depth, max_estimate = run.max_depth, run.max_estimate
    least_cut = lowest_cut = inf
    # Comparing with infinity is slow, and the loop below would do so for every child.
    is_shallow, is_counted = max_estimate < inf, run.nodes < inf
    max_generated, max_enqueued = run.most(Count.GENERATED), run.most(Count.ENQUEUED)
    max_dequeued, max_expanded = run.most(Count.DEQUEUED), run.most(Count.EXPANDED)

    h = run.evaluator.value(space.start)
    root: Entry = (space.start, None, 0, h)
    reached: dict[State, Entry] = {space.start: root} if by_reached else {}
    closed: set[State] = set()
    push(priority(0, h), h, root)
    expanded = generated = dequeued = discarded = reopened = deepest = widest = 0
    enqueued = 1
    until_tick = 0
    proven = -inf
    # Members of an enumeration are slow to look up; the loop below does so for every child.
    new, again, duplicate = Fate.ENQUEUED, Fate.REOPENED, Fate.DUPLICATE
    made: Entry

    def sync() -> None:
        counters.expanded, counters.generated = expanded, generated
        counters.enqueued, counters.dequeued = enqueued, dequeued
        counters.duplicates, counters.reopened = discarded, reopened
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
        if proves:
            lowest = frontier.lowest()
            if lowest > proven:
                proven = lowest
                counters.bound = max(counters.bound, proves(lowest))
        if is_counted and dequeued >= max_dequeued:
            sync()
            return NODE_LIMIT
        entry = pop()
        dequeued += 1
        state, parent, g, h = entry
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
        if g > deepest:
            deepest = g
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
        if by_closed or by_dequeue:
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
        # What `Space.stepper` does, written out: this loop is the hottest of all.
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
                        fate = duplicate if known[2] <= g else again
                elif by_closed:
                    if child in closed:
                        fate = duplicate
                elif by_parent and child == came_from:
                    fate = Fate.PARENT
                if fate is not new and fate is not again:
                    discarded += 1
                    if watch:
                        child_h = step(h, child, tile, cell, target)
                        made = (child, entry, g, child_h)
                        yield on.Generated(watch.node(made, priority(g, child_h)), fate)
                    continue
                child_h = step(h, child, tile, cell, target)
                made = (child, entry, g, child_h)
                if is_shallow and g + child_h > max_estimate:
                    cut(g, child_h)
                    if watch:
                        yield on.Generated(watch.node(made, priority(g, child_h)), Fate.CUT)
                    continue
                if is_counted and enqueued >= max_enqueued:
                    sync()
                    return NODE_LIMIT
                if by_reached:
                    reached[child] = made
                    reopened += fate is again
                put(priority(g, child_h), child_h, made)
                enqueued += 1
                if watch:
                    yield on.Generated(watch.node(made, priority(g, child_h)), fate)
                # Where an estimate is 0 the goal may be met: a solution, if not yet the best one.
                if (child_h and not test_on_generation) or not is_goal(child):
                    continue
                if not test_on_generation:
                    if run.improve(g, partial(path_to, made)) and watch:
                        yield on.Improved(watch.node(made, priority(g, child_h)), g)
                else:
                    deepest = max(deepest, g)
                    sync()
                    if watch:
                        yield on.GoalFound(watch.node(made, priority(g, child_h)))
                    return Found(path_to(made))
        if siblings:
            siblings.sort(key=itemgetter(1))
            for item in siblings:
                push(*item)
            siblings.clear()
    sync()
    if proves and counters.cut:
        counters.bound = max(counters.bound, min(least_cut, proves(lowest_cut)))
    if run.evaluator.admissible and counters.cut and not (by_closed or by_dequeue):
        # In whatever order, every board within the limit was expanded at its least depth.
        counters.bound = max(counters.bound, least_cut)
    return Exhausted(complete=not counters.cut)


def _proof(run: Run, order: Order) -> Callable[[float], float] | None:
    """Return what the lowest priority in the frontier proves under the run's conventions."""
    evaluator = run.evaluator
    never_reopens = run.conventions.duplicates in (Duplicates.CLOSED, Duplicates.DEQUEUE)
    if order.proves is None or not evaluator.admissible:
        return None
    if never_reopens and not evaluator.consistent:
        return None
    return order.proves

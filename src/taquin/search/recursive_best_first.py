"""Recursive best-first search: best-first order in memory linear in the depth.

Korf (1993). Only the current path and the siblings along it are kept. A branch is left as soon as
a sibling has a lower backed-up value F; the least F below the branch becomes its own.

    frame: the children of one board, each with its F; the first is being explored under the
    bound min(bound of the frame, F of the second)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from operator import attrgetter

from taquin.search import events as on
from taquin.search.conventions import Duplicates, GoalTest
from taquin.search.events import Entry, Fate
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to


@dataclass(slots=True)
class _Child:
    value: float
    """F: a lower bound on the cost through this child."""
    entry: Entry


@dataclass(slots=True)
class _Frame:
    entry: Entry
    children: list[_Child]
    bound: float
    """Leave this frame when every child's F exceeds it."""


def recursive_best_first(run: Run) -> Loop:
    """Search best-first, keeping only one path and the siblings along it."""
    space, counters, watch = run.space, run.counters, run.watch
    by_parent = run.conventions.duplicates is Duplicates.PARENT
    test_on_generation = run.conventions.goal_test is GoalTest.GENERATION
    steps, is_goal, step = space.stepper(), space.goal_test(), run.evaluator.step
    root = run.root
    stack: list[_Frame] = []
    by_value = attrgetter("value")
    until_tick, kept = 0, 1
    max_expanded, max_generated, max_enqueued, max_dequeued = run.node_limits
    # With an admissible heuristic, F limits the depth.
    max_value = run.max_estimate
    max_depth = inf if run.evaluator.admissible else run.max_depth
    counters.enqueued = counters.max_frontier = 1
    pending: tuple[Entry, float, float] | None = (root, root[3], max_value)
    if watch:
        yield on.Started(watch.node(root, root[3]))
    while True:
        if pending is not None:
            entry, value, bound = pending
            pending = None
            state, parent, g, h = entry
            if counters.dequeued >= max_dequeued:
                return NODE_LIMIT
            counters.dequeued += 1
            counters.max_depth = max(counters.max_depth, g)
            if (not test_on_generation or g == 0) and is_goal(state):
                if run.evaluator.admissible:
                    # Every branch beside the path has a backed-up value at least this high.
                    counters.bound = max(counters.bound, value)
                if watch:
                    yield on.GoalFound(watch.node(entry, value))
                return Found(path_to(entry))
            if until_tick <= 0:
                counters.frontier = kept
                until_tick = yield None
            until_tick -= 1
            if counters.expanded >= max_expanded:
                return NODE_LIMIT
            if watch:
                yield on.Expanded(watch.node(entry, value), kept - 1, counters.expanded)
            counters.expanded += 1
            children: list[_Child] = []
            came_from = None if parent is None else parent[0]
            counters.cut = counters.cut or g >= max_depth
            for child, tile, origin, target in steps(state) if g < max_depth else ():
                if counters.generated >= max_generated:
                    return NODE_LIMIT
                counters.generated += 1
                child_h = step(h, child, tile, origin, target)
                child_entry: Entry = (child, entry, g + 1, child_h)
                # A backed-up value holds for the children too.
                child_value: float = g + 1 + child_h
                if g + h < value:
                    child_value = max(child_value, value)
                skip = by_parent and child == came_from
                if watch:
                    fate = Fate.PARENT if skip else Fate.ENQUEUED
                    yield on.Generated(watch.node(child_entry, child_value), fate)
                if skip:
                    counters.duplicates += 1
                    continue
                if counters.enqueued >= max_enqueued:
                    return NODE_LIMIT
                counters.enqueued += 1
                children.append(_Child(child_value, child_entry))
                if test_on_generation and child_value <= max_value and is_goal(child):
                    counters.max_depth = max(counters.max_depth, g + 1)
                    if watch:
                        yield on.GoalFound(watch.node(child_entry, child_value))
                    return Found(path_to(child_entry))
            stack.append(_Frame(entry, children, bound))
            kept += len(children)
            counters.max_frontier = max(counters.max_frontier, kept)
        frame = stack[-1]
        frame.children.sort(key=by_value)
        best = frame.children[0].value if frame.children else inf
        if len(stack) == 1 and run.evaluator.admissible and best < inf:
            counters.bound = max(counters.bound, best)
        if best == inf or best > frame.bound:
            stack.pop()
            kept -= len(frame.children)
            if watch:
                yield on.Backtracked(watch.node(frame.entry, best))
            if not stack:
                # The rest is beyond the limit on depth.
                return Exhausted(complete=best == inf and not counters.cut)
            stack[-1].children[0].value = best
            continue
        second = frame.children[1].value if len(frame.children) > 1 else inf
        first = frame.children[0]
        pending = (first.entry, first.value, min(frame.bound, second))

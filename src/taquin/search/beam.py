"""Beam search: breadth-first search that keeps only the best few boards of each level.

level 0        o
level 1      o o x          the width is 2: of each level the 2 boards with the
level 2    x o o x          lowest h are kept, the others (x) are pruned
"""

from __future__ import annotations

from functools import partial
from math import inf
from operator import itemgetter

from taquin.model.space import State
from taquin.search import events as on
from taquin.search.conventions import Duplicates, GoalTest, Ties
from taquin.search.events import Entry, Fate
from taquin.search.result import Limit
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to


def beam(run: Run, width: int) -> Loop:
    """Keep the `width` boards of lowest h of each level until one is solved."""
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

"""Bidirectional breadth-first search: from the start and from the goal, until they meet.

Whole levels are expanded, the smaller frontier first; the shortest path through a board in which
the two meet in that level is a shortest solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from taquin.model.space import State, goal_states
from taquin.search import events as on
from taquin.search.events import Entry, Fate
from taquin.search.result import COUNTERS
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to


@dataclass(slots=True)
class _Tree:
    side: str
    level: list[Entry]
    reached: dict[State, Entry]
    depth: int = 0


def bidirectional(run: Run) -> Loop:
    """Grow both trees level by level until they share a board."""
    space, counters, watch = run.space, run.counters, run.watch
    steps = space.stepper()
    root: Entry = (space.start, None, 0, 0)
    goals: list[Entry] = [(state, None, 0, 0) for state in goal_states(space)]
    start = _Tree("start", [root], {space.start: root})
    goal = _Tree("goal", goals, {entry[0]: entry for entry in goals})
    run.counts = COUNTERS
    max_expanded, max_generated, max_enqueued, max_dequeued = run.node_limits
    if 1 + len(goals) > max_enqueued:
        return NODE_LIMIT
    counters.enqueued = counters.max_frontier = 1 + len(goals)
    until_tick = rounds = 0
    if watch:
        yield on.Started(watch.node(root, 0))
        for entry in goals:
            yield on.Started(watch.node(entry, 0, "goal"))
    if space.start in goal.reached:
        return Found([space.start])
    while start.level and goal.level:
        tree, other = (start, goal) if len(start.level) <= len(goal.level) else (goal, start)
        # On a shorter path the trees would have met already.
        bound = start.depth + goal.depth + 1
        counters.prove(bound)
        if bound > run.max_depth:
            counters.cut = True
            break
        rounds += 1
        if watch:
            yield on.BoundRaised(bound, rounds)
        next_level: list[Entry] = []
        meeting: tuple[Entry, Entry] | None = None
        for position, entry in enumerate(tree.level):
            state, _, g, _ = entry
            if counters.dequeued >= max_dequeued:
                return NODE_LIMIT
            counters.dequeued += 1
            counters.frontier = len(tree.level) - position - 1 + len(next_level) + len(other.level)
            if until_tick <= 0:
                until_tick = yield None
            until_tick -= 1
            if counters.expanded >= max_expanded:
                return NODE_LIMIT
            if watch:
                node = watch.node(entry, g, tree.side)
                yield on.Expanded(node, counters.frontier, counters.expanded)
            counters.expanded += 1
            counters.max_depth = max(counters.max_depth, g)
            for child, _, _, _ in steps(state):
                if counters.generated >= max_generated:
                    return NODE_LIMIT
                counters.generated += 1
                child_entry: Entry = (child, entry, g + 1, 0)
                is_duplicate = child in tree.reached
                if watch:
                    fate = Fate.DUPLICATE if is_duplicate else Fate.ENQUEUED
                    yield on.Generated(watch.node(child_entry, g + 1, tree.side), fate)
                if is_duplicate:
                    counters.duplicates += 1
                    continue
                if counters.enqueued >= max_enqueued:
                    return NODE_LIMIT
                counters.enqueued += 1
                tree.reached[child] = child_entry
                next_level.append(child_entry)
                met = other.reached.get(child)
                if met is not None and (meeting is None or met[2] < meeting[tree is start][2]):
                    meeting = (child_entry, met) if tree is start else (met, child_entry)
                    if run.improve(g + 1 + met[2], partial(joined, *meeting)) and watch:
                        yield on.Improved(watch.node(child_entry, g + 1, tree.side), g + 1 + met[2])
        tree.level = next_level
        tree.depth += 1
        counters.max_frontier = max(counters.max_frontier, len(start.level) + len(goal.level))
        if meeting is not None:
            counters.max_depth = max(counters.max_depth, tree.depth)
            cost = meeting[0][2] + meeting[1][2]
            counters.prove(cost)
            if watch:
                child_entry = meeting[0] if tree is start else meeting[1]
                yield on.GoalFound(watch.node(child_entry, cost, tree.side))
            return Found(joined(*meeting))
    return Exhausted(complete=not counters.cut)


def joined(forward: Entry, backward: Entry) -> list[State]:
    """Return the path from the start through a board that both sides have reached."""
    return path_to(forward) + path_to(backward)[-2::-1]

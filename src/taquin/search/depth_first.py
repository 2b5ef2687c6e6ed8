"""One loop: depth-first, depth-limited, iterative deepening, IDA*.

Each round walks depth-first over the boards whose f = depth + estimate stays within a bound. Plain
depth-first search is one round without a bound; iterative deepening is IDA* with the estimate 0.

    bound 2:   0 ── 1 ── 2      a branch that would exceed the bound is cut, and the smallest f
               └─── 1 ── 2      that was cut is the bound of the next round
"""

from __future__ import annotations

import random
from math import inf

from taquin.model.space import State
from taquin.search.best_first import path_to
from taquin.search.conventions import Duplicates, GoalTest
from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Discarded,
    Expanded,
    Fate,
    Generated,
    GoalFound,
    Started,
)
from taquin.search.run import Dry, Found, Loop, Run
from taquin.search.watch import Entry


def depth_first(
    run: Run, *, bound: float = inf, rising: bool = False, seed: int | None = None
) -> Loop:
    """Follow one path as far as `bound` lets it, then the next.

    With `rising`, repeat with the next higher bound until solved. With `seed`, the successors of
    each board are taken in random order.
    """
    space, counters, watch = run.space, run.counters, run.watch
    conventions = run.conventions
    duplicates = conventions.duplicates
    by_reached = duplicates is Duplicates.REACHED
    by_dequeue = duplicates in (Duplicates.DEQUEUE, Duplicates.CLOSED)
    by_parent = duplicates is Duplicates.PARENT
    test_made = conventions.goal_test is GoalTest.GENERATION
    rays, slide, is_goal = space.rays, space.slider(), space.goal_test()
    step = run.evaluator.step
    shuffle = None if seed is None else random.Random(seed).shuffle
    # Only a search that prunes by depth and not by first visit has looked at every short path.
    proves = rising and run.evaluator.admissible and not by_dequeue

    h = run.evaluator.value(space.start)
    root: Entry = (space.start, None, 0, h)
    if rising:
        bound = max(bound if bound != inf else 0, h)
    expanded = generated = dequeued = thrown = deepest = widest = rounds = enqueued = 0
    quiet = 0
    made: Entry

    def sync() -> None:
        counters.expanded, counters.generated = expanded, generated
        counters.enqueued, counters.dequeued = enqueued, dequeued
        counters.duplicates, counters.max_frontier = thrown, widest
        counters.max_depth, counters.frontier = deepest, len(stack)

    if watch:
        yield Started(watch.node(root, h))
    while True:
        rounds += 1
        if proves:
            counters.bound = max(counters.bound, bound)
        if watch and (rising or bound != inf):
            yield BoundRaised(bound, rounds)
        next_bound = inf
        stack: list[Entry] = [root]
        enqueued += 1
        reached: dict[State, int] = {space.start: 0} if by_reached else {}
        closed: set[State] = set()
        trail: list[Entry] = []
        while stack:
            if len(stack) > widest:
                widest = len(stack)
            entry = stack.pop()
            dequeued += 1
            state, parent, g, h = entry
            if watch:
                while len(trail) > g:
                    left = trail.pop()
                    yield Backtracked(watch.node(left, left[2] + left[3]))
            if by_dequeue:
                stale = state in closed or (conventions.bumps and space.is_blocked(state))
            else:
                # A shorter way here was found after this entry was put on the stack.
                stale = by_reached and bound != inf and reached[state] < g
            if stale:
                thrown += 1
                if watch:
                    yield Discarded(watch.node(entry, g + h))
                continue
            if g > deepest:
                deepest = g
            if (not test_made or g == 0) and is_goal(state):
                sync()
                if watch:
                    yield GoalFound(watch.node(entry, g + h))
                return Found(path_to(entry))
            if quiet <= 0:
                sync()
                quiet = yield None
            quiet -= 1
            if by_dequeue:
                closed.add(state)
            if watch:
                sync()
                trail.append(entry)
                yield Expanded(watch.node(entry, g + h), frontier=len(stack), closed=expanded)
            expanded += 1
            if g >= run.max_depth:
                counters.cut = True
                continue
            came_from = None if parent is None else parent[0]
            g += 1
            start_blank = state.index(0)
            children: list[Entry] = []
            lines = rays[start_blank]
            if shuffle:
                mixed = list(lines)
                shuffle(mixed)
                lines = tuple(mixed)
            for ray in lines:
                child, blank = state, start_blank
                for cell in ray:
                    tile = child[cell]
                    child = slide(child, blank, cell)
                    target, blank = blank, cell
                    generated += 1
                    if by_reached:
                        before = reached.get(child)
                        known = before is not None and (bound == inf or before <= g)
                    else:
                        known = by_parent and child == came_from
                    child_h = step(h, child, tile, cell, target)
                    made = (child, entry, g, child_h)
                    fate = Fate.ENQUEUED
                    if known:
                        fate = Fate.PARENT if by_parent else Fate.DUPLICATE
                        thrown += 1
                    elif g + child_h > bound:
                        fate = Fate.CUT
                        if g + child_h < next_bound:
                            next_bound = g + child_h
                    if watch:
                        yield Generated(watch.node(made, g + child_h), fate)
                    if fate is Fate.ENQUEUED:
                        if by_reached:
                            reached[child] = g
                        children.append(made)
                        if test_made and is_goal(child):
                            enqueued += len(children)
                            sync()
                            if watch:
                                yield GoalFound(watch.node(made, g + child_h))
                            return Found(path_to(made))
            enqueued += len(children)
            # The first direction must come off the stack first.
            stack.extend(reversed(children))
        if watch:
            while trail:
                left = trail.pop()
                yield Backtracked(watch.node(left, left[2] + left[3]))
        sync()
        if next_bound == inf:
            return Dry(complete=not counters.cut)
        if not rising:
            return Dry(complete=False, reason=f"no solution within the depth limit of {bound:g}")
        bound = next_bound

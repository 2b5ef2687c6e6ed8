"""One loop: depth-first, depth-limited, iterative deepening, IDA*.

Each round walks depth-first over the boards whose f = depth + estimate stays within a bound. Plain
depth-first search is one round without a bound; iterative deepening is IDA* with the estimate 0.

    bound 2:   0 ── 1 ── 2      a branch that would exceed the bound is cut, and the smallest f
               └─── 1 ── 2      that was cut is the bound of the next round

Successors are generated one at a time, so memory is linear in the depth and the counts are those of
the literature. A board is visited as soon as it is generated, so goal tests on generation and on
expansion are the same. With `duplicates=generated` all successors of a board are generated at
once, as by a program that pushes them on a stack: a board that waits there is not reached again
from below.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from math import inf

from taquin.model.space import Space, State, Step
from taquin.search import events as on
from taquin.search.conventions import Duplicates, RandomOrder
from taquin.search.events import Entry, Fate
from taquin.search.result import Limit
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to


def depth_first(
    run: Run,
    *,
    bound: float = inf,
    rising: bool = False,
    seed: int | None = None,
    order: RandomOrder = RandomOrder.SHUFFLE,
) -> Loop:
    """Follow one path as far as `bound` lets it, then the next.

    With `rising`, repeat with the next higher bound until solved. `seed` gives successors
    a random `order`.
    """
    space, counters, watch, conventions = run.space, run.counters, run.watch, run.conventions
    duplicates = conventions.duplicates
    by_reached = duplicates is Duplicates.REACHED
    by_visit = duplicates in (Duplicates.DEQUEUE, Duplicates.CLOSED)
    by_parent = duplicates is Duplicates.PARENT
    by_generated = duplicates is Duplicates.GENERATED
    is_goal, step = space.goal_test(), run.evaluator.step
    successors = _successors_of(space, seed, order)
    # Only a search that prunes by depth, not by first visit, has looked at every short path.
    proves = rising and run.evaluator.admissible and not by_visit
    max_expanded, max_generated, *others = run.node_limits
    max_visited = min(others)
    # Comparing with infinity is slow, and the loop below would do so for every child.
    is_counted = run.nodes < inf

    h = run.evaluator.value(space.start)
    root: Entry = (space.start, None, 0, h)
    if rising:
        bound = h
    expanded = generated = visited = discarded = deepest = longest = rounds = until_tick = 0

    def sync() -> None:
        counters.expanded, counters.generated = expanded, generated
        counters.enqueued = counters.dequeued = visited
        counters.duplicates, counters.max_depth = discarded, deepest
        counters.frontier, counters.max_frontier = len(path), longest

    if watch:
        yield on.Started(watch.node(root, h))
    while True:
        if visited >= max_visited:
            return NODE_LIMIT
        rounds += 1
        visited += 1
        if proves:
            counters.bound = max(counters.bound, bound)
        if rising:
            counters.rounds.append((bound, generated))
        if watch and bound != inf:
            yield on.BoundRaised(bound, rounds)
        next_bound = inf
        path: list[tuple[Entry, Iterator[Step]]] = []
        reached: dict[State, int] = {}
        closed: set[State] = set()
        maker: dict[State, Entry | None] = {space.start: None}
        if is_goal(space.start):
            sync()
            if watch:
                yield on.GoalFound(watch.node(root, h))
            return Found([space.start])
        entry: Entry | None = root
        while True:
            # Going up makes boards too, so it counts towards the next tick as going down does.
            if until_tick <= 0:
                sync()
                until_tick = yield None
            until_tick -= 1
            if entry is not None:
                # Go down: the board just visited joins the path.
                if is_counted and expanded >= max_expanded:
                    sync()
                    return NODE_LIMIT
                state, parent, g, h = entry
                if by_reached:
                    reached[state] = g
                elif by_visit:
                    closed.add(state)
                if watch:
                    sync()
                    yield on.Expanded(watch.node(entry, g + h), frontier=len(path), closed=expanded)
                expanded += 1
                if g > deepest:
                    deepest = g
                steps = successors(state)
                if g >= run.max_depth:
                    counters.cut = True
                    steps = iter(())
                    if proves:
                        next_bound = min(next_bound, g + 1)
                if by_generated and g < bound:
                    waiting = list(steps)
                    steps = iter(waiting)
                    for child, *_ in waiting:
                        maker.setdefault(child, entry)
                path.append((entry, steps))
                if len(path) > longest:
                    longest = len(path)
            else:
                # Go back up to the board before.
                left, _ = path.pop()
                if watch:
                    yield on.Backtracked(watch.node(left, left[2] + left[3]))
                if not path:
                    break
                (state, parent, g, h), steps = path[-1]
            here = path[-1][0]
            came_from = None if parent is None else parent[0]
            g += 1
            entry = None
            for child, tile, origin, target in steps:
                if is_counted and generated >= max_generated:
                    sync()
                    return NODE_LIMIT
                generated += 1
                if by_parent:
                    is_known = child == came_from
                elif by_reached:
                    depth = reached.get(child)
                    is_known = depth is not None and (bound == inf or depth <= g)
                else:
                    is_known = by_generated and g <= bound and maker[child] is not here
                if is_known:
                    discarded += 1
                    if watch:
                        child_entry = (child, here, g, step(h, child, tile, origin, target))
                        fate = Fate.PARENT if by_parent else Fate.DUPLICATE
                        yield on.Generated(watch.node(child_entry, g + child_entry[3]), fate)
                    continue
                child_h = step(h, child, tile, origin, target)
                child_entry = (child, here, g, child_h)
                if g + child_h > bound:
                    if g + child_h < next_bound:
                        next_bound = g + child_h
                    if watch:
                        yield on.Generated(watch.node(child_entry, g + child_h), Fate.CUT)
                    continue
                if is_counted and visited >= max_visited:
                    sync()
                    return NODE_LIMIT
                visited += 1
                if watch:
                    yield on.Generated(watch.node(child_entry, g + child_h), Fate.ENQUEUED)
                if by_visit and (
                    child in closed or (conventions.bumps and space.is_blocked(child))
                ):
                    discarded += 1
                    if watch:
                        yield on.Discarded(watch.node(child_entry, g + child_h))
                    continue
                if is_goal(child):
                    deepest = max(deepest, g)
                    sync()
                    if watch:
                        yield on.GoalFound(watch.node(child_entry, g + child_h))
                    return Found(path_to(child_entry))
                entry = child_entry
                break
        sync()
        if next_bound == inf:
            return Exhausted(complete=not counters.cut)
        if not rising:
            return Exhausted(complete=False, limit=Limit.DEPTH, size=bound)
        bound = next_bound
        if bound > run.max_estimate:
            if proves:
                counters.bound = max(counters.bound, bound)
            return Exhausted(complete=False)


def _successors_of(
    space: Space, seed: int | None, order: RandomOrder
) -> Callable[[State], Iterator[Step]]:
    """Return the function that yields the successors of a state, in random order with a seed."""
    steps = space.stepper()
    if seed is None:
        return steps
    # Only a seed needs it, and importing it costs every start-up.
    from random import Random

    chance = Random(seed)
    if order is RandomOrder.CYCLE:
        start, ways = space.decode(space.start), space.directions
        turned = [
            Space(space.puzzle, start, ways[first:] + ways[:first], space.bumps).stepper()
            for first in range(len(ways))
        ]
        return lambda state: chance.choice(turned)(state)

    def mixed(state: State) -> Iterator[Step]:
        successors = list(steps(state))
        chance.shuffle(successors)
        return iter(successors)

    return mixed


def every_path(run: Run, length: int) -> Generator[list[State] | None, None, Exhausted]:
    """Yield every path of up to `length` moves to the goal, and None at every board gone down to.

    The estimate must be admissible. A path ends at the first goal and visits no board twice, but no
    board is remembered beyond that: another path to it is another solution. Counts on from what
    `run` has counted.
    """
    space, counters = run.space, run.counters
    steps, is_goal, step = space.stepper(), space.goal_test(), run.evaluator.step
    max_expanded, max_generated, *others = run.node_limits
    max_visited = min(others)
    path = [space.start]
    if is_goal(space.start):
        yield path
        return Exhausted(complete=True)
    pending: list[tuple[int, Iterator[Step]]] = []
    h = run.evaluator.value(space.start)
    while path:
        if len(pending) < len(path):
            yield None
            if counters.expanded >= max_expanded:
                return NODE_LIMIT
            counters.expanded += 1
            pending.append((h, steps(path[-1])))
        parent_h, successors = pending[-1]
        for child, tile, origin, target in successors:
            if counters.generated >= max_generated:
                return NODE_LIMIT
            counters.generated += 1
            h = step(parent_h, child, tile, origin, target)
            if len(path) + h > length or child in path:
                continue
            if counters.dequeued >= max_visited:
                return NODE_LIMIT
            counters.enqueued += 1
            counters.dequeued += 1
            if not is_goal(child):
                path.append(child)
                break
            yield [*path, child]
        else:
            path.pop()
            pending.pop()
    return Exhausted(complete=True)

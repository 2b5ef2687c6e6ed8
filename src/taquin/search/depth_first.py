"""Depth-first, depth-limited, iterative deepening, IDA*.

`depth_first` searches in rounds, each over the boards whose f = g + h is within a bound. Plain
depth-first search is one round without a bound; the bound of iterative deepening is on the depth.

    bound 2:   0 ── 1 ── 2      a branch that would exceed the bound is cut, and the least f
               └─── 1 ── 2      that was cut is the bound of the next round

A board at a depth limit is tested for the goal but not expanded, as in the textbooks, unless
`limit_test=generation` cuts its successors instead. IDA* cuts successors by their f.

Successors are generated one at a time, so memory is linear in the depth and the counts are those of
the literature. A board is visited as soon as it is generated, so goal tests on generation and on
expansion are the same.

`depth_first_by_stack` generates all successors of a board at once and pushes them on a stack, for
`duplicates=generated`: a board on the stack is not pushed again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from math import inf

from taquin.model.space import Space, State, Step
from taquin.search import events as on
from taquin.search.conventions import Duplicates, LimitTest, RandomOrder
from taquin.search.events import Entry, Event, Fate, Watcher
from taquin.search.result import Limit
from taquin.search.run import NODE_LIMIT, Exhausted, Found, Loop, Run, path_to
from taquin.search.tally import Tally, limited


def depth_first(
    run: Run,
    *,
    bound: float = inf,
    rising: bool = False,
    seed: int | None = None,
    order: RandomOrder = RandomOrder.SHUFFLE,
    by_depth: bool = False,
) -> Loop:
    """Search depth-first within `bound`.

    With `rising`, repeat with the next higher bound until solved. `seed` gives successors a random
    `order`. With `by_depth` the bound limits the depth, and `limit_test` applies.
    """
    space, counters, watch, conventions = run.space, run.counters, run.watch, run.conventions
    duplicates = conventions.duplicates
    by_reached = duplicates is Duplicates.REACHED
    by_visit = duplicates in (Duplicates.DEQUEUE, Duplicates.CLOSED)
    by_parent = duplicates is Duplicates.PARENT
    stops = by_depth and conventions.limit_test is LimitTest.EXPANSION
    is_goal, step = space.goal_test(), run.evaluator.step
    successors = _successors_of(space, seed, order)
    # A search that discards boards whatever their depth may miss a shorter path.
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
        limit = min(bound, run.max_depth) if stops else inf
        path: list[tuple[Entry, Iterator[Step]]] = []
        reached: dict[State, int] = {space.start: 0}
        closed: set[State] = {space.start}
        if is_goal(space.start):
            sync()
            if watch:
                yield on.GoalFound(watch.node(root, h))
            return Found([space.start])
        longest = max(longest, 1)
        entry: Entry | None = root
        if limit <= 0:
            entry, next_bound, counters.cut = None, bound + 1, run.max_depth <= 0
        while entry is not None or path:
            # Backtracking generates boards too, so it counts towards the next tick.
            if until_tick <= 0:
                sync()
                until_tick = yield None
            until_tick -= 1
            if entry is not None:
                # Descend to the board just visited.
                if is_counted and expanded >= max_expanded:
                    sync()
                    return NODE_LIMIT
                state, parent, g, h = entry
                if watch:
                    sync()
                    yield on.Expanded(watch.node(entry, g + h), frontier=len(path), closed=expanded)
                expanded += 1
                steps = successors(state)
                if g >= run.max_depth:
                    counters.cut = True
                    steps = iter(())
                    if proves:
                        next_bound = min(next_bound, g + 1)
                path.append((entry, steps))
            else:
                # Backtrack to the parent.
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
                    is_duplicate = child == came_from
                elif by_reached:
                    depth = reached.get(child)
                    is_duplicate = depth is not None and (bound == inf or depth <= g)
                else:
                    is_duplicate = False
                if is_duplicate:
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
                is_stale = by_visit and (
                    child in closed or (conventions.bumps and space.is_blocked(child))
                )
                is_found = not is_stale and is_goal(child)
                is_leaf = g >= limit and not (is_stale or is_found)
                if watch:
                    fate = Fate.LIMIT if is_leaf else Fate.ENQUEUED
                    yield on.Generated(watch.node(child_entry, g + child_h), fate)
                if is_stale:
                    discarded += 1
                    deepest = max(deepest, g)
                    if watch:
                        yield on.Discarded(watch.node(child_entry, g + child_h))
                    continue
                if g > deepest:
                    deepest = g
                if is_found:
                    sync()
                    if watch:
                        yield on.GoalFound(watch.node(child_entry, g + child_h))
                    return Found(path_to(child_entry))
                if len(path) >= longest:
                    longest = len(path) + 1
                if by_reached:
                    reached[child] = g
                elif by_visit:
                    closed.add(child)
                if is_leaf:
                    counters.cut = counters.cut or g >= run.max_depth
                    if g >= bound or proves:
                        next_bound = min(next_bound, g + 1)
                    continue
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


@limited
def depth_first_by_stack(
    run: Run,
    *,
    bound: float = inf,
    seed: int | None = None,
    order: RandomOrder = RandomOrder.SHUFFLE,
) -> Loop:
    """Pop a board, generate its successors, and push those that were never generated before."""
    tally, counters, watch, is_goal = Tally(run), run.counters, run.watch, run.space.goal_test()
    successors = _successors_of(run.space, seed, order)
    stops = run.conventions.limit_test is LimitTest.EXPANSION
    limit = min(bound, run.max_depth)
    stack = [run.root]
    generated = {run.space.start}
    path: list[Entry] = []
    is_cut = False
    tally.enqueue()
    if watch:
        yield on.Started(watch.node(stack[0], 0))
    if watch and bound != inf:
        yield on.BoundRaised(bound, 1)
    while stack:
        tally.dequeue()
        entry = stack.pop()
        state, _, g, _ = entry
        yield from _backtrack(path, g, watch)
        counters.max_depth = max(counters.max_depth, g)
        if is_goal(state):
            return (yield from tally.found(entry, g))
        if g >= limit:
            is_cut = True
            if stops:
                continue
        yield from tally.expand(entry, g)
        path.append(entry)
        pushed: list[Entry] = []
        for child in tally.children(entry, steps=successors(state)):
            if child[0] in generated:
                counters.duplicates += 1
                fate = Fate.DUPLICATE
            elif g >= limit:
                fate = Fate.CUT
            else:
                generated.add(child[0])
                tally.enqueue()
                pushed.append(child)
                is_leaf = stops and g + 1 >= limit and not is_goal(child[0])
                fate = Fate.LIMIT if is_leaf else Fate.ENQUEUED
            if watch:
                yield on.Generated(watch.node(child, g + 1), fate)
        # Popped first to last, as a search that generates one at a time visits them.
        stack += reversed(pushed)
    yield from _backtrack(path, 0, watch)
    if is_cut and bound <= run.max_depth:
        return Exhausted(complete=False, limit=Limit.DEPTH, size=bound)
    return Exhausted(complete=not is_cut)


def _backtrack(path: list[Entry], depth: int, watch: Watcher | None) -> Iterator[Event]:
    """Remove and report the boards of a path from `depth` on."""
    while len(path) > depth:
        left = path.pop()
        if watch:
            yield on.Backtracked(watch.node(left, left[2]))


def _successors_of(
    space: Space, seed: int | None, order: RandomOrder
) -> Callable[[State], Iterator[Step]]:
    """Return the function that yields the successors of a state, in random order if seeded."""
    steps = space.stepper()
    if seed is None:
        return steps
    # Imported late to keep the start-up short; only seeded searches need it.
    from random import Random

    rng = Random(seed)
    if order is RandomOrder.CYCLE:
        start, order_of = space.decode(space.start), space.directions
        rotated = [
            Space(space.puzzle, start, order_of[first:] + order_of[:first], space.bumps).stepper()
            for first in range(len(order_of))
        ]
        return lambda state: rng.choice(rotated)(state)

    def shuffled(state: State) -> Iterator[Step]:
        successors = list(steps(state))
        rng.shuffle(successors)
        return iter(successors)

    return shuffled


def every_path(run: Run, length: int) -> Generator[list[State] | None, None, Exhausted]:
    """Yield every path of up to `length` moves to the goal, and None at every expansion.

    The heuristic must be admissible. A path ends at the first goal and visits no board twice;
    duplicates on different paths are kept, as each is another solution. The counters of `run` go on
    from their values.
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

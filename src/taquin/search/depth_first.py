"""Depth-first searches: plain, depth-limited, iterative deepening, IDA* and its variants, RBFS.

`depth_first` searches in rounds, each over the boards whose f = g + h is within a bound. Plain
depth-first search is one round without a bound; the bound of iterative deepening is on the depth.

    bound 2:   0 ── 1 ── 2      a branch that would exceed the bound is cut, and the least f
               └─── 1 ── 2      that was cut is the bound of the next round

A board at a depth limit is tested for the goal but not expanded, as in the textbooks, unless
`limit_test=generation` cuts its successors instead. IDA* cuts successors by their f.

Successors are generated one at a time, so memory is linear in the depth and the counts are those of
the literature. A board is visited as soon as it is generated, so goal tests on generation and on
expansion are the same.

`WeightedIDAStar` and `BudgetedTreeSearch` search the boards whose f = g + w·h is within a bound,
and the latter skips bounds. `recursive_best_first` has a bound for each board of the current path.
`every_path` enumerates all paths to the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from operator import attrgetter
from typing import ClassVar

from taquin.model.space import Space, State, Step
from taquin.search import events as on
from taquin.search.events import Entry, Event, Fate, Watcher
from taquin.search.result import Limit
from taquin.search.run import (
    NODE_LIMIT,
    OPEN,
    Conventions,
    Duplicates,
    Exhausted,
    Found,
    GoalTest,
    LimitTest,
    Loop,
    RandomOrder,
    SearchRun,
    TreeSearch,
    path_to,
    unweighted,
)
from taquin.search.tally import Tally, limited


def depth_first(
    run: SearchRun,
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
        rounds += 1
        if proves:
            counters.bound = max(counters.bound, bound)
        if rising:
            counters.rounds.append((bound, generated))
        if visited >= max_visited:
            return NODE_LIMIT
        visited += 1
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
    run: SearchRun,
    *,
    bound: float = inf,
    seed: int | None = None,
    order: RandomOrder = RandomOrder.SHUFFLE,
) -> Loop:
    """Pop a board, generate its successors, and push those that were never generated before.

    It is the loop for `duplicates=generated`: a board on the stack is not pushed again.
    """
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


def every_path(run: SearchRun, length: int) -> Generator[list[State] | None, None, Exhausted]:
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


_LEAST_GROWTH, _MOST_GROWTH = 2, 8
"""The factors by which the work of a round of BTS should grow: c1 and c2 of the paper."""


@dataclass(slots=True)
class _Round:
    """The findings of a depth-first search within a bound."""

    below: float = 0
    """The highest f within the bound."""
    above: float = inf
    """The least f beyond the bound; infinity if nothing was cut."""
    expanded: int = 0
    goal: Entry | None = None
    """The last board of the best solution found; None for none."""
    is_complete: bool = True
    """Whether the search ended by itself, not by its budget."""


def _search_within(
    run: SearchRun,
    tally: Tally,
    root: Entry,
    bound: float,
    *,
    weight: float = 1,
    budget: float = inf,
    enough: float = inf,
) -> Generator[Event | None, int, _Round]:
    """Search every board within `bound`, until `budget` of them were expanded.

    A solution that costs at most `enough` ends the search; otherwise better ones are looked for.
    """
    counters, watch, is_goal = run.counters, run.watch, run.space.goal_test()
    skips_parent = run.conventions.duplicates is Duplicates.PARENT
    found = _Round()
    path: list[tuple[Entry, Iterator[Entry]]] = []
    entry: Entry | None = root
    while entry is not None or path:
        if entry is not None:
            tally.enqueue()
            tally.dequeue()
            f = entry[2] + weight * entry[3]
            found.below = max(found.below, f)
            if is_goal(entry[0]):
                found.goal = entry
                run.improve(entry[2], partial(path_to, entry))
                if entry[2] <= enough:
                    return found
                if watch:
                    yield on.Improved(watch.node(entry, f), entry[2])
            elif found.expanded >= budget:
                found.is_complete = False
                return found
            else:
                counters.frontier = len(path)
                yield from tally.expand(entry, f)
                found.expanded += 1
                path.append((entry, tally.children(entry)))
                counters.max_frontier = max(counters.max_frontier, len(path))
        if not path:
            break
        parent, children = path[-1]
        came_from = None if parent[1] is None else parent[1][0]
        entry = None
        for child in children:
            f = child[2] + weight * child[3]
            fate = Fate.ENQUEUED
            if skips_parent and child[0] == came_from:
                counters.duplicates += 1
                fate = Fate.PARENT
            elif child[2] + child[3] * run.evaluator.admissible > run.max_depth:
                counters.cut, fate = True, Fate.CUT
            elif f > bound:
                found.above, fate = min(found.above, f), Fate.CUT
            elif counters.best is not None and f >= counters.best:
                found.below, fate = max(found.below, counters.best), Fate.CUT
            if watch:
                yield on.Generated(watch.node(child, f), fate)
            if fate is Fate.ENQUEUED:
                entry = child
                break
        else:
            path.pop()
            if watch:
                yield on.Backtracked(watch.node(parent, parent[2] + weight * parent[3]))
    return found


@dataclass(frozen=True, slots=True)
class WeightedIDAStar(TreeSearch):
    """Deepen by g + weight · h: memory linear in the depth.

    Korf (1993): the least f that a round cut is the next bound. On a shortest solution of cost C
    every board has f ≤ w·C, so a bound searched without a solution proves that C is at least the
    next bound / w.
    """

    weight: float = 2
    """Solutions cost at most that many times the shortest."""
    conventions: Conventions = OPEN

    name = "widastar"
    least: ClassVar = {"weight": 1}
    optimal = False

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Raise the bound each round to the least f that was cut."""
        tally, watch, root = Tally(run), run.watch, run.root
        bound: float = self.weight * root[3]
        rounds = 0
        if watch:
            yield on.Started(watch.node(root, bound))
        while bound < inf:
            tally.prove(unweighted(bound, self.weight))
            rounds += 1
            if watch:
                yield on.BoundRaised(bound, rounds)
            found = yield from _search_within(run, tally, root, bound, weight=self.weight)
            if found.goal is not None:
                return (yield from tally.found(found.goal, found.goal[2]))
            bound = found.above
        return tally.exhausted()


class _Rounds:
    """The rounds of BTS, and the interval in which the next bound lies."""

    def __init__(self, run: SearchRun) -> None:
        self._run, self.tally, self._count = run, Tally(run), 0
        self.root = run.root
        self.lower: float = self.root[3]
        """Every solution costs at least this."""
        self.upper = inf
        """A bound above this exceeds the budget."""
        self.expanded = 0
        """Boards expanded in the last round."""
        self.goal: Entry | None = None

    @property
    def best(self) -> float:
        """The cost of the best solution so far; infinity for none."""
        return inf if self.goal is None else self.goal[2]

    def search(self, bound: float, budget: float = inf) -> Generator[Event | None, int, None]:
        """Search within `bound` and narrow the interval."""
        self._count += 1
        if self._run.watch:
            yield on.BoundRaised(bound, self._count)
        found = yield from _search_within(
            self._run, self.tally, self.root, bound, budget=budget, enough=self.lower
        )
        self.expanded, self.goal = found.expanded, found.goal or self.goal
        if self.best <= max(self.lower, found.below * found.is_complete):
            self.lower = self.upper = self.best
        elif not found.is_complete:
            self.upper = min(self.upper, found.below)
        else:
            self.lower = max(self.lower, found.above)
        self.tally.prove(min(self.lower, self.best))


@dataclass(frozen=True, slots=True)
class BudgetedTreeSearch(TreeSearch):
    """Deepen like IDA*, but skip bounds that add little work (BTS, of the IBEX framework).

    Helmert, Lattimore, Lelis, Orseau and Sturtevant (2019). IDA* repeats almost the same work if a
    new bound adds few boards. BTS then looks for a bound whose round expands 2 to 8 times as many
    boards as the last, by exponential and then binary search; it aborts a round at 8 times the
    last.

        IDA*   bounds 20, 22, 24, 26 …    90, 91, 93, 95 boards: the same work again and again
        BTS    bounds 20, 22, 24, 28 …    until a round has twice the work of the last

    A solution found under a high bound may not be a shortest one; the search goes on until no bound
    below its cost is left.
    """

    conventions: Conventions = OPEN

    name = "bts"
    optimal = True

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Raise the bound each round so that the work at least about doubles."""
        rounds, budget = _Rounds(run), 0
        if run.watch:
            yield on.Started(run.watch.node(rounds.root, rounds.lower))
        while rounds.lower < rounds.best:
            rounds.upper = inf
            yield from rounds.search(rounds.lower)
            least, most = _LEAST_GROWTH * budget, _MOST_GROWTH * budget
            if rounds.expanded < least:
                distance = 2
                while rounds.lower < rounds.upper and rounds.expanded < least:
                    yield from rounds.search(rounds.lower + distance, most)
                    distance *= 2
                while rounds.lower < rounds.upper and not least <= rounds.expanded < most:
                    yield from rounds.search((rounds.lower + rounds.upper) / 2, most)
            budget = max(rounds.expanded, least)
        if rounds.goal is None:
            return rounds.tally.exhausted()
        return (yield from rounds.tally.found(rounds.goal, rounds.goal[2]))


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


def recursive_best_first(run: SearchRun) -> Loop:
    """Search best-first, keeping only one path and the siblings along it.

    Korf (1993). Memory is linear in the depth. A branch is left as soon as a sibling has a lower
    backed-up value F; the least F below the branch becomes its own.

        frame: the children of one board, each with its F; the first is being explored under the
        bound min(bound of the frame, F of the second)
    """
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

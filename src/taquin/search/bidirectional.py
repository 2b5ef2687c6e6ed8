"""Bidirectional searches: breadth-first from both ends, MM and NBS.

    start ── g ──► n · · · h · · ·  goal       forward:  f = g + h to the goal
    start  · · · h · · · m ◄── g ── goal       backward: f = g + h to the start

A board reached from both sides is on a solution. `bidirectional` has no estimates and expands whole
levels. MM and NBS have a frontier on each side with an estimate to the other end; the backward
estimate is the same heuristic on the puzzle whose goal is the start. They differ in which board
they expand next.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic, evaluator_for
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space, State, goal_states
from taquin.reasons import reason
from taquin.search import events as on
from taquin.search.best_first import Group, GroupedFrontier
from taquin.search.events import Entry, Event, Fate
from taquin.search.result import COUNTERS
from taquin.search.run import (
    NODE_LIMIT,
    OPEN,
    Conventions,
    Exhausted,
    Found,
    Loop,
    RememberingSearch,
    SearchRun,
    path_to,
)
from taquin.search.tally import Tally, limited


@dataclass(slots=True)
class _Half:
    side: str
    level: list[Entry]
    reached: dict[State, Entry]
    depth: int = 0


def bidirectional(run: SearchRun) -> Loop:
    """Grow both trees level by level until they share a board.

    Whole levels are expanded, the smaller frontier first; the shortest path through a board in
    which the two meet in that level is a shortest solution.
    """
    space, counters, watch = run.space, run.counters, run.watch
    steps = space.stepper()
    root: Entry = (space.start, None, 0, 0)
    goals: list[Entry] = [(state, None, 0, 0) for state in goal_states(space)]
    start = _Half("start", [root], {space.start: root})
    goal = _Half("goal", goals, {entry[0]: entry for entry in goals})
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


_LEAST_COST = 1
"""The least cost of a move: ε in the papers."""


def backward_space(space: Space) -> Space:
    """Return the space of the same boards in which the start is the goal."""
    start = space.decode(space.start)
    puzzle = Puzzle(Goal(start.grid, start.cells), space.puzzle.metric)
    return Space(puzzle, start, space.directions)


def _backward_evaluator(heuristic: Heuristic, space: Space) -> Evaluator:
    """Return the evaluator towards the start; raise UnsuitableError if its goal is fixed."""
    backwards = backward_space(space)
    evaluator = evaluator_for(heuristic, backwards)
    if evaluator.value(backwards.start) != 0:
        raise UnsuitableError(reason("to-the-start", name=heuristic.name))
    return evaluator


class _Side(GroupedFrontier):
    """The frontier of one direction."""

    def __init__(self, name: str, evaluator: Evaluator) -> None:
        super().__init__()
        self.name, self.evaluator = name, evaluator


class _BothEnds:
    """Two frontiers, and the best solution through a board that both have reached."""

    def __init__(
        self, run: SearchRun, heuristic: Heuristic, priority: Callable[[Entry], float]
    ) -> None:
        self._run, self._tally, self._priority = run, Tally(run), priority
        self.start = _Side("start", run.evaluator)
        self.goal = _Side("goal", _backward_evaluator(heuristic, run.space))
        run.counts = COUNTERS
        self.is_admissible = run.evaluator.admissible and self.goal.evaluator.admissible
        """Whether both heuristics are, so that the bound of the search is a proof."""
        self.cost = inf
        """The cost of the best solution so far, U in the papers."""
        self._meeting: tuple[Entry, _Side] | None = None

    def begin(self) -> Iterator[Event]:
        """Enqueue the start and every goal."""
        run, watch = self._run, self._run.watch
        roots = [(self.start, run.space.start)]
        roots += [(self.goal, state) for state in goal_states(run.space)]
        for side, state in roots:
            entry: Entry = (state, None, 0, side.evaluator.value(state))
            self._tally.enqueue()
            side.push(entry)
            if watch:
                yield on.Started(watch.node(entry, self._priority(entry), side.name))
        if run.space.start in self.goal.reached:
            self._meeting, self.cost = (self.start.reached[run.space.start], self.start), 0

    def expand(self, side: _Side, group: Group) -> Generator[Event | None, int, None]:
        """Expand the newest board of `side` with this f and g."""
        run, watch = self._run, self._run.watch
        other = self.goal if side is self.start else self.start
        self._tally.dequeue()
        entry = side.pop(group)
        yield from self._tally.expand(entry, self._priority(entry), side.name)
        for child in self._tally.children(entry, side.evaluator):
            fate = self._tally.admit(child, side.reached.get(child[0]), side.evaluator, side.name)
            if watch:
                yield on.Generated(watch.node(child, self._priority(child), side.name), fate)
            if fate in (Fate.DUPLICATE, Fate.CUT):
                continue
            side.push(child)
            met = other.reached.get(child[0])
            if met is None:
                continue
            cost = child[2] + met[2]
            if cost < self.cost and cost <= run.max_depth:
                self.cost, self._meeting = cost, (child, side)
                ends = (child, met) if side is self.start else (met, child)
                if run.improve(cost, partial(joined, *ends)) and watch:
                    yield on.Improved(watch.node(child, self._priority(child), side.name), cost)

    def prove(self, bound: float) -> bool:
        """Record a lower bound on other solutions; return whether the best one meets it."""
        if self.is_admissible:
            run = self._run
            # Boards beyond the limit on depth were cut.
            run.counters.prove(min(bound, self.cost, run.max_depth + 1))
        return self.cost <= bound

    def end(self) -> Generator[Event | None, int, Found | Exhausted]:
        """Return the best solution, or Exhausted if there is none."""
        run = self._run
        if self._meeting is None:
            self.prove(run.max_depth + 1 if run.counters.cut else 0)
            return Exhausted(complete=not run.counters.cut)
        self.prove(self.cost)
        entry, side = self._meeting
        run.counters.max_depth = max(run.counters.max_depth, entry[2])
        if run.watch:
            yield on.GoalFound(run.watch.node(entry, self._priority(entry), side.name))
        return Found(run.best() if run.best else [run.space.start])


@dataclass(frozen=True, slots=True)
class MeetInTheMiddle(RememberingSearch):
    """Search from both ends with an estimate for each; they meet in the middle (MM).

    Holte, Felner, Sharon and Sturtevant (2016). The board of lowest priority on either side is
    expanded next. The priority is max(f, 2·g), so that neither side expands a board beyond the
    middle of a shortest solution.
    """

    conventions: Conventions = OPEN

    name = "mm"
    optimal = True
    from_both_ends = True

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Expand the board of lowest max(f, 2·g); ties: the lowest g, the forward side first."""
        ends = _BothEnds(run, self.heuristic, lambda entry: max(entry[2] + entry[3], 2 * entry[2]))
        start, goal = ends.start, ends.goal
        yield from ends.begin()
        while start.groups and goal.groups:
            # The lowest priority of each side, and the g and f of the boards to expand first.
            forward, backward = (
                min((max(f, 2 * g), g, f) for f, g in side.groups) for side in (start, goal)
            )
            is_forward = forward[0] <= backward[0]
            lowest, g, f = forward if is_forward else backward
            # No pair of boards can be joined for less.
            pair_cost = start.least_g() + goal.least_g() + _LEAST_COST
            if ends.prove(max(lowest, start.least_f, goal.least_f, pair_cost)):
                break
            yield from ends.expand(start if is_forward else goal, (f, g))
        return (yield from ends.end())


@dataclass(frozen=True, slots=True)
class NearOptimalBidirectional(RememberingSearch):
    """Search from both ends by pairs: at most twice the fewest necessary expansions (NBS).

    Chen, Holte, Zilles and Sturtevant (2017). Both boards of a pair of lowest lb are expanded next.
    A solution through a board u of the forward frontier and a board v of the backward one costs at
    least

        lb(u, v) = max(f(u), f(v), g(u) + g(v) + ε)         ε is the least cost of a move

    If the heuristic is consistent, any search that proves a solution shortest must expand one board
    of every pair with lb below its cost. NBS makes at most twice as many *necessary* expansions,
    those before the lower bound reaches that cost, as the best possible search of its kind.
    """

    conventions: Conventions = OPEN

    name = "nbs"
    optimal = True
    from_both_ends = True

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Expand a pair of lowest lb: on each side, the least g among the boards within it."""
        ends = _BothEnds(run, self.heuristic, lambda entry: entry[2] + entry[3])
        start, goal = ends.start, ends.goal
        yield from ends.begin()
        bound: float = 0
        while start.groups and goal.groups:
            # A pair within the bound has f(u) ≤ bound, f(v) ≤ bound and the least g of these.
            pair_cost = start.least_g(bound) + goal.least_g(bound) + _LEAST_COST
            if pair_cost > bound:
                later = [f for side in (start, goal) for f, _ in side.groups if f > bound]
                bound = min([pair_cost, *later])
                continue
            if ends.prove(bound):
                break
            for side in (start, goal):
                g, f = min((g, f) for f, g in side.groups if f <= bound)
                yield from ends.expand(side, (f, g))
        return (yield from ends.end())

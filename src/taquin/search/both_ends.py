"""MM and NBS: two frontiers that grow towards each other, each with an estimate to the other end.

        start ── g ──► n · · · h · · ·  goal       forward:  f = g + h to the goal
        start  · · · h · · · m ◄── g ── goal       backward: f = g + h to the start

The backward estimate is the same heuristic on the puzzle whose goal is the start. A board reached
from both sides is on a solution. The two searches differ in which board they expand next:

MM, Holte, Felner, Sharon and Sturtevant (2016): the board of lowest priority on either side. The
priority is max(f, 2·g), so that neither side expands a board beyond the middle of a shortest
solution.

NBS, Chen, Holte, Zilles and Sturtevant (2017): both boards of a pair of lowest lb. A solution
through a board u of the forward frontier and a board v of the backward one costs at least

    lb(u, v) = max(f(u), f(v), g(u) + g(v) + ε)         ε is the least cost of a move

If the heuristic is consistent, any search that proves a solution shortest must expand one board of
every pair with lb below its cost. NBS makes at most twice as many *necessary* expansions, those
before the lower bound reaches that cost, as the best possible search of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic, evaluator_for
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, goal_states
from taquin.search import events as on
from taquin.search.bidirectional import joined
from taquin.search.conventions import OPEN, Conventions
from taquin.search.events import Entry, Event, Fate
from taquin.search.open_list import Group, GroupedFrontier
from taquin.search.result import COUNTERS
from taquin.search.run import Exhausted, Found, Loop, Run
from taquin.search.tally import Tally, limited
from taquin.search.value import RememberingSearch

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
        raise UnsuitableError(
            f"a bidirectional search needs estimates to the start too, but {heuristic.name} "
            f"supports one goal only; use a heuristic such as manhattan, or a search from the start"
        )
    return evaluator


class _Side(GroupedFrontier):
    """The frontier of one direction."""

    def __init__(self, name: str, evaluator: Evaluator) -> None:
        super().__init__()
        self.name, self.evaluator = name, evaluator


class _BothEnds:
    """Two frontiers, and the best solution through a board that both have reached."""

    def __init__(self, run: Run, heuristic: Heuristic, priority: Callable[[Entry], float]) -> None:
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
    """Search from both ends with an estimate for each; they meet in the middle (MM)."""

    conventions: Conventions = OPEN

    name = "mm"
    optimal = True
    from_both_ends = True

    @limited
    def loop(self, run: Run) -> Loop:
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
    """Search from both ends by pairs: at most twice the fewest necessary expansions (NBS)."""

    conventions: Conventions = OPEN

    name = "nbs"
    optimal = True
    from_both_ends = True

    @limited
    def loop(self, run: Run) -> Loop:
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

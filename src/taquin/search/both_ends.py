"""Two frontiers that grow towards each other, each with an estimate of the way to the other end.

        start ── g ──► n · · · h · · ·  goal       forward:  f = g + h to the goal
        start  · · · h · · · m ◄── g ── goal       backward: f = g + h to the start

MM and NBS differ in which board they expand next. What they share is here: the backward estimate is
the same heuristic on the puzzle whose goal is the start, and a board that both sides have reached
is a solution through it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from math import inf

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic, evaluator_for
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, goal_states
from taquin.search import events as on
from taquin.search.bidirectional import joined
from taquin.search.events import Entry, Event, Fate
from taquin.search.open_list import OpenList
from taquin.search.run import Exhausted, Found, Run
from taquin.search.tally import Tally

LEAST_COST = 1
"""What a move costs at least: ε in the papers."""


def backward_space(space: Space) -> Space:
    """Return the space of the same boards in which the start is the goal."""
    start = space.decode(space.start)
    puzzle = Puzzle(Goal(start.grid, start.cells), space.puzzle.metric)
    return Space(puzzle, start, space.directions)


def _backward_evaluator(heuristic: Heuristic, space: Space) -> Evaluator:
    """Return the evaluator towards the start; raise UnsuitableError if it knows another goal."""
    backwards = backward_space(space)
    evaluator = evaluator_for(heuristic, backwards)
    if evaluator.value(backwards.start) != 0:
        raise UnsuitableError(
            f"a search from both ends needs estimates of the way to the start too, and "
            f"{heuristic.name} knows one goal only; use a heuristic such as manhattan, or a search "
            f"that begins at the start only"
        )
    return evaluator


class Side(OpenList):
    """One of the two searches."""

    def __init__(self, name: str, evaluator: Evaluator) -> None:
        super().__init__()
        self.name, self.evaluator = name, evaluator


class BothEnds:
    """Two sides, and the best solution through a board that both have reached."""

    def __init__(self, run: Run, heuristic: Heuristic, priority: Callable[[Entry], float]) -> None:
        self._run, self._tally, self._priority = run, Tally(run), priority
        self.start = Side("start", run.evaluator)
        self.goal = Side("goal", _backward_evaluator(heuristic, run.space))
        self.is_admissible = run.evaluator.admissible and self.goal.evaluator.admissible
        """Whether both estimates are, so that the bound of a search is a proof."""
        self.cost = inf
        """The cost of the best solution so far: U in the papers."""
        self._meeting: tuple[Entry, Side] | None = None

    def begin(self) -> Iterator[Event]:
        """Put the start and every goal into their frontiers."""
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

    def expand(self, side: Side, key: tuple[int, int]) -> Generator[Event | None, int, None]:
        """Expand the newest board of `side` with this f and g."""
        run, watch = self._run, self._run.watch
        other = self.goal if side is self.start else self.start
        self._tally.dequeue()
        entry = side.pop(key)
        yield from self._tally.expand(entry, self._priority(entry), side.name)
        for child in self._tally.children(entry, side.evaluator):
            fate = self._tally.admit(child, side.reached.get(child[0]), side.evaluator)
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
        """Note that other solutions cost at least `bound`; return whether the best is as good."""
        if self.is_admissible:
            run = self._run
            # Boards beyond the limit on depth were left out.
            proven = min(bound, self.cost, run.max_depth + 1)
            run.counters.bound = max(run.counters.bound, proven)
        return self.cost <= bound

    def end(self) -> Generator[Event | None, int, Found | Exhausted]:
        """Return the best solution, or that there is none."""
        run = self._run
        if self._meeting is None:
            self.prove(run.max_depth + 1 if run.counters.cut else 0)
            return Exhausted(complete=not run.counters.cut)
        self.prove(self.cost)
        entry, side = self._meeting
        if run.watch:
            yield on.GoalFound(run.watch.node(entry, self._priority(entry), side.name))
        return Found(run.best() if run.best else [run.space.start])

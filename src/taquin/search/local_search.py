"""Local and real-time search: hill climbing, simulated annealing, LRTA*, LSS-LRTA*.

The first two show how a search gets stuck. Neither keeps a frontier. Each has one path from the
start to the current board, without loops, and moves on from there:

    hill climbing         to the child of least h, if that is lower; in a local minimum, some random
                          moves (Russell and Norvig's random walk out of a minimum)
    simulated annealing   to a random child, if its h is no higher, else with the probability
                          e^(−Δh / temperature); the temperature falls (Kirkpatrick, Gelatt and
                          Vecchi 1983)

Both restart now and then, and give up after `tries` tries. They prove nothing.

In the real-time searches an agent moves after a bounded search, and learns better estimates:

    walked so far ──► current board ─┬─ · · · best board of the frontier ──► next episode
                                     └─ · · ·

The solution is the path that was walked, detours included. Admissible estimates stay admissible,
and the learnt estimate of the start is a lower bound.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import exp
from typing import ClassVar

from taquin.errors import UnsuitableError
from taquin.model.space import State, Step
from taquin.reasons import reason
from taquin.search import events as on
from taquin.search.events import KEPT, Entry, Event, Fate
from taquin.search.result import Limit
from taquin.search.run import OPEN, Conventions, Exhausted, LocalSearch, Loop, SearchRun
from taquin.search.tally import Tally, limited

_ESCAPES = 100
"""The number of minima that hill climbing escapes from before it restarts."""
_FROZEN = 0.1
"""The temperature at which simulated annealing restarts."""


class _CurrentPath:
    """The path from the start to the current board, without loops."""

    def __init__(self, run: SearchRun) -> None:
        self._run, self._tally = run, Tally(run)
        self._is_goal = run.space.goal_test()
        self.entries = [run.root]
        self._places = {run.space.start: 0}

    @property
    def here(self) -> Entry:
        """The current board."""
        return self.entries[-1]

    @property
    def is_solved(self) -> bool:
        """Whether the current board is the goal."""
        return self._is_goal(self.here[0])

    def go_back(self, place: int) -> None:
        """Go back to entry `place` of the path; entry 0 is the start."""
        for state, *_ in self.entries[place + 1 :]:
            del self._places[state]
        del self.entries[place + 1 :]

    def expand(
        self, steps: Iterable[Step] | None = None
    ) -> Generator[Event | None, int, list[Entry]]:
        """Expand the current board and return its children, or only the children by `steps`."""
        run, tally, watch, children = self._run, self._tally, self._run.watch, []
        tally.enqueue()
        tally.dequeue()
        yield from tally.expand(self.here, self.here[3])
        for child in tally.children(self.here, steps=steps):
            is_far = child[2] + child[3] * run.evaluator.admissible > run.max_depth
            if is_far:
                run.counters.cut = True
            else:
                children.append(child)
            if watch:
                fate = Fate.CUT if is_far else Fate.ENQUEUED
                yield on.Generated(watch.node(child, child[3]), fate)
        return children

    def move_to(self, chosen: Entry | None, children: list[Entry]) -> Generator[Event, int, None]:
        """Move to one of the children, or to none; report the others as pruned."""
        place = None if chosen is None else self._places.get(chosen[0])
        if self._run.watch:
            for child in children:
                if child is not chosen or place is not None:
                    yield on.Generated(self._run.watch.node(child, child[3]), Fate.PRUNED)
        if place is not None:
            self.go_back(place)
        elif chosen is not None:
            self._places[chosen[0]] = len(self.entries)
            self.entries.append(chosen)

    def started(self) -> Generator[Event, int, None]:
        """Report the start."""
        if self._run.watch:
            yield on.Started(self._run.watch.node(self.here, self.here[3]))

    def found(self) -> Loop:
        """Report the path as the solution."""
        return (yield from self._tally.found(self.here, self.here[3]))


@dataclass(frozen=True, slots=True)
class HillClimbing(LocalSearch):
    """Move to the child of least h; in a local minimum, make some random moves."""

    escape: int = 20
    """Random moves out of a local minimum."""
    tries: int = 1000
    """The maximum number of tries from the start."""
    seed: int = 0
    """Seed of the random moves."""
    conventions: Conventions = OPEN

    name = "hill-climbing"
    least: ClassVar = {"escape": 1, "tries": 1}

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Climb, escape, climb again."""
        # Imported late to keep the start-up short; only these searches need it.
        from random import Random

        random, path = Random(self.seed), _CurrentPath(run)
        yield from path.started()
        for _ in range(self.tries):
            path.go_back(0)
            for _ in range(_ESCAPES):
                is_climbing = True
                while is_climbing and not path.is_solved:
                    children = yield from path.expand()
                    best = min(children, key=lambda child: child[3], default=None)
                    is_climbing = best is not None and best[3] < path.here[3]
                    yield from path.move_to(best if is_climbing else None, children)
                for _ in range(self.escape):
                    if path.is_solved:
                        return (yield from path.found())
                    children = yield from path.expand()
                    yield from path.move_to(random.choice(children) if children else None, children)
        return Exhausted(complete=False, limit=Limit.TRIES, size=self.tries)


@dataclass(frozen=True, slots=True)
class SimulatedAnnealing(LocalSearch):
    """Move at random; the lower the temperature, the less often to a higher h."""

    temperature: float = 2
    """The temperature at the start of each try."""
    cooling: float = 0.999
    """The factor by which the temperature falls after each move that is tried."""
    tries: int = 1000
    """The maximum number of tries from the start."""
    seed: int = 0
    """Seed of the random moves."""
    conventions: Conventions = OPEN

    name = "annealing"
    least: ClassVar = {"tries": 1}

    def __post_init__(self) -> None:
        LocalSearch.__post_init__(self)
        if not (self.temperature > 0 and 0 < self.cooling < 1):
            temperature, cooling = str(self.temperature), str(self.cooling)
            raise UnsuitableError(reason("annealing", temperature=temperature, cooling=cooling))

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Cool down, then restart."""
        from random import Random

        random, path, steps = Random(self.seed), _CurrentPath(run), run.space.stepper()
        yield from path.started()
        for _ in range(self.tries):
            path.go_back(0)
            temperature = self.temperature
            while temperature > _FROZEN:
                if path.is_solved:
                    return (yield from path.found())
                children = yield from path.expand([random.choice([*steps(path.here[0])])])
                # The limit on depth may have cut the child.
                chosen = children[0] if children else None
                if chosen is not None and (more := chosen[3] - path.here[3]) > 0:
                    chosen = chosen if random.random() < exp(-more / temperature) else None
                yield from path.move_to(chosen, children)
                temperature *= self.cooling
        return Exhausted(complete=False, limit=Limit.TRIES, size=self.tries)


class _RealTimeSearch(LocalSearch):
    __slots__ = ()
    lookahead: int
    """Boards expanded before the agent moves."""

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Plan, learn and move in turn."""
        tally, watch, is_goal = Tally(run), run.watch, run.space.goal_test()
        learnt: dict[State, int] = {}
        here, start = run.root, run.space.start
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(here, here[3]))
        while not is_goal(here[0]):
            # Plan: A* from here, with the learnt estimates.
            reached: dict[State, Entry] = {here[0]: here}
            closed: set[State] = set()
            parents: dict[State, list[State]] = {}
            queue = [(_f(here, learnt), 0, here)]
            number = 0
            while queue and len(closed) < self.lookahead and not is_goal(queue[0][2][0]):
                f, _, entry = heappop(queue)
                tally.dequeue()
                if reached[entry[0]] is not entry:
                    yield from tally.discard(entry, f)
                    continue
                closed.add(entry[0])
                yield from tally.expand(entry, f)
                for child in tally.children(entry):
                    state = child[0]
                    parents.setdefault(state, []).append(entry[0])
                    fate = tally.admit(child, reached.get(state))
                    if watch:
                        yield on.Generated(watch.node(child, _f(child, learnt)), fate)
                    if fate in KEPT:
                        reached[state] = child
                        closed.discard(state)
                        heappush(queue, (_f(child, learnt), number := number + 1, child))
            frontier = [entry for _, _, entry in sorted(queue) if reached[entry[0]] is entry]
            if not frontier:
                # The limit on depth cut everything.
                return Exhausted(complete=False)
            here = frontier[0]
            _learn(learnt, frontier, closed, parents)
            if start in learnt and not run.counters.cut:
                tally.prove(learnt[start])
            # Act: walk to the best board; the rest of the frontier is pruned.
            for _, _, entry in queue:
                if entry is not here:
                    yield from tally.drop(entry, _f(entry, learnt))
        return (yield from tally.found(here, here[2]))


@dataclass(frozen=True, slots=True)
class LearningRealTime(_RealTimeSearch):
    """Move to the neighbour of least h, and learn a better estimate from it (LRTA*).

    Korf (1990): generate the neighbours, raise the estimate of the current board to the least 1 + h
    of these, and move to that one.
    """

    conventions: Conventions = OPEN

    name = "lrtastar"
    lookahead = 1


@dataclass(frozen=True, slots=True)
class LocalSearchSpace(_RealTimeSearch):
    """Plan by A* for `lookahead` expansions, learn, walk to the best board, repeat (LSS-LRTA*).

    Koenig and Sun (2009): expand up to `lookahead` boards by A* from the current one (the local
    search space), raise the estimates of all of them from those of the frontier, and walk to the
    best board of the frontier.
    """

    lookahead: int = 10
    """Boards expanded before the agent moves."""
    conventions: Conventions = OPEN

    name = "lss-lrtastar"
    least: ClassVar = {"lookahead": 1}


def _f(entry: Entry, learnt: dict[State, int]) -> int:
    state, _, g, h = entry
    return g + learnt.get(state, h)


def _learn(
    learnt: dict[State, int],
    frontier: list[Entry],
    closed: set[State],
    parents: dict[State, list[State]],
) -> None:
    """Raise the estimate of each closed board to the least cost through the frontier."""
    pending = [(learnt.get(state, h), state) for state, _, _, h in frontier]
    heapify(pending)
    unsettled = set(closed)
    while pending:
        value, state = heappop(pending)
        if state in unsettled:
            unsettled.remove(state)
            learnt[state] = max(learnt.get(state, 0), value)
        for parent in parents.get(state, ()):
            if parent in unsettled:
                heappush(pending, (value + 1, parent))

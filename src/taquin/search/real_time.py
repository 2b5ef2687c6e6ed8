"""Real-time searches: an agent moves after a bounded search, and learns better estimates.

LRTA*, Korf (1990): generate the neighbours, raise the estimate of the current board to the least
1 + h of these, and move to that one.

LSS-LRTA*, Koenig and Sun (2009): expand up to `lookahead` boards by A* from the current one (the
local search space), raise the estimates of all of them from those of the frontier, and walk to the
best board of the frontier.

    walked so far ──► current board ─┬─ · · · best board of the frontier ──► next episode
                                     └─ · · ·

The solution is the path that was walked, detours included. Admissible estimates stay admissible,
and the learnt estimate of the start is a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import ClassVar

from taquin.model.space import State
from taquin.search import events as on
from taquin.search.conventions import OPEN, Conventions
from taquin.search.events import KEPT, Entry
from taquin.search.run import Exhausted, Loop, Run
from taquin.search.tally import Tally, limited
from taquin.search.value import WalkingSearch


class _RealTimeSearch(WalkingSearch):
    __slots__ = ()
    lookahead: int
    """Boards expanded before each walk."""

    @limited
    def loop(self, run: Run) -> Loop:
        """Plan, learn and walk in turn."""
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
    """Move to the neighbour of least h, and learn a better estimate from it (LRTA*)."""

    conventions: Conventions = OPEN

    name = "lrtastar"
    lookahead = 1


@dataclass(frozen=True, slots=True)
class LocalSearchSpace(_RealTimeSearch):
    """Plan by A* for `lookahead` expansions, learn, walk to the best board, repeat (LSS-LRTA*)."""

    lookahead: int = 10
    """Boards expanded before each walk."""
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

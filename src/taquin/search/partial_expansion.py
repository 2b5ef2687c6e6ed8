"""Partial expansion A*: A* that enqueues only promising children.

Yoshizumi, Miura and Ishida (2000). A board is expanded again each time its stored value F rises.
Only its children with f ≤ F + cutoff are enqueued; the board returns to the frontier with the least
f of the others:

    F = 12    children with f = 12, 14, 14: the first is enqueued, the board returns with F = 14

Most boards with an f above the cost of a solution are never stored, at the price of repeated
expansions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import ClassVar

from taquin.model.space import State
from taquin.search import events as on
from taquin.search.best_first import frontier_for
from taquin.search.conventions import LOW_H_FIRST, OPEN, Conventions
from taquin.search.events import KEPT, Entry, Fate
from taquin.search.run import Loop, Run, path_to
from taquin.search.tally import Tally, limited
from taquin.search.value import RememberingSearch


@dataclass(frozen=True, slots=True)
class PartialExpansion(RememberingSearch):
    """A* that enqueues only promising children, and the others when needed (PEA*)."""

    cutoff: int = 0
    """A child is enqueued if its f exceeds the value of its parent by at most this."""
    conventions: Conventions = OPEN

    name = "peastar"
    least: ClassVar = {"cutoff": 0}
    defaults = LOW_H_FIRST
    unsupported = ("goal_test", "limit_test")
    optimal = True

    @limited
    def loop(self, run: Run) -> Loop:
        """Order boards by their stored values."""
        tally, counters, watch, is_goal = Tally(run), run.counters, run.watch, run.space.goal_test()
        root = run.root
        reached: dict[State, Entry] = {root[0]: root}
        frontier = frontier_for(run.conventions.ties)
        frontier.push(root[3], root[3], root)
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, root[3]))
        while counters.frontier:
            value = frontier.lowest()
            tally.prove(value)
            tally.dequeue()
            entry = frontier.pop()
            if reached[entry[0]] is not entry:
                yield from tally.discard(entry, value)
                continue
            if is_goal(entry[0]):
                return (yield from tally.found(entry, value))
            yield from tally.expand(entry, value)
            least_left = inf
            for child in tally.children(entry):
                state, _, g, h = child
                f = g + h
                known = reached.get(state)
                if f > value + self.cutoff and (known is None or known[2] > g):
                    # Beyond the limit on depth, a child is cut for good.
                    counters.cut = counters.cut or f > run.max_estimate
                    least_left = min(least_left, f if f <= run.max_estimate else inf)
                    fate = Fate.CUT
                else:
                    fate = tally.admit(child, known)
                if watch:
                    yield on.Generated(watch.node(child, f), fate)
                if fate not in KEPT:
                    continue
                reached[state] = child
                frontier.push(f, h, child)
                if is_goal(state) and run.improve(g, partial(path_to, child)) and watch:
                    yield on.Improved(watch.node(child, f), g)
            if least_left < inf:
                tally.enqueue()
                frontier.push(least_left, entry[3], entry)
                if watch:
                    yield on.Backtracked(watch.node(entry, least_left))
        return tally.exhausted()

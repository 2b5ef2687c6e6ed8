"""Variants of A* with a frontier grouped by f = g + h and g: ARA*, A*ε, potential search, PEA*.

    groups   {(12, 3): {state: entry, …}, (14, 2): {…}}      few groups, many boards

A board is in the frontier once: a shorter path to it replaces the longer one. So a search can
compare groups instead of boards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from math import inf
from typing import ClassVar

from taquin.errors import UnsuitableError
from taquin.model.space import State
from taquin.reasons import reason
from taquin.search import events as on
from taquin.search.best_first import frontier_for
from taquin.search.conventions import LOW_H_FIRST, OPEN, Conventions
from taquin.search.events import KEPT, Entry, Fate
from taquin.search.run import Loop, RememberingSearch, SearchRun, path_to
from taquin.search.tally import Tally, limited

Group = tuple[int, int]
"""The f and the g that the boards of a group share; their h is f - g."""


class GroupedFrontier:
    """The boards that a search has reached, and those in its frontier by group."""

    def __init__(self) -> None:
        self.reached: dict[State, Entry] = {}
        """Every board reached, by the shortest path known."""
        self.groups: dict[Group, dict[State, Entry]] = {}
        """The boards to expand, in each group the newest last."""

    def push(self, entry: Entry) -> None:
        """Add a board, replacing a longer path to it."""
        state, _, g, h = entry
        known = self.reached.get(state)
        if known is not None:
            key = (known[2] + known[3], known[2])
            if self.groups.get(key, {}).pop(state, None) and not self.groups[key]:
                del self.groups[key]
        self.reached[state] = entry
        self.groups.setdefault((g + h, g), {})[state] = entry

    def pop(self, group: Group) -> Entry:
        """Remove and return the newest board with this f and g."""
        _, entry = self.groups[group].popitem()
        if not self.groups[group]:
            del self.groups[group]
        return entry

    @property
    def least_f(self) -> int:
        """The least f in the frontier."""
        return min(self.groups)[0]

    def least_g(self, most_f: float = inf) -> float:
        """Return the least g of the boards with at most this f; infinity for none."""
        return min((g for f, g in self.groups if f <= most_f), default=inf)


@dataclass(frozen=True, slots=True)
class AnytimeRepairing(RememberingSearch):
    """Find a first solution with a high weight, then better ones, at last a shortest (ARA*).

    Likhachev, Gordon and Thrun (2003). ARA* runs rounds of weighted A* with a falling weight, each
    of which reuses the round before. A round expands by f = g + w·h until no board in the frontier
    can improve the best solution; it expands no board twice. A board that was expanded and is then
    reached by a shorter path is inconsistent, and joins the frontier of the next round:

        w = 3     ─── a solution that costs at most 3 times the shortest
        w = 2.5   ─── a better one, from the frontier and the inconsistent boards
        …
        w = 1     ─── a shortest solution

    Every solution passes through one of these boards, so their least g + h is a lower bound.
    """

    weight: float = 3
    """The weight of the first round, which bounds the relative cost of its solution."""
    step: float = 0.5
    """The decrease of the weight per round."""
    conventions: Conventions = OPEN

    name = "arastar"
    least: ClassVar = {"weight": 1}
    optimal = True

    def __post_init__(self) -> None:
        RememberingSearch.__post_init__(self)
        if not 0 < self.step < inf:
            raise UnsuitableError(reason("option-positive", name="step", found=str(self.step)))

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Order boards by g + weight · h, and lower the weight after each round."""
        tally, watch, is_goal = Tally(run), run.watch, run.space.goal_test()
        weight, root = self.weight, run.root
        reached: dict[State, Entry] = {root[0]: root}
        best = root if is_goal(root[0]) else None
        frontier = [root]
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, weight * root[3]))
        while frontier:
            # The number breaks ties first in, first out.
            queue = [(_f(entry, weight), number, entry) for number, entry in enumerate(frontier)]
            heapify(queue)
            number, closed, inconsistent = len(queue), set[State](), list[Entry]()
            while queue and (best is None or queue[0][0] < best[2]):
                tally.dequeue()
                f, _, entry = heappop(queue)
                if reached[entry[0]] is not entry:
                    yield from tally.discard(entry, f)
                    continue
                closed.add(entry[0])
                yield from tally.expand(entry, f)
                for child in tally.children(entry):
                    state = child[0]
                    fate = tally.admit(child, reached.get(state))
                    if watch:
                        yield on.Generated(watch.node(child, _f(child, weight)), fate)
                    if fate not in KEPT:
                        continue
                    reached[state] = child
                    if state in closed:
                        inconsistent.append(child)
                    else:
                        heappush(queue, (_f(child, weight), number := number + 1, child))
                    if is_goal(state) and run.improve(child[2], partial(path_to, child)):
                        best = child
                        if watch:
                            yield on.Improved(watch.node(child, _f(child, weight)), child[2])
            frontier = [entry for _, _, entry in queue if reached[entry[0]] is entry]
            frontier += [entry for entry in inconsistent if reached[entry[0]] is entry]
            least = min((g + h for _, _, g, h in frontier), default=inf)
            if best is not None:
                tally.prove(min(least, best[2]))
                if best[2] <= least:
                    return (yield from tally.found(best, best[2]))
            weight = max(1, weight - self.step)
        return tally.exhausted()


def _f(entry: Entry, weight: float) -> float:
    return entry[2] + weight * entry[3]


@dataclass(frozen=True, slots=True)
class _BoundedSearch(RememberingSearch, ABC):
    weight: float = 1.5
    """Solutions cost at most `weight` times the shortest."""
    conventions: Conventions = OPEN

    least: ClassVar = {"weight": 1}
    optimal = False

    @abstractmethod
    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the rank of a group if a solution may cost `most`; the lowest comes first."""

    @limited
    def loop(self, run: SearchRun) -> Loop:
        """Expand a board of the lowest rank within weight · f_min."""
        tally, watch, is_goal = Tally(run), run.watch, run.space.goal_test()
        root, frontier = run.root, GroupedFrontier()
        frontier.push(root)
        tally.enqueue()
        if watch:
            yield on.Started(watch.node(root, root[3]))
        while frontier.groups:
            least = frontier.least_f
            tally.prove(least)
            most = self.weight * least
            allowed = [group for group in frontier.groups if group[0] <= most]
            tally.dequeue()
            entry = frontier.pop(min(allowed, key=lambda group: self.rank(group, most)))
            f = entry[2] + entry[3]
            if is_goal(entry[0]):
                return (yield from tally.found(entry, f))
            yield from tally.expand(entry, f)
            for child in tally.children(entry):
                fate = tally.admit(child, frontier.reached.get(child[0]))
                if watch:
                    yield on.Generated(watch.node(child, child[2] + child[3]), fate)
                if fate not in KEPT:
                    continue
                frontier.push(child)
                if is_goal(child[0]) and run.improve(child[2], partial(path_to, child)) and watch:
                    yield on.Improved(watch.node(child, child[2] + child[3]), child[2])
        return tally.exhausted()


class Focal(_BoundedSearch):
    """Of the boards with f ≤ weight · f_min, expand the one of lowest h (A*ε).

    Every solution costs at least f_min, the least f = g + h in the frontier. So any board with f ≤
    w·f_min may be expanded, and a goal among these is a solution within w times the shortest. Pearl
    and Kim (1982) choose by an estimate of the remaining effort, which is h itself here.
    """

    __slots__ = ()
    name = "focal"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return h; ties go to the lowest f."""
        f, g = group
        return f - g, f


class DynamicPotential(_BoundedSearch):
    """Expand the board most likely to lead to a solution within `weight` (dynamic potential).

    Gilon, Felner and Stern (2016), after Stern, Puzis and Felner (2011). The boards are those of
    focal search, f ≤ w·f_min. The next one has the greatest potential (w·f_min − g) / h: the cost
    that may still be spent, in multiples of h.

    The paper compares it with explicit estimation search (EES), which would need a second,
    inadmissible estimate.
    """

    __slots__ = ()
    name = "potential"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the inverse of the potential, which is infinite for a goal."""
        f, g = group
        return ((f - g) / (most - g) if f > g else 0), f


@dataclass(frozen=True, slots=True)
class PartialExpansion(RememberingSearch):
    """A* that enqueues only promising children, and the others when needed (PEA*).

    Yoshizumi, Miura and Ishida (2000). A board is expanded again each time its stored value F
    rises. Only its children with f ≤ F + cutoff are enqueued; the board returns to the frontier
    with the least f of the others:

        F = 12    children with f = 12, 14, 14: the first is enqueued, the board returns with F = 14

    Most boards with an f above the cost of a solution are never stored, at the price of repeated
    expansions.
    """

    cutoff: int = 0
    """A child is enqueued if its f exceeds the value of its parent by at most this."""
    conventions: Conventions = OPEN

    name = "peastar"
    least: ClassVar = {"cutoff": 0}
    defaults = LOW_H_FIRST
    unsupported = ("goal_test", "limit_test")
    optimal = True

    @limited
    def loop(self, run: SearchRun) -> Loop:
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

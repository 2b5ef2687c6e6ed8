"""Focal search and dynamic potential search: solutions that cost at most w times the shortest.

Every solution costs at least f_min, the least f = g + h in the frontier. So any board with
f ≤ w·f_min may be expanded, and a goal among these is a solution. The two searches differ in which
of these boards they expand:

    focal search A*ε   the least h         Pearl and Kim (1982), with h itself as the estimate of
                                           the remaining effort
    potential search   the greatest        Gilon, Felner and Stern (2016), after Stern, Puzis and
                       (w·f_min − g) / h   Felner (2011): the cost that may still be spent, in
                                           multiples of h

Potential search is here rather than explicit estimation search (EES), with which its paper compares
it, because it needs no second, inadmissible estimate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from taquin.search import events as on
from taquin.search.conventions import OPEN, Conventions
from taquin.search.events import KEPT
from taquin.search.open_list import Group, GroupedFrontier
from taquin.search.run import Loop, Run, path_to
from taquin.search.tally import Tally, limited
from taquin.search.value import RememberingSearch


@dataclass(frozen=True, slots=True)
class _BoundedSearch(RememberingSearch, ABC):
    weight: float = 1.5
    """Solutions cost at most that many times the shortest."""
    conventions: Conventions = OPEN

    least: ClassVar = {"weight": 1}
    optimal = False

    @abstractmethod
    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the rank of a group if a solution may cost `most`; the lowest comes first."""

    @limited
    def loop(self, run: Run) -> Loop:
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
    """Of the boards with f ≤ weight · f_min, expand the one of lowest h (A*ε)."""

    __slots__ = ()
    name = "focal"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return h; ties go to the lowest f."""
        f, g = group
        return f - g, f


class DynamicPotential(_BoundedSearch):
    """Expand the board most likely to lead to a solution within `weight` (dynamic potential)."""

    __slots__ = ()
    name = "potential"

    def rank(self, group: Group, most: float) -> tuple[float, float]:
        """Return the inverse of the potential, which is infinite for a goal."""
        f, g = group
        return ((f - g) / (most - g) if f > g else 0), f

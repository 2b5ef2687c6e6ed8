"""A depth-first walk over the boards whose f = g + w·h stays within a bound: one round of IDA*.

Weighted IDA* repeats it with rising bounds; budgeted tree search also limits its expansions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

from taquin.search import events as on
from taquin.search.conventions import Duplicates
from taquin.search.events import Entry, Event, Fate
from taquin.search.run import Run, path_to
from taquin.search.tally import Tally


@dataclass(slots=True)
class Walk:
    """What a walk has met."""

    below: float = 0
    """The highest f within the bound."""
    above: float = inf
    """The least f beyond the bound; infinity if nothing was cut off."""
    expanded: int = 0
    goal: Entry | None = None
    """The end of the best solution met; None for none."""
    is_complete: bool = True
    """Whether the walk ended by itself, not by its budget."""


def bounded_walk(
    run: Run,
    tally: Tally,
    root: Entry,
    bound: float,
    *,
    weight: float = 1,
    budget: float = inf,
    enough: float = inf,
) -> Generator[Event | None, int, Walk]:
    """Walk from `root` over every board within `bound`, until `budget` of them were expanded.

    A solution that costs at most `enough` ends the walk; after another, better ones are sought.
    """
    counters, watch, is_goal = run.counters, run.watch, run.space.goal_test()
    skips_parent = run.conventions.duplicates is Duplicates.PARENT
    walk = Walk()
    path: list[tuple[Entry, Iterator[Entry]]] = []
    entry: Entry | None = root
    while entry is not None or path:
        if entry is not None:
            tally.enqueue()
            tally.dequeue()
            f = entry[2] + weight * entry[3]
            walk.below = max(walk.below, f)
            if is_goal(entry[0]):
                walk.goal = entry
                run.improve(entry[2], partial(path_to, entry))
                if entry[2] <= enough:
                    return walk
                if watch:
                    yield on.Improved(watch.node(entry, f), entry[2])
            elif walk.expanded >= budget:
                walk.is_complete = False
                return walk
            else:
                counters.frontier = len(path)
                yield from tally.expand(entry, f)
                walk.expanded += 1
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
                walk.above, fate = min(walk.above, f), Fate.CUT
            elif counters.best is not None and f >= counters.best:
                walk.below, fate = max(walk.below, counters.best), Fate.CUT
            if watch:
                yield on.Generated(watch.node(child, f), fate)
            if fate is Fate.ENQUEUED:
                entry = child
                break
        else:
            path.pop()
            if watch:
                yield on.Backtracked(watch.node(parent, parent[2] + weight * parent[3]))
    return walk

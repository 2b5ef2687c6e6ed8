"""ARA*: rounds of weighted A* with a falling weight, each of which reuses the round before.

Likhachev, Gordon and Thrun (2003). A round expands by f = g + w·h until no board in the frontier
can improve the best solution; it expands no board twice. A board that was expanded and is then
reached by a shorter path is inconsistent, and joins the frontier of the next round:

    w = 3     ─── a solution that costs at most 3 times the shortest
    w = 2.5   ─── a better one, from the frontier and the inconsistent boards
    …
    w = 1     ─── a shortest solution

Every solution passes through one of these boards, so their least g + h is a lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from math import inf
from typing import ClassVar

from taquin.errors import UnsuitableError
from taquin.model.space import State
from taquin.search import events as on
from taquin.search.conventions import OPEN, Conventions
from taquin.search.events import KEPT, Entry
from taquin.search.run import Loop, Run, path_to
from taquin.search.tally import Tally, limited
from taquin.search.value import RememberingSearch


@dataclass(frozen=True, slots=True)
class AnytimeRepairing(RememberingSearch):
    """Find a first solution with a high weight, then better ones, at last a shortest (ARA*)."""

    weight: float = 3
    """The weight of the first round: its solution costs at most that many times the shortest."""
    step: float = 0.5
    """By how much the weight falls from round to round."""
    conventions: Conventions = OPEN

    name = "arastar"
    least: ClassVar = {"weight": 1}
    optimal = True

    def __post_init__(self) -> None:
        RememberingSearch.__post_init__(self)
        if not 0 < self.step < inf:
            raise UnsuitableError(f"step must be above 0 and finite, got {self.step}")

    @limited
    def loop(self, run: Run) -> Loop:
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

"""IDA* as the glass box runs it, by the walks and the threads of the engine `general`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.engine.deepening import Deepening
from taquin.engine.general.form import Tiles
from taquin.engine.general.team import Team
from taquin.engine.textbook.estimates import DistancesPlan
from taquin.search.conventions import Duplicates
from taquin.search.result import Counters
from taquin.search.run import Algorithm
from taquin.tables.shape import Cells


def deepen(
    deepening: Deepening, search: Algorithm, plan: DistancesPlan, board: Tiles, threads: int
) -> None:
    """Run IDA* from a board that is not solved, and count what the glass box counts."""
    returns = search.conventions.duplicates is Duplicates.NONE
    rounds = Rounds(plan, Team(plan, board, threads), deepening.counters, returns)
    deepening.run(plan.estimate(board), rounds, rounds.after)


@dataclass(slots=True)
class Rounds:
    """The rounds of one search, counted as the glass box counts: a `Searcher` for `Deepening`.

    The walk leaves out the way back. The glass box generates it, counts it and drops it, once for
    every board it expands but the start; only on the last path it may not have come to that:

        expanded     boards that the walk entered, and the start, in every round
        duplicates   these, less the start, and less the boards of the last path whose way back
                     would have come after the way they went
        generated    what the walk generated, and the duplicates
    """

    plan: DistancesPlan
    team: Team
    counters: Counters
    returns: bool
    """Whether the walk makes the way back."""
    _way_back: int = 0

    @property
    def nodes(self) -> int:
        """Nodes generated in the present round."""
        return self.team.nodes + self._way_back

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._way_back = 0
        path = self.team.search(bound, keep_going, most)
        counts, counters = self.team.counts, self.counters
        if not self.returns:
            self._way_back = counts.expanded - self._not_reached(path or ())
        counters.expanded += 1 + counts.expanded
        counters.enqueued += 1 + counts.expanded + bool(path)
        counters.dequeued = counters.enqueued
        counters.duplicates += self._way_back
        counters.max_frontier = max(counters.max_frontier, 1 + counts.deepest)
        counters.max_depth = max(counters.max_depth, counts.deepest, len(path or ()) - 1)
        return path and self.plan.form.on_grid(path)

    def after(self, bound: int) -> int:
        """Return the least f that was cut."""
        return bound + self.team.counts.excess

    def _not_reached(self, path: Cells) -> int:
        """Return how many boards of a path have their way back after the way they went."""
        late = 0
        for before, cell, after in zip(path, path[1:], path[2:], strict=False):
            order = self.plan.rules.steps.from_cell(cell)
            late += order.index(before) > order.index(after)
        return late

"""IDA* as the glass box runs it, compiled: the same order, the same solution, the same counts.

The walk leaves out the way back. The glass box generates it, counts it and drops it, once for every
board it expands but the start; only on the last path it may not have come to that:

    expanded     boards that the walk entered, and the start, in every round
    duplicates   these, less the start, and less the boards of the last path whose way back would
                 have come after the way they went
    generated    what the walk generated, and the duplicates
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from taquin.engine.base import FITS, Fit, is_refuted
from taquin.engine.deepening import Deepening
from taquin.engine.general.form import GeneralForm, form_of
from taquin.heuristics.base import Zero
from taquin.heuristics.homes import homes_in
from taquin.heuristics.manhattan import Manhattan
from taquin.model.moves import Metric
from taquin.model.space import Space
from taquin.search.algorithms import IDAStar
from taquin.search.conventions import Duplicates
from taquin.search.result import DEFAULT_COUNTERS, Counters, EngineTag, Result, Task, Want
from taquin.tables.shape import Cells

if TYPE_CHECKING:
    from taquin.engine.general.plans import DistancesPlan
    from taquin.engine.general.team import Team


def counted_fit(task: Task) -> Fit:
    """Return whether a search by name can run with the counts of the glass box."""
    search, limits = task.algorithm, task.limits
    if task.want is not Want.ONE:
        return Fit(False, "it lists every shortest solution by a search of its own")
    if not isinstance(search, IDAStar) or not isinstance(search.heuristic, Manhattan | Zero):
        return Fit(False, f"it runs IDA* with the Manhattan distance, not {search}")
    if search.conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE):
        return Fit(False, f"it keeps no boards in mind, as {search} does")
    if limits.nodes is not None or limits.depth is not None:
        return Fit(False, f"it has no limit on nodes or depth for {search}")
    if task.puzzle.metric is not Metric.SINGLE:
        return Fit(False, f"it runs {search} for single moves only")
    if homes_in(Space(task.puzzle, task.start)).repeated:
        return Fit(False, f"it runs {search} where no two tiles of the goal share a label")
    return FITS


def solve_counted(task: Task, deepening: Deepening, tag: EngineTag, threads: int) -> Result:
    """Run the task's IDA*, and return what the glass box would, count for count."""
    control, counters = deepening.control, deepening.counters
    search: Any = task.algorithm
    is_solved = task.puzzle.is_goal(task.start)
    control.prove(not is_solved)
    if is_refuted(task, control):
        return deepening.result(task, search, tag, DEFAULT_COUNTERS)
    form, board = form_of(task.puzzle, task.start)
    with control.guard():
        control.prepare("loading the compiled search")
        from taquin.engine.general.plans import DistancesPlan
        from taquin.engine.general.steps import steps_on
        from taquin.engine.general.team import Team

        conventions = search.conventions
        returns = conventions.duplicates is Duplicates.NONE
        steps = steps_on(form, conventions.directions, returns)
        distances = _distances(task, form, isinstance(search.heuristic, Zero))
        plan = DistancesPlan(form, steps, distances)
        control.begin()
        if is_solved:
            deepening.blanks = form.on_grid((board.index(0),))
            counters.enqueued = counters.dequeued = 1
        else:
            rounds = Rounds(plan, Team(plan, board, threads), counters, returns)
            deepening.run(plan.estimate(board), rounds, rounds.after)
    return deepening.result(task, search, tag, DEFAULT_COUNTERS)


@dataclass(slots=True)
class Rounds:
    """The rounds of one search, counted as the glass box counts: a `Searcher` for `Deepening`."""

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


def _distances(task: Task, form: GeneralForm, is_zero: bool) -> list[list[int]]:
    """Return each tile's distance from its home, by cell; 0 for the blank and free tiles."""
    grid = task.puzzle.grid
    zeros = [0] * form.size
    distances = [zeros]
    for tile in form.tiles:
        home = form.cells[form.places(form.groups[tile])[0]]
        distances.append([0 if is_zero else grid.distance(cell, home) for cell in form.cells])
    return distances + [zeros] * (form.frees > 0)

"""IDA* as the glass box runs it, compiled: the same order, the same solution, the same counts.

The walk leaves the way back out of its lists. The glass box makes it, counts it and throws it away,
once for every board it expands but the start; only on the last path it may not have come to that:

    expanded     boards gone down to, and the start, in every round
    duplicates   these, less the start, and less the boards of the last path whose way back would
                 have come after the way they went
    generated    what the walk made, and the duplicates
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from taquin.engine.deepening import Deepening
from taquin.engine.general.form import CELL_BIT, END, GeneralForm, Ways, form_of, ways_on
from taquin.engine.seam import FITS, Fit, is_refuted
from taquin.heuristics.base import Zero
from taquin.heuristics.homes import homes_in
from taquin.heuristics.manhattan import Manhattan
from taquin.model.moves import Metric
from taquin.model.space import Space
from taquin.search.algorithms import IDAStar
from taquin.search.conventions import Duplicates
from taquin.search.result import COUNTERS, EngineTag, Result, Task, Want
from taquin.tables.shape import Cells

if TYPE_CHECKING:
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
    control.prove(not task.puzzle.is_goal(task.start))
    if is_refuted(task, control):
        return deepening.result(task, search, tag, COUNTERS)
    form, board = form_of(task.puzzle, task.start)
    with control.guard():
        control.prepare("loading the compiled search")
        from taquin.engine.general.plans import DistancesPlan
        from taquin.engine.general.team import Team

        conventions = search.conventions
        returns = conventions.duplicates is Duplicates.NONE
        ways = ways_on(form, conventions.directions, returns)
        distances = _distances(task, form, isinstance(search.heuristic, Zero))
        plan = DistancesPlan(form, ways, distances)
        control.begin()
        rounds = Rounds(form, Team(plan, board, threads), ways, returns)
        if task.puzzle.is_goal(task.start):
            deepening.blanks = form.on_grid((board.index(0),))
            rounds.visited = 1
        else:
            deepening.run(plan.estimate(board), rounds, rounds.after)
        counters.expanded, counters.duplicates = rounds.expanded, rounds.duplicates
        counters.enqueued = counters.dequeued = rounds.visited
        counters.max_depth, counters.max_frontier = rounds.deepest, rounds.longest
    return deepening.result(task, search, tag, COUNTERS)


@dataclass(slots=True)
class Rounds:
    """The rounds of one search, counted as the glass box counts; what `Deepening` asks."""

    form: GeneralForm
    team: Team
    ways: Ways
    returns: bool
    expanded: int = 0
    duplicates: int = 0
    visited: int = 0
    deepest: int = 0
    longest: int = 0
    _way_back: int = field(default=0)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present round."""
        return self.team.nodes + self._way_back

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        self._way_back = 0
        found = self.team.search(bound, keep_going, most)
        tally = self.team.tally
        expanded = 1 + tally.expanded
        if not self.returns:
            self._way_back = tally.expanded - (_not_reached(self.ways, found) if found else 0)
        self.expanded += expanded
        self.visited += expanded + bool(found)
        self.duplicates += self._way_back
        self.longest = max(self.longest, 1 + tally.deepest)
        self.deepest = max(self.deepest, tally.deepest, len(found or ()) - 1)
        return found and self.form.on_grid(found)

    def after(self, bound: int) -> int:
        """Return the least f that was cut."""
        return bound + self.team.tally.excess


def _not_reached(ways: Ways, path: Cells) -> int:
    """Return for how many boards of a path the way back would have come after the way they went."""
    late = 0
    for before, here, after in zip(path, path[1:], path[2:], strict=False):
        order = [
            step >> CELL_BIT
            for step in ways.steps[ways.begin[here] : ways.steps.index(END, ways.begin[here])]
        ]
        late += order.index(before) > order.index(after)
    return late


def _distances(task: Task, form: GeneralForm, is_zero: bool) -> list[list[int]]:
    """Return each tile's distance from its home, by cell; the blank and the free have none."""
    grid = task.puzzle.grid
    nowhere = [0] * form.size
    distances = [nowhere]
    for tile in form.tiles:
        home = form.cells[form.places(form.groups[tile])[0]]
        distances.append([0 if is_zero else grid.distance(cell, home) for cell in form.cells])
    return distances + [nowhere] * (form.frees > 0)

"""The engine `textbook`: searches by name, with the counts of the glass box.

It expands the same boards in the same order as the glass box, so every counter is equal, unless a
limit on seconds or memory ends the search. The tests compare them on every kind of search.
Compiled code is loaded when a task is solved, not when this module is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taquin.engine.base import FITS, Engine, Fit, is_refuted
from taquin.engine.deepening import Deepening
from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, Zero, evaluator_for, prepare
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.pattern_databases import Patterns
from taquin.heuristics.per_tile import Manhattan, homes_in
from taquin.heuristics.registry import Maximum
from taquin.heuristics.walking import WalkingDistance, line_puzzles
from taquin.model.moves import Metric
from taquin.model.space import Space
from taquin.reasons import reason
from taquin.search.algorithms import (
    AStar,
    Bidirectional,
    BreadthFirst,
    Greedy,
    IDAStar,
    UniformCost,
)
from taquin.search.bidirectional import MeetInTheMiddle, NearOptimalBidirectional, backward_space
from taquin.search.control import Control
from taquin.search.result import (
    COUNTERS,
    DEFAULT_COUNTERS,
    Counters,
    EngineTag,
    Limit,
    Result,
    Task,
    Want,
)
from taquin.search.run import Algorithm, Duplicates, GoalTest, Ties
from taquin.system.formatting import counted
from taquin.system.machine import refuse_threads, usable_cores
from taquin.tables.patterns import PACKED_CELLS
from taquin.tables.shape import moves_along

if TYPE_CHECKING:
    from taquin.engine.general.form import GeneralForm, Steps
    from taquin.engine.textbook.estimates import DistancesPlan

_SMALL = 9
"""Cells up to which the glass box usually takes no longer than loading compiled code."""
_LONGEST_LINE = 7
"""Cells of the longest line for which conflicts are tabulated."""
_BEST_FIRST = (BreadthFirst, UniformCost, Greedy, AStar)
_FROM_BOTH_ENDS = (Bidirectional, MeetInTheMiddle, NearOptimalBidirectional)
_POSITION_BITS = 62
"""Bits of the largest position of the puzzle of lines."""


@dataclass(frozen=True, slots=True)
class Textbook(Engine):
    """Searches by name, compiled. Raise UnsuitableError for a bad number of threads."""

    threads: int | None = None
    """Threads of IDA*, which do not affect its counts; None for one per core."""

    name = "textbook"
    is_compiled = True
    starts_slowly = True
    takes_searches = True
    summary = "searches by name, compiled, with the counts of the glass box"

    def __post_init__(self) -> None:
        refuse_threads(self.threads)

    def fits(self, task: Task) -> Fit:
        """Return whether the task names a search that it supports, on a puzzle that it supports."""
        return self.available() and _fit(task)

    def preferred_for(self, task: Task) -> bool:
        """Return whether the glass box would take longer than loading compiled code."""
        return task.puzzle.grid.size > _SMALL

    def solve(self, task: Task, control: Control) -> Result:
        """Run the search, and return the glass box's result, count for count."""
        search = task.algorithm
        assert isinstance(search, Algorithm), "the task fits"
        control.concern(task)
        deepening, counts = Deepening(control), COUNTERS
        threads = (self.threads or usable_cores()) if isinstance(search, IDAStar) else 1
        tag = EngineTag(self.name, counted(threads, "thread"))
        if isinstance(search, Greedy | IDAStar):
            counts = DEFAULT_COUNTERS
        control.prove(not task.puzzle.is_goal(task.start))
        if not is_refuted(task, control):
            with control.guard():
                # Even without a search, the estimate of the start is proven.
                if control.nodes_left(Counters()) > 0 and not control.is_over:
                    control.prepare(reason("stage-loading"))
                self._search(task, search, deepening, threads)
        moves = moves_along(task.start, deepening.blanks) if deepening.blanks else None
        if moves is None or deepening.counters.bound < len(moves):
            counts = DEFAULT_COUNTERS
        return deepening.result(task, search, tag, counts)

    def _search(self, task: Task, search: Algorithm, deepening: Deepening, threads: int) -> None:
        from taquin.engine.general.form import form_of, steps_on
        from taquin.engine.textbook import driver

        control, counters = deepening.control, deepening.counters
        conventions, heuristic = search.conventions, search.heuristic or Zero()
        space = Space(task.puzzle, task.start, conventions.directions)
        prepare(heuristic, space, control.building)
        form, board = form_of(task.puzzle, task.start)
        returns = conventions.duplicates is not Duplicates.PARENT
        steps = steps_on(form, conventions.directions, returns)
        plan = plan_for(heuristic, space, form, steps)
        both = None
        if isinstance(search, MeetInTheMiddle | NearOptimalBidirectional):
            towards = backward_space(space)
            prepare(heuristic, towards, control.building)
            to_start, _ = form_of(towards.puzzle, task.start)
            both = plan, plan_for(heuristic, towards, to_start, steps)
        control.begin()
        counters.bound = plan.estimate(board)
        control.prove_counted(counters)
        if control.nodes_left(counters) <= 0:
            control.end(Limit.NODES)
        if not control.tick(counters):
            return
        if isinstance(search, IDAStar):
            if task.puzzle.is_goal(task.start):
                deepening.blanks = form.on_grid((board.index(0),))
                counters.enqueued = counters.dequeued = 1
            else:
                driver.deepen(deepening, search, plan, board, threads)
            return
        try:
            if both is not None:
                by_pairs = isinstance(search, NearOptimalBidirectional)
                blanks = driver.search_both(control, counters, both, board, by_pairs=by_pairs)
            elif isinstance(search, Bidirectional):
                blanks = driver.search_levels(control, counters, plan, board)
            else:
                blanks = driver.search_best(control, counters, plan, board, search)
            deepening.blanks = blanks
        finally:
            control.prove_counted(counters)


def _fit(task: Task) -> Fit:
    search, limits = task.algorithm, task.limits
    if search is None:
        return Fit(False, reason("names-only"))
    name = str(search)
    if task.want is not Want.ONE:
        return Fit(False, "it lists every shortest solution by a search of its own")
    if task.puzzle.metric is not Metric.SINGLE:
        return Fit(False, reason("single-moves", name=name))
    if isinstance(search, IDAStar):
        if search.conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE):
            return Fit(False, reason("keeps-no-boards", name=name))
        # A bound on f bounds the depth, except for boards at the limit with h = 0.
        is_zero_solved = task.normal is not None and not isinstance(search.heuristic, Zero)
        if limits.depth is not None and not is_zero_solved:
            return Fit(False, reason("no-depth-here", name=name))
        return _heuristic_fit(task, search.heuristic)
    if limits.depth is not None:
        return Fit(False, reason("no-depth", name=name))
    if not isinstance(search, _BEST_FIRST + _FROM_BOTH_ENDS):
        return Fit(False, reason("unknown-search", name=name))
    if task.normal is None:
        return Fit(False, reason("search-classic", name=name, most=25))
    conventions = search.conventions
    if conventions.duplicates is not Duplicates.REACHED or conventions.ties is Ties.HEAP:
        return Fit(False, reason("conventions", name=name))
    if conventions.goal_test is not GoalTest.EXPANSION:
        return Fit(False, reason("goal-test", name=name))
    if isinstance(search, BreadthFirst) and search.scored_by is not None:
        return Fit(False, reason("no-order", name=name))
    return _heuristic_fit(task, search.heuristic or Zero())


def _heuristic_fit(task: Task, heuristic: Heuristic) -> Fit:
    """Return whether it supports a heuristic on the puzzle of a task."""
    space = Space(task.puzzle, task.start)
    if isinstance(heuristic, Manhattan | Zero):
        return Fit(not homes_in(space).repeated, reason("shared-labels"))
    if task.normal is None:
        return Fit(False, reason("heuristic-classic", name=heuristic.name))
    grid = task.puzzle.grid
    if isinstance(heuristic, LinearConflict):
        fits = max(grid.rows, grid.columns) <= _LONGEST_LINE
        return Fit(fits, reason("heuristic-lines", name=heuristic.name, most=_LONGEST_LINE))
    if isinstance(heuristic, WalkingDistance):
        lines = [line for line, _ in line_puzzles(space)]
        fits = grid.size <= PACKED_CELLS and max(line.width for line in lines) <= _POSITION_BITS
        fits = fits and all(line.is_small() for line in lines)
        return Fit(fits, reason("heuristic-large", name=heuristic.name, grid=str(grid)))
    databases = list(_databases(heuristic))
    if not databases or None in databases:
        return Fit(False, reason("heuristic-unknown", name=heuristic.name))
    try:
        for patterns in filter(None, databases):
            patterns.check(space)
    except UnsuitableError as error:
        return Fit(False, error.reason)
    return FITS


def _databases(heuristic: Heuristic) -> Iterator[Patterns | None]:
    """Yield the pattern databases whose maximum is a heuristic; None for any other heuristic.

    Each includes the distances, so Manhattan distance adds nothing to a maximum.
    """
    if isinstance(heuristic, Maximum):
        for part in heuristic.heuristics:
            yield from () if isinstance(part, Manhattan | Zero) else _databases(part)
    else:
        yield heuristic if isinstance(heuristic, Patterns) else None


def plan_for(heuristic: Heuristic, space: Space, form: GeneralForm, steps: Steps) -> DistancesPlan:
    """Return the plan of a supported heuristic."""
    from taquin.engine.textbook import estimates

    distances = _distances(space, form, is_zero=isinstance(heuristic, Zero))
    if isinstance(heuristic, Manhattan | Zero):
        return estimates.DistancesPlan(form, steps, distances)
    evaluator = evaluator_for(heuristic, space)

    def value(board: tuple[int, ...]) -> int:
        # The tiles of a classic board are numbered as in its states.
        return evaluator.value(space.pack(board))

    if isinstance(heuristic, LinearConflict):
        return estimates.ConflictsPlan(form, steps, distances, value)
    if isinstance(heuristic, WalkingDistance):
        return estimates.WalkingDistancePlan(form, steps, space, value)
    databases = filter(None, _databases(heuristic))
    lookups = [partition for patterns in databases for partition in patterns.lookups(space)]
    return estimates.AdditivePlan(form, steps, distances, value, lookups)


def _distances(space: Space, form: GeneralForm, *, is_zero: bool) -> list[list[int]]:
    """Return each tile's distance from its home, by cell; 0 for the blank and free tiles."""
    grid = space.puzzle.grid
    zeros = [0] * form.size
    distances = [zeros]
    for tile in form.tiles:
        home = form.cells[form.places(form.groups[tile])[0]]
        distances.append([0 if is_zero else grid.distance(cell, home) for cell in form.cells])
    return distances + [zeros] * (form.frees > 0)

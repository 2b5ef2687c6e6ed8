"""The engine `general`: shortest solutions of any puzzle, by compiled searches on all cores.

It supports walls, repeated labels, fillers, partial goals, multi-tile moves and any shape. `Stages`
chooses a search, and the next one when the board proves hard. Compiled code is loaded when `solve`
needs it, not when this module is imported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from taquin.engine.base import Engine, Fit, Solutions, compiled_fit, is_refuted
from taquin.engine.deepening import Deepening, Searcher
from taquin.engine.general.breadth import BYTES_PER_BOARD, Boards
from taquin.engine.general.estimates import EXACT, LARGE, SMALL, Resources, exact_size, plan_of
from taquin.engine.general.form import FREE, MOST_CELLS, GeneralForm, Tiles, form_of, steps_on
from taquin.engine.general.parallel import DepthFirstSearch, ParallelSearcher
from taquin.engine.general.slides import SlidesPlan, are_stored, keys_for, slides_plan
from taquin.engine.glass import estimate
from taquin.errors import UnsuitableError
from taquin.model.moves import Metric
from taquin.model.space import arrangements, fillings
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Result, Task, Want
from taquin.system.formatting import counted, shorten
from taquin.system.machine import memory_left, refuse_threads, usable_cores
from taquin.tables.patterns import is_known
from taquin.tables.shape import Cells, moves_along

_SLICE = 1 << 16
"""Nodes between two calls of the control while solutions are listed."""


@dataclass(frozen=True, slots=True)
class General(Engine):
    """The compiled search for any puzzle. Raise UnsuitableError for a bad number of threads."""

    threads: int | None = None
    """Threads to use; None for one per core."""
    tables: str | None = "small"
    """Whether tables of slides are used: `small`, where they are on disk; `large`, also built; None
    for never. Other tables are filled for each goal."""

    name = "general"
    is_compiled = True
    starts_slowly = True
    batch = 8
    in_threads = True
    summary = f"any puzzle of up to {MOST_CELLS:,} cells, compiled, on all cores"

    def __post_init__(self) -> None:
        if self.tables is not None and not is_known(self.tables):
            raise UnsuitableError(
                f"expected the tables small, large or none, found {shorten(self.tables)}"
            )
        refuse_threads(self.threads)

    def fits(self, task: Task) -> Fit:
        """Return whether the grid is small enough and the task names no search."""
        if task.puzzle.grid.size > MOST_CELLS:
            return Fit(False, reason("grid-cells", most=MOST_CELLS))
        return self.available() and compiled_fit(task, every=True)

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, or the lower bound proven so far."""
        threads = self.threads or usable_cores()
        tag = EngineTag(self.name, counted(threads, "thread"))
        deepening = Deepening(control)
        control.concern(task)
        if not is_refuted(task, control):
            with control.guard():
                first = estimate(task)
                control.prove(first)
                control.prepare(reason("stage-loading"))
                form, board = form_of(task.puzzle, task.start)
                if (slides := self._slides(form, control)) is not None:
                    first = max(first, slides.estimate(board))
                control.begin()
                stages = Stages(form, board, self._resources(control), slides)
                deepening.run(first, stages, stages.after)
        return deepening.result(task, self, tag)

    def batch_key(self, task: Task) -> Hashable:
        """Return goal and limits of a multi-tile puzzle that has tables; None for any other."""
        if task.puzzle.metric is not Metric.MULTI or task.algorithm or task.want is Want.EVERY:
            return None
        # With walls there may be no form: a label that the goal names may be out of reach.
        if self.tables is None or task.puzzle.grid.walls or not self.fits(task):
            return None
        keys = keys_for(form_of(task.puzzle, task.start)[0])
        is_ready = are_stored(keys) or (bool(keys) and self.tables == "large")
        return (task.puzzle.goal, task.limits) if is_ready else None

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the result of each task, all on this thread; tables are loaded or built first."""
        with control.guard():
            self._slides(form_of(tasks[0].puzzle, tasks[0].start)[0], control)
        return Engine.solve_many(replace(self, threads=1), tasks, control)

    def every(self, task: Task, control: Control) -> Solutions:
        """Yield every solution wanted once.

        The first comes after a search for the length. `control` knows whether a limit or Ctrl-C
        ended the listing.
        """
        shortest = self.solve(task, control)
        if shortest.moves is None or not shortest.optimal:
            return
        if not shortest.moves:
            yield ()
            return
        counters = Counters(generated=shortest.stats.generated or 0)
        form, board = form_of(task.puzzle, task.start)
        with control.guard():
            length = len(shortest.moves) + task.beyond
            # Tables of slides find only solutions of exactly this length.
            slides = None if task.beyond else self._slides(form, control)
            search = (
                shortest_search(form, board, length, self._resources(control))
                if slides is None
                else DepthFirstSearch(slides, board, length)
            )
            while not search.is_done and control.tick(counters):
                budget = int(min(_SLICE, control.nodes_left(counters)))
                if budget < 1:
                    control.end(Limit.NODES)
                    return
                counters.generated += search.advance(budget)
                if blanks := search.solution:
                    with control.clock.paused():
                        yield moves_along(task.start, form.on_grid(blanks))

    def _slides(self, form: GeneralForm, control: Control) -> SlidesPlan | None:
        """Return the plan with tables of slides for a puzzle, or None."""
        if self.tables is None:
            return None
        return slides_plan(form, control, builds=self.tables == "large", threads=self.threads)

    def _resources(self, control: Control) -> Resources:
        tick = partial(control.report, "filling tables")
        memory = memory_left(control.limits.memory)
        return Resources(self.threads or usable_cores(), memory, tick)


_HARD = 5_000_000
"""Nodes of a bound after which the next search takes over: the next bound would take longer than
filling large tables."""
_EXACT_IF_HARD = 1 << 26
"""Most entries of an exact table for a hard board: it takes some seconds to fill."""
_FEW_BOARDS, _MANY_BOARDS = 50_000, 20_000_000
"""Most boards of a space to search breadth first: at first, and when a board proves hard."""
_MOST_BOARDS = 50_000_000
"""The maximum number of boards to keep even with enough memory: about half a minute."""
_NARROW = 1.5
"""Average number of steps on from a cell below which deepening is hopeless; 2.1 on open 4×4."""
_MOST_GOALS = 10_000
"""The maximum number of solved boards from which a search may begin."""


class Stages:
    """The searches of one board, one after the other: a `Searcher` for `Deepening`.

        at first   tables of slides   iterative deepening on these, however long it takes
                   few tiles          an exact table
                   few boards         breadth first from both ends
                   any other          iterative deepening on small tables

        then       some tens of millions of entries or boards: an exact table, or breadth first
                   corridors, cycles  breadth first while there is memory: there are few boards, and
                                      deepening meets each of them again and again
                   any other          iterative deepening on large tables

    A bound stays proven, so the next search continues at the same bound.
    """

    def __init__(
        self,
        form: GeneralForm,
        start: Tiles,
        resources: Resources,
        slides: SlidesPlan | None = None,
        *,
        hard: int = _HARD,
    ) -> None:
        self._form, self._start, self._resources, self._hard = form, start, resources, hard
        self._slides = slides
        self._before = 0
        self._left = self._searches()
        self._searcher: Searcher = next(self._left)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, by all searches of it."""
        return self._before + self._searcher.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        form, start = self._form, self._start
        goal = zip(form.wanted, start, strict=True)
        if all(wanted in (FREE, form.groups[tile]) for wanted, tile in goal):
            return form.on_grid((start.index(0),))
        was_hard = self.nodes >= self._hard
        self._before = 0
        if was_hard:
            self._searcher = next(self._left, self._searcher)
        while True:
            try:
                path = self._searcher.search(bound, keep_going, most - self._before)
                return path and form.on_grid(path)
            except MemoryError:
                following = next(self._left, None)
                if following is None:
                    raise
                self._before += self._searcher.nodes
                self._searcher = following

    def after(self, bound: int) -> int:
        """Return the bound to search next."""
        if isinstance(self._searcher, ParallelSearcher):
            return bound + max(self._form.rise, self._searcher.counts.excess)
        return bound + self._form.rise

    def _searches(self) -> Iterator[Searcher]:
        form, memory = self._form, self._resources.memory
        if self._slides is not None:
            yield ParallelSearcher(self._slides, self._start, self._resources.threads)
            return
        boards, entries = arrangements(form.counts), min(LARGE, memory // 16)
        if exact_size(form) <= min(EXACT, entries):
            yield self._by_tables(None)
            return
        if boards <= _FEW_BOARDS:
            yield self._by_breadth(_FEW_BOARDS)
            return
        yield self._by_tables(SMALL)
        if exact_size(form) <= min(_EXACT_IF_HARD, memory // 16):
            yield self._by_tables(None)
            return
        kept = min(_MOST_BOARDS, memory // BYTES_PER_BOARD)
        if (boards <= min(_MANY_BOARDS, kept) or is_narrow(form)) and solved_boards(form):
            yield self._by_breadth(kept)
        yield self._by_tables(entries)

    def _by_tables(self, most: int | None) -> ParallelSearcher:
        plan = plan_of(self._form, most, self._resources)
        return ParallelSearcher(plan, self._start, self._resources.threads)

    def _by_breadth(self, most: int) -> Boards:
        form = self._form
        boards = Boards(steps_on(form), max(form.groups) + 1, most)
        boards.begin(0, [[form.groups[tile] for tile in self._start]])
        boards.begin(1, solved_boards(form))
        return boards


def shortest_search(
    form: GeneralForm, start: Tiles, length: int, resources: Resources
) -> DepthFirstSearch:
    """Return a search that visits all shortest solutions; they have `length` moves."""
    entries = resources.memory // 16
    is_exact = exact_size(form) <= min(_EXACT_IF_HARD, entries)
    plan = plan_of(form, None if is_exact else min(LARGE, entries), resources)
    return DepthFirstSearch(plan, start, length)


def is_narrow(form: GeneralForm) -> bool:
    """Return whether the blank has little choice, as in corridors and cycles."""
    edges = Counter(steps_on(form).edges.items[::2])
    choices = sum(count * (count - 1) for count in edges.values())
    return choices <= _NARROW * edges.total()


def solved_boards(form: GeneralForm) -> list[tuple[int, ...]]:
    """Return all solved boards with groups for tiles; an empty list if there are too many."""
    left = form.counts - Counter(group for group in form.wanted if group != FREE)
    if arrangements(left) > _MOST_GOALS:
        return []
    return [tuple(board) for board in fillings(list(form.wanted), list(form.places(FREE)), left)]

"""The engine `general`: shortest solutions of any puzzle, by compiled searches on all cores.

It supports walls, repeated labels, fillers, partial goals, multi-tile moves and any shape. `Stages`
chooses the search and replaces it when the board proves hard (`stages.py`). When the user names
IDA* with the Manhattan distance, `solve_counted` returns the node counts of the glass box
(`counted.py`). Compiled code is loaded when `solve` needs it, not when this module is imported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from taquin.engine.base import Engine, Fit, Solutions, compiled_fit, is_refuted
from taquin.engine.deepening import Deepening
from taquin.engine.general.counted import counted_fit, solve_counted
from taquin.engine.general.form import MOST_CELLS, form_of
from taquin.engine.glass import estimate
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Result, Task
from taquin.system.machine import memory_left, refuse_threads, usable_cores
from taquin.system.words import counted
from taquin.tables.shape import moves_along

if TYPE_CHECKING:
    from taquin.engine.general.estimates import Resources

_SLICE = 1 << 16
"""Nodes between two calls of the control while solutions are listed."""


@dataclass(frozen=True, slots=True)
class General(Engine):
    """The compiled search for any puzzle. Raise UnsuitableError for a bad number of threads."""

    threads: int | None = None
    """Threads to use; None for one per core."""

    name = "general"
    is_compiled = True
    starts_slowly = True
    takes_searches = True
    summary = f"any puzzle of up to {MOST_CELLS:,} cells, compiled, on all cores"

    def __post_init__(self) -> None:
        refuse_threads(self.threads)

    def fits(self, task: Task) -> Fit:
        """Return whether the grid is small enough, and whether it knows a search by name."""
        if task.puzzle.grid.size > MOST_CELLS:
            return Fit(False, f"it serves grids of up to {MOST_CELLS:,} cells")
        is_named = task.algorithm is not None
        return self.available() and (
            counted_fit(task) if is_named else compiled_fit(task, every=True)
        )

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, or how far the proof of one got."""
        threads = self.threads or usable_cores()
        tag = EngineTag(self.name, counted(threads, "thread"))
        deepening = Deepening(control)
        if task.algorithm is not None:
            return solve_counted(task, deepening, tag, threads)
        control.concern(task)
        if not is_refuted(task, control):
            with control.guard():
                first = estimate(task)
                control.prove(first)
                control.prepare("loading the compiled search")
                from taquin.engine.general.stages import Stages

                form, board = form_of(task.puzzle, task.start)
                control.begin()
                stages = Stages(form, board, self._resources(control))
                deepening.run(first, stages, stages.after)
        return deepening.result(task, self, tag)

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
            from taquin.engine.general.stages import best_walker

            length = len(shortest.moves) + task.beyond
            walker = best_walker(form, board, length, self._resources(control))
            while not walker.is_done and control.tick(counters):
                budget = int(min(_SLICE, control.nodes_left(counters)))
                if budget < 1:
                    control.end(Limit.NODES)
                    return
                counters.generated += walker.go(budget)
                if blanks := walker.solution:
                    with control.paused():
                        yield moves_along(task.start, form.on_grid(blanks))

    def _resources(self, control: Control) -> Resources:
        from taquin.engine.general.estimates import Resources

        tick = partial(control.report, "filling tables")
        memory = memory_left(control.limits.memory)
        return Resources(self.threads or usable_cores(), memory, tick)

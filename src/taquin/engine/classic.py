"""The common part of the engines for classic puzzles, and the simplest: the complete table."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache

from taquin.engine.base import Engine, Fit, compiled_fit, is_refuted
from taquin.heuristics.pattern_databases import Patterns
from taquin.heuristics.per_tile import Manhattan
from taquin.model.moves import Metric
from taquin.reasons import reason
from taquin.search.algorithms import IDAStar
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Result, Task
from taquin.tables.shape import LARGEST, Normal, moves_along

TABLE_CELLS = 9
"""The maximum number of cells for which there is a complete table of distances."""


def classic_fit(engine: Engine, task: Task, *, every: bool = False) -> Fit:
    """Return whether a task is a classic puzzle that a compiled engine can run on this machine."""
    return _classic(task, LARGEST) and engine.available() and compiled_fit(task, every=every)


def _classic(task: Task, most: int) -> Fit:
    """Return whether a task is a classic puzzle of up to `most` cells, or which condition fails."""
    puzzle, size = task.puzzle, task.puzzle.grid.size
    if puzzle.metric is not Metric.SINGLE:
        return Fit(False, reason("no-slides"))
    if size > most:
        return Fit(False, reason("classic-cells", most=most, cells=size))
    return Fit(task.normal is not None, reason("classic-only"))


def normal_of(task: Task) -> Normal:
    """Return the normal form of a task that fits."""
    assert task.normal is not None, "the task fits"
    return task.normal


def begin(task: Task, control: Control) -> Normal | None:
    """Return the normal form of a task that fits, or None if it has no solution.

    The control learns why it has none, or else the first lower bound.
    """
    if is_refuted(task, control):
        return None
    normal = normal_of(task)
    control.prove(normal.manhattan)
    return normal


@cache
def method(tables: str | None) -> IDAStar:
    """Return the search of these engines with a set of tables, for results."""
    return IDAStar(Manhattan() if tables is None else Patterns(tables))


@dataclass(frozen=True, slots=True)
class DistanceLookup:
    """The method of the complete table: following its distances down to the goal."""

    name = "distances"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CompleteTable(Engine):
    """Follow a table of all distances down to the goal."""

    name = "table"
    is_compiled = True
    starts_slowly = True
    needs_fallback = False
    batch = 32
    in_threads = True
    summary = f"classic puzzles of up to {TABLE_CELLS} cells, looked up in a table of every board"

    def fits(self, task: Task) -> Fit:
        """Return whether the task is a small classic puzzle."""
        is_classic = _classic(task, TABLE_CELLS)
        return is_classic and self.available() and compiled_fit(task, counts=False)

    def batch_key(self, task: Task) -> Hashable:
        """Return the limits: boards with equal limits are solved in parallel."""
        return task.limits

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution."""
        from taquin.tables.distances import DistanceTable

        normal = normal_of(task)
        moves = None
        with control.guard():
            blanks = DistanceTable(normal.shape).solution(normal.board)
            control.begin()
            if blanks is None:
                is_refuted(task, control)
            elif control.tick(Counters()):
                control.prove(len(blanks) - 1)
                moves = None if control.is_over else moves_along(task.start, blanks)
        return control.result(
            task, DistanceLookup(), EngineTag("complete table"), Counters(), counts=(), moves=moves
        )

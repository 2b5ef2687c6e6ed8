"""What the engines for classic puzzles share: what fits them, how they begin, what they run."""

from __future__ import annotations

from functools import cache

from taquin.engine.seam import Engine, Fit, compiled_fit, is_refuted
from taquin.heuristics.manhattan import Manhattan
from taquin.heuristics.patterns import Patterns
from taquin.search.algorithms import IDAStar
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.tables.shape import LARGEST, Normal, normal_form


def classic_fit(engine: Engine, task: Task, *, every: bool = False) -> Fit:
    """Return whether a task is a classic puzzle that a compiled engine can run on this machine."""
    if normal_form(task.puzzle, task.start) is None:
        return Fit(
            False,
            f"it serves classic puzzles of up to {LARGEST} cells: at least 2×2, no walls, every "
            f"tile different, every cell of the goal named, single moves",
        )
    fit = engine.available()
    return compiled_fit(task, every=every) if fit else fit


def normal_of(task: Task) -> Normal:
    """Return the normal form of a task that fits."""
    normal = normal_form(task.puzzle, task.start)
    assert normal is not None, "the task fits"
    return normal


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
    """Return the search that these engines run with a set of tables."""
    return IDAStar(Manhattan() if tables is None else Patterns(tables))

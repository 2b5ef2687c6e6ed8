"""The complete table as an engine: classic puzzles of up to nine cells, looked up."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from taquin.engine.classic import normal_of
from taquin.engine.seam import FITS, Engine, Fit, compiled_fit, is_refuted
from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Result, Task
from taquin.tables.shape import moves_along, normal_form

LARGEST = 9
"""Most cells for which there is a complete table of distances."""

_TAG = EngineTag("complete table")


@dataclass(frozen=True, slots=True)
class LookUp:
    """What a complete table does in place of a search."""

    name = "distances"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class CompleteTable(Engine):
    """Walk down the table of all distances."""

    name = "table"
    starts_slowly = True
    may_take_long = False
    summary = f"classic puzzles of up to {LARGEST} cells, looked up in a table of every board"

    def available(self) -> Fit:
        """Return whether NumPy is installed."""
        return FITS if find_spec("numpy") else Fit(False, "it needs NumPy: pip install numpy")

    def fits(self, task: Task) -> Fit:
        """Return whether the task is a classic puzzle, and small enough."""
        normal = normal_form(task.puzzle, task.start)
        if normal is None or normal.shape.size > LARGEST:
            return Fit(False, f"it serves classic puzzles of up to {LARGEST} cells")
        fit = self.available()
        return compiled_fit(task, counts=False) if fit else fit

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
        return control.result(task, LookUp(), _TAG, Counters(), counts=(), moves=moves)

"""The interface of engines: whether an engine fits a task, and how it solves it.

    task, control  ──►  engine  ──►  result

An engine is a frozen value with its settings (`Cpu(threads=2)`). It tells whether it can solve a
task on this machine, and solves it under a control, which alone ends searches and builds results
(see `taquin.search.control`). A new engine is one folder and one line in ENGINES,
`engine/task.py`.

At the end are what the engines for classic puzzles share, and the simplest of them, which follows a
complete table.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Protocol, TypeAlias

from taquin.errors import UnsuitableError
from taquin.heuristics.pattern_databases import Patterns
from taquin.model.moves import Metric, Move
from taquin.reasons import Reason, reason
from taquin.search.algorithms import IDAStar
from taquin.search.control import INTERRUPTED, Control
from taquin.search.result import (
    Count,
    Counters,
    EngineTag,
    NamedMethod,
    Outcome,
    Result,
    Task,
    Want,
)
from taquin.system.compiled import can_run_kernels, no_kernels
from taquin.system.interrupts import DeferredInterrupts
from taquin.tables.shape import LARGEST, Normal, moves_along

Solutions: TypeAlias = Iterator[tuple[Move, ...]]
"""The moves of each solution."""
ONE_SOLUTION = "it finds one solution, not every one"
WORTHWHILE = 10_000
"""A limit on fewer nodes than this is reached before compiled code and tables are loaded."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether an engine can solve a task."""

    yes: bool
    why_not: str = ""
    """The reason, as the second half of a sentence: `it needs CuPy, which is not installed`."""

    def __bool__(self) -> bool:
        return self.yes


FITS = Fit(True)
"""The answer of an engine that can solve a task."""


class Engine(Protocol):
    """The contract of an engine, with defaults; users name it by its `str`: `cpu(tables=large)`."""

    __slots__ = ()

    name: str = ""
    """The name for users."""
    summary: str = ""
    """One line on its purpose."""
    is_compiled: bool = False
    """Whether it runs kernels, which need a library for this platform."""
    starts_slowly: bool = False
    """Whether its first task in a process waits for libraries and compiled code."""
    takes_searches: bool = False
    """Whether it runs any search by name."""
    finds_optimal: bool = True
    """Whether a search that reaches no limit finds a shortest solution."""
    needs_fallback: bool = True
    """Whether to reserve time for a fallback solution."""
    only_optimal: bool = False
    """Whether the user accepts only a shortest solution."""
    batch: int = 0
    """The maximum size of a batch; 0 if it solves tasks one by one."""
    in_threads: bool = False
    """Whether a batch takes one thread, so that several may run in parallel."""

    def available(self) -> Fit:
        """Return whether this machine can run it; must be fast."""
        return kernels_fit() if self.is_compiled else FITS

    def fits(self, task: Task) -> Fit:
        """Return whether it can solve this task on this machine."""
        return FITS

    def preferred_for(self, task: Task) -> bool:
        """Return whether `Auto` may choose it for a task that fits."""
        return True

    def has_to_build(self, task: Task) -> bool:
        """Return whether it has to build tables before it can search."""
        return False

    def engine_for(self, task: Task) -> Engine:
        """Return the engine that solves a task: itself, unless it delegates."""
        return self

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task that fits and return the result, even if a limit ended the search."""

    def batch_key(self, task: Task) -> Hashable:
        """Return a key that the tasks of a batch share; None for a task to solve alone.

        It does not depend on the start.
        """
        return None

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the result of each task; all have equal batch keys.

        The control has no limit but the one on memory; each task has its own.
        """
        return [
            self.solve(task, Control(task.limits, stop=lambda: control.is_over)) for task in tasks
        ]

    def every(self, task: Task, control: Control) -> Solutions:
        """Yield every shortest solution once; the default raises UnsuitableError."""
        raise UnsuitableError(f"the engine {self.name} cannot do this: {ONE_SOLUTION}")

    def __str__(self) -> str:
        values = [(field, getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]
        settings = ", ".join(
            f"{field.name}={'none' if value is None else value}"
            for field, value in values
            if value != field.default
        )
        return f"{self.name}({settings})" if settings else self.name


def check_fit(engine: Engine, task: Task) -> None:
    """Raise MismatchError for a start that does not match its goal, or UnsuitableError."""
    task.puzzle.check(task.start)
    if not (fit := engine.fits(task)):
        raise UnsuitableError(reason("engine-unfit", name=engine.name, detail=Reason(fit.why_not)))


def run(task: Task, engine: Engine, control: Control) -> Result:
    """Solve a task by one engine, without the policy of `task.py`.

    Ctrl-C is deferred until the engine asks the control; the result says that the search stopped.
    Raise what `check_fit` raises.
    """
    with DeferredInterrupts() as block:
        check_fit(engine, task)
        result = engine.solve(task, control)
    return stopped(result) if block.is_interrupted else result


def stopped(result: Result) -> Result:
    """Mark a result as stopped by Ctrl-C."""
    return replace(result, outcome=Outcome.STOPPED, limit=None, reason=INTERRUPTED)


@cache
def kernels_fit() -> Fit:
    """Return whether kernels can run here; cached, because the lookup is slow."""
    return FITS if can_run_kernels() else Fit(False, no_kernels())


def compiled_fit(task: Task, *, every: bool = False, counts: bool = True) -> Fit:
    """Return whether compiled code can solve a task.

    It runs no search by name, counts only generated nodes (nothing unless `counts`), and finds one
    solution unless the engine lists `every` one.
    """
    limits = task.limits
    if task.want is Want.EVERY and not every:
        return Fit(False, ONE_SOLUTION)
    if task.algorithm is not None:
        return Fit(False, reason("own-search", name=str(task.algorithm)))
    if limits.nodes is None:
        return FITS
    if not counts:
        return Fit(False, reason("counts-nothing"))
    if limits.counting is not Count.GENERATED:
        return Fit(False, f"it counts the nodes generated, not those {limits.counting.value}")
    too_few = reason("few-nodes", most=WORTHWHILE)
    return FITS if limits.nodes >= WORTHWHILE else Fit(False, too_few)


def is_refuted(task: Task, control: Control) -> bool:
    """Return whether a task has no solution; if so, refute it in the control."""
    if task.normal is not None and task.normal.solvable:
        return False
    # Imported late: for a classic puzzle, only the reason needs it.
    from taquin.model.solvability import solvability

    verdict = solvability(task.puzzle, task.start)
    if not verdict:
        control.refute(verdict.reason)
    return not verdict


TABLE_CELLS = 9
"""The maximum number of cells for which there is a complete table of distances."""


def classic_fit(engine: Engine, task: Task, *, every: bool = False) -> Fit:
    """Return whether a task is a classic puzzle that a compiled engine can run on this machine."""
    return _classic_fit(task, LARGEST) and engine.available() and compiled_fit(task, every=every)


def _classic_fit(task: Task, most: int) -> Fit:
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
    # Without a heuristic, it has Manhattan distance.
    return IDAStar() if tables is None else IDAStar(Patterns(tables))


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
        fit = _classic_fit(task, TABLE_CELLS)
        return fit and self.available() and compiled_fit(task, counts=False)

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
        how, tag = NamedMethod("distances"), EngineTag("complete table")
        return control.result(task, how, tag, Counters(), counts=(), moves=moves)

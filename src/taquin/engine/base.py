"""The interface of engines: what an engine is, and what it says about a task before it solves it.

    task, control  ──►  engine  ──►  result

An engine is a frozen value with its settings (`Cpu(threads=2)`). It says whether a task fits it on
this machine, and solves it under a control, which alone ends searches and builds results (see
`taquin.search.control`). A new engine is one folder and one line in ENGINES, `engine/choose.py`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Protocol, TypeAlias

from taquin.errors import UnsuitableError
from taquin.model.moves import Move
from taquin.model.solvability import Solvability, solvability
from taquin.reasons import Reason, reason
from taquin.search.control import INTERRUPTED, Control
from taquin.search.result import Count, Outcome, Result, Task, Want
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.sources import can_run_kernels, no_kernels

Solutions: TypeAlias = Iterator[tuple[Move, ...]]
"""The moves of one solution after the other."""
ONE_SOLUTION = "it finds one solution, not every one"
WORTHWHILE = 10_000
"""A search reaches a limit on fewer nodes than this before compiled code and tables are loaded."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether an engine can serve."""

    yes: bool
    why_not: str = ""
    """The reason, as the second half of a sentence: `it needs CuPy, which is not installed`."""

    def __bool__(self) -> bool:
        return self.yes


FITS = Fit(True)
"""The answer of an engine that can serve."""


class Engine(Protocol):
    """The contract of an engine, with defaults; it prints as users name it: `cpu(tables=large)`."""

    __slots__ = ()

    name: str = ""
    """The name by which users ask for it."""
    summary: str = ""
    """One line on what it is for."""
    is_compiled: bool = False
    """Whether it runs kernels, which need a library or a compiler."""
    starts_slowly: bool = False
    """Whether its first task in a process waits for libraries and compiled code."""
    takes_searches: bool = False
    """Whether it runs searches by name, or some of them."""
    finds_optimal: bool = True
    """Whether the solution of a search that no limit ended is a shortest one."""
    needs_fallback: bool = True
    """Whether to keep time for a good solution in case it finds no shortest one."""
    only_optimal: bool = False
    """Whether the user wants a shortest solution or none."""
    batch: int = 0
    """The maximum number of tasks that it solves together; 0 if it solves them one by one."""
    in_threads: bool = False
    """Whether it uses one thread for tasks that it solves together, and others may run beside."""

    def available(self) -> Fit:
        """Return whether this machine can run it at all; must cost next to nothing."""
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
        """Return the engine that runs a task: itself, unless it chooses among others."""
        return self

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task that fits, and return the result, however the search ended."""

    def batch_key(self, task: Task) -> Hashable:
        """Return what tasks to be solved together have in common; None for one to solve alone.

        It does not depend on the start.
        """
        return None

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the result of each task; `batch_key` has returned the same for all.

        The control has no limit but the one on memory; each task has its own.
        """
        return [
            self.solve(task, Control(task.limits, stop=lambda: control.is_over)) for task in tasks
        ]

    def every(self, task: Task, control: Control) -> Solutions:
        """Return every shortest solution once; the default is to refuse."""
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
    """Solve a task by an engine and nothing else; `task.py` has the policy around it.

    Ctrl-C is deferred until the engine asks the control; the result says that the search stopped.
    Raise what `check_fit` raises.
    """
    with DeferredInterrupts() as block:
        check_fit(engine, task)
        result = engine.solve(task, control)
    return stopped(result) if block.is_interrupted else result


def stopped(result: Result) -> Result:
    """Return the result of a search that Ctrl-C ended."""
    return replace(result, outcome=Outcome.STOPPED, limit=None, reason=INTERRUPTED)


@cache
def kernels_fit() -> Fit:
    """Return whether kernels can run here; cached, because the lookup is slow."""
    return FITS if can_run_kernels() else Fit(False, no_kernels())


def compiled_fit(task: Task, *, every: bool = False, counts: bool = True) -> Fit:
    """Return whether compiled code can do what a task asks for.

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
    """Return whether a task has no solution; if so, tell the control why."""
    verdict = solvability(task.puzzle, task.start)
    if verdict.answer is Solvability.NO:
        control.refute(verdict.reason)
    return verdict.answer is Solvability.NO

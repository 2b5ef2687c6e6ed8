"""The seam: what an engine is, and what it says of a task before it takes it.

    task, control  ──►  engine  ──►  result

An engine is a frozen value with its settings (`Cpu(threads=2)`). It is asked whether a task fits it
on this machine, and solves it under a control, which alone ends searches and builds results (see
`taquin.search.control`). A new engine is one folder and one line in ENGINES, `engine/choose.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

from taquin.model.solvability import Solvability, solvability
from taquin.search.control import Control
from taquin.search.result import Count, Result, Task, Want


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether an engine can serve."""

    yes: bool
    why_not: str = ""
    """In a sentence's second half, if it cannot: `it needs Numba, which is not installed`."""

    def __bool__(self) -> bool:
        return self.yes


FITS = Fit(True)
"""It can."""


class Engine(Protocol):
    """Whoever can solve a task."""

    @property
    def name(self) -> str:
        """Return the name by which it is asked for."""

    @property
    def summary(self) -> str:
        """Return in one line what it is for."""

    def available(self) -> Fit:
        """Tell whether this machine can run it at all; must cost next to nothing."""

    def fits(self, task: Task) -> Fit:
        """Tell whether it can solve this task on this machine."""

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task that fits; return what was found, however it ended."""


class Settled:
    """What engine values share: they print as they are asked for, `cpu(tables=large)`."""

    __slots__ = ()

    name = ""
    starts_slowly = False
    """Whether its first task in a process has to wait for libraries and compiled code."""
    takes_searches = False
    """Whether it runs searches that are named, or some of them."""

    def __str__(self) -> str:
        shown = []
        for each in fields(self):  # type: ignore[arg-type]
            value: Any = getattr(self, each.name)
            if value != each.default:
                shown.append(f"{each.name}={'none' if value is None else value}")
        return f"{self.name}({', '.join(shown)})" if shown else self.name


WORTHWHILE = 10_000
"""A limit on fewer nodes than this is reached before compiled code and its tables are at hand."""


@cache
def compiler_fit() -> Fit:
    """Tell whether there is Numba; looking for what is not imported takes a while, so once."""
    return FITS if find_spec("numba") else Fit(False, "it needs Numba: pip install numba")


def compiled_fit(task: Task, *, every: bool = False, counts: bool = True) -> Fit:
    """Tell whether a task asks for no more than compiled code does.

    That is: no search by name, no count but of nodes generated (none at all unless `counts`), and
    one solution unless the engine can list `every` one.
    """
    limits = task.limits
    if task.want is Want.EVERY and not every:
        return Fit(False, "it finds one solution, not every one")
    if task.algorithm is not None:
        return Fit(False, f"it has a search of its own and cannot run {task.algorithm}")
    if limits.nodes is None:
        return FITS
    if not counts:
        return Fit(False, "it counts no nodes, so a limit on them means nothing to it")
    if limits.counting is not Count.GENERATED:
        return Fit(False, f"it counts the nodes generated, not those {limits.counting.value}")
    too_few = f"it is for searches of {WORTHWHILE:,} nodes and more"
    return FITS if limits.nodes >= WORTHWHILE else Fit(False, too_few)


def refutation(task: Task) -> str:
    """Return why a task has no solution, in words."""
    return solvability(task.puzzle, task.start).reason


def is_refuted(task: Task, control: Control) -> bool:
    """Tell whether a task has no solution; then the control knows why."""
    verdict = solvability(task.puzzle, task.start)
    if verdict.answer is Solvability.NO:
        control.refute(verdict.reason)
    return verdict.answer is Solvability.NO

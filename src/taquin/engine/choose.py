"""Which engine solves a task: the named one, or the first that fits on this machine.

`ENGINES` lists the engines in the order in which `Auto` asks them. `Auto` also tries an easy board
in the glass box, which begins at once, before it loads compiled code. `task.py` decides how long an
engine looks for a shortest solution.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from taquin.engine.base import Engine, Solutions
from taquin.errors import UnsuitableError
from taquin.model.moves import Metric
from taquin.reasons import Reason, reason
from taquin.search.control import Control
from taquin.search.result import Outcome, Result, Task
from taquin.system.formatting import unknown
from taquin.system.lazy import LazyRegistry

if TYPE_CHECKING:
    from taquin.search.run import Algorithm


ENGINES: dict[str, Callable[..., Engine]] = LazyRegistry(
    table="engine.base:CompleteTable",
    gpu="engine.gpu.engine:Gpu",
    cpu="engine.cpu.engine:Cpu",
    cluster="engine.cluster:Cluster",
    anytime="engine.anytime.engine:Anytime",
    general="engine.general.engine:General",
    textbook="engine.textbook.engine:Textbook",
    glass="engine.glass:GlassBox",
)
"""Every engine by its name, in the order of preference of `Auto`."""

_TRY_NODES = 10_000
"""The limit on nodes of a first try in the glass box, which takes less time than loading compiled
code."""
_EASY_ESTIMATE = 18
"""Manhattan distance below which such a try is better than loading code: of random walks on 4×4
with less, it solved 115 of 118; of those with 18 to 24, 96 of 149."""
_EASY_SLIDES = 7
"""The limit in the multi-tile metric: with 5 or 6 a try solved 192 of 282, with 7 or 8 only 56 of
202."""
_TRY_ESTIMATE = 30
"""The limit for boards of up to nine cells, and for engines that prove nothing: from there on a try
solved 10 of 117."""
_SMALL = 9
"""Cells up to which the glass box solves any board within a few times that limit."""
_boards = count()
"""Numbers the boards of `is_first_board`."""


@dataclass(frozen=True, slots=True)
class Auto(Engine):
    """The first engine that fits, with those of these settings that it has."""

    tables: str | None = "small"
    """The set of pattern tables: `small`, `large`, or None for none."""
    threads: int | None = None
    """Cores to use; None for all."""
    once: bool = False
    """Whether this process probably solves one board; an easy one is left to the glass box."""
    first: Algorithm | None = None
    """A search to try briefly before any engine, because the user wants its counts."""
    only_optimal: bool = False
    """Whether to choose only among engines that find shortest solutions."""

    name = "auto"
    takes_searches = True
    summary = "the first of the engines that fits"

    def engine_for(self, task: Task) -> Engine:
        """Return the first preferred engine that fits; raise UnsuitableError if none is."""
        for engine in self._engines():
            if not engine.preferred_for(task) or (self.only_optimal and not engine.finds_optimal):
                continue
            if fit := engine.fits(task):
                return engine
        raise UnsuitableError(reason("no-engine", detail=Reason(fit.why_not)))

    def solve(self, task: Task, control: Control) -> Result:
        """Solve a task by the first engine that fits it."""
        engine = self.engine_for(task)
        return self.attempt(engine, task, control) or engine.solve(task, control)

    def attempt(self, engine: Engine, task: Task, control: Control) -> Result | None:
        """Try an easy board in the glass box; return None if `engine` should solve it."""
        if not self._tries_glass_box(engine, task):
            return None
        named = replace(task, algorithm=self.first or task.algorithm)
        search = partial(ENGINES["glass"]().solve, named, control)
        # A search by name must not count the nodes of a try.
        result = control.attempt(_TRY_NODES, search, counts=task.algorithm is None)
        is_cut = result is not None and result.outcome is Outcome.LIMIT_REACHED
        return None if is_cut and not engine.finds_optimal else result

    def batch_key(self, task: Task) -> Hashable:
        """Return the first engine that fits with its batch key."""
        engine = self.engine_for(task)
        if task.algorithm is not None or self._tries_glass_box(engine, task):
            return None
        batch_key = engine.batch_key(task)
        return None if batch_key is None else (engine, batch_key)

    def solve_many(self, tasks: Sequence[Task], control: Control) -> list[Result]:
        """Return the results of the first engine that fits."""
        return self.engine_for(tasks[0]).solve_many(tasks, control)

    def every(self, task: Task, control: Control) -> Solutions:
        """Return every shortest solution from the first engine that fits."""
        return self.engine_for(task).every(task, control)

    def _tries_glass_box(self, engine: Engine, task: Task) -> bool:
        """Return whether the glass box may finish before `engine` starts, or prove more."""
        if self.first is not None:
            return True
        if not engine.finds_optimal:
            return _first_bound(task) < _TRY_ESTIMATE
        if not (self.once and engine.starts_slowly):
            return False
        is_single = task.puzzle.metric is Metric.SINGLE
        most = _EASY_ESTIMATE if is_single else _EASY_SLIDES
        most = _TRY_ESTIMATE if task.puzzle.grid.size <= _SMALL else most
        return _first_bound(task) < most or engine.has_to_build(task)

    def _engines(self) -> Iterator[Engine]:
        """Yield every engine in order, with those of these settings that it has."""
        settings = {"tables": self.tables, "threads": self.threads}
        for name in ENGINES:
            make: Any = ENGINES[name]
            known = make.__dataclass_fields__
            yield make(**{name: value for name, value in settings.items() if name in known})


def _first_bound(task: Task) -> int:
    """Return a lower bound for the start: the Manhattan distance of a classic board."""
    if task.normal is not None:
        return task.normal.manhattan
    from taquin.engine.glass import estimate

    return estimate(task)


def is_first_board() -> bool:
    """Return True for the first call in a process, for `Auto.once`.

    A process that solves a second board is likely to solve many, and compiled code pays.
    """
    return next(_boards) == 0


def engine_named(text: str, **settings: Any) -> Engine:
    """Return the engine that `text` names, or `auto`, with these settings; None is not given.

    Raise UnsuitableError for an unknown name or setting.

    >>> print(engine_named("cpu(tables=large)", threads=1))
    cpu(tables=large, threads=1)
    """
    name: str = text
    written: Mapping[str, str] = {}
    if text not in ENGINES and text != "auto":
        # Imported late: few runs need it.
        from taquin.search.grammar import read_call

        name, written = read_call(text)
    if name != "auto" and name not in ENGINES:
        raise UnsuitableError(unknown("engine", name, ["auto", *ENGINES]))
    make: Any = Auto if name == "auto" else ENGINES[name]
    kinds = {field.name: str(field.type) for field in fields(make)}
    options: dict[str, Any] = {}
    given = {key: value for key, value in settings.items() if value is not None}
    for key, value in {**written, **given}.items():
        if key not in kinds:
            takes = ", ".join(kinds) or "no settings"
            raise UnsuitableError(f"the engine {name} does not support {key}; it takes {takes}")
        options[key] = None if value == "none" else value
        kind = kinds[key].partition(" ")[0]
        if options[key] is not None and kind in ("int", "float"):
            from taquin.search.grammar import read_option

            options[key] = read_option(key, kind, value)
    engine: Engine = make(**options)
    return engine

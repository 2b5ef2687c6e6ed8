"""The policy for solving a task, shared by the library, the commands, the page and studies.

    task, wishes, control  ──►  solve  ──►  result

    Wishes.engine ── an easy first board ──►  the glass box
          │
    a shortest solution, for 3/4 of a limit on seconds, or for as long as the user has patience
          │ none in that time                     │ another limit, Ctrl-C, the stop button
    a good solution in the rest of the time       a good solution in half a second

`ENGINES` lists the engines in the order in which `Auto` asks them. `Auto` also tries an easy board
in the glass box, which begins at once, before it loads compiled code.

Callers differ only in their `Wishes`. `run` in `base.py` solves by one engine without this policy.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from taquin.engine.base import Engine, Solutions, check_fit, kernels_fit, stopped
from taquin.errors import UnsuitableError
from taquin.model.moves import Metric
from taquin.reasons import Reason, reason
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Result, Task
from taquin.system.formatting import unknown
from taquin.system.interrupts import DeferredInterrupts
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
        settings = {"tables": self.tables, "threads": self.threads}
        for name in ENGINES:
            make: Any = ENGINES[name]
            known = make.__dataclass_fields__
            engine: Engine = make(**{key: settings[key] for key in settings if key in known})
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


_FALLBACK_SHARE = 0.25
"""The share of a limit on seconds reserved, or of nodes added, for a fallback solution."""
_FALLBACK_NODES = 1_000_000
"""The most nodes for a fallback solution after a limit on nodes: about half a second."""


PATIENCE = 5.0
"""Seconds that an interactive user waits for a shortest solution before any good one will do."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a caller wants a task solved."""

    engine: Engine = field(default_factory=Auto)
    """The engine, or `Auto` for the first that fits; its `only_optimal` accepts only a shortest
    solution."""
    fallback: bool = True
    """Whether to return a suboptimal solution if a limit or a stop prevents a shortest one."""
    patience: float | None = None
    """Seconds after which any good solution will do; None to wait for a shortest one."""
    fallback_seconds: float = 0.5
    """Seconds for a fallback solution after Ctrl-C or a limit on memory: on 5×5, more time hardly
    improves it."""
    advice: str = ""
    """How the user can insist on a shortest solution, the end of a notice: "; …"."""

    @property
    def threads(self) -> int | None:
        """Cores to use; None for all."""
        threads: int | None = getattr(self.engine, "threads", None)
        return threads

    def seconds_for_shortest(self, task: Task) -> float | None:
        """Return the seconds for a shortest solution before any good one will do; None: no limit.

        A named engine or search may use all the time.
        """
        engine, allowed, patience = self.engine, task.limits.seconds, self.patience
        if not isinstance(engine, Auto) or engine.only_optimal or task.algorithm is not None:
            return None
        if allowed is not None and self.fallback:
            seconds: float | None = allowed * (1 - _FALLBACK_SHARE)
        else:
            is_patient = allowed is not None and patience is not None and patience >= allowed
            seconds = None if is_patient else patience
        if seconds is None:
            return None
        # Imported late, here and below: few searches end without a shortest solution.
        from taquin.engine.anytime.engine import Anytime

        return seconds if Anytime().fits(task) else None


SHORTEST = Wishes(fallback=False)
"""A shortest solution or, if a limit ends the search, its result so far."""


def solve(task: Task, wishes: Wishes, control: Control) -> Result:
    """Solve a task; raise MismatchError, or UnsuitableError if the engine does not support it.

    Ctrl-C is deferred until the engine asks the control; the result says that the search stopped.
    """
    with DeferredInterrupts() as block:
        check_fit(wishes.engine, task)
        result = _searched(task, wishes, control)
        if wishes.fallback and not wishes.engine.only_optimal:
            result = with_good_solution(result, task, wishes, control)
    return stopped(result) if block.is_interrupted else result


def completed(result: Result, task: Task, wishes: Wishes, control: Control | None) -> Result:
    """Add a suboptimal solution if the search found no optimal one.

    Without a control, that is a constructed solution, which takes milliseconds.
    """
    seconds = wishes.seconds_for_shortest(task)
    if control is not None and seconds is not None and result.limit is Limit.SECONDS:
        result = _good_in_the_rest(seconds, result, task, wishes, control)
    if wishes.fallback and not wishes.engine.only_optimal:
        result = with_good_solution(result, task, wishes, control)
    return result


def _searched(task: Task, wishes: Wishes, control: Control) -> Result:
    """Return the engine's result, or a good solution after the time for a shortest one."""
    engine = wishes.engine
    if not isinstance(engine, Auto):
        return engine.solve(task, control)
    chosen = engine.engine_for(task)
    if (result := engine.attempt(chosen, task, control)) is not None:
        return result
    grid = task.puzzle.grid
    if wishes.patience is not None and grid.size > _SMALL and not kernels_fit():
        # The user who waits learns why this takes so long.
        control.notice(kernels_fit().why_not)
    if not chosen.finds_optimal:
        control.notice(
            reason("settle-large", rows=grid.rows, columns=grid.columns, advice=wishes.advice)
        )
    seconds = wishes.seconds_for_shortest(task) if chosen.needs_fallback else None
    if seconds is None:
        return chosen.solve(task, control)
    result = chosen.solve(task, control.part(seconds))
    if result.limit is not Limit.SECONDS:
        return result
    return _good_in_the_rest(seconds, result, task, wishes, control)


def _good_in_the_rest(
    seconds: float, result: Result, task: Task, wishes: Wishes, control: Control
) -> Result:
    """Use the remaining time of a search without solution for a good one."""
    from taquin.engine.anytime.engine import Anytime

    control.take_over(result)
    anytime = Anytime(threads=wishes.threads)
    if task.limits.seconds is None:
        control.notice(reason("settle-on", count=seconds, advice=wishes.advice))
        return anytime.solve(task, control)
    control.notice(reason("settle-rest", count=seconds))
    good = anytime.solve(task, control, proves=False)
    if good.outcome is not Outcome.SOLVED or good.optimal:
        return good
    # The user wanted a shortest solution, and the limit prevented it.
    control.end(Limit.SECONDS)
    return replace(
        good,
        outcome=Outcome.LIMIT_REACHED,
        limit=control.limit,
        reason=control.reason,
        bounds=result.bounds,
    )


def with_good_solution(
    result: Result, task: Task, wishes: Wishes, control: Control | None
) -> Result:
    """Add a good solution to a result that a limit or a stop left without one.

    The search for it ends after half a second or at a second Ctrl-C. After a limit on nodes it gets
    a quarter of them, so that equal limits give equal solutions. After a limit on seconds, and
    without a control, the solution is constructed in milliseconds. Results of searches by name, and
    proofs that no solution is short enough, are returned unchanged.
    """
    is_cut = result.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED)
    if result.moves is not None or not is_cut or result.limit is Limit.DEPTH:
        return result
    if task.algorithm is not None:
        return result
    from taquin.engine.anytime.construction import constructed

    moves = None
    if control is not None and result.limit not in (Limit.SECONDS, Limit.CPU_SECONDS):
        from taquin.engine.anytime.engine import Anytime

        # A GPU takes seconds to prepare.
        beam = Anytime(wishes.fallback_seconds, threads=wishes.threads, gpu=False)
        rest = Limits(depth=task.limits.depth, memory=task.limits.memory)
        if result.limit is Limit.NODES:
            beam = Anytime(threads=1, gpu=False)
            nodes = int(_FALLBACK_SHARE * (task.limits.nodes or 0))
            rest = replace(rest, nodes=min(_FALLBACK_NODES, nodes))
        if beam.fits(task):
            with suppress(KeyboardInterrupt):
                good = beam.solve(replace(task, limits=rest), control.apart(), proves=False)
                moves = good.moves
    return replace(result, moves=constructed(task) if moves is None else moves)

"""The policy for solving a task, shared by the library, the commands, the page and studies.

    task, wishes, control  ──►  solve  ──►  result

    Wishes.engine ── an easy first board ──►  the glass box
          │
    a shortest solution, for 3/4 of a limit on seconds, or for as long as the user has patience
          │ none in that time                     │ another limit, Ctrl-C, the stop button
    a good solution in the rest of the time       a good solution in half a second

Callers differ only in their `Wishes`. `run` in `base.py` solves by one engine without this policy.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace

from taquin.engine.base import Engine, check_fit, stopped
from taquin.engine.choose import Auto
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Result, Task
from taquin.system.interrupts import DeferredInterrupts

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
    if not chosen.finds_optimal:
        grid = task.puzzle.grid
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

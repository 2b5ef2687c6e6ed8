"""When a good solution will do in place of a shortest one, and how it is found then."""

from __future__ import annotations

from dataclasses import dataclass, replace

from taquin.search.control import Control
from taquin.search.result import Limit, Outcome, Result, Task

_SHARE = 0.25
"""Share of a limit on seconds that is kept for a good solution in case there is no shortest one."""
_SHORTEST, _LONGEST = 0.25, 5.0
"""Seconds for a good solution after a limit on nodes; less is not worth loading code for."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Look for a good solution after `patience`, or where a limit left none."""

    patience: float | None = None
    """Seconds after which any good solution will do; None to wait for a shortest one."""
    fallback: bool = False
    """Whether part of a limit on seconds is kept for a good solution if no shortest is found."""
    advice: str = ""
    """How the user can insist on a shortest solution, for the notice that patience has ended."""

    def seconds_for_a_shortest(self, task: Task) -> float | None:
        """Return how long to look for a shortest solution before any good one; None: no limit."""
        allowed, patience = task.limits.seconds, self.patience
        if allowed is not None and self.fallback:
            seconds: float | None = allowed * (1 - _SHARE)
        else:
            is_patient = allowed is not None and patience is not None and patience >= allowed
            seconds = None if is_patient else patience
        if seconds is None:
            return None
        # Imported late, here and below: few searches end without a shortest solution.
        from taquin.engine.anytime.engine import Anytime

        return seconds if Anytime().fits(task) else None

    def settled(self, result: Result, task: Task, control: Control, threads: int | None) -> Result:
        """Return the result of a search that ended, with a good solution if it has no shortest."""
        if result.outcome not in (Outcome.LIMIT_REACHED, Outcome.STOPPED):
            return result
        seconds = self.seconds_for_a_shortest(task)
        if seconds is not None and result.limit is Limit.SECONDS:
            return self._settle_in_the_rest(seconds, result, task, control, threads)
        return _settle_after(result, task, control, threads) if self.fallback else result

    def _settle_in_the_rest(
        self, seconds: float, result: Result, task: Task, control: Control, threads: int | None
    ) -> Result:
        """Look for a good solution in the time that the search for a shortest one has left."""
        from taquin.engine.anytime.engine import Anytime

        control.take_over(result)
        settling = Anytime(threads=threads)
        notice = f"No shortest solution after {seconds:g} s: looking for a good one"
        if task.limits.seconds is None:
            advice = f"; {self.advice}" if self.advice else ""
            control.notice(f"{notice}, and for better ones{advice}.")
            return settling.solve(task, control)
        control.notice(f"{notice} in the time that is left.")
        settled = settling.solve(task, control, proves=False)
        if settled.outcome is not Outcome.SOLVED or settled.optimal:
            return settled
        # The user wants a shortest solution, and the limit came before it was found.
        control.end(Limit.SECONDS)
        return replace(
            settled,
            outcome=Outcome.LIMIT_REACHED,
            limit=control.limit,
            reason=control.reason,
            bounds=result.bounds,
        )


PATIENT = Settling()
"""Wait for a shortest solution, however long it takes, where an engine can find one."""


def _settle_after(result: Result, task: Task, control: Control, threads: int | None) -> Result:
    """Return the result of a search that ended, with a good solution if it has none.

    After a limit on nodes, finding one may take a quarter of the time of the search; its boards
    do not count as nodes.
    """
    if result.moves is None and result.limit is Limit.NODES:
        from taquin.engine.anytime.engine import Anytime

        seconds = min(_LONGEST, result.stats.seconds * _SHARE)
        settling = Anytime(seconds, threads=threads)
        if seconds >= _SHORTEST and settling.fits(task):
            return replace(result, moves=settling.solve(task, control.apart(), proves=False).moves)
    return with_constructed_solution(result, task)


def with_constructed_solution(result: Result, task: Task) -> Result:
    """Return a result with a constructed solution where a limit or a stop left none.

    That takes milliseconds. The result of a search by name, or of one that proved that no solution
    is short enough, stays as it is.
    """
    is_cut = result.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED)
    if result.moves is not None or not is_cut or result.limit is Limit.DEPTH:
        return result
    if task.algorithm is not None:
        return result
    from taquin.engine.anytime.construction import constructed

    return replace(result, moves=constructed(task))

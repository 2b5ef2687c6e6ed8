"""Run user code in a worker process, and check the results of searches with it.

    parent:  solve(task)  ── task ──►  worker:  the engine, the search and the user's heuristic
             Result       ◄──────────           its result, or its last counters if it was killed

The command line uses `Isolation` for searches and heuristics with user code, because a worker can
always be limited and killed. Everything else, and the library, runs in the calling process. A
worker is reused for the next job of the command and replaced after a kill. A search checks its own
limits; `JobProcess` kills one that does not: a function that never returns costs the time limit and
half a second.

A user's heuristic that calls itself admissible, or a user's loop, proves nothing. So `checked`
compares its solution with a shortest one of taquin's own where that is cheap: from the complete
table, or from an engine within about a second. The check runs after the search and apart from it,
so `tq.solve` does without it; the command line and the page do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf
from threading import main_thread
from typing import Any, TypeVar

from taquin.analysis.audit import (
    Audit,
    Auditor,
    AuditProgress,
    Comparison,
    Extent,
    compared,
    dominance,
)
from taquin.analysis.hints import quick_engine
from taquin.engine.base import run
from taquin.engine.task import Wishes, solve
from taquin.errors import TaquinError, UnfinishedError, UserCodeError
from taquin.heuristics.base import Heuristic, holds_user_code
from taquin.heuristics.registry import BoardEstimates
from taquin.heuristics.user_code import (
    blaming_user_code,
    place_in_user_code,
    user_code_parts,
    user_part,
    with_source,
)
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.reasons import Reason, reason
from taquin.search.control import INTERRUPTED, TABLES_FIRST, Control, Phase, Progress
from taquin.search.driver import TAG, trace_under
from taquin.search.events import Event, Finished
from taquin.search.result import COUNTERS, Counters, Limit, Limits, Outcome, Result, Task
from taquin.search.run import Algorithm
from taquin.search.user_search import UserSearch
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts, interrupted
from taquin.system.jobs import Beat, End, Item, JobEnding, JobError, JobProcess, Link, Text, spare

_Value = TypeVar("_Value")
MODULE = __name__
"""The module that a worker imports before it is ready."""
_SILENCE = 10.0
"""Seconds without a beat, beyond the time limit, in phases that the limit does not count."""
_OF_FUNCTION = ("expanded", "generated", "max_depth")
"""The counters reported for a killed search in user code."""


@dataclass(frozen=True, slots=True)
class JobState:
    """The progress of a job."""

    place: str = ""
    """The file and line of running user code; empty if none runs."""
    counters: Counters = field(default_factory=Counters)
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    finding: Audit | None = None
    """The findings of an audit so far."""


@dataclass(frozen=True, slots=True)
class _Notice:
    line: str


@dataclass(slots=True)
class Isolation:
    """Runs user code in worker processes, and passes on its output.

    A worker starts on demand and lives until `close`.
    """

    write: Callable[[str, bool], None]
    """Called with the output of user code, and whether it is for the error stream."""
    notice: Callable[[str], None]
    """Called with a notice for the user."""
    _workers: list[JobProcess] = field(default_factory=list)
    _idle: list[JobProcess] = field(default_factory=list)

    def close(self) -> None:
        """Kill the workers."""
        for worker in self._workers:
            worker.close()
            worker.reap()
        self._workers, self._idle = [], []

    def solve(self, task: Task, wishes: Wishes, progress: Progress | None = None) -> Result:
        """Return the solution of a task; raise UserCodeError for faults of the user's code."""
        with DeferredInterrupts() as block:
            ending = self._ending(
                task.limits, task.algorithm, _solve_here, task, wishes, progress=progress
            )
            result = _result_of(ending, task)
        if block.is_interrupted:
            result = replace(result, outcome=Outcome.STOPPED, limit=None, reason=INTERRUPTED)
        return result

    def trace(self, task: Task) -> tuple[Algorithm, Iterator[Event]]:
        """Return the loaded search and its event stream; raise as `solve` does."""
        reasons: list[str] = []

        def stopping() -> str:
            return reasons[0] if reasons else INTERRUPTED if interrupted() else ""

        def events() -> Iterator[Event]:
            for value in values:
                if not isinstance(value, JobEnding):
                    yield value
                elif value.how is not End.DONE:
                    yield Finished(_result_of(value, task))

        with DeferredInterrupts() as block:
            values = self._values(task.limits, stopping, _trace_here, task)
            first = next(values)
            algorithm: Any = task.algorithm
            if isinstance(first, JobEnding):
                # The job ended before its code was loaded; a fault is raised here.
                return algorithm, iter([Finished(_result_of(first, task))])
            return first, deferring_interrupts(events(), lambda: reasons.append(INTERRUPTED), block)

    def call(
        self, limits: Limits, held: object, function: Callable[..., _Value], *args: Any
    ) -> Any:
        """Return the value of a top-level function that calls the user code in `held`.

        Raise UserCodeError for its faults, and UnfinishedError when a limit or Ctrl-C ends it.
        """
        [value] = self.each(limits, held, _once, function, args)
        return value

    def each(
        self, limits: Limits, held: object, function: Callable[..., Iterator[_Value]], *args: Any
    ) -> Iterator[_Value]:
        """Yield the values of a generator that calls the user code in `held`; raise as `call`."""
        with DeferredInterrupts():
            for value in self._values(limits, _if_interrupted, _each_here, limits, function, args):
                if not isinstance(value, JobEnding):
                    yield value
                elif value.how is not End.DONE:
                    _raise_fault(value, held)
                    raise UnfinishedError(_why(value, held, limits))

    def audits(
        self,
        heuristics: Sequence[Heuristic],
        extent: Extent,
        progress: AuditProgress,
        limits: Limits,
    ) -> Comparison:
        """Audit several heuristics, those with user code in a worker."""

        def show(counters: Counters, seconds: float) -> None:
            progress(counters.max_depth, counters.expanded)

        def audit_one(heuristic: Heuristic) -> Audit:
            if not holds_user_code(heuristic):
                return extent.auditor(heuristic).run(progress)
            with DeferredInterrupts():
                ending = self._ending(
                    limits, heuristic, _audit_here, heuristic, extent, progress=show
                )
            if ending.how is End.DONE:
                audit: Audit = ending.value
                return audit
            found = ending.state and ending.state.finding
            stopped = _why(ending, heuristic, limits)
            finding: Audit = found or extent.auditor(heuristic).findings(stopped)
            return replace(finding, stopped=stopped)

        def compare(sound: Sequence[Heuristic], extent: Extent) -> Any:
            if not holds_user_code(tuple(sound)):
                return dominance(sound, extent)
            try:
                return self.call(limits, tuple(sound), dominance, sound, extent)
            except UnfinishedError:
                return {}, 0

        return compared(heuristics, extent, audit_one, compare)

    def _ending(
        self,
        limits: Limits,
        held: object,
        job: Callable[..., Any],
        *args: Any,
        progress: Progress | None = None,
    ) -> JobEnding:
        """Return the ending of a job, or raise its exception."""
        for value in self._values(limits, _if_interrupted, job, *args, progress=progress):
            if isinstance(value, JobEnding):
                _raise_fault(value, held)
                return value
        raise AssertionError("a job ends with its ending")

    def _values(
        self,
        limits: Limits,
        stopping: Callable[[], str],
        job: Callable[..., Any],
        *args: Any,
        progress: Progress | None = None,
    ) -> Iterator[Any]:
        """Yield the items of a job, and its ending."""
        if not self._idle:
            worker = spare.pop() if spare else JobProcess(MODULE)
            self._workers.append(worker)
            self._idle.append(worker)
        worker = self._idle.pop()
        # Beats are missing for long only while a call of C blocks Python.
        silence = inf if limits.seconds is None else limits.seconds + _SILENCE
        messages = worker.messages(
            job, *args, memory=limits.memory, silence=silence, stopping=stopping
        )
        try:
            for message in messages:
                match message:
                    case Text():
                        self.write(message.text, message.is_error)
                    case Item(_Notice() as notice):
                        self.notice(notice.line)
                    case Beat(_, JobState() as state) if progress is not None:
                        progress(state.counters, state.seconds)
                    case Item():
                        yield message.value
                    case JobEnding():
                        yield message
        finally:
            # Closing the messages kills an unfinished job.
            messages.close()
            if not worker.is_closed:
                self._idle.append(worker)


def user_code_in(value: object) -> str:
    """Return the names of the user code in an algorithm or a heuristic."""
    names = dict.fromkeys(f"{code.where}:{code.name}" for code in user_code_parts(value))
    return ", ".join(names) or "user code"


def _if_interrupted() -> str:
    return INTERRUPTED if interrupted() else ""


def _raise_fault(ending: JobEnding, held: object) -> None:
    """Raise UserCodeError if user code failed or ended its process."""
    if ending.how is End.DIED:
        state = ending.state or JobState()
        place = f"{state.place}: " if state.place else ""
        raise UserCodeError(f"{place}{user_code_in(held)}: {ending.value}")
    if ending.how is End.FAILED and isinstance(ending.value, JobError):
        raise UserCodeError(
            f"{user_code_in(held)} made taquin fail ({ending.value}); if it does not change taquin "
            f"itself, please report this, with what TAQUIN_DEBUG=1 prints"
        )
    if ending.how is End.FAILED:
        raise ending.value


def _why(ending: JobEnding, held: object, limits: Limits) -> str:
    """Return the reason for a job's end, in words."""
    if ending.how is End.STOPPED:
        return INTERRUPTED
    control = Control(limits)
    if ending.how is End.MEMORY:
        control.end(Limit.MEMORY)
        return control.reason
    control.end(Limit.SECONDS)
    place = ending.state.place if ending.state else ""
    return f"{control.reason}; {user_code_in(held)} did not return{place and f' from {place}'}"


def _result_of(ending: JobEnding, task: Task) -> Result:
    """Return the result of a job, or the partial result of a killed one."""
    if ending.how is End.DONE:
        result: Result = ending.value
        return result
    _raise_fault(ending, task.algorithm)
    state = ending.state or JobState()
    control = Control(task.limits)
    control.concern(task)
    if ending.how is End.STOPPED:
        control.stop(INTERRUPTED)
    else:
        control.end(Limit.MEMORY if ending.how is End.MEMORY else Limit.SECONDS)
    control.prove(not task.puzzle.is_goal(task.start))
    control.prove(state.counters.bound)
    seconds = state.seconds
    if ending.how is End.SECONDS and task.limits.seconds is not None:
        seconds = max(seconds, task.limits.seconds)
    control.credit(seconds, state.cpu_seconds, 0)
    counts = _OF_FUNCTION if isinstance(task.algorithm, UserSearch) else COUNTERS
    method: Any = task.algorithm
    result = control.result(task, method, TAG, state.counters, counts=counts)
    return replace(result, reason=_why(ending, task.algorithm, task.limits))


# The functions from here on run in the worker.


def control_for(
    link: Link, limits: Limits, *, uncounted: tuple[Phase, ...] = (), auditor: Auditor | None = None
) -> Control:
    """Return a control through which the parent process watches and stops a search or audit."""
    counters = Counters()

    def progress(now: Counters, seconds: float) -> None:
        nonlocal counters
        counters = now

    def stop() -> bool:
        if link.stop_reason:
            control.stop(link.stop_reason)
        return control.is_over

    def state() -> tuple[float, JobState]:
        place = place_in_user_code(main_thread().ident)
        finding = None if auditor is None else auditor.findings("unfinished")
        known = Counters(max_depth=finding.depth, expanded=finding.boards) if finding else counters
        return control.seconds_left(), JobState(
            place, known, control.seconds, control.cpu_seconds, finding
        )

    control = Control(
        limits,
        progress=progress,
        stop=stop,
        notice=lambda line: link.put(_Notice(line)),
        uncounted=uncounted,
    )
    link.describe(state)
    return control


def _solve_here(link: Link, task: Task, wishes: Wishes) -> Result:
    return solve(task, wishes, control_for(link, task.limits))


def _trace_here(link: Link, task: Task) -> None:
    algorithm: Any = with_source(task.algorithm)
    events = trace_under(task, algorithm, control_for(link, task.limits))
    if isinstance(algorithm, UserSearch):
        _ = algorithm.claims
    link.put(algorithm)
    for event in events:
        link.put(event)


def _once(function: Callable[..., _Value], args: tuple[Any, ...]) -> Iterator[_Value]:
    yield function(*args)


@blaming_user_code()
def _each_here(
    link: Link, limits: Limits, function: Callable[..., Iterator[Any]], args: tuple[Any, ...]
) -> None:
    control_for(link, limits)
    for value in function(*args):
        link.put(value)
        if link.stop_reason:
            return


@blaming_user_code()
def _audit_here(link: Link, heuristic: Heuristic, extent: Extent) -> Audit:
    auditor = extent.auditor(heuristic)
    control_for(link, Limits(seconds=extent.seconds), auditor=auditor)
    return auditor.run()


@lru_cache(maxsize=8)
def _batch(heuristic: Any, puzzle: Puzzle) -> BoardEstimates:
    return BoardEstimates(heuristic, lambda board: puzzle)


def estimate_of(heuristic: Any, puzzle: Puzzle, board: Board) -> int:
    """Return an estimate; boards of one kind share its preparation. For `Isolation.call`."""
    return _batch(heuristic, puzzle).value(board)


_SECONDS = 1.0
"""The most seconds of the search for a shortest solution."""


def checked(result: Result) -> Result:
    """Check a solution, and return the result with the bound and `reason` that this proves.

    Only solutions that involve user code are checked. `lower_bound` rises to the true
    distance or to what the check proved within its time.
    """
    if result.outcome is not Outcome.SOLVED or not holds_user_code(result.algorithm):
        return result
    assert result.cost is not None, "a solved board has a solution"
    if result.optimal:
        return replace(result, reason=_overestimate(result, result.cost))
    best = _shortest(result)
    if best is None:
        return result
    if best.outcome is Outcome.STOPPED:
        return replace(result, outcome=best.outcome, reason=best.reason)
    bound = min(result.cost, max(result.lower_bound, best.lower_bound))
    if bound < result.cost and not best.optimal:
        known = result.cost if best.cost is None else best.cost
        return replace(result, lower_bound=bound, reason=contradiction(result, known))
    return replace(result, lower_bound=bound, assumes="", reason=_finding(result, best))


def checked_events(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a search, the last one with the checked result."""
    for event in events:
        yield Finished(checked(event.result)) if isinstance(event, Finished) else event


def contradiction(result: Result, shortest: int) -> str:
    """Return how a known solution of `shortest` moves refutes a result; empty if it does not."""
    if not result.assumes or result.cost is None or result.cost <= shortest:
        return ""
    refuted = reason("refuted", claim=Reason(result.assumes))
    return reason("longer-than-other", count=result.cost - shortest, rest=refuted)


def _shortest(result: Result) -> Result | None:
    """Return an engine's result within a second; None if it does not support the task."""
    limits, task = Limits(seconds=_SECONDS), Task(result.puzzle, result.start)
    control = Control(limits, uncounted=TABLES_FIRST)
    with suppress(TaquinError):
        return run(replace(task, limits=limits), quick_engine(task.puzzle), control)
    return None


def _finding(result: Result, best: Result) -> str:
    """Return how the solution compares with a shortest one, and what follows for user code."""
    assert result.cost is not None
    distance = min(result.cost, best.lower_bound)
    extra, over = result.cost - distance, _overestimate(result, distance)
    if not extra:
        return over
    if over:
        return reason("longer", count=extra, detail=over)
    refuted = reason("refuted", claim=Reason(result.assumes)) if result.assumes else ""
    return reason("longer-by", count=extra, distance=distance, rest=refuted)


def _overestimate(result: Result, distance: int) -> str:
    """Return that the estimate of the start exceeds its distance, if it does."""
    if result.estimate is None or result.estimate <= distance:
        return ""
    search = result.algorithm
    # The property `heuristic` of a search in user code would run the code.
    arguments: Any = search.code.arguments if isinstance(search, UserSearch) else ()
    heuristic = arguments[0] if arguments else getattr(search, "heuristic", None)
    name, estimate = user_part(heuristic), result.estimate
    return reason("not-admissible", name=name, estimate=estimate, distance=distance)

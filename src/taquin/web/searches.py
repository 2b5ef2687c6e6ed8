"""Jobs that search: solve a board, trace a search, race several searches."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic, sleep
from typing import Any

from taquin import Algorithm, Anytime, Result, trace
from taquin.engine.base import Engine, check_fit
from taquin.engine.checking import checked, checked_events
from taquin.engine.choose import Auto, engine_named, is_first_board
from taquin.engine.settling import Settling, with_constructed_solution
from taquin.search.contest import Contest, Contestant, Effort, rank_of
from taquin.search.control import TABLES_FIRST, Control
from taquin.search.result import Counters, Task, effort, verdict
from taquin.views.records import result_record, to_json_lines
from taquin.web.job import SPARE_SECONDS, Emit, Job, ShouldStop

_PROGRESS_SECONDS = 0.2
"""The time between two `progress` events."""
_FRAME_SECONDS = 0.05
"""The time between two `frame` events of a race."""
_UNLIMITED = 1e12
"""More expansions or seconds than any search needs."""
_LONGEST_RACE = 600.0
"""The most seconds of a race with a given speed."""
_MOST_CELLS = 500_000
"""Solutions with more cells than this on all boards are sent as moves only."""
_PATIENCE = 5.0
"""Seconds of search for a shortest solution before any solution is accepted."""
_INSIST = "“Optimal, however long it takes” insists"
"""The name of the page's option for a shortest solution."""


@dataclass(frozen=True, slots=True)
class Solve(Job):
    """Solve a board, and report progress."""

    task: Task
    engine: str
    """The name of an engine, or `auto`."""
    optimal: bool = False
    """Whether only a shortest solution is accepted."""
    anytime: float | None = None
    """Seconds of the anytime engine; None for a shortest solution."""
    within: float | None = None
    """The factor by which a solution may exceed the shortest."""

    @property
    def seconds(self) -> float:
        """The limit of the search, and time to build tables."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Search, and emit the result."""
        engine, limits = self._engine(), self.task.limits
        check_fit(engine, self.task)
        reported_at = -inf
        best = inf

        def begin() -> None:
            nonlocal reported_at
            reported_at = 0.0
            shown = {"seconds": limits.seconds, "nodes": limits.nodes, "memory": limits.memory}
            emit("started", {"engine": engine.engine_for(self.task).name, "limits": shown})

        def report(counters: Counters, seconds: float) -> None:
            nonlocal reported_at, best
            if reported_at == -inf:
                begin()
            if counters.best is not None and counters.best < best:
                best, bound = counters.best, control.proven
                gap = best / bound - 1 if bound else None
                emit("improved", {"cost": best, "lower_bound": bound, "gap": gap})
            if not 0 <= seconds - reported_at < _PROGRESS_SECONDS:
                reported_at = seconds
                emit("progress", _progress(counters, seconds))

        def notice(sentence: str) -> None:
            emit("notice", {"sentence": sentence})

        control = Control(
            limits, progress=report, stop=should_stop, notice=notice, uncounted=TABLES_FIRST
        )
        if self.task.algorithm is None:
            # Loading tables may delay the first report by seconds. Searches by name report at once,
            # and may be rejected before that.
            begin()
        result = engine.solve(self.task, control)
        if not engine.only_optimal:
            result = with_constructed_solution(result, self.task)
        emit("result", _result(checked(result)))

    def _engine(self) -> Engine:
        if self.anytime is not None or self.within is not None:
            options = {"seconds": self.anytime, "within": self.within}
            return Anytime(**{key: value for key, value in options.items() if value is not None})  # type: ignore[arg-type]
        engine = engine_named(self.engine)
        if not isinstance(engine, Auto):
            return engine
        once = is_first_board()
        if self.optimal:
            return replace(engine, once=once, settling=None)
        settling = Settling(_PATIENCE, fallback=True, advice=_INSIST)
        return replace(engine, once=once, settling=settling)


@dataclass(frozen=True, slots=True)
class Trace(Job):
    """Emit every event of a search, as fast as the client reads."""

    task: Task
    search: Algorithm

    @property
    def seconds(self) -> float:
        """The limit of the search."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Emit the header, then a record for every event."""
        task = self.task
        events = checked_events(trace(task.puzzle, task.start, self.search, task.limits))
        for line in to_json_lines(events, puzzle=task.puzzle, algorithm=self.search):
            emit("record", line)
            if should_stop():
                return
            yield


@dataclass(frozen=True, slots=True)
class Race(Job):
    """Run several searches side by side, in lockstep."""

    task: Task
    searches: tuple[Algorithm, ...]
    by: Effort
    speed: float | None = None
    """Expansions, or seconds, of each search per second of wall-clock time; None for full speed."""
    skip: float = 0.0
    """Expansions, or seconds, of each search at full speed before the first frame."""

    @property
    def seconds(self) -> float:
        """The limit of the whole race, pauses included."""
        if self.speed is not None:
            return _LONGEST_RACE + SPARE_SECONDS
        return (self.task.limits.seconds or 0.0) * len(self.searches) + SPARE_SECONDS

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Run the race, and emit its state about twenty times a second."""
        task, deadline = self.task, monotonic() + self.seconds - SPARE_SECONDS
        contest = Contest(task.puzzle, task.start, self.searches, task.limits, self.by)
        while contest.running and contest.level < self.skip and not should_stop():
            contest.advance(self.skip - contest.level, _FRAME_SECONDS)
        amount = _UNLIMITED if self.speed is None else self.speed * _FRAME_SECONDS
        while contest.running and not should_stop() and monotonic() < deadline:
            began = monotonic()
            contest.advance(amount, _FRAME_SECONDS)
            emit("frame", {"runners": [_state(runner) for runner in contest.contestants]})
            if self.speed is not None:
                sleep(max(0.0, began + _FRAME_SECONDS - monotonic()))
            yield
        contest.stop()
        for runner in contest.contestants:
            runner.result = runner.result and checked(runner.result)
        runners = [_finish(runner, contest.contestants) for runner in contest.contestants]
        emit("result", {"runners": runners, "by": self.by.value})


def _state(runner: Contestant) -> dict[str, Any]:
    result = runner.result
    return {
        "name": runner.name,
        "expanded": runner.expanded,
        "frontier": runner.frontier,
        "depth": runner.depth,
        "board": runner.board.rows(),
        "spent": runner.spent,
        "done": result is not None,
        "cost": result and result.cost,
        "outcome": result and result.outcome.value,
    }


def _finish(runner: Contestant, runners: Sequence[Contestant]) -> dict[str, Any]:
    result = runner.result
    assert result is not None, "the race is over"
    record = result_record(result)
    return {
        **_state(runner),
        "place": rank_of(runner, runners),
        **{name: record[name] for name in ("optimal", "moves", "lower_bound", "stats")},
        "sentence": verdict(result),
    }


def _progress(counters: Counters, seconds: float) -> dict[str, Any]:
    return {
        "seconds": round(seconds, 3),
        "stage": counters.stage,
        "expanded": counters.expanded,
        "generated": counters.generated,
        "frontier": counters.frontier,
        "depth": counters.max_depth,
        "bound": int(counters.bound),
        "best": counters.best,
    }


def _result(result: Result) -> dict[str, Any]:
    """Return the record of a result, with its boards and sentences for the page."""
    is_short = (
        result.moves is not None and len(result.moves) * result.start.grid.size <= _MOST_CELLS
    )
    return result_record(result) | {
        "gap": result.gap,
        "sentence": verdict(result),
        "effort": effort(result),
        "boards": [board.rows() for board in result.boards()] if is_short else None,
    }

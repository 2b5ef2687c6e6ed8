"""Jobs that search: solve a board, show a search step by step, let several race."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from time import monotonic, sleep
from typing import Any

from taquin.engine.anytime.engine import Anytime, settled_by_hand
from taquin.engine.choose import Auto, demand, engine_named, insists
from taquin.engine.seam import Engine
from taquin.model.moves import Label
from taquin.search.contest import By, Contest, Runner, place_of
from taquin.search.control import Control
from taquin.search.driver import trace
from taquin.search.result import Counters, Limits, Result, Task, effort, verdict
from taquin.search.run import Algorithm
from taquin.views.records import result_record, to_json_lines
from taquin.web.job import SPARE_SECONDS, STOP_SECONDS, Stop, Tell, rows_of

_PROGRESS_SECONDS = 0.2
"""Between two reports of a search."""
_FRAME_SECONDS = 0.05
"""Between two of a race."""
_LONGEST_RACE = 600.0
"""Seconds of a race that is slowed down."""
_MOST_CELLS = 500_000
"""Cells of all boards of a solution beyond which they are left to whoever replays the moves."""
_PATIENCE = 5.0
"""Seconds before a good solution will do where no shortest one is found."""
_INSIST = "“A shortest, however long it takes” insists"
"""In the words of the page."""


@dataclass(frozen=True, slots=True)
class Solve:
    """Solve a board, with progress on the way."""

    task: Task
    engine: str
    """Its name."""
    optimal: bool = False
    """Whether only a shortest solution will do."""
    anytime: float | None = None
    """Seconds for any good solution, the better the longer; None where a shortest one is meant."""
    within: float | None = None
    """How many times as long as a shortest solution it may be."""

    is_quick = False
    stop_seconds = STOP_SECONDS

    @property
    def seconds(self) -> float:
        """Return the limit of the search, and time to get ready."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Search, and tell the result."""
        engine = self._engine()
        demand(engine, self.task)
        told = -inf
        best: int | None = None

        def begin() -> None:
            nonlocal told
            chosen = engine.chosen(self.task) if isinstance(engine, Auto) else engine
            tell("started", {"engine": chosen.name, "limits": _limits(self.task.limits)})
            told = 0.0

        def report(counters: Counters, seconds: float) -> None:
            nonlocal told, best
            if told == -inf:
                begin()
            if counters.best is not None and (best is None or counters.best < best):
                best = counters.best
                tell("improved", _improved(best, control.proven))
            if not 0 <= seconds - told < _PROGRESS_SECONDS:
                told = seconds
                tell("progress", _progress(counters, seconds))

        control = Control(
            self.task.limits,
            progress=report,
            stop=stop,
            notice=lambda line: tell("notice", {"sentence": line}),
        )
        if self.task.algorithm is None:
            # The first report may be seconds away, in the compiler. Searches by name report at
            # once, and may be refused before.
            begin()
        result = engine.solve(self.task, control)
        if not insists(engine):
            result = settled_by_hand(result, self.task)
        tell("result", _found(result))

    def _engine(self) -> Engine:
        if self.anytime is not None or self.within is not None:
            known = {"seconds": self.anytime, "within": self.within}
            return Anytime(**{key: value for key, value in known.items() if value is not None})  # type: ignore[arg-type]
        engine = engine_named(self.engine)
        if isinstance(engine, Auto):
            if self.optimal:
                return replace(engine, once=True, optimal=True)
            return replace(engine, once=True, settles=True, patience=_PATIENCE, insist=_INSIST)
        return engine


@dataclass(frozen=True, slots=True)
class Trace:
    """Search before the eyes of a watcher: every event, as fast as they are read."""

    task: Task
    search: Algorithm

    is_quick = False
    stop_seconds = STOP_SECONDS

    @property
    def seconds(self) -> float:
        """Return the limit of the search; what the watcher takes does not count."""
        return (self.task.limits.seconds or 0.0) + SPARE_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Search, and tell a record for every event, the header first."""
        task = self.task
        events = trace(task.puzzle, task.start, self.search, task.limits)
        for line in to_json_lines(events, puzzle=task.puzzle, algorithm=self.search):
            tell("record", line)
            if stop():
                return


@dataclass(frozen=True, slots=True)
class Race:
    """Several searches side by side, in lockstep."""

    task: Task
    searches: tuple[Algorithm, ...]
    by: By
    speed: float | None = None
    """What each gets in a second of the clock on the wall; None for all that there is."""

    is_quick = False
    stop_seconds = STOP_SECONDS

    @property
    def seconds(self) -> float:
        """Return how long the race may take, the time between its frames included."""
        if self.speed is not None:
            return _LONGEST_RACE + SPARE_SECONDS
        return (self.task.limits.seconds or 0.0) * len(self.searches) + SPARE_SECONDS

    def run(self, tell: Tell, stop: Stop) -> None:
        """Run the race, and tell about twenty times a second how it stands."""
        task, until = self.task, monotonic() + self.seconds - SPARE_SECONDS
        contest = Contest(task.puzzle, task.start, self.searches, task.limits, self.by)
        owed = 0.0
        while contest.running and not stop() and monotonic() < until:
            began = monotonic()
            amount = inf
            if self.speed is not None:
                owed += self.speed * _FRAME_SECONDS
                # Whole expansions only; what is left of one is not lost.
                amount = owed // 1 if self.by is By.EXPANSIONS else owed
                owed -= amount
            contest.advance(amount, _FRAME_SECONDS)
            tell("frame", {"runners": [_place(runner) for runner in contest.runners]})
            if self.speed is not None:
                sleep(max(0.0, began + _FRAME_SECONDS - monotonic()))
        contest.stop()
        found = [_finish(runner, contest.runners) for runner in contest.runners]
        tell("result", {"runners": found, "by": self.by.value})


def _place(runner: Runner) -> dict[str, Any]:
    """Return where a search of a race is."""
    result = runner.result
    return {
        "name": runner.name,
        "expanded": runner.expanded,
        "frontier": runner.frontier,
        "depth": runner.depth,
        "board": rows_of(runner.board),
        "spent": runner.spent,
        "done": result is not None,
        "cost": result and result.cost,
        "outcome": result and result.outcome.value,
    }


def _finish(runner: Runner, runners: Sequence[Runner]) -> dict[str, Any]:
    """Return what a search of a race has found."""
    result = runner.result
    assert result is not None, "the race is over"
    found = _place(runner) | {"place": place_of(runner, runners)}
    record = result_record(result)
    kept = {name: record[name] for name in ("optimal", "moves", "lower_bound", "stats")}
    return found | kept | {"sentence": verdict(result)}


def _progress(counters: Counters, seconds: float) -> dict[str, Any]:
    """Return the counters of a search under way."""
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


def _found(result: Result) -> dict[str, Any]:
    """Return a result with what a page shows of it."""
    boards: list[list[list[Label]]] | None = None
    if result.moves is not None and len(result.moves) * result.start.grid.size <= _MOST_CELLS:
        boards = [rows_of(board) for board in result.boards()]
    gap = result.gap
    return result_record(result) | {
        "gap": gap,
        "sentence": verdict(result),
        "effort": effort(result),
        "boards": boards,
    }


def _limits(limits: Limits) -> dict[str, Any]:
    return {"seconds": limits.seconds, "nodes": limits.nodes, "memory": limits.memory}


def _improved(cost: int, bound: int) -> dict[str, Any]:
    return {"cost": cost, "lower_bound": bound, "gap": cost / bound - 1 if bound else None}

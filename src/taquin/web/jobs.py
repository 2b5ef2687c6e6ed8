"""What workers do for a request: each job is a value that is sent to one, and tells as it goes.

    server ── job, pickled ──►  worker  ── frames of an event stream ──►  server ──► client

A job tells events, names with a record of JSON each. A `stop` that answers yes ends it soon after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import randrange
from typing import Any, Protocol, TypeAlias

from taquin.engine.anytime.engine import Anytime
from taquin.engine.choose import Auto, engine_named, run
from taquin.engine.depths import boards_at_depth
from taquin.engine.seam import Engine
from taquin.errors import MachineError
from taquin.model.board import Arrangement
from taquin.model.moves import Label
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.search.control import Control
from taquin.search.driver import trace
from taquin.search.result import Counters, Limits, Result, Task, effort, verdict
from taquin.search.run import Algorithm
from taquin.views.records import result_record, to_json_lines

PROGRESS_SECONDS = 0.2
"""Between two reports of a search."""
_MOST_CELLS = 500_000
"""Cells of all boards of a solution beyond which they are left to whoever replays the moves."""
_PATIENCE = 5.0
"""Seconds before a good solution will do where no shortest one is found."""
GRACE = 10.0
"""Seconds that a worker may be silent beyond its limits, in code that cannot be asked to stop."""

Tell: TypeAlias = Callable[[str, Any], None]
"""Called with the name of an event and its record, or the record's text."""
Stop: TypeAlias = Callable[[], bool]


class Job(Protocol):
    """Something to do in a worker."""

    @property
    def seconds(self) -> float:
        """Return how long the worker may take in all, while somebody waits for it."""

    def run(self, tell: Tell, stop: Stop) -> None:
        """Do it."""


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

    @property
    def seconds(self) -> float:
        """Return the limit of the search, and time to get ready."""
        return (self.task.limits.seconds or 0.0) + GRACE

    def run(self, tell: Tell, stop: Stop) -> None:
        """Search, and tell the result."""
        engine = self._engine()
        told = -inf
        best: int | None = None

        def report(counters: Counters, seconds: float) -> None:
            nonlocal told, best
            if told == -inf:
                # Not before: a task that does not fit the engine is refused and never starts.
                tell("started", {"engine": str(engine), "limits": _limits(self.task.limits)})
                told = 0.0
            if counters.best is not None and (best is None or counters.best < best):
                best = counters.best
                tell("improved", _improved(best, control.proven))
            if seconds - told >= PROGRESS_SECONDS:
                told = seconds
                tell("progress", progress_record(counters, seconds))

        control = Control(
            self.task.limits,
            progress=report,
            stop=stop,
            notice=lambda line: tell("notice", {"sentence": line}),
        )
        tell("result", found_record(run(self.task, engine, control)))

    def _engine(self) -> Engine:
        if self.anytime is not None or self.within is not None:
            known = {"seconds": self.anytime, "within": self.within}
            return Anytime(**{key: value for key, value in known.items() if value is not None})  # type: ignore[arg-type]
        engine = engine_named(self.engine)
        if isinstance(engine, Auto):
            patience = None if self.optimal else _PATIENCE
            return replace(engine, once=True, optimal=self.optimal, patience=patience)
        return engine


@dataclass(frozen=True, slots=True)
class Trace:
    """Search before the eyes of a watcher: every event, as fast as they are read."""

    task: Task
    search: Algorithm

    @property
    def seconds(self) -> float:
        """Return the limit of the search; what the watcher takes does not count."""
        return (self.task.limits.seconds or 0.0) + GRACE

    def run(self, tell: Tell, stop: Stop) -> None:
        """Search, and tell a record for every event, the header first."""
        task = self.task
        events = trace(task.puzzle, task.start, self.search, task.limits)
        for line in to_json_lines(events, puzzle=task.puzzle, algorithm=self.search):
            tell("record", line)
            if stop():
                return


@dataclass(frozen=True, slots=True)
class Scramble:
    """Make a board that can be solved."""

    puzzle: Puzzle
    limits: Limits
    seed: int | None = None
    """None for any."""
    moves: int | None = None
    """Random moves from the goal; None for a board that is as mixed as any."""
    distance: int | None = None
    """Moves of its shortest solution; None for any."""
    labels: tuple[Label, ...] | None = None
    """The tiles to use, where the goal does not tell them."""

    @property
    def seconds(self) -> float:
        """Return the limit on the time."""
        return (self.limits.seconds or 0.0) + GRACE

    def run(self, tell: Tell, stop: Stop) -> None:
        """Make the board, and tell it."""
        seed = randrange(2**32) if self.seed is None else self.seed
        uniform = self.moves is None
        if self.distance is not None:
            control = Control(self.limits, stop=stop)
            drawing = boards_at_depth(self.puzzle, self.distance, seed, control=control)
            board, uniform = next(drawing.boards, None), drawing.uniform
            if board is None:
                raise MachineError(f"{control.reason}: no board was found in time")
        elif self.moves is None:
            board = random_board(self.puzzle.goal, seed, labels=self.labels)
        else:
            board = random_walk(self.puzzle, self.moves, seed, labels=self.labels)
        found = {"board": rows_of(board), "goal": rows_of(self.puzzle.goal), "text": board.text()}
        tell("result", found | {"seed": seed, "distance": self.distance, "uniform": uniform})


def rows_of(position: Arrangement) -> list[list[Label]]:
    """Return the labels of a board or a goal, row by row; `*` where any tile will do."""
    return [list(row) for row in position.rows()]


def progress_record(counters: Counters, seconds: float) -> dict[str, Any]:
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


def found_record(result: Result) -> dict[str, Any]:
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

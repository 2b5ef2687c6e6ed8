"""`--forecast`: the expected number of nodes of IDA*, bound by bound, beside the actual number.

bound  forecast nodes   ±  random board  searched  forecast time
41             120  2%           410       118         100 µs
43             650  3%         1,900         –         600 µs      not searched
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from taquin import Anytime, Engine, IDAStar, Limits, Outcome, Result
from taquin.analysis.forecast import BoundForecast, forecast, tree_of, whole_search
from taquin.cli.output import Column, print_table
from taquin.cli.running import isolation
from taquin.cli.screen import say, status_line
from taquin.engine.choose import run
from taquin.heuristics.base import evaluator_for, holds_user_code
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.system.formatting import rounded, seconds_in_words

_TRIAL = 0.3
"""Seconds to measure the speed of the search."""
_LONGEST = 30.0
"""Time limit of a forecast with user code in seconds, unless that of the search is longer."""
_KNOWN = Limits(nodes=1_000_000, seconds=_LONGEST)
"""Limits on finding a solution, at whose length the forecast ends. One thread usually takes half a
second for so many nodes, and finds the same solution every time."""
_MOST_BOUNDS = 40
"""Moves beyond the first bound up to which to forecast, where no solution is known."""
_BEYOND = 4
"""Moves beyond the last bound searched up to which to print the forecast."""


@dataclass(frozen=True, slots=True)
class TaskForecast:
    """The forecast of a task on an engine."""

    engine: Engine
    """The engine that will search."""
    bounds: tuple[BoundForecast, ...]
    speed: float
    """Nodes generated per second; 0 if unknown."""

    def json(self) -> list[dict[str, Any]]:
        """Return the forecast of each bound as a JSON value."""
        return [asdict(row) | {"seconds": self._seconds(row.nodes)} for row in self.bounds]

    def print_beside(self, result: Result) -> None:
        """Print the forecast of each bound beside the nodes generated."""
        nodes_in = dict(result.bounds)
        last = max(nodes_in, default=0)
        rows = [row for row in self.bounds if row.bound <= last + _BEYOND]

        def searched(bound: int) -> str:
            return f"{nodes_in[bound]:,}" if bound in nodes_in else "–"

        columns = [
            Column("bound", lambda row: str(row.bound)),
            Column("forecast nodes", lambda row: rounded(round(row.nodes))),
            Column("±", lambda row: f"{row.error / max(1.0, row.nodes):.0%}"),
            Column("searched", lambda row: searched(row.bound)),
            Column("forecast time", lambda row: self.time(row.nodes)),
        ]
        if any(row.formula is not None for row in rows):
            columns.insert(3, Column("random board", lambda row: rounded(round(row.formula or 0))))
        if rows:
            print_table(columns, rows)

    def _seconds(self, nodes: float) -> float | None:
        return nodes / self.speed if self.speed else None

    def time(self, nodes: float) -> str:
        """Return the expected time for so many nodes, with its unit."""
        seconds = self._seconds(nodes)
        return "–" if seconds is None else seconds_in_words(seconds)


def forecast_of(task: Task, engine: Engine) -> TaskForecast:
    """Print and return the forecast of a task; raise UnsuitableError unless it runs IDA*."""
    expected: TaskForecast
    with status_line("forecasting …"):
        rough = Task(task.puzzle, task.start, limits=_KNOWN)
        known = run(rough, Anytime(threads=1), Control(_KNOWN))
        if holds_user_code(task.algorithm):
            # The time limit of the search does not include the forecast.
            limits = replace(task.limits, seconds=max(_LONGEST, task.limits.seconds or 0))
            arguments = _forecast, task, engine, known
            expected, name, length = isolation().call(limits, task.algorithm, *arguments)
        else:
            expected, name, length = _forecast(task, engine, known)
    if expected.bounds:
        nodes = whole_search(expected.bounds)
        say(
            f"Forecast of {name}: about {rounded(int(float(f'{nodes:.2g}')))} nodes, "
            f"{expected.time(nodes)}, if no solution is shorter than {length} moves."
        )
    return expected


def _forecast(task: Task, engine: Engine, known: Result) -> tuple[TaskForecast, str, int]:
    """Return the forecast of a task, the name of its search, and the last bound of the forecast.

    `known` is a solution of the board, or proves that there is none.
    """
    engine = engine.engine_for(task)
    tree = tree_of(task, engine)
    first = evaluator_for(tree.heuristic, tree.space).value(tree.space.start)
    trial = Limits(seconds=_TRIAL)
    tried = run(replace(task, limits=trial), engine, Control(trial))
    generated, seconds = tried.stats.generated or 0, tried.stats.seconds
    length = first + _MOST_BOUNDS if known.cost is None else known.cost
    bounds = () if known.outcome is Outcome.UNSOLVABLE else range(first, length + 1)
    speed = generated / seconds if seconds else 0
    name = str(task.algorithm or IDAStar(tree.heuristic))
    return TaskForecast(engine, forecast(tree, bounds), speed), name, length

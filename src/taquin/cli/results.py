"""A result reported: in words, as JSON, as an exit status."""

from __future__ import annotations

import json
from typing import Any

from taquin.cli.status import OK, REFUTED, STOPPED
from taquin.model.rows import fold
from taquin.search.result import Outcome, Result, Stats
from taquin.system.words import bytes_in_words, counted, seconds_in_words

STATUS = {
    Outcome.SOLVED: OK,
    Outcome.UNSOLVABLE: REFUTED,
    Outcome.LIMIT_REACHED: STOPPED,
    Outcome.STOPPED: STOPPED,
}
"""The exit status of each outcome."""


def verdict(result: Result) -> str:
    """Say in one sentence what was found, and what is proven about it."""
    bound = result.lower_bound
    if result.outcome is Outcome.UNSOLVABLE:
        return f"No solution possible: {result.reason}."
    if result.cost is None:
        word = "Stopped" if result.outcome is Outcome.STOPPED else "No solution found"
        return f"{word}: {result.reason}. Any solution has at least {counted(bound, 'move')}."
    if result.cost == 0:
        return "Solved as it stands: 0 moves."
    found = f"Solved in {counted(result.cost, 'move')}"
    if result.optimal:
        return f"{found}; no solution is shorter."
    return f"{found}; the shortest has at least {bound}."


def effort(result: Result) -> str:
    """Say in one line what ran and what it took."""
    stats = result.stats
    parts = [f"{stats.expanded:,} expanded"] if stats.expanded else []
    parts += [f"{stats.generated:,} generated"] if stats.generated else []
    counted = f"{', '.join(parts)} " if parts else ""
    quick = not stats.generated or stats.seconds <= 0
    rate = "" if quick else f", {stats.generated / stats.seconds:,.0f}/s"
    return (
        f"{result.algorithm}, {result.engine}: {counted}in {seconds_in_words(stats.seconds)}{rate}"
        f"{_memory(stats)}"
    )


def result_json(result: Result) -> dict[str, Any]:
    """Return everything about a result as a value that JSON can hold."""
    # Only JSON needs it, and importing it costs every start-up.
    from taquin.views.records import result_record

    record = result_record(result)
    del record["puzzle"]
    goal = result.puzzle.goal
    return record | {
        "goal": fold(goal.cells, goal.grid.columns),
        "metric": result.puzzle.metric.value,
    }


def json_line(value: Any) -> str:
    """Return one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def _memory(stats: Stats) -> str:
    return f", {bytes_in_words(stats.peak_memory)}" if stats.peak_memory else ""

"""Check what a search with user code found against the true distance of the start.

A user's heuristic that calls itself admissible, or a user's loop, proves nothing. Its solution is
compared with a shortest one of taquin's own where that is cheap: from the complete table, or from
an engine within about a second. The check runs after the search and apart from it, so `tq.solve`
does without it; the command line and the page do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from taquin.engine.advice import quick_engine
from taquin.engine.choose import run
from taquin.errors import TaquinError
from taquin.heuristics.base import holds_own_code
from taquin.heuristics.own import own_part
from taquin.search.control import TABLES_FIRST, Control
from taquin.search.events import Event, Finished
from taquin.search.own import OwnSearch
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.words import counted

_SECONDS = 1.0
"""Seconds that the search for a shortest solution may take."""


def checked(result: Result) -> Result:
    """Return a result with what a check of its solution proves; `reason` says it in words.

    Only solutions that user code had a part in are checked. `lower_bound` rises to the true
    distance or to what the check proved within its time.
    """
    if result.outcome is not Outcome.SOLVED or not holds_own_code(result.algorithm):
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
    """Yield the events of a search, the last one with the result checked."""
    for event in events:
        yield Finished(checked(event.result)) if isinstance(event, Finished) else event


def contradiction(result: Result, shortest: int) -> str:
    """Return what a known solution of `shortest` moves says against a result; empty for nothing."""
    if not result.assumes or result.cost is None or result.cost <= shortest:
        return ""
    extra = counted(result.cost - shortest, "move")
    return f"{extra} longer than another solution, so {_negated(result.assumes)}"


def _shortest(result: Result) -> Result | None:
    """Return what an engine finds within a second; None if it cannot serve."""
    limits, task = Limits(seconds=_SECONDS), Task(result.puzzle, result.start)
    control = Control(limits, uncounted=TABLES_FIRST)
    with suppress(TaquinError):
        return run(replace(task, limits=limits), quick_engine(task.puzzle), control)
    return None


def _finding(result: Result, best: Result) -> str:
    """Return how the solution compares with a shortest one, and what that says of user code."""
    assert result.cost is not None
    distance = min(result.cost, best.lower_bound)
    extra, over = result.cost - distance, _overestimate(result, distance)
    if not extra:
        return over
    longer = f"{counted(extra, 'move')} longer than the optimum"
    if over:
        return f"{longer}; {over}"
    so = f", so {_negated(result.assumes)}" if result.assumes else ""
    return f"{longer} of {distance:,}{so}"


def _overestimate(result: Result, distance: int) -> str:
    """Return that the estimate of the start exceeds its distance, if it does."""
    if result.estimate is None or result.estimate <= distance:
        return ""
    search = result.algorithm
    # The property `heuristic` of such a search would run the code.
    arguments: Any = search.code.arguments if isinstance(search, OwnSearch) else ()
    heuristic = arguments[0] if arguments else getattr(search, "heuristic", None)
    return f"{own_part(heuristic)} is not admissible ({result.estimate:,} > {distance:,} here)"


def _negated(claim: str) -> str:
    """Return the opposite of what a search assumes.

    >>> _negated("mine.py:h is admissible")
    'mine.py:h is not admissible'
    """
    subject, verb, rest = claim.rpartition(" is ")
    return f"this is wrong: {claim}" if verb in subject else f"{subject} is not {rest}"

"""Run a search for a command, with a live line of progress or with its events.

A search that holds user code runs in a worker process (`taquin.analysis.isolated`), and so does
everything else that calls user code: a command calls the functions of this module.

The live line shows the progress of a long search and is erased at the end:

    10 s · 1.2M nodes · 123k/s · bound 41 · frontier 900k
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

import click

from taquin.cli.command import STOPPED
from taquin.cli.inputs import lines_of_file
from taquin.cli.output import STATUS
from taquin.cli.screen import clear_status_line, columns, is_terminal, say, status_line
from taquin.engine.task import Wishes, solve
from taquin.errors import InputError, NotationError
from taquin.heuristics.base import holds_user_code
from taquin.search.control import Control, Progress
from taquin.search.result import Counters, Limits, Result, Task
from taquin.system.interrupts import raise_if_interrupted

if TYPE_CHECKING:
    from taquin.analysis.isolated import Isolation
    from taquin.model.board import Board
    from taquin.model.puzzle import Puzzle
    from taquin.search.events import Event
    from taquin.search.run import Algorithm

_PATIENCE = 0.4
"""Seconds before the line appears: a short search needs no progress line."""
_MOST_BEFORE = 0.75
"""Share of a limit on seconds that the start of the process may take."""
_INTERVAL = 0.1
"""Seconds between two drawings."""


def _write(text: str, is_error: bool) -> None:
    """Print what user code prints."""
    clear_status_line()
    click.echo(text, nl=False, err=is_error)


@cache
def isolation() -> Isolation:
    """Return the worker processes of this command, which run user code."""
    # Imported late: few commands run user code.
    from taquin.analysis.isolated import Isolation

    return Isolation(_write, say)


def end_user_code() -> None:
    """Kill the worker processes, at the end of a command."""
    if isolation.cache_info().currsize:
        isolation().close()


def solve_task(
    task: Task, wishes: Wishes, label: str = "", notice: Callable[[str], None] = say
) -> Result:
    """Return the solution of a task, checked; the live line, headed by `label`, shows progress.

    `notice` gets each line that the user should know.
    """
    with live_line(label) as progress:
        if holds_user_code(task.algorithm):
            from taquin.analysis.isolated import checked

            isolation().notice = notice
            return checked(isolation().solve(task, wishes, progress))
        control = Control(task.limits, progress=progress, notice=notice)
        control.earlier.elapsed = _seconds_before(task.limits)
        return solve(task, wishes, control)


def _seconds_before(limits: Limits) -> float:
    """Return the seconds of this process that count towards the limit of its only search.

    At least a quarter of the limit is left to the search.
    """
    context = click.get_current_context(silent=True)
    began: float | None = context.find_root().obj if context else None
    if began is None or limits.seconds is None:
        return 0.0
    return min(perf_counter() - began, _MOST_BEFORE * limits.seconds)


def trace_search(
    puzzle: Puzzle, start: Board, algorithm: Algorithm, limits: Limits
) -> tuple[Algorithm, Iterator[Event]]:
    """Return a search with what is known of its code, which is loaded by now, and its events."""
    if holds_user_code(algorithm):
        return isolation().trace(Task(puzzle, start, algorithm, limits))
    from taquin.search.driver import trace

    return algorithm, trace(puzzle, start, algorithm, limits)


@contextmanager
def live_line(label: str = "") -> Iterator[Progress | None]:
    """Yield a function that draws the line, headed by `label`; None if there is no terminal."""
    drawn_at = 0.0
    with status_line() as show:

        def draw(counters: Counters, seconds: float) -> None:
            nonlocal drawn_at
            # A search of several stages restarts its clock with each stage.
            if counters.stage or (seconds >= _PATIENCE and not 0 <= seconds - drawn_at < _INTERVAL):
                drawn_at = max(seconds, _INTERVAL)
                show(describe(counters, seconds, columns() - 1, label))

        yield draw if is_terminal(sys.stderr) else None


def describe(counters: Counters, seconds: float, width: int, label: str = "") -> str:
    """Return as much as fits into `width` characters, the most important first.

    >>> describe(Counters(expanded=1_234_567, frontier=900_000, bound=41), 10, 60)
    '10 s · 1.2M nodes · 123k/s · bound 41 · frontier 900k'
    """
    line = f"{label}: {seconds:.0f} s" if label else f"{seconds:.0f} s"
    if counters.stage:
        return f"{line} · {counters.stage}"[:width]
    # A compiled search counts what it generates, the glass box also what it expands.
    nodes = counters.expanded or counters.generated
    for part in (
        "" if counters.best is None else f"best {counters.best:,}",
        f"{short_number(nodes)} nodes",
        f"{short_number(nodes / seconds if seconds else 0)}/s",
        f"bound {counters.bound:.0f}",
        f"frontier {short_number(counters.frontier)}" if counters.frontier else "",
    ):
        if len(line) + len(part) + 3 > width:
            break
        line += f" · {part}" if part else ""
    return line[:width]


def short_number(number: float) -> str:
    """Return a number in at most four characters and a unit.

    >>> [short_number(number) for number in (999, 1_234, 56_789, 1_234_567, 2_345_678_901)]
    ['999', '1.2k', '57k', '1.2M', '2.3G']
    """
    for unit in ("", "k", "M", "G"):
        if number < 999.5 or unit == "G":
            break
        number /= 1000
    return f"{number:.1f}{unit}" if unit and number < 9.95 else f"{number:.0f}{unit}"


@dataclass(slots=True)
class Watched:
    """The events of a search, cut after `most` nodes dequeued, and the result they end with."""

    events: Iterator[Event]
    most: float | None = None
    name: str = ""
    """The name of the search, if it is known before the end."""
    dequeued: int = 0
    discarded: int = 0
    """Of the nodes dequeued so far."""
    result: Result | None = None
    """What the search found; None if it was cut or broke off."""
    is_cut: bool = False
    """Whether there were more nodes than `most`."""

    def __iter__(self) -> Iterator[Event]:
        """Yield the events of every node dequeued."""
        from taquin.search import events as on

        most = inf if self.most is None else self.most
        previous: Event | None = None
        for event in self.events:
            # A board at the depth limit is dequeued too; the start has no event of its own then.
            is_start = isinstance(previous, on.BoundRaised) and isinstance(event, on.BoundRaised)
            is_leaf = isinstance(event, on.Generated) and event.fate is on.Fate.LIMIT
            previous = event
            if isinstance(event, on.Expanded | on.Discarded) or is_leaf or is_start:
                if self.dequeued >= most:
                    self.is_cut = True
                    return
                self.dequeued += 1
                self.discarded += isinstance(event, on.Discarded)
            elif isinstance(event, on.GoalFound):
                # Only the last event says whether the goal was dequeued or just generated.
                end = next(self.events, None)
                if isinstance(end, on.Finished) and (end.result.stats.dequeued or 0) > most:
                    self.is_cut = True
                    return
                yield event
                if end is None:
                    return
                event = end
            if isinstance(event, on.Finished):
                self.result = event.result
            yield event

    @property
    def status(self) -> int:
        """The exit status of the events so far."""
        return STOPPED if self.result is None else STATUS[self.result.outcome]


def replayed(file: str, most: int | None = None) -> Watched:
    """Return the events of a search that `taquin trace --json` wrote; errors name the file."""
    from taquin.views.records import from_json_lines, search_named_in

    lines = lines_of_file(file)
    first = next(lines, "")

    def events() -> Iterator[Event]:
        try:
            for event in from_json_lines(chain([first], lines)):
                raise_if_interrupted()
                yield event
        except NotationError as error:
            raise InputError(f"{file}: {error}") from None

    return Watched(events(), most, search_named_in(first))

"""A job: the work that a worker process does for one request, sent to it as a value.

server ── job, pickled ──►  worker  ── frames of an event stream ──►  server ──► client
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum
from typing import Any, Protocol, TypeAlias

SPARE_SECONDS = 120.0
"""Seconds beyond its limits that a worker may spend in code that cannot be interrupted, such as
the compiler."""
STOP_SECONDS = 0.5
"""Seconds that a worker may take to stop before it is killed."""

Emit: TypeAlias = Callable[[str, Any], None]
"""Sends an event: its name, and its record or the JSON text of the record."""
ShouldStop: TypeAlias = Callable[[], bool]
"""Returns whether the job is to end soon."""


class Lane(Enum):
    """The kinds of jobs: each has workers and a queue of its own, so none waits for another."""

    SEARCH = "searches"
    QUICK = "quick"
    """Takes about a second at most."""
    EXPORT = "exports"
    """Writes a file, which takes some seconds at most."""


class Job(Protocol):
    """Something for a worker to do; jobs inherit the defaults."""

    @property
    def lane(self) -> Lane:
        """The workers that it runs on."""
        return Lane.SEARCH

    @property
    def seconds(self) -> float:
        """The time that the worker may take in all while a client reads."""

    @property
    def stop_seconds(self) -> float:
        """The time that the worker may take to stop before it is killed."""
        return STOP_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Do the work; emit events, the last of which is `result` unless the job is a trace.

        A job defines this; or `steps`, if it can be suspended.
        """
        for _ in self.steps(emit, should_stop):
            pass

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Do the work; the caller may suspend it at each step."""
        self.run(emit, should_stop)
        yield

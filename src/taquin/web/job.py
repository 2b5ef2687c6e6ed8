"""A job: the work of a worker process for one request, sent to it as a value.

server ── job, pickled ──►  worker  ── frames of an event stream ──►  server ──► client
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum
from typing import Any, Protocol, TypeAlias

SPARE_SECONDS = 120.0
"""Seconds beyond its limits that a worker may spend in code that cannot be interrupted."""
STOP_SECONDS = 0.5
"""Seconds after which a worker that does not stop is killed."""

Emit: TypeAlias = Callable[[str, Any], None]
"""Sends an event: its name, and its record or the JSON text of the record."""
ShouldStop: TypeAlias = Callable[[], bool]
"""Returns whether the job must end."""


class Lane(Enum):
    """The kinds of jobs: each has its own workers and queue, so none waits for another."""

    SEARCH = "searches"
    QUICK = "quick"
    """Takes at most about a second."""
    EXPORT = "exports"
    """Writes a file, which takes at most some seconds."""


class Job(Protocol):
    """A task for a worker; jobs inherit the defaults."""

    @property
    def lane(self) -> Lane:
        """The workers that it runs on."""
        return Lane.SEARCH

    @property
    def seconds(self) -> float:
        """The time limit in seconds, without the time in which the client does not read."""

    @property
    def stop_seconds(self) -> float:
        """Seconds after which a worker that does not stop is killed."""
        return STOP_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Do the work; emit events, of which the last is `result` unless the job is a trace.

        A job implements this, or `steps` if it can be suspended.
        """
        for _ in self.steps(emit, should_stop):
            pass

    def steps(self, emit: Emit, should_stop: ShouldStop) -> Generator[None, None, None]:
        """Do the work; the caller may suspend it at each step."""
        self.run(emit, should_stop)
        yield

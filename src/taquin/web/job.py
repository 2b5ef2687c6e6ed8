"""A job: what a worker does for a request, as a value that is sent to it.

    server ── job, pickled ──►  worker  ── frames of an event stream ──►  server ──► client

A job tells events: names, each with a record of JSON. A `stop` that answers yes ends it soon after.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from taquin.model.board import Arrangement
from taquin.model.moves import Label

SPARE_SECONDS = 120.0
"""That a worker may take beyond its limits, in code that cannot be asked to stop: the compiler."""
STOP_SECONDS = 0.5
"""That a worker may take to stop before it is killed."""

Tell: TypeAlias = Callable[[str, Any], None]
"""Called with the name of an event and its record, or the record's text."""
Stop: TypeAlias = Callable[[], bool]
"""Asked now and then whether to give up."""


class Job(Protocol):
    """Something to do in a worker."""

    @property
    def is_quick(self) -> bool:
        """Tell whether it takes about a second at most, and need not wait for long ones."""

    @property
    def seconds(self) -> float:
        """Return how long the worker may take in all, while somebody waits for it."""

    @property
    def stop_seconds(self) -> float:
        """Return how long the worker may take to stop before it is killed."""

    def run(self, tell: Tell, stop: Stop) -> None:
        """Do it."""


def rows_of(position: Arrangement) -> list[list[Label]]:
    """Return the labels of a board or a goal, row by row; `*` where any tile will do."""
    return [list(row) for row in position.rows()]

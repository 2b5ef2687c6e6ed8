"""The views by the names of the command line.

A test walks VIEWS and every algorithm, so a new view is checked without anyone remembering.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from taquin.search.algorithm import Algorithm
from taquin.search.algorithms import (
    Beam,
    DepthFirst,
    IDAStar,
    IterativeDeepening,
    RecursiveBestFirst,
)
from taquin.search.events import Event
from taquin.views.records import to_json_lines
from taquin.views.traces import back_traces, commentary, created_traversed, levels


@dataclass(frozen=True, slots=True)
class View:
    """One way to tell a search in lines."""

    show: Callable[[Iterable[Event]], Iterator[str]]
    """Events → lines without line ends, each as soon as the events allow."""
    summary: str
    """One line for a list of views."""

    def __call__(self, events: Iterable[Event]) -> Iterator[str]:
        """Return the lines."""
        return self.show(events)


VIEWS: dict[str, View] = {
    "commentary": View(
        commentary, "Every board taken, its children with their scores, queue and closed lengths"
    ),
    "levels": View(levels, "Every board taken, with its level in the search tree"),
    "backtrace": View(back_traces, "Levels, where each path is left, and the start of each round"),
    "created": View(
        created_traversed, "When each board was created and traversed, and its estimated cost"
    ),
    "json": View(to_json_lines, "Every event as a line of JSON, which can be replayed"),
}
"""Every view by its name."""


def view_for(algorithm: Algorithm) -> str:
    """Return the name of the view that shows best what this algorithm does.

    >>> view_for(DepthFirst()), view_for(Beam())
    ('backtrace', 'levels')
    """
    if isinstance(algorithm, DepthFirst | IterativeDeepening | IDAStar | RecursiveBestFirst):
        return "backtrace"
    if algorithm.heuristic is None or isinstance(algorithm, Beam):
        return "levels"
    return "commentary"

"""The events of a search, as `taquin.trace` yields them."""

from taquin.search.events import (
    Backtracked,
    BoundRaised,
    Discarded,
    Event,
    Expanded,
    Fate,
    Finished,
    Generated,
    GoalFound,
    Improved,
    Node,
    Started,
)

__all__ = [
    "Backtracked",
    "BoundRaised",
    "Discarded",
    "Event",
    "Expanded",
    "Fate",
    "Finished",
    "Generated",
    "GoalFound",
    "Improved",
    "Node",
    "Started",
]

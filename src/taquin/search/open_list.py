"""A frontier whose boards are grouped by f = g + h and g, for searches that compare groups.

    waiting   {(12, 3): {state: entry, …}, (14, 2): {…}}      few groups, many boards

A board waits once: a shorter path to it takes the place of the longer one.
"""

from __future__ import annotations

from math import inf

from taquin.model.space import State
from taquin.search.events import Entry

Group = tuple[int, int]
"""The f and the g that the boards of a group share; their h is f - g."""


class OpenList:
    """The boards that a search has reached, and those of them that wait, by group."""

    def __init__(self) -> None:
        self.reached: dict[State, Entry] = {}
        """Every board reached, by the shortest path known."""
        self.waiting: dict[Group, dict[State, Entry]] = {}
        """The boards to expand, in each group the newest last."""

    def push(self, entry: Entry) -> None:
        """Add a board, in place of a longer path to it."""
        state, _, g, h = entry
        known = self.reached.get(state)
        if known is not None:
            key = (known[2] + known[3], known[2])
            if self.waiting.get(key, {}).pop(state, None) and not self.waiting[key]:
                del self.waiting[key]
        self.reached[state] = entry
        self.waiting.setdefault((g + h, g), {})[state] = entry

    def pop(self, group: Group) -> Entry:
        """Remove and return the newest board with this f and g."""
        _, entry = self.waiting[group].popitem()
        if not self.waiting[group]:
            del self.waiting[group]
        return entry

    @property
    def least_f(self) -> int:
        """The least f of the boards that wait."""
        return min(self.waiting)[0]

    def least_g(self, most_f: float = inf) -> float:
        """Return the least g of the boards that wait with at most this f; infinity for none."""
        return min((g for f, g in self.waiting if f <= most_f), default=inf)

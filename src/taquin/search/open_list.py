"""A frontier whose boards are grouped by f = g + h and g, for searches that compare groups.

    groups   {(12, 3): {state: entry, …}, (14, 2): {…}}      few groups, many boards

A board is in the frontier once: a shorter path to it replaces the longer one.
"""

from __future__ import annotations

from math import inf

from taquin.model.space import State
from taquin.search.events import Entry

Group = tuple[int, int]
"""The f and the g that the boards of a group share; their h is f - g."""


class GroupedFrontier:
    """The boards that a search has reached, and those in its frontier by group."""

    def __init__(self) -> None:
        self.reached: dict[State, Entry] = {}
        """Every board reached, by the shortest path known."""
        self.groups: dict[Group, dict[State, Entry]] = {}
        """The boards to expand, in each group the newest last."""

    def push(self, entry: Entry) -> None:
        """Add a board, replacing a longer path to it."""
        state, _, g, h = entry
        known = self.reached.get(state)
        if known is not None:
            key = (known[2] + known[3], known[2])
            if self.groups.get(key, {}).pop(state, None) and not self.groups[key]:
                del self.groups[key]
        self.reached[state] = entry
        self.groups.setdefault((g + h, g), {})[state] = entry

    def pop(self, group: Group) -> Entry:
        """Remove and return the newest board with this f and g."""
        _, entry = self.groups[group].popitem()
        if not self.groups[group]:
            del self.groups[group]
        return entry

    @property
    def least_f(self) -> int:
        """The least f in the frontier."""
        return min(self.groups)[0]

    def least_g(self, most_f: float = inf) -> float:
        """Return the least g of the boards with at most this f; infinity for none."""
        return min((g for f, g in self.groups if f <= most_f), default=inf)

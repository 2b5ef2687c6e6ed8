"""Turn what a loop holds into the nodes of events, numbered in the order they were made.

Only a watched search pays for this: an unwatched loop keeps bare tuples and no numbers.
"""

from __future__ import annotations

from taquin.model.space import Space, State
from taquin.search.events import Node

Entry = tuple[State, "Entry | None", int, int]
"""What loops hold for a node: state, parent entry, depth, estimate."""


class Watcher:
    """Number entries and describe them as nodes."""

    __slots__ = ("_entries", "_next", "_numbers", "_space")

    def __init__(self, space: Space) -> None:
        self._space = space
        self._numbers: dict[int, int] = {}
        self._entries: list[Entry] = []
        self._next = 0

    def node(self, entry: Entry, f: float, side: str = "start") -> Node:
        """Return the node of `entry`, with a new number the first time it is seen."""
        number = self._numbers.get(id(entry))
        if number is None:
            number = self._next
            self._next += 1
            self._numbers[id(entry)] = number
            # The entry is kept so that no other one can take its id.
            self._entries.append(entry)
        state, parent, depth, h = entry
        space = self._space
        return Node(
            number=number,
            parent=None if parent is None else self._numbers[id(parent)],
            board=space.decode(state),
            move=None if parent is None else space.move_between(parent[0], state),
            depth=depth,
            h=h,
            f=f,
            side=side,
        )

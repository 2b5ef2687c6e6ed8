"""The events of a watched search: one stream for every commentary, drawing and replay.

Loops keep bare tuples; a `Watcher` turns them into nodes, so only a watched search pays for these.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.space import Space, State
from taquin.search.result import Result

Entry = tuple[State, "Entry | None", int, int]
"""A node in a loop: state, parent entry, depth, estimate."""


class Fate(Enum):
    """The treatment of a generated board."""

    ENQUEUED = "enqueued"
    """New: added to the frontier."""
    REOPENED = "reopened"
    """Expanded before, now reached by a cheaper path: added to the frontier again."""
    UPDATED = "updated"
    """In the frontier, now reached by a cheaper path, which replaces the old one."""
    DUPLICATE = "duplicate"
    """Reached before: discarded."""
    PARENT = "parent"
    """The parent of its parent: discarded."""
    CUT = "cut"
    """Beyond the bound or the depth limit."""
    LIMIT = "limit"
    """At the depth limit: tested for the goal, not expanded."""
    PRUNED = "pruned"
    """Removed from the frontier for good, by a beam or by a search that moves on elsewhere."""


KEPT = (Fate.ENQUEUED, Fate.REOPENED, Fate.UPDATED)
"""The fates of boards that join the frontier."""


@dataclass(frozen=True, slots=True)
class Node:
    """A board with its place in the search tree."""

    number: int
    """Number of the node in order of generation; the start is 0."""
    parent: int | None
    """Number of the node that generated it; None for the start."""
    board: Board
    move: Move | None
    """The move that led to it; None for the start."""
    depth: int
    """Moves from the start."""
    h: int
    """Estimate of the remaining moves; 0 for searches that use none."""
    f: float
    """The priority of the search: f = g + h, if it has no other."""
    side: str = "start"
    """The root of its tree: `start`, or `goal` in a bidirectional search."""


@dataclass(frozen=True, slots=True)
class Started:
    """The search begins at `node`."""

    node: Node


@dataclass(frozen=True, slots=True)
class Expanded:
    """`node` was dequeued; its successors are generated next."""

    node: Node
    frontier: int
    """Entries in the frontier, this one excluded."""
    closed: int
    """Boards expanded before this one."""


@dataclass(frozen=True, slots=True)
class Discarded:
    """`node` was dequeued and discarded as a duplicate."""

    node: Node


@dataclass(frozen=True, slots=True)
class Generated:
    """`node` was generated from its parent."""

    node: Node
    fate: Fate


@dataclass(frozen=True, slots=True)
class BoundRaised:
    """A new round begins, which searches up to `bound`; or a level of a beam or BFS."""

    bound: float
    round: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Backtracked:
    """A depth-first search left `node`, with everything below it searched."""

    node: Node


@dataclass(frozen=True, slots=True)
class Improved:
    """A better solution was found: through `node`, in `cost` moves."""

    node: Node
    cost: int


@dataclass(frozen=True, slots=True)
class GoalFound:
    """`node` is solved, and the search ends with it."""

    node: Node


@dataclass(frozen=True, slots=True)
class Finished:
    """The search is over; always the last event."""

    result: Result


Event = (
    Started
    | Expanded
    | Discarded
    | Generated
    | BoundRaised
    | Backtracked
    | Improved
    | GoalFound
    | Finished
)


class Watcher:
    """Number entries in order of generation and describe them as nodes."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._numbers: dict[int, int] = {}
        self._entries: list[Entry] = []
        """Keeps entries alive, so that no id is reused."""

    def node(self, entry: Entry, f: float, side: str = "start") -> Node:
        """Return the node of `entry`, with a new number on the first call."""
        number = self._numbers.setdefault(id(entry), len(self._numbers))
        if number == len(self._entries):
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

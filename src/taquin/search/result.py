"""What a search is given and what it returns: limits, outcome, counters, result."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle


class Outcome(Enum):
    """How a search ended. None of these is an error."""

    SOLVED = "solved"
    """A solution was found."""
    UNSOLVABLE = "unsolvable"
    """It is proven that there is none."""
    LIMIT_REACHED = "limit"
    """A limit ended the search, the width of a beam included; `Result.reason` says which."""
    STOPPED = "stopped"
    """The caller or Ctrl-C ended the search."""


class Count(Enum):
    """The counters that "nodes" may mean; each is a field of `Stats`."""

    EXPANDED = "expanded"
    GENERATED = "generated"
    ENQUEUED = "enqueued"
    DEQUEUED = "dequeued"


@dataclass(frozen=True, slots=True)
class Limits:
    """When to give up. Raise UnsuitableError for a limit below zero."""

    nodes: int | None = None
    """Most nodes, counted as `counting` says."""
    seconds: float | None = None
    """Most seconds of wall-clock time."""
    depth: int | None = None
    """Most moves in a solution; longer paths are not followed."""
    memory: int | None = None
    """Most bytes of memory the process may hold."""
    counting: Count = Count.GENERATED
    """What `nodes` counts."""

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "depth", "memory"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UnsuitableError(f"the limit on {name} must be 0 or more, not {value}")


@dataclass(slots=True)
class Counters:
    """The counters of a search while it runs; loops write them at every event and tick."""

    expanded: int = 0
    generated: int = 0
    enqueued: int = 0
    dequeued: int = 0
    duplicates: int = 0
    reopened: int = 0
    frontier: int = 0
    max_frontier: int = 0
    max_depth: int = 0
    bound: float = 0
    """The cost that every solution is proven to reach at least."""
    cut: bool = False
    """Whether the depth limit kept the search from following a path."""
    stage: str = ""
    """What is being done before the search proper, in words; empty during it."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What a search did. A count means nothing without its definition; here they are.

    A compiled search counts the nodes it generates; its other counters are 0.
    """

    expanded: int = 0
    """Boards whose successors were made."""
    generated: int = 0
    """Successors made, duplicates included; the start is not one."""
    enqueued: int = 0
    """Entries ever put into the frontier, the start included."""
    dequeued: int = 0
    """Entries ever taken out of the frontier, the start and discarded duplicates included."""
    duplicates: int = 0
    """Entries thrown away, when made or when taken, because their board was known already."""
    reopened: int = 0
    """Boards reached again by a cheaper path after they had been reached."""
    max_frontier: int = 0
    """Most entries in the frontier at once; for depth-first searches, the longest stack."""
    max_depth: int = 0
    """Depth of the deepest board taken from the frontier."""
    seconds: float = 0.0
    """Wall-clock time of the search; loading compiled code and fetching tables not counted."""
    peak_memory: int = 0
    """Most bytes the process held; 0 where the system does not tell."""

    def count(self, counting: Count) -> int:
        """Return the counter that `counting` names."""
        value: int = getattr(self, counting.value)
        return value


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found."""

    outcome: Outcome
    """How it ended."""
    puzzle: Puzzle
    """What was to be reached."""
    start: Board
    """Where it began."""
    moves: tuple[Move, ...] | None
    """The solution; None when none was found."""
    cost: int | None
    """Number of moves of the solution in the puzzle's metric; None when none was found."""
    lower_bound: int
    """Every solution is proven to have at least this many moves."""
    algorithm: str
    """The algorithm value that searched, printed."""
    engine: str
    """What ran it: `glass-box`, or a compiled engine."""
    stats: Stats = field(default_factory=Stats)
    """What it took."""
    reason: str = ""
    """In words: why there is no solution, or which limit was reached."""

    @property
    def optimal(self) -> bool:
        """Tell whether the solution is proven to be a shortest one."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def gap(self) -> float | None:
        """Return how far the cost may be above the shortest: 0.0 when proven optimal."""
        if self.cost is None:
            return None
        return self.cost / self.lower_bound - 1 if self.lower_bound else float(self.cost > 0)

    def boards(self) -> tuple[Board, ...]:
        """Return every board of the solution from the start on, after replaying it."""
        return self.puzzle.replay(self.start, self.moves or ()) if self.moves is not None else ()

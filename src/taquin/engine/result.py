"""What the engine says: while it searches, and at the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class EngineOutcome(Enum):
    """How a search ended."""

    SOLVED = "solved"
    """A shortest solution was found."""

    UNSOLVABLE = "unsolvable"
    """The parity of start and goal differs: no sequence of moves leads to the goal."""

    NODE_LIMIT = "node limit"
    """The limit on nodes was reached."""

    TIME_LIMIT = "time limit"
    """The limit on seconds was reached."""

    DEPTH_LIMIT = "depth limit"
    """No solution is as short as the limit on moves asks."""

    STOPPED = "stopped"
    """The caller stopped the search."""

    INTERRUPTED = "interrupted"
    """An interrupt from the keyboard stopped the search."""


@dataclass(frozen=True, slots=True)
class EngineResult:
    """The end of a search."""

    outcome: EngineOutcome
    """How it ended."""

    blanks: tuple[int, ...]
    """The cells of the blank from start to goal, both included; empty without a solution."""

    lower_bound: int
    """No solution is shorter than this: the length of the solution when there is one."""

    nodes_by_bound: tuple[tuple[int, int], ...]
    """For each bound searched, in order, the nodes generated: children looked up in the tables
    after the automaton's cut, the start not counted. For every bound but the last they do not
    depend on the number of threads; the last ends when its first solution is met."""

    seconds: float
    """Wall-clock time of the search; compiling and fetching tables not counted."""

    tables: str | None
    """The table set that was used; None for Manhattan distance alone."""

    @property
    def cost(self) -> int | None:
        """The number of moves of the solution."""
        return len(self.blanks) - 1 if self.blanks else None

    @property
    def nodes(self) -> int:
        """Nodes generated in all bounds."""
        return sum(nodes for _, nodes in self.nodes_by_bound)


@dataclass(frozen=True, slots=True)
class EngineProgress:
    """Where a search stands."""

    stage: str
    """`compile`, `tables` or `search`."""

    detail: str
    """For `tables`, the table being built."""

    done: int
    """For `tables`, the work done so far; for `search`, the nodes generated so far."""

    total: int | None
    """For `tables`, the work in all."""

    bound: int | None
    """For `search`, the bound being searched: no solution is shorter."""

    seconds: float
    """Seconds since the stage began."""

    @property
    def rate(self) -> float:
        """Done per second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

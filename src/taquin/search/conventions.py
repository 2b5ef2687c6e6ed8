"""How a search treats duplicates, ties and the goal test, and so what its counts mean.

Two programs that both "run A*" report different counts because they differ in these. Here each is
explicit and selectable.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum

from taquin.model.moves import KORF_ORDER, Direction


class Duplicates(Enum):
    """When a board that was met before is thrown away."""

    REACHED = "reached"
    """When made, if it was reached before at no greater cost. The best general choice."""
    CLOSED = "closed"
    """When made, if it was expanded before; it may wait in the frontier several times (S0)."""
    DEQUEUE = "dequeue"
    """When taken from the frontier, if it was taken before (S3); the rest is enqueued blindly."""
    PARENT = "parent"
    """When made, if it is the board one came from: the critical optimisation of S4."""
    NONE = "none"
    """Never."""


class Ties(Enum):
    """Which of the entries with the lowest priority is taken first."""

    FIFO = "fifo"
    """The one that waited longest."""
    LIFO = "lifo"
    """The one that came last."""
    LOW_H = "low-h"
    """The one with the lowest estimate, that is, the deepest; first come first among equals."""
    HEAP = "heap"
    """Whichever a C++ `std::priority_queue` (libstdc++) would give (S3)."""


class GoalTest(Enum):
    """When a board is tested for the goal."""

    EXPANSION = "expansion"
    """When taken from the frontier, before it is expanded: what A* needs to be optimal."""
    GENERATION = "generation"
    """When made: sooner, and still optimal for breadth-first search."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """One choice of each."""

    duplicates: Duplicates = Duplicates.REACHED
    ties: Ties = Ties.FIFO
    goal_test: GoalTest = GoalTest.EXPANSION
    directions: tuple[Direction, ...] = KORF_ORDER
    """The order in which successors are made: where the tile goes."""
    bumps: bool = False
    """Enqueue a step into a wall too, and throw it away when taken, as S3 counts obstacles.

    Needs `Duplicates.DEQUEUE`.
    """

    def unlike(self, usual: Conventions) -> list[str]:
        """Return what differs from `usual`, each as `name=value`."""
        differing = []
        for each in fields(self):
            value = getattr(self, each.name)
            if value == getattr(usual, each.name):
                continue
            if isinstance(value, Enum):
                value = value.value
            elif isinstance(value, tuple):
                value = "".join(direction.letter for direction in value)
            differing.append(f"{each.name}={value}")
        return differing


STANDARD = Conventions()
"""What searches that remember the boards they reached do unless told otherwise."""

SKIP_PARENT = Conventions(duplicates=Duplicates.PARENT)
"""What searches in little memory do unless told otherwise."""

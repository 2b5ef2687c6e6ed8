"""How a search treats duplicates, ties and the goal test, on which its counts depend.

Two programs that both "run A*" report different counts because they differ in these.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from taquin.model.moves import KORF_ORDER, Direction


class Duplicates(Enum):
    """When a duplicate is discarded."""

    REACHED = "reached"
    """On generation, if it was reached before at no greater cost: the default."""
    GENERATED = "generated"
    """On generation, if it was generated before, expanded or not: S3's depth-first search."""
    CLOSED = "closed"
    """On generation, if it was expanded before; it may be in the frontier several times (S0)."""
    DEQUEUE = "dequeue"
    """On dequeue, if it was dequeued before (S3, breadth-first and A*); every successor is
    enqueued."""
    PARENT = "parent"
    """On generation, if it is the parent's parent: the critical optimisation of S4."""
    NONE = "none"
    """Never."""


class Ties(Enum):
    """Which of the entries with the lowest priority is dequeued first."""

    FIFO = "fifo"
    """The oldest entry."""
    LIFO = "lifo"
    """The newest entry."""
    LOW_H = "low-h"
    """The one of lowest h, that is, the deepest; then the oldest."""
    HEAP = "heap"
    """The one that a C++ `std::priority_queue` (libstdc++) returns (S3)."""


class GoalTest(Enum):
    """When a board is tested for the goal."""

    EXPANSION = "expansion"
    """On dequeue, before it is expanded: A* needs this to be optimal."""
    GENERATION = "generation"
    """On generation: sooner, and still optimal for breadth-first search."""


class RandomOrder(Enum):
    """Which random order of directions a seed gives, drawn anew for every board."""

    SHUFFLE = "shuffle"
    """Any order, each as likely as another."""
    CYCLE = "cycle"
    """A random first direction, then the others cyclically (S3). A first direction that leads off
    the grid is skipped."""


class LimitTest(Enum):
    """When depth-first search and iterative deepening test a board for the limit on depth."""

    EXPANSION = "expansion"
    """When visited: a board at the limit is tested for the goal but not expanded, as in the
    depth-limited search of the textbooks."""
    GENERATION = "generation"
    """On generation: a board at the limit is expanded too, and its successors are cut (S3)."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """One choice per convention; None means the algorithm's default.

    An algorithm fills in its defaults on construction, so its own `conventions` hold no None; hence
    the types.
    """

    duplicates: Duplicates = None  # type: ignore[assignment]
    ties: Ties = None  # type: ignore[assignment]
    goal_test: GoalTest = None  # type: ignore[assignment]
    directions: tuple[Direction, ...] = None  # type: ignore[assignment]
    """The order in which successors are generated, as directions of the tile."""
    bumps: bool = None  # type: ignore[assignment]
    """Enqueue steps into walls too, as S3 counts obstacles; needs `Duplicates.DEQUEUE`."""
    limit_test: LimitTest = None  # type: ignore[assignment]

    def chosen(self) -> dict[str, Any]:
        """Return the choices made, by name."""
        pairs = ((option.name, getattr(self, option.name)) for option in fields(self))
        return {name: value for name, value in pairs if value is not None}

    def over(self, defaults: Conventions) -> Conventions:
        """Return these choices, and those of `defaults` in place of None."""
        return Conventions(**{**defaults.chosen(), **self.chosen()})

    def changed_from(self, defaults: Conventions) -> list[str]:
        """Return the choices that differ from those of `defaults`, each as `name=value`."""
        chosen = self.chosen().items()
        return [
            f"{name}={text_of(value)}" for name, value in chosen if value != getattr(defaults, name)
        ]


def text_of(value: Any) -> str:
    """Return a choice as it is typed: `low-h`, `DRLU`, `true`."""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return "".join(direction.letter for direction in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


OPEN = Conventions()
"""The defaults of the algorithm."""

STANDARD = Conventions(
    Duplicates.REACHED,
    Ties.FIFO,
    GoalTest.EXPANSION,
    directions=KORF_ORDER,
    bumps=False,
    limit_test=LimitTest.EXPANSION,
)
"""The defaults of searches that remember the boards reached."""

SKIP_PARENT = Conventions(duplicates=Duplicates.PARENT).over(STANDARD)
"""The defaults of searches whose memory is linear in the depth."""

LOW_H_FIRST = Conventions(ties=Ties.LOW_H).over(STANDARD)
"""The defaults of A* and its variants: ties in f go to the least h, as in most papers."""

SOURCES = ("s0", "s2", "s2-repaired", "s3", "s4", "korf")
"""The sources that a search can imitate; `analysis/likeness.py` describes them."""

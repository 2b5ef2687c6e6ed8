"""A search loop: its conventions, its input, its result, and the algorithm that makes it.

Two programs that both "run A*" report different counts because their `Conventions` differ: how they
treat duplicates, ties and the goal test.

A loop is a generator. It yields an event at every step when it is watched, and now and then `None`,
a *tick*, at which the driver checks limits and answers with the number of expansions until the next
one. A loop checks only the limits on depth and on nodes, because only it can stop between two
successors.

`Algorithm` is the interface of algorithms, and `SearchValue`, with its subclasses, the base of the
built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, Heuristic
from taquin.model.moves import KORF_ORDER, Direction
from taquin.model.space import Space, State
from taquin.reasons import reason
from taquin.search.result import DEFAULT_COUNTERS, Count, Counters, Limit

if TYPE_CHECKING:
    from taquin.search.events import Entry, Event, Watcher


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


@dataclass(frozen=True, slots=True)
class Found:
    """The loop found a solution."""

    path: list[State]
    """Its states from the start to the goal."""


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The loop ran out of boards."""

    complete: bool
    """Whether every reachable board was examined, which proves that there is no solution."""
    limit: Limit = Limit.DEPTH
    """The limit that kept the loop from the other boards."""
    size: float = inf
    """The size of the limit where it is the algorithm's own, not the task's."""


NODE_LIMIT = Exhausted(complete=False, limit=Limit.NODES)
"""The limit on nodes is used up."""

Loop: TypeAlias = "Generator[Event | None, int, Found | Exhausted]"
"""A running search; the header of this module says what it yields and receives."""


@dataclass(slots=True)
class SearchRun:
    """One search about to begin."""

    space: Space
    """The states to search."""
    evaluator: Evaluator
    """The heuristic, bound to the space."""
    conventions: Conventions
    watch: Watcher | None = None
    """Describes nodes for events; None when the search is not watched."""
    max_depth: float = inf
    """Longer paths are not followed."""
    nodes: float = inf
    """The maximum number of nodes that may be counted, as `counting` says."""
    counting: Count = Count.GENERATED
    """What `nodes` counts."""
    counters: Counters = field(default_factory=Counters)
    """Written by the loop, read by the driver."""
    counts: tuple[str, ...] = DEFAULT_COUNTERS
    """The counters that the loop keeps."""
    best: Callable[[], list[State]] | None = None
    """Returns the path of the best solution so far; None while there is none."""
    check: Callable[[], None] = lambda: None
    """Raises `Ended` when the search has to end: for user code, which cannot yield a tick."""

    @property
    def root(self) -> Entry:
        """The entry of the start."""
        return (self.space.start, None, 0, self.evaluator.value(self.space.start))

    @property
    def max_estimate(self) -> float:
        """The highest depth + estimate within the depth limit; infinity if not admissible."""
        return self.max_depth if self.evaluator.admissible else inf

    @property
    def node_limits(self) -> tuple[float, ...]:
        """The most nodes expanded, generated, enqueued and dequeued before `NODE_LIMIT`."""
        return tuple(self.nodes if count is self.counting else inf for count in Count)

    def improve(self, cost: int, path: Callable[[], list[State]]) -> bool:
        """Record a solution and return whether it is the best so far."""
        known = self.counters.best
        if known is not None and known <= cost:
            return False
        self.counters.best, self.best = cost, path
        return True


def unweighted(lowest: float, weight: float) -> float:
    """Return the lower bound that the least g + weight · h proves.

    Rounding errors are corrected: a bound of 30.000000000000004 would exclude a solution of 30
    moves.

    >>> unweighted(1.1 * 3, 1.1)
    3
    """
    bound = lowest / weight
    if bound in (inf, -inf):
        return bound
    whole = round(bound)
    return whole if abs(bound - whole) < _ROUNDING else bound


_ROUNDING = 1e-9
"""The tolerance: above any rounding error, below the distance of any other bound to an integer."""


def path_to(entry: Entry) -> list[State]:
    """Return the states from the start to `entry`."""
    path = []
    here: Entry | None = entry
    while here is not None:
        path.append(here[0])
        here = here[1]
    return path[::-1]


@runtime_checkable
class Algorithm(Protocol):
    """A way of searching: a frozen value, printable and comparable, independent of a puzzle."""

    @property
    def name(self) -> str:
        """Return the name used on the command line."""

    @property
    def heuristic(self) -> Heuristic | None:
        """Return the heuristic; None for a search that uses none."""

    @property
    def conventions(self) -> Conventions:
        """Return how duplicates, ties and the goal test are treated, nothing left open."""

    @property
    def optimal(self) -> bool:
        """Return whether solutions are shortest, given an admissible heuristic."""

    @property
    def exhaustive(self) -> bool:
        """Return whether the search ends by itself on a puzzle that has no solution."""

    @property
    def cap(self) -> int | None:
        """Return the most nodes the search may ever keep; None for no cap of its own."""

    def loop(self, run: SearchRun) -> Loop:
        """Return the search, about to begin."""


_NOT_GENERATED = frozenset(Duplicates) - {Duplicates.GENERATED}
"""The choices of searches that do not generate all successors of a board at once."""


def option_names(search: Any) -> list[str]:
    """Return the options that a built-in search supports, as they are typed, conventions last."""
    names = [option.name for option in fields(search) if option.name != "conventions"]
    names += [
        option.name for option in fields(Conventions) if option.name not in search.unsupported
    ]
    if Duplicates.DEQUEUE not in search.supported.get("duplicates", Duplicates):
        # It requires `duplicates=dequeue`.
        names.remove("bumps")
    return [name.replace("_", "-") for name in names]


class SearchValue:
    """An algorithm that completes its conventions, checks its options and prints itself."""

    __slots__ = ()
    name: str = ""
    cap: int | None = None
    conventions: Conventions
    defaults = STANDARD
    """The default conventions."""
    unsupported: tuple[str, ...] = ("limit_test",)
    """The conventions that do not affect the algorithm, which it therefore rejects."""
    supported: ClassVar[Mapping[str, frozenset[Any]]] = {"duplicates": _NOT_GENERATED}
    """The supported choices, for a convention of which it does not support all."""
    least: ClassVar[Mapping[str, int]] = {}
    """The least value of options that are numbers."""

    @property
    def exhaustive(self) -> bool:
        """Whether it terminates without a solution: if it discards duplicates."""
        return self.conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE)

    def __post_init__(self) -> None:
        # A heuristic may be a name or a function of a board.
        for option in fields(self):  # type: ignore[arg-type]
            value = getattr(self, option.name)
            if value is None:
                continue
            if str(option.type).startswith("Heuristic"):
                if isinstance(value, type) or not isinstance(value, Heuristic):
                    # Imported late: most heuristics are given as values.
                    from taquin.heuristics.registry import as_heuristic

                    object.__setattr__(self, option.name, as_heuristic(value))
            elif option.name in self.least:
                least = self.least[option.name]
                if not least <= value < inf:
                    flag = option.name.replace("_", "-")
                    fault = reason("option-least", name=flag, least=least, found=str(value))
                    if value == inf:
                        fault = reason("option-finite", name=flag, found=str(value))
                    raise UnsuitableError(fault)
        for name, value in self.conventions.chosen().items():
            flag = name.replace("_", "-")
            if name in self.unsupported and value != getattr(self.defaults, name):
                known = ", ".join(option_names(self))
                raise UnsuitableError(reason("no-option", name=self.name, option=flag, names=known))
            if name in self.supported and value not in self.supported[name]:
                known = ", ".join(sorted(map(text_of, self.supported[name])))
                found = text_of(value)
                raise UnsuitableError(
                    reason("no-value", name=self.name, option=flag, found=found, names=known)
                )
        complete = self.conventions.over(self.defaults)
        if complete.bumps and complete.duplicates is not Duplicates.DEQUEUE:
            raise UnsuitableError(reason("bumps"))
        object.__setattr__(self, "conventions", complete)

    def __str__(self) -> str:
        shown: list[str] = []
        for option in fields(self):  # type: ignore[arg-type]
            value = getattr(self, option.name)
            if option.name == "heuristic":
                shown.insert(0, str(value.name))
            elif option.name == "conventions":
                shown += value.changed_from(self.defaults)
            elif value is not None and not (
                value == option.default
                and (isinstance(value, Enum) or (option.name == "weight" and value == 1))
            ):
                text = value.name if isinstance(value, Heuristic) else text_of(value)
                shown.append(f"{option.name}={text}")
        return f"{self.name}({', '.join(shown)})" if shown else self.name


def _manhattan() -> Heuristic:
    # Imported late: the searches of compiled engines have pattern databases.
    from taquin.heuristics.per_tile import Manhattan

    return Manhattan()


@dataclass(frozen=True, slots=True)
class HeuristicSearch(SearchValue):
    """A search that needs a heuristic."""

    heuristic: Heuristic = field(default_factory=_manhattan)


class RememberingSearch(HeuristicSearch):
    """A search that remembers every board reached, and whose tie-breaking is fixed."""

    __slots__ = ()
    supported: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")


class LocalSearch(RememberingSearch):
    """A search whose solution is the path it took: of any length, and it may not terminate."""

    __slots__ = ()
    optimal = False
    exhaustive = False


class TreeSearch(HeuristicSearch):
    """A search that remembers only the boards on the current path."""

    __slots__ = ()
    supported: ClassVar = {"duplicates": frozenset({Duplicates.PARENT, Duplicates.NONE})}
    defaults = SKIP_PARENT
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")
    exhaustive = False

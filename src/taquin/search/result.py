"""The input and the output of a search: task, limits, outcome, counters, result."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field, fields
from enum import Enum
from functools import cached_property
from math import ceil
from numbers import Real
from typing import Protocol, TypeAlias

from taquin.errors import UnsuitableError
from taquin.heuristics.base import holds_user_code
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.notation.moves import write_moves
from taquin.reasons import Reason, reason
from taquin.system.formatting import abridged, bytes_in_words, seconds_in_words
from taquin.system.lazy import Pictured
from taquin.tables.shape import Normal, normal_form


class Outcome(Enum):
    """How a search ended. None of these is an error; a result may hold the best so far."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    """There is provably no solution."""
    LIMIT_REACHED = "limit"
    """`Result.limit` ended it."""
    STOPPED = "stopped"
    """The caller or Ctrl-C ended it."""


class Limit(Enum):
    """What can end a search early."""

    NODES = "nodes"
    SECONDS = "seconds"
    CPU_SECONDS = "cpu_seconds"
    DEPTH = "depth"
    """The limit on the length of a path: the task's, or a depth-first search's own."""
    MEMORY = "memory"
    """The limit on memory, or the memory of the machine."""
    WIDTH = "width"
    """The width of a beam: no board kept led to the goal."""
    CAP = "cap"
    """The most nodes that a capped beam may keep."""
    TRIES = "tries"
    """The tries of a local search."""


class Count(Enum):
    """The counters that "nodes" can mean; each is a field of `Stats`."""

    EXPANDED = "expanded"
    GENERATED = "generated"
    ENQUEUED = "enqueued"
    DEQUEUED = "dequeued"


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits on a search. Raise UnsuitableError for a negative limit."""

    nodes: int | None = None
    """The maximum number of nodes, counted as `counting` says."""
    seconds: float | None = None
    """Most seconds, from the parsed board to the end, including the loading of code and tables; at
    the command line from the start of the process. Tables that would take too long to build are not
    used."""
    depth: int | None = None
    """Most moves in a solution; longer paths are not followed."""
    memory: int | None = None
    """The maximum number of bytes of memory of the process, on systems that report them."""
    counting: Count = Count.GENERATED
    """What `nodes` counts."""
    cpu_seconds: float | None = None
    """Most seconds of CPU time of the search proper; not part of the records of studies."""

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "depth", "memory", "cpu_seconds"):
            value: float | None = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, Real):
                raise UnsuitableError(f"expected a number for the limit on {name}, found {value!r}")
            if not value >= 0:
                raise UnsuitableError(f"the limit on {name} must be at least 0, got {value}")


_NOTABLE = 1.0
"""Seconds of preparation from which they are printed."""
_LONGEST_REPR = 120
"""The maximum number of characters of a result in a list or a debugger."""
NO_LIMITS = Limits()


MOST_BEYOND = 10
"""How much longer than the shortest listed solutions may be; beyond it they are millions."""


class Method(Protocol):
    """How a solution was found, as a value that prints itself: an algorithm or a table lookup."""

    @property
    def name(self) -> str:
        """Return its name."""


@dataclass(frozen=True, slots=True)
class NamedMethod:
    """A method of which only the name matters: a lookup, or the text of a record."""

    name: str

    def __str__(self) -> str:
        return self.name


class Want(Enum):
    """Which solutions a task is for."""

    ONE = "one"
    """One solution, a shortest one unless the algorithm is not optimal."""
    EVERY = "every"
    """Every shortest solution, and those that `Task.beyond` allows."""


@dataclass(frozen=True)
class Task:
    """What to solve, and the limits; facts that engines need of the board are cached."""

    puzzle: Puzzle
    start: Board
    algorithm: Method | None = None
    """The search to run; None for the fastest that finds a shortest solution."""
    limits: Limits = NO_LIMITS
    want: Want = Want.ONE
    beyond: int = 0
    """With `Want.EVERY`: how many moves longer than the shortest a solution may be."""

    @cached_property
    def normal(self) -> Normal | None:
        """The start in normal form; None unless the puzzle is a classic one."""
        return normal_form(self.puzzle, self.start)

    @cached_property
    def parity(self) -> int | None:
        """Whether every solution has an even (0) or an odd number of moves; None if not known."""
        return self.puzzle.solution_parity(self.start)


@dataclass(slots=True)
class Counters:
    """The counters of a search while it runs; loops write them at every event and tick."""

    expanded: int = 0
    generated: int = 0
    enqueued: int = 0
    dequeued: int = 0
    duplicates: int = 0
    reopened: int = 0
    updated: int = 0
    necessary: int = 0
    frontier: int = 0
    max_frontier: int = 0
    max_depth: int = 0
    bound: float = 0
    """The lower bound on the cost of every solution."""
    best: int | None = None
    """Cost of the best solution found so far; None while there is none."""
    cut: bool = False
    """Whether the depth limit cut a path."""
    rounds: list[tuple[float, int]] = field(default_factory=list)
    """For a search that deepens, each bound with the nodes generated before it began."""
    stage: str = ""
    """The current stage of the preparation, as text; empty during the search proper."""

    def prove(self, bound: float) -> None:
        """Record a lower bound, and the number of expansions that it took."""
        if bound > self.bound:
            self.bound, self.necessary = bound, self.expanded


@dataclass(frozen=True, slots=True)
class Stats:
    """The effort of a search, with the exact definition of each counter.

    A counter is None if the search does not keep it: compiled searches count generated nodes only,
    and a lookup counts nothing.
    """

    expanded: int | None = None
    """Boards whose successors were generated."""
    generated: int | None = None
    """Successors generated, duplicates included, the start excluded."""
    enqueued: int | None = None
    """Entries ever put into the frontier, the start included."""
    dequeued: int | None = None
    """Entries ever dequeued, the start and discarded duplicates included."""
    duplicates: int | None = None
    """Entries discarded as duplicates, on generation or on dequeue."""
    reopened: int | None = None
    """Boards reached by a cheaper path after they had been expanded."""
    updated: int | None = None
    """Boards reached by a cheaper path while they were in the frontier."""
    necessary: int | None = None
    """Expansions made before the lower bound reached the cost of the solution.
    The lower bound is that of the search itself, without the parity of solutions. None unless the
    solution is proven shortest, by A*, uniform-cost, breadth-first, bidirectional search, MM or
    NBS."""
    max_frontier: int | None = None
    """Most entries in the frontier at once; for depth-first searches, the longest stack."""
    max_depth: int | None = None
    """Depth of the deepest board dequeued, discarded duplicates included, or of the goal found if
    that is deeper."""
    seconds: float = 0.0
    """Wall-clock time of the search, without `Result.preparation`."""
    cpu_seconds: float = 0.0
    """CPU time of the search, in all threads of this process."""
    peak_memory: int = 0
    """Peak memory of the process in bytes; 0 if the system does not report it."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """Wall-clock seconds spent before a search proper."""

    building: float = 0.0
    """Building tables, which are cached for later runs."""
    loading: float = 0.0
    """Loading existing code and tables."""

    @property
    def total(self) -> float:
        """The seconds in all."""
        return self.building + self.loading

    def __add__(self, other: Preparation) -> Preparation:
        return Preparation(self.building + other.building, self.loading + other.loading)


_MEASURED = ("seconds", "cpu_seconds", "peak_memory")
COUNTERS = tuple(count.name for count in fields(Stats) if count.name not in _MEASURED)
"""The names of the counters."""
DEFAULT_COUNTERS = tuple(name for name in COUNTERS if name != "necessary")
"""The counters of a glass-box search that does not count necessary expansions."""
Bounds: TypeAlias = tuple[tuple[float, int], ...]
"""Each bound searched, in order, with the nodes generated in it."""


@dataclass(frozen=True, slots=True)
class EngineTag:
    """Which engine searched, and with which resources."""

    name: str
    """The engine: `glass-box`, `complete table`, `cpu`, `cluster` …"""
    resources: str = ""
    """For example `2 threads`."""

    def __str__(self) -> str:
        return f"{self.name}, {self.resources}" if self.resources else self.name

    @classmethod
    def read(cls, text: str) -> EngineTag:
        """Return the tag that prints as `text`."""
        name, _, resources = text.partition(", ")
        return cls(name, resources)


@dataclass(frozen=True, slots=True, repr=False)
class Result(Pictured):
    """The result of a search."""

    outcome: Outcome
    puzzle: Puzzle
    start: Board
    moves: tuple[Move, ...] | None
    """The best solution found; None for none."""
    lower_bound: int
    """Every solution is proven to have at least this many moves."""
    algorithm: Method
    engine: EngineTag
    stats: Stats = field(default_factory=Stats)
    """The effort."""
    limit: Limit | None = None
    """The limit that ended it; None for none."""
    reason: str = ""
    """As text: why there is no solution, which limit was reached, or what a check of user code
    found (`analysis/isolated.py`)."""
    assumes: str = ""
    """The unproven assumption that makes the solution optimal: `mine.py:h is admissible`; empty for
    none. A user's claim never contributes to `lower_bound`."""
    estimate: int | None = None
    """The estimate of the start by a heuristic in user code; None without one."""
    bounds: Bounds = ()
    """For a search that deepens bound by bound, the nodes of each bound. For every bound but the
    last they do not depend on the number of threads or workers. The last includes the nodes that
    were searched ahead of the bound (docs/counting.md)."""
    preparation: Preparation = Preparation()
    """Time to prepare the search; not part of `stats.seconds`."""

    @property
    def cost(self) -> int | None:
        """The number of moves of the solution in the puzzle's metric; None for none."""
        return None if self.moves is None else len(self.moves)

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven to be a shortest one."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def gap(self) -> float | None:
        """The fraction by which the cost may exceed the shortest: 0.0 when proven optimal."""
        if self.cost is None:
            return None
        return self.cost / self.lower_bound - 1 if self.lower_bound else float(self.cost > 0)

    def __repr__(self) -> str:
        return f"<Result: {abridged(verdict(self).removesuffix('.'), _LONGEST_REPR)}>"

    def __str__(self) -> str:
        moves = f"Moves: {write_moves(self.moves, self.puzzle.metric)}" if self.moves else ""
        return "\n".join(filter(None, [verdict(self), how_to_prove(self), moves, effort(self)]))

    def boards(self) -> tuple[Board, ...]:
        """Return every board of the solution from the start on, after replaying it."""
        return self.puzzle.replay(self.start, self.moves) if self.moves is not None else ()


def verdict(result: Result) -> Reason:
    """Return one sentence: the finding, and what is proven about it."""
    why, cost = Reason(result.reason), result.cost
    if result.outcome is Outcome.UNSOLVABLE:
        return reason("unsolvable", detail=why)
    if cost is None:
        return reason(
            "ended" if result.outcome is Outcome.STOPPED else "none",
            reason=why,
            count=result.lower_bound,
            parity=_parity(result),
        )
    if result.outcome is not Outcome.SOLVED:
        return reason("best", reason=why, count=cost, rest=_distance(result))
    if cost == 0:
        return reason("solved-already")
    return reason("solved-in", count=cost, rest=_distance(result))


def how_to_prove(result: Result) -> str:
    """Return how a user's heuristic can claim a shortest solution; empty if it does."""
    if result.outcome is not Outcome.SOLVED or result.optimal or result.reason:
        return ""
    # Imported late: most solutions are proven to be shortest.
    from taquin.heuristics.user_code import how_to_claim

    return how_to_claim(result.algorithm)


def _distance(result: Result) -> Reason:
    """Return how far a solution may be from a shortest one."""
    finding = Reason(result.reason if result.outcome is Outcome.SOLVED else "")
    if result.optimal:
        shortest = reason("shortest-checked" if holds_user_code(result.algorithm) else "shortest")
        return reason("checked", rest=shortest, detail=finding) if finding else shortest
    if finding:
        return finding
    if result.assumes:
        rest, estimate, cost = "", result.estimate, result.cost
        if estimate is not None and cost is not None and estimate > cost:
            rest = reason("claim-false", estimate=estimate, cost=cost)
        return reason("optimal-if", claim=Reason(result.assumes), rest=rest)
    bound, parity, gap = result.lower_bound, _parity(result), result.gap
    if not gap or gap >= 10:
        return reason("at-least", count=bound, parity=parity)
    return reason("within", count=bound, parity=parity, percent=ceil(100 * gap))


def _parity(result: Result) -> str:
    """Return the parity of every solution as text; empty if it is unknown."""
    parity = result.puzzle.solution_parity(result.start)
    return "" if parity is None else reason("odd-number" if parity else "even-number")


def effort(result: Result) -> str:
    """Return one line: the algorithm, the engine and the effort."""
    stats = result.stats
    parts = [f"{stats.expanded:,} expanded"] if stats.expanded else []
    parts += [f"{stats.generated:,} generated"] if stats.generated else []
    spent = [f"{', '.join(parts)} in {seconds_in_words(stats.seconds)}".strip()]
    if stats.generated and stats.seconds > 0:
        spent.append(f"{stats.generated / stats.seconds:,.0f}/s")
    if stats.peak_memory:
        spent.append(bytes_in_words(stats.peak_memory))
    # An engine and its only search have the same name.
    has_own = result.engine.name == result.algorithm.name
    ran = f"{result.algorithm}, {result.engine.resources if has_own else result.engine}"
    phases = zip(("build tables", "load"), astuple(result.preparation), strict=True)
    extra = [f"{seconds:.1f} s to {verb}" for verb, seconds in phases if seconds >= _NOTABLE]
    return f"{ran}: {', '.join(spent)}" + (f"; plus {', '.join(extra)}" if extra else "")

"""The algorithms as values: `AStar(Manhattan(), weight=2)` stores, compares and prints itself."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from math import inf

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search.beam import beam
from taquin.search.best_first import Order, best_first
from taquin.search.bidirectional import bidirectional
from taquin.search.conventions import (
    SKIP_PARENT,
    STANDARD,
    Conventions,
    Duplicates,
    GoalTest,
)
from taquin.search.depth_first import depth_first
from taquin.search.recursive_best_first import recursive_best_first
from taquin.search.run import Loop, Run

_WALKS = frozenset({Duplicates.REACHED, Duplicates.PARENT, Duplicates.NONE})
_LOOPS = frozenset(Duplicates)


class _Value:
    """What all algorithm values share: how they print, and which conventions they refuse."""

    __slots__ = ()

    name: str = ""
    cap: int | None = None
    knows = _LOOPS
    """The ways of handling duplicates that the algorithm can follow."""

    @property
    def exhaustive(self) -> bool:
        """Tell whether the search ends by itself on a puzzle without a solution.

        It does when it never expands a board twice for no gain.
        """
        conventions: Conventions = getattr(self, "conventions")  # noqa: B009
        return conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE)

    def __post_init__(self) -> None:
        conventions: Conventions = getattr(self, "conventions")  # noqa: B009
        if conventions.duplicates not in self.knows:
            known = ", ".join(sorted(way.value for way in self.knows))
            raise UnsuitableError(
                f"{self.name} cannot handle duplicates by '{conventions.duplicates.value}'; "
                f"it knows: {known}"
            )
        if conventions.bumps and conventions.duplicates is not Duplicates.DEQUEUE:
            raise UnsuitableError(
                "steps into walls can be counted only where duplicates are thrown away on dequeue"
            )

    def __str__(self) -> str:
        shown: list[str] = []
        for each in fields(self):  # type: ignore[arg-type]
            value = getattr(self, each.name)
            if each.name == "heuristic":
                shown.insert(0, str(value.name))
            elif each.name == "conventions":
                shown += value.unlike(each.default)
            elif value is not None and (each.name, value) != ("weight", 1):
                shown.append(f"{each.name}={getattr(value, 'name', value)}")
        return f"{self.name}({', '.join(shown)})" if shown else self.name


@dataclass(frozen=True, slots=True)
class BreadthFirst(_Value):
    """Expand the board nearest to the start: shortest solutions, much memory."""

    conventions: Conventions = STANDARD
    scored_by: Heuristic | None = None
    """Estimate in whose order the successors of a board are enqueued (S0); None for the order of
    directions."""

    name = "bfs"
    optimal = True

    @property
    def heuristic(self) -> Heuristic | None:
        """Return what sorts successors; it has no say otherwise."""
        return self.scored_by

    def loop(self, run: Run) -> Loop:
        """Order boards by depth."""
        # A goal test on generation has looked at the next level too.
        ahead = 1 if self.conventions.goal_test is GoalTest.GENERATION else 0
        return best_first(
            run,
            Order(_depth, lambda lowest: lowest + ahead, sort_siblings=self.scored_by is not None),
        )


@dataclass(frozen=True, slots=True)
class UniformCost(_Value):
    """Expand the board that costs least so far; with unit costs the same as breadth-first."""

    conventions: Conventions = STANDARD

    name = "ucs"
    heuristic = None
    optimal = True

    def loop(self, run: Run) -> Loop:
        """Order boards by cost."""
        return best_first(run, Order(_depth, _itself))


@dataclass(frozen=True, slots=True)
class Greedy(_Value):
    """Expand the board that looks nearest to the goal: fast, solutions of any length."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = STANDARD

    name = "greedy"
    optimal = False

    def loop(self, run: Run) -> Loop:
        """Order boards by estimate."""
        return best_first(run, Order(lambda g, h: h))


@dataclass(frozen=True, slots=True)
class AStar(_Value):
    """Expand the board with the least cost so far plus estimate: shortest solutions.

    With a `weight` above 1 the estimate counts more: fewer boards, and solutions at most that
    many times longer than the shortest.
    """

    heuristic: Heuristic = field(default_factory=Manhattan)
    weight: float = 1
    conventions: Conventions = STANDARD

    def __post_init__(self) -> None:
        """Raise UnsuitableError for a weight below 1 or without end."""
        if not 1 <= self.weight < inf:
            raise UnsuitableError(f"the weight must be 1 or more, and finite, not {self.weight}")
        _Value.__post_init__(self)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return `astar`, or `wastar` when weighted."""
        return "astar" if self.weight == 1 else "wastar"

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest: without a weight, tested on expansion."""
        return self.weight == 1 and self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: Run) -> Loop:
        """Order boards by g + weight · h."""
        weight = self.weight
        if weight == 1:
            return best_first(run, Order(int.__add__, _itself))
        return best_first(run, Order(lambda g, h: g + weight * h, lambda lowest: lowest / weight))


@dataclass(frozen=True, slots=True)
class DepthFirst(_Value):
    """Follow one path as deep as it goes: little to say for it, except that it is simple."""

    max_depth: int | None = None
    """Longest path followed; None for no limit."""
    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    conventions: Conventions = STANDARD

    name = "dfs"
    heuristic = None
    optimal = False

    @property
    def exhaustive(self) -> bool:
        """Tell whether every board is looked at: without a depth limit, none of them twice."""
        return self.max_depth is None and _Value.exhaustive.__get__(self)

    def loop(self, run: Run) -> Loop:
        """Go deep once."""
        if self.max_depth is None:
            return depth_first(run, seed=self.seed)
        return depth_first(run, bound=self.max_depth, seed=self.seed)


@dataclass(frozen=True, slots=True)
class IterativeDeepening(_Value):
    """Go depth-first to depth 0, 1, 2 …: shortest solutions in little memory, much repeated."""

    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    conventions: Conventions = SKIP_PARENT

    name = "ids"
    heuristic = None
    exhaustive = False

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest: unless a first visit bars a shorter one."""
        return self.conventions.duplicates in _WALKS

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, one level deeper each time."""
        return depth_first(run, rising=True, seed=self.seed)


@dataclass(frozen=True, slots=True)
class IDAStar(_Value):
    """Go depth-first within a bound on g + h that rises: A* in memory linear in the depth."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = SKIP_PARENT

    name = "idastar"
    exhaustive = False

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest: unless a first visit bars a shorter one."""
        return (
            self.conventions.duplicates in _WALKS
            and self.conventions.goal_test is GoalTest.EXPANSION
        )

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, each time as far as the least f that was cut."""
        return depth_first(run, rising=True)


@dataclass(frozen=True, slots=True)
class RecursiveBestFirst(_Value):
    """Explore best-first while keeping one path and its siblings only."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    conventions: Conventions = SKIP_PARENT

    name = "rbfs"
    exhaustive = False
    knows = frozenset({Duplicates.PARENT, Duplicates.NONE})

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest: when tested on expansion."""
        return self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: Run) -> Loop:
        """Back up the best value of every branch that is left."""
        return recursive_best_first(run)


@dataclass(frozen=True, slots=True)
class Beam(_Value):
    """Keep the best `width` boards of each level: the beam search of the textbooks."""

    heuristic: Heuristic = field(default_factory=Manhattan)
    width: int = 100
    """Boards kept of each level."""
    conventions: Conventions = STANDARD

    name = "beam"
    optimal = False
    exhaustive = False
    knows = _WALKS

    def __post_init__(self) -> None:
        """Raise UnsuitableError for a width below 1."""
        if self.width < 1:
            raise UnsuitableError(f"the width of a beam must be 1 or more, not {self.width}")
        _Value.__post_init__(self)

    def loop(self, run: Run) -> Loop:
        """Go level by level."""
        return beam(run, self.width)


@dataclass(frozen=True, slots=True)
class CappedBeam(_Value):
    """Expand the board that looks nearest, keeping at most `nodes` boards in all (S2's beam).

    The cap counts every board kept, not those of one level; when one more would be needed the
    search gives up.
    """

    heuristic: Heuristic = field(default_factory=Manhattan)
    nodes: int = 1000
    """Boards that may ever be kept."""
    conventions: Conventions = STANDARD

    name = "capped-beam"
    optimal = False
    exhaustive = False

    def __post_init__(self) -> None:
        """Raise UnsuitableError for a cap below 1."""
        if self.nodes < 1:
            raise UnsuitableError(f"the cap of a beam must be 1 or more, not {self.nodes}")
        _Value.__post_init__(self)

    @property
    def cap(self) -> int | None:  # type: ignore[override]
        """Return the most nodes the search may ever keep."""
        return self.nodes

    def loop(self, run: Run) -> Loop:
        """Order boards by estimate; the driver watches the cap."""
        return best_first(run, Order(lambda g, h: h))


@dataclass(frozen=True, slots=True)
class Bidirectional(_Value):
    """Search breadth-first from both ends: shortest solutions, the square root of the boards."""

    conventions: Conventions = STANDARD

    name = "bidirectional"
    heuristic = None
    optimal = True
    knows = frozenset({Duplicates.REACHED})

    def loop(self, run: Run) -> Loop:
        """Grow two trees until they meet."""
        return bidirectional(run)


def _depth(g: int, h: int) -> int:
    return g


def _itself(lowest: float) -> float:
    return lowest

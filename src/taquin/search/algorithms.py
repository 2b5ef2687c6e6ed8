"""The algorithms as values: `AStar(Manhattan(), weight=2)` stores, compares and prints itself.

What an algorithm prints as is text of the grammar in `taquin.search.grammar`, which reads it back.
Tests check every entry of ALGORITHMS against exhaustive enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, ClassVar

from taquin.heuristics.base import Heuristic
from taquin.search.conventions import (
    LOW_H_FIRST,
    OPEN,
    SKIP_PARENT,
    Conventions,
    Duplicates,
    GoalTest,
    RandomOrder,
    Ties,
)
from taquin.search.run import Algorithm, Loop, Run
from taquin.search.value import HeuristicSearch, SearchValue, TreeSearch
from taquin.system.lazy import LazyRegistry

# The loops are imported when they run: a result of a compiled search names one of these values.


def _best_first(run: Run, *order: Any) -> Loop:
    from taquin.search.best_first import Order, best_first

    return best_first(run, Order(*order))


_WALKS = frozenset({Duplicates.REACHED, Duplicates.PARENT, Duplicates.NONE})


@dataclass(frozen=True, slots=True)
class BreadthFirst(SearchValue):
    """Expand the board nearest to the start: shortest solutions, much memory."""

    conventions: Conventions = OPEN
    scored_by: Heuristic | None = None
    """Estimate by which the successors of a board are ordered (S0); None for directions."""

    name = "bfs"
    optimal = True

    @property
    def heuristic(self) -> Heuristic | None:
        """The estimate that orders successors; nothing else depends on it."""
        return self.scored_by

    def loop(self, run: Run) -> Loop:
        """Order boards by depth."""
        # A goal test on generation has looked at the next level too.
        ahead = self.conventions.goal_test is GoalTest.GENERATION
        sort_siblings = self.scored_by is not None
        return _best_first(run, lambda g, h: g, lambda lowest: lowest + ahead, sort_siblings)


@dataclass(frozen=True, slots=True)
class UniformCost(SearchValue):
    """Expand the board that costs least so far; with unit costs the same as breadth-first."""

    conventions: Conventions = OPEN

    name = "ucs"
    heuristic = None
    optimal = True

    def loop(self, run: Run) -> Loop:
        """Order boards by cost."""
        return _best_first(run, lambda g, h: g, lambda lowest: lowest)


@dataclass(frozen=True, slots=True)
class Greedy(HeuristicSearch):
    """Expand the board that looks nearest to the goal: fast, solutions of any length."""

    conventions: Conventions = OPEN

    name = "greedy"
    optimal = False

    def loop(self, run: Run) -> Loop:
        """Order boards by estimate."""
        return _best_first(run, lambda g, h: h)


@dataclass(frozen=True, slots=True)
class AStar(HeuristicSearch):
    """Expand the board with the least cost so far plus estimate: shortest solutions.

    A `weight` above 1 expands fewer boards; solutions are at most that many times too long.
    """

    weight: float = 1
    conventions: Conventions = OPEN

    defaults = LOW_H_FIRST
    least: ClassVar = {"weight": (1, "the weight must be 1 or more, and finite")}

    @property
    def name(self) -> str:  # type: ignore[override]
        """`astar`, or `wastar` when weighted."""
        return "astar" if self.weight == 1 else "wastar"

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: without a weight, tested on expansion."""
        return self.weight == 1 and self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: Run) -> Loop:
        """Order boards by g + weight · h."""
        w = self.weight
        if w == 1:
            return _best_first(run, int.__add__, lambda lowest: lowest)
        return _best_first(run, lambda g, h: g + w * h, lambda lowest: lowest / w)


@dataclass(frozen=True, slots=True)
class DepthFirst(SearchValue):
    """Follow one path as deep as it goes, then back up: simple, with solutions of any length."""

    max_depth: int | None = None
    """Longest path followed; None for no limit."""
    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    random_order: RandomOrder = RandomOrder.SHUFFLE
    """Which random order a seed gives."""
    conventions: Conventions = OPEN

    name = "dfs"
    supported: ClassVar[Mapping[str, frozenset[Any]]] = {}
    least: ClassVar = {"max_depth": (0, "the longest path must be 0 or more")}
    unsupported = ("ties", "goal_test")
    heuristic = None
    optimal = False

    @property
    def exhaustive(self) -> bool:
        """Whether every board is looked at: without a depth limit, none of them twice."""
        return self.max_depth is None and SearchValue.exhaustive.__get__(self)

    def loop(self, run: Run) -> Loop:
        """Go deep once."""
        from taquin.search.depth_first import depth_first, stacked

        bound = inf if self.max_depth is None else self.max_depth
        is_stacked = self.conventions.duplicates is Duplicates.GENERATED
        loop = stacked if is_stacked else partial(depth_first, by_depth=True)
        return loop(run, bound=bound, seed=self.seed, order=self.random_order)


class _Deepening(SearchValue):
    __slots__ = ()
    defaults = SKIP_PARENT
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")
    exhaustive = False

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: unless a first visit bars a shorter one."""
        return self.conventions.duplicates in _WALKS


@dataclass(frozen=True, slots=True)
class IterativeDeepening(_Deepening):
    """Go depth-first to depth 0, 1, 2 …: shortest solutions in little memory, much repeated."""

    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    random_order: RandomOrder = RandomOrder.SHUFFLE
    """Which random order a seed gives."""
    conventions: Conventions = OPEN

    name = "ids"
    unsupported = ("ties", "goal_test")
    heuristic = None

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, one level deeper each time."""
        from taquin.search.depth_first import depth_first

        return depth_first(run, rising=True, seed=self.seed, order=self.random_order, by_depth=True)


@dataclass(frozen=True, slots=True)
class IDAStar(_Deepening, HeuristicSearch):
    """Go depth-first within a bound on g + h that rises: A* in memory linear in the depth."""

    conventions: Conventions = OPEN

    name = "idastar"

    def loop(self, run: Run) -> Loop:
        """Go deep again and again, each time as far as the least f that was cut."""
        from taquin.search.depth_first import depth_first

        return depth_first(run, rising=True)


@dataclass(frozen=True, slots=True)
class RecursiveBestFirst(TreeSearch):
    """Explore best-first while keeping one path and its siblings only."""

    conventions: Conventions = OPEN

    name = "rbfs"
    unsupported = ("ties", "limit_test")

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: when tested on expansion."""
        return self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: Run) -> Loop:
        """Back up the best value of every branch that is left."""
        from taquin.search.recursive_best_first import recursive_best_first

        return recursive_best_first(run)


@dataclass(frozen=True, slots=True)
class Beam(HeuristicSearch):
    """Keep the best `width` boards of each level: the beam search of the textbooks."""

    width: int = 100
    """Boards kept of each level."""
    conventions: Conventions = OPEN

    name = "beam"
    supported: ClassVar = {"duplicates": _WALKS, "ties": frozenset({Ties.FIFO, Ties.LIFO})}
    least: ClassVar = {"width": (1, "the width of a beam must be 1 or more")}
    optimal = False
    exhaustive = False

    def loop(self, run: Run) -> Loop:
        """Go level by level."""
        from taquin.search.beam import beam

        return beam(run, self.width)


@dataclass(frozen=True, slots=True)
class CappedBeam(HeuristicSearch):
    """Expand the board that looks nearest, keeping at most `cap` boards in all (S2's beam)."""

    cap: int = 1000
    """Boards that may ever be kept, not only of one level; then the search gives up."""
    conventions: Conventions = OPEN

    name = "capped-beam"
    least: ClassVar = {"cap": (1, "the cap of a beam must be 1 or more")}
    optimal = False
    exhaustive = False

    def loop(self, run: Run) -> Loop:
        """Order boards by estimate; the driver watches the cap."""
        return _best_first(run, lambda g, h: h)


@dataclass(frozen=True, slots=True)
class Bidirectional(SearchValue):
    """Search breadth-first from both ends: shortest solutions, the square root of the boards."""

    conventions: Conventions = OPEN

    name = "bidirectional"
    supported: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unsupported = ("ties", "goal_test", "limit_test")
    heuristic = None
    optimal = True

    def loop(self, run: Run) -> Loop:
        """Grow two trees until they meet."""
        from taquin.search.bidirectional import bidirectional

        return bidirectional(run)


# New searches go here: a value each, and a line in ALGORITHMS below.


def weighted_a_star(weight: float = 2, **options: Any) -> AStar:
    """Expand by cost so far plus w times the estimate: faster, at most w times too long."""
    return AStar(weight=weight, **options)


ALGORITHMS: dict[str, Callable[..., Algorithm]] = LazyRegistry(
    {
        "bfs": BreadthFirst,
        "dfs": DepthFirst,
        "ids": IterativeDeepening,
        "ucs": UniformCost,
        "greedy": Greedy,
        "astar": AStar,
        "wastar": weighted_a_star,
        "idastar": IDAStar,
        "rbfs": RecursiveBestFirst,
        "beam": Beam,
        "capped-beam": CappedBeam,
        "bidirectional": Bidirectional,
        "mm": "search.both_ends:MeetInTheMiddle",
        "nbs": "search.both_ends:NearOptimalBidirectional",
        "arastar": "search.anytime_repairing:AnytimeRepairing",
        "widastar": "search.bounded_walk:WeightedIDAStar",
        "focal": "search.bounded_suboptimal:Focal",
        "potential": "search.bounded_suboptimal:DynamicPotential",
        "peastar": "search.partial_expansion:PartialExpansion",
        "bts": "search.bounded_walk:BudgetedTreeSearch",
        "lrtastar": "search.real_time:LearningRealTime",
        "lss-lrtastar": "search.real_time:LocalSearchSpace",
        "hill-climbing": "search.local_search:HillClimbing",
        "annealing": "search.local_search:SimulatedAnnealing",
    }
)
"""Every algorithm by its name: its class, or a function with the arguments of one."""

"""The algorithms as values: `AStar(Manhattan(), weight=2)` stores, compares and prints itself.

`str()` of an algorithm is text of the grammar in `taquin.search.grammar`, which reads it back.
Tests check every entry of ALGORITHMS against exhaustive enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any, ClassVar

from taquin.heuristics.base import Heuristic
from taquin.search.run import (
    LOW_H_FIRST,
    OPEN,
    SKIP_PARENT,
    Algorithm,
    Conventions,
    Duplicates,
    GoalTest,
    HeuristicSearch,
    Loop,
    RandomOrder,
    SearchRun,
    SearchValue,
    Ties,
    TreeSearch,
    unweighted,
)
from taquin.system.lazy import LazyRegistry

# The loops are imported when they run: a result of a compiled search names one of these values.


def _best_first(run: SearchRun, *order: Any) -> Loop:
    from taquin.search.best_first import Order, best_first

    return best_first(run, Order(*order))


_KEEPS_SHORTEST = frozenset({Duplicates.REACHED, Duplicates.PARENT, Duplicates.NONE})
"""The treatments of duplicates that never discard a shorter path."""


@dataclass(frozen=True, slots=True)
class BreadthFirst(SearchValue):
    """Expand the shallowest board: shortest solutions, much memory."""

    conventions: Conventions = OPEN
    scored_by: Heuristic | None = None
    """Heuristic by which the successors of a board are ordered (S0); None for directions."""

    name = "bfs"
    optimal = True

    @property
    def heuristic(self) -> Heuristic | None:
        """The heuristic that orders successors; nothing else depends on it."""
        return self.scored_by

    def loop(self, run: SearchRun) -> Loop:
        """Order boards by depth."""
        # With a goal test on generation, the next level has been tested too.
        ahead = self.conventions.goal_test is GoalTest.GENERATION
        sort_siblings = self.scored_by is not None
        return _best_first(run, lambda g, h: g, lambda lowest: lowest + ahead, sort_siblings)


@dataclass(frozen=True, slots=True)
class UniformCost(SearchValue):
    """Expand the board of lowest g; with unit costs the same as breadth-first."""

    conventions: Conventions = OPEN

    name = "ucs"
    heuristic = None
    optimal = True

    def loop(self, run: SearchRun) -> Loop:
        """Order boards by g."""
        return _best_first(run, lambda g, h: g, lambda lowest: lowest)


@dataclass(frozen=True, slots=True)
class Greedy(HeuristicSearch):
    """Expand the board of lowest h: fast, solutions of any length."""

    conventions: Conventions = OPEN

    name = "greedy"
    optimal = False

    def loop(self, run: SearchRun) -> Loop:
        """Order boards by h."""
        return _best_first(run, lambda g, h: h)


@dataclass(frozen=True, slots=True)
class AStar(HeuristicSearch):
    """Expand the board of lowest f = g + h: shortest solutions.

    With a `weight` above 1, f = g + weight · h: fewer boards are expanded, and a solution costs at
    most `weight` times the shortest.
    """

    weight: float = 1
    conventions: Conventions = OPEN

    defaults = LOW_H_FIRST
    least: ClassVar = {"weight": 1}

    @property
    def name(self) -> str:  # type: ignore[override]
        """`astar`, or `wastar` when weighted."""
        return "astar" if self.weight == 1 else "wastar"

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: at weight 1, with the goal test on expansion."""
        return self.weight == 1 and self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: SearchRun) -> Loop:
        """Order boards by g + weight · h."""
        w = self.weight
        if w == 1:
            return _best_first(run, int.__add__, lambda lowest: lowest)
        return _best_first(run, lambda g, h: g + w * h, lambda lowest: unweighted(lowest, w))


@dataclass(frozen=True, slots=True)
class DepthFirst(SearchValue):
    """Follow one path as deep as it goes, then backtrack: simple, solutions of any length."""

    max_depth: int | None = None
    """Longest path followed; None for no limit."""
    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    random_order: RandomOrder = RandomOrder.SHUFFLE
    """Which random order a seed gives."""
    conventions: Conventions = OPEN

    name = "dfs"
    supported: ClassVar[Mapping[str, frozenset[Any]]] = {}
    least: ClassVar = {"max_depth": 0}
    unsupported = ("ties", "goal_test")
    heuristic = None
    optimal = False

    @property
    def exhaustive(self) -> bool:
        """Whether it terminates without a solution: if there is no depth limit either."""
        return self.max_depth is None and SearchValue.exhaustive.__get__(self)

    def loop(self, run: SearchRun) -> Loop:
        """Search depth-first, once."""
        from taquin.search.depth_first import depth_first, depth_first_by_stack

        bound = inf if self.max_depth is None else self.max_depth
        by_stack = self.conventions.duplicates is Duplicates.GENERATED
        loop = depth_first_by_stack if by_stack else partial(depth_first, by_depth=True)
        return loop(run, bound=bound, seed=self.seed, order=self.random_order)


class _Deepening(SearchValue):
    __slots__ = ()
    defaults = SKIP_PARENT
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")
    exhaustive = False

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: not if boards are discarded whatever their depth."""
        return self.conventions.duplicates in _KEEPS_SHORTEST


@dataclass(frozen=True, slots=True)
class IterativeDeepening(_Deepening):
    """Search depth-first to depth 0, 1, 2 …: shortest solutions, little memory, much repeated."""

    seed: int | None = None
    """Seed of a random order of directions; None for the fixed order."""
    random_order: RandomOrder = RandomOrder.SHUFFLE
    """Which random order a seed gives."""
    conventions: Conventions = OPEN

    name = "ids"
    unsupported = ("ties", "goal_test")
    heuristic = None

    def loop(self, run: SearchRun) -> Loop:
        """Raise the bound on the depth by one each round."""
        from taquin.search.depth_first import depth_first

        return depth_first(run, rising=True, seed=self.seed, order=self.random_order, by_depth=True)


@dataclass(frozen=True, slots=True)
class IDAStar(_Deepening, HeuristicSearch):
    """Search depth-first within a rising bound on f = g + h: memory linear in the depth."""

    conventions: Conventions = OPEN

    name = "idastar"

    def loop(self, run: SearchRun) -> Loop:
        """Raise the bound each round to the least f that was cut."""
        from taquin.search.depth_first import depth_first

        return depth_first(run, rising=True)


@dataclass(frozen=True, slots=True)
class RecursiveBestFirst(TreeSearch):
    """Search best-first, keeping only one path and the siblings along it."""

    conventions: Conventions = OPEN

    name = "rbfs"
    unsupported = ("ties", "limit_test")

    @property
    def optimal(self) -> bool:
        """Whether solutions are shortest: with the goal test on expansion."""
        return self.conventions.goal_test is GoalTest.EXPANSION

    def loop(self, run: SearchRun) -> Loop:
        """Keep the backed-up value of every branch that is left."""
        from taquin.search.depth_first import recursive_best_first

        return recursive_best_first(run)


@dataclass(frozen=True, slots=True)
class Beam(HeuristicSearch):
    """Keep the best `width` boards of each level: the beam search of the textbooks."""

    width: int = 100
    """Boards kept of each level."""
    conventions: Conventions = OPEN

    name = "beam"
    supported: ClassVar = {"duplicates": _KEEPS_SHORTEST, "ties": frozenset({Ties.FIFO, Ties.LIFO})}
    least: ClassVar = {"width": 1}
    optimal = False
    exhaustive = False

    def loop(self, run: SearchRun) -> Loop:
        """Search level by level."""
        from taquin.search.best_first import beam

        return beam(run, self.width)


@dataclass(frozen=True, slots=True)
class CappedBeam(HeuristicSearch):
    """Expand the board of lowest h, keeping at most `cap` boards in all (S2's beam)."""

    cap: int = 1000
    """Boards that may ever be kept, not only of one level; then the search gives up."""
    conventions: Conventions = OPEN

    name = "capped-beam"
    least: ClassVar = {"cap": 1}
    optimal = False
    exhaustive = False

    def loop(self, run: SearchRun) -> Loop:
        """Order boards by h; the driver checks the cap."""
        return _best_first(run, lambda g, h: h)


@dataclass(frozen=True, slots=True)
class Bidirectional(SearchValue):
    """Search breadth-first from both ends: shortest solutions, about √n of the boards."""

    conventions: Conventions = OPEN

    name = "bidirectional"
    supported: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unsupported = ("ties", "goal_test", "limit_test")
    heuristic = None
    optimal = True

    def loop(self, run: SearchRun) -> Loop:
        """Grow two trees until they meet."""
        from taquin.search.bidirectional import bidirectional

        return bidirectional(run)


# New searches go here: a value each, and a line in ALGORITHMS below.


def weighted_a_star(weight: float = 2, **options: Any) -> AStar:
    """Expand by g + weight · h: faster, at most `weight` times the shortest cost."""
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
        "mm": "search.bidirectional:MeetInTheMiddle",
        "nbs": "search.bidirectional:NearOptimalBidirectional",
        "arastar": "search.best_first:AnytimeRepairing",
        "widastar": "search.depth_first:WeightedIDAStar",
        "focal": "search.best_first:Focal",
        "potential": "search.best_first:DynamicPotential",
        "peastar": "search.best_first:PartialExpansion",
        "bts": "search.depth_first:BudgetedTreeSearch",
        "lrtastar": "search.local_search:LearningRealTime",
        "lss-lrtastar": "search.local_search:LocalSearchSpace",
        "hill-climbing": "search.local_search:HillClimbing",
        "annealing": "search.local_search:SimulatedAnnealing",
    }
)
"""Every algorithm by its name: its class, or a function with the arguments of one."""

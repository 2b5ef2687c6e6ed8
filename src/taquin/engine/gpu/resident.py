"""Data that a process keeps on its GPU, and the choice of tables for a board.

`resident` keeps tables, automata, plans and stacks. `BestVariant` chooses for one board the set of
tables, and the direction of search, that need the fewest nodes. Of two sets that are equally good
on average, one may need seven times the nodes of the other on some board, and reading both costs
time for every node. The search from the goal to the start, which is the inverse board, differs as
much. These ratios hardly change from bound to bound. So the first large enough bound is searched by
all variants, and the cheapest continues. The others stop once they cost more, after a varying
number of nodes, which are therefore not counted in the bound, like nodes ahead of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import inf
from typing import NamedTuple, TypeAlias

from taquin.engine.cpu.automaton import LONGEST, AutomatonRecipe
from taquin.engine.gpu.device import Device, the_gpu
from taquin.engine.gpu.plan import (
    GpuAutomaton,
    GpuPlan,
    GpuTables,
    Views,
    large_patterns,
    table_bytes,
    views_of,
)
from taquin.engine.gpu.plan import settings_of as table_settings
from taquin.engine.gpu.searcher import (
    CAPACITY,
    HISTORY_WORDS,
    MOST_ROOTS,
    GpuBatch,
    GpuSearcher,
    StackMemory,
    Warps,
)
from taquin.engine.gpu.searcher import settings_of as warp_settings
from taquin.tables.patterns import PACKED_CELLS, table_set
from taquin.tables.shape import Cells, Normal, Shape
from taquin.tables.store import TableStore

_BESIDE_TABLES = 35_000_000_000
"""Bytes of a GPU beside large tables: 30 GB to build one of eight tiles, the rest for nodes."""
_BYTES_FOR_A_ROOT = 1024
"""Bytes of the GPU's memory per root of a large bound; making the roots takes a quarter of them."""
_CAPACITY, _BYTES_FOR_CAPACITY = 4096, 40_000_000_000
"""Nodes of a stack on a GPU with so many bytes: with more roots at once, warps wait less often for
the last of them."""
_ENOUGH = 30_000_000
"""Nodes of a bound on which variants are compared: some milliseconds each."""
_WORTH_BUILDING = 2_500_000_000
"""Nodes of a bound from which on building large tables, which takes seconds, pays."""
_BUILT_AT_ONCE = 2_000_000_000
"""Bytes of tables that are built in some tenths of a second."""


class ViewSet(NamedTuple):
    """The choice of views for a search."""

    is_large: bool
    """Whether it has large patterns, see `large_patterns`."""
    small: str | None
    """The name of the set of small patterns."""


_TRACED = ViewSet(False, "large")
"""Warps for the search of a path below one root."""
_VARIANTS: dict[str, tuple[ViewSet, float]] = {
    "8 and 7 tiles": (ViewSet(True, None), 1.0),
    "6 tiles": (ViewSet(False, "large"), 1.03),
}
"""Sets of views by the tiles of their patterns, and what a node costs, as measured on an H200."""
_SMALL, _VIEWS, _COST_OF_FEW_VIEWS = "medium", 4, 0.65
"""The set in place of `large` on 5×5, its views, and the relative cost of a node with fewer."""

Report: TypeAlias = Callable[[str], None]


class Resident:
    """The data on one GPU."""

    def __init__(self, device: Device) -> None:
        self.device = device
        """The GPU."""
        self._tables = GpuTables(device)
        self._automata: dict[tuple[int, int], GpuAutomaton] = {}
        self._plans: dict[tuple[Shape, ViewSet], GpuPlan] = {}
        self._warps: dict[tuple[Shape, ViewSet], Warps] = {}
        self._traced: dict[Shape, Warps] = {}
        # Only one board is searched at a time.
        self._memory = StackMemory(device), StackMemory(device)
        self._batches: dict[Shape, GpuBatch] = {}

    def can_be_large(self, shape: Shape) -> bool:
        """Return whether a goal has large patterns, and the tables of all goals fit on the GPU."""
        if large_patterns(shape) is None:
            return False
        goals = {
            min(Shape(shape.rows, shape.columns, blank).symmetries)[0]
            for blank in range(shape.size)
        }
        patterns = {pattern for goal in goals for pattern in large_patterns(goal) or ()}
        needed = sum(table_bytes(shape.size, len(pattern)) for pattern in patterns)
        beside = _BESIDE_TABLES if shape.size > PACKED_CELLS else 0
        return needed <= self.device.memory - beside

    def plan(self, shape: Shape, views: ViewSet, report: Report) -> GpuPlan:
        """Return the plan of a goal with some views."""
        if (shape, views) not in self._plans:
            words = self._automaton(shape, report)
            self._plans[shape, views] = GpuPlan(
                self.device, _views(shape, views), words, self._tables, report
            )
        return self._plans[shape, views]

    def variants(self, normal: Normal, tiles: int | None, report: Report) -> list[Variant]:
        """Return the variants for a board, sets of views in both directions; the first one begins.

        Large patterns come first once their tables exist.
        """
        found = []
        for backward in (False, True):
            shape = _goal(normal, backward)
            for name, (views, cost) in _VARIANTS.items():
                if views.is_large and (tiles == 6 or not self.can_be_large(shape)):
                    continue
                if not views.is_large and len(table_set(shape, _SMALL)) < _VIEWS:
                    cost *= _COST_OF_FEW_VIEWS
                is_wanted = tiles == 8 and not backward
                enough = _ENOUGH if is_wanted else self._enough(shape, views)
                make_searcher = partial(self._searcher, normal, backward, views, report)
                name = f"{name}, backward" if backward else name
                found.append((Variant(name, cost, enough, make_searcher), shape, views))
        # The sort is stable: forward variants stay first.
        found.sort(key=lambda each: each[0].enough)
        for _, shape, views in found:
            # Compile in the order of use.
            self._expect(shape, views)
            self._expect(shape, _TRACED, trace=HISTORY_WORDS)
        return [variant for variant, _, _ in found]

    def _enough(self, shape: Shape, views: ViewSet) -> int:
        """Return the nodes of a bound from which on a set of views is worth a comparison."""
        patterns = large_patterns(shape) if views.is_large else None
        missing = self._tables.missing(min(shape.symmetries)[0], patterns or ())
        return _ENOUGH if missing <= _BUILT_AT_ONCE else _WORTH_BUILDING

    def _expect(self, shape: Shape, views: ViewSet, *, trace: int = 0) -> None:
        """Begin to compile the kernels for a goal with some views."""
        seen = _views(shape, views)
        self.device.expect("search.cu", warp_settings(self.device, seen, trace=trace))
        sizes = {len(slot.names) for slot in seen.ranked}
        sizes |= {len(slot.names) for slot in seen.direct}
        for size in sizes:
            self.device.expect("tables.cu", table_settings(shape.rows, shape.columns, size))

    def batch(self, shape: Shape, report: Report) -> GpuBatch:
        """Return the search of many small boards with one goal."""
        if shape not in self._batches:
            is_large = self.can_be_large(shape)
            views = ViewSet(True, None) if is_large else ViewSet(False, "small")
            self._batches[shape] = GpuBatch(self.plan(shape, views, report))
        return self._batches[shape]

    def _searcher(
        self, normal: Normal, backward: bool, views: ViewSet, report: Report
    ) -> GpuSearcher:
        shape = _goal(normal, backward)
        key, memory = (shape, views), self.device.memory
        traced, plain = self._memory
        if key not in self._warps:
            self._warps[key] = Warps(
                *(self.plan(*key, report), plain),
                capacity=_CAPACITY if memory >= _BYTES_FOR_CAPACITY else CAPACITY,
            )
        if shape not in self._traced:
            plan = self.plan(shape, _TRACED, report)
            self._traced[shape] = Warps(plan, traced, trace=HISTORY_WORDS)
        return GpuSearcher(
            *(normal, self._traced[shape], self._warps[key]),
            backward=backward,
            most_roots=min(MOST_ROOTS, memory // _BYTES_FOR_A_ROOT),
        )

    def _automaton(self, shape: Shape, report: Report) -> GpuAutomaton:
        grid = (shape.rows, shape.columns)
        if grid not in self._automata:
            report("gathering duplicate operators")
            recipe = AutomatonRecipe(*grid, LONGEST)
            automaton = recipe.automaton(TableStore().get(recipe))
            self._automata[grid] = GpuAutomaton(self.device, automaton)
        return self._automata[grid]


def _goal(normal: Normal, backward: bool) -> Shape:
    """Return the goal of a board or of its inverse."""
    return normal.inverse.shape if backward else normal.shape


@cache
def _views(shape: Shape, views: ViewSet) -> Views:
    large = large_patterns(shape) if views.is_large else None
    name = _SMALL if views.small == "large" and shape.size > PACKED_CELLS else views.small
    small = () if name is None else table_set(shape, name)
    return views_of(shape, large, small)


@cache
def resident() -> Resident:
    """Return the data of this process on its GPU."""
    return Resident(the_gpu())


@dataclass(frozen=True, slots=True)
class Variant:
    """A set of views and a direction of search."""

    name: str
    """The tiles of its patterns, and the direction unless it is forward."""
    cost: float
    """The relative cost of a node."""
    enough: int
    """Nodes of a bound from which on the variant is worth a comparison."""
    make_searcher: Callable[[], GpuSearcher]
    """Returns the searcher, after building tables if necessary."""


class BestVariant:
    """A search of one board by its cheapest variant: a `Searcher` for `Deepening`."""

    def __init__(self, variants: Sequence[Variant]) -> None:
        self._variant, *self._others = variants
        self._searcher = self._variant.make_searcher()
        self.estimate = self._searcher.estimate
        """The first bound."""
        self._at_work: GpuSearcher | None = None
        self._before = 0
        self._searched = self._compared = 0, 0
        """The last bound, and that on which variants are compared; the nodes of each."""

    @property
    def name(self) -> str:
        """The name of the present variant."""
        return self._variant.name

    @property
    def nodes(self) -> int:
        """Nodes of the present bound; after it, nodes ahead of the next and of comparisons."""
        return self._before + (self._at_work.nodes if self._at_work else 0)

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        self._before, self._at_work = 0, self._searcher
        path = self._searcher.search(bound, keep_going, most)
        self._searched = bound, self._searcher.nodes
        return path

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the solution that look-ahead found, or () after a comparison of variants."""
        path = self._searcher.solution_ahead(keep_going, most)
        if path != ():
            return path
        self._before, self._at_work = self.nodes, None
        _, nodes = self._searched
        worth = [other for other in self._others if other.enough <= nodes]
        self._others = [other for other in self._others if other not in worth]
        if not worth:
            return ()
        if not self._compared[0]:
            self._compared = self._searched
        return () if self._compare(worth, keep_going, most) else None

    def _compare(
        self, others: Iterable[Variant], keep_going: Callable[[], bool], most: float
    ) -> bool:
        """Search an exhausted bound by the other variants too; continue with the cheapest.

        Return False if stopped early. All comparisons use one bound, the first large enough.
        """
        bound, fewest = self._compared
        best, searcher = self._variant, self._searcher
        near, growth = searcher.near, searcher.expected / fewest
        for other in others:
            try:
                measured = other.make_searcher()
            except MemoryError:
                # Other processes use the GPU too.
                continue
            # A variant that already costs more is dropped.
            limit = fewest * best.cost / other.cost
            nodes = self._measured(measured, limit, keep_going, most)
            if nodes is None:
                return False
            if nodes < limit:
                best, searcher, fewest = other, measured, int(nodes)
        self._compared, self._variant, self._searcher = (bound, fewest), best, searcher
        searcher.expected, searcher.near = growth * fewest, near
        searcher.looks_ahead = True
        return True

    def _measured(
        self, searcher: GpuSearcher, limit: float, keep_going: Callable[[], bool], most: float
    ) -> float | None:
        """Return the nodes of the bound of comparisons by a searcher, infinite beyond a limit.

        The result is at least 1, because a strong estimate may leave no node of a small bound.
        Return None if stopped early.
        """
        bound, nodes = self._compared
        searcher.expected, searcher.looks_ahead = nodes, False
        self._at_work = searcher
        path = searcher.search(
            bound, lambda: keep_going() and searcher.nodes < limit, most - self._before
        )
        self._before, self._at_work = self.nodes, None
        if path is not None:
            return max(1, searcher.nodes)
        return inf if keep_going() and most - self._before >= 1 else None

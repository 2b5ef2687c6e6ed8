"""What a process keeps on its GPU from board to board: tables, automata, plans, stacks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, partial
from typing import NamedTuple, TypeAlias

from taquin.engine.cpu.automaton import LONGEST, AutomatonRecipe
from taquin.engine.gpu.card import Card, the_card
from taquin.engine.gpu.dual import dual_keys, dual_patterns, dual_sizes, small_partition
from taquin.engine.gpu.large import dual_partition, large_patterns, other_partitions
from taquin.engine.gpu.plan import AutomatonOnCard, CardPlan, Views, views_of
from taquin.engine.gpu.searcher import HISTORY_WORDS, MOST_ROOTS, Batch, CardSearcher
from taquin.engine.gpu.sets import TablesOnCard, table_bytes
from taquin.engine.gpu.sets import settings_of as table_settings
from taquin.engine.gpu.variants import Candidate, Variant
from taquin.engine.gpu.warps import CAPACITY, StackMemory, Warps
from taquin.engine.gpu.warps import settings_of as warp_settings
from taquin.tables.patterns import PACKED_CELLS, Partition, table_set
from taquin.tables.shape import Cells, Normal, Shape
from taquin.tables.store import TableStore

_BESIDE_TABLES = 35_000_000_000
"""Bytes of a GPU beside large tables: 30 GB to build one of eight tiles, the rest for nodes."""
_GAPS = 20_000_000_000
"""Bytes more that stay free where tables come and go: memory is given back in pieces, and a table
needs one piece."""
_BYTES_FOR_A_ROOT = 1024
"""Bytes of the GPU's memory for each root of a large bound, which takes a quarter of them while it
is made."""
_CAPACITY, _BYTES_FOR_CAPACITY = 4096, 40_000_000_000
"""Nodes of a stack on a GPU with so many bytes: the more roots are searched at once, the seldomer
warps wait for the last of them."""
_ENOUGH = 30_000_000
"""Nodes of a bound on which variants are compared: some milliseconds each."""
_WORTH_BUILDING, _WORTH_TURNING = 2_500_000_000, 7_000_000_000
"""Nodes of a bound from which on large tables, which take seconds, will be worth it: for the goal,
and for that of the inverse board, which may be no easier."""
_WORTH_CHOOSING = 12_000_000_000
"""Nodes of a bound from which on a board is worth tables of its own, which take seven seconds with
the choice of them."""
_BUILT_AT_ONCE = 2_000_000_000
"""Bytes of tables that are built in some tenths of a second."""


class ViewSet(NamedTuple):
    """Which views a search reads."""

    large: int
    """Which large patterns, see `large_patterns`; 0 for none."""
    small: str | None
    """Which set of small ones."""
    dual: bool = False
    """Whether nodes are looked up by their inverses too."""
    partition: int = 0
    """Which partition into large patterns; look-ups of inverses have large ones with 0 only."""


_TRACED = ViewSet(0, "large")
"""For a path, which is searched for below one root."""
_VARIANTS: dict[str, tuple[ViewSet, float]] = {
    "8 tiles": (ViewSet(8, None), 1.0),
    "8 and 7 tiles": (ViewSet(7, None), 1.0),
    "6 tiles": (ViewSet(0, "large"), 1.03),
    "8 tiles, dual look-ups": (ViewSet(8, None, dual=True), 1.5),
    "8 and 7 tiles, dual look-ups": (ViewSet(7, None, dual=True), 1.5),
    "6 tiles, dual look-ups": (ViewSet(0, "large", dual=True), 1.35),
}
"""Sets of views by the tiles of their patterns, and what a node costs, as measured on an H200."""
_SMALL, _VIEWS, _COST_OF_FEW_VIEWS = "medium", 4, 0.65
"""The set that stands for `large` on 5×5, its views, and what share a node costs with fewer."""
_COST_OF_DUAL, _COST_OF_ONE_VIEW = 1.3, 0.75
"""What a node of a board with tables of its own costs with dual look-ups, which have tables of six
tiles; and what share it costs with one view of large patterns."""

Report: TypeAlias = Callable[[str], None]


class Resident:
    """All that one GPU holds."""

    def __init__(self, card: Card) -> None:
        self.card = card
        """The GPU."""
        self._tables = TablesOnCard(card)
        self._automata: dict[tuple[int, int], AutomatonOnCard] = {}
        self._plans: dict[tuple[Shape, ViewSet], CardPlan] = {}
        self._warps: dict[tuple[Shape, ViewSet], Warps] = {}
        self._traced: dict[Shape, Warps] = {}
        # Only one board is searched at a time.
        self._memory = StackMemory(card), StackMemory(card)
        self._batches: dict[Shape, Batch] = {}

    def can_be_large(self, shape: Shape, tiles: int, beside: Shape) -> bool:
        """Return whether a goal has large patterns whose tables fit beside those of another.

        Patterns of 8 and 7 tiles serve the goal of most puzzles, which has its blank in a corner,
        only on a GPU with too little memory for those of 8.
        """
        patterns = large_patterns(shape, tiles)
        if patterns is None:
            return False
        if tiles == 7 and min(shape.symmetries)[0].blank == 0 and self._has_room_for_eight(beside):
            return False
        return self._has_room(shape.size, {*patterns, *self._first_built(beside)})

    def _first_built(self, shape: Shape) -> Partition:
        """Return the large patterns whose tables are built before those of inverse boards."""
        tiles = 8 if self._has_room_for_eight(shape) else 7
        return large_patterns(shape, tiles) or ()

    def _has_room_for_eight(self, shape: Shape) -> bool:
        return self._has_room(shape.size, large_patterns(shape, 8) or ())

    def _has_room(self, cells: int, patterns: Collection[Cells], gaps: int = 0) -> bool:
        """Return whether all tables of some large patterns fit on the GPU."""
        needed = sum(table_bytes(cells, len(pattern)) for pattern in patterns)
        return needed <= self._room_for_tables(cells, gaps)

    def _room_for_tables(self, cells: int, gaps: int) -> int:
        """Return how many bytes large tables may have."""
        return self.card.memory - (_BESIDE_TABLES + gaps if cells > PACKED_CELLS else 0)

    def plan(self, shape: Shape, views: ViewSet, report: Report) -> CardPlan:
        """Return the plan of a goal with some views."""
        if (shape, views) not in self._plans:
            words = self._automaton(shape, report)
            self._plans[shape, views] = CardPlan(
                self.card, _views(shape, views), words, self._tables, report
            )
        return self._plans[shape, views]

    def variants(self, normal: Normal, tiles: int | None, report: Report) -> list[Variant]:
        """Return the sets of views for a board, both directions; first the one to begin with.

        Large patterns come first once their tables exist.
        """
        found = []
        for backward in (False, True):
            shape = _goal(normal, backward)
            for name, (views, cost) in _VARIANTS.items():
                if views.large and (
                    tiles == 6 or not self.can_be_large(shape, views.large, normal.shape)
                ):
                    continue
                if not views.large and len(table_set(shape, _SMALL)) < _VIEWS:
                    cost *= _COST_OF_FEW_VIEWS
                is_wanted = tiles == 8 and not backward
                enough = _ENOUGH if is_wanted else self._enough(shape, views, normal.shape)
                make_searcher = partial(self._searcher, normal, backward, views, report)
                name = f"{name}, backward" if backward else name
                found.append((Variant(name, cost, enough, make_searcher), shape, views))
        # The sort is stable: forward variants stay first.
        found.sort(key=lambda each: each[0].enough)
        for _, shape, views in found:
            # What is needed first is compiled first.
            self._expect(shape, views)
            self._expect(shape, _TRACED, trace=HISTORY_WORDS)
        return [variant for variant, _, _ in found]

    def candidates(
        self, normal: Normal, tiles: int | None, report: Report, nodes: int
    ) -> list[Candidate]:
        """Return the partitions into large patterns that a board is worth.

        Its last bound had so many nodes.
        """
        if tiles == 6 or nodes < _WORTH_CHOOSING:
            return []
        found = []
        for backward in (False, True):
            shape = _goal(normal, backward)
            for number in other_partitions(shape):
                if not self._has_room(shape.size, large_patterns(shape, 8, number) or (), _GAPS):
                    continue
                sketch, *wholes = (
                    self._candidate(normal, backward, ViewSet(large, None, dual, number), report)
                    for large, dual in ((7, True), (8, False), (8, True))
                )
                found.append(Candidate(sketch, tuple(wholes)))
        return found

    def _candidate(self, normal: Normal, backward: bool, views: ViewSet, report: Report) -> Variant:
        shape = _goal(normal, backward)
        name = f"{views.large} tiles, partition {views.partition}"
        name += ", dual look-ups" * views.dual + ", backward" * backward
        cost = _COST_OF_DUAL if views.dual else 1.0
        if len(_views(shape, views).images) == 1:
            cost *= _COST_OF_ONE_VIEW
        self._expect(shape, views)
        make_searcher = partial(self._searcher, normal, backward, views, report)
        return Variant(name, cost, _WORTH_CHOOSING, make_searcher)

    def _enough(self, shape: Shape, views: ViewSet, beside: Shape) -> int:
        """Return the nodes of a bound from which on a set of views is worth a comparison.

        The tables of the goal `beside` will be built first.
        """
        if self._missing(shape, views) <= _BUILT_AT_ONCE:
            return _ENOUGH
        is_cheap = self._missing(shape, views, beside) <= _BUILT_AT_ONCE
        return _WORTH_BUILDING if is_cheap else _WORTH_TURNING

    def _missing(self, shape: Shape, views: ViewSet, beside: Shape | None = None) -> int:
        """Return the bytes of the large tables of a goal that are not on the GPU.

        Those that the goal `beside` has too do not count.
        """
        patterns = set(large_patterns(shape, views.large) or ())
        if beside is not None:
            patterns -= set(self._first_built(beside))
        return self._tables.missing(min(shape.symmetries)[0], patterns)

    def _make_room(self, shape: Shape, views: ViewSet, beside: Shape) -> None:
        """Give up large tables, and plans with them, until those of some views fit.

        Those for dual look-ups of all goals stay rather than others, then those of `beside`.
        """
        needed = _large_tables(shape, views)
        if not needed:
            return
        known = self._tables.large_patterns(shape)
        duals = dual_patterns(shape.rows, shape.columns, dual_partition)
        shared = [key.tiles for key in dual_keys(duals)]
        dear = [tiles for tiles in (*shared, *self._first_built(beside)) if tiles in known]
        left, kept = self._room_for_tables(shape.size, _GAPS), set[Cells]()
        for tiles in dict.fromkeys((*needed, *dear, *known)):
            size = table_bytes(shape.size, len(tiles))
            if tiles in needed or size <= left:
                kept.add(tiles)
                left -= size
        self._tables.drop_ranked(shape, kept)
        for goal, others in list(self._plans):
            if goal.size == shape.size and not kept.issuperset(_large_tables(goal, others)):
                del self._plans[goal, others]
                self._warps.pop((goal, others), None)

    def _expect(self, shape: Shape, views: ViewSet, *, trace: int = 0) -> None:
        """Begin to compile all that the search of a goal with some views needs."""
        seen = _views(shape, views)
        self.card.expect("search.cu", warp_settings(self.card, seen, trace=trace))
        sizes = {len(slot.names) for slot in seen.ranked}
        sizes |= {len(slot.names) for slot in seen.direct}
        for size in sizes.union(dual_sizes(seen.duals)) - {0}:
            self.card.expect("tables.cu", table_settings(shape.rows, shape.columns, size))

    def batch(self, shape: Shape, report: Report) -> Batch:
        """Return the search of many small boards with one goal."""
        if shape not in self._batches:
            is_large = self.can_be_large(shape, 8, shape)
            views = ViewSet(8, None) if is_large else ViewSet(0, "small")
            self._batches[shape] = Batch(self.plan(shape, views, report))
        return self._batches[shape]

    def _searcher(
        self, normal: Normal, backward: bool, views: ViewSet, report: Report
    ) -> CardSearcher:
        shape = _goal(normal, backward)
        key, memory = (shape, views), self.card.memory
        traced, plain = self._memory
        if key not in self._warps:
            self._make_room(shape, views, normal.shape)
            self._warps[key] = Warps(
                *(self.plan(*key, report), plain),
                capacity=_CAPACITY if memory >= _BYTES_FOR_CAPACITY else CAPACITY,
            )
        if shape not in self._traced:
            plan = self.plan(shape, _TRACED, report)
            self._traced[shape] = Warps(plan, traced, trace=HISTORY_WORDS)
        return CardSearcher(
            *(normal, self._traced[shape], self._warps[key]),
            backward=backward,
            most_roots=min(MOST_ROOTS, memory // _BYTES_FOR_A_ROOT),
        )

    def _automaton(self, shape: Shape, report: Report) -> AutomatonOnCard:
        grid = (shape.rows, shape.columns)
        if grid not in self._automata:
            report("gathering needless move words")
            recipe = AutomatonRecipe(*grid, LONGEST)
            automaton = recipe.automaton(TableStore().get(recipe))
            self._automata[grid] = AutomatonOnCard(self.card, automaton)
        return self._automata[grid]


def _goal(normal: Normal, backward: bool) -> Shape:
    """Return the goal of a board or of its inverse."""
    return normal.inverse.shape if backward else normal.shape


@cache
def _views(shape: Shape, views: ViewSet) -> Views:
    large = large_patterns(shape, views.large, views.partition)
    name = _SMALL if views.small == "large" and shape.size > PACKED_CELLS else views.small
    small = () if name is None else table_set(shape, name)
    partition_of = dual_partition if views.large and not views.partition else small_partition
    grid = (shape.rows, shape.columns)
    return views_of(shape, large, small, dual_patterns(*grid, partition_of) if views.dual else ())


def _large_tables(shape: Shape, views: ViewSet) -> frozenset[Cells]:
    """Return the patterns of the large tables that some views need."""
    seen = _views(shape, views)
    own = {slot.table for slot in seen.ranked}
    return frozenset(own.union(key.tiles for key in dual_keys(seen.duals) if key.ranked))


@cache
def resident() -> Resident:
    """Return what this process has on its GPU."""
    return Resident(the_card())

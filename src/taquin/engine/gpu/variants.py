"""Choose for one board the set of tables, and the direction of search, that need the fewest nodes.

Of two sets of tables that are equally good on average, one may need seven times the nodes of the
other on some board, and reading both costs time for every node. The search from the goal to the
start, which is the inverse board, differs as much. These ratios hardly change from bound to bound.
So the first bound that is large enough is searched with all, and the cheapest goes on. The others
end once they cost more, which is not at the same node every time: so what they take is counted
apart from the bound, as nodes ahead of it are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from taquin.engine.gpu.searcher import GpuSearcher
from taquin.tables.shape import Cells


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of views, and one direction."""

    name: str
    """The tiles of its patterns, and the direction unless it is forward."""
    cost: float
    """What a node costs, relative to the others."""
    enough: int
    """Nodes of a bound from which on the variant is worth a comparison."""
    make_searcher: Callable[[], GpuSearcher]
    """Makes the search of the board with it, building tables where needed."""


class BestVariant:
    """A search of one board by the variant that pays: a `Searcher` for `Deepening`."""

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
        """Nodes of the present bound; after it those ahead of the next, and of comparisons."""
        return self._before + (self._at_work.nodes if self._at_work else 0)

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        self._before, self._at_work = 0, self._searcher
        path = self._searcher.search(bound, keep_going, most)
        self._searched = bound, self._searcher.nodes
        return path

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `ForesightedSearcher.solution_ahead` says; then compare variants."""
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
        """Search a bound without a solution by other variants too; go on with the cheapest.

        Return False when the search was ended early. The bound is the same for all that is ever
        compared, the first that was large enough.
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
            # One that costs more already need not go on.
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

        They are one at least, because a strong estimate leaves none of a small bound.
        Return None when the search was ended early.
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

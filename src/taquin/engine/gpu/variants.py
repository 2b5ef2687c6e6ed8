"""The search of one board by the set of tables, and the direction, that pay.

Of two sets of tables that are equally good on average, one may need seven times the nodes of the
other on some board, and reading both costs time for every node. The search from the goal to the
start, which is the inverse board, differs as much. These ratios hardly change from bound to bound.
So the first bound that is large enough is searched with all, and the cheapest goes on. The others
end once they cost more, which is not at the same node every time: so what they take is counted
apart from the bound, as nodes ahead of it are.

A hard board is worth tables of its own. There are many partitions into patterns of eight tiles,
equally good on average, and tables of one take seconds. *Sketches*, the same patterns with a tile
less, take a tenth of a second: the partitions whose sketches are the cheapest are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf

from taquin.engine.gpu.searcher import GROWTH, CardSearcher
from taquin.tables.shape import Cells

_TRIED = 2
"""Candidates whose tables are built."""
_BEHIND = 2
"""Candidates are compared on a bound so many bounds before the last one."""
_HOPELESS = 1.5
"""A sketch that costs so many times what the cheapest does need not go on."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of views, and one direction."""

    name: str
    """The tiles of its patterns, and the direction unless it is forward."""
    cost: float
    """What a node costs, relative to the others."""
    enough: int
    """Nodes of a bound from which on the variant is worth a comparison."""
    make_searcher: Callable[[], CardSearcher]
    """Makes the search of the board with it, building tables where needed."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Variants that need the same new tables, and one that tells what these are worth."""

    sketch: Variant
    """The one that tells it."""
    wholes: tuple[Variant, ...]
    """The others."""


class BestVariant:
    """A search of one board by the variant that pays: a `Searcher` for `Deepening`.

    `candidates` are given the nodes of the last bound; once there are some, the best are chosen.
    """

    def __init__(
        self,
        variants: Sequence[Variant],
        candidates: Callable[[int], Sequence[Candidate]] = lambda nodes: (),
    ) -> None:
        self._variant, *self._others = variants
        self._candidates = candidates
        self._has_chosen = False
        self._searcher: CardSearcher | None = self._variant.make_searcher()
        self.estimate = self._searcher.estimate
        """The first bound."""
        self._at_work: CardSearcher | None = None
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
        assert self._searcher is not None, "the last comparison came to its end"
        self._before, self._at_work = 0, self._searcher
        path = self._searcher.search(bound, keep_going, most)
        self._searched = bound, self._searcher.nodes
        return path

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `ForesightedSearcher.solution_ahead` says; then compare variants."""
        assert self._searcher is not None, "a bound was searched"
        path = self._searcher.solution_ahead(keep_going, most)
        if path != ():
            return path
        self._before, self._at_work = self.nodes, None
        _, nodes = self._searched
        worth = [other for other in self._others if other.enough <= nodes]
        self._others = [other for other in self._others if other not in worth]
        candidates = () if self._has_chosen else self._candidates(nodes)
        if (worth or candidates) and not self._compared[0]:
            self._compared = self._searched
        if worth and not self._compare(worth, keep_going, most):
            return None
        if candidates:
            self._has_chosen = True
            wholes = self._promising(candidates, keep_going, most)
            if wholes is None or not self._compare_later(keep_going, most):
                return None
            if not self._compare(wholes, keep_going, most):
                return None
        return ()

    def _compare_later(self, keep_going: Callable[[], bool], most: float) -> bool:
        """Compare on a larger bound from now on, which says more; return False when ended early."""
        searcher, (bound, nodes) = self._searcher, self._searched
        assert searcher is not None, "a bound was searched"
        bound -= 2 * _BEHIND
        if bound > self._compared[0]:
            expected = searcher.expected
            self._compared = bound, int(nodes / GROWTH**_BEHIND)
            measured = self._nodes_of(searcher, inf, keep_going, most)
            if measured is None:
                return False
            self._compared, searcher.expected = (bound, int(measured)), expected
        return True

    def _promising(
        self, candidates: Iterable[Candidate], keep_going: Callable[[], bool], most: float
    ) -> list[Variant] | None:
        """Return the best candidates, as sketches have it; None when ended early."""
        costs: list[tuple[float, Candidate]] = []
        least = inf
        for candidate in candidates:
            sketch = candidate.sketch
            nodes = self._measured(sketch, _HOPELESS * least / sketch.cost, keep_going, most)
            if nodes is None:
                return None
            costs.append((nodes * sketch.cost, candidate))
            least = min(least, nodes * sketch.cost)
        costs.sort(key=lambda each: each[0])
        return [whole for cost, best in costs[:_TRIED] if cost < inf for whole in best.wholes]

    def _compare(
        self, others: Iterable[Variant], keep_going: Callable[[], bool], most: float
    ) -> bool:
        """Search a bound without a solution by other variants too; go on with the cheapest.

        Return False when the search was ended early. The bound is the same for all that is ever
        compared, the first that was large enough, until `_compare_later` says otherwise.
        """
        assert self._searcher is not None, "a bound was searched"
        bound, fewest = self._compared
        best, near, growth = self._variant, self._searcher.near, self._searcher.expected / fewest
        # Its tables may have to make room.
        self._searcher = None
        for other in others:
            # One that costs more already need not go on.
            limit = fewest * best.cost / other.cost
            nodes = self._measured(other, limit, keep_going, most)
            if nodes is None:
                return False
            if nodes < limit:
                best, fewest = other, int(nodes)
        # Made anew, because the tables of those that were compared later may have taken the place.
        try:
            self._searcher = best.make_searcher()
        except MemoryError:
            best, fewest = self._variant, self._compared[1]
            self._searcher = best.make_searcher()
        self._compared, self._variant = (bound, fewest), best
        self._searcher.expected, self._searcher.near = growth * fewest, near
        self._searcher.looks_ahead = True
        return True

    def _measured(
        self, variant: Variant, limit: float, keep_going: Callable[[], bool], most: float
    ) -> float | None:
        """Return the nodes of the bound of comparisons by a variant, infinite beyond a limit.

        They are one at least, because a strong estimate leaves none of a small bound.
        Return None when the search was ended early.
        """
        try:
            searcher = variant.make_searcher()
        except MemoryError:
            # Other processes use the GPU too.
            return inf
        return self._nodes_of(searcher, limit, keep_going, most)

    def _nodes_of(
        self, searcher: CardSearcher, limit: float, keep_going: Callable[[], bool], most: float
    ) -> float | None:
        """Return what `_measured` does, for a searcher that is there."""
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

"""The search of one board by the set of tables, and the direction, that pay.

Of two sets of tables that are equally good on average, one may need seven times the nodes of the
other on some board, and reading both costs time for every node. The search from the goal to the
start, which is the inverse board, differs as much. These ratios hardly change from bound to bound.
So the first bound that is large enough is searched with all, and the cheapest goes on. The others
end once they cost more, which is not at the same node every time: so what they take is counted
apart from the bound, as nodes ahead of it are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from taquin.engine.gpu.searcher import CardSearcher
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
    make_searcher: Callable[[], CardSearcher]
    """Makes the search of the board with it, building tables where needed."""


class BestVariant:
    """A search of one board by the variant that pays: a `Searcher` for `Deepening`."""

    def __init__(self, variants: Sequence[Variant]) -> None:
        self._variant, *self._others = variants
        self._searcher = self._variant.make_searcher()
        self._at_work = self._searcher
        self._before = 0
        self._by_others = 0
        """Nodes of comparisons after the present bound."""
        self._compared: tuple[int, int] | None = None
        """The bound on which variants are compared, and its nodes by the present one."""

    @property
    def name(self) -> str:
        """The name of the present variant."""
        return self._variant.name

    @property
    def estimate(self) -> int:
        """The first bound."""
        return self._searcher.estimate

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, and until its end those of comparisons too."""
        return self._before + self._at_work.nodes

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `ForesightedSearcher.solution_ahead` says."""
        self._before = self._by_others
        return self._at_work.solution_ahead(keep_going, most - self._before)

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        self._before, self._by_others, self._at_work = 0, 0, self._searcher
        path = self._searcher.search(bound, keep_going, most)
        if path == ():
            nodes = self._searcher.nodes
            worth = [other for other in self._others if other.enough <= nodes]
            if worth and not self._searcher.is_solved_ahead:
                self._compared = self._compared or (bound, nodes)
                if not self._compare(worth, keep_going, most):
                    return None
        return path

    def _compare(self, others: list[Variant], keep_going: Callable[[], bool], most: float) -> bool:
        """Search a bound without a solution by other variants too; go on with the cheapest.

        Return False when the search was ended early. The bound is the first that was large enough
        for a comparison: what comes later is compared with that, not with a larger one.
        """
        assert self._compared is not None, "a bound was searched"
        self._others = [other for other in self._others if other not in others]
        bound, nodes = self._compared
        best, chosen, present = self._variant, self._searcher, self._searcher
        fewest, growth = nodes, present.expected / nodes
        for other in others:
            try:
                searcher = other.make_searcher()
            except MemoryError:
                # Other processes use the card too.
                continue
            self._before, self._at_work = self.nodes, searcher
            searcher.expected, searcher.looks_ahead = nodes, False
            # One that costs more already need not go on.
            limit = fewest * best.cost / other.cost

            def pays(limit: float = limit) -> bool:
                return keep_going() and self._at_work.nodes < limit

            if searcher.search(bound, pays, most - self._before) is not None:
                best, chosen, fewest = other, searcher, searcher.nodes
            elif not keep_going() or most - self.nodes < 1:
                return False
        if chosen is not present:
            chosen.expected, chosen.near = growth * fewest, present.near
            chosen.looks_ahead = True
        self._compared = bound, fewest
        # It searched the present bound, and has what it found ahead of it.
        self._before, self._by_others, self._at_work = 0, self.nodes - present.nodes, present
        self._variant, self._searcher = best, chosen
        return True

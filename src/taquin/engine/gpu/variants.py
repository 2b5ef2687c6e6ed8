"""Which tables pay for a board: one bound is searched with several sets of views.

Of two sets that are equally good on average, one may need seven times the nodes of the other on
some board, and reading both costs time for every node. The ratio hardly changes from bound to
bound. So the first bound that is large enough is searched with all, and the cheapest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from taquin.engine.gpu.searcher import CardSearcher
from taquin.tables.shape import Cells

ENOUGH = 100_000_000
"""Nodes of a bound on which variants are compared: some milliseconds each."""
WORTH_BUILDING = 5_000_000_000
"""Nodes of a bound from which on large tables, which take seconds, will be worth it."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of views."""

    name: str
    """The tiles of its patterns."""
    cost: float
    """What a node costs, relative to the others."""
    make_searcher: Callable[[], CardSearcher]
    """Makes the search of the board with it, building tables where needed."""


class BestVariant:
    """A search of one board by the variant that pays: a `Searcher` for `Deepening`."""

    def __init__(self, variants: Sequence[Variant], enough: int) -> None:
        self._variants, self._enough = list(variants), enough
        self._searcher = variants[0].make_searcher()
        self._before = 0
        self.name = variants[0].name
        """The name of the present variant."""

    @property
    def estimate(self) -> int:
        """The first bound."""
        return self._searcher.estimate

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, by all variants."""
        return self._before + self._searcher.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        self._before = 0
        path = self._searcher.search(bound, keep_going, most)
        if path == () and len(self._variants) > 1 and self._searcher.nodes >= self._enough:
            return self._compare(bound, keep_going, most)
        return path

    def _compare(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Search a bound, in which there is no solution, with the other variants too."""
        first, *others = self._variants
        best, least, chosen = first, self._searcher.nodes * first.cost, self._searcher
        for other in others:
            self._before = self.nodes
            try:
                self._searcher = other.make_searcher()
            except MemoryError:
                # Other processes use the card too.
                self._before -= self._searcher.nodes
                continue
            # One that costs more already need not go on.
            limit = least / other.cost

            def pays(limit: float = limit) -> bool:
                return keep_going() and self._searcher.nodes < limit

            if self._searcher.search(bound, pays, most - self._before) is not None:
                best, least, chosen = other, self._searcher.nodes * other.cost, self._searcher
            elif not keep_going() or most - self.nodes < 1:
                return None
        self._before = self.nodes - chosen.nodes
        self._variants, self._searcher, self.name = [best], chosen, best.name
        return ()

"""One bound on the card: from one root to very many, from there to the end, and the path.

root ──► nodes with their history, level by level, until there are enough for all warps
──► the same without, each told which of them it came from: the search proper
a solution ──► the tree below the one node it came from once more, with history
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.warps import Warps
from taquin.tables.shape import Cells, Normal, Shape

HISTORY_WORDS = 14
"""Words of history, 16 moves each: no board of up to 25 cells needs more than 224 moves."""
_ROOTS = 64
"""Nodes for each warp before the search proper begins."""


class CardSearcher:
    """A search of one board, bound after bound; see `taquin.engine.deepening.Searcher`."""

    def __init__(self, normal: Normal, traced: Warps, plain: Warps) -> None:
        self._normal, self._traced, self._plain = normal, traced, plain
        self._before = 0
        self._warps = traced

    @property
    def estimate(self) -> int:
        """The heuristic's value of the board: the first bound."""
        distance, sums = self._traced.plan.estimates(np.array([self._normal.board]))
        return int(distance[0] + 2 * sums[0].max())

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound."""
        return self._before + self._warps.generated

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        traced, plain = self._traced, self._plain
        self._before, self._warps = 0, traced
        if not self._normal.manhattan:
            # The kernel looks at children only.
            traced.generated = 0
            return (self._normal.where[0],)
        traced.put(traced.plan.nodes(np.array([self._normal.board]), np.array([bound])))
        while traced.total and not traced.found and traced.total < _ROOTS * traced.warps:
            if not (traced.round(most - self.nodes) and keep_going()):
                return None
        if traced.found or not traced.total:
            return self._path(bound) if traced.found else ()
        plain.take(traced)
        self._before, self._warps = traced.generated, plain
        while plain.total and not plain.found:
            if not (plain.round(most - self.nodes) and keep_going()):
                return None
        if not plain.found:
            return ()
        # Its nodes were counted: once more below the one root, for the way.
        self._before, self._warps = self.nodes, plain
        plain.generated = 0
        traced.put(traced.node(plain.found - 1))
        while not traced.found:
            if not (traced.round(inf) and keep_going()):
                return None
        return self._path(bound)

    def _path(self, bound: int) -> Cells:
        history = self._traced.plan.card.host(self._traced.solutions)
        return blank_path(self._normal.shape, self._normal.where[0], history, bound)


def blank_path(shape: Shape, blank: int, history: NDArray[np.uint32], moves: int) -> Cells:
    """Return the cells of the blank along a history whose last move is lowest."""
    packed = sum(int(word) << 32 * number for number, word in enumerate(history))
    path = [blank]
    for place in reversed(range(moves)):
        path.append(path[-1] + shape.offsets[packed >> 2 * place & 3])
    return tuple(path)

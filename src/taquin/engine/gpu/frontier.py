"""The first levels of a tree, breadth first: the roots of the search proper.

root ──► level 1 ──► level 2 ──► … as long as the next level fits into the memory given

A board is there once for each path to it, as in a search depth first. To find boards that several
paths reach took longer than it saved.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import THREADS, Array
from taquin.engine.gpu.warps import Warps

DEEPEST = 31
"""The last level: a path has two bits a move in a word of 64."""
_EVERY_BIT = 2**64 - 1


class Frontier:
    """One level of a tree on the GPU, with the paths to its nodes."""

    def __init__(self, warps: Warps) -> None:
        self._warps = warps
        self._device = warps.plan.device
        self._expand = warps.kernel("expand")
        self._nodes: Array = None
        self._paths: Array = None
        self.count = 0
        """Nodes of the level."""
        self.depth = 0
        """Moves from the root to the level."""
        self.generated = 0
        """Nodes generated since `begin`."""
        self.solution: int | None = None
        """The path to the goal, where the tree has one so near to its root."""

    def begin(self, root: NDArray[np.uint32]) -> None:
        """Begin with the root of a tree, a row of words."""
        self._nodes = self._warps.in_columns(self._device.xp.asarray(root[None, :]))
        self._paths = self._device.xp.zeros(1, np.uint64)
        self.count, self.depth, self.generated, self.solution = 1, 0, 0, None

    def advance(self, most: int) -> bool:
        """Go on to the next level; return False, and stay, when it has more than `most` nodes."""
        xp, warps = self._device.xp, self._warps
        room = min(most, 4 * self.count)
        children = xp.empty(-(-room // warps.lanes) * warps.lanes * warps.width, np.uint32)
        paths = xp.empty(room, np.uint64)
        # Nodes made and generated, and a solution; together, because to read a number takes longer
        # than most levels. The kernel counts nodes made in the lower half of their word.
        counts = xp.zeros(3, np.uint64)
        self._expand(
            *(self._blocks(4 * self.count), THREADS, 0, warps.plan.struct),
            *(self._nodes, self._paths, np.uint32(self.count)),
            *(children, paths, np.uint32(room), counts[:1], counts[1:2], counts[2:]),
        )
        count, generated, path = map(int, self._device.host(counts))
        if count > room:
            return False
        self.generated += generated
        self.depth += 1
        self.count, self._nodes, self._paths = count, children, paths[:count]
        if path:
            self.solution = path ^ _EVERY_BIT
        return True

    def parts(self, most: int) -> Iterator[tuple[int, Array]]:
        """Yield all nodes, at most so many at once, in columns, with their number."""
        width, step = self._warps.width, most - most % self._warps.lanes
        for first in range(0, self.count, step):
            count = min(step, self.count - first)
            yield count, self._nodes[first * width : (first + step) * width]

    def root(self, number: int) -> tuple[NDArray[np.uint32], int]:
        """Return a node of the level, as a row of words, and the path to it."""
        lanes, width = self._warps.lanes, self._warps.width
        first = number // lanes * lanes * width + number % lanes
        column = self._nodes[first : first + (width - 1) * lanes + 1 : lanes]
        node: NDArray[np.uint32] = self._device.host(column)
        return node, int(self._paths[number])

    def _blocks(self, count: int) -> int:
        return min(8 * self._device.processors, -(-count // THREADS))

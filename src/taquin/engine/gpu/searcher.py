"""Searches on the card: one bound of one board, or all bounds of many boards together.

root ──► nodes with their history, level by level, until there are enough for all warps
──► the same without, each with the number of the one it came from: the search proper
a solution ──► the tree below the one node it came from once more, with history

Of two sets of tables that are equally good on average, one may need seven times the nodes of the
other on some board, and reading both costs time for every node. The search from the goal to the
start, which is the inverse board, differs as much. These ratios hardly change from bound to bound.
So the first bound that is large enough is searched with all, and the cheapest goes on.

A node knows its board and carries its own slacks. So nodes of many boards with different bounds lie
on the same stacks; when all are searched, boards without a solution go on with the next bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.plan import CardPlan
from taquin.engine.gpu.warps import StackMemory, Warps
from taquin.tables.shape import Cells, Normal, Shape

HISTORY_WORDS, _BATCH_WORDS = 14, 9
"""Words of history, 16 moves each: more than any board of up to 25 cells needs, or of up to 16."""
_ROOTS = 64
"""Nodes for each warp before the search proper begins."""


class CardSearcher:
    """A search of one board, bound after bound: a `Searcher` for `Deepening`.

    With `backward` it searches the inverse of the board, and returns the same paths.
    """

    def __init__(
        self, normal: Normal, traced: Warps, plain: Warps, *, backward: bool = False
    ) -> None:
        self._normal = normal.inverse if backward else normal
        self._traced, self._plain, self._backward = traced, plain, backward
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
        traced.load(traced.plan.nodes(np.array([self._normal.board]), np.array([bound])))
        while traced.total and not traced.solution and traced.total < _ROOTS * traced.warps:
            if not (traced.round(most - self.nodes) and keep_going()):
                return None
        if traced.solution or not traced.total:
            return self._path(bound) if traced.solution else ()
        plain.load_from(traced)
        self._before, self._warps = traced.generated, plain
        while plain.total and not plain.solution:
            if not (plain.round(most - self.nodes) and keep_going()):
                return None
        if not plain.solution:
            return ()
        # These nodes were counted: once more below the one root, for the path.
        self._before, self._warps = self.nodes, plain
        plain.generated = 0
        traced.load(traced.node(plain.solution - 1))
        while not traced.solution:
            if not (traced.round(inf) and keep_going()):
                return None
        return self._path(bound)

    def _path(self, bound: int) -> Cells:
        history = self._traced.plan.card.host(self._traced.solutions)
        path = blank_path(self._normal.shape, self._normal.where[0], history, bound)
        return path[::-1] if self._backward else path


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
        self._before = 0

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
        """Nodes generated in the present bound, by all variants."""
        return self._before + self._searcher.nodes

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        self._before = 0
        path = self._searcher.search(bound, keep_going, most)
        if path == ():
            nodes = self._searcher.nodes
            worth = [other for other in self._others if other.enough <= nodes]
            if worth and not self._compare(worth, bound, keep_going, most):
                return None
        return path

    def _compare(
        self, others: list[Variant], bound: int, keep_going: Callable[[], bool], most: float
    ) -> bool:
        """Search a bound without a solution by other variants too; go on with the cheapest.

        Return False when the search was ended early.
        """
        self._others = [other for other in self._others if other not in others]
        best, chosen = self._variant, self._searcher
        least = chosen.nodes * best.cost
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
                return False
        self._before = self.nodes - chosen.nodes
        self._variant, self._searcher = best, chosen
        return True


@dataclass(frozen=True, slots=True)
class Answers:
    """The solutions of many boards."""

    lengths: NDArray[np.int64]
    """Moves of a shortest solution; the bound proven so far, less two, where none was found."""
    histories: NDArray[np.uint32]
    """The moves, two bits each; see `blank_path`."""
    solved: NDArray[np.bool_]
    """Whether a solution was found."""
    generated: int
    """Nodes generated in all."""


class Batch:
    """A search of many boards with one goal, by the hundred thousand."""

    def __init__(self, plan: CardPlan) -> None:
        self._plan = plan
        self._warps = Warps(plan, StackMemory(plan.card), trace=_BATCH_WORDS, many=True)

    def solve(self, boards: NDArray[np.int64], keep_going: Callable[[int], bool]) -> Answers:
        """Solve boards in normal form, each solvable; `keep_going` is given the nodes so far."""
        plan, warps = self._plan, self._warps
        card, xp = plan.card, plan.card.xp
        distance, sums = plan.estimates(boards)
        bounds = distance + 2 * sums.max(axis=1)
        warps.solved = xp.zeros(len(boards), np.uint32)
        warps.solutions = xp.zeros(len(boards) * _BATCH_WORDS, np.uint32)
        is_solved = distance == 0
        generated, is_going = 0, True
        while is_going and not is_solved.all():
            left = np.flatnonzero(~is_solved)
            nodes = plan.nodes(boards[left], bounds[left])
            nodes[:, -1] = left
            warps.load(nodes)
            while is_going and warps.total:
                warps.round()
                is_going = keep_going(generated + warps.generated)
            generated += warps.generated
            is_solved |= card.host(warps.solved) > 0
            bounds[~is_solved] += 2
        histories = card.host(warps.solutions).reshape(-1, _BATCH_WORDS)
        return Answers(bounds, histories, is_solved, generated)

    def path(self, answers: Answers, boards: NDArray[np.int64], number: int) -> Cells:
        """Return the blank's cells along the solution of one of the boards."""
        blank = int(np.argmax(boards[number] == 0))
        length = int(answers.lengths[number])
        return blank_path(self._plan.shape, blank, answers.histories[number], length)


def blank_path(shape: Shape, blank: int, history: NDArray[np.uint32], moves: int) -> Cells:
    """Return the cells of the blank along a history whose last move is lowest."""
    packed = sum(int(word) << 32 * number for number, word in enumerate(history))
    path = [blank]
    for place in reversed(range(moves)):
        path.append(path[-1] + shape.offsets[packed >> 2 * place & 3])
    return tuple(path)

"""Searches on the card: one bound of one board, or all bounds of many boards together.

root ──► nodes with their history, level by level, until there are enough for all warps
──► the same without, each with the number of the one it came from: the search proper
a solution ──► the tree below the one node it came from once more, with history

Of two sets of tables that are equally good on average, one may need seven times the nodes of the
other on some board, and reading both costs time for every node. The search from the goal to the
start, which is the inverse board, differs as much. These ratios hardly change from bound to bound.
So the first bound that is large enough is searched with all, and the cheapest goes on.

Children that are cut off close to the goal are kept, and searched before the next bound is. In most
last bounds, which are most of a search, that finds a solution at once. Such a child knows its root:
to have its path, the tree below that root is searched once more, with history.

A node knows its board and carries its own slacks. So nodes of many boards with different bounds lie
on the same stacks; when all are searched, boards without a solution go on with the next bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.plan import CardPlan
from taquin.engine.gpu.warps import StackMemory, Warps
from taquin.tables.shape import Cells, Normal, Shape

HISTORY_WORDS, _BATCH_WORDS = 14, 9
"""Words of history, 16 moves each: more than any board of up to 25 cells needs, or of up to 16."""
_ROOTS = 64
"""Nodes for each warp before the search proper begins."""
KEEPS, TRACED_KEEPS = 1 << 26, 1 << 20
"""Most children that are kept for the next bound, and while a root is searched for its path."""
_WORTH_KEEPING = 200_000_000
"""Nodes of a bound from which on its kept children are worth a search of their own."""
_KEPT_SHARE, _KEPT_CHILDREN = 0.05, 0.002
"""Nodes that may be generated below kept children, and these children, by nodes of the bound."""
_NEAR = 30
"""Children with a smaller Manhattan distance are kept in the first bounds."""
_GROWTH, _GROWTH_OF_NEAR, _MOST_RISE = 9.0, 3.5, 4
"""Usual growth of the kept children from one bound to the next, and with each step that they may be
farther away; most such steps from one bound to the next."""


class CardSearcher:
    """A search of one board, bound after bound: a `Searcher` for `Deepening`.

    With `backward` it searches the inverse of the board, and returns the same paths. Children are
    kept in bounds of `worth_keeping` nodes.
    """

    def __init__(
        self,
        normal: Normal,
        traced: Warps,
        plain: Warps,
        *,
        backward: bool = False,
        worth_keeping: int = _WORTH_KEEPING,
    ) -> None:
        self._normal = normal.inverse if backward else normal
        self._traced, self._plain, self._backward = traced, plain, backward
        self._worth_keeping = worth_keeping
        self._near = _NEAR
        self._bound = 0
        self.last = 0
        """Nodes of the last bound if its kept children are still there; else 0."""
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
        self._bound, self.last, traced.near, plain.near = bound, 0, 0, self._near
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
            plain.thin_out()
        if not plain.solution:
            self.last = self.nodes
            return ()
        # The nodes of the one root are searched once more, for the path, and not counted again.
        self._before, plain.generated = self.nodes, 0
        traced.load(traced.node(plain.solution - 1))
        while not traced.solution:
            if not (traced.round(inf) and keep_going()):
                return None
        return self._path(bound)

    def search_kept(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `KeepingSearcher.search_kept` says."""
        plain = self._plain
        self._before, self._warps = 0, plain
        last, kept, plain.generated = self.last, plain.kept, 0
        near = plain.near
        rise = round(log(plain.keeps / (_GROWTH * max(1, kept)), _GROWTH_OF_NEAR))
        self._near = max(1, near + min(rise, _MOST_RISE))
        if not kept or last < self._worth_keeping:
            return ()
        numbers = plain.kept_by_distance()[: max(1, int(_KEPT_CHILDREN * last))]
        plain.near = 0
        for first in range(0, len(numbers), plain.most):
            children = plain.hatched(numbers[first : first + plain.most])
            self._before = self.nodes
            plain.load(children, numbered=True)
            while plain.total and not plain.solution:
                if self.nodes > _KEPT_SHARE * last:
                    return ()
                if not (plain.round(most - self.nodes) and keep_going()):
                    return None
            if plain.solution:
                child = plain.plan.card.host(children[plain.solution - 1])[None, :]
                return self._path_through(child, near, keep_going)
        return ()

    def _path_through(
        self, child: NDArray[np.uint32], near: int, keep_going: Callable[[], bool]
    ) -> Cells | None:
        """Return the solution that leads through a kept child; None when ended early.

        `near` is that of the bound in which it was kept.
        """
        traced, plan, shape = self._traced, self._plain.plan, self._normal.shape
        # What follows was counted already.
        self._before, self._plain.generated = self.nodes, 0
        root = traced.node(int(child[0, plan.width - 1]))
        board = plan.boards(child)
        distance, sums = plan.estimates(board)
        to_goal = int(distance[0] + 2 * sums[0].max())
        depth = self._bound + 2 - to_goal
        traced.near = 0
        traced.load(child)
        while not traced.solution:
            if not (traced.round(inf) and keep_going()):
                return None
        history = plan.card.host(traced.solutions)
        rest = blank_path(shape, int(np.argmax(board[0] == 0)), history, to_goal)
        traced.near = near
        traced.load(root)
        while traced.total:
            if not (traced.round(inf) and keep_going()):
                return None
        nodes = plan.card.host(traced.hatched(traced.kept_by_distance()))
        matches = np.flatnonzero((plan.boards(nodes) == board).all(axis=1))
        if not len(matches):
            # More children were kept than there is memory for: the bound finds a path.
            return ()
        path = blank_path(shape, self._normal.where[0], nodes[matches[0], plan.width :], depth)
        return self._directed((*path, *rest[1:]))

    def _path(self, bound: int) -> Cells:
        history = self._traced.plan.card.host(self._traced.solutions)
        path = blank_path(self._normal.shape, self._normal.where[0], history, bound)
        return self._directed(path)

    def _directed(self, path: Cells) -> Cells:
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

    def search_kept(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `KeepingSearcher.search_kept` says."""
        self._before = 0
        return self._searcher.search_kept(keep_going, most)

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
        # Variants share their memory, and one of the others may have used it since.
        chosen.last = 0
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

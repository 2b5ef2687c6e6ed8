"""Searches on the GPU: one bound of one board, or all bounds of many boards together.

root ──► boards level by level, until there are enough for all warps
──► the trees below them, all at once, each node with the number of its root: the search proper
a solution ──► the tree below its root once more, with history

Where few moves are left, a bound is searched as the next one will be. That takes a fifth more
nodes, and a solution of the next bound is often among them. It is a shortest one once the present
bound has none, and saves the next bound, the last and largest.

A node knows its board and carries its own slacks. So nodes of many boards with different bounds lie
on the same stacks; when all are searched, boards without a solution go on with the next bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.frontier import DEEPEST, Frontier
from taquin.engine.gpu.plan import GpuPlan
from taquin.engine.gpu.warps import StackMemory, Warps
from taquin.tables.shape import Cells, Normal, Shape

HISTORY_WORDS, _BATCH_WORDS = 14, 9
"""Words of history, 16 moves each: more than any board of up to 25 cells needs, or of up to 16."""
_ROOTS = 128
"""Roots for each warp at most, in a small bound."""
_NODES_OF_A_ROOT = 2000
"""Nodes of a large bound for each of its roots, which costs as much as a hundred nodes."""
MOST_ROOTS = 1 << 27
"""Most roots."""
_NEAR = 40
"""Where fewer moves are left, the first bound is searched as the next one."""
_AHEAD_SHARE, _GROWTH_OF_NEAR = 0.2, 1.3
"""Nodes of the next bound for each node of the present one, and how many times as many there are
with each move more that may be left."""
_GROWTH = 9.0
"""Usual growth of the nodes from one bound to the next."""
_MOST_RISE = 3
"""Most moves by which the search ahead may begin earlier or later from one round to the next."""


class GpuSearcher:
    """A search of one board, bound after bound: a `Searcher` for `Deepening`.

    With `backward` it searches the inverse of the board, and returns the same paths. Warps that are
    `traced` find the path below one root.
    """

    def __init__(
        self,
        normal: Normal,
        traced: Warps,
        plain: Warps,
        *,
        backward: bool = False,
        most_roots: int = MOST_ROOTS,
    ) -> None:
        self._normal = normal.inverse if backward else normal
        self._traced, self._plain, self._backward = traced, plain, backward
        self._frontier = Frontier(plain)
        self._readings = plain.plan.read(np.array([self._normal.board]))
        self._most_roots = most_roots
        self._bound = 0
        self.near = _NEAR
        """Where fewer moves are left, nodes of the next bound are searched ahead."""
        self.looks_ahead = True
        """Whether they are: not while variants are compared."""
        self.expected = 0.0
        """Nodes that the next bound will have, as far as the last one tells."""
        self._before = 0
        self._nodes_ahead = self._solution_ahead = 0
        self._is_searching = False

    @property
    def estimate(self) -> int:
        """The heuristic's value of the board: the first bound."""
        return int(self._readings.estimates[0])

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, and until its end those ahead of the next too."""
        if not self._is_searching:
            return self._before
        return self._before + self._plain.generated + self._plain.generated_ahead

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        plain, frontier = self._plain, self._frontier
        plain.clear()
        self._before, self._bound = 0, bound
        plain.near = self.near if self.looks_ahead else 0
        self._nodes_ahead = self._solution_ahead = 0
        self._is_searching = True
        if not self._normal.manhattan:
            # The kernel looks at children only.
            return (self._normal.where[0],)
        frontier.begin(plain.plan.nodes(self._readings, np.array([bound]))[0])
        roots = max(_ROOTS * plain.warps, int(self.expected) // _NODES_OF_A_ROOT)
        roots = min(roots, self._most_roots)
        while frontier.count and frontier.solution is None and frontier.depth < DEEPEST:
            if most - frontier.generated < 4 * frontier.count:
                return None
            try:
                is_small = frontier.advance(roots)
            except MemoryError:
                # Other processes use the GPU too: the level that is there will do.
                is_small = False
            self._before = frontier.generated
            if not keep_going():
                return None
            if not is_small:
                break
        if frontier.solution is not None:
            return self._directed(self._beginning(frontier.solution))
        for count, nodes in frontier.parts(plain.most):
            plain.put(count, nodes)
            while plain.total:
                before = plain.generated, plain.generated_ahead
                if not (plain.round(most - self.nodes) and keep_going()):
                    return None
                if plain.solution:
                    return self._path(plain.solution - 1, bound, keep_going)
                self._steer(*before)
        # Searchers of other variants may share the warps.
        self._before += plain.generated
        self._nodes_ahead, self._solution_ahead = plain.generated_ahead, plain.solution_ahead
        self._is_searching = False
        self.expected = _GROWTH * self.nodes
        return ()

    def _steer(self, generated: int, ahead: int) -> None:
        """Decide how far to search ahead in the next round, given the nodes before the last one."""
        plain = self._plain
        if plain.solution_ahead or not self.looks_ahead:
            plain.near = 0
            return
        if plain.total < plain.warps * plain.lanes:
            # At its beginning and its end a bound says little about what lies between.
            return
        wanted = _AHEAD_SHARE * (plain.generated - generated)
        found = plain.generated_ahead - ahead
        rise = round(log((1 + wanted) / (1 + found), _GROWTH_OF_NEAR))
        plain.near = self.near = max(1, plain.near + max(-_MOST_RISE, min(rise, _MOST_RISE)))

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Do what `ForesightedSearcher.solution_ahead` says."""
        self._before = self._nodes_ahead
        if not self._solution_ahead:
            return ()
        return self._path(self._solution_ahead - 1, self._bound + 2, keep_going)

    def _path(self, number: int, bound: int, keep_going: Callable[[], bool]) -> Cells | None:
        """Return a solution of `bound` moves below a root; None when ended early.

        The nodes are those of one root, and not counted again.
        """
        traced, plan = self._traced, self._traced.plan
        root, path = self._frontier.root(number)
        beginning = self._beginning(path)
        left = bound - len(beginning) + 1
        traced.near = 0
        readings = plan.read(self._plain.plan.boards(root[None, :]))
        traced.load(plan.nodes(readings, np.array([left])))
        while not traced.solution:
            if not (traced.round() and keep_going()):
                return None
        rest = blank_path(plan.shape, beginning[-1], plan.device.host(traced.solutions), left)
        return self._directed((*beginning, *rest[1:]))

    def _beginning(self, path: int) -> Cells:
        """Return the blank's cells along a path of the frontier."""
        words = np.array([path & 0xFFFFFFFF, path >> 32], np.uint32)
        return blank_path(self._normal.shape, self._normal.where[0], words, self._frontier.depth)

    def _directed(self, path: Cells) -> Cells:
        return path[::-1] if self._backward else path


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

    def __init__(self, plan: GpuPlan) -> None:
        self._plan = plan
        self._warps = Warps(plan, StackMemory(plan.device), trace=_BATCH_WORDS, many=True)

    def solve(self, boards: NDArray[np.int64], keep_going: Callable[[int], bool]) -> Answers:
        """Solve boards in normal form, each solvable; `keep_going` is given the nodes so far."""
        plan, warps = self._plan, self._warps
        device, xp = plan.device, plan.device.xp
        readings = plan.read(boards)
        bounds = readings.estimates
        warps.solved = xp.zeros(len(boards), np.uint32)
        warps.solutions = xp.zeros(len(boards) * _BATCH_WORDS, np.uint32)
        is_solved = readings.distances == 0
        generated, is_going = 0, True
        while is_going and not is_solved.all():
            left = np.flatnonzero(~is_solved)
            nodes = plan.nodes(plan.read(boards[left]), bounds[left])
            nodes[:, -1] = left
            warps.load(nodes)
            while is_going and warps.total:
                warps.round()
                is_going = keep_going(generated + warps.generated)
            generated += warps.generated
            is_solved |= device.host(warps.solved) > 0
            bounds[~is_solved] += 2
        histories = device.host(warps.solutions).reshape(-1, _BATCH_WORDS)
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

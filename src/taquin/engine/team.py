"""Search one bound with several threads, in slices short enough to be stopped between.

A thread owns a *piece*: a stack of nodes and the path to them. It searches its piece slice by
slice. Between slices, if another thread has nothing to do, it gives away every second node of its
stack, which both halves can go on from because nodes stand alone. Every node of the tree is
therefore expanded once, by whichever thread: the node count of a bound searched to its end does not
depend on the number of threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, wait

import numpy as np
from numpy.typing import NDArray

from taquin.engine.plan import Plan

DEEPEST = 512
"""Longest solution a node's depth field can count."""

_CAPACITY = 4 * DEEPEST
"""Nodes a stack can hold: four children at each depth."""

_ALONE = 1 << 14
"""Nodes searched by one thread before it calls for help: less than waking the others costs."""
_FIRST_SLICE = 1 << 10
"""The same where the tree is known to be large."""
_SLICE = 1 << 15
"""Nodes searched between two looks at the world: a few milliseconds."""

_IDLE_SECONDS = 0.02


class Piece:
    """A stack of nodes, the path to them, and the kernel's five control numbers."""

    def __init__(self, width: int) -> None:
        self.stack = np.zeros(_CAPACITY * width, np.uint64)
        self.path = np.zeros(DEEPEST, np.uint8)
        self.control = np.zeros(5, np.int64)
        self._width = width

    @classmethod
    def rooted(cls, words: list[int]) -> Piece:
        """Return a piece that holds one node."""
        piece = cls(len(words))
        piece.stack[: len(words)] = words
        piece.control[0] = 1
        return piece

    @property
    def size(self) -> int:
        """The number of nodes waiting."""
        return int(self.control[0])

    @property
    def solution(self) -> tuple[int, ...] | None:
        """The blank's cells from start to goal, when the last slice ended on one."""
        if not self.control[2]:
            return None
        return tuple(self.path[: int(self.control[3]) + 1].tolist())

    def search(self, plan: Plan, budget: int) -> int:
        """Search a slice and return the nodes generated in it."""
        self.control[1] = 0
        plan.run(self.stack, self.control, self.path, budget)
        return int(self.control[1])

    def hurry(self, please: bool) -> None:
        """Ask the thread that searches this piece to come back soon, or no longer."""
        self.control[4] = please

    def split(self) -> Piece:
        """Give away every second node, the shallowest first."""
        nodes = self._nodes(self.size)
        other = Piece(self._width)
        given, kept = nodes[0::2].copy(), nodes[1::2].copy()
        other._nodes(len(given))[:] = given
        other.control[0] = len(given)
        other.path[:] = self.path
        self._nodes(len(kept))[:] = kept
        self.control[0] = len(kept)
        return other

    def _nodes(self, count: int) -> NDArray[np.uint64]:
        return self.stack[: count * self._width].reshape(count, self._width)


class BoundSearch:
    """One bound's tree, shared by a team of threads.

    `nodes` counts nodes generated; `solution` is the blank's way once found. The search is complete
    when `run` returns True, which it does for an exhausted tree and for a found goal. `helpers` has
    `threads` - 1 threads to spare; without it the calling thread searches alone. `expected` is a
    guess at the nodes of the tree.
    """

    def __init__(
        self,
        plan: Plan,
        root: list[int],
        threads: int,
        most_nodes: int | None = None,
        helpers: Executor | None = None,
        expected: int = 0,
    ) -> None:
        self.nodes = 0
        self.solution: tuple[int, ...] | None = None
        self._plan = plan
        self._threads = threads if helpers is not None else 1
        self._helpers = helpers
        self._first_slice = _FIRST_SLICE if expected > _ALONE else _ALONE
        self._most_nodes = most_nodes
        self._waiting = [Piece.rooted(root)]
        self._searched: set[Piece] = set()
        self._hungry = 0
        self._stop = False
        self._failure: BaseException | None = None
        self._changed = threading.Condition()

    def run(self, keep_going: Callable[[int], bool]) -> bool:
        """Search to the end, or until `keep_going`, told the nodes so far, says no.

        It is asked between slices, in the calling thread.
        """
        first = self._waiting[0]
        if self._slice(first, self._first_slice) and first.size and keep_going(self.nodes):
            self._deal()
            helping: list[Future[None]] = []
            if self._helpers is not None:
                helping = [self._helpers.submit(self._help) for _ in range(self._threads - 1)]
            try:
                self._work(keep_going)
            finally:
                with self._changed:
                    self._end()
                wait(helping)
            if self._failure is not None:
                raise self._failure
            return self._exhausted or self.solution is not None
        return not first.size or self.solution is not None

    def _deal(self) -> None:
        """Cut the first piece up before the helpers start, so that none begins by waiting."""
        while len(self._waiting) < self._threads and self._waiting[0].size > 1:
            self._waiting += [piece.split() for piece in self._waiting if piece.size > 1]

    @property
    def _exhausted(self) -> bool:
        return not self._waiting and self._hungry == self._threads

    def _help(self) -> None:
        try:
            self._work(None)
        except BaseException as failure:
            with self._changed:
                self._failure = failure
                self._end()

    def _work(self, keep_going: Callable[[int], bool] | None) -> None:
        piece: Piece | None = None
        while (piece := self._take(piece, keep_going)) is not None:
            while piece.size and not self._stop:
                if not self._slice(piece, _SLICE):
                    return
                if keep_going is not None and not keep_going(self.nodes):
                    self._give_up(piece)
                    return
                if self._hungry > len(self._waiting):
                    self._share(piece)
            if piece.size:
                self._give_up(piece)
                return

    def _share(self, piece: Piece) -> None:
        """Give half of a piece to whoever waits for one."""
        with self._changed:
            if piece.size > 1:
                self._waiting.append(piece.split())
                self._changed.notify()
            piece.hurry(self._hungry > len(self._waiting))

    def _end(self) -> None:
        """Tell every thread that the search is over; the lock is held."""
        self._stop = True
        for piece in self._searched:
            piece.hurry(True)
        self._changed.notify_all()

    def _slice(self, piece: Piece, budget: int) -> bool:
        """Search a slice; return False when it ended on a goal."""
        if self._most_nodes is not None:
            # Whether to go on is for `keep_going` to say; this only keeps the last slice short.
            budget = max(1, min(budget, self._most_nodes - self.nodes))
        nodes = piece.search(self._plan, budget)
        with self._changed:
            self.nodes += nodes
            if piece.solution is None:
                return True
            self.solution = self.solution or piece.solution
            self._end()
            return False

    def _give_up(self, piece: Piece) -> None:
        """Put an unfinished piece back, so that nobody takes the tree for exhausted."""
        with self._changed:
            self._waiting.append(piece)
            self._end()

    def _take(self, done: Piece | None, keep_going: Callable[[int], bool] | None) -> Piece | None:
        """Return the piece after `done`, waiting for one; None when the search is over."""
        with self._changed:
            if done is not None:
                self._searched.discard(done)
            if not self._waiting:
                self._hungry += 1
                for piece in self._searched:
                    piece.hurry(True)
                while not self._waiting and not self._stop:
                    if self._hungry == self._threads:
                        self._end()
                        return None
                    self._changed.wait(_IDLE_SECONDS)
                    if keep_going is not None and not keep_going(self.nodes):
                        self._end()
                if self._waiting and not self._stop:
                    self._hungry -= 1
            if self._stop:
                return None
            piece = self._waiting.pop()
            piece.hurry(self._hungry > len(self._waiting))
            self._searched.add(piece)
            return piece

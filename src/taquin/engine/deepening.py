"""IDA* for any searcher of one bound: bound after bound until a solution is found.

    bound 41   exhausted without a solution: every solution has 43 moves or more
    bound 43   exhausted …                              the bound rises by 2, because of parity
    bound 45   a solution: it is a shortest one

Near the goal, a searcher may expand nodes of the next bound too. A solution found there is a
shortest one if the present bound has none; the last, largest bound is then not searched.

The result lists the bounds with their nodes, to compare engines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias

from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Method, Result, Task
from taquin.tables.shape import Cells, moves_along

_Search: TypeAlias = Callable[[Callable[[], bool], float], Cells | None]
"""A search of one bound, as a function of `keep_going` and `most`."""


class Searcher(Protocol):
    """An object that can search the tree of one bound."""

    @property
    def nodes(self) -> int:
        """The nodes generated in the present bound so far."""

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution within `bound`; () when there is none.

        Return None if it stopped early: after `most` nodes, which it never exceeds, or when
        `keep_going`, called every few milliseconds in the calling thread, returned False.
        """


class ForesightedSearcher(Searcher, Protocol):
    """A searcher that looks ahead into the next bound.

    During a bound, `nodes` includes the nodes ahead; after it, only the bound's own nodes.
    """

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution of the next bound, as `search` does; call it after an exhausted bound.

        () means only that look-ahead found none. Afterwards `nodes` counts the nodes ahead.
        """


class Deepening:
    """Iterative deepening by a searcher, and its counters."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.counters = Counters()
        self.blanks: Cells = ()
        """The blank's cells along the solution, once found."""
        self._bounds: list[tuple[int, int]] = []
        self._nodes_ahead = 0
        """Nodes generated ahead of completed bounds, which belong to none of them."""

    def run(
        self, first: int, searcher: Searcher, after: Callable[[int], int] = lambda bound: bound + 2
    ) -> None:
        """Search from the bound `first` on until a solution is found or the control ends it.

        `after` returns the bound after an exhausted one; where parity is known, it is higher by 2.
        """
        control, counters = self.control, self.counters
        # `isinstance` with a protocol takes as long as an easy bound.
        solution_ahead: _Search | None = getattr(searcher, "solution_ahead", None)
        bound = first
        path: Cells | None = ()
        while True:
            control.prove(bound)
            counters.bound = control.proven
            if not control.tick(counters):
                return
            self._bounds.append((bound, 0))
            before = counters.generated
            if path == ():
                try:
                    path = self._counted(searcher, partial(searcher.search, bound))
                finally:
                    self._bounds[-1] = (bound, counters.generated - before)
            if path is None:
                if control.tick(counters):
                    # The remaining nodes are fewer than a step may generate.
                    control.end(Limit.NODES)
                return
            if path:
                self.blanks = path
                return
            if solution_ahead is not None:
                before = counters.generated
                try:
                    path = self._counted(searcher, solution_ahead)
                finally:
                    self._nodes_ahead += counters.generated - before
            bound = after(bound)

    def _counted(self, searcher: Searcher, search: _Search) -> Cells | None:
        """Run a search and count its nodes, even if it is interrupted."""
        control, counters = self.control, self.counters
        before = counters.generated

        def keep_going() -> bool:
            counters.generated = before + searcher.nodes
            return control.tick(counters)

        try:
            return search(keep_going, control.nodes_left(counters))
        finally:
            counters.generated = before + searcher.nodes

    def result(
        self,
        task: Task,
        method: Method,
        engine: EngineTag,
        counts: tuple[str, ...] = ("generated",),
    ) -> Result:
        """Return the result; `counts` names the counters that are meaningful."""
        *completed, (bound, nodes) = self._bounds or [(0, 0)]
        return self.control.result(
            task,
            method,
            engine,
            self.counters,
            counts=counts,
            moves=moves_along(task.start, self.blanks) if self.blanks else None,
            bounds=(*completed, (bound, nodes + self._nodes_ahead)) if self._bounds else (),
        )

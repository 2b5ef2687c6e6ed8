"""IDA* for any searcher of one bound: bound after bound until a solution is found.

    bound 41   searched to its end, no solution: every solution has 43 moves or more
    bound 43   searched to its end …                    the bound rises by 2, because of parity
    bound 45   a solution: it is a shortest one

The bounds and the nodes of each are kept, so that engines can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from taquin.search.control import Control
from taquin.search.result import Counters, EngineTag, Limit, Method, Result, Task
from taquin.tables.shape import Cells, moves_along


class Searcher(Protocol):
    """An object that can search the tree of one bound."""

    @property
    def nodes(self) -> int:
        """The nodes generated in the present bound so far."""

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution within `bound`; () when there is none.

        Return None when the search was ended early: `keep_going` is asked every few milliseconds,
        in the calling thread, and `most` nodes, which it must not pass, end it too.
        """


class Deepening:
    """One search, bound after bound."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.counters = Counters()
        self.blanks: Cells = ()
        """The blank's cells along the solution, once found."""
        self._bounds: list[tuple[int, int]] = []

    def run(
        self, first: int, searcher: Searcher, after: Callable[[int], int] = lambda bound: bound + 2
    ) -> None:
        """Search from the bound `first` on until a solution is found or the control ends it.

        `after` returns the bound that follows one without a solution: where the parity of
        solutions is known, the bound rises by 2.
        """
        control, counters = self.control, self.counters
        bound = first
        while not self.blanks:
            control.prove(bound)
            counters.bound = control.proven
            if not control.tick(counters):
                return
            before = counters.generated

            def keep_going(before: int = before) -> bool:
                counters.generated = before + searcher.nodes
                return control.tick(counters)

            try:
                path = searcher.search(bound, keep_going, control.nodes_left(counters))
            finally:
                # The nodes of an interrupted bound count too.
                counters.generated = before + searcher.nodes
                self._bounds.append((bound, searcher.nodes))
            if path is None:
                if control.tick(counters):
                    # Fewer nodes are left than one step may generate.
                    control.end(Limit.NODES)
                return
            self.blanks = path
            bound = after(bound)

    def result(
        self,
        task: Task,
        method: Method,
        engine: EngineTag,
        counts: tuple[str, ...] = ("generated",),
    ) -> Result:
        """Return the result; `counts` names the counters that were kept."""
        return self.control.result(
            task,
            method,
            engine,
            self.counters,
            counts=counts,
            moves=moves_along(task.start, self.blanks) if self.blanks else None,
            bounds=tuple(self._bounds),
        )

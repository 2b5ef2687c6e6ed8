"""Optimal solutions of classic full-goal puzzles on all cores: IDA* with pattern databases.

Iterative-deepening A* (Korf 1985) on the sum of disjoint pattern databases (Korf and Felner 2002),
each bound searched to its end before the next, two higher, begins. The kernels are in
`taquin.engine.cpu`; this is the conductor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from taquin.engine.cpu.plan import plan_for, table_bytes
from taquin.engine.cpu.stacks import Piece, Plan
from taquin.engine.cpu.team import Team
from taquin.engine.result import EngineOutcome, EngineProgress, EngineResult
from taquin.system.machine import usable_cores
from taquin.tables.patterns import NAMED_SETS
from taquin.tables.shape import Cells, Normal
from taquin.tables.store import TableStore

ProgressCallback: TypeAlias = Callable[[EngineProgress], None]
"""Called in the thread of the search, at most about ten times a second and after each bound."""

_PROGRESS_SECONDS = 0.1

_ENUMERATION_SLICE = 1 << 18


def search(
    normal: Normal,
    *,
    tables: str | None = "small",
    threads: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    depth: int | None = None,
    memory: int | None = None,
    store: TableStore | None = None,
    progress: ProgressCallback | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> EngineResult:
    """Return a shortest solution of a board, or how far the proof of one got.

    `tables` names the set to use, built now if need be; a set that would take more than
    `memory` bytes is passed over for a smaller one, in the end for none. `threads` defaults to all
    cores. `nodes` and `seconds` limit the search; they, `should_stop` and an interrupt from the
    keyboard end it within milliseconds, with the lower bound proven so far. Tables that are not
    built within `seconds` end it too.
    """
    begun = time.perf_counter()
    if not normal.solvable:
        return EngineResult(EngineOutcome.UNSOLVABLE, (), 0, (), 0.0, None)
    chosen = _affordable(normal, tables, memory)
    preparation = _Preparation(begun, seconds, progress, should_stop)
    try:
        plan = preparation.plan(normal, chosen, store or TableStore(), threads)
    except (_EndedError, KeyboardInterrupt) as end:
        outcome = end.outcome if isinstance(end, _EndedError) else EngineOutcome.INTERRUPTED
        passed = time.perf_counter() - begun
        return EngineResult(outcome, (), normal.manhattan, (), passed, None)
    conductor = _Conductor(nodes, seconds, depth, progress, should_stop)
    return conductor.search(plan, normal, threads or usable_cores(), chosen)


def all_solutions(
    normal: Normal,
    *,
    most: int | None = None,
    tables: str | None = "small",
    threads: int | None = None,
    store: TableStore | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Cells]:
    """Yield every shortest solution once, as the cells of the blank; at most `most` of them.

    An unsolvable start yields nothing. The first comes after a search for the length; the others
    stream from one more pass over the last bound, without the pruning of needless move words. An
    interrupt from the keyboard is raised: the solutions so far are then not all.
    """
    shortest = search(normal, tables=tables, threads=threads, store=store, progress=progress)
    if shortest.outcome is EngineOutcome.INTERRUPTED:
        raise KeyboardInterrupt
    if shortest.cost is None:
        return
    plan = plan_for(normal.shape, tables, store or TableStore(), every_word=True)
    piece = Piece(plan.start(normal).node(shortest.cost), plan.width)
    found = 0
    while piece.size and (most is None or found < most):
        piece.search(plan, _ENUMERATION_SLICE)
        if (solution := piece.solution) is not None:
            yield solution
            found += 1


def _affordable(normal: Normal, tables: str | None, memory: int | None) -> str | None:
    """Return the wanted set, or the next smaller one that fits the memory, or None."""
    if tables is None or memory is None:
        return tables
    smaller = NAMED_SETS[NAMED_SETS.index(tables) :: -1] if tables in NAMED_SETS else (tables,)
    return next((name for name in smaller if table_bytes(normal.shape, name) <= memory), None)


class _EndedError(Exception):
    """Raised out of the building of tables when a limit is met."""

    def __init__(self, outcome: EngineOutcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class _Preparation:
    """Makes the plan ready, tells what takes long, and ends the building of tables in time."""

    def __init__(
        self,
        begun: float,
        seconds: float | None,
        progress: ProgressCallback | None,
        should_stop: Callable[[], bool] | None,
    ) -> None:
        self._begun = begun
        self._seconds = seconds
        self._progress = progress
        self._should_stop = should_stop

    def plan(
        self, normal: Normal, tables: str | None, store: TableStore, threads: int | None
    ) -> Plan:
        """Return the plan; raise _EndedError when a limit is met before its tables are built."""
        if self._progress is not None:
            self._progress(EngineProgress("compile", "", 0, None, None, 0.0))
        return plan_for(normal.shape, tables, store, threads=threads, progress=self._tables_grow)

    def _tables_grow(self, name: str, done: int, total: int) -> None:
        passed = time.perf_counter() - self._begun
        if self._progress is not None:
            self._progress(EngineProgress("tables", name, done, total, None, passed))
        if self._seconds is not None and passed >= self._seconds:
            raise _EndedError(EngineOutcome.TIME_LIMIT)
        if self._should_stop is not None and self._should_stop():
            raise _EndedError(EngineOutcome.STOPPED)


class _Conductor:
    """Raises the bound until a solution is found or a limit is met."""

    def __init__(
        self,
        nodes: int | None,
        seconds: float | None,
        depth: int | None,
        progress: ProgressCallback | None,
        should_stop: Callable[[], bool] | None,
    ) -> None:
        self._begun = time.perf_counter()
        self._nodes = nodes
        self._seconds = seconds
        self._depth = depth
        self._progress = progress
        self._should_stop = should_stop
        self._reported = self._begun
        self._bound = 0
        self._before = 0
        self._ending: EngineOutcome | None = None

    def search(self, plan: Plan, normal: Normal, threads: int, tables: str | None) -> EngineResult:
        """Search bound after bound and return the result."""
        counts: list[tuple[int, int]] = []
        blanks: Cells = ()
        start = plan.start(normal)
        self._bound = start.estimate
        with Team(plan, threads) as team:
            try:
                while not blanks and self._keep_going(0):
                    left = None if self._nodes is None else self._nodes - self._before
                    root = start.node(self._bound)
                    try:
                        complete = team.search(root, self._keep_going, left)
                    finally:
                        counts.append((self._bound, team.nodes))
                    if not complete:
                        break
                    blanks = team.solution or ()
                    self._before += team.nodes
                    if not blanks:
                        self._bound += 2
                    self._report()
            except KeyboardInterrupt:
                self._ending = EngineOutcome.INTERRUPTED
        outcome = EngineOutcome.SOLVED if blanks else self._ending or EngineOutcome.STOPPED
        passed = time.perf_counter() - self._begun
        return EngineResult(outcome, blanks, self._bound, tuple(counts), passed, tables)

    def _keep_going(self, nodes: int) -> bool:
        """Say whether no limit is met, `nodes` into the present bound; report now and then."""
        now = time.perf_counter()
        if self._nodes is not None and self._before + nodes >= self._nodes:
            self._ending = EngineOutcome.NODE_LIMIT
        elif self._seconds is not None and now - self._begun >= self._seconds:
            self._ending = EngineOutcome.TIME_LIMIT
        elif self._depth is not None and self._bound > self._depth:
            self._ending = EngineOutcome.DEPTH_LIMIT
        elif self._should_stop is not None and self._should_stop():
            self._ending = EngineOutcome.STOPPED
        elif now - self._reported >= _PROGRESS_SECONDS:
            self._reported = now
            self._report(nodes)
        return self._ending is None

    def _report(self, nodes: int = 0) -> None:
        if self._progress is not None:
            passed = time.perf_counter() - self._begun
            done = self._before + nodes
            self._progress(EngineProgress("search", "", done, None, self._bound, passed))

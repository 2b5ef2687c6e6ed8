"""The compiled search behind the same `Result` as the glass box."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from taquin.engine.conductor import all_solutions as enumerate_solutions
from taquin.engine.conductor import search
from taquin.engine.result import EngineOutcome, EngineProgress, EngineResult
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.search.driver import Progress
from taquin.search.result import Counters, Limits, Outcome, Result, Stats
from taquin.system.machine import peak_memory, process_memory, usable_cores
from taquin.system.words import counted
from taquin.tables.shape import Normal, moves_along
from taquin.tables.store import Notice, TableStore

_OUTCOMES = {
    EngineOutcome.SOLVED: Outcome.SOLVED,
    EngineOutcome.UNSOLVABLE: Outcome.UNSOLVABLE,
    EngineOutcome.STOPPED: Outcome.STOPPED,
    EngineOutcome.INTERRUPTED: Outcome.STOPPED,
}


def solve_compiled(
    puzzle: Puzzle,
    start: Board,
    normal: Normal,
    limits: Limits,
    *,
    spent: float = 0.0,
    tables: str | None,
    threads: int | None,
    notice: Notice | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Return a shortest solution of a classic puzzle, found by the compiled IDA*.

    `spent` seconds were used up on the board before; `notice` is told in one line what the user
    should know about the tables on disk.
    """
    ceiling = _Ceiling(limits.memory, stop)
    found = search(
        normal,
        tables=tables,
        threads=threads,
        nodes=limits.nodes,
        seconds=None if limits.seconds is None else max(0.0, limits.seconds - spent),
        depth=limits.depth,
        memory=None if limits.memory is None else max(0, limits.memory - process_memory()),
        store=_store(notice),
        progress=None if progress is None else _shown_by(progress),
        should_stop=ceiling.is_time_to_stop,
    )
    moves = moves_along(start, found.blanks) if found.blanks else None
    used = f"patterns {found.tables}" if found.tables else "manhattan"
    return Result(
        outcome=_outcome(found, ceiling),
        puzzle=puzzle,
        start=start,
        moves=moves,
        cost=found.cost,
        lower_bound=found.lower_bound,
        algorithm=f"idastar({used})",
        engine=f"cpu, {counted(threads or usable_cores(), 'thread')}",
        stats=Stats(
            generated=found.nodes, seconds=spent + found.seconds, peak_memory=peak_memory()
        ),
        reason=_reason(found, limits, ceiling),
    )


def solutions_compiled(
    start: Board,
    normal: Normal,
    *,
    most: int | None,
    tables: str | None,
    threads: int | None,
    notice: Notice | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[Move, ...]]:
    """Yield every shortest solution of a classic puzzle, at most `most` of them."""
    for blanks in enumerate_solutions(
        normal,
        most=most,
        tables=tables,
        threads=threads,
        store=_store(notice),
        progress=None if progress is None else _shown_by(progress),
    ):
        yield moves_along(start, blanks)


def _store(notice: Notice | None) -> TableStore:
    return TableStore() if notice is None else TableStore(notice=notice)


def _shown_by(progress: Progress) -> Callable[[EngineProgress], None]:
    """Return what hands the engine's progress on as counters, with the stage in words."""

    def show(now: EngineProgress) -> None:
        stage = ""
        if now.stage == "compile":
            stage = "loading the compiled search"
        elif now.stage == "tables":
            share = f" {100 * now.done // now.total} %" if now.total else ""
            stage = f"building table {now.detail}{share}"
        counted = now.done if now.stage == "search" else 0
        progress(Counters(generated=counted, bound=now.bound or 0, stage=stage), now.seconds)

    return show


class _Ceiling:
    """Stops a search that the caller wants no more, or whose process holds too much memory."""

    def __init__(self, memory: int | None, stop: Callable[[], bool] | None) -> None:
        self._memory, self._stop = memory, stop
        self.is_passed = False
        """Whether it was the memory that ended the search."""

    def is_time_to_stop(self) -> bool:
        """Tell whether to give up."""
        self.is_passed = self._memory is not None and process_memory() >= self._memory
        return self.is_passed or (self._stop is not None and self._stop())


def _outcome(found: EngineResult, ceiling: _Ceiling) -> Outcome:
    if found.outcome is EngineOutcome.STOPPED and ceiling.is_passed:
        return Outcome.LIMIT_REACHED
    return _OUTCOMES.get(found.outcome, Outcome.LIMIT_REACHED)


def _reason(found: EngineResult, limits: Limits, ceiling: _Ceiling) -> str:
    match found.outcome:
        case EngineOutcome.STOPPED if ceiling.is_passed:
            return f"limit of {limits.memory:,} bytes of memory"
        case EngineOutcome.NODE_LIMIT:
            return f"limit of {limits.nodes:,} nodes generated"
        case EngineOutcome.TIME_LIMIT:
            return f"limit of {limits.seconds:g} seconds"
        case EngineOutcome.DEPTH_LIMIT:
            return f"limit of {limits.depth:,} moves"
        case EngineOutcome.STOPPED:
            return "stopped on request"
        case EngineOutcome.INTERRUPTED:
            return "interrupted"
        case _:
            return ""

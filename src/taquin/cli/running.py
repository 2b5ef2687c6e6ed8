"""Run a search for a command: with the live line to solve, with its events to watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taquin.cli.engines import AUTOMATIC, EngineOptions, say
from taquin.cli.live import live_line
from taquin.engine.choose import default_algorithm
from taquin.engine.choose import solve as solve_board
from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.algorithm import Algorithm
from taquin.search.driver import Progress, trace
from taquin.search.events import Event, Expanded, Finished
from taquin.search.result import Count, Limits, Result


def solve(
    puzzle: Puzzle,
    start: Board,
    algorithm: Algorithm | None,
    limits: Limits,
    label: str = "",
    engine: EngineOptions = AUTOMATIC,
) -> Result:
    """Return what a search finds; the live line, headed by `label`, shows how it is doing."""
    with live_line(label) as progress:
        if engine.cluster is not None:
            return _solve_on_cluster(puzzle, start, limits, engine, engine.cluster, progress)
        return solve_board(
            start,
            puzzle.goal,
            metric=puzzle.metric,
            algorithm=algorithm,
            limits=limits,
            tables=engine.table_set,
            threads=engine.threads,
            notice=say,
            progress=progress,
        )


def _solve_on_cluster(
    puzzle: Puzzle,
    start: Board,
    limits: Limits,
    engine: EngineOptions,
    address: str,
    progress: Progress | None,
) -> Result:
    """Return what the workers of a cluster find together."""
    from taquin.lab.run.dask import cluster_executor
    from taquin.lab.split import solve_split, splittable

    if limits.counting is not Count.GENERATED and limits.nodes is not None:
        raise UnsuitableError("a cluster counts the nodes it generates: leave --count out")
    splittable(puzzle, start)
    with cluster_executor(address) as (executor, workers):
        return solve_split(
            puzzle,
            start,
            executor,
            workers,
            limits=limits,
            tables=engine.table_set,
            progress=progress,
        )


class Watched:
    """The events of a search, cut after so many steps, and the result they end with."""

    def __init__(self, events: Iterable[Event], steps: int | None = None) -> None:
        self._events = events
        self._steps = steps
        self.result: Result | None = None
        """What the search found; None when it was cut, or broke off."""
        self.is_cut = False
        """Whether there were more steps than asked for."""

    def __iter__(self) -> Iterator[Event]:
        """Yield the events; a step is an expansion and all that comes of it."""
        taken = 0
        for event in self._events:
            if isinstance(event, Expanded):
                taken += 1
                if self._steps is not None and taken > self._steps:
                    self.is_cut = True
                    return
            elif isinstance(event, Finished):
                self.result = event.result
            yield event


def watch(
    puzzle: Puzzle, start: Board, algorithm: Algorithm | None, limits: Limits
) -> tuple[Algorithm, Iterator[Event]]:
    """Return the algorithm that serves, and the events of its search."""
    chosen = algorithm or default_algorithm(puzzle)
    return chosen, trace(puzzle, start, chosen, limits)

"""Run a search loop under limits: `trace` to watch it, `solve` to have its result.

The loops know no limits. They tick; here, at each tick, the limits are checked, progress is
reported, and the length of the next stretch is chosen so that a tick comes about every 20 ms,
however slow the heuristic is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import ceil, inf
from time import perf_counter

from taquin.heuristics.base import bound as bind_heuristic
from taquin.heuristics.zero import Zero
from taquin.model.board import Board
from taquin.model.moves import Move
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import Solvability, solvability
from taquin.model.space import Space, State
from taquin.search.algorithm import Algorithm
from taquin.search.events import Event, Finished, GoalFound
from taquin.search.result import Counters, Limits, Outcome, Result, Stats
from taquin.search.run import Dry, Found, Run
from taquin.search.watch import Watcher
from taquin.system.machine import peak_memory, process_memory

ENGINE = "glass-box"
"""The name of these searches in a result."""

Progress = Callable[[Counters, float], None]
"""Called about every 20 ms with the counters so far and the seconds elapsed."""

_STRETCH_SECONDS = 0.02
_LONGEST_STRETCH = 1 << 14


def trace(
    puzzle: Puzzle,
    start: Board,
    algorithm: Algorithm,
    limits: Limits | None = None,
    *,
    check: bool = True,
) -> Iterator[Event]:
    """Yield every event of a search; the last one is `Finished` with the result.

    With `check`, a board that parity proves unsolvable is not searched at all. Raise
    MismatchError when start and goal do not belong together, and UnsuitableError when the
    algorithm or its heuristic cannot serve the puzzle; both before the first event.
    """
    return _Search(puzzle, start, algorithm, limits or Limits(), watched=True).events(check)


def solve(
    puzzle: Puzzle,
    start: Board,
    algorithm: Algorithm,
    limits: Limits | None = None,
    *,
    check: bool = True,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> Result:
    """Search and return the result; raise what `trace` raises.

    `stop` is asked about every 20 ms whether to give up. Ctrl-C during the search does the same.
    """
    search = _Search(
        puzzle, start, algorithm, limits or Limits(), progress=progress, stop=stop, watched=False
    )
    for event in search.events(check):
        if isinstance(event, Finished):
            return event.result
    raise AssertionError("a search ends with Finished")


class _Search:
    """One search under way, with its clock and its limits."""

    def __init__(
        self,
        puzzle: Puzzle,
        start: Board,
        algorithm: Algorithm,
        limits: Limits,
        *,
        watched: bool,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.puzzle, self.start, self.algorithm, self.limits = puzzle, start, algorithm, limits
        self.watched, self.progress, self.stop = watched, progress, stop
        conventions = algorithm.conventions
        self.space = Space(puzzle, start, conventions.directions, conventions.bumps)
        self.run = Run(
            space=self.space,
            evaluator=bind_heuristic(algorithm.heuristic or Zero(), self.space),
            conventions=conventions,
            watch=Watcher(self.space) if watched else None,
            max_depth=inf if limits.depth is None else limits.depth,
        )
        self.began = perf_counter()

    def events(self, check: bool) -> Iterator[Event]:
        """Yield the events of the loop, then `Finished`."""
        self.began = perf_counter()
        verdict = solvability(self.puzzle, self.start)
        if check and verdict.answer is Solvability.NO:
            yield Finished(self._result(Outcome.UNSOLVABLE, reason=verdict.reason))
            return
        counters = self.run.counters
        if self.run.evaluator.admissible:
            counters.bound = self.run.evaluator.value(self.space.start)
        counters.bound = max(counters.bound, not self.puzzle.is_goal(self.start))
        loop = self.algorithm.loop(self.run)
        try:
            stretch = 0
            while True:
                item = loop.send(stretch) if stretch else next(loop)
                if item is not None:
                    stretch = 0
                    if not (isinstance(item, GoalFound) and self._cap_passed()):
                        yield item
                    continue
                reason = self._limit_reached()
                if reason:
                    yield Finished(self._result(Outcome.LIMIT_REACHED, reason=reason))
                    return
                if self.stop is not None and self.stop():
                    yield Finished(self._result(Outcome.STOPPED, reason="stopped on request"))
                    return
                if self.progress is not None:
                    self.progress(counters, perf_counter() - self.began)
                stretch = self._next_stretch()
        except StopIteration as ended:
            yield Finished(self._ending(ended.value))
        except KeyboardInterrupt:
            yield Finished(self._result(Outcome.STOPPED, reason="interrupted"))
        except MemoryError:
            loop.close()
            del loop
            yield Finished(self._result(Outcome.LIMIT_REACHED, reason="out of memory"))

    def _limit_reached(self) -> str:
        """Return which limit is reached, in words; empty while none is."""
        counters, limits = self.run.counters, self.limits
        if limits.nodes is not None:
            name = limits.counting.value
            if getattr(counters, name) >= limits.nodes:
                return f"limit of {limits.nodes:,} nodes {name}"
        if reason := self._cap_passed():
            return reason
        if limits.seconds is not None and perf_counter() - self.began >= limits.seconds:
            return f"limit of {limits.seconds:g} seconds"
        if limits.memory is not None and process_memory() >= limits.memory:
            return f"limit of {limits.memory:,} bytes of memory"
        return ""

    def _cap_passed(self) -> str:
        """Return that more nodes are kept than the algorithm may; empty while that is not so."""
        cap = self.algorithm.cap
        if cap is None or self.run.counters.enqueued <= cap:
            return ""
        return f"cap of {cap:,} nodes kept"

    _stretch = 1
    _tick = 0.0

    def _next_stretch(self) -> int:
        """Return how many expansions to let pass until the next tick."""
        if self.watched:
            return 1
        now = perf_counter()
        taken, self._tick = now - self._tick, now
        if taken < _STRETCH_SECONDS / 2:
            self._stretch = min(self._stretch * 2, _LONGEST_STRETCH)
        elif taken > _STRETCH_SECONDS * 2:
            self._stretch = max(1, self._stretch // 4)
        stretch = self._stretch
        counters, limits = self.run.counters, self.limits
        # One expansion adds at most `branching` nodes to a counter: stop exactly, not late.
        if limits.nodes is not None:
            left = limits.nodes - getattr(counters, limits.counting.value)
            stretch = min(stretch, max(1, left // self.space.branching))
        if self.algorithm.cap is not None:
            left = self.algorithm.cap - counters.enqueued
            stretch = min(stretch, max(1, left // self.space.branching))
        return stretch

    def _ending(self, ending: Found | Dry) -> Result:
        if isinstance(ending, Found):
            # The last stretch may have kept one board too many just before it came upon the goal.
            if reason := self._cap_passed():
                return self._result(Outcome.LIMIT_REACHED, reason=reason)
            return self._result(Outcome.SOLVED, path=ending.path)
        if ending.complete:
            return self._result(
                Outcome.UNSOLVABLE, reason="every reachable board was searched in vain"
            )
        reason = ending.reason
        if not reason and self.limits.depth is not None:
            reason = f"limit of {self.limits.depth:,} moves"
            if self.algorithm.optimal and self.run.evaluator.admissible:
                self.run.counters.bound = max(self.run.counters.bound, self.limits.depth + 1)
        return self._result(Outcome.LIMIT_REACHED, reason=reason)

    def _result(
        self, outcome: Outcome, *, path: list[State] | None = None, reason: str = ""
    ) -> Result:
        counters = self.run.counters
        moves = None if path is None else self._moves(path)
        lower = max(0, ceil(counters.bound))
        if counters.cut and self.limits.depth is not None:
            # Paths that were not followed cost more than the limit, and nothing else is known.
            lower = min(lower, self.limits.depth + 1)
        if moves is not None:
            lower = min(lower, len(moves))
        return Result(
            outcome=outcome,
            puzzle=self.puzzle,
            start=self.start,
            moves=moves,
            cost=None if moves is None else len(moves),
            lower_bound=lower,
            algorithm=str(self.algorithm),
            engine=ENGINE,
            stats=Stats(
                expanded=counters.expanded,
                generated=counters.generated,
                enqueued=counters.enqueued,
                dequeued=counters.dequeued,
                duplicates=counters.duplicates,
                reopened=counters.reopened,
                max_frontier=counters.max_frontier,
                max_depth=counters.max_depth,
                seconds=perf_counter() - self.began,
                peak_memory=peak_memory(),
            ),
            reason=reason,
        )

    def _moves(self, path: list[State]) -> tuple[Move, ...]:
        between = self.space.move_between
        return tuple(between(one, other) for one, other in pairwise(path))

"""What ends a search: limits, the clock, Ctrl-C and whoever asks it to stop. The only place.

    search ── tick(counters) ──►  Control        every few milliseconds, in the caller's thread
           ◄── go on? ──────────                 no: `result` says which limit it was

A search asks, and is never told. It does not know its limits, words no reason, and builds its
result here, so that all searches of all engines end alike: with the best solution so far, the best
bound proven so far, and what it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from math import ceil, inf
from time import perf_counter
from typing import TypeAlias

from taquin.model.moves import Move
from taquin.search.clock import Clock, Phase
from taquin.search.result import (
    COUNTERS,
    NO_LIMITS,
    Bounds,
    Count,
    Counters,
    EngineTag,
    Limit,
    Limits,
    Method,
    Outcome,
    Preparation,
    Result,
    Stats,
    Task,
)
from taquin.system.interrupts import CutShort, interrupted
from taquin.system.listening import listening_to_compilation
from taquin.system.machine import peak_memory, process_memory
from taquin.system.words import counted, size_as_given

Progress: TypeAlias = Callable[[Counters, float], None]
"""Called now and then with the counters so far and the seconds elapsed."""
Notice: TypeAlias = Callable[[str], None]
"""Told, in one line, what the user should know: a damaged table, a full disk, a wait."""
INTERRUPTED = "interrupted"
"""The reason of a search that Ctrl-C ended."""
_GRACE = {Phase.SEARCHING: 0.0, Phase.BUILDING: 10.0}
"""What a limit on seconds ends, and how many seconds later: who allows a search three seconds does
not wait minutes for its tables, but tables that are nearly there serve every later search."""
_READY_SECONDS = 10.0
"""Seconds that code of the user's own may take until it can search, whatever the limit."""
_MEMORY_SECONDS = 0.01
"""Seconds between two looks at the memory of the process, which cost some microseconds each."""


class Ended(Exception):  # noqa: N818 - it is no error, and never leaves a search
    """Raised out of the preparation of a search when it is to end."""


class Control:
    """The limits of one search, its clock, and how it ended."""

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        *,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
        notice: Notice | None = None,
    ) -> None:
        self.limits = limits
        self.notice: Notice = notice or (lambda line: None)
        """Tells the user what there is to know about the machine."""
        self._progress, self._stop = progress, stop
        self._clock = Clock()
        self._looked = -inf
        self._proven: float = 0
        self._parity: int | None = None
        self._spent, self._tried, self._cpu_tried = 0, 0.0, 0.0
        self._prepared = Preparation()
        self._best: tuple[Move, ...] | None = None
        self._nodes = inf if limits.nodes is None else limits.nodes
        self._outcome: Outcome | None = None
        self._limit: Limit | None = None
        self._reason = ""

    @property
    def seconds(self) -> float:
        """Return the seconds of the search proper, pauses left out."""
        return self._tried + self._clock.spent(Phase.SEARCHING)

    @property
    def cpu_seconds(self) -> float:
        """Return the processor time of the search proper, pauses left out."""
        return self._cpu_tried + self._clock.cpu_seconds

    @property
    def is_over(self) -> bool:
        """Tell whether the search has been ended."""
        return self._outcome is not None

    @property
    def limit(self) -> Limit | None:
        """Return the limit that ended the search; None while none has."""
        return self._limit

    @property
    def reason(self) -> str:
        """Return in words what ended the search; empty while nothing has."""
        return self._reason

    def concern(self, task: Task) -> None:
        """Learn from the task whether every solution has an even or an odd number of moves."""
        self._parity = task.puzzle.solution_parity(task.start)

    def paused(self) -> AbstractContextManager[None]:
        """Stop the clock, as while a watcher looks at an event."""
        return self._clock.paused()

    def begin(self) -> None:
        """Start the clock of the search proper: all before was preparation."""
        self._clock.turn(Phase.SEARCHING)

    def tick(self, counters: Counters) -> bool:
        """Look at the clock and the limits, report progress, and tell whether to go on.

        A tick without a stage belongs to the search proper, and starts its clock.
        """
        if not counters.stage:
            self.begin()
        return self._look(counters, self._clock.phase)

    def _look(self, counters: Counters, phase: Phase) -> bool:
        """Look at the limits in a phase, report progress, and tell whether to go on."""
        if self._outcome is not None:
            return False
        limits = self.limits
        now = self.seconds if phase is Phase.SEARCHING else self._clock.spent(phase)
        if self._nodes != inf and self._is_spent(counters):
            self.end(Limit.NODES)
        elif limits.seconds is not None and now >= limits.seconds + _GRACE.get(phase, inf):
            self.end(Limit.SECONDS)
        elif limits.memory is not None and perf_counter() - self._looked >= _MEMORY_SECONDS:
            self._looked = perf_counter()
            if process_memory() >= limits.memory:
                self.end(Limit.MEMORY)
        if interrupted():
            self.stop(INTERRUPTED)
        elif self._stop is not None and self._stop():
            self.stop("stopped on request")
        if self._progress is not None:
            shown = self._raised(counters.bound)
            told = counters if shown == counters.bound else replace(counters, bound=shown)
            self._progress(told, now)
        return self._outcome is None

    def seconds_left(self) -> float:
        """Return after how many seconds code of the user's own is cut short; infinity for never.

        Each phase is counted by itself. Code that is made ready may take longer than the limit, for
        the libraries that it loads.
        """
        if self.limits.seconds is None:
            return inf
        if self._clock.phase is Phase.SEARCHING:
            return self.limits.seconds - self.seconds
        return max(self.limits.seconds, _READY_SECONDS) - self._clock.spent(self._clock.phase)

    def nodes_left(self, counters: Counters) -> float:
        """Return how many more nodes may be counted; infinity without a limit on them."""
        return self._nodes - self._spent - int(getattr(counters, self.limits.counting.value))

    def _is_spent(self, counters: Counters) -> bool:
        """Tell whether there is no way on within the limit on nodes.

        There is none without generating more. Of other nodes a search may need no more to come to
        its end; it stops by itself if it does.
        """
        left = self.nodes_left(counters)
        return left < 0 or (left == 0 and self.limits.counting is Count.GENERATED)

    def report(self, stage: str) -> None:
        """Report a stage of the search proper in words; raise Ended when the search is to end."""
        self.begin()
        if not self.tick(Counters(stage=stage)):
            raise Ended

    def prepare(self, stage: str, phase: Phase = Phase.LOADING) -> None:
        """Report what is done before the search proper; raise Ended when it is to end."""
        self._clock.turn(phase)
        if not self._look(Counters(stage=stage), phase):
            raise Ended

    def building(self, name: str, done: int, total: int) -> None:
        """Report how much of a table is built; raise Ended when that is to end."""
        self.prepare(f"building table {name} {100 * done // max(1, total)} %", Phase.BUILDING)

    @contextmanager
    def compiling(self, stage: str) -> Iterator[None]:
        """Count the block as compiling; raise Ended before it when the search is to end."""
        with self._clock.during(Phase.COMPILING):
            if not self._look(Counters(stage=stage), Phase.COMPILING):
                raise Ended
            yield

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Let Ctrl-C, the end of the memory and a limit met in preparation end the search.

        So does code of the user's own that was cut short because the time is up.
        """
        try:
            with listening_to_compilation(self.compiling):
                yield
        except KeyboardInterrupt:
            self.stop(INTERRUPTED)
        except CutShort:
            if self.seconds_left() > 0:
                # It is the time of a search further out, whose heuristic runs this one.
                raise
            self.end(Limit.SECONDS)
        except MemoryError:
            self.end(Limit.MEMORY, None)
        except Ended:
            # A part of the search with a control of its own may have heard Ctrl-C first.
            if interrupted():
                self.stop(INTERRUPTED)

    def end(self, limit: Limit, size: float | None = inf) -> None:
        """End the search by a limit: one of the task's, or one of `size` that is the search's own.

        None is the size of a limit that nobody gave: the machine's own memory.
        """
        if self._outcome is None:
            given = getattr(self.limits, limit.value, None) if size == inf else size
            self._outcome, self._limit = Outcome.LIMIT_REACHED, limit
            self._reason = _limit_in_words(limit, given, self.limits.counting.value)

    def stop(self, reason: str) -> None:
        """End the search because somebody wants no more of it."""
        if self._outcome is None:
            self._outcome, self._reason = Outcome.STOPPED, reason

    def refute(self, reason: str = "every reachable board was searched in vain") -> None:
        """End the search with the proof that there is no solution."""
        if self._outcome is None:
            self._outcome, self._reason = Outcome.UNSOLVABLE, reason

    def prove(self, bound: float) -> None:
        """Note that every solution has at least so many moves; the best such bound is kept.

        A bound beyond the limit on depth ends the search: no solution is within it.
        """
        self._proven = max(self._proven, bound)
        if self.limits.depth is not None and self._raised(bound) > self.limits.depth:
            self.end(Limit.DEPTH)

    @property
    def proven(self) -> int:
        """Return the best bound proven so far, raised to the parity that every solution has."""
        return int(self._raised(max(0, ceil(self._proven))))

    def _raised(self, bound: float) -> float:
        """Return the least length of the right parity that is not below a bound."""
        if self._parity is None or bound == inf:
            return bound
        least = ceil(bound)
        return least + (least + self._parity) % 2

    def part(self, seconds: float) -> Control:
        """Return a control that goes on with all so far and ends after so many seconds in all."""
        allowed = self.limits.seconds
        most = seconds if allowed is None else min(seconds, allowed)
        made = self.apart()
        made.limits = replace(self.limits, seconds=most)
        made._nodes, made._spent = self._nodes, self._spent
        made._tried, made._cpu_tried = self.seconds, self.cpu_seconds
        made._prepared = self._prepared + self._clock.preparation
        made._proven, made._parity, made._best = self._proven, self._parity, self._best
        return made

    def apart(self) -> Control:
        """Return a control for work beside the search, which no limit but that on memory ends."""
        limits = Limits(memory=self.limits.memory)
        return Control(limits, progress=self._progress, stop=self._stop, notice=self.notice)

    def take_over(self, result: Result) -> None:
        """Go on where a part has ended: with its best solution, bounds, nodes and seconds."""
        self.prove(result.lower_bound)
        self._spent = result.stats.generated or 0
        self._tried, self._cpu_tried = result.stats.seconds, result.stats.cpu_seconds
        self._prepared, self._clock = result.preparation, Clock()
        self._best = result.moves

    def attempt(
        self, nodes: int, search: Callable[[], Result], *, counts: bool = True
    ) -> Result | None:
        """Return what a search finds within so many nodes; None when it runs out of them.

        Then the next search goes on with the best solution, the bounds, nodes and seconds so far;
        unless it `counts`, without the nodes and seconds.
        """
        before, self._nodes = self._nodes, min(self._nodes, nodes)
        result = search()
        is_out = self._limit is Limit.NODES and before > self._nodes
        self._nodes = before
        if not is_out:
            return result
        if counts:
            self._spent = result.stats.generated or 0
        else:
            self._clock = Clock()
        self._outcome, self._limit, self._reason, self._best = None, None, "", result.moves
        return None

    def result(
        self,
        task: Task,
        method: Method,
        engine: EngineTag,
        counters: Counters,
        *,
        counts: tuple[str, ...] = COUNTERS,
        moves: tuple[Move, ...] | None = None,
        bounds: Bounds = (),
    ) -> Result:
        """Return the result of a search that came to its end, or was brought to it.

        `moves` is its solution, or the best so far; `counts` names the counters it keeps.
        """
        self.concern(task)
        moves = self._best if moves is None else moves
        lower = self.proven if moves is None else min(self.proven, len(moves))
        known = {name: int(getattr(counters, name)) for name in counts}
        if "generated" in known:
            known["generated"] += self._spent
        outcome = self._outcome or Outcome.SOLVED
        assert moves is not None or self._outcome is not None, "a search that ends has a reason"
        stats = Stats(
            **known, seconds=self.seconds, cpu_seconds=self.cpu_seconds, peak_memory=peak_memory()
        )
        return Result(
            outcome=outcome,
            puzzle=task.puzzle,
            start=task.start,
            moves=moves,
            lower_bound=lower,
            algorithm=method,
            engine=engine,
            stats=stats,
            limit=self._limit,
            reason=self._reason,
            bounds=bounds,
            preparation=self._prepared + self._clock.preparation,
        )


def _limit_in_words(limit: Limit, size: float | None, counting: str) -> str:
    """Return the reason why a search was ended, as a person would say it."""
    if size is None:
        return "out of memory"
    whole = int(size)
    return {
        Limit.NODES: f"limit of {counted(whole, 'node')} {counting}",
        Limit.SECONDS: f"limit of {size:g} second{'' if size == 1 else 's'}",
        Limit.DEPTH: f"limit of {counted(whole, 'move')}",
        Limit.MEMORY: f"limit of {size_as_given(whole)} of memory",
        Limit.WIDTH: f"the beam of width {whole:,} ran dry",
        Limit.CAP: f"cap of {counted(whole, 'node')} kept",
    }[limit]

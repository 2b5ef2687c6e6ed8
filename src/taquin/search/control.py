"""What ends a search: limits, the clock, Ctrl-C or the caller. No other module decides this.

    search ── tick(counters) ──►  Control        every few milliseconds, in the caller's thread
           ◄── go on? ──────────                 no: `result` says which limit it was

A search polls its control and builds its result here, so that all searches of all engines end
alike: with the best solution and bound so far, the effort, and the limit in the same words. A
`Clock` measures seconds by phase, `MemoryLimit` the memory; `LowerBound` keeps what is proven, and
`cancelled` asks the caller and the keyboard.

A search may have several parts, each of which continues where the one before ended: a control adds
their time (`EarlierParts`) to its own clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import ceil, inf
from time import perf_counter, process_time
from typing import TypeAlias

from taquin.model.moves import Move
from taquin.reasons import Reason, reason
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
from taquin.system import interrupts
from taquin.system.formatting import size_as_given
from taquin.system.interrupts import interrupted
from taquin.system.machine import peak_memory, process_memory


class Phase(Enum):
    """What a search is doing."""

    LOADING = auto()
    """Other preparation: importing code, reading tables."""
    BUILDING = auto()
    """Building tables that are kept."""
    SEARCHING = auto()
    """The search proper."""

    # `Enum.__hash__` is a Python function, and each of many short searches has a clock.
    __hash__ = object.__hash__


class Clock:
    """Wall-clock seconds by phase, and the processor time of the search.

        LOADING   BUILDING   LOADING   SEARCHING …

    Every moment belongs to one phase, the first of which is LOADING. A limit on seconds counts all
    of them, pauses excepted; the seconds of a result are those of SEARCHING.
    """

    def __init__(self) -> None:
        self.phase = Phase.LOADING
        self._spent: dict[Phase, float] = {}
        """The seconds of the phases that ended; 0 for any other."""
        self._cpu_spent = 0.0
        self._since, self._cpu_since = perf_counter(), process_time()
        self._paused_at: tuple[float, float] | None = None

    def enter(self, phase: Phase) -> None:
        """Begin another phase."""
        if phase is not self.phase:
            self._spent[self.phase] = self.spent(self.phase)
            self._cpu_spent = self.cpu_seconds
            self._since, self._cpu_since = perf_counter(), process_time()
            self.phase = phase

    def spent(self, phase: Phase) -> float:
        """Return the wall-clock seconds spent in a phase so far."""
        present = self._now()[0] - self._since if phase is self.phase else 0.0
        return self._spent.get(phase, 0.0) + present

    @property
    def elapsed(self) -> float:
        """The wall-clock seconds of all phases so far."""
        return sum(self._spent.values()) + self._now()[0] - self._since

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the search so far."""
        is_searching = self.phase is Phase.SEARCHING
        return self._cpu_spent + (self._now()[1] - self._cpu_since if is_searching else 0.0)

    def _now(self) -> tuple[float, float]:
        """Return the wall-clock and the processor time; they stand still in a pause."""
        return self._paused_at or (perf_counter(), process_time())

    @property
    def preparation(self) -> Preparation:
        """The seconds spent before the search and between its parts."""
        return Preparation(building=self.spent(Phase.BUILDING), loading=self.spent(Phase.LOADING))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock during the block."""
        since, cpu_since = self._paused_at = perf_counter(), process_time()
        try:
            yield
        finally:
            self._since += perf_counter() - since
            self._cpu_since += process_time() - cpu_since
            self._paused_at = None


Notice: TypeAlias = Callable[[str], None]
"""Called with one line for the user: a damaged table, a full disk, a wait."""
TABLES_FIRST = (Phase.LOADING, Phase.BUILDING)
"""The phases without limits in a stream of boards, a study and a server: the first board loads and
builds what all of them share."""
_MEMORY_SECONDS = 0.01
"""Seconds between two readings of the process memory, which cost some microseconds each."""
_COST = 20
"""The ratio of the time between two readings of the process memory to the time of one."""


class MemoryLimit:
    """A limit on the memory of the process, which is read at intervals."""

    def __init__(self, size: int, notice: Notice) -> None:
        self._size, self._notice = size, notice
        self._read_at = -inf

    def is_reached(self) -> bool:
        """Read the memory if it is time to, and return whether the limit is reached."""
        began = perf_counter()
        if began - self._read_at < _MEMORY_SECONDS:
            return False
        memory = process_memory()
        if not memory and self._read_at == -inf:
            self._notice(reason("memory-unknown"))
        # Slow readings, as in a browser, are made less often.
        ended = perf_counter()
        self._read_at = ended + _COST * (ended - began)
        return memory >= self._size


@dataclass(slots=True)
class EarlierParts:
    """The time and nodes of the earlier parts of a search."""

    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    elapsed: float = 0.0
    """The seconds that count towards the limit."""
    preparation: Preparation = field(default_factory=Preparation)


Progress: TypeAlias = Callable[[Counters, float], None]
"""Called at intervals with the counters and the seconds elapsed."""
INTERRUPTED = reason("interrupted")
"""The reason of a search that Ctrl-C ended."""


class Ended(BaseException):
    """Raised to end a search, which it never leaves. User code cannot catch it as an Exception."""


def cancelled(stop: Callable[[], bool] | None) -> str:
    """Return why the user (by Ctrl-C) or the caller (by `stop`) ends a search; empty if not."""
    if interrupted():
        return INTERRUPTED
    return reason("stopped") if stop is not None and stop() else ""


@dataclass(slots=True)
class LowerBound:
    """The proven lower bound on every solution, and claims of user code beyond it."""

    proven: float = 0
    parity: int | None = None
    """Whether all solutions have an even (0) or an odd number of moves; None if not known."""
    assumes: str = ""
    """The claim on which the bounds of the counters rest; empty if they are proven."""
    estimate: int | None = None
    """The estimate of the start by a heuristic in user code."""

    def raised(self, bound: float) -> float:
        """Return the least length of the right parity that is not below a bound."""
        if self.parity is None or bound == inf:
            return bound
        least = ceil(bound)
        return least + (least + self.parity) % 2

    @property
    def moves(self) -> int:
        """The highest bound proven so far, raised to the parity that every solution has."""
        return int(self.raised(max(0, ceil(self.proven))))

    def shown(self, counters: Counters) -> Counters:
        """Return the counters with the bound that is proven, instead of one that is assumed."""
        bound = self.proven if self.assumes else counters.bound
        return replace(counters, bound=self.raised(bound))

    def claim_on(self, length: int, counted: float) -> str:
        """Return the claim that makes a solution of some length shortest; empty for none."""
        return self.assumes if self.moves < length < self.raised(counted) + 1 else ""


class Control:
    """The limits of one search, their use so far, and its ending."""

    created = 0
    """The number of controls of this process: each search has one, or one per part."""

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        *,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
        notice: Notice | None = None,
        uncounted: tuple[Phase, ...] = (),
    ) -> None:
        """Start the clock; the limit on seconds does not count the `uncounted` phases."""
        Control.created += 1
        self.limits, self.uncounted = limits, uncounted
        self.nodes = inf if limits.nodes is None else limits.nodes
        """The most nodes, those of earlier parts included; an attempt may have fewer."""
        self.clock = Clock()
        self.earlier = EarlierParts()
        self.notice: Notice = notice or (lambda line: None)
        """Passes a line about the machine on to the user."""
        self._progress, self._stop = progress, stop
        self._memory = None if limits.memory is None else MemoryLimit(limits.memory, self.notice)
        self._peak: int | None = None
        self._bound = LowerBound()
        self.outcome: Outcome | None = None
        """How the search ended; None while it goes on."""
        self.limit: Limit | None = None
        """The limit that ended it; None while none has."""
        self.reason = ""
        """The reason for the end, in words; empty while the search runs."""
        self._best: tuple[Move, ...] | None = None
        """The best solution of the parts before this one."""
        self._is_deaf = False
        """Whether it ignores the reason that ended the search before it."""

    @property
    def seconds(self) -> float:
        """The seconds of the search proper, without pauses."""
        return self.earlier.seconds + self.clock.spent(Phase.SEARCHING)

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the search proper, without pauses."""
        return self.earlier.cpu_seconds + self.clock.cpu_seconds

    @property
    def elapsed(self) -> float:
        """The seconds that count towards the limit: all since the task was given, but pauses."""
        clock = self.clock
        return self.earlier.elapsed + clock.elapsed - sum(map(clock.spent, self.uncounted))

    @property
    def preparation(self) -> Preparation:
        """The seconds spent before the search proper and between its parts."""
        return self.earlier.preparation + self.clock.preparation

    def nodes_left(self, counters: Counters) -> float:
        """Return the nodes that may still be counted; infinity without a limit on them."""
        return self.nodes - self.earlier.nodes - int(getattr(counters, self.limits.counting.value))

    def seconds_left(self) -> float:
        """Return the remaining seconds; infinity without a limit."""
        allowed = inf if self.limits.seconds is None else self.limits.seconds
        return min(allowed - self.elapsed, self._cpu_left())

    def _cpu_left(self) -> float:
        """Return the remaining processor time; infinity before the search proper."""
        if self.limits.cpu_seconds is None or self.clock.phase is not Phase.SEARCHING:
            return inf
        return self.limits.cpu_seconds - self.cpu_seconds

    def exceeded(self, counters: Counters) -> Limit | None:
        """Return the first limit that was reached; None if there is none."""
        limits, left = self.limits, self.nodes_left(counters)
        # At its limit, a search may still finish unless it counts the nodes that it generates.
        if left < 0 or (left == 0 and limits.counting is Count.GENERATED):
            return Limit.NODES
        if limits.seconds is not None and self.elapsed >= limits.seconds:
            return Limit.SECONDS
        if self._cpu_left() <= 0:
            return Limit.CPU_SECONDS
        if self._memory is not None and self._memory.is_reached():
            return Limit.MEMORY
        return None

    def credit(self, seconds: float, cpu_seconds: float, peak: int) -> None:
        """Add this search's share of the time of a batch, and record the peak memory."""
        self.earlier.seconds += seconds
        self.earlier.cpu_seconds += cpu_seconds
        self._peak = peak

    def stats(self, counters: Counters, counts: tuple[str, ...]) -> Stats:
        """Return the effort of all parts, with the counters that `counts` names."""
        known = {name: int(getattr(counters, name)) for name in counts}
        if "generated" in known:
            known["generated"] += self.earlier.nodes
        return Stats(
            **known,
            seconds=self.seconds,
            cpu_seconds=self.cpu_seconds,
            peak_memory=peak_memory() if self._peak is None else self._peak,
        )

    @property
    def is_over(self) -> bool:
        """Whether the search has been ended."""
        return self.outcome is not None

    @property
    def proven(self) -> int:
        """The highest bound proven so far, raised to the parity that every solution has."""
        return self._bound.moves

    def concern(self, task: Task) -> None:
        """Record the parity of the solutions of the task."""
        self._bound.parity = task.parity

    def begin(self) -> None:
        """Start the clock of the search proper; the time before was preparation."""
        self.clock.enter(Phase.SEARCHING)

    def tick(self, counters: Counters) -> bool:
        """Check the limits, report progress, and return whether the search goes on."""
        if not counters.stage:
            self.begin()
        return self._check(counters)

    def _check(self, counters: Counters) -> bool:
        if self.outcome is not None:
            return False
        if (limit := self.exceeded(counters)) is not None:
            self.end(limit)
        if not self._is_deaf and (why := cancelled(self._stop)):
            self.stop(why)
        if self._progress is not None:
            phase = self.clock.phase
            now = self.seconds if phase is Phase.SEARCHING else self.clock.spent(phase)
            self._progress(self._bound.shown(counters), now)
        return self.outcome is None

    def report(self, stage: str) -> None:
        """Report a stage of the search proper; raise Ended when the search has to end."""
        self.prepare(stage, Phase.SEARCHING)

    def prepare(self, stage: str, phase: Phase = Phase.LOADING) -> None:
        """Report a stage before the search proper; raise Ended when the search has to end."""
        self.clock.enter(phase)
        if not self._check(Counters(stage=stage)):
            raise Ended

    def building(self, name: str, done: int, total: int) -> None:
        """Report how much of a table is built; raise Ended when the search has to end."""
        percent = 100 * done // max(1, total)
        self.prepare(reason("stage-table", name=name, percent=percent), Phase.BUILDING)

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Let Ctrl-C, a lack of memory and a limit on preparation end the search."""
        try:
            yield
        except KeyboardInterrupt:
            if interrupts.are_for_parent:
                # User code raised it.
                raise
            self.stop(INTERRUPTED)
        except MemoryError:
            self.end(Limit.MEMORY, None)
        except Ended:
            # A part of the search with a control of its own may have received Ctrl-C first.
            if interrupted():
                self.stop(INTERRUPTED)

    def end(self, limit: Limit, size: float | None = inf) -> None:
        """End the search by a limit: the task's, or its own of this `size`; None: out of memory."""
        if not self.is_over:
            size = getattr(self.limits, limit.value, None) if size == inf else size
            self.limit = limit
            self._conclude(Outcome.LIMIT_REACHED, limit_in_words(limit, size, self.limits.counting))

    def stop(self, why: str) -> None:
        """End the search because the caller or the user asked for it."""
        self._conclude(Outcome.STOPPED, why)

    def refute(self, why: str = "") -> None:
        """End the search with the proof that there is no solution."""
        self._conclude(Outcome.UNSOLVABLE, why or reason("exhausted"))

    def _conclude(self, outcome: Outcome, why: str) -> None:
        """Record the ending of the search; the first one counts."""
        if self.outcome is None:
            self.outcome, self.reason = outcome, why

    def prove(self, bound: float) -> None:
        """Record that every solution has at least `bound` moves; end beyond the limit on depth."""
        self._bound.proven = max(self._bound.proven, bound)
        if self.limits.depth is not None and self._bound.raised(bound) > self.limits.depth:
            self.end(Limit.DEPTH)

    def assume(self, claim: str, estimate: int | None) -> None:
        """Record that the counters' bounds hold only if `claim` does; empty if they are proven.

        `estimate` is the estimate of the start by a heuristic in user code; None without one.
        """
        self._bound.assumes, self._bound.estimate = claim, estimate

    def prove_counted(self, counters: Counters) -> None:
        """Record the counters' bound, unless it rests on an assumption."""
        if not self._bound.assumes:
            self.prove(counters.bound)

    def part(self, seconds: float) -> Control:
        """Return a control that continues from here and ends at `seconds` in all."""
        is_timed = self.limits.seconds is not None
        allowed = inf if self.limits.seconds is None else self.limits.seconds
        # The time for a search is no limit on its preparation.
        uncounted = self.uncounted if is_timed else TABLES_FIRST
        part = Control(
            replace(self.limits, seconds=min(seconds, allowed)),
            progress=self._progress,
            stop=self._stop,
            notice=self.notice,
            uncounted=uncounted,
        )
        part.nodes = self.nodes
        part.earlier = EarlierParts(
            self.earlier.nodes,
            self.seconds,
            self.cpu_seconds,
            self.elapsed if is_timed else self.seconds,
            self.preparation,
        )
        part._best = self._best
        part._bound = LowerBound(self._bound.proven, self._bound.parity)
        return part

    def apart(self) -> Control:
        """Return a control for work after the search: only a second Ctrl-C ends it, by raising."""
        apart = Control(progress=self._progress, notice=self.notice)
        apart._is_deaf = True
        return apart

    def take_over(self, result: Result) -> None:
        """Continue where a part ended: with its best solution, bounds, nodes and seconds."""
        self.prove(result.lower_bound)
        stats, preparation = result.stats, result.preparation
        # The part used the clock of this control or its own.
        elapsed = max(self.elapsed, stats.seconds + (0 if self.uncounted else preparation.total))
        self.earlier = EarlierParts(
            stats.generated or 0, stats.seconds, stats.cpu_seconds, elapsed, preparation
        )
        self.clock = Clock()
        self._best = result.moves

    def attempt(
        self, nodes: int, search: Callable[[], Result], *, counts: bool = True
    ) -> Result | None:
        """Return the result of `search` within `nodes` nodes; None when it runs out of them.

        The next search then continues with the best solution, the bounds and, where this one
        `counts`, the nodes and seconds so far.
        """
        allowed, self.nodes = self.nodes, min(self.nodes, nodes)
        result = search()
        is_out = self.limit is Limit.NODES and allowed > self.nodes
        self.nodes = allowed
        if not is_out:
            return result
        if counts:
            self.earlier.nodes = result.stats.generated or 0
        else:
            # It was preparation: only its seconds count, towards the limit.
            self.earlier.elapsed, self.clock = self.elapsed, Clock()
        self.outcome, self.limit, self.reason = None, None, ""
        self._best = result.moves
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
        """Return the result of a search that has ended.

        `moves` is its solution or the best so far; `counts` names the counters that it keeps.
        """
        self.concern(task)
        moves = self._best if moves is None else moves
        bound = self._bound
        assert moves is not None or self.outcome is not None, "a search ends for a reason"
        return Result(
            outcome=self.outcome or Outcome.SOLVED,
            puzzle=task.puzzle,
            start=task.start,
            moves=moves,
            lower_bound=bound.moves if moves is None else min(bound.moves, len(moves)),
            algorithm=method,
            engine=engine,
            stats=self.stats(counters, counts),
            limit=self.limit,
            reason=self.reason,
            assumes="" if moves is None else bound.claim_on(len(moves), counters.bound),
            estimate=bound.estimate,
            bounds=bounds,
            preparation=self.preparation,
        )


def limit_in_words(limit: Limit, size: float | None, counting: Count) -> Reason:
    """Return which limit ended a search; None is the memory of the machine."""
    if size is None:
        return reason("memory")
    if limit is Limit.MEMORY:
        return reason("limit-memory", size=size_as_given(int(size)))
    return reason(
        {
            Limit.NODES: {
                Count.EXPANDED: "limit-expanded",
                Count.GENERATED: "limit-generated",
                Count.ENQUEUED: "limit-enqueued",
                Count.DEQUEUED: "limit-dequeued",
            }[counting],
            Limit.SECONDS: "limit-seconds",
            Limit.CPU_SECONDS: "limit-cpu",
            Limit.DEPTH: "limit-moves",
            Limit.WIDTH: "limit-width",
            Limit.CAP: "limit-cap",
            Limit.TRIES: "limit-tries",
        }[limit],
        count=size if limit in (Limit.SECONDS, Limit.CPU_SECONDS) else int(size),
    )

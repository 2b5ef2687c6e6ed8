"""What ends a search: limits, the clock, Ctrl-C or the caller. No other module decides this.

    search ── tick(counters) ──►  Control        every few milliseconds, in the caller's thread
           ◄── go on? ──────────                 no: `result` says which limit it was

A search polls its control and builds its result here, so that all searches of all engines end
alike: with the best solution and bound so far, the effort, and the limit in the same words. Each
part of a control can be used alone: `Budget` (budget.py) measures and compares with the limits,
`LowerBound` keeps what is proven, `Conclusion` how the search ended, and `cancelled` asks the
caller and the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TypeAlias

from taquin.model.moves import Move
from taquin.search.budget import Budget, Notice, Phase
from taquin.search.result import (
    COUNTERS,
    NO_LIMITS,
    Bounds,
    Counters,
    EngineTag,
    Limit,
    Limits,
    Method,
    Outcome,
    Result,
    Task,
)
from taquin.system import interrupts
from taquin.system.formatting import counted, size_as_given
from taquin.system.interrupts import interrupted

Progress: TypeAlias = Callable[[Counters, float], None]
"""Called now and then with the counters so far and the seconds elapsed."""
INTERRUPTED = "interrupted"
"""The reason of a search that Ctrl-C ended."""


class Ended(BaseException):
    """Raised where a search has to end, and never leaves it; no error that user code may catch."""


def cancelled(stop: Callable[[], bool] | None) -> str:
    """Return why the user (by Ctrl-C) or the caller (by `stop`) ends a search; empty if not."""
    if interrupted():
        return INTERRUPTED
    return "stopped on request" if stop is not None and stop() else ""


@dataclass(slots=True)
class LowerBound:
    """What is proven about the length of every solution, and what only rests on user code."""

    proven: float = 0
    parity: int | None = None
    """Whether all solutions have an even (0) or an odd number of moves; None if not known."""
    assumes: str = ""
    """The claim on which the bounds of the counters rest; empty if they are proven."""
    estimate: int | None = None
    """What a heuristic of the user's says of the start."""

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


@dataclass(slots=True)
class Conclusion:
    """How a search ended; the first to say so counts."""

    outcome: Outcome | None = None
    """None while it goes on."""
    limit: Limit | None = None
    """The limit that ended it."""
    reason: str = ""
    """What ended it, in words."""

    def come_to(self, outcome: Outcome, reason: str, limit: Limit | None = None) -> None:
        """Note how the search ended, unless it has ended before."""
        if self.outcome is None:
            self.outcome, self.reason, self.limit = outcome, reason, limit


class Control:
    """The limits of one search, its clock, and how it ended."""

    created = 0
    """How many controls this process has made: each search has one, or several for its parts."""

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
        self.notice: Notice = notice or (lambda line: None)
        """Passes a line about the machine on to the user."""
        self._progress, self._stop = progress, stop
        self._budget = Budget(limits, self.notice, uncounted)
        self._bound = LowerBound()
        self._conclusion = Conclusion()
        self._best: tuple[Move, ...] | None = None
        """The best solution of the parts before this one."""

    @property
    def limits(self) -> Limits:
        """The limits of the search."""
        return self._budget.limits

    @property
    def uncounted(self) -> tuple[Phase, ...]:
        """The phases that the limit on seconds does not count."""
        return self._budget.uncounted

    @property
    def seconds(self) -> float:
        """The seconds of the search proper, without pauses."""
        return self._budget.seconds

    @property
    def elapsed(self) -> float:
        """The seconds that count towards the limit: all since the task was given, but pauses."""
        return self._budget.elapsed

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the search proper, without pauses."""
        return self._budget.cpu_seconds

    def seconds_left(self) -> float:
        """Return the seconds left; infinity without a limit on them."""
        return self._budget.seconds_left()

    def nodes_left(self, counters: Counters) -> float:
        """Return the nodes that may still be counted; infinity without a limit on them."""
        return self._budget.nodes_left(counters)

    @property
    def is_over(self) -> bool:
        """Whether the search has been ended."""
        return self._conclusion.outcome is not None

    @property
    def limit(self) -> Limit | None:
        """The limit that ended the search; None while none has."""
        return self._conclusion.limit

    @property
    def reason(self) -> str:
        """What ended the search, in words; empty while nothing has."""
        return self._conclusion.reason

    @property
    def proven(self) -> int:
        """The highest bound proven so far, raised to the parity that every solution has."""
        return self._bound.moves

    def concern(self, task: Task) -> None:
        """Note whether every solution of the task has an even or an odd number of moves."""
        self._bound.parity = task.parity

    def paused(self) -> AbstractContextManager[None]:
        """Stop the clock during the block, in which a watcher looks at an event."""
        return self._budget.clock.paused()

    def begin(self) -> None:
        """Start the clock of the search proper; the time before was preparation."""
        self._budget.clock.enter(Phase.SEARCHING)

    def tick(self, counters: Counters) -> bool:
        """Check the limits, report progress, and return whether the search goes on."""
        if not counters.stage:
            self.begin()
        return self._check(counters)

    def _check(self, counters: Counters) -> bool:
        if self._conclusion.outcome is not None:
            return False
        budget = self._budget
        if (limit := budget.exceeded(counters)) is not None:
            self.end(limit)
        if reason := cancelled(self._stop):
            self.stop(reason)
        if self._progress is not None:
            phase = budget.clock.phase
            now = budget.seconds if phase is Phase.SEARCHING else budget.clock.spent(phase)
            self._progress(self._bound.shown(counters), now)
        return self._conclusion.outcome is None

    def report(self, stage: str) -> None:
        """Report a stage of the search proper; raise Ended when the search has to end."""
        self.prepare(stage, Phase.SEARCHING)

    def prepare(self, stage: str, phase: Phase = Phase.LOADING) -> None:
        """Report a stage before the search proper; raise Ended when the search has to end."""
        self._budget.clock.enter(phase)
        if not self._check(Counters(stage=stage)):
            raise Ended

    def building(self, name: str, done: int, total: int) -> None:
        """Report how much of a table is built; raise Ended when the search has to end."""
        self.prepare(f"building table {name} {100 * done // max(1, total)} %", Phase.BUILDING)

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
            reason = _limit_in_words(limit, size, self.limits.counting.value)
            self._conclusion.come_to(Outcome.LIMIT_REACHED, reason, limit)

    def stop(self, reason: str) -> None:
        """End the search because the caller or the user asked for it."""
        self._conclusion.come_to(Outcome.STOPPED, reason)

    def refute(self, reason: str = "every reachable board was searched in vain") -> None:
        """End the search with the proof that there is no solution."""
        self._conclusion.come_to(Outcome.UNSOLVABLE, reason)

    def prove(self, bound: float) -> None:
        """Note that every solution has at least `bound` moves; beyond the limit on depth, end."""
        self._bound.proven = max(self._bound.proven, bound)
        if self.limits.depth is not None and self._bound.raised(bound) > self.limits.depth:
            self.end(Limit.DEPTH)

    def assume(self, claim: str, estimate: int | None) -> None:
        """Note that the bounds of the counters hold only if `claim` does; empty if they are proven.

        `estimate` is what a heuristic of the user's says of the start; None without one.
        """
        self._bound.assumes, self._bound.estimate = claim, estimate

    def prove_counted(self, counters: Counters) -> None:
        """Note the bound that a search has counted, unless it rests on an assumption."""
        if not self._bound.assumes:
            self.prove(counters.bound)

    def part(self, seconds: float) -> Control:
        """Return a control that continues from here and ends at `seconds` in all."""
        part = self.apart()
        part._budget, part._best = self._budget.part(seconds), self._best
        part._bound = LowerBound(self._bound.proven, self._bound.parity)
        return part

    def apart(self) -> Control:
        """Return a control for work beside the search, which only the limit on memory ends."""
        limits = Limits(memory=self.limits.memory)
        return Control(limits, progress=self._progress, stop=self._stop, notice=self.notice)

    def credit(self, seconds: float, cpu_seconds: float, peak: int) -> None:
        """Add the time that this search took among others, and note the peak of the memory."""
        self._budget.credit(seconds, cpu_seconds, peak)

    def take_over(self, result: Result) -> None:
        """Continue where a part ended: with its best solution, bounds, nodes and seconds."""
        self.prove(result.lower_bound)
        self._budget.take_over(result.stats, result.preparation)
        self._best = result.moves

    def attempt(
        self, nodes: int, search: Callable[[], Result], *, counts: bool = True
    ) -> Result | None:
        """Return the result of `search` within `nodes` nodes; None when it runs out of them.

        The next search then continues with the best solution, the bounds and, where this one
        `counts`, the nodes and seconds so far.
        """
        budget = self._budget
        allowed, budget.nodes = budget.nodes, min(budget.nodes, nodes)
        result = search()
        is_out = self.limit is Limit.NODES and allowed > budget.nodes
        budget.nodes = allowed
        if not is_out:
            return result
        if counts:
            budget.earlier.nodes = result.stats.generated or 0
        else:
            budget.discard()
        self._conclusion, self._best = Conclusion(), result.moves
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
        conclusion, bound = self._conclusion, self._bound
        assert moves is not None or conclusion.outcome is not None, "a search ends for a reason"
        return Result(
            outcome=conclusion.outcome or Outcome.SOLVED,
            puzzle=task.puzzle,
            start=task.start,
            moves=moves,
            lower_bound=bound.moves if moves is None else min(bound.moves, len(moves)),
            algorithm=method,
            engine=engine,
            stats=self._budget.stats(counters, counts),
            limit=conclusion.limit,
            reason=conclusion.reason,
            assumes="" if moves is None else bound.claim_on(len(moves), counters.bound),
            estimate=bound.estimate,
            bounds=bounds,
            preparation=self._budget.preparation,
        )


def _limit_in_words(limit: Limit, size: float | None, counting: str) -> str:
    if size is None:
        return "out of memory"
    whole = int(size)
    seconds = f"limit of {size:g} second{'' if size == 1 else 's'}"
    return {
        Limit.NODES: f"limit of {counted(whole, 'node')} {counting}",
        Limit.SECONDS: seconds,
        Limit.CPU_SECONDS: f"{seconds} of processor time",
        Limit.DEPTH: f"limit of {counted(whole, 'move')}",
        Limit.MEMORY: f"limit of {size_as_given(whole)} of memory",
        Limit.WIDTH: f"the beam of width {whole:,} ran dry",
        Limit.CAP: f"cap of {counted(whole, 'node')} kept",
        Limit.TRIES: f"gave up after {counted(whole, 'try', 'tries')}",
    }[limit]

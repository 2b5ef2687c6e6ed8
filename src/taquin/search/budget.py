"""What a search may use and what it has used: seconds by phase, nodes, memory.

    control.tick ──►  Budget.exceeded(counters)  ──►  the limit that was reached, or None
                      Clock: LOADING   BUILDING   LOADING   SEARCHING …

A search may have several parts, of which each goes on where the one before ended: a budget adds
what they took (`EarlierParts`) to what its own clock says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import inf
from time import perf_counter, process_time
from typing import TypeAlias

from taquin.search.result import NO_LIMITS, Count, Counters, Limit, Limits, Preparation, Stats
from taquin.system.machine import peak_memory, process_memory


class Phase(Enum):
    """What a search is doing."""

    LOADING = auto()
    """Anything before the search that is not named below: importing code, reading tables."""
    BUILDING = auto()
    """Building tables that are kept."""
    SEARCHING = auto()
    """The search proper."""

    # That of `Enum` is a function in Python, and each of many short searches has a clock.
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
        """Count the block to no phase."""
        since, cpu_since = self._paused_at = perf_counter(), process_time()
        try:
            yield
        finally:
            self._since += perf_counter() - since
            self._cpu_since += process_time() - cpu_since
            self._paused_at = None


Notice: TypeAlias = Callable[[str], None]
"""Called with one line that the user should know: a damaged table, a full disk, a wait."""
TABLES_FIRST = (Phase.LOADING, Phase.BUILDING)
"""The phases that no limit counts where the first of many boards loads and builds what all of them
share: in a stream of boards, a study and a server."""
_MEMORY_SECONDS = 0.01
"""Seconds between two readings of the process memory, which cost some microseconds each."""
_COST = 20
"""How much longer than a reading of the process memory the time until the next one is."""
_UNKNOWN_MEMORY = "The limit on memory has no effect: this system does not say what is in use."


class MemoryLimit:
    """A limit on the memory of the process, which is read now and then."""

    def __init__(self, size: int, notice: Notice) -> None:
        self._size, self._notice = size, notice
        self._read_at = -inf

    def is_reached(self) -> bool:
        """Return whether a reading that is due finds the limit reached."""
        began = perf_counter()
        if began - self._read_at < _MEMORY_SECONDS:
            return False
        memory = process_memory()
        if not memory and self._read_at == -inf:
            self._notice(_UNKNOWN_MEMORY)
        # A reading that takes long, as in a browser, is made more rarely.
        ended = perf_counter()
        self._read_at = ended + _COST * (ended - began)
        return memory >= self._size


@dataclass(slots=True)
class EarlierParts:
    """What the parts of a search before this one took."""

    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    elapsed: float = 0.0
    """The seconds that count towards the limit."""
    preparation: Preparation = field(default_factory=Preparation)


class Budget:
    """The limits of a search, and what its parts so far have used of them."""

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        notice: Notice = lambda line: None,
        uncounted: tuple[Phase, ...] = (),
    ) -> None:
        """Start the clock; the limit on seconds does not count the `uncounted` phases."""
        self.limits, self.uncounted = limits, uncounted
        self.nodes = inf if limits.nodes is None else limits.nodes
        """The most nodes, those of earlier parts included; an attempt may have fewer."""
        self.clock = Clock()
        self.earlier = EarlierParts()
        self._peak: int | None = None
        self._notice = notice
        self._memory = None if limits.memory is None else MemoryLimit(limits.memory, notice)

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
        """Return the seconds left; infinity without a limit on them."""
        allowed = inf if self.limits.seconds is None else self.limits.seconds
        return min(allowed - self.elapsed, self._cpu_left())

    def _cpu_left(self) -> float:
        """Return the seconds of processor time left; infinity before the search proper."""
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

    def part(self, seconds: float) -> Budget:
        """Return a budget that continues from here and ends at `seconds` in all."""
        is_timed = self.limits.seconds is not None
        allowed = inf if self.limits.seconds is None else self.limits.seconds
        part = Budget(
            replace(self.limits, seconds=min(seconds, allowed)),
            self._notice,
            # How long to look for something is no limit on the time until the search begins.
            self.uncounted if is_timed else TABLES_FIRST,
        )
        part.nodes = self.nodes
        part.earlier = EarlierParts(
            self.earlier.nodes,
            self.seconds,
            self.cpu_seconds,
            self.elapsed if is_timed else self.seconds,
            self.preparation,
        )
        return part

    def credit(self, seconds: float, cpu_seconds: float, peak: int) -> None:
        """Add the time that this search took among others, and note the peak of the memory."""
        self.earlier.seconds += seconds
        self.earlier.cpu_seconds += cpu_seconds
        self._peak = peak

    def take_over(self, stats: Stats, preparation: Preparation) -> None:
        """Continue where a part ended, which ran by the clock of this budget or by another's."""
        elapsed = max(self.elapsed, stats.seconds + (0 if self.uncounted else preparation.total))
        self.earlier = EarlierParts(
            stats.generated or 0, stats.seconds, stats.cpu_seconds, elapsed, preparation
        )
        self.clock = Clock()

    def discard(self) -> None:
        """Take what was done for preparation: only its seconds count, towards the limit."""
        self.earlier.elapsed, self.clock = self.elapsed, Clock()

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

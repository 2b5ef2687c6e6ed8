"""The clock of a search: seconds by phase.

    LOADING   BUILDING   LOADING   SEARCHING …

Every moment belongs to one phase. A limit on seconds counts all of them, pauses excepted; the
seconds of a result are those of SEARCHING.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from time import perf_counter, process_time

from taquin.search.result import Preparation


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
    """Wall-clock seconds by phase, and the processor time of the search; begins with LOADING."""

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

"""How wide a beam may be, level by level, to end in time.

A wide beam judges fewer boards a second than a narrow one did before it, and a machine may get
busy. A beam that runs out of time finds nothing, so one that is late gets narrower.
"""

from __future__ import annotations

from collections.abc import Callable

_FIRST_LEVELS = 32
"""Levels that say little: there are few boards yet."""
_FEW, _LEAST_TO_GO = 0.05, 0.01
"""The share of a beam's levels from which on their time says something about the others; and the
share that it has to go at least, for all that is known."""


class Pace:
    """The widths of one beam, given when it should end and how many levels it may take."""

    def __init__(
        self, now: Callable[[], float], end: float, length: int, least: int, most: int
    ) -> None:
        self._now, self._end, self._length = now, end, length
        self._least, self._most = least, most
        self._width = most
        self._began: float | None = None
        self._levels = 0
        self._boards = 0
        """Boards of all levels since it began."""

    def width_after(self, levels: int) -> int:
        """Return how many boards to keep after so many levels."""
        now = self._now()
        if self._began is None:
            if levels >= _FIRST_LEVELS:
                self._began, self._levels = now, levels
            return self._width
        self._boards += self._width * (levels - self._levels)
        self._levels = levels
        if levels > _FIRST_LEVELS + _FEW * self._length and now > self._began:
            affordable = self._boards * max(0.0, self._end - now) / (now - self._began)
            to_go = max(self._length - levels, _LEAST_TO_GO * self._length)
            self._width = max(self._least, min(int(affordable / to_go), self._most))
        return self._width

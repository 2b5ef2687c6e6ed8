"""How the numbers of several runs spread: median, quartiles, extremes, mean.

A run that a limit cut short counts with what it had reached, and that is only a lower bound of
what it would have taken. A statistic that depends on such a number is *open*: it is at least what
is printed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, fsum


@dataclass(frozen=True, slots=True)
class Spread:
    """The numbers of several runs, summed up."""

    count: int
    """How many runs had a number."""
    mean: float
    low: float
    """The lowest."""
    lower_quartile: float
    median: float
    upper_quartile: float
    high: float
    """The highest."""
    open_runs: int = 0
    """Runs whose number is only a lower bound."""
    open_from: float = float("inf")
    """The lowest of the numbers that are only lower bounds."""

    def is_open(self, value: float) -> bool:
        """Tell whether `value`, one of its statistics, is only a lower bound."""
        return self.open_from <= value

    @property
    def mean_is_open(self) -> bool:
        """Tell whether the mean is only a lower bound."""
        return self.open_runs > 0

    @property
    def single(self) -> bool:
        """Tell whether every run gave the same number."""
        return self.low == self.high

    @classmethod
    def of(cls, numbers: Iterable[tuple[float, bool]]) -> Spread | None:
        """Return the spread of numbers, each with whether it is open; None for no numbers.

        Quartiles lie between the two nearest numbers, in proportion.

        >>> spread = Spread.of([(1, False), (2, False), (3, False), (10, True)])
        >>> spread.median, spread.is_open(spread.median), spread.is_open(spread.high)
        (2.5, False, True)
        """
        pairs = sorted(numbers)
        if not pairs:
            return None
        values = [value for value, _ in pairs]
        opened = [value for value, is_open in pairs if is_open]
        return cls(
            count=len(values),
            mean=fsum(values) / len(values),
            low=values[0],
            lower_quartile=_quantile(values, 0.25),
            median=_quantile(values, 0.5),
            upper_quartile=_quantile(values, 0.75),
            high=values[-1],
            open_runs=len(opened),
            open_from=opened[0] if opened else float("inf"),
        )


def _quantile(values: list[float], part: float) -> float:
    place = part * (len(values) - 1)
    below, above = floor(place), ceil(place)
    return values[below] + (values[above] - values[below]) * (place - below)

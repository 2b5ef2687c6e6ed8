"""Confidence intervals and paired tests, computed by SciPy: the extra `stats`.

A paired test compares two searches case by case; a case is a board under its limits. Runs of one
search on one case (seeds, repetitions) are not independent, so the test uses the mean of their
numbers, and counts a case as solved if all of them solved it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import fmean

from taquin.lab.report.measures import Measure
from taquin.lab.run.database import Record
from taquin.system.lazy import install_command

_RESAMPLES = ((10_000, 9_999), (float("inf"), 999))
"""Sample sizes up to which so many resamples are drawn."""
_BATCH_NUMBERS = 1 << 22
"""The most numbers in a batch of resamples, of 8 bytes each."""
_SEED = 1
_MOST_EXACT = 50
"""The most differences for which the exact distribution of Wilcoxon's statistic is used."""

INTERVAL = (
    "Lower and upper are the ends of the 95 % confidence interval, by bootstrap: the percentiles "
    "of 9,999 resamples (999 of more than 10,000 runs)."
)
"""The definition of `interval`, for captions."""


def available() -> bool:
    """Return whether SciPy is installed, without loading it."""
    return find_spec("scipy") is not None


def missing() -> str:
    """Return a sentence for captions if SciPy is not installed, else an empty text."""
    if available():
        return ""
    how = install_command("stats")
    return f"Intervals and p-values are omitted, as SciPy is not installed: {how}."


def interval(values: Sequence[float], statistic: str) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the `mean` or the `median` of a sample.

    None for fewer than two numbers, or without SciPy. The result is reproducible.
    """
    if len(values) < 2 or not available():
        return None
    import numpy
    from scipy import stats

    ends = stats.bootstrap(
        (values,),
        {"mean": numpy.mean, "median": numpy.median}[statistic],
        n_resamples=next(number for most, number in _RESAMPLES if len(values) <= most),
        batch=max(1, _BATCH_NUMBERS // len(values)),
        confidence_level=0.95,
        method="percentile",
        rng=_SEED,
    ).confidence_interval
    return float(ends.low), float(ends.high)


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two searches on the same cases."""

    cases: int
    """The cases that both ran on."""
    pairs: tuple[tuple[float, float], ...]
    """The numbers of both on each case that both solved."""
    only_first: int
    """The cases that the first search alone solved."""
    only_second: int
    """The cases that the second search alone solved."""

    @property
    def differences(self) -> tuple[float, ...]:
        """First minus second for each pair that differs."""
        return tuple(first - second for first, second in self.pairs if first != second)

    @property
    def mcnemar(self) -> float | None:
        """The p-value of McNemar's exact test; None if no case is solved by one search alone."""
        discordant = self.only_first + self.only_second
        if not available() or not discordant:
            return None
        from scipy import stats

        return float(stats.binomtest(self.only_first, discordant).pvalue)


def wilcoxon(comparisons: Sequence[PairedComparison]) -> tuple[list[float | None], str]:
    """Return the p-value of Wilcoxon's signed-rank test for each comparison, and the method.

    All use one method, so that they can be compared. The `exact` distribution is known for up to 50
    differences without ties; if any comparison has more or ties, all use the normal approximation,
    `asymptotic`. The p-value is None without SciPy, or if no pair differs.
    """
    samples = [comparison.differences for comparison in comparisons]
    is_exact = all(
        len(sample) <= _MOST_EXACT and len({*map(abs, sample)}) == len(sample) for sample in samples
    )
    method = "exact" if is_exact else "asymptotic"
    if not available():
        return [None] * len(samples), method
    from scipy import stats

    return [
        float(stats.wilcoxon(sample, method=method).pvalue) if sample else None
        for sample in samples
    ], method


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return p-values of several tests, adjusted by Holm's method (1979); None stays None.

    If all values below a level count as significant, the probability of any false positive is below
    that level.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    adjusted: list[float | None] = [None] * len(values)
    ranked = sorted((value, place) for place, value in enumerate(values) if value is not None)
    least = 0.0
    for rank, (value, place) in enumerate(ranked):
        adjusted[place] = least = max(least, min(1.0, (len(ranked) - rank) * value))
    return adjusted


def comparison_of(
    first: Iterable[Record], second: Iterable[Record], measure: Measure
) -> PairedComparison:
    """Return how the runs of two searches compare on the cases that both ran on.

    If the searches share any limits, only runs with equal limits are compared.
    """
    sides = [list(first), list(second)]
    limits = [{record.run.limits for record in side} for side in sides]
    is_shared = bool(limits[0] & limits[1])
    cases: list[dict[object, list[Record]]] = [{}, {}]
    for side, by_case in zip(sides, cases, strict=True):
        for record in side:
            place = record.board, record.run.limits if is_shared else None
            by_case.setdefault(place, []).append(record)
    common = [(runs, cases[1][place]) for place, runs in cases[0].items() if place in cases[1]]
    solved = [tuple(all(run.solved for run in runs) for runs in case) for case in common]
    pairs = []
    for case, is_solved in zip(common, solved, strict=True):
        numbers = [[measure.of(run) for run in runs] for runs in case]
        known = [[number for number in side if number is not None] for side in numbers]
        if all(is_solved) and all(known):
            pairs.append((fmean(known[0]), fmean(known[1])))
    counts = solved.count((True, False)), solved.count((False, True))
    return PairedComparison(len(common), tuple(pairs), *counts)


def solved_by_both(
    records: Iterable[Record], searches: tuple[str, ...], measure: Measure
) -> tuple[tuple[float, float], ...]:
    """Return the numbers of two searches on each case that both solved."""
    runs = list(records)
    first, second = ([run for run in runs if run.search == name] for name in searches)
    return comparison_of(first, second, measure).pairs

"""The measures of a report, their statistics over several runs, and the groups of records.

The number of a run that a limit ended is only a lower bound (a censored observation). A statistic
that depends on such a number is *open*: the true value is at least the printed one (`Spread`).

A group never mixes runs of one search with different limits: its label includes the limit, as in
`A*, ≤ 5,000 nodes`, unless that limit is a key of the table or the study sets `pool_limits`
(`Grouping`).

A paired test compares two searches case by case; a case is a board under its limits. Runs of one
search on one case (seeds, repetitions) are not independent, so the test uses the mean of their
numbers, and counts a case as solved if all of them solved it. SciPy, the extra `stats`, computes
the tests and confidence intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from importlib.util import find_spec
from math import fsum, inf
from operator import attrgetter
from statistics import fmean, quantiles, stdev

from taquin import Limits
from taquin.analysis.likeness import LIKENESSES, korf_nodes
from taquin.errors import UnsuitableError
from taquin.lab.run.database import Ending, Record
from taquin.lab.study.definition import ColumnValue
from taquin.search.grammar import method_named
from taquin.system.formatting import bytes_in_words, did_you_mean, seconds_in_words, shorten
from taquin.system.lazy import install_command


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a run has."""

    name: str
    """Its name in study files."""
    unit: str
    """The text of an axis or a heading: `nodes generated`."""
    definition: str
    """Its definition, as a clause for a caption."""
    of: Callable[[Record], float | None]
    """Returns the number of a run; None if the run has none."""
    write: Callable[[float], str]
    """Returns a number as text."""
    grows: bool
    """Whether the number grows during the search, so that a limit makes it a lower bound."""

    @property
    def is_share(self) -> bool:
        """Whether it is a share of the runs, such as those solved."""
        return self.write is _share

    @property
    def axis_label(self) -> str:
        """Its unit as the label of an axis."""
        return self.unit + {_share: " (%)", bytes_in_words: " (bytes)"}.get(self.write, "")

    @property
    def defined(self) -> str:
        """Its unit and its definition, as a sentence for a caption."""
        return f"{self.unit[:1].upper()}{self.unit[1:]}: {self.definition}."

    def is_open(self, record: Record) -> bool:
        """Return whether the number is only a lower bound, because a limit ended the run."""
        return self.grows and record.ending in (Ending.LIMIT, Ending.OUT_OF_MEMORY)

    def text(self, value: float | None) -> str:
        """Return `value` as text; a dash for None.

        >>> MEASURES["generated"].text(12345.0), MEASURES["seconds"].text(0.25)
        ('12,345', '250 ms')
        """
        return "–" if value is None else self.write(value)


def effective_branching(nodes: float, depth: int) -> float | None:
    """Return b with b + b² + … + b^depth = nodes; None if there is no such b.

    >>> effective_branching(3 + 9, 2)
    3.0
    """
    if depth < 1 or nodes < depth:
        return None
    # For a larger b, b^depth alone would exceed the nodes.
    low, high = 1.0, float(nodes ** (1 / depth))
    for _ in range(100):
        middle = (low + high) / 2
        if sum(middle**level for level in range(1, depth + 1)) > nodes:
            high = middle
        else:
            low = middle
    return round(high, 9)


def _branching(record: Record) -> float | None:
    nodes, depth = record.stats.generated, record.cost
    return None if nodes is None or depth is None else effective_branching(nodes, depth)


def _speed(record: Record) -> float | None:
    nodes, seconds = record.stats.generated, record.stats.cpu_seconds
    return None if nodes is None or not seconds else nodes / seconds


def _excess(record: Record) -> float | None:
    best = record.run.columns.get("optimal")
    return record.cost - best if type(best) is int and record.cost is not None else None


def _real(value: float) -> str:
    """Return a number with at least three significant digits."""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"


def _integer(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:,.1f}"


def _share(value: float) -> str:
    """Return a percentage with enough digits to distinguish nearly all from all."""
    digits = 0
    while digits < 6 and 0 < value < 1 and round(100 * value, digits) in (0, 100):
        digits += 1
    return f"{100 * value:.{digits}f} %"


_DEFINITIONS = {
    "expanded": "nodes expanded: boards whose successors were generated",
    "necessary": "necessary expansions: expansions made before the proven lower bound reached the "
    "cost of the solution, where a search counts them",
    "generated": "nodes generated: successors generated, duplicates included, the start not",
    "korf": f"nodes generated as Korf counts them: {LIKENESSES['korf'].definition}",
    "enqueued": "states enqueued: entries ever put into the frontier, the start included",
    "dequeued": "nodes dequeued: entries taken from the frontier, the start and duplicates "
    "included",
    "duplicates": "duplicates: entries discarded because their board was reached before",
    "max_frontier": "largest frontier: most entries in the frontier at once; for depth-first "
    "searches, the longest stack",
    "cost": "solution length (moves): moves of the solution found; runs without one are excluded",
    "lower_bound": "proven lower bound (moves): moves that every solution is proven to need",
    "excess": "moves above the shortest: moves of the solution found beyond the known shortest "
    "length",
    "solved": "share solved: runs that found a solution within their limits, proven shortest or "
    "not, as a share of all runs",
    "optimal": "share solved optimally: runs whose solution is proven shortest, as a share of all "
    "runs",
    "branching": "effective branching factor: the b with b + b² + … + b^d = nodes generated, d the "
    "length of the solution found",
    "cpu_seconds": "CPU seconds: CPU time of the search in all its threads, independent of other "
    "programs",
    "seconds": "wall-clock seconds: elapsed time of the search",
    "speed": "nodes generated per CPU second: nodes generated divided by the CPU time of the "
    "search",
    "peak_memory": "peak memory: most bytes used by its process, Python itself included",
}
"""Every measure by its name: its unit and its definition."""

_OF: dict[str, Callable[[Record], float | None]] = {
    **{name: attrgetter(name) for name in ("cost", "lower_bound", "solved", "optimal")},
    "korf": lambda record: korf_nodes(method_named(record.ran), record.stats),
    "excess": _excess,
    "branching": _branching,
    "speed": _speed,
}
"""The measures that are not in `Stats`."""

_WRITERS: dict[str, Callable[[float], str]] = {
    **dict.fromkeys(("solved", "optimal"), _share),
    **dict.fromkeys(("cpu_seconds", "seconds"), seconds_in_words),
    "branching": _real,
    "peak_memory": bytes_in_words,
}
"""The measures that are not whole numbers."""

MEASURES = {
    name: Measure(
        name,
        *text.partition(": ")[::2],
        of=_OF.get(name) or attrgetter(f"stats.{name}"),
        write=_WRITERS.get(name, _integer),
        # The counters of a search stop with it.
        grows=name not in _OF or name == "korf",
    )
    for name, text in _DEFINITIONS.items()
}
"""Every measure by its name."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Statistics of the numbers of several runs."""

    count: int
    """The number of runs that have a number."""
    mean: float
    low: float
    lower_quartile: float
    median: float
    upper_quartile: float
    high: float
    deviation: float | None = None
    """The standard deviation of a sample; None for one run, or if limits ended runs."""
    open_runs: int = 0
    """Runs whose number is only a lower bound."""
    open_from: float = inf
    """The lowest of the numbers that are only lower bounds."""

    def statistic(self, field: str) -> tuple[float | None, bool]:
        """Return the statistic in a field, and whether it is only a lower bound."""
        value: float | None = getattr(self, field)
        if value is None or field == "mean":
            return value, value is not None and self.open_runs > 0
        return value, self.open_from <= value

    @property
    def single(self) -> bool:
        """Whether every run has the same number."""
        return self.low == self.high

    @classmethod
    def of(cls, numbers: Iterable[tuple[float, bool]]) -> Spread | None:
        """Return the spread of numbers, each with whether it is open; None without numbers.

        >>> spread = Spread.of([(1, False), (2, False), (3, False), (10, True)])
        >>> spread.statistic("median"), spread.statistic("high"), spread.statistic("mean")
        ((2.5, False), (10, True), (4.0, True))
        """
        pairs = sorted(numbers)
        if not pairs:
            return None
        values = [value for value, _ in pairs]
        opened = [value for value, is_open in pairs if is_open]
        # `quantiles` needs two numbers.
        several = values if len(values) > 1 else values * 2
        lower, median, upper = quantiles(several, n=4, method="inclusive")
        low, high, mean = values[0], values[-1], fsum(values) / len(values)
        open_from = opened[0] if opened else inf
        deviation = stdev(values) if len(values) > 1 and not opened else None
        quarters = (lower, median, upper)
        return cls(len(values), mean, low, *quarters, high, deviation, len(opened), open_from)


def spread_of(measure: Measure, records: Iterable[Record]) -> Spread | None:
    """Return the spread of `measure` over the records that have it; None if none has."""
    numbers = ((measure.of(record), measure.is_open(record)) for record in records)
    return Spread.of((value, is_open) for value, is_open in numbers if value is not None)


Key = Callable[[Record], ColumnValue | None]
"""Returns the value of a record by which it is grouped; None excludes the record."""

_LIMITS: dict[str, Callable[[float], str]] = {
    "nodes": "≤ {:,} nodes".format,
    "seconds": "≤ {:g} s".format,
    "depth": "≤ {:,} moves".format,
    "memory": lambda size: f"≤ {bytes_in_words(size)}",
}
"""The limits of a run, with their text in the label of a group."""

_KEYS: dict[str, Key] = {
    **{name: attrgetter(name) for name in ("board", "search", "cost")},
    **{f"limit_{name}": attrgetter(f"run.limits.{name}") for name in _LIMITS},
    "ending": attrgetter("ending.value"),
    "seed": attrgetter("run.seed"),
    "engine": lambda record: record.engine or None,
}
"""The keys that every record has."""

_HEADINGS = {
    "cost": "solution length (moves)",
    "depth": "shortest solution (moves)",
    **{f"limit_{name}": f"most {name} allowed" for name in _LIMITS},
    "limit_depth": "most moves allowed",
}
"""The headings of keys that differ from their names."""


def check_key(name: str, columns: Iterable[str]) -> None:
    """Raise UnsuitableError unless records with these columns have a key `name`."""
    known = [*_KEYS, "depth", *columns]
    if name not in known:
        raise UnsuitableError(
            f"records cannot be grouped by {shorten(name)}. {did_you_mean(name, known)}The keys "
            f"are {', '.join(known)}"
        )


class Grouping:
    """Records of a study, and the keys to group them by."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = self._all = records
        self._columns = dict.fromkeys(name for record in records for name in record.run.columns)
        self._varied: Mapping[str, Sequence[str]] = {}
        """For each search, the limits that differ between its runs; see `split_by_limits`."""
        self._limits_key = ""
        """The key whose labels include these limits."""

    def _with(self, records: Sequence[Record]) -> Grouping:
        """Return a grouping of a subset of the records, with the columns and order of all."""
        grouping = copy(self)
        grouping.records = records
        return grouping

    def key(self, name: str) -> Key:
        """Return the key called `name`; raise UnsuitableError if there is none."""
        plain = self._plain_key(name)
        if name != self._limits_key:
            return plain

        def with_limits(record: Record) -> ColumnValue | None:
            value, limits = plain(record), self.limits_of(record)
            return value if value is None or not limits else f"{label_of(value)}, {limits}"

        return with_limits

    def _plain_key(self, name: str) -> Key:
        # A column of the study hides a field of the same name.
        if name in self._columns:
            return lambda record: record.run.columns.get(name)
        if name in _KEYS:
            return _KEYS[name]
        if name == "depth":
            # The length of the shortest solution of the board, if a record proves it.
            shortest = {record.board: record.cost for record in self._all if record.optimal}
            return lambda record: shortest.get(record.board)
        if self.records:
            check_key(name, self._columns)
        return lambda record: None

    def split_by_limits(self, *keys: str) -> Grouping:
        """Return a grouping that does not mix different limits of one search.

        A limit that differs between the runs of a search, and is not one of the keys, becomes
        part of the labels of the search, or of the first key if the search is not among the keys.
        """
        limits: dict[str, set[Limits]] = {}
        for record in self.records:
            limits.setdefault(record.search, set()).add(record.run.limits)
        names = [name for name in _LIMITS if f"limit_{name}" not in keys]
        grouping = self._with(self.records)
        grouping._varied = {
            search: [name for name in names if len({getattr(limit, name) for limit in used}) > 1]
            for search, used in limits.items()
        }
        grouping._limits_key = "search" if "search" in keys else next(iter(keys), "")
        return grouping

    @property
    def is_split(self) -> bool:
        """Whether the labels of some groups include a limit."""
        return any(self._varied.values())

    def limits_of(self, record: Record) -> str:
        """Return the limits of a run that differ between the runs of its search, as text."""
        return ", ".join(
            f"no limit on {name}" if value is None else _LIMITS[name](value)
            for name in self._varied.get(record.search, ())
            for value in [getattr(record.run.limits, name)]
        )

    def where(self, wanted: Mapping[str, list[ColumnValue]]) -> Grouping:
        """Return the records that have one of the wanted values for each key."""
        records = self.records
        for name, values in wanted.items():
            key = self.key(name)
            records = [record for record in records if key(record) in values]
        return self._with(records)

    def common(self) -> tuple[Grouping, str]:
        """Return the records of the boards that every search solved, and a sentence about them."""
        boards = dict.fromkeys(record.board for record in self.records)
        runs = [(record.search, self.limits_of(record), record) for record in self.records]
        searches = {(search, limits) for search, limits, _ in runs}
        solved = {(*search, record.board) for *search, record in runs if record.solved}
        kept = {board for board in boards if all((*search, board) in solved for search in searches)}
        sentence = f"Only boards that every search solved: {len(kept):,} of {len(boards):,}."
        return self._with([record for record in self.records if record.board in kept]), sentence

    def ordered(self, name: str, values: Iterable[ColumnValue]) -> list[ColumnValue]:
        """Return distinct values of a key: sorted numbers, or others in the order of the study.

        Labels that include limits are ordered by the value, then by the limits.
        """
        distinct = dict.fromkeys(values)
        if name == self._limits_key and self.is_split:
            key, plain = self.key(name), self._plain_key(name)
            parts: dict[ColumnValue | None, tuple[ColumnValue, list[float]]] = {}
            for record in self.records:
                value = plain(record)
                if value is not None:
                    sizes = [getattr(record.run.limits, limit) for limit in _LIMITS]
                    parts[key(record)] = value, [inf if size is None else size for size in sizes]
            order = Grouping(self._all).ordered(name, (value for value, _ in parts.values()))
            return sorted(distinct, key=lambda text: (order.index(parts[text][0]), parts[text][1]))
        if all(isinstance(value, int | float) for value in distinct):
            return sorted(distinct)
        in_study = dict.fromkeys(map(self.key(name), self._all))
        return [value for value in in_study if value in distinct]

    def groups(self, *names: str) -> dict[tuple[ColumnValue, ...], list[Record]]:
        """Return the records by the values of these keys, in order of first occurrence."""
        keys = [self.key(name) for name in names]
        groups: dict[tuple[ColumnValue, ...], list[Record]] = {}
        for record in self.records:
            values = tuple([key(record) for key in keys])
            if None not in values:
                groups.setdefault(values, []).append(record)  # type: ignore[arg-type]
        return groups

    def by(self, name: str) -> dict[ColumnValue, list[Record]]:
        """Return the records by the values of one key, in the order of tables and figures."""
        groups = {value: records for (value,), records in self.groups(name).items()}
        return {value: groups[value] for value in self.ordered(name, groups)}


def printed_figure(records: Iterable[Record]) -> float | None:
    """Return the figure that the source prints for these records; None unless it is unique."""
    figures = {record.run.printed for record in records if record.run.printed is not None}
    return figures.pop() if len(figures) == 1 else None


def heading(name: str, custom: Mapping[str, str]) -> str:
    """Return the heading of a column or an axis for a key; `custom` has the study's headings."""
    return custom.get(name) or _HEADINGS.get(name, name.replace("_", " "))


def label_of(value: ColumnValue) -> str:
    """Return the label of a value: yes or no, or a number with thousands separators."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else value


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
"""The definition of `confidence_interval`, for captions."""


def has_scipy() -> bool:
    """Return whether SciPy is installed, without loading it."""
    return find_spec("scipy") is not None


def scipy_advice() -> str:
    """Return a sentence for captions if SciPy is not installed, else an empty text."""
    if has_scipy():
        return ""
    how = install_command("stats")
    return f"Intervals and p-values are omitted, as SciPy is not installed: {how}."


def confidence_interval(values: Sequence[float], statistic: str) -> tuple[float, float] | None:
    """Return the 95 % confidence interval of the `mean` or the `median` of a sample.

    None for fewer than two numbers, or without SciPy. The result is reproducible.
    """
    if len(values) < 2 or not has_scipy():
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
    """How two searches compare on the cases that both ran on."""

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
        if not has_scipy() or not discordant:
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
    if not has_scipy():
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

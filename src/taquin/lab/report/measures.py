"""The measures of a report, and their statistics over several runs.

The number of a run that a limit ended is only a lower bound (a censored observation). A statistic
that depends on such a number is *open*: the true value is at least the printed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, inf
from operator import attrgetter
from statistics import quantiles, stdev

from taquin import Board, Goal, IDAStar, Metric, Puzzle
from taquin.lab.run.record import Ending, Record
from taquin.search.grammar import method_named
from taquin.search.likeness import LIKENESSES, korf_nodes
from taquin.search.result import Task
from taquin.system.words import bytes_in_words, seconds_in_words


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


@lru_cache(maxsize=4096)
def _expected(run: tuple[str, str, str], ran: str, engine: str, bounds: str) -> float | None:
    """Return the forecast of a run, from the texts in its record."""
    search, (start, goal, metric) = method_named(ran), run
    if not isinstance(search, IDAStar):
        return None
    # Imported late, as few reports need it.
    from taquin.engine.forecast import expected_nodes

    puzzle = Puzzle(Goal.parse(goal), Metric.named(metric))
    task = Task(puzzle, Board.parse(start), search)
    last = [int(float(bound.partition(":")[0])) for bound in bounds.split()]
    return expected_nodes(task, engine.partition(",")[0], last)


def _forecast(record: Record) -> float | None:
    run = record.run
    if not record.bounds:
        return None
    return _expected((run.start, run.goal, run.metric), record.ran, record.engine, record.bounds)


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
    "generated": "nodes generated: successors generated, duplicates included, the start not",
    "forecast": "forecast of the nodes generated: estimated from a sample of the tree of IDA*, for "
    "the bounds that were searched, and three tenths of the last one",
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
    "forecast": _forecast,
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

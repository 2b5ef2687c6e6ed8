"""Which records belong together, and how the numbers of several runs spread.

A run that a limit cut short counts with what it had reached, and that is only a lower bound of
what it would have taken. A statistic that depends on such a number is *open*: it is at least what
is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, fsum

from taquin.errors import UnsuitableError
from taquin.lab.report.measures import Measure
from taquin.lab.run.record import Record
from taquin.lab.study.study import Cell
from taquin.system.words import did_you_mean


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


Key = Callable[[Record], Cell | None]
"""What tells records apart; None leaves a record out."""

_FIELDS: dict[str, tuple[str, Key]] = {
    "board": ("board", lambda record: record.board),
    "search": ("search", lambda record: record.search),
    "ending": ("ending", lambda record: record.ending.value),
    "seed": ("seed", lambda record: record.run.seed),
    "cost": ("solution length (moves)", lambda record: record.cost),
    "engine": ("engine", lambda record: record.engine or None),
    "max_nodes": ("most nodes allowed", lambda record: record.run.limits.nodes),
    "max_seconds": ("most seconds allowed", lambda record: record.run.limits.seconds),
    "max_depth": ("most moves allowed", lambda record: record.run.limits.depth),
}
"""The keys that every record has, each with its heading."""


class Grouping:
    """The records of a study, and the ways to tell them apart."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self._columns = dict.fromkeys(name for record in records for name in record.run.columns)
        self._shortest: dict[str, int] | None = None

    def key(self, name: str) -> Key:
        """Return the key called `name`: a field, `depth`, or a column of the study.

        `depth` is the length of the shortest solution of the record's board, where a record
        proves it. A column of the study goes before a field of the same name. Raise
        UnsuitableError for a name that no record knows.
        """
        if name in self._columns:
            return lambda record: record.run.columns.get(name)
        if name in _FIELDS:
            return _FIELDS[name][1]
        if name == "depth":
            shortest = self._shortest_lengths()
            return lambda record: shortest.get(record.board)
        if not self.records:
            return lambda record: None
        known = [*_FIELDS, "depth", *self._columns]
        raise UnsuitableError(
            f"records cannot be told apart by {name!r}. {did_you_mean(name, known)}They can by "
            f"{', '.join(known)}"
        )

    def where(self, wanted: Mapping[str, Cell | list[Cell]]) -> Grouping:
        """Return the records that have the wanted value, or one of the wanted, under each key."""
        if not wanted:
            return self
        tests = [
            (self.key(name), value if isinstance(value, list) else [value])
            for name, value in wanted.items()
        ]
        kept = Grouping(
            [
                record
                for record in self.records
                if all(key(record) in values for key, values in tests)
            ]
        )
        kept._shortest = self._shortest_lengths()
        return kept

    def groups(self, *names: str) -> dict[tuple[Cell, ...], list[Record]]:
        """Return the records by these keys, in the order in which each combination comes first."""
        keys = [self.key(name) for name in names]
        found: dict[tuple[Cell, ...], list[Record]] = {}
        for record in self.records:
            place = tuple([key(record) for key in keys])
            if None not in place:
                found.setdefault(place, []).append(record)  # type: ignore[arg-type]
        return found

    def spreads(self, measure: Measure, *names: str) -> dict[tuple[Cell, ...], Spread]:
        """Return the spread of `measure` for each combination that has numbers."""
        found = {}
        for place, records in self.groups(*names).items():
            spread = spread_of(measure, records)
            if spread is not None:
                found[place] = spread
        return found

    def _shortest_lengths(self) -> dict[str, int]:
        if self._shortest is None:
            self._shortest = {
                record.board: record.cost
                for record in self.records
                if record.cost is not None and record.optimal
            }
        return self._shortest


def spread_of(measure: Measure, records: Iterable[Record]) -> Spread | None:
    """Return how `measure` spreads over the records that have it; None where none has."""
    of, is_open = measure.of, measure.is_open
    return Spread.of(
        (value, is_open(record)) for record in records if (value := of(record)) is not None
    )


def solved_by_both(
    records: Iterable[Record], searches: tuple[str, ...], measure: Measure
) -> list[tuple[float, float]]:
    """Return the numbers of the two searches on each board that both of them solved."""
    first, second = searches
    numbers: dict[str, dict[str, float]] = {first: {}, second: {}}
    for record in records:
        value = measure.of(record)
        if record.search in numbers and record.solved and value is not None:
            numbers[record.search][record.board] = value
    one, other = numbers[first], numbers[second]
    return [(one[board], other[board]) for board in one if board in other]


def heading(name: str, given: Mapping[str, str]) -> str:
    """Return what to write over a column or beside an axis that is told apart by `name`.

    `given` are the headings that the study gives.
    """
    if name == "depth":
        usual = "shortest solution (moves)"
    else:
        usual = _FIELDS[name][0] if name in _FIELDS else name.replace("_", " ")
    return given.get(name) or usual


def label_of(value: Cell) -> str:
    """Return how a group is called: numbers with their thousands told apart."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else value


def ordered(values: Iterable[Cell]) -> list[Cell]:
    """Return distinct values: numbers in their order, anything else as they come."""
    distinct = list(dict.fromkeys(values))
    if all(isinstance(value, int | float) for value in distinct):
        return sorted(distinct)
    return distinct

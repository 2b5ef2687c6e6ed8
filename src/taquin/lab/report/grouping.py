"""Which runs belong together in a report, and what a group of them is called.

A group never mixes runs of one search with different limits: its name says which limit, as in
`A*, ≤ 5,000 nodes`, unless a key of the table tells limits apart or the study says `pool_limits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from operator import attrgetter

from taquin.errors import UnsuitableError
from taquin.lab.report.measures import Measure, Spread, spread_of
from taquin.lab.run.record import Record
from taquin.lab.study.study import ColumnValue
from taquin.search.result import Limits
from taquin.system.words import bytes_in_words, did_you_mean, shorten

Key = Callable[[Record], ColumnValue | None]
"""What tells records apart; None leaves a record out."""

_LIMITS: dict[str, Callable[[float], str]] = {
    "nodes": "≤ {:,} nodes".format,
    "seconds": "≤ {:g} s".format,
    "depth": "≤ {:,} moves".format,
    "memory": lambda size: f"≤ {bytes_in_words(size)}",
}
"""The limits of a run, and how each is written behind the name of a group."""

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
    "limit_nodes": "most nodes allowed",
    "limit_seconds": "most seconds allowed",
    "limit_depth": "most moves allowed",
    "limit_memory": "most memory allowed",
}
"""What is written over a key, where that is not its name."""


def check_key(name: str, columns: Iterable[str]) -> None:
    """Raise UnsuitableError unless records with these columns can be told apart by `name`."""
    known = [*_KEYS, "depth", *columns]
    if name not in known:
        raise UnsuitableError(
            f"records cannot be told apart by {shorten(name)}. {did_you_mean(name, known)}They can "
            f"by {', '.join(known)}"
        )


class Grouping:
    """The records of a study, and the ways to tell them apart."""

    def __init__(self, records: Sequence[Record], within: Grouping | None = None) -> None:
        self.records = records
        self._all: Sequence[Record] = within._all if within else records
        """All records of the study, of which these may be a part."""
        self._columns: Mapping[str, object] = (
            within._columns
            if within
            else dict.fromkeys(name for record in records for name in record.run.columns)
        )
        self._shortest = within._shortest_lengths() if within else None
        self._varied: Mapping[str, Sequence[str]] = within._varied if within else {}
        """For each search, the limits of which its runs here have several; see `apart`."""
        self._bearer: str = within._bearer if within else ""
        """The key whose values are written with these limits."""

    def key(self, name: str) -> Key:
        """Return the key called `name`: a field, `depth`, or a column of the study.

        `depth` is the length of the shortest solution of the record's board, where a record
        proves it. A column of the study goes before a field of the same name. Raise
        UnsuitableError for a name that no record knows. See `apart` for the limits in its values.
        """
        plain = self._plain_key(name)
        if name != self._bearer:
            return plain

        def with_limits(record: Record) -> ColumnValue | None:
            value, words = plain(record), self.limits_of(record)
            return value if value is None or not words else f"{label_of(value)}, {words}"

        return with_limits

    def _plain_key(self, name: str) -> Key:
        if name in self._columns:
            return lambda record: record.run.columns.get(name)
        if name in _KEYS:
            return _KEYS[name]
        if name == "depth":
            shortest = self._shortest_lengths()
            return lambda record: shortest.get(record.board)
        if self.records:
            check_key(name, self._columns)
        return lambda record: None

    def apart(self, *names: str) -> Grouping:
        """Return the records so that groups by these keys never mix limits of one search.

        Limits that one of the keys tells apart are left to it. Others, where the runs of a search
        have several, are written behind the search, or behind the first key without that.
        """
        varied: dict[str, list[str]] = {}
        for limit in _LIMITS:
            if f"limit_{limit}" not in names:
                found: dict[str, set[float | None]] = {}
                for record in self.records:
                    value = getattr(record.run.limits, limit)
                    found.setdefault(record.search, set()).add(value)
                for search in (each for each, values in found.items() if len(values) > 1):
                    varied.setdefault(search, []).append(limit)
        made = Grouping(self.records, self)
        made._varied = varied
        made._bearer = "search" if "search" in names else next(iter(names), "")
        return made

    @property
    def has_limits_apart(self) -> bool:
        """Return whether the names of some groups have their limit in them."""
        return bool(self._varied)

    def limits_of(self, record: Record) -> str:
        """Return those limits of a run that its search had several of, in words."""
        return ", ".join(
            f"no limit on {name}" if value is None else _LIMITS[name](value)
            for name in self._varied.get(record.search, ())
            for value in [getattr(record.run.limits, name)]
        )

    def where(self, wanted: Mapping[str, ColumnValue | list[ColumnValue]]) -> Grouping:
        """Return the records that have the wanted value, or one of the wanted, under each key."""
        if not wanted:
            return self
        tests = [
            (self.key(name), value if isinstance(value, list) else [value])
            for name, value in wanted.items()
        ]
        found = (each for each in self.records if all(key(each) in some for key, some in tests))
        return Grouping(list(found), self)

    def common(self) -> tuple[Grouping, str]:
        """Return the records of the boards that every search solved, and the sentence on them."""
        boards = dict.fromkeys(record.board for record in self.records)
        searches = {(record.search, self.limits_of(record)) for record in self.records}
        solved = {
            (record.search, self.limits_of(record), record.board)
            for record in self.records
            if record.solved
        }
        kept = {each for each in boards if all((*search, each) in solved for search in searches)}
        words = f"Only boards that every search solved: {len(kept):,} of {len(boards):,}."
        return Grouping([each for each in self.records if each.board in kept], self), words

    def ordered(self, name: str, values: Iterable[ColumnValue]) -> list[ColumnValue]:
        """Return distinct values of a key in the one order that every table and figure has.

        Numbers are in their order, anything else as it comes first among all records.
        """
        distinct = dict.fromkeys(values)
        if name == self._bearer and self._varied:
            return self._ordered_with_limits(name, distinct)
        if all(isinstance(value, int | float) for value in distinct):
            return sorted(distinct)
        key = self.key(name)
        return [value for value in dict.fromkeys(map(key, self._all)) if value in distinct]

    def _ordered_with_limits(self, name: str, distinct: Iterable[ColumnValue]) -> list[ColumnValue]:
        """Return values that have limits in them: by the value without, then by the limits."""
        key, plain = self.key(name), self._plain_key(name)
        found: dict[ColumnValue | None, tuple[ColumnValue, list[float]]] = {}
        for record in self.records:
            value = plain(record)
            if value is not None:
                sizes = [getattr(record.run.limits, limit) for limit in _LIMITS]
                found[key(record)] = value, [inf if size is None else size for size in sizes]
        without = Grouping(self._all)
        order = without.ordered(name, (value for value, _ in found.values()))
        return sorted(distinct, key=lambda each: (order.index(found[each][0]), found[each][1]))

    def groups(self, *names: str) -> dict[tuple[ColumnValue, ...], list[Record]]:
        """Return the records by these keys, in the order in which each combination comes first."""
        keys = [self.key(name) for name in names]
        found: dict[tuple[ColumnValue, ...], list[Record]] = {}
        for record in self.records:
            place = tuple([key(record) for key in keys])
            if None not in place:
                found.setdefault(place, []).append(record)  # type: ignore[arg-type]
        return found

    def spreads(self, measure: Measure, *names: str) -> dict[tuple[ColumnValue, ...], Spread]:
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


def printed_figure(records: Iterable[Record]) -> float | None:
    """Return the figure that the source prints for these records; None unless it is one."""
    figures = {record.run.printed for record in records if record.run.printed is not None}
    return figures.pop() if len(figures) == 1 else None


def solved_by_both(
    records: Iterable[Record], searches: tuple[str, ...], measure: Measure
) -> list[tuple[float, float]]:
    """Return the numbers of the two searches on each board that both of them solved.

    Runs with equal limits are compared where the two have such.
    """
    first, second = searches
    numbers: dict[str, dict[tuple[str, Limits | None], float]] = {first: {}, second: {}}
    shown = [record for record in records if record.search in numbers]
    limits = [{record.run.limits for record in shown if record.search == each} for each in searches]
    is_shared = bool(limits[0] & limits[1])
    for record in shown:
        value = measure.of(record)
        if record.solved and value is not None:
            place = record.board, record.run.limits if is_shared else None
            numbers[record.search][place] = value
    one, other = numbers[first], numbers[second]
    return [(one[place], other[place]) for place in one if place in other]


def heading(name: str, given: Mapping[str, str]) -> str:
    """Return what to write over a column or beside an axis that is told apart by `name`.

    `given` are the headings that the study gives.
    """
    return given.get(name) or _HEADINGS.get(name, name.replace("_", " "))


def label_of(value: ColumnValue) -> str:
    """Return how a group is called: numbers with their thousands told apart."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else value

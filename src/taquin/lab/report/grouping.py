"""Groups of records in a report, and their labels.

A group never mixes runs of one search with different limits: its label includes the limit, as in
`A*, ≤ 5,000 nodes`, unless that limit is a key of the table or the study sets `pool_limits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from math import inf
from operator import attrgetter

from taquin import Limits, UnsuitableError
from taquin.lab.run.record import Record
from taquin.lab.study.study import ColumnValue
from taquin.system.words import bytes_in_words, did_you_mean, shorten

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

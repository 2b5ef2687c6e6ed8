"""Which records belong together: those of one board, of one search, of one width."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from taquin.errors import UnsuitableError
from taquin.lab.measure import Measure
from taquin.lab.record import Cell, Record
from taquin.lab.spread import Spread
from taquin.system.words import did_you_mean

Key = Callable[[Record], Cell | None]
"""What tells records apart; None leaves a record out."""

_FIELDS: dict[str, Key] = {
    "board": lambda record: record.board,
    "search": lambda record: record.search,
    "ending": lambda record: record.ending.value,
    "seed": lambda record: record.seed,
    "cost": lambda record: record.cost,
    "engine": lambda record: record.engine or None,
    "max_nodes": lambda record: record.limits.nodes,
    "max_seconds": lambda record: record.limits.seconds,
    "max_depth": lambda record: record.limits.depth,
}
_HEADINGS = {
    "board": "board",
    "search": "search",
    "ending": "ending",
    "seed": "seed",
    "cost": "solution length (moves)",
    "engine": "engine",
    "max_nodes": "most nodes allowed",
    "max_seconds": "most seconds allowed",
    "max_depth": "most moves allowed",
    "depth": "shortest solution (moves)",
}


class Grouping:
    """The records of a study, and the ways to tell them apart."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self._columns = dict.fromkeys(name for record in records for name in record.columns)
        self._shortest: dict[str, int] | None = None

    def key(self, name: str) -> Key:
        """Return the key called `name`: a field, `depth`, or a column of the study.

        `depth` is the length of the shortest solution of the record's board, where a record
        proves it. A column of the study goes before a field of the same name. Raise
        UnsuitableError for a name that no record knows.
        """
        if name in self._columns:
            return lambda record: record.columns.get(name)
        if name in _FIELDS:
            return _FIELDS[name]
        if name == "depth":
            shortest = self._shortest_lengths()
            return lambda record: shortest.get(record.board)
        if not self.records:
            return lambda record: None
        known = [*_HEADINGS, *self._columns]
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


def heading(name: str) -> str:
    """Return what to write over a column or beside an axis that is told apart by `name`."""
    return _HEADINGS.get(name, name.replace("_", " "))


def ordered(values: Iterable[Cell]) -> list[Cell]:
    """Return distinct values: numbers in their order, anything else as they come."""
    distinct = list(dict.fromkeys(values))
    if all(isinstance(value, int | float) for value in distinct):
        return sorted(distinct)
    return distinct

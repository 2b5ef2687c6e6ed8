"""One run of a study as it is remembered, and the one flat form in which it is written.

    Record  =  Run: what ran, on what  +  what was found  +  where and when

`row_of` and `record_of` turn a record into a row of texts and numbers and back; the database, the
exports and data frames all hold such rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import Any

from taquin.errors import UnsuitableError
from taquin.lab.study.study import Cell, Run
from taquin.search.result import Count, Limits, Stats


class Ending(Enum):
    """How a run ended."""

    SOLVED = "solved"
    """The search came to its own end with a solution."""
    UNSOLVABLE = "unsolvable"
    """It is proven that there is none."""
    LIMIT = "limit"
    """A limit on nodes, seconds or depth, or the width of a beam, ended the search. It may have
    found a solution before."""
    OUT_OF_MEMORY = "out-of-memory"
    """The limit on memory was reached, or the machine had no more to give."""
    STOPPED = "stopped"
    """The search was stopped from outside. A runner records no such run: it does it again."""
    UNSUITABLE = "unsuitable"
    """The search or its heuristic cannot serve this puzzle; nothing was searched."""
    CRASHED = "crashed"
    """The search raised an exception, or its process died each time it was tried."""

    @property
    def is_failure(self) -> bool:
        """Tell whether the run says nothing about the search but that something is wrong."""
        return self in (Ending.CRASHED, Ending.UNSUITABLE, Ending.STOPPED)


@dataclass(frozen=True, slots=True)
class Record:
    """What is remembered of one run."""

    run: Run
    """What ran, on what board, under which labels."""
    ending: Ending
    """How it ended."""
    reason: str = ""
    """In words: why there is no solution, which limit was reached, what went wrong."""
    limit_reached: str | None = None
    """Which limit ended it: `nodes`, `seconds`, `depth`, `memory`, `width` or `cap`; None where
    none did, or nobody said which."""
    ran: str = ""
    """The algorithm that ran, printed as in `Result.algorithm`; empty when none did."""
    engine: str = ""
    """What ran it: `glass-box`, or a compiled engine."""
    cost: int | None = None
    """Number of moves of the solution in the metric; None when none was found."""
    lower_bound: int = 0
    """Every solution is proven to have at least this many moves."""
    solution: str | None = None
    """The moves of the solution, which `taquin.notation.moves_on` reads from the board; None
    where none was found, or where the study records no moves."""
    preparation_seconds: float = 0.0
    """Wall-clock time before the search, for compiling code and for building and loading tables."""
    stats: Stats = field(default_factory=Stats)
    """Every counter, the seconds and the peak memory of this run alone."""
    machine: str = ""
    """Where it ran: host, processor, number of cores, Python."""
    when: str = ""
    """When it ended: ISO 8601, UTC."""

    @property
    def key(self) -> str:
        """Return the key of the run."""
        return self.run.key

    @property
    def board(self) -> str:
        """Return the label of the board."""
        return self.run.board

    @property
    def search(self) -> str:
        """Return the label of the search."""
        return self.run.search

    @property
    def solved(self) -> bool:
        """Return whether a solution was found, proven shortest or not, however the run ended."""
        return self.cost is not None

    @property
    def optimal(self) -> bool:
        """Tell whether the solution is proven to be a shortest one."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def seconds(self) -> float:
        """Return the wall-clock time of the search."""
        return self.stats.seconds


class Records(list[Record]):
    """The records of a study, in the order of its boards and searches."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        super().__init__(records)
        self.faults: list[str] = []
        """What stands in the file beside them and cannot be read, a sentence each."""

    def rows(self) -> list[dict[str, Cell | None]]:
        """Return every record as a flat row, all with the same keys in the same order."""
        rows = [row_of(record) for record in self]
        keys = dict.fromkeys(key for row in rows for key in row)
        return [{key: row.get(key) for key in keys} for row in rows]

    def frame(self) -> Any:
        """Return a pandas data frame, one row a record; raise UnsuitableError without pandas."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            raise UnsuitableError(
                "a data frame needs pandas, which is not installed: pip install pandas"
            ) from None
        return pandas.DataFrame(self.rows())


_LIMITS = ("nodes", "seconds", "depth", "memory")
_STATS = tuple(each.name for each in fields(Stats))
_COLUMN = "column_"


def _of_run(*names: str) -> dict[str, str]:
    return {name: f"run.{name}" for name in names}


def _of_record(*names: str) -> dict[str, str]:
    return {name: name for name in names}


_PLACES = {
    **_of_run("key", "study", "board", "search", "start", "goal", "metric", "algorithm"),
    **{f"limit_{name}": f"run.limits.{name}" for name in _LIMITS},
    "counting": "run.limits.counting.value",
    "ending": "ending.value",
    **_of_record("ran"),
    **_of_run("seed", "repetition", "printed"),
    **_of_record("reason", "solved", "cost", "lower_bound", "optimal", "solution"),
    **{name: f"stats.{name}" for name in _STATS},
    **_of_record("preparation_seconds"),
    **_of_record("engine"),
    **_of_run("code", "own_code"),
    **_of_record("machine", "when", "limit_reached"),
}
"""Every field of a row, and where a record has it."""

_OF_RUN = [name for name, place in _PLACES.items() if place == f"run.{name}"]
_DERIVED = ("solved", "optimal")
_OF_RECORD = [name for name, place in _PLACES.items() if place == name not in _DERIVED]
_values = attrgetter(*_PLACES.values())

FIELDS = tuple(_PLACES)
"""The names of a row's fields, in their order; what else a row holds are columns of the study."""


def row_of(record: Record) -> dict[str, Cell | None]:
    """Return the record as one flat row: for the database, CSV, JSON lines, or a data frame.

    The columns of the study come last; one that has the name of a field, or begins with `column_`
    itself, is written `column_<name>`.
    """
    row: dict[str, Cell | None] = dict(zip(FIELDS, _values(record), strict=True))
    for name, value in record.run.columns.items():
        row[_COLUMN + name if name in row or name.startswith(_COLUMN) else name] = value
    return row


def record_of(row: Mapping[str, Any], columns: Mapping[str, Cell] | None = None) -> Record:
    """Return the record of a flat row.

    `columns` are those of the study; where they are not given apart, they are whatever stands in
    the row and is no field.
    """
    if columns is None:
        columns = {
            name.removeprefix(_COLUMN): value
            for name, value in row.items()
            if name not in _PLACES and value is not None
        }
    limits = _limits(*[row[f"limit_{name}"] for name in _LIMITS], row["counting"])
    return Record(
        Run(**{name: row[name] for name in _OF_RUN}, limits=limits, columns=columns),
        Ending(row["ending"]),
        stats=Stats(*[row[name] for name in _STATS]),
        **{name: row[name] for name in _OF_RECORD},
    )


@lru_cache(maxsize=256)
def _limits(
    nodes: int | None, seconds: float | None, depth: int | None, memory: int | None, counting: str
) -> Limits:
    return Limits(nodes, seconds, depth, memory, Count(counting))

"""The record of one run, and the flat row in which it is stored.

    Record  =  Run: the search and the board  +  the result  +  machine and time

`row_of` and `record_of` convert between a record and a row of texts and numbers. The database, the
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

from taquin import Board, Count, Goal, Limits, Metric, Puzzle, Stats, TaquinError, UnsuitableError
from taquin.lab.study.study import ColumnValue, Run
from taquin.notation.moves import moves_on
from taquin.system.extras import not_installed


class Ending(Enum):
    """How a run ended."""

    SOLVED = "solved"
    """The search ended by itself, with a solution."""
    UNSOLVABLE = "unsolvable"
    """The board is proven to have no solution."""
    LIMIT = "limit"
    """A limit other than that on memory ended the search; it may have found a solution before."""
    OUT_OF_MEMORY = "out-of-memory"
    """The limit on memory was reached, or the machine ran out of memory."""
    STOPPED = "stopped"
    """The search was stopped from outside. A runner does such a run again."""
    UNSUITABLE = "unsuitable"
    """The search or its heuristic does not support this puzzle; nothing was searched."""
    CRASHED = "crashed"
    """The search raised an exception, or its process died each time it was tried."""

    @property
    def is_failure(self) -> bool:
        """Whether something went wrong, so that the run measures nothing."""
        return self in (Ending.CRASHED, Ending.UNSUITABLE, Ending.STOPPED)


@dataclass(frozen=True, slots=True)
class Record:
    """The record of one run."""

    run: Run
    """What ran, on what board, under which labels."""
    ending: Ending
    reason: str = ""
    """In words: why there is no solution, which limit was reached, what went wrong, or what makes
    a solution optimal that is not proven so: `optimal if mine.py:h is admissible`."""
    limit_reached: str | None = None
    """The limit that ended it, a value of `Limit`; None if none did, or if it is not known."""
    ran: str = ""
    """The algorithm that ran, printed as in `Result.algorithm`; empty if none did."""
    engine: str = ""
    """The engine that ran it: `glass-box`, or a compiled one."""
    cost: int | None = None
    """Number of moves of the solution in the metric; None without a solution."""
    lower_bound: int = 0
    """Every solution is proven to have at least this many moves."""
    solution: str | None = None
    """The moves of the solution for `taquin.notation.moves_on`; None if none is recorded."""
    preparation_seconds: float = 0.0
    """Wall-clock time before the search, for loading code and for building and loading tables."""
    bounds: str = ""
    """For a search that deepens, each bound with the nodes generated in it: `41:120 43:3600`."""
    stats: Stats = field(default_factory=Stats)
    """Every counter, the seconds and the peak memory of this run alone."""
    machine: str = ""
    """Where it ran: host, processor, number of cores, Python."""
    when: str = ""
    """When it ended: ISO 8601, UTC."""

    @property
    def key(self) -> str:
        """The key of the run."""
        return self.run.key

    @property
    def board(self) -> str:
        """The label of the board."""
        return self.run.board

    @property
    def search(self) -> str:
        """The label of the search."""
        return self.run.search

    @property
    def solved(self) -> bool:
        """Whether a solution was found, proven shortest or not, however the run ended."""
        return self.cost is not None

    @property
    def optimal(self) -> bool:
        """Whether the solution is proven to be a shortest one."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def seconds(self) -> float:
        """The wall-clock seconds of the search."""
        return self.stats.seconds


class Records(list[Record]):
    """The records of a study, in the order of its boards and searches."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        super().__init__(records)
        self.faults: list[str] = []
        """A sentence for each row of the file that is not a valid record."""

    def rows(self) -> list[dict[str, ColumnValue | None]]:
        """Return every record as a flat row, all with the same keys in the same order."""
        rows = [row_of(record) for record in self]
        keys = dict.fromkeys(key for row in rows for key in row)
        return [{key: row.get(key) for key in keys} for row in rows]

    def frame(self) -> Any:
        """Return a pandas data frame, one row a record; raise UnsuitableError without pandas."""
        try:
            pandas: Any = import_module("pandas")
        except ImportError:
            need = "a data frame needs pandas"
            raise UnsuitableError(not_installed(need, "pandas")) from None
        return pandas.DataFrame(self.rows())


_LIMITS = ("nodes", "seconds", "depth", "memory")
_STATS = tuple(counter.name for counter in fields(Stats))
_COLUMN = "column_"


def _places(owner: str, *names: str) -> dict[str, str]:
    return {name: f"{owner}{name}" for name in names}


_PLACES = {
    **_places("run.", "key", "study", "board", "search", "start", "goal", "metric", "algorithm"),
    **{f"limit_{name}": f"run.limits.{name}" for name in _LIMITS},
    "counting": "run.limits.counting.value",
    "ending": "ending.value",
    **_places("", "ran"),
    **_places("run.", "seed", "repetition", "printed"),
    **_places("", "reason", "solved", "cost", "lower_bound", "optimal", "solution"),
    **_places("stats.", *_STATS),
    **_places("", "bounds", "preparation_seconds", "engine"),
    **_places("run.", "code", "own_code"),
    **_places("", "machine", "when", "limit_reached"),
}
"""Every field of a row, with its attribute path in a record."""

_OF_RUN = [name for name, place in _PLACES.items() if place == f"run.{name}"]
_OF_RECORD = [name for name, place in _PLACES.items() if place == name not in ("solved", "optimal")]
_values = attrgetter(*_PLACES.values())

FIELDS = tuple(_PLACES)
"""The names of a row's fields, in order; any other key of a row is a column of the study."""


def row_of(record: Record) -> dict[str, ColumnValue | None]:
    """Return the record as one flat row: for the database, CSV, JSON lines, or a data frame.

    The columns of the study come last. A column that has the name of a field, or begins with
    `column_`, is written as `column_<name>`.
    """
    row: dict[str, ColumnValue | None] = dict(zip(FIELDS, _values(record), strict=True))
    for name, value in record.run.columns.items():
        row[_COLUMN + name if name in row or name.startswith(_COLUMN) else name] = value
    return row


def record_of(row: Mapping[str, Any], columns: Mapping[str, ColumnValue] | None = None) -> Record:
    """Return the record of a flat row; by default, all keys but the fields are `columns`."""
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


def solution_fault(record: Record) -> str:
    """Return what is wrong with the solution of a record; empty if it is right.

    Every move must be legal, the last board solved, and the number of moves the recorded cost.
    """
    run = record.run
    try:
        start, metric = Board.parse(run.start), Metric.named(run.metric)
        moves = moves_on(start, record.solution or "", metric)
        Puzzle(Goal.parse(run.goal), metric).replay(start, moves)
    except TaquinError as error:
        return str(error).partition("\n")[0].rstrip(":")
    if len(moves) != record.cost:
        cost = "none" if record.cost is None else f"{record.cost:,}"
        return f"it has {len(moves):,} moves, and the record says {cost}"
    return ""

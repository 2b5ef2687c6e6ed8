"""One run of a study as it is remembered: what ran, on what, how it ended, what it took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from importlib import import_module
from typing import Any

from taquin.errors import UnsuitableError
from taquin.search.result import Count, Limits, Stats

Cell = str | int | float | bool
"""What a column of a study may hold."""


class Ending(Enum):
    """How a run ended."""

    SOLVED = "solved"
    """A solution was found."""
    UNSOLVABLE = "unsolvable"
    """It is proven that there is none."""
    LIMIT = "limit"
    """A limit on nodes, seconds or depth, or the width of a beam, ended the search."""
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

    key: str
    """Names the run for good: the same board, search, limits, seed and code give the same key."""
    study: str
    """Name of the study that ran it."""
    board: str
    """Label of the board within the study: `P1`, `korf100 7`."""
    search: str
    """Label of the search within the study: `A*`, `IDA* linear-conflict`."""
    start: str
    """Text of the board, as `Board.text` writes it."""
    goal: str
    """Text of the goal, as `Goal.text` writes it."""
    metric: str
    """What counts as one move: `single` or `multi`."""
    algorithm: str
    """The algorithm printed with every convention, the seed left out; `best` where the engine
    was to choose."""
    limits: Limits
    """When it was to give up."""
    ending: Ending
    """How it ended."""
    ran: str = ""
    """The algorithm that ran, printed as in `Result.algorithm`; empty when none did."""
    seed: int | None = None
    """Seed of the search's random choices; None for a search without."""
    repetition: int = 1
    """Which of several equal runs this is, from 1."""
    columns: Mapping[str, Cell] = field(default_factory=dict)
    """What else the study says about the board and the search: `width`, `obstacles`, `moves` …"""
    printed: float | None = None
    """The figure that the source document prints for this board and search; None for none."""
    reason: str = ""
    """In words: why there is no solution, which limit was reached, what went wrong."""
    cost: int | None = None
    """Number of moves of the solution in the metric; None when none was found."""
    lower_bound: int = 0
    """Every solution is proven to have at least this many moves."""
    stats: Stats = field(default_factory=Stats)
    """Every counter, the seconds and the peak memory of this run alone."""
    engine: str = ""
    """What ran it: `glass-box`, or a compiled engine."""
    code: str = ""
    """Version of the code that ran it: release, `+`, digest of the source."""
    machine: str = ""
    """Where it ran: host, processor, number of cores, Python."""
    when: str = ""
    """When it ended: ISO 8601, UTC."""

    @property
    def solved(self) -> bool:
        """Tell whether a solution was found."""
        return self.ending is Ending.SOLVED

    @property
    def optimal(self) -> bool:
        """Tell whether the solution is proven to be a shortest one."""
        return self.cost is not None and self.cost == self.lower_bound

    @property
    def seconds(self) -> float:
        """Return the wall-clock time of the search."""
        return self.stats.seconds

    def count(self, counting: Count) -> int:
        """Return the counter that `counting` names."""
        return self.stats.count(counting)

    def row(self) -> dict[str, Cell | None]:
        """Return the record as one flat row: for CSV, JSON lines, or a data frame.

        Limits become `limit_nodes`, `limit_seconds`, `limit_depth`, `limit_memory`, `counting`. The
        columns of the study come last; one that has the name of a field is written
        `column_<name>`.
        """
        row: dict[str, Cell | None] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "limits":
                row |= {
                    f"limit_{name}": getattr(value, name)
                    for name in ("nodes", "seconds", "depth", "memory")
                }
                row["counting"] = value.counting.value
            elif each.name == "stats":
                row |= {counter.name: getattr(value, counter.name) for counter in fields(value)}
            elif each.name == "ending":
                row["ending"] = value.value
            elif each.name == "lower_bound":
                row |= {"lower_bound": value, "optimal": self.optimal}
            elif each.name != "columns":
                row[each.name] = value
        for name, value in self.columns.items():
            row[f"column_{name}" if name in row else name] = value
        return row


class Records(list[Record]):
    """The records of a study, in the order of its boards and searches."""

    def rows(self) -> list[dict[str, Cell | None]]:
        """Return every record as a flat row, all with the same keys in the same order."""
        rows = [record.row() for record in self]
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

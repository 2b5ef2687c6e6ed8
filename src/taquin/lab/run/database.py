"""The record of one run, and the SQLite file of all records of a study: durable, resumable, shared.

    Record  =  Run: the search and the board  +  the result  +  machine and time

`row_of` and `record_of` convert between a record and a flat row of texts and numbers. The database,
the exports and data frames all hold such rows. `Store` is the database, one file for each study:

    records     one row per finished run; the first record of a key stays
    runners     the runners at work, with the time of the last heartbeat
    claims      the runs that a runner is about to do
    provenance  versions, system and machine of runs; records have the digest of theirs

The file is in WAL mode with full synchronisation: a committed transaction survives kill -9 and a
power cut, and readers never wait. WAL needs all runners on one machine; in a cluster, one writes.

Every record has a checksum of its fields, so that a damaged one is noticed: it is named and left
out, and the next run of the study does it again. A file of another format is refused.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import lru_cache, partial
from hashlib import blake2b
from importlib import import_module
from operator import attrgetter
from os import PathLike, fspath
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from taquin import Board, Goal, Limits, Metric, Puzzle, Stats, TaquinError
from taquin.errors import StorageError, UnsuitableError
from taquin.heuristics.user_code import MISSING
from taquin.lab.study.definition import COLUMN_TYPES, ColumnValue, Job, Run, Study, jobs_of
from taquin.lab.study.identity import SEPARATOR
from taquin.notation.moves import moves_on
from taquin.search.result import COUNTERS, Count
from taquin.system.files import data_folder
from taquin.system.formatting import shorten
from taquin.system.lazy import not_installed


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
    provenance: str = field(default="", compare=False)
    """Versions, system and machine as a JSON object; empty if they were not recorded."""

    @property
    def provenance_digest(self) -> str | None:
        """The digest of the provenance; None if there is none."""
        return _digest(self.provenance)

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
    "provenance": "provenance_digest",
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


def record_of(row: Mapping[str, Any], columns: Mapping[str, ColumnValue]) -> Record:
    """Return the record of a flat row and of the columns of its study."""
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


_FULL = (
    "no room to write records to {path} ({error}): what was recorded is safe; free some space and "
    "run again to go on"
)
_SENTENCES = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: _FULL,
    sqlite3.SQLITE_BUSY: "{path} is in use by another program ({error}): try again",
    sqlite3.SQLITE_NOTADB: "{path} is not a file of records: it is not in SQLite's format",
}
"""What errors of SQLite mean, by their codes."""
SUFFIX = ".sqlite"
"""How the names of files of records end."""
SCHEMA = 9
"""The version of the tables; every change of the fields increments it."""
_CHECKSUM = "checksum"

_APPLICATION = 0x7471_7561
"""The application id that marks a SQLite file as taquin's."""
_PATIENCE = 30.0
"""Seconds to wait for another writer."""

_TYPES = {
    **dict.fromkeys(FIELDS, "TEXT NOT NULL"),
    **dict.fromkeys(("repetition", "lower_bound", "peak_memory"), "INTEGER NOT NULL"),
    **dict.fromkeys(("solved", "optimal"), "INTEGER NOT NULL"),
    **dict.fromkeys(("limit_nodes", "limit_depth", "limit_memory", "seed", "cost"), "INTEGER"),
    **dict.fromkeys(COUNTERS, "INTEGER"),
    **dict.fromkeys(("limit_seconds", "printed"), "REAL"),
    "key": "TEXT PRIMARY KEY",
    **dict.fromkeys(("seconds", "cpu_seconds", "preparation_seconds"), "REAL NOT NULL"),
    **dict.fromkeys(("limit_reached", "solution", "provenance"), "TEXT"),
    "columns": "TEXT NOT NULL",
}
"""The SQL types of a record's fields; the columns of the study are one JSON text."""

_PYTHON: dict[str, type] = {"TEXT": str, "INTEGER": int, "REAL": float}
_VALID_TYPES = {
    name: (_PYTHON[kind.split()[0]], *(() if " " in kind else (type(None),)))
    for name, kind in _TYPES.items()
}
"""The Python types that each field may have: its own and, unless NOT NULL, None."""

_MEMBERS = {
    "ending": [ending.value for ending in Ending],
    "counting": [count.value for count in Count],
}

_COLUMNS = {**_TYPES, _CHECKSUM: "TEXT"}
_TABLE = ", ".join(f'"{name}" {kind}' for name, kind in _COLUMNS.items())
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
_NEW = f"""
    CREATE TABLE records ({_TABLE});
    CREATE TABLE runners (id TEXT PRIMARY KEY, host TEXT, pid INTEGER, beat REAL);
    CREATE TABLE claims (key TEXT PRIMARY KEY, runner TEXT NOT NULL);
    CREATE TABLE provenance (digest TEXT PRIMARY KEY, content TEXT NOT NULL);
    CREATE INDEX claims_of_runner ON claims (runner);
    PRAGMA application_id = {_APPLICATION};
    PRAGMA user_version = {SCHEMA};
"""
_INSERT = f"""
    INSERT INTO records ({_NAMES}) VALUES ({", ".join("?" for _ in _COLUMNS)})
    ON CONFLICT (key) DO NOTHING
"""


def default_folder() -> Path:
    """Return the user's folder for records."""
    return data_folder() / "studies"


def store_path(study: str, where: str | PathLike[str] | None = None) -> Path:
    """Return the file of a study: `where` if that is an `.sqlite` file, else in that folder.

    >>> store_path("s3-width", "results").as_posix()
    'results/s3-width.sqlite'
    """
    if where is None:
        return default_folder() / f"{study}{SUFFIX}"
    path = Path(fspath(where))
    return path if path.suffix == SUFFIX else path / f"{study}{SUFFIX}"


class Store:
    """An open file of records, which must exist unless it is opened to `write`."""

    def __init__(self, path: str | PathLike[str], *, write: bool = False) -> None:
        self.path = Path(fspath(path))
        if not write and not self.path.is_file():
            raise StorageError(f"there are no records in {self.path}: run the study first")
        with self._explained():
            if write:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = self._connect("rwc")
                self._prepare()
            else:
                self._connect_to_read()
        version = self._number("user_version")
        if version != SCHEMA:
            self.close()
            raise StorageError(
                f"{self.path} has records in format {version}, and this taquin reads format "
                f"{SCHEMA}: move or delete the file and run the study again, or use the taquin "
                f"that wrote it"
            )

    @classmethod
    def of_study(
        cls, study: str, where: str | PathLike[str] | None = None, *, write: bool = False
    ) -> Store:
        """Open the file of a study; see `store_path`."""
        return cls(store_path(study, where), write=write)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        # Closing merges the log into the file; on a full disk that fails, and the log stays.
        with suppress(sqlite3.Error):
            self._connection.close()

    def keys(self) -> set[str]:
        """Return the keys of all records."""
        return {key for (key,) in self.rows("SELECT key FROM records")}

    def records(self, faults: list[str] | None = None) -> Iterator[Record]:
        """Yield all records, in the order in which the runs ended.

        A row that is not a record adds a sentence to `faults`, or raises StorageError without it.
        """
        with self._explained():
            provenance = self._provenance()
            for _, values, why in self._checked_rows():
                if why is None:
                    record = record_of(values, _columns(values["columns"]))
                    known = provenance.get(values["provenance"], "")
                    yield replace(record, provenance=known) if known else record
                    continue
                fault = f"{_name(values)} cannot be read and is left out: {why}"
                if faults is None:
                    raise StorageError(f"{self.path}: {fault}")
                faults.append(fault)

    def _checked_rows(self) -> Iterator[tuple[int, dict[str, Any], str | None]]:
        """Yield rowid, values and fault of each row, in the order in which the runs ended."""
        query = f"SELECT rowid, {_NAMES} FROM records ORDER BY rowid"
        for number, *row in self._connection.execute(query):
            values = dict(zip(_COLUMNS, row, strict=True))
            checksum = values.pop(_CHECKSUM)
            why = next(_faults(values), None)
            if why is None and checksum != _checksum(values):
                why = "its checksum does not match, so the file was damaged or edited"
            yield number, values, why

    def remove_damaged(self) -> list[str]:
        """Remove the rows that are no valid records, so that they are run again; name them."""
        with self._explained():
            damaged = [
                (number, f"{_name(values)} was damaged ({why}), and its run was done again")
                for number, values, why in self._checked_rows()
                if why is not None
            ]
        if damaged:
            with self.transaction() as connection:
                # The index may hold another key than a damaged row, which then cannot be deleted.
                connection.execute("REINDEX records")
                connection.executemany(
                    "DELETE FROM records WHERE rowid = ?", [(number,) for number, _ in damaged]
                )
        return [sentence for _, sentence in damaged]

    def all_records(self) -> Records:
        """Return all valid records, in the order in which the runs ended."""
        records = Records()
        records.extend(self.records(records.faults))
        return records

    def records_of(self, study: Study, code: str | None = None) -> Records:
        """Return the records of a study, board by board; runs not yet done are missing.

        Labels, columns and printed figures are those of `study`. `code` is the version of the code
        that ran, by default the current one. If a file of user code is gone, the latest
        record with that search is taken.
        """
        return self.records_for(jobs_of(study, code))

    def records_for(self, jobs: Iterable[Job]) -> Records:
        """Return the records of these runs, in their order; runs not yet done are missing."""
        stored: dict[Hashable, Record] = {}
        records = Records()
        for record in self.records(records.faults):
            stored[record.key] = stored[_identity(record.run)] = record
        for job in jobs:
            parts = job.run.own_code.split(SEPARATOR)
            is_gone = any(part.endswith(f" {MISSING}") for part in parts)
            identity = _identity(job.run) if is_gone else job.key
            if identity in stored:
                record = stored[identity]
                records.append(replace(record, run=replace(job.run, key=record.key)))
        return records

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query."""
        with self._explained():
            return self._connection.execute(query).fetchall()

    def __len__(self) -> int:
        ((number,),) = self.rows("SELECT count(*) FROM records")
        return int(number)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Commit the block as one transaction, with no other writer in between, or roll it back."""
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def add(self, records: Iterable[Record]) -> None:
        """Add records, within a transaction; a run that has a record keeps it."""
        records = list(records)
        contents = {record.provenance for record in records if record.provenance}
        self._connection.executemany(
            "INSERT OR IGNORE INTO provenance VALUES (?, ?)",
            [(_digest(content), content) for content in contents],
        )
        self._connection.executemany(_INSERT, map(_row_of, records))

    def _connect(self, mode: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=_PATIENCE,
            isolation_level=None,
            check_same_thread=False,
        )
        # One text that is not UTF-8 must not hide all the others.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        return connection

    def _prepare(self) -> None:
        until = monotonic() + _PATIENCE
        while True:
            # If another runner turns on WAL mode at the same time, SQLite does not wait.
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                    raise
                sleep(0.02)
        self._connection.execute("PRAGMA synchronous = FULL")
        with self.transaction():
            if self._number("user_version") == 0 and not self._number("schema_version"):
                # One by one, because `executescript` would end the transaction.
                for statement in filter(str.strip, _NEW.split(";")):
                    self._connection.execute(statement)
            self._check()

    def _provenance(self) -> dict[str, str]:
        """Return the provenance of records by its digest; content that was damaged is left out."""
        rows = self._connection.execute("SELECT digest, content FROM provenance")
        return {digest: content for digest, content in rows if _digest(str(content)) == digest}

    def _connect_to_read(self) -> None:
        # To read a file in WAL mode, SQLite writes a small index next to it. On a full disk or in a
        # read-only folder, it keeps the index in memory, provided that it need not share it.
        has_log = self.path.with_name(f"{self.path.name}-wal").exists()
        ways = [("rw", False), ("ro", False), ("rw", True)]
        ways += [] if has_log else [("ro&immutable=1", False)]
        for number, (mode, is_exclusive) in enumerate(ways, 1):
            try:
                self._connection = self._connect(mode)
                if is_exclusive:
                    self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._check()
                return
            except sqlite3.OperationalError:
                if number == len(ways):
                    raise

    def _check(self) -> None:
        if self._number("application_id") != _APPLICATION:
            raise StorageError(f"{self.path} is not a file of records: taquin did not write it")
        self._connection.execute("SELECT count(*) FROM runners").fetchone()

    def _number(self, pragma: str) -> int:
        (number,) = self._connection.execute(f"PRAGMA {pragma}").fetchone()
        return int(number)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite and of the system into a StorageError."""
        try:
            yield
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            sentence = _SENTENCES.get(code, "{path}: {error}")
            raise StorageError(sentence.format(path=self.path, error=error)) from error
        except OSError as error:
            raise StorageError(f"{error.filename or self.path}: {error.strerror}") from error


def _identity(run: Run) -> Hashable:
    """Return everything that a key is made of except user code."""
    code = (run.algorithm, run.seed, run.code)
    return (run.start, run.goal, run.metric, *code, run.limits, run.repetition)


def _row_of(record: Record) -> list[ColumnValue | None]:
    """Return a record as a row of the table."""
    row = row_of(record)
    columns = json.dumps(dict(record.run.columns), ensure_ascii=False)
    given = {**{name: row[name] for name in FIELDS}, "columns": columns}
    # The types that SQLite would convert to, for the checksum.
    values = {
        name: None if value is None else _VALID_TYPES[name][0](value)
        for name, value in given.items()
    }
    return [*values.values(), _checksum(values)]


def _checksum(values: dict[str, Any]) -> str:
    """Return the checksum of a record's fields, as the database returns them.

    A field that is NULL does not count, so that a new column leaves the checksums valid.
    """
    stored = {
        # SQLite has no -0.0; + 0.0 makes it 0.0.
        name: value + 0.0 if isinstance(value, float) else value
        for name, value in values.items()
        if value is not None
    }
    text = json.dumps(stored, sort_keys=True, default=repr)
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


@lru_cache(maxsize=256)
def _digest(provenance: str) -> str | None:
    """Return the digest by which records refer to their provenance."""
    return blake2b(provenance.encode(), digest_size=8).hexdigest() if provenance else None


def _name(values: dict[str, Any]) -> str:
    """Return how messages name a record: by its key, board and search."""
    names = (shorten(str(values[name]), 40) for name in ("key", "board", "search"))
    return f"the record {', '.join(names)}"


def _faults(values: dict[str, Any]) -> Iterator[str]:
    """Yield why a row of the table is not a valid record."""
    for name, kinds in _VALID_TYPES.items():
        if type(values[name]) not in kinds:
            yield f"{name} is {shorten(str(values[name]))}"
    for name, members in _MEMBERS.items():
        if values[name] not in members:
            yield f"there is no {name} {shorten(values[name])}"
    for name in ("limit_nodes", "limit_seconds", "limit_depth", "limit_memory"):
        # `Limits` would raise for these, and no record could be read.
        if (values[name] or 0) < 0:
            yield f"{name} is {values[name]}"
    try:
        if not all(type(value) in COLUMN_TYPES for value in _columns(values["columns"]).values()):
            yield "its columns hold a value that is neither a text nor a number"
    except (ValueError, RecursionError, AttributeError):
        yield f"its columns are not a JSON object: {shorten(values['columns'])}"


@lru_cache(maxsize=4096)
def _columns(text: str) -> dict[str, ColumnValue]:
    columns: dict[str, ColumnValue] = json.loads(text)
    return columns

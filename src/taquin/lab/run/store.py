"""The records of one study in one SQLite file: durable, resumable, shared by several runners.

    records     one row per finished run; the first record of a key stays
    runners     the runners at work, with the time of the last heartbeat
    claims      the runs that a runner is about to do

The file is in WAL mode with full synchronisation: a committed transaction survives kill -9 and a
power cut, and readers never wait. WAL needs all runners on one machine; in a cluster, one writes.

Every record has a checksum of its fields, so that a damaged one is noticed: it is named and left
out, and the next run of the study does it again. Files of format 7, which had none, can be read;
opening one to write adds the columns that it lacks, and the checksums of its records as they are.
Other formats are refused.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import blake2b
from os import PathLike, fspath
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from taquin.errors import StorageError
from taquin.heuristics.own import own_code_in
from taquin.lab.run.record import FIELDS, Ending, Record, Records, record_of, row_of
from taquin.lab.study.study import COLUMN_TYPES, ColumnValue, Job, Run, Study, jobs_of
from taquin.search.result import COUNTERS, Count
from taquin.system.files import data_folder
from taquin.system.words import shorten

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
SCHEMA = 8
"""The version of the tables; every change of the fields increments it."""
_OLDEST = 7
"""The oldest version that can be read: its fields are a subset of today's."""
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
    **dict.fromkeys(("limit_reached", "solution"), "TEXT"),
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
        self.has_checksums = version == SCHEMA
        """Whether damage is noticed; not in a file of an older format, until it is written to."""
        if not _OLDEST <= version <= SCHEMA:
            self.close()
            raise StorageError(
                f"{self.path} has records in format {version}, and this taquin reads formats "
                f"{_OLDEST} to {SCHEMA}: move or delete the file and run the study again, or use "
                f"the taquin that wrote it"
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
            for _, values, why in self._checked_rows():
                if why is None:
                    yield record_of(values, _columns(values["columns"]))
                    continue
                fault = f"{_name(values)} cannot be read and is left out: {why}"
                if faults is None:
                    raise StorageError(f"{self.path}: {fault}")
                faults.append(fault)

    def _checked_rows(self) -> Iterator[tuple[int, dict[str, Any], str | None]]:
        """Yield rowid, values and fault of each row, in the order in which the runs ended."""
        there = self._columns_there()
        names = (f'"{name}"' if name in there else "NULL" for name in _COLUMNS)
        query = f"SELECT rowid, {', '.join(names)} FROM records ORDER BY rowid"
        for number, *row in self._connection.execute(query):
            values = dict(zip(_COLUMNS, row, strict=True))
            checksum = values.pop(_CHECKSUM)
            why = next(_faults(values), None)
            if why is None and self.has_checksums and checksum != _checksum(values):
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
        that ran, by default the current one. If the file of the user's own code is gone, the latest
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
            is_gone = any(code.text is None for code in own_code_in(job.algorithm))
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
        self._connection.executemany(_INSERT, map(_values, records))

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
            if _OLDEST <= self._number("user_version") < SCHEMA:
                self._upgrade()

    def _upgrade(self) -> None:
        """Add the columns that an older format lacks, and checksums, within a transaction."""
        execute = self._connection.execute
        there = self._columns_there()
        for name in _COLUMNS.keys() - there:
            execute(f'ALTER TABLE records ADD COLUMN "{name}" {_COLUMNS[name]}')
        names = ", ".join(f'"{name}"' for name in _TYPES)
        for number, *row in execute(f"SELECT rowid, {names} FROM records").fetchall():
            checksum = _checksum(dict(zip(_TYPES, row, strict=True)))
            execute(f"UPDATE records SET {_CHECKSUM} = ? WHERE rowid = ?", (checksum, number))
        execute(f"PRAGMA user_version = {SCHEMA}")

    def _columns_there(self) -> set[str]:
        """Return the names of the columns that the file has."""
        query = "SELECT name FROM pragma_table_info('records')"
        return {name for (name,) in self._connection.execute(query)}

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
    """Return everything that a key is made of except the user's own code."""
    code = (run.algorithm, run.seed, run.code)
    return (run.start, run.goal, run.metric, *code, run.limits, run.repetition)


def _values(record: Record) -> list[ColumnValue | None]:
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

"""Records that an earlier taquin wrote in format 1: they are read, reported, exported and migrated.

`records_v1.sqlite` was written by that code, and so were its export and its report beside it.
"""

from __future__ import annotations

import csv
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from taquin.lab.report.measures import MEASURES, Grouping
from taquin.lab.report.spec import ReportSpec, TableSpec, Tabling
from taquin.lab.report.tables import table_of
from taquin.lab.run.record import Records
from taquin.lab.run.store import Store
from taquin.search.result import COUNTERS
from tests.cli.runs import run
from tests.lab.worlds import small_study

NAME = "records_v1"

DYING = """
import os, signal, sqlite3, sys
from taquin.lab.run import store

class Dying(sqlite3.Connection):
    def execute(self, *words):
        if sys.argv[2] in words[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(*words)

connect = sqlite3.connect
sqlite3.connect = lambda *words, **options: connect(*words, factory=Dying, **options)
store.Store(sys.argv[1], write=True).close()
"""
"""Opens a file to write, and is killed before the given statement."""


@pytest.fixture
def path(data: Path, tmp_path: Path) -> Path:
    """Return a copy of the file that may be changed."""
    return Path(shutil.copy(data / f"{NAME}.sqlite", tmp_path))


@pytest.fixture
def exported(data: Path) -> list[dict[str, str]]:
    """Return the rows that the code of that time exported."""
    with (data / f"{NAME}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read(path: Path) -> Records:
    with Store(path) as store:
        return Records(store.records())


def as_exported(records: Records) -> list[dict[str, str]]:
    """Return the rows of records as the text of a CSV file, without what format 1 did not have."""
    rows = []
    for row in records.rows():
        assert row.pop("limit_reached") is None
        rows.append({key: "" if value is None else str(value) for key, value in row.items()})
    return rows


def without_uncounted(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return exported rows without the zeros that stood for counters a compiled engine lacks."""
    uncounted = set(COUNTERS) - {"generated"}
    return [
        {
            key: "" if key in uncounted and row["engine"] != "glass-box" else value
            for key, value in row.items()
        }
        for row in rows
    ]


def test_the_file_has_every_kind_of_ending_and_compiled_engines(path: Path) -> None:
    records = read(path)
    assert {record.ending.value for record in records} == {
        *("solved", "unsolvable", "limit", "out-of-memory", "crashed")
    }
    assert {record.engine for record in records} == {
        *("", "glass-box", "complete table", "cpu, 1 thread")
    }


def test_every_record_is_read_as_it_was_exported(
    path: Path, exported: list[dict[str, str]]
) -> None:
    found = as_exported(read(path))
    assert found == without_uncounted(exported)
    assert [list(row) for row in found] == [list(row) for row in exported]


def test_reading_changes_nothing(path: Path) -> None:
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before


def test_the_report_is_the_one_of_that_time(path: Path, data: Path) -> None:
    printed = run("study", "report", NAME, "--store", str(path.parent)).stdout
    assert printed == (data / f"{NAME}_report.txt").read_text(encoding="utf-8")


def test_opening_it_to_write_migrates_it_and_keeps_every_record(path: Path) -> None:
    before = read(path)
    with Store(path, write=True) as store:
        assert store.rows("PRAGMA user_version") == [(2,)]
        assert list(store.records()) == before
    assert read(path) == before


def test_a_migrated_file_takes_new_records(path: Path) -> None:
    before = read(path)
    new = small_study(boards=1).run(path, processes=0)
    assert read(path) == [*before, *new]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize(
    "statement", ["INSERT", "DROP", "ALTER", "PRAGMA user_version = 2", "COMMIT"]
)
def test_a_migration_that_is_killed_loses_nothing(path: Path, statement: str) -> None:
    before = read(path)
    killed = subprocess.run([sys.executable, "-c", DYING, str(path), statement], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert read(path) == before
    assert _version(path) == 1
    Store(path, write=True).close()
    assert read(path) == before
    assert _version(path) == 2


def _version(path: Path) -> int:
    connection = sqlite3.connect(path)
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    connection.close()
    return int(version)


def test_a_counter_that_no_run_kept_is_a_dash_in_a_report(path: Path) -> None:
    compiled = [record for record in read(path) if record.engine == "cpu, 1 thread"]
    for name, shown in (("expanded", "–"), ("generated", "78,810")):
        spec = TableSpec(Tabling.OVERVIEW, MEASURES[name])
        table = table_of(spec, Grouping(compiled), ReportSpec())
        assert table.entry("best", MEASURES[name].unit).text == shown

"""The file of records: what is written stays, whatever happens to the disk."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import TaquinError
from taquin.lab.run.database import (
    FIELDS,
    SCHEMA,
    Ending,
    Record,
    Store,
    record_of,
    row_of,
    store_path,
)
from taquin.lab.run.executor import SameThread
from taquin.lab.run.runner import run_jobs
from taquin.lab.study.definition import Run
from taquin.search.result import Count, Limits, Stats
from tests.lab.worlds import CODE, comparable, jobs, run_into, small_study, undisturbed

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

numbers = st.integers(min_value=0, max_value=2**60)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.sampled_from(["cost", "width", "column_cost", "column_", "columns"])
cells = st.one_of(texts, st.integers(-(2**60), 2**60), st.booleans(), st.floats(allow_nan=False))
BY_TYPE: dict[str, st.SearchStrategy[object]] = {
    "str": texts,
    "str | None": st.none() | texts,
    "int": numbers,
    "int | None": st.none() | numbers,
    "float": st.floats(0, 1e9),
    "float | None": st.none() | st.floats(0, 1e9),
    "Mapping[str, ColumnValue]": st.dictionaries(texts | names, cells, max_size=3),
    "Count": st.sampled_from(Count),
    "Ending": st.sampled_from(Ending),
}
T = TypeVar("T", bound="DataclassInstance")


def drawn(
    kind: type[T], *without: str, **special: st.SearchStrategy[object]
) -> st.SearchStrategy[T]:
    """Return values of a dataclass with anything in its fields, but for those left `without`."""
    chosen = {each.name: str(each.type) for each in fields(kind) if each.name not in without}
    return st.builds(kind, **({name: BY_TYPE[type_] for name, type_ in chosen.items()} | special))


BY_TYPE["Limits"] = drawn(Limits, "cpu_seconds")
BY_TYPE["Stats"] = drawn(Stats)
BY_TYPE["Run"] = drawn(Run, printed=st.none() | st.floats(allow_nan=False))
records = drawn(Record, "provenance")

PLAIN = Record(Run("k", "s", "b", "a", "1 0", "1 0", "single", "bfs"), Ending.SOLVED)


@given(records)
def test_a_record_comes_back_from_its_row_and_from_the_file_as_it_was(record: Record) -> None:
    row = row_of(record)
    assert tuple(row)[: len(FIELDS)] == FIELDS
    assert record_of(row, record.run.columns) == record
    with TemporaryDirectory() as folder, Store(Path(folder, "a.sqlite"), write=True) as store:
        with store.transaction():
            store.add([record])
        assert list(store.records()) == [record]


def test_records_come_back_in_the_order_they_were_added_and_the_first_of_a_run_stays(
    tmp_path: Path,
) -> None:
    made = [
        replace(PLAIN, run=replace(PLAIN.run, key=str(number)), cost=number) for number in (3, 1, 2)
    ]
    with Store(tmp_path / "a.sqlite", write=True) as store:
        for records in (made, [replace(made[0], cost=9)]):
            with store.transaction():
                store.add(records)
        assert list(store.records()) == made
        assert store.keys() == {"1", "2", "3"}
        assert len(store) == 3


def test_the_file_of_a_study_is_in_the_folder_or_the_file_itself(tmp_path: Path) -> None:
    assert store_path("mine", "there") == Path("there/mine.sqlite")
    assert store_path("mine", "there/other.sqlite") == Path("there/other.sqlite")
    assert store_path("mine").name == "mine.sqlite"
    with pytest.raises(TaquinError, match=r"no records in .*a\.sqlite: run the study first"):
        Store(tmp_path / "a.sqlite")


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(store: Store) -> None:
        with store.transaction():
            store.add([PLAIN])
            raise ZeroDivisionError

    with Store(tmp_path / "a.sqlite", write=True) as store:
        with pytest.raises(ZeroDivisionError):
            fail(store)
        assert len(store) == 0


def made_by_sqlite(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("write", [False, True])
def test_a_file_of_another_kind_or_format_is_refused_and_says_what_to_do(
    tmp_path: Path, write: bool
) -> None:
    letter, aunts = tmp_path / "a.sqlite", tmp_path / "b.sqlite"
    letter.write_bytes(b"this is a letter to my aunt, and no database at all" * 20)
    with pytest.raises(TaquinError, match="not a file of records"):
        Store(letter, write=write)
    made_by_sqlite(aunts, "CREATE TABLE aunts (name)")
    with pytest.raises(TaquinError, match="taquin did not write it"):
        Store(aunts, write=write)
    for other in (SCHEMA - 1, SCHEMA + 1):
        path = tmp_path / f"{other}.sqlite"
        Store(path, write=True).close()
        made_by_sqlite(path, f"PRAGMA user_version = {other}")
        expected = f"format {other}, and this taquin reads format {SCHEMA}: move or delete"
        with pytest.raises(TaquinError, match=expected):
            Store(path, write=write)


def test_runners_that_make_the_file_at_the_same_time_do_not_clash(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def make(path: Path, together: threading.Barrier) -> None:
        together.wait()
        try:
            Store(path, write=True).close()
        except TaquinError as error:
            failures.append(error)

    for number in range(20):
        together = threading.Barrier(4)
        path = tmp_path / f"{number}.sqlite"
        threads = [threading.Thread(target=make, args=(path, together)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failures == []


def test_a_file_that_may_only_be_read_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    path = folder / "a.sqlite"
    expected = run_into(path, small_study(boards=1))
    os.chmod(path, 0o444)
    os.chmod(folder, 0o555)
    try:
        with Store(path) as store:
            assert comparable(store.records()) == expected
    finally:
        os.chmod(folder, 0o755)


def test_a_disk_that_is_full_is_told_in_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    study, path = small_study(boards=15, nodes=20), tmp_path / "a.sqlite"
    with Store(path, write=True) as store:
        ((pages,),) = store.rows("PRAGMA page_count")
        store.rows(f"PRAGMA max_page_count = {pages + 6}")
        with pytest.raises(TaquinError, match=r"no room to write records .* run again to go on"):
            run_jobs(jobs(study), store, SameThread)
        held = len(store)
    assert 0 < held < len(jobs(study))
    with Store(path) as store:
        assert len(store) == held
    assert run_into(path, study) == undisturbed(study, tmp_path)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of 200 kB, where that is allowed."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip("only root may mount a disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_real_disk_that_is_full_leaves_a_readable_file(tiny_disk: Path, tmp_path: Path) -> None:
    study, path = small_study(boards=40, nodes=5), tiny_disk / "a.sqlite"
    with pytest.raises(TaquinError, match="no room to write records"):
        run_into(path, study)
    # Not one byte is left now.
    with pytest.raises(OSError, match="No space left"):
        (tiny_disk / "fill").write_bytes(bytes(1 << 20))
    with Store(path) as store:
        held = comparable(store.records())
    assert 0 < len(held) < len(jobs(study))
    expected = undisturbed(study, tmp_path)
    assert held.items() <= expected.items()
    (tiny_disk / "fill").unlink()
    subprocess.run(["mount", "-o", "remount,size=8m", str(tiny_disk)], check=True)
    assert run_into(path, study) == expected


DAMAGES = {
    "ending = 'perhaps'": "there is no ending 'perhaps'",
    "counting = 'stars'": "there is no counting 'stars'",
    "columns = '{'": "its columns are not a JSON object",
    "columns = '[1]'": "its columns are not a JSON object",
    "columns = '{\"a\": [1]}'": "its columns hold a value that is neither a text nor a number",
    "columns = '" + "[" * 20_000 + "'": "its columns are not a JSON object",
    "generated = 'many'": "generated is 'many'",
    "seconds = 'long'": "seconds is 'long'",
    "cost = x'00'": "cost is",
    "board = x'ff00'": "board is",
    "search = CAST(x'ff' AS TEXT), ending = ''": "there is no ending ''",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_record_that_cannot_be_read_is_named_and_hides_no_other(
    damage: str, tmp_path: Path
) -> None:
    study = small_study(1)
    path = store_path(study.name, tmp_path)
    whole = run_into(path, study)
    with sqlite3.connect(path) as connection:
        (key,) = connection.execute("SELECT key FROM records LIMIT 1 OFFSET 1").fetchone()
        connection.execute(f"UPDATE records SET {damage} WHERE key = ?", (key,))
    connection.close()
    with Store(path) as store:
        found = store.records_of(study, CODE)
        (fault,) = found.faults
        assert store.all_records().faults == [fault]
        with pytest.raises(TaquinError, match="cannot be read"):
            list(store.records())
    assert comparable(found) == {name: each for name, each in whole.items() if name != key}
    assert DAMAGES[damage] in fault
    assert key[:12] in fault
    assert len(fault) < 300


def row_in(content: bytes, key: str, checksum: str) -> range:
    """Return where the row of a record lies in a file: its header, its fields, its checksum."""
    end = content.index(checksum.encode()) + len(checksum)
    first_field = content.rindex(key.encode(), 0, end)
    # A row begins with a header: its own length, here one byte, and the type of each field. The
    # last byte of each is below 128. Beside the fields there are the columns and the checksum.
    (header,) = (
        first_field - size
        for size in range(128)
        if content[first_field - size] == size
        and sum(byte < 128 for byte in content[first_field - size : first_field])
        == 1 + len(FIELDS) + 2
    )
    return range(header, end)


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "small.sqlite"
    run_into(path, small_study(1))
    return path


def noticed(path: Path, whole: Path, place: int, bit: int) -> bool:
    """Return whether a flipped bit is noticed; what is read must be one of the records anyway."""
    content = bytearray(whole.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)
    with Store(whole) as store:
        expected = {record.key: record for record in store.records()}
    faults: list[str] = []
    try:
        with Store(path) as store:
            for record in store.records(faults):
                assert expected.pop(record.key) == record, (place, bit)
    except TaquinError:
        # SQLite notices that the row is none.
        return True
    assert len(expected) == len(faults) <= 1, (place, bit)
    return bool(faults)


def places_of_one_record(whole: Path) -> range:
    with sqlite3.connect(whole) as connection:
        query = "SELECT key, checksum FROM records LIMIT 1 OFFSET 2"
        (row,) = connection.execute(query).fetchall()
    connection.close()
    return row_in(whole.read_bytes(), *row)


def test_a_record_with_a_damaged_key_is_removed_and_run_again(
    whole_file: Path, tmp_path: Path
) -> None:
    path, study = tmp_path / "a.sqlite", small_study(1)
    content = bytearray(whole_file.read_bytes())
    with Store(whole_file) as store:
        whole = comparable(store.records())
    place = places_of_one_record(whole_file)
    key = next(key for key in whole if key.encode() in content[place.start : place.stop])
    content[content.index(key.encode(), place.start)] ^= 1
    path.write_bytes(content)
    # The index of the file still has the old key.
    with Store(path, write=True) as store:
        (sentence,) = store.remove_damaged()
        assert "its checksum does not match" in sentence
        assert len(store) == len(whole) - 1
        assert store.remove_damaged() == []
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
    assert run_into(path, study) == whole


@pytest.mark.slow
def test_every_flipped_bit_of_a_record_is_noticed(whole_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "flipped.sqlite"
    flips = [(place, bit) for place in places_of_one_record(whole_file) for bit in range(8)]
    assert len(flips) > 2_400
    assert [flip for flip in flips if not noticed(path, whole_file, *flip)] == []


def test_provenance_is_no_part_of_a_key_and_is_stored_once(tmp_path: Path) -> None:
    study = small_study(1)
    first = study.run(tmp_path, processes=0)
    path = store_path(study.name, tmp_path)
    with Store(path, write=True) as store, store.transaction():
        other = [
            replace(record, run=replace(record.run, key=f"other {record.key}"), provenance="{}")
            for record in first
        ]
        store.add(other)
    with Store(path) as store:
        assert len(store.rows("SELECT * FROM provenance")) == 2
        records = store.all_records()
    assert {record.provenance_digest for record in records[: len(first)]} == {
        first[0].provenance_digest
    }
    assert [record.provenance for record in records[len(first) :]] == ["{}"] * len(first)
    assert [record.key for record in study.run(tmp_path, processes=0)] == [
        record.key for record in first
    ]
    (here,) = {record.provenance for record in first}
    assert json.loads(here).keys() >= {
        *("taquin", "commit", "dirty", "python", "numpy", "scipy", "dask", "cupy", "cuda_driver"),
        *("os", "cpu", "cores", "memory"),
    }

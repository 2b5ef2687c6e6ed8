"""Tables survive damage, crashes, full disks and each other: nothing wrong is ever read."""

from __future__ import annotations

import errno
import mmap
import os
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from taquin.errors import TaquinError
from taquin.system.arrays import over, uint8, zeros
from taquin.system.files import cache_folder, locked
from taquin.tables import store as table_files
from taquin.tables.build import Table
from taquin.tables.store import PAYLOAD, Header, TableError, TableStore, brought_near

SIZE = 3 * table_files.BLOCK + 1234


@dataclass
class Counting:
    """A recipe that counts its builds."""

    name: str = "counting"
    builds: list[int] = field(default_factory=list)

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"kind": "test", "name": self.name, "tiles": [1, 2]}

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> Table:
        self.builds.append(1)
        return over(Random(1).randbytes(SIZE), uint8)

    def is_sound(self, table: Table) -> bool:
        return table.nbytes == SIZE


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def kept(tmp_path: Path, notices: list[str]) -> tuple[TableStore, Counting, Table]:
    """A store that holds one table."""
    store = TableStore(tmp_path / "cache", notice=notices.append)
    recipe = Counting()
    return store, recipe, store.get(recipe)


Kept = tuple[TableStore, Counting, Table]


def test_a_table_is_built_once_and_mapped_afterwards(kept: Kept, notices: list[str]) -> None:
    store, recipe, table = kept
    again = store.get(recipe)
    assert table.tobytes() == again.tobytes()
    assert again.items.readonly
    assert len(recipe.builds) == 1
    assert notices == []


def flipped(content: bytes, where: int) -> bytes:
    changed = bytearray(content)
    changed[where] ^= 0x10
    return bytes(changed)


def with_header(content: bytes, text: bytes) -> bytes:
    """Return a table file whose header has these bytes and the right checksum."""
    head = table_files.MAGIC + struct.pack("<II", zlib.crc32(text), len(text)) + text
    return head.ljust(PAYLOAD, b"\0") + content[PAYLOAD:]


BITS = (0, 9, 40, PAYLOAD, PAYLOAD + SIZE // 2, PAYLOAD + SIZE - 1, -1)
LENGTHS = (0, 5, PAYLOAD - 1, PAYLOAD + 7, PAYLOAD + SIZE)
BROKEN_HEADERS = [
    *(b"", b"{}", b"[]", b"no JSON", b"\xff\xfe\x00", b"[" * 4000, b'{"facts": ' * 400),
    b'{"facts": [], "nbytes": 1, "seconds": 1}',
    b'{"facts": {}, "nbytes": "1", "seconds": 1}',
    b'{"facts": {}, "nbytes": 1.5, "seconds": 1}',
    b'{"facts": {}, "nbytes": -1, "seconds": 1}',
    b'{"facts": {}, "nbytes": 0, "seconds": 1}',
    b'{"facts": {}, "nbytes": 1' + b"0" * 3900 + b', "seconds": 1}',
    b'{"facts": {}, "nbytes": 1, "seconds": null}',
    b'{"facts": {}, "nbytes": 1, "seconds": NaN}',
    b'{"facts": {}, "nbytes": 1, "seconds": 1e999}',
]


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        *((partial(flipped, where=where), "") for where in BITS),
        *((lambda content, length=length: content[:length], "") for length in LENGTHS),
        (lambda content: b"GIF89a" * 10_000, "not a table"),
        *((partial(with_header, text=text), "its header is corrupt") for text in BROKEN_HEADERS),
    ],
)
def test_a_damaged_table_is_noticed_and_mended(
    kept: Kept, notices: list[str], damaged: Callable[[bytes], bytes], said: str
) -> None:
    store, recipe, table = kept
    path = store.path_of(recipe.name)
    path.write_bytes(damaged(path.read_bytes()))
    fault = store.verify(recipe.name)
    assert fault is not None
    assert said in fault
    if "header" in said:
        (entry,) = store.tables()
        assert (entry.fault, entry.seconds) == (fault, None)
    assert store.get(recipe).tobytes() == table.tobytes()
    assert len(recipe.builds) == 2
    assert notices == [f"rebuilding table counting: {fault}"]
    assert store.verify(recipe.name) is None


def test_swapped_files_are_noticed_by_their_names(kept: Kept) -> None:
    store, recipe, _ = kept
    other = Counting("other")
    store.get(other)
    first, second = (store.path_of(each.name) for each in (recipe, other))
    first.rename(first.with_suffix(".moved"))
    second.rename(first)
    first.with_suffix(".moved").rename(second)
    assert [table.fault for table in store.tables()] == [
        "it holds the table other",
        "it holds the table counting",
    ]
    assert [store.verify(table.name) for table in store.tables()] == [
        table.fault for table in store.tables()
    ]


def refused(number: int, *arguments: object, **options: object) -> None:
    raise OSError(number, os.strerror(number))


@pytest.mark.parametrize("is_full", [False, True])
def test_where_no_table_can_be_written_it_stays_in_memory_and_leaves_nothing(
    tmp_path: Path, notices: list[str], monkeypatch: pytest.MonkeyPatch, is_full: bool
) -> None:
    # The folder refuses to root too, who may write anywhere.
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any, **kinds: Any) -> int:
        if flags & os.O_CREAT and str(path).startswith(str(tmp_path)):
            refused(errno.EACCES)
        return opened(path, flags, *more, **kinds)

    if is_full:
        monkeypatch.setattr(os, "fsync", partial(refused, errno.ENOSPC))
    else:
        monkeypatch.setattr(os, "open", refuse)
    recipe = Counting()
    assert len(TableStore(tmp_path, notice=notices.append).get(recipe)) == SIZE
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"] * is_full
    assert ("No space left" if is_full else "stay in memory") in notices[0]
    assert len(recipe.builds) == 1


BUILDER = """
import sys, time
from pathlib import Path
from taquin.system.arrays import over, uint8
from taquin.system.files import cache_folder
from taquin.tables.store import TableStore

class Slow:
    name = "slow"
    facts = {"kind": "test"}
    def build(self, threads, progress):
        with Path(sys.argv[2]).open("a") as log:
            log.write("build\\n")
        time.sleep(float(sys.argv[3]))
        return over(bytes(range(250)) * 20_000, uint8)
    def is_sound(self, table):
        return True

table = TableStore(sys.argv[1]).get(Slow())
assert table.tobytes() == bytes(range(250)) * 20_000
"""


def _builder(folder: Path, log: Path, seconds: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", BUILDER, str(folder), str(log), str(seconds)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _wait_for(path: Path) -> None:
    for _ in range(3600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} never came")


def test_two_processes_build_a_table_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    builders = [_builder(tmp_path / "cache", log, 0.3) for _ in range(3)]
    assert [builder.wait(180) for builder in builders] == [0, 0, 0]
    assert log.read_text() == "build\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_killed_builder_blocks_nobody_and_leaves_nothing_behind(tmp_path: Path) -> None:
    folder, log = tmp_path / "cache", tmp_path / "log"
    doomed = _builder(folder, log, 60)
    _wait_for(log)
    doomed.send_signal(signal.SIGKILL)
    doomed.wait()
    # What a builder killed while writing would leave behind.
    (folder / f"slow.table.{doomed.pid}.tmp").write_bytes(b"half a table")
    assert _builder(folder, log, 0).wait(180) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["slow.lock", "slow.table"]
    assert TableStore(folder).verify("slow") is None


def test_tables_are_listed_verified_and_removed_and_no_others_are(kept: Kept) -> None:
    store, recipe, _ = kept
    (entry,) = store.tables()
    assert (entry.name, entry.fault) == (recipe.name, None)
    assert entry.nbytes == entry.path.stat().st_size
    assert entry.seconds is not None
    (store.folder.parent / "outside.table").write_bytes(b"x")
    for name in ("", "none", "../outside", "a\0b", "x" * 5000):
        for call in (store.verify, store.remove):
            with pytest.raises(TaquinError, match="no table called"):
                call(name)
    assert store.verify(recipe.name) is None
    store.remove(recipe.name)
    assert store.tables() == []
    with pytest.raises(TaquinError, match="no table called"):
        store.remove(recipe.name)


def test_a_table_of_another_form_or_about_something_else_is_not_believed(
    kept: Kept, notices: list[str]
) -> None:
    store, recipe, table = kept
    small, other = zeros(10, uint8), Counting("other")
    table_files.write(store.path_of(recipe.name), Header(recipe.facts, small.nbytes, 0), small)
    assert store.get(recipe).tobytes() == table.tobytes()
    assert "another structure" in notices[0]
    store.path_of(recipe.name).rename(store.path_of(other.name))
    store.get(other)
    assert len(other.builds) == 1
    assert "another puzzle" in notices[1]


@pytest.mark.parametrize(
    ("make", "faults"),
    [
        (os.mkfifo, "it is not a regular file"),
        (lambda path: path.symlink_to(os.devnull), "it is not a regular file"),
        (os.mkdir, "it is not a regular file, Is a directory"),
        (lambda path: path.symlink_to(path.with_name("nowhere")), "No such file or directory"),
    ],
    ids=["pipe", "device", "folder", "dangling link"],
)
def test_what_is_no_regular_file_is_refused_and_left_alone(
    kept: Kept, notices: list[str], make: Callable[[Path], None], faults: str
) -> None:
    store, recipe, table = kept
    path = store.path_of(recipe.name)
    path.unlink()
    make(path)
    (entry,) = store.tables()
    assert entry.fault == store.verify(recipe.name)
    assert entry.fault in faults.split(", ")
    assert store.get(recipe).tobytes() == table.tobytes()
    if "No such" not in faults:
        assert len(notices) == 2
        assert "counting.table is not a regular file" in notices[1]
        assert not path.is_file()


def test_waiting_for_a_builder_can_be_ended(kept: Kept, notices: list[str]) -> None:
    store, _, _ = kept
    recipe = Counting("other")

    def give_up(name: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with locked(store.folder / "other.lock", lambda: None), pytest.raises(KeyboardInterrupt):
        store.get(recipe, progress=give_up)
    assert recipe.builds == []
    assert notices == ["waiting for another process that builds table other"]


def test_a_folder_that_is_a_file_is_told_once(tmp_path: Path, notices: list[str]) -> None:
    (tmp_path / "cache").write_text("")
    store = TableStore(tmp_path / "cache", notice=notices.append)
    for name in ("one", "other"):
        assert len(store.get(Counting(name))) == SIZE
    assert len(notices) == 1
    assert "stay in memory: cannot write to" in notices[0]
    assert store.tables() == []


def test_the_environment_chooses_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.delenv("TAQUIN_CACHE")
    assert cache_folder().name == "taquin"


def test_reading_a_missing_table_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        table_files.read(tmp_path / "none")
    (tmp_path / "short").write_bytes(b"TAQUINT1")
    with pytest.raises(TableError, match="truncated"):
        table_files.read(tmp_path / "short")


def test_a_table_near_is_read_once_in_a_process(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, recipe, table = kept
    near = store.near(recipe)
    assert near.tobytes() == table.tobytes()
    monkeypatch.setattr(table_files, "read", lambda *_: pytest.fail("read again"))
    assert TableStore(store.folder).near(recipe) is near


@pytest.mark.parametrize("size", [1, 4096, 3_000_001])
def test_a_small_table_keeps_its_bytes(size: int) -> None:
    table = over(Random(size).randbytes(size), uint8)
    assert brought_near(table).tobytes() == table.tobytes()


@pytest.mark.parametrize(
    ("module", "name", "change"),
    [
        pytest.param(table_files, "_most_near", lambda: 100, id="too large"),
        pytest.param(mmap, "mmap", partial(refused, errno.ENOMEM), id="no memory"),
    ],
)
def test_a_table_for_which_there_is_no_memory_stays_where_it_is(
    module: Any, name: str, change: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, change)
    table = zeros(4096, uint8)
    assert brought_near(table) is table


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="this system has no large pages")
def test_a_table_that_is_near_can_have_large_pages() -> None:
    # Memory that is shared gets none: the system's map of the process would say "s".
    near = brought_near(zeros(5_000_000, uint8))
    address = near.address
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        first, last = (int(end, 16) for end in line.split()[0].split("-"))
        if first <= address < last:
            assert line.split()[1] == "rw-p"
            break
    else:
        pytest.fail("the table is nowhere")

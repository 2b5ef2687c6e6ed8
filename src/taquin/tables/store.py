"""Tables on disk: built once, stored in the user's cache folder, verified whenever opened.

A file is written atomically, and has this format:

    offset 0       "TAQUINT1"
           8       checksum of the header text (CRC-32, 4 bytes, little-endian)
          12       length of the header text (4 bytes)
          16       header text: JSON with the table's name, facts, size and build time
        4096       the table, page-aligned for memory mapping
    4096 + size    CRC-32 of each block of 1 MiB of the table, 4 bytes each

Opening a table verifies all checksums, at gigabytes per second on all cores, so that no search uses
corrupt values.

A search reads its tables at random positions. A mapped file has pages of 4 KiB, too many for the
TLB of a processor. So `TableStore` copies small tables to huge pages of 2 MiB (`brought_near`). On
Korf's 100 with the small set this saves 4 % of the time.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import stat
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from math import inf
from pathlib import Path
from typing import IO, Any, Protocol, TypeAlias

from taquin.errors import InputError, MachineError, StorageError
from taquin.reasons import Reason, reason
from taquin.system.arrays import Array, over, uint8
from taquin.system.files import atomic_write, cache_folder, locked
from taquin.system.formatting import shorten
from taquin.system.machine import safe_memory

MAGIC = b"TAQUINT1"
PAYLOAD = 4096
BLOCK = 1 << 20
_MANY_BLOCKS = 32
"""The fewest blocks for which starting threads pays."""
_LARGEST = 1 << 50
"""The upper limit on the size of a table: a header with a larger size is corrupt."""


class TableError(StorageError):
    """A file is not the expected table; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table file."""

    facts: Mapping[str, Any]
    """The identity of the table: puzzle, partition, kind."""
    nbytes: int
    """The size of the table in bytes, without header and checksums."""
    seconds: float
    """The build time."""
    name: str = ""
    """The name of the table; empty in a file from before it was stored."""


def write(path: Path, header: Header, table: Array[uint8]) -> None:
    """Write a table to `path` through a temporary file in the same folder.

    Raise OSError, leaving no partial file, if it cannot be written or `path` is a pipe or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, f"{path.name} is not a regular file")
    facts = {"facts": header.facts, "nbytes": header.nbytes, "seconds": round(header.seconds, 3)}
    text = json.dumps({**facts, "name": header.name}).encode()
    head = MAGIC + struct.pack("<II", zlib.crc32(text), len(text)) + text
    with atomic_write(path) as file:
        file.write(head.ljust(PAYLOAD, b"\0"))
        file.write(table.items)
        checksums = _checksums(table.items)
        file.write(struct.pack(f"<{len(checksums)}I", *checksums))


def read_header(path: Path) -> Header:
    """Return the header of a table file; raise TableError for another file, OSError on failure."""
    with _opened(path) as file:
        return _header(file)


def read(
    path: Path, facts: Mapping[str, Any] | None = None, check: Callable[[], None] = lambda: None
) -> Array[uint8]:
    """Return the table of a file, memory-mapped, after verifying all checksums.

    `check` is called for each block, and may end that by raising.
    Raise TableError if the file is corrupt or has other facts, OSError if it cannot be read.
    """
    with _opened(path) as file:
        header = _header(file)
        if facts is not None and header.facts != json.loads(json.dumps(facts)):
            raise TableError("it has another puzzle, partition or order of values")
        blocks = -(-header.nbytes // BLOCK)
        expected = PAYLOAD + header.nbytes + 4 * blocks
        actual = os.fstat(file.fileno()).st_size
        if actual != expected:
            raise TableError(f"it has {actual} bytes instead of {expected}")
        mapped = mmap.mmap(file.fileno(), expected, access=mmap.ACCESS_READ)
    table: Array[uint8] = over(mapped, uint8)[PAYLOAD : PAYLOAD + header.nbytes]
    stored = struct.unpack_from(f"<{blocks}I", mapped, PAYLOAD + header.nbytes)
    checksums = _checksums(table.items, check)
    for block, (actual, expected) in enumerate(zip(checksums, stored, strict=True)):
        if actual != expected:
            raise TableError(f"the checksum of block {block} is wrong")
    return table


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read; raise TableError, without blocking, for a pipe or a device."""
    # Opening a pipe blocks until it has a writer. Windows has neither the flag nor pipes.
    flag = getattr(os, "O_NONBLOCK", 0)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | flag)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise TableError("it is not a regular file")
        yield file


def _header(file: IO[bytes]) -> Header:
    """Return the header of a file after checking every field."""
    head = file.read(PAYLOAD)
    if len(head) < PAYLOAD:
        raise TableError("the file is truncated")
    if not head.startswith(MAGIC):
        raise TableError("it is not a table of this format")
    checksum, length = struct.unpack_from("<II", head, len(MAGIC))
    text = head[16 : 16 + length]
    if len(text) != length or zlib.crc32(text) != checksum:
        raise TableError("its header is corrupt")
    try:
        match json.loads(text):
            case {
                "facts": dict(facts),
                "nbytes": int(nbytes),
                "seconds": int() | float() as t,
                **more,
            }:
                if 0 < nbytes <= _LARGEST and 0 <= t < inf:
                    return Header(facts, nbytes, t, str(more.get("name", "")))
    except (ValueError, RecursionError):
        # Invalid JSON or UTF-8, too long a number, or nested too deeply.
        pass
    raise TableError("its header is corrupt")


def _checksums(data: memoryview, check: Callable[[], None] = lambda: None) -> list[int]:
    """Return the CRC-32 of each block, in threads: zlib releases the GIL."""

    def checked(checksum: int) -> int:
        check()
        return checksum

    blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    if len(blocks) < _MANY_BLOCKS:
        return [checked(checksum) for checksum in map(zlib.crc32, blocks)]
    from taquin.system.threads import thread_pool

    with thread_pool(None) as pool:
        return [checked(checksum) for checksum in pool.map(zlib.crc32, blocks)]


SUFFIX = ".table"

VERSION = 1
"""The version of the table contents; tables of another version are rebuilt."""
_PAGE = 2 << 20
_LEAST_NEAR = 64 << 20
"""The size up to which tables are copied to huge pages on any machine. Larger tables stay mapped,
shared by all processes, unless they are a small part of the memory."""

_near: dict[tuple[Path, str], Array[uint8]] = {}
"""The tables this process has loaded, by folder and name."""
Notice: TypeAlias = Callable[[str], None]
"""Called with one line for the user: a corrupt file, a full disk, a wait."""
Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the name of the table being built, the work done and the total work."""


class Recipe(Protocol):
    """A table that the store may have to build."""

    @property
    def name(self) -> str:
        """The name of the table, usable as a file name."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """The identity of the table, as JSON; a stored table must have the same."""

    def build(self, threads: int | None, progress: Callable[[int, int], None]) -> Array[uint8]:
        """Build the table."""

    def is_sound(self, table: Array[uint8]) -> bool:
        """Return whether a stored table has the size and structure of one from `build`."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """One line of `TableStore.tables`."""

    name: str
    path: Path
    nbytes: int
    """The size of the file."""
    seconds: float | None
    """The build time; None if the header cannot be read."""
    fault: str | None
    """What is wrong with the header, or None; `TableStore.verify` checks the rest."""


class TableStore:
    """The tables in one folder, by default TAQUIN_CACHE or the user's cache folder.

    The folder is created with the first table. Any number of processes may share it.
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        *,
        notice: Notice | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """`check` is called while tables are read, and may end that by raising."""
        self.folder = Path(folder) if folder is not None else cache_folder()
        """The folder of the files."""
        self._notice: Notice = notice or (lambda line: None)
        self._check = check
        self._notices: set[str] = set()

    def get(
        self, recipe: Recipe, *, threads: int | None = None, progress: Report | None = None
    ) -> Array[uint8]:
        """Return the recipe's table, loaded from disk if valid, else built and stored.

        If another process is building the same table, wait for it; `progress` is called, and may
        end the wait by raising. If the file cannot be written, issue a notice and keep the table
        in memory.
        """
        path = self.path_of(recipe.name)
        table = self._read(path, recipe)
        if table is not None:
            return table
        try:
            self.folder.mkdir(parents=True, exist_ok=True)

            def waiting() -> None:
                self._notice_once(reason("table-wait", name=recipe.name))
                if progress is not None:
                    progress(recipe.name, 0, 1)

            with locked(path.with_suffix(".lock"), waiting):
                # Another process may have built the table before this one acquired the lock. A
                # temporary file is the rest of a build that was killed.
                table = self._read(path, recipe, quiet=True)
                if table is not None:
                    return table
                for left in self.folder.glob(f"{path.name}.*.tmp"):
                    left.unlink(missing_ok=True)
                table, seconds = _built(recipe, threads, progress)
                header = Header(recipe.facts, table.nbytes, seconds, recipe.name)
                write(path, header, table)
        except OSError as error:
            self._notice_once(
                reason(
                    "tables-in-memory", name=str(self.folder), cause=error.strerror or str(error)
                )
            )
            if table is None:
                table, _ = _built(recipe, threads, progress)
        return table

    def near(
        self, recipe: Recipe, *, threads: int | None = None, progress: Report | None = None
    ) -> Array[uint8]:
        """Return the recipe's table, cached in this process, on huge pages if it is small."""
        place = (self.folder, recipe.name)
        if place not in _near:
            _near[place] = brought_near(self.get(recipe, threads=threads, progress=progress))
        return _near[place]

    def path_of(self, name: str) -> Path:
        """Return the file of the table called `name`."""
        return self.folder / f"{name}{SUFFIX}"

    def tables(self) -> list[StoredTable]:
        """Return the tables in the folder, by name."""
        return [self._describe(path) for path in sorted(self.folder.glob(f"*{SUFFIX}"))]

    def verify(self, name: str) -> str | None:
        """Read the table called `name` completely; return what is wrong with it, or None.

        Raise InputError if there is no such table.
        """
        table = self._listed(name)
        try:
            read(table.path)
        except (TableError, OSError) as fault:
            return _reason(fault)
        return table.fault

    def remove(self, name: str) -> None:
        """Delete the table called `name`; searches that have it open can continue.

        Raise MachineError on Windows if the file is open, because it cannot be deleted then.
        """
        path = self._listed(name).path
        try:
            path.unlink()
        except PermissionError:
            if sys.platform != "win32":
                raise
            raise MachineError(f"table {name} is in use: end the searches that use it") from None

    def _listed(self, name: str) -> StoredTable:
        for table in self.tables():
            if table.name == name:
                return table
        raise InputError(f"there is no table called {shorten(name)} in {self.folder}")

    def _notice_once(self, line: str) -> None:
        if line not in self._notices:
            self._notices.add(line)
            self._notice(line)

    def _read(self, path: Path, recipe: Recipe, *, quiet: bool = False) -> Array[uint8] | None:
        """Return a valid table or None; issue a notice if there is an invalid file."""
        try:
            table = read(path, recipe.facts, self._check)
            if recipe.is_sound(table):
                return table
            fault = "its content has another structure"
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (TableError, OSError) as error:
            fault = _reason(error)
        if not quiet:
            self._notice(reason("table-rebuild", name=recipe.name, detail=Reason(fault)))
        return None

    def _describe(self, path: Path) -> StoredTable:
        seconds, fault = None, None
        try:
            header = read_header(path)
            seconds = header.seconds
            if header.name not in ("", path.stem):
                fault = f"it holds the table {header.name}"
        except (TableError, OSError) as error:
            fault = _reason(error)
        return StoredTable(path.stem, path, path.lstat().st_size, seconds, fault)


def brought_near(table: Array[uint8]) -> Array[uint8]:
    """Copy `table` to huge pages if memory and system allow it, else return it unchanged."""
    advice = getattr(mmap, "MADV_HUGEPAGE", None)
    if sys.platform == "win32" or advice is None or table.nbytes > _most_near():
        return table
    size = (table.nbytes // _PAGE + 2) * _PAGE
    try:
        # Private, because systems have no huge pages for shared memory.
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(advice)
    except OSError:
        # The kernel has no huge pages, or the process reached its memory limit.
        return table
    pages = over(memory, uint8)
    first = -pages.address % _PAGE
    copy: Array[uint8] = pages[first : first + table.nbytes]
    copy.items[:] = table.items
    return copy


@cache
def _most_near() -> int:
    memory = safe_memory()
    return _LEAST_NEAR if memory is None else max(_LEAST_NEAR, memory // 32)


def _reason(fault: TableError | OSError) -> str:
    """Return what is wrong with a file, without the file's name."""
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def _built(
    recipe: Recipe, threads: int | None, progress: Report | None
) -> tuple[Array[uint8], float]:
    """Build a table; return it and the seconds that it took."""
    report = partial(progress or (lambda name, done, total: None), recipe.name)
    report(0, 1)
    started = time.perf_counter()
    table = recipe.build(threads, report)
    return table, time.perf_counter() - started

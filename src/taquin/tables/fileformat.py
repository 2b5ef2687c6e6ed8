"""The file format of a table: written atomically, verified on every read.

    offset 0       "TAQUINT1"
           8       checksum of the header text (CRC-32, 4 bytes, little-endian)
          12       length of the header text (4 bytes)
          16       header text: JSON with the table's facts, its size and its build time
        4096       the table, page-aligned for memory mapping
    4096 + size    CRC-32 of each block of 1 MiB of the table, 4 bytes each

Opening a table verifies all checksums, at gigabytes per second on all cores, so that no search uses
corrupt values.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import stat
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import IO, Any

from taquin.errors import StorageError
from taquin.system.arrays import Array, over, uint8
from taquin.system.files import atomic_write
from taquin.system.threads import thread_pool

MAGIC = b"TAQUINT1"
PAYLOAD = 4096
BLOCK = 1 << 20
_LARGEST = 1 << 50
"""More bytes than any table has: a header with a larger size is corrupt."""


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


def write(path: Path, header: Header, table: Array[uint8]) -> None:
    """Write a table to `path` through a temporary file in the same folder.

    Raise OSError, leaving no partial file, if it cannot be written or `path` is a pipe or a device.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EEXIST, f"{path.name} is not a regular file")
    text = json.dumps(
        {"facts": header.facts, "nbytes": header.nbytes, "seconds": round(header.seconds, 3)}
    ).encode()
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


def read(path: Path, facts: Mapping[str, Any] | None = None) -> Array[uint8]:
    """Return the table of a file, memory-mapped, after verifying all checksums.

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
    for block, (actual, expected) in enumerate(zip(_checksums(table.items), stored, strict=True)):
        if actual != expected:
            raise TableError(f"the checksum of block {block} is wrong")
    return table


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file to read; raise TableError, without blocking, for a pipe or a device."""
    with open(path, "rb", opener=_open_without_blocking) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise TableError("it is not a regular file")
        yield file


def _open_without_blocking(path: str, flags: int) -> int:
    # Opening a pipe blocks until it has a writer. Windows has neither the flag nor pipes.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


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
            case {"facts": dict() as facts, "nbytes": int(nbytes), "seconds": int() | float() as t}:
                if 0 < nbytes <= _LARGEST and 0 <= t < inf:
                    return Header(facts, nbytes, t)
    except (ValueError, RecursionError):
        # Invalid JSON or UTF-8, too long a number, or nested too deeply.
        pass
    raise TableError("its header is corrupt")


def _checksums(data: memoryview) -> list[int]:
    """Return the CRC-32 of each block, in threads: zlib releases the GIL."""
    blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    with thread_pool(None) as pool:
        return list(pool.map(zlib.crc32, blocks))

"""The file of one table: written atomically and checked whenever it is read.

    offset 0       "TAQUINT1"
           8       checksum of the header text (CRC-32, 4 bytes, little end first)
          12       length of the header text (4 bytes)
          16       header text: JSON with the table's facts, its size and its build time
        4096       the table, ready to be mapped into memory
    4096 + size    CRC-32 of each block of 1 MiB of the table, 4 bytes each

Opening a table checks all of it, at gigabytes a second on all cores, so that no search trusts a
flipped bit.
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

MAGIC = b"TAQUINT1"
PAYLOAD = 4096
BLOCK = 1 << 20
_MANY_BLOCKS = 32
"""Blocks from which threads are worth their start."""
_LARGEST = 1 << 50
"""Bytes beyond any table: a header that claims more is damaged."""


class TableError(StorageError):
    """A file is not the table it should be; the message says in a few words why."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a table file."""

    facts: Mapping[str, Any]
    """What the table is about: puzzle, partition, kind."""
    nbytes: int
    """The size of the table in bytes, header and checksums not counted."""
    seconds: float
    """How long the build took."""


def write(path: Path, header: Header, table: Array[uint8]) -> None:
    """Write a table to `path` by way of a temporary file beside it.

    Raise OSError when it cannot be written or `path` is a pipe or a device; no partial file is
    left then.
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
    """Return the header of a table file; raise TableError if it is none, OSError if unreadable."""
    with _opened(path) as file:
        return _header(file)


def read(path: Path, facts: Mapping[str, Any] | None = None) -> Array[uint8]:
    """Return the table of a file, mapped into memory and checked in full.

    Raise TableError when the file is damaged, or is about something other than `facts`; raise
    OSError when it cannot be read.
    """
    with _opened(path) as file:
        header = _header(file)
        if facts is not None and header.facts != json.loads(json.dumps(facts)):
            raise TableError("it is about another puzzle, partition or order of values")
        blocks = -(-header.nbytes // BLOCK)
        expected = PAYLOAD + header.nbytes + 4 * blocks
        actual = os.fstat(file.fileno()).st_size
        if actual != expected:
            raise TableError(f"it has {actual} bytes in place of {expected}")
        whole = mmap.mmap(file.fileno(), expected, access=mmap.ACCESS_READ)
    table: Array[uint8] = over(whole, uint8)[PAYLOAD : PAYLOAD + header.nbytes]
    stored = struct.unpack_from(f"<{blocks}I", whole, PAYLOAD + header.nbytes)
    for block, (actual, expected) in enumerate(zip(_checksums(table.items), stored, strict=True)):
        if actual != expected:
            raise TableError(f"its bytes changed since it was written (block {block})")
    return table


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to read; raise TableError for a pipe or a device, and wait for none."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise TableError("it is not a regular file")
        yield file


def _without_waiting(path: str, flags: int) -> int:
    # Opening a pipe would wait for its writer. Windows has neither the flag nor pipes.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _header(file: IO[bytes]) -> Header:
    """Return the header of a file after checking every field."""
    head = file.read(PAYLOAD)
    if len(head) < PAYLOAD:
        raise TableError("the file is cut short")
    if not head.startswith(MAGIC):
        raise TableError("it is not a table of this format")
    checksum, length = struct.unpack_from("<II", head, len(MAGIC))
    text = head[16 : 16 + length]
    if len(text) != length or zlib.crc32(text) != checksum:
        raise TableError("its header is damaged")
    try:
        match json.loads(text):
            case {"facts": dict() as facts, "nbytes": int(nbytes), "seconds": int() | float() as t}:
                if 0 < nbytes <= _LARGEST and 0 <= t < inf:
                    return Header(facts, nbytes, t)
    except (ValueError, RecursionError):
        # No JSON, no text, too long a number, or nested too deep.
        pass
    raise TableError("its header is damaged")


def _checksums(data: memoryview) -> list[int]:
    """Return the CRC-32 of each block; zlib releases the GIL, so threads help."""
    blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    if len(blocks) < _MANY_BLOCKS:
        return list(map(zlib.crc32, blocks))
    from taquin.system.threads import thread_pool

    with thread_pool(None) as pool:
        return list(pool.map(zlib.crc32, blocks))

"""The file of one table: written whole or not at all, and never believed unchecked.

    offset 0       "TAQUINT1"
           8       checksum of the header text (CRC-32, 4 bytes, little end first)
          12       length of the header text (4 bytes)
          16       header text: JSON with the table's facts, its size and its build time
        4096       the table, ready to be mapped into memory
    4096 + size    CRC-32 of each block of 1 MiB of the table, 4 bytes each

Opening a table checks all of it. The checksums run at gigabytes a second on all cores, so even the
largest sets cost a fraction of a second, and a flipped bit anywhere is found before a search could
trust it.
"""

from __future__ import annotations

import json
import mmap
import struct
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.errors import StorageError
from taquin.system.files import written_whole
from taquin.system.machine import usable_cores

MAGIC = b"TAQUINT1"
PAYLOAD = 4096
BLOCK = 1 << 20


class TableError(StorageError):
    """A file is not the table it should be; the message says in a few words why."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a table file says about itself."""

    facts: Mapping[str, Any]
    """What the table is about: puzzle, partition, kind."""
    nbytes: int
    """The size of the table in bytes, header and checksums not counted."""
    seconds: float
    """How long the build took."""


def write(path: Path, header: Header, table: NDArray[np.uint8]) -> None:
    """Write a table to `path` by way of a temporary file beside it.

    Raise OSError when the disk or the folder refuses; no partial file is left then.
    """
    text = json.dumps(
        {"facts": header.facts, "nbytes": header.nbytes, "seconds": round(header.seconds, 3)}
    ).encode()
    head = MAGIC + struct.pack("<II", zlib.crc32(text), len(text)) + text
    with written_whole(path) as file:
        file.write(head.ljust(PAYLOAD, b"\0"))
        file.write(table.data)
        file.write(_checksums(table.data).tobytes())


def read_header(path: Path) -> Header:
    """Return the header of a table file; raise TableError if it is none, OSError if unreadable."""
    with path.open("rb") as file:
        head = file.read(PAYLOAD)
    if len(head) < PAYLOAD:
        raise TableError("the file is cut short")
    if not head.startswith(MAGIC):
        raise TableError("it is not a table of this format")
    checksum, length = struct.unpack_from("<II", head, len(MAGIC))
    text = head[16 : 16 + length]
    if len(text) != length or zlib.crc32(text) != checksum:
        raise TableError("its header is damaged")
    stored = json.loads(text)
    return Header(stored["facts"], stored["nbytes"], stored["seconds"])


def read(path: Path, facts: Mapping[str, Any] | None = None) -> NDArray[np.uint8]:
    """Return the table of a file, mapped into memory and checked in full.

    Raise TableError when the file is damaged, or is about something other than `facts`; raise
    OSError when it cannot be read.
    """
    header = read_header(path)
    if facts is not None and header.facts != json.loads(json.dumps(facts)):
        raise TableError("it is about another puzzle, partition or order of values")
    blocks = -(-header.nbytes // BLOCK)
    expected = PAYLOAD + header.nbytes + 4 * blocks
    found = path.stat().st_size
    if found != expected:
        raise TableError(f"it has {found} bytes in place of {expected}")
    with path.open("rb") as file:
        whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    table = np.frombuffer(whole, np.uint8, header.nbytes, PAYLOAD)
    stored = np.frombuffer(whole, "<u4", blocks, PAYLOAD + header.nbytes)
    wrong = np.flatnonzero(_checksums(table.data) != stored)
    if len(wrong):
        raise TableError(f"its bytes changed since it was written (block {wrong[0]})")
    return table


def _checksums(data: memoryview) -> NDArray[np.uint32]:
    """Return the CRC-32 of each block; zlib lets go of the interpreter, so threads help."""
    starts = range(0, len(data), BLOCK)

    def checksum(start: int) -> int:
        return zlib.crc32(data[start : start + BLOCK])

    with ThreadPoolExecutor(usable_cores()) as pool:
        return np.fromiter(pool.map(checksum, starts), "<u4", len(starts))

"""How much memory a search may take when nobody says: enough to leave the machine alive."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

_LIMIT_FILES = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""Where a container is told how much memory it may take."""


def machine_memory() -> int | None:
    """Return the bytes of memory of this machine or container; None where it does not tell."""
    return min(_sizes(), default=None)


def default_memory_limit() -> int | None:
    """Return three quarters of the machine's memory: beyond that, systems kill processes."""
    memory = machine_memory()
    return None if memory is None else memory * 3 // 4


def _sizes() -> Iterator[int]:
    with suppress(AttributeError, ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _LIMIT_FILES:
        # There may be no such file here, or the word "max" in it.
        with suppress(OSError, ValueError), open(file, "rb") as content:
            yield int(content.read())

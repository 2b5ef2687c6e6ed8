"""What this machine is, and how much of it the runs of a study may take."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""Where a container is told how much memory it may take."""


@cache
def machine() -> str:
    """Return where this runs: host, processor, number of cores, Python."""
    return (
        f"{platform.node()}, {_processor()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def memory_per_process(processes: int) -> int | None:
    """Return the bytes that each of so many runs may take for the machine to stay alive.

    None where the machine, or the container, does not tell how much it has.
    """
    whole = min(_memory_sizes(), default=None)
    return None if whole is None else whole * 3 // 4 // max(1, processes)


def _memory_sizes() -> Iterator[int]:
    with suppress(AttributeError, ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _CONTAINER_LIMITS:
        # There may be no such file here, or the word "max" in it.
        with suppress(OSError, ValueError), open(file, "rb") as content:
            yield int(content.read())


def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

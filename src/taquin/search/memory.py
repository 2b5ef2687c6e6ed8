"""How much memory this process holds, and the machine has, as the system tells it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress

_CONTAINER_LIMITS = (
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
)
"""Where a container is told how much memory it may take."""


def machine_memory() -> int | None:
    """Return the bytes of memory of this machine or container; None where it does not tell."""
    return min(_sizes(), default=None)


def safe_memory(processes: int = 1) -> int | None:
    """Return the bytes that each of so many processes may take for the machine to stay alive.

    Three quarters of the memory in all: beyond that, systems kill processes. None where the
    machine does not tell how much it has.
    """
    memory = machine_memory()
    return None if memory is None else memory * 3 // 4 // max(1, processes)


def _sizes() -> Iterator[int]:
    with suppress(AttributeError, ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _CONTAINER_LIMITS:
        # There may be no such file here, or the word "max" in it.
        with suppress(OSError, ValueError), open(file, "rb") as content:
            yield int(content.read())


def process_memory() -> int:
    """Return the bytes this process holds now, or its peak where only that is known; else 0."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return peak_memory()


def peak_memory() -> int:
    """Return the most bytes this process has held so far; 0 where the system does not tell."""
    try:
        # Not getrusage first: on Linux its peak includes what the parent held when it forked.
        with open("/proc/self/status", "rb") as file:
            for line in file:
                if line.startswith(b"VmHWM:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024

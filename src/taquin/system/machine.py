"""What this machine is and gives: its cores, its memory, and how much of it this process holds."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from taquin.errors import UnsuitableError

_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Where a container is told how much memory it may take."""
_CONTAINER_QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
"""Where a container is told how much time of all cores it may take, and in which time."""
MOST_THREADS = 1024
"""More than the cores of any one machine, and few enough that each can have its stack."""


def safe_memory(processes: int = 1) -> int | None:
    """Return the bytes that each of so many processes may take for the machine to stay alive.

    Three quarters of the memory in all: beyond that, systems kill processes. None where the
    machine does not tell how much it has.
    """
    memory = min(_sizes(), default=None)
    return None if memory is None else memory * 3 // 4 // max(1, processes)


def _sizes() -> Iterator[int]:
    """Yield what the machine and the container say that there is."""
    with suppress(AttributeError, ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _CONTAINER_LIMITS:
        # There may be no such file here, or the word "max" in it.
        with suppress(OSError, ValueError), open(file, "rb") as content:
            yield int(content.read())


def usable_cores() -> int:
    """Return the number of cores this process may use, and its container's quota keeps busy."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return min(cores, _quota())


@cache
def _quota() -> int:
    """Return how many cores a container may keep busy, begun ones counted; many without a limit."""
    for files in _CONTAINER_QUOTAS:
        # There may be no such file here, the word "max" in it, or -1: no limit.
        with suppress(OSError, ValueError, ZeroDivisionError):
            words = []
            for file in files:
                with open(file, "rb") as content:
                    words += content.read().split()
            quota, period = map(int, words)
            if quota > 0:
                return -(-quota // period)
    return MOST_THREADS


def refuse_threads(threads: int | None) -> None:
    """Raise UnsuitableError for a number of threads that cannot be; None is one per core."""
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        wanted = "1 or more" if threads < 1 else f"at most {MOST_THREADS:,}"
        raise UnsuitableError(f"the number of threads must be {wanted}, not {threads:,}")


@cache
def machine() -> str:
    """Return where this runs, for records: host, processor, number of cores, Python."""
    import platform

    processor = platform.processor() or platform.machine()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        named = (line for line in file if line.startswith("model name"))
        processor = next(named, f":{processor}").partition(":")[2].strip()
    return (
        f"{platform.node()}, {processor}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )


def process_memory() -> int:
    """Return the bytes this process holds now, or its peak where only that is known; else 0."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return peak_memory()


def private_memory() -> int:
    """Return the bytes this process holds and shares with no file or process; else all it holds."""
    try:
        with open("/proc/self/statm", "rb") as file:
            resident, shared = file.read().split()[1:3]
            return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return peak_memory()


def peak_memory() -> int:
    """Return the most bytes this process has held so far; 0 where the system does not tell."""
    # Not getrusage first: on Linux its peak includes what the parent held when it forked.
    if peak := _status("VmHWM:"):
        return peak
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def reset_peak() -> bool:
    """Forget the most memory this process held so far; tell whether the system can do so."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
        return True
    return False


def release_memory() -> None:
    """Give the system back what this process holds and does not use, where there is a way."""
    import ctypes

    # Only glibc has it, and it keeps tens of megabytes for later otherwise.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def memory_ceiling(growth: int | None) -> Iterator[None]:
    """Let this process grow by at most so many bytes: beyond that it meets MemoryError.

    Does nothing where the system has no such limit, or for None. It is the last resort for a run
    that asks for much at once; a search looks at its own limit every 20 ms. Counted is what the
    process can write to and shares with nobody: mapped tables, and addresses that are only
    reserved, as GPU drivers do by the terabyte, are free.
    """
    held = 0 if growth is None else _status("VmData:")
    if growth is None or not held:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = held + growth
    for limit in before:
        if limit != resource.RLIM_INFINITY:
            ceiling = min(ceiling, limit)
    resource.setrlimit(resource.RLIMIT_DATA, (ceiling, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _status(name: str) -> int:
    """Return a number of bytes that Linux tells of this process by a name; 0 where it does not."""
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(name.encode()):
                return int(line.split()[1]) * 1024
    return 0

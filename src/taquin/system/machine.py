"""The cores and the memory of this machine, and how much memory this process holds."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from math import isqrt
from typing import TYPE_CHECKING

from taquin.errors import UnsuitableError

if TYPE_CHECKING:
    from taquin.system.memory_calls import ProcessMemory

_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files with a container's limit on memory."""
_CONTAINER_QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
"""Files with a container's quota of processor time and its period."""
_CALLED = ("darwin", "emscripten")
"""Systems besides Windows whose C library says how much memory a process holds."""
HAS_THREADS = sys.platform != "emscripten"
"""Whether this system starts threads; Python in a browser does not."""
_USUAL_MEMORY = 4 << 30
"""Bytes to assume where the size of the memory is unknown."""
MOST_THREADS = 1024
"""More than the cores of any machine, and few enough that each thread can have its stack."""


def safe_memory(processes: int = 1) -> int | None:
    """Return the bytes that each of `processes` may use without endangering the machine.

    Together they may use three quarters of the memory: beyond that, systems kill processes. None
    if the size of the memory is unknown.
    """
    memory = min(filter(None, _sizes()), default=None)
    return None if memory is None else memory * 3 // 4 // max(1, processes)


def memory_left(limit: int | None) -> int:
    """Return the bytes that this process may still take: up to a limit, or to what is safe."""
    most = limit if limit is not None else safe_memory() or _USUAL_MEMORY
    return max(0, most - process_memory())


def _sizes() -> Iterator[int]:
    if sys.platform == "win32":
        from taquin.system.memory_calls import physical_memory

        yield physical_memory()
        return
    with suppress(ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _CONTAINER_LIMITS:
        # The file may be missing, or hold the word "max".
        with suppress(OSError, ValueError):
            yield int(_content(file))


def usable_cores() -> int:
    """Return the number of cores that this process may use, limited by its container's quota."""
    if sys.platform == "emscripten":
        return 1  # a browser gives a worker one, however many there are
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, _quota())


@cache
def _quota() -> int:
    """Return how many cores the container's quota keeps busy, rounded up; many without a limit."""
    for files in _CONTAINER_QUOTAS:
        # The file may be missing, or hold "max" or -1: no limit.
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = (int(word) for file in files for word in _content(file).split())
            if quota > 0:
                return -(-quota // period)
    return MOST_THREADS


def _content(file: str) -> bytes:
    with open(file, "rb") as content:
        return content.read()


def refuse_threads(threads: int | None) -> None:
    """Raise UnsuitableError for an impossible number of threads; None means one per core."""
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        wanted = "1 or more" if threads < 1 else f"at most {MOST_THREADS:,}"
        raise UnsuitableError(f"the number of threads must be {wanted}, not {threads:,}")


@cache
def machine() -> str:
    """Return a description for records: host, processor, number of cores, Python."""
    import platform

    processor = platform.processor() or platform.machine()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        models = (line for line in file if line.startswith("model name"))
        processor = next(models, f":{processor}").partition(":")[2].strip()
    python = f"Python {platform.python_version()}"
    return f"{platform.node()}, {processor}, {os.cpu_count()} cores, {python}"


def process_memory(*, private: bool = False) -> int:
    """Return the bytes this process holds now; its peak or 0 where the system does not say.

    With `private`, those that it shares with others are left out.
    """
    if sys.platform == "win32" or sys.platform in _CALLED:
        memory = _called()
        return memory.private if private else memory.resident
    try:
        resident, shared = map(int, _content("/proc/self/statm").split()[1:3])
        return (resident - shared * private) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return peak_memory()


def peak_memory() -> int:
    """Return the most bytes this process has held so far; 0 if unknown."""
    if sys.platform == "win32" or sys.platform in _CALLED:
        return _called().peak
    # Not getrusage first: on Linux its peak includes the memory of the parent at the fork.
    if peak := _status("VmHWM:"):
        return peak
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _called() -> ProcessMemory:
    from taquin.system.memory_calls import process_memory

    return process_memory()


def reset_peak() -> bool:
    """Reset the peak of this process's memory; return whether the system can do so."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
        return True
    return False


def release_memory() -> None:
    """Return freed memory to the system, where there is a way."""
    import ctypes

    # Only glibc has it, which otherwise keeps tens of megabytes for later.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def memory_ceiling(growth: int | None) -> Iterator[None]:
    """Let this process grow by at most `growth` bytes; beyond that, allocations raise MemoryError.

    None, or a system without such a limit, means no ceiling. Only private writable memory counts,
    not mapped tables or reserved addresses (GPU drivers reserve terabytes).
    """
    held = 0 if growth is None else _status("VmData:")
    if sys.platform == "win32" or growth is None or not held:
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = min([held + growth, *(limit for limit in before if limit != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_DATA, (ceiling, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _status(name: str) -> int:
    """Return a field of this process's status on Linux in bytes; 0 if there is none."""
    with suppress(OSError, ValueError, IndexError):
        return int(_content("/proc/self/status").partition(name.encode())[2].split()[0]) * 1024
    return 0


_THREAD_COST = 1 << 14
"""Nodes that a core searches in the time that one more thread takes to join, about 0.7 ms.
Measured on 16 x86 cores: Korf's 100 boards, of 160,000 nodes on average, took 0.65 s on one
thread, 0.42 on two, 0.40 on four, 0.65 on eight and 1.48 on sixteen."""


def threads_worth(nodes: float, most: int) -> int:
    """Return how many threads, from 1 to `most`, pay for a search of `nodes` nodes.

    With n threads the search takes nodes / n, and starting them n times the cost of one; the sum is
    least where both are equal.

    >>> [threads_worth(nodes, 16) for nodes in (1_000, 100_000, 1_000_000, 10_000_000)]
    [1, 2, 7, 16]
    """
    return max(1, min(most, isqrt(int(nodes) // _THREAD_COST)))

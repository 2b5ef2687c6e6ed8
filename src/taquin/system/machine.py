"""The cores and the memory of this machine, and the memory that this process uses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from taquin.errors import UnsuitableError

if TYPE_CHECKING:
    from taquin.system.memory_calls import ProcessMemory

_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files with the memory limit of a container."""
_CONTAINER_QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
"""Files with the CPU quota of a container and its period."""
_CALLED = ("darwin", "emscripten")
"""Systems besides Windows whose C library says how much memory a process holds."""
HAS_THREADS = sys.platform != "emscripten"
"""Whether this system starts threads; Python in a browser does not."""
_DEFAULT_MEMORY = 4 << 30
"""Bytes to assume if the size of the memory is unknown."""
MOST_THREADS = 1024
"""More than the cores of any machine, but few enough for every thread to get its stack."""


def safe_memory(processes: int = 1) -> int | None:
    """Return the bytes that each of `processes` may use; None if the memory size is unknown.

    Together they may use three quarters of the memory: beyond that, systems kill processes.
    """
    memory = min(filter(None, _sizes()), default=None)
    return None if memory is None else memory * 3 // 4 // max(1, processes)


def memory_left(limit: int | None) -> int:
    """Return the bytes that this process may still allocate, by default up to `safe_memory`."""
    most = limit if limit is not None else safe_memory() or _DEFAULT_MEMORY
    return max(0, most - process_memory())


def _sizes() -> Iterator[int]:
    if sys.platform == "win32":
        from taquin.system.memory_calls import physical_memory

        yield physical_memory()
        return
    with suppress(ValueError, OSError):
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _CONTAINER_LIMITS:
        # The file may be missing, or contain "max".
        with suppress(OSError, ValueError):
            yield int(_content(file))


def usable_cores() -> int:
    """Return the number of cores that this process may use, limited by its container's quota."""
    if sys.platform == "emscripten":
        return 1  # a web worker runs on one core
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, _quota())


@cache
def _quota() -> int:
    """Return the container's CPU quota in cores, rounded up; `MOST_THREADS` without a quota."""
    for files in _CONTAINER_QUOTAS:
        # The file may be missing, or contain "max" or -1: no limit.
        with suppress(OSError, ValueError, ZeroDivisionError):
            quota, period = (int(field) for file in files for field in _content(file).split())
            if quota > 0:
                return -(-quota // period)
    return MOST_THREADS


def _content(file: str) -> bytes:
    with open(file, "rb") as content:
        return content.read()


def refuse_threads(threads: int | None) -> None:
    """Raise UnsuitableError for an invalid number of threads; None means one per core."""
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        wanted = "1 or more" if threads < 1 else f"at most {MOST_THREADS:,}"
        raise UnsuitableError(f"the number of threads must be {wanted}, got {threads:,}")


@cache
def machine() -> str:
    """Describe this machine for records: host, processor, number of cores, Python."""
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
    """Return the peak memory of this process in bytes; 0 if unknown."""
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
    """Reset the peak memory of this process; return whether the system supports it."""
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")
        return True
    return False


def release_memory() -> None:
    """Return freed memory to the system, if the C library can."""
    import ctypes

    # glibc only: otherwise it keeps tens of megabytes for later.
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def memory_ceiling(growth: int | None) -> Iterator[None]:
    """Limit the growth of this process to `growth` bytes; beyond, allocations raise MemoryError.

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
    """Return a field of /proc/self/status in bytes; 0 if there is none."""
    with suppress(OSError, ValueError, IndexError):
        return int(_content("/proc/self/status").partition(name.encode())[2].split()[0]) * 1024
    return 0

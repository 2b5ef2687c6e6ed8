"""The cores and the memory of this machine, and the memory that this process uses."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from math import isqrt
from typing import Any, TypeAlias

from taquin.errors import UnsuitableError

_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files with the memory limit of a container."""
_CONTAINER_QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)
"""Files with the CPU quota of a container and its period."""
_SMALL_HEAP = 256 << 20
"""The size up to which all of a browser's heap is assumed to be in use."""
HAS_THREADS = sys.platform != "emscripten"
"""Whether this system starts threads; Python in a browser does not."""
_DEFAULT_MEMORY = 4 << 30
"""Bytes to assume if the size of the memory is unknown."""
MOST_THREADS = 1024
"""The maximum number of threads: every thread still gets its stack."""


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
        yield import_module("psutil").virtual_memory().total
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

    python = f"Python {platform.python_version()}"
    return f"{platform.node()}, {_processor()}, {os.cpu_count()} cores, {python}"


def _processor() -> str:
    import platform

    processor = platform.processor() or platform.machine()
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        models = (line for line in file if line.startswith("model name"))
        processor = next(models, f":{processor}").partition(":")[2].strip()
    return processor


Fact: TypeAlias = str | int | bool | None
_PACKAGES = {
    "numpy": ("numpy",),
    "scipy": ("scipy",),
    "dask": ("dask",),
    "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy"),
}
"""Libraries that a run may use, each with the distributions that install it."""
_GIT_SECONDS = 10.0


@cache
def provenance() -> dict[str, Fact]:
    """Return the provenance of this process, to repeat its run; None for unknown facts.

    The commit is that of the checkout that taquin runs from; a checkout is dirty if a tracked file
    of it was edited.
    """
    import platform

    from taquin._version import __version__

    commit, is_dirty = _commit()
    return {
        "taquin": __version__,
        "commit": commit,
        "dirty": is_dirty,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: _version(distributions) for name, distributions in _PACKAGES.items()},
        "cuda_driver": _cuda_driver(),
        "os": platform.platform(),
        "cpu": _processor(),
        "cores": usable_cores(),
        "memory": min(filter(None, _sizes()), default=None),
    }


def _commit() -> tuple[str | None, bool | None]:
    """Return the commit of taquin's checkout and whether it was edited; None without one."""
    import subprocess

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

    def git(*arguments: str) -> str:
        command = ["git", "-C", folder, *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=_GIT_SECONDS
        )
        return done.stdout.strip()

    with suppress(OSError, ValueError, subprocess.SubprocessError):
        # In an environment inside the checkout of another project, taquin is not tracked.
        git("ls-files", "--error-unmatch", "__init__.py")
        return git("rev-parse", "HEAD"), bool(git("status", "--porcelain", "-uno"))
    return None, None


def _version(distributions: Iterable[str]) -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    for name in distributions:
        with suppress(PackageNotFoundError):
            return version(name)
    return None


def _cuda_driver() -> str | None:
    """Return the version of NVIDIA's driver; None without one, or not on Linux."""
    with suppress(OSError):
        words = _content("/proc/driver/nvidia/version").decode("utf-8", "replace").split()
        return next((word for word in words if word.replace(".", "").isdigit()), None)
    return None


def process_memory(*, private: bool = False) -> int:
    """Return the bytes this process holds now; its peak or 0 where the system does not say.

    With `private`, memory shared with other processes is left out.
    """
    if sys.platform == "emscripten":
        heap = _heap()
        # The heap never shrinks, but counting the bytes in use takes tens of milliseconds.
        return heap if heap < _SMALL_HEAP else _used_heap()
    if sys.platform in ("win32", "darwin"):
        process = import_module("psutil").Process()
        sizes = process.memory_full_info() if private else process.memory_info()
        return int(sizes.uss if private else sizes.rss)
    try:
        resident, shared = map(int, _content("/proc/self/statm").split()[1:3])
        return (resident - shared * private) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return peak_memory()


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if unknown."""
    if sys.platform == "emscripten":
        return _heap()
    if sys.platform == "win32":
        return int(import_module("psutil").Process().memory_info().peak_wset)
    # Not getrusage first: on Linux its peak includes the memory of the parent at the fork.
    if peak := _status("VmHWM:"):
        return peak
    try:
        import resource
    except ImportError:
        return 0
    # In bytes on macOS, where other systems give kilobytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _heap() -> int:
    """Return the size of a browser's heap."""
    import ctypes

    size: Any = ctypes.CDLL(None).emscripten_get_heap_size
    size.restype = ctypes.c_size_t
    return int(size())


def _used_heap() -> int:
    """Return the bytes in use of a browser's heap."""
    import ctypes

    class Mallinfo(ctypes.Structure):
        """The structure of Emscripten's malloc.h."""

        _fields_ = (
            ("sizes", ctypes.c_size_t * 7),
            ("uordblks", ctypes.c_size_t),
            ("fordblks", ctypes.c_size_t),
            ("keepcost", ctypes.c_size_t),
        )

    mallinfo: Any = ctypes.CDLL(None).mallinfo
    mallinfo.restype = Mallinfo
    return int(mallinfo().uordblks)


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


_THREAD_COST = 1 << 14
"""Nodes that one core searches in the time that it takes to start another thread, about 0.7 ms.
On 16 x86 cores, Korf's 100 boards (160,000 nodes on average) took 0.65 s on one thread, 0.42 on
two, 0.40 on four, 0.65 on eight and 1.48 on sixteen."""


def threads_worth(nodes: float, most: int) -> int:
    """Return the number of threads, from 1 to `most`, that minimises the time for `nodes` nodes.

    With n threads the search takes nodes / n and starting them takes n · _THREAD_COST; the sum is
    minimal where both are equal.

    >>> [threads_worth(nodes, 16) for nodes in (1_000, 100_000, 1_000_000, 10_000_000)]
    [1, 2, 7, 16]
    """
    return max(1, min(most, isqrt(int(nodes) // _THREAD_COST)))

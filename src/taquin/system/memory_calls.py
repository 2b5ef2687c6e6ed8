"""The memory of a process and of the machine, as Windows, macOS and browsers report it.

Linux has files for these figures, which `taquin.system.machine` reads; others have functions in
their C libraries. The structures are those of their headers, and so are the names.
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p, sizeof
from typing import Any, NamedTuple

_SMALL_HEAP = 256 << 20
"""Bytes of a heap that is taken to be in use as a whole."""


class ProcessMemory(NamedTuple):
    """Bytes that this process holds; 0 where the system does not say."""

    resident: int = 0
    """In physical memory, shared pages included."""
    private: int = 0
    """Not shared with other processes."""
    peak: int = 0
    """The most that was resident so far."""


class _Counters(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS_EX of psapi.h."""

    _fields_ = (
        ("cb", c_uint32),
        ("PageFaultCount", c_uint32),
        ("PeakWorkingSetSize", c_size_t),
        ("WorkingSetSize", c_size_t),
        ("QuotaUsage", c_size_t * 4),
        ("PagefileUsage", c_size_t),
        ("PeakPagefileUsage", c_size_t),
        ("PrivateUsage", c_size_t),
    )


class _Status(ctypes.Structure):
    """MEMORYSTATUSEX of sysinfoapi.h."""

    _fields_ = (
        ("dwLength", c_uint32),
        ("dwMemoryLoad", c_uint32),
        ("ullTotalPhys", c_uint64),
        ("others", c_uint64 * 6),
    )


class _Usage(ctypes.Structure):
    """rusage_info_v0 of sys/resource.h."""

    _fields_ = (
        ("ri_uuid", c_uint8 * 16),
        ("times_and_wakeups", c_uint64 * 4),
        ("ri_pageins", c_uint64),
        ("ri_wired_size", c_uint64),
        ("ri_resident_size", c_uint64),
        ("ri_phys_footprint", c_uint64),
        ("start_and_exit", c_uint64 * 2),
    )


class _Heap(ctypes.Structure):
    """The mallinfo structure of Emscripten's malloc.h."""

    _fields_ = (("others", c_size_t * 7), ("uordblks", c_size_t), ("rest", c_size_t * 2))


def process_memory() -> ProcessMemory:
    """Return the memory of this process."""
    if sys.platform == "emscripten":
        library = ctypes.CDLL(None)
        library.emscripten_get_heap_size.restype = c_size_t
        library.mallinfo.restype = _Heap
        heap: int = library.emscripten_get_heap_size()
        # The heap never shrinks, but to count what is in use takes tens of milliseconds.
        used: int = heap if heap < _SMALL_HEAP else library.mallinfo().uordblks
        return ProcessMemory(used, used, heap)
    if sys.platform == "win32":
        kernel = _kernel()
        kernel.GetCurrentProcess.restype = c_void_p
        process = c_void_p(kernel.GetCurrentProcess())
        counters = _Counters(cb=sizeof(_Counters))
        if not kernel.K32GetProcessMemoryInfo(process, byref(counters), counters.cb):
            return ProcessMemory()
        sizes = counters.WorkingSetSize, counters.PrivateUsage, counters.PeakWorkingSetSize
        return ProcessMemory(*sizes)
    import resource

    usage = _Usage()
    if ctypes.CDLL(None).proc_pid_rusage(os.getpid(), 0, byref(usage)):
        return ProcessMemory()
    # In bytes, where other systems give kilobytes.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return ProcessMemory(usage.ri_resident_size, usage.ri_phys_footprint, peak)


def physical_memory() -> int:
    """Return the bytes of memory of a Windows machine; 0 where it does not say."""
    status = _Status(dwLength=sizeof(_Status))
    _kernel().GlobalMemoryStatusEx(byref(status))
    return int(status.ullTotalPhys)


def _kernel() -> Any:
    return ctypes.WinDLL("kernel32")  # type: ignore[attr-defined, unused-ignore]

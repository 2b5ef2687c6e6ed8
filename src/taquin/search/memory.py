"""How much memory this process holds, as the system tells it."""

from __future__ import annotations

import os
import sys


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

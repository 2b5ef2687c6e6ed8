"""How many cores there are to work with."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1

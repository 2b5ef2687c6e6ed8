"""What this machine is, for the records of the runs it did."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache


@cache
def machine() -> str:
    """Return where this runs: host, processor, number of cores, Python."""
    return (
        f"{platform.node()}, {_processor()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )


def _processor() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()

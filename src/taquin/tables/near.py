"""Keep small tables on large pages of memory, where a search finds them sooner.

A search reads its tables at random. Mapped from a file they lie on pages of 4 KiB, more than a
processor keeps addresses of; on pages of 2 MiB it knows them all. Measured on Korf's 100 with the
small set: 4 % less time.
"""

from __future__ import annotations

import mmap

import numpy as np
from numpy.typing import NDArray

MOST = 64 << 20
"""Bytes of the largest table that is copied; larger ones stay mapped, shared by all processes."""

_PAGE = 2 << 20


def brought_near(table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return `table` on large pages if it is small and the system has them, else as it is."""
    advice = getattr(mmap, "MADV_HUGEPAGE", None)
    if advice is None or table.nbytes > MOST:
        return table
    memory = mmap.mmap(-1, (table.nbytes // _PAGE + 2) * _PAGE)
    try:
        memory.madvise(advice)
    except OSError:
        # A kernel without large pages: the mapping serves.
        return table
    whole = np.frombuffer(memory, np.uint8)
    first = -whole.ctypes.data % _PAGE
    copy = whole[first : first + table.nbytes]
    copy[:] = table
    return copy

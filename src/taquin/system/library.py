"""Find the kernels that Numba compiles in this platform's library."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from taquin.system import compiled
from taquin.system.arrays import Kind
from taquin.system.sources import symbol_of

GIVE_WAY = "taquin_give_way"
"""The symbol that compiled code calls to yield the core to another thread."""
GIVE_WAY_ADDRESS = "taquin_give_way_address"
"""The variable of a library that holds the address of the system's function for it."""
FAST = "_bmi2"
"""The suffix of symbols that need BMI2."""
Entry = Callable[[int], None]
"""Runs a kernel on the words at an address (`arrays.py`)."""


def entry_in_library(function: Callable[..., Any], kinds: Sequence[Kind]) -> Entry | None:
    """Return a kernel from this platform's library; None if the library lacks it."""
    library = compiled._library()
    return None if isinstance(library, str) else _entry(library, symbol_of(function, kinds))


def entry_at(address: int, name: str) -> Entry:
    """Return the kernel whose code is at an address.

    The words are its last argument. The first two are Numba's result and exception; nobody reads
    them, so all threads share one buffer for them.
    """
    code = _ENTRY(address)

    def run(words: int) -> None:
        if code(_UNREAD, _UNREAD + 8, words) != 0:
            raise ArithmeticError(f"compiled code failed: {name}")

    return run


_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
_UNREAD_MEMORY = ctypes.create_string_buffer(16)
_UNREAD = ctypes.addressof(_UNREAD_MEMORY)


def _entry(library: ctypes.CDLL, symbol: str) -> Entry | None:
    code = getattr(library, symbol + FAST, None) if compiled._has_bmi2(library) else None
    code = code or getattr(library, symbol, None)
    return code and entry_at(ctypes.cast(code, ctypes.c_void_p).value or 0, symbol)

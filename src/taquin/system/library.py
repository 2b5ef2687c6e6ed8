"""Load the shared library of kernels for this platform, built ahead of time.

    taquin/native/linux-x86_64.so      exports a symbol for each kernel and kind of arguments
        kernel_1f6a0c…                 a digest of its name, its kinds and its code (`sources.py`)
        kernel_1f6a0c…_bmi2            the same for newer processors, on x86-64

Outdated code is never run: after a kernel is edited, its symbol is not found. A library is trusted
once it has passed a self-test (`proof.py`). `tools/kernels.py` builds the libraries;
`native/README.md` says how to rebuild and verify them.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from taquin.system.arguments import Arguments, Kind
from taquin.system.arrays import array, int64, zeros
from taquin.system.native import RESULTS
from taquin.system.platforms import library_path
from taquin.system.proof import BOARDS, LEVELS, count_levels
from taquin.system.sources import symbol_of

GIVE_WAY = "taquin_give_way"
"""The symbol that compiled code calls to yield the core to another thread."""
GIVE_WAY_ADDRESS = "taquin_give_way_address"
"""The variable of a library that holds the address of the system's function for it."""
FAST, HAS_FAST = "_bmi2", "taquin_has_bmi2"
"""The suffix of symbols that need BMI2, and the function that tests whether this CPU has it."""
Entry = Callable[[int], None]
"""Runs a kernel on the words at an address (`arguments.py`)."""


def entry_in_library(function: Callable[..., Any], kinds: Sequence[Kind]) -> Entry | None:
    """Return a kernel from this platform's library; None if the library lacks it."""
    library = trusted_library()
    return None if library is None else _entry(library, symbol_of(function, kinds))


@cache
def trusted_library() -> ctypes.CDLL | None:
    """Return the library of this platform; None if there is none or it fails the self-test."""
    path = library_path()
    if not os.path.exists(path):
        return None
    try:
        library = ctypes.CDLL(path)
        address = ctypes.c_void_p.in_dll(library, GIVE_WAY_ADDRESS)
    except (OSError, ValueError) as error:
        _warn(f"cannot be loaded ({error})")
        return None
    address.value = address_of_give_way()
    if not _is_proven(library):
        _warn("failed its self-test")
        return None
    return library


def address_of_give_way() -> int:
    """Return the address of the system's function that yields the core to another thread."""
    name, library = ("SwitchToThread", "kernel32") if os.name == "nt" else ("sched_yield", None)
    function = getattr(ctypes.CDLL(library), name)
    return ctypes.cast(function, ctypes.c_void_p).value or 0


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
    code = getattr(library, symbol + FAST, None) if _has_fast(library) else None
    code = code or getattr(library, symbol, None)
    return code and entry_at(ctypes.cast(code, ctypes.c_void_p).value or 0, symbol)


@cache
def _has_fast(library: ctypes.CDLL) -> bool:
    """Return whether a library has code for BMI2 and this CPU supports it."""
    ask = getattr(library, HAS_FAST, None)
    return ask is not None and bool(ask())


def _is_proven(library: ctypes.CDLL) -> bool:
    """Run the self-test; return whether the library passes or does not contain it.

    A library without the current self-test is outdated: none of its kernels is found either.
    """
    boards, levels = zeros(BOARDS, int64), zeros(len(LEVELS), int64)
    arguments = Arguments(boards, levels)
    prove = _entry(library, symbol_of(count_levels, arguments.kinds))
    if prove is None:
        return True
    words = array([0] * RESULTS + arguments.words, int64)
    prove(words.address)
    return tuple(levels.tolist()) == LEVELS


def _warn(reason: str) -> None:
    warnings.warn(
        f"the compiled code in {library_path()} {reason} and is not used; reinstall taquin",
        RuntimeWarning,
        stacklevel=2,
    )

"""Load the shared library of kernels for this platform, built ahead of time.

    taquin/native/linux-x86_64.so      exports a symbol for each kernel and kind of arguments
        kernel_1f6a0c…                 a digest of its name, its kinds and its code (`sources.py`)
        kernel_1f6a0c…_bmi2            its version for newer processors, on x86-64

Outdated code is never run: after a kernel is edited, its symbol is not found. `tools/kernels.py`
builds the libraries; `native/README.md` says how to rebuild and verify them.

A library is trusted once it has passed a self-test: `count_levels` counts the 360 solvable 2×3
boards by their distance from the goal. It is compiled into every library and uses what all kernels
use: arrays, 64-bit words, shifts and loops.

    1 2 3
    4 5 _     1, 2, 3, 5, 6, 7, 10, … boards, and one at distance 21
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from taquin.system.arrays import Arguments, Array, Kind, array, int64, zeros
from taquin.system.native import RESULTS, part
from taquin.system.sources import library_path, symbol_of

BOARDS = 360
"""The number of boards reached."""
LEVELS = (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
"""The number of boards at each distance from the goal, starting with 0."""
_COLUMNS, _CELLS, _BITS, _TILE = 3, 6, 4, 15
_GOAL = 0x054321
"""Four bits per cell, the first cell in the lowest; 0 is the blank."""


@part
def count_levels(boards: Array[int64], levels: Array[int64]) -> None:
    """Fill `boards` in breadth-first order from the goal, and `levels` with the count per depth."""
    boards[0] = _GOAL
    first, last, end, level = 0, 1, 1, 0
    while first < last:
        levels[level] = last - first
        for place in range(first, last):
            board = boards[place]
            blank = 0
            while board >> _BITS * blank & _TILE:
                blank += 1
            for target in range(_CELLS):
                rows = abs(target // _COLUMNS - blank // _COLUMNS)
                columns = abs(target % _COLUMNS - blank % _COLUMNS)
                if rows + columns == 1:
                    tile = board >> _BITS * target & _TILE
                    child = board ^ tile << _BITS * target ^ tile << _BITS * blank
                    known = 0
                    while known < end and boards[known] != child:
                        known += 1
                    if known == end:
                        boards[end] = child
                        end += 1
        first, last, level = last, end, level + 1


GIVE_WAY = "taquin_give_way"
"""The symbol that compiled code calls to yield the core to another thread."""
GIVE_WAY_ADDRESS = "taquin_give_way_address"
"""The variable of a library that holds the address of the system's function for it."""
FAST, HAS_FAST = "_bmi2", "taquin_has_bmi2"
"""The suffix of symbols that need BMI2, and the function that tests whether this CPU has it."""
Entry = Callable[[int], None]
"""Runs a kernel on the words at an address (`arrays.py`)."""


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


def is_loaded() -> bool:
    """Return whether this process has tried to load the library."""
    return trusted_library.cache_info().currsize > 0


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
    code = getattr(library, symbol + FAST, None) if has_fast(library) else None
    code = code or getattr(library, symbol, None)
    return code and entry_at(ctypes.cast(code, ctypes.c_void_p).value or 0, symbol)


@cache
def has_fast(library: ctypes.CDLL) -> bool:
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

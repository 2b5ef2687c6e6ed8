"""The building blocks of kernels: parts, and intrinsics (functions that are CPU instructions).

Kernels may call functions marked `@part` or `@inlined`; `kernels.py` has the functions that Python
calls. Neither imports a compiler: `tools/compiling.py` implements the intrinsics declared here.
Indices and addresses are not checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from taquin.system.arrays import int64

Part = TypeVar("Part", bound=Callable[..., Any])

RESULTS = 8
"""The number of words for the results of a kernel."""
PARTS: list[Callable[..., Any]] = []
"""All functions that kernels may call, kernels included."""
INLINED: set[Callable[..., Any]] = set()
"""The parts that are inlined."""


def part(function: Part) -> Part:
    """Let kernels call this function; called from Python, it runs as plain Python.

    It may allocate only by `stack_array`: Numba's allocator is not available. With `singledispatch`
    it has an implementation for each record class of its first argument.
    """
    PARTS.append(function)
    return function


def inlined(function: Part) -> Part:
    """Mark a part that is inlined into its callers, for the inside of a loop."""
    INLINED.add(function)
    return part(function)


@part
def widened(number: Any) -> int:
    """Return an array item as a 64-bit integer, which `int` is in compiled code."""
    return int(int64(number))


@inlined
def copy_items(source: Any, target: Any) -> None:
    """Copy a row; assigning a slice would allocate memory, in case the two overlap."""
    for place in range(len(source)):
        target[place] = source[place]


def _in_compiled_code_only(*_: Any) -> Any:
    raise TypeError("this function is for compiled code only")


def stack_array(count: int, kind: Any) -> Any:
    """Return an uninitialised array of `count` items, valid until the caller returns.

    It is on the thread's stack, which has space for a few hundred kilobytes.
    """
    return _in_compiled_code_only(count, kind)


def load_byte(address: Any) -> Any:
    """Return the byte at `address`; both are unsigned 64-bit integers.

    A kernel uses it to select one of many mapped tables without a branch or a copy.
    """
    return _in_compiled_code_only(address)


def half_word(array: Any, index: Any) -> Any:
    """Return the 32-bit half at `index`, low halves first, of an array of 64-bit words."""
    return _in_compiled_code_only(array, index)


def prefetch(address: Any) -> None:
    """Prefetch the cache line at `address`, an unsigned 64-bit integer."""
    _in_compiled_code_only(address)


def lowest_bit(word: Any) -> Any:
    """Return the index of the lowest set bit of an unsigned 64-bit integer other than 0."""
    return _in_compiled_code_only(word)


def count_bits(word: Any) -> Any:
    """Return the number of set bits of an unsigned 64-bit integer."""
    return _in_compiled_code_only(word)


def atomic_add(array: Any, index: Any, change: Any) -> Any:
    """Add to a word shared by threads, and return its previous value."""
    return _in_compiled_code_only(array, index, change)


def atomic_swap(array: Any, index: Any, old: Any, new: Any) -> Any:
    """Compare and swap a word shared by threads; return whether it was `old`."""
    return _in_compiled_code_only(array, index, old, new)


def atomic_load(array: Any, index: Any) -> Any:
    """Load a word shared by threads, with acquire semantics."""
    return _in_compiled_code_only(array, index)


def atomic_store(array: Any, index: Any, value: Any) -> None:
    """Store a word shared by threads, with release semantics."""
    _in_compiled_code_only(array, index, value)


def yield_thread() -> None:
    """Yield the core to another thread."""
    _in_compiled_code_only()

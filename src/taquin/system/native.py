"""What compiled code is made of: parts, and functions that are instructions of the processor.

`@part` and `@inlined` let compiled functions call another; `kernels.py` makes those that Python
calls. Neither imports a compiler: `tools/compiling.py` defines the instructions declared here.
An index or address must be right: nothing checks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from taquin.system.arrays import int64

Part = TypeVar("Part", bound=Callable[..., Any])

RESULTS = 8
"""Words for what a kernel returns."""
PARTS: list[Callable[..., Any]] = []
"""All functions that compiled ones may call, kernels included."""
INLINED: set[Callable[..., Any]] = set()
"""Those of them whose code takes the place of each call."""


def part(function: Part) -> Part:
    """Let compiled functions call this one; Python itself calls it as it is.

    It allocates only by `stack_array`: Numba's own memory is not available. With `singledispatch`
    it has a body for each class of record that its first argument may be.
    """
    PARTS.append(function)
    return function


def inlined(function: Part) -> Part:
    """Make a part whose code takes the place of each call: for the inside of a loop."""
    INLINED.add(function)
    return part(function)


@part
def widened(number: Any) -> int:
    """Return an item of an array as a number of 64 bits, as `int` is in compiled code."""
    return int(int64(number))


@inlined
def copy_items(source: Any, target: Any) -> None:
    """Copy a row; assigning it as a whole would take memory, in case the two overlap."""
    for place in range(len(source)):
        target[place] = source[place]


def _in_compiled_code_only(*_: Any) -> Any:
    raise TypeError("this function is for compiled code only")


def stack_array(count: int, kind: Any) -> Any:
    """Return an array of `count` items of a type, not cleared, for the length of the call.

    It lies on the stack of the thread, which has space for some hundred thousand bytes.
    """
    return _in_compiled_code_only(count, kind)


def load_byte(address: Any) -> Any:
    """Return the byte at `address`; both are unsigned 64-bit integers.

    So a kernel can select one of many mapped tables without a branch or a copy.
    """
    return _in_compiled_code_only(address)


def half_word(array: Any, index: Any) -> Any:
    """Return a half of a 64-bit word as such a word; of each word the low half comes first."""
    return _in_compiled_code_only(array, index)


def prefetch(address: Any) -> None:
    """Have the processor fetch what is at `address`, an unsigned 64-bit integer."""
    _in_compiled_code_only(address)


def lowest_bit(word: Any) -> Any:
    """Return the number of the lowest bit that is set in an unsigned 64-bit integer, not 0."""
    return _in_compiled_code_only(word)


def count_bits(word: Any) -> Any:
    """Return how many bits are set in an unsigned 64-bit integer."""
    return _in_compiled_code_only(word)


def atomic_add(array: Any, index: Any, change: Any) -> Any:
    """Add to a word that threads share, and return its value before."""
    return _in_compiled_code_only(array, index, change)


def atomic_swap(array: Any, index: Any, old: Any, new: Any) -> Any:
    """Replace `old` by `new` in a word that threads share; return whether it was `old`."""
    return _in_compiled_code_only(array, index, old, new)


def atomic_load(array: Any, index: Any) -> Any:
    """Read a word that another thread stored; all that it wrote before is visible then."""
    return _in_compiled_code_only(array, index)


def atomic_store(array: Any, index: Any, value: Any) -> None:
    """Store a word for other threads, after everything that was written before."""
    _in_compiled_code_only(array, index, value)


def yield_thread() -> None:
    """Let another thread have the core."""
    _in_compiled_code_only()

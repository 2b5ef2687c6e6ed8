"""Compiled functions that need no compiler once they were compiled.

    @kernel
    def walk(board: Any, start: int) -> int: ...

A kernel takes whole numbers, arrays whose items lie side by side, and None; it returns whole
numbers or nothing, as its annotation says. It is made of itself and of parts (`native.py`). For
each kind of arguments it is compiled once, by Numba (`compiling.py`), and kept as machine code
(`codecache.py`) that later runs load without Numba (`machinecode.py`), in a tenth of the time that
importing Numba takes. All it is given and all it returns goes through a row of words, so that the
code has one plain interface:

    words      8 results, then for each argument: a number, or an array's address and its lengths
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, update_wrapper
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taquin.system.native import RESULTS, part, told_of_compiling

_lock = RLock()


class Kernel:
    """A function that is compiled, or loaded, when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function: Callable[..., Any] = part(function)
        self.results = _results_of(function)
        self._codes: dict[tuple[str, ...], Callable[[int], None]] = {}
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        """Run it, while other threads go on."""
        return self.given(Arguments(*arguments))()

    def given(self, *groups: Arguments) -> Call:
        """Return a call with these arguments, to be made as often as one likes."""
        return Call(self, groups)

    def code_for(self, kinds: tuple[str, ...]) -> Callable[[int], None]:
        """Return what runs it on words at an address, compiled if need be."""
        code = self._codes.get(kinds)
        if code is None:
            with _lock:
                code = self._codes.get(kinds)
                if code is None:
                    code = self._codes[kinds] = self._made(kinds)
        return code

    def _made(self, kinds: tuple[str, ...]) -> Callable[[int], None]:
        # Only who calls a kernel needs them.
        from taquin.system.codecache import kept
        from taquin.system.machinecode import load

        function = self.function

        def compiled() -> tuple[bytes, str]:
            with told_of_compiling(f"compiling {function.__module__}.{function.__name__}, once"):
                # And only who has none yet needs Numba, which takes longer to import than all else.
                from taquin.system.compiling import compiled_entry

                return compiled_entry(function, kinds, self.results)

        return load(*kept(function, kinds, compiled))


kernel = Kernel


class Arguments:
    """Some arguments as kernels take them, to be put together once and used in many calls."""

    __slots__ = ("arrays", "kinds", "places", "words")

    def __init__(self, *arguments: Any) -> None:
        self.kinds = tuple([_kind_of(argument) for argument in arguments])
        """What decides which code serves: of an array its type and its dimensions."""
        self.words: list[int] = []
        """The numbers, and of arrays the addresses and lengths."""
        self.places: list[int] = []
        """Where the words of each argument begin."""
        self.arrays = arguments
        """The arguments: arrays are kept alive as long as their addresses are."""
        for argument in arguments:
            self.places.append(len(self.words))
            if isinstance(argument, np.ndarray):
                self.words += argument.ctypes.data, *argument.shape
            elif argument is not None:
                self.words.append(int(argument))


class Call:
    """A kernel with its arguments; to be made by one thread at a time."""

    __slots__ = ("_address", "_code", "_groups", "_results", "_words")

    def __init__(self, kernel: Kernel, groups: tuple[Arguments, ...]) -> None:
        words = [0] * RESULTS
        kinds: tuple[str, ...] = ()
        for group in groups:
            words += group.words
            kinds += group.kinds
        self._code, self._results = kernel.code_for(kinds), kernel.results
        self._groups = groups
        self._words: NDArray[np.int64] = np.array(words, np.int64)
        self._address = self._words.ctypes.data

    def put(self, place: int, number: int) -> None:
        """Give another number as the argument at this place of the first group."""
        self._words[RESULTS + self._groups[0].places[place]] = number

    def __call__(self) -> Any:
        """Run the kernel, while other threads go on."""
        self._code(self._address)
        if self._results == 0:
            return None
        found = self._words[: self._results].tolist()
        return found[0] if self._results == 1 else tuple(found)


def _kind_of(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous, "a kernel's arrays lie side by side"
        return _kind_of_array(argument.dtype, argument.ndim)
    return "none" if argument is None else "number"


@cache
def _kind_of_array(items: Any, dimensions: int) -> str:
    return f"{items.name} {dimensions}"


def _results_of(function: Callable[..., Any]) -> int:
    """Return how many numbers a function returns, by its annotation: None, int, tuple[int, …]."""
    annotation = function.__annotations__["return"]
    return 0 if annotation is None else str(annotation).count("int")

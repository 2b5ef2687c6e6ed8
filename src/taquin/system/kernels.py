"""Compiled functions that need no compiler once they were compiled.

    class Tree(NamedTuple):
        stack: NDArray[np.uint64]
        goal: int

    @kernel
    def walk(tree: Tree, budget: int) -> int: ...

A kernel takes whole numbers, arrays whose items lie side by side, records (named tuples) of these,
and None; it returns whole numbers or nothing, as its annotation says. It is made of itself and of
parts (`native.py`). For each kind of arguments it is compiled once, by Numba (`compiling.py`), and
kept as machine code (`codecache.py`) that later runs load without Numba (`machinecode.py`), in a
tenth of the time that importing Numba takes. What goes in and out is one row of words: 8 for the
results, then those of the arguments (`arguments.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from taquin.system.arguments import Arguments, Kind
from taquin.system.listening import report_compilation
from taquin.system.native import RESULTS, part

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

_lock = RLock()


class Kernel(Generic[Parameters, Returned]):
    """A function that is compiled, or loaded, when it is first called."""

    def __init__(self, function: Callable[Parameters, Returned]) -> None:
        self.function = part(function)
        self.results = _results_of(function)
        self._codes: dict[tuple[Kind, ...], Callable[[int], None]] = {}
        update_wrapper(self, function)

    def __call__(self, *arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
        """Run it, while other threads go on; arguments are given by their place, not by name."""
        assert not named, "a kernel's arguments are given by their place"
        returned: Returned = self.given(Arguments(*arguments))()
        return returned

    def given(self, *groups: Arguments) -> Call:
        """Return a call with these arguments, to be made as often as one likes."""
        return Call(self, groups)

    def code_for(self, kinds: tuple[Kind, ...]) -> Callable[[int], None]:
        """Return what runs it on words at an address, compiled if need be."""
        code = self._codes.get(kinds)
        if code is None:
            with _lock:
                code = self._codes.get(kinds)
                if code is None:
                    code = self._codes[kinds] = self._made(kinds)
        return code

    def _made(self, kinds: tuple[Kind, ...]) -> Callable[[int], None]:
        # Only who calls a kernel needs them.
        from taquin.system.codecache import cached_code
        from taquin.system.machinecode import load

        function = self.function

        def compiled() -> tuple[bytes, str]:
            with report_compilation(f"compiling {function.__module__}.{function.__name__}, once"):
                # And only who has none yet needs Numba, which takes longer to import than all else.
                from taquin.system.compiling import compiled_entry

                return compiled_entry(function, kinds, self.results)

        return load(*cached_code(function, kinds, compiled))


kernel = Kernel


class Call:
    """A kernel with its arguments; to be made by one thread at a time."""

    __slots__ = ("_address", "_code", "_groups", "_results", "_words")

    def __init__(self, kernel: Kernel[..., Any], groups: tuple[Arguments, ...]) -> None:
        words = [0] * RESULTS
        kinds: tuple[Kind, ...] = ()
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


def _results_of(function: Callable[..., Any]) -> int:
    """Return how many numbers a function returns, by its annotation: None, int, tuple[int, …]."""
    annotation = function.__annotations__["return"]
    return 0 if annotation is None else str(annotation).count("int")

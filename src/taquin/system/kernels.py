"""Compiled functions that need no compiler at run time.

    class Tree(NamedTuple):
        stack: Array[uint64]
        goal: int

    @kernel
    def walk(tree: Tree, budget: int) -> int: ...

A kernel takes integers, contiguous arrays, records (named tuples) of these, and None; it returns
integers or None. Its annotations declare the kinds of its arguments (`arrays.py`). It may call
parts (`native.py`). Its machine code is built ahead of time and shipped with taquin (`library.py`).
Its interface is one array of 64-bit words: 8 for the results, then the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Any, Generic, ParamSpec, TypeVar

from taquin.errors import MissingError
from taquin.system.arrays import Arguments, Kind, array, int64, kinds_of
from taquin.system.library import Entry, entry_in_library
from taquin.system.native import RESULTS, part
from taquin.system.sources import missing_kernel

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

KERNELS: list[Kernel[..., Any]] = []
"""All kernels of the modules that are imported."""
_lock = RLock()


class Kernel(Generic[Parameters, Returned]):
    """A function whose machine code is loaded on the first call."""

    def __init__(self, function: Callable[Parameters, Returned]) -> None:
        self.function = part(function)
        self.results = _results_of(function)
        self._codes: dict[tuple[Kind, ...], Entry] = {}
        update_wrapper(self, function)
        KERNELS.append(self)

    def __call__(self, *arguments: Parameters.args, **named: Parameters.kwargs) -> Returned:
        """Run it without holding the GIL; all arguments are positional."""
        assert not named, "a kernel's arguments are positional"
        returned: Returned = self.given(Arguments(*arguments))()
        return returned

    def given(self, *groups: Arguments) -> Call:
        """Bind arguments; the call that is returned can be run repeatedly."""
        return Call(self, groups)

    def code_for(self, kinds: tuple[Kind, ...]) -> Entry:
        """Return the code for arguments of these kinds, a function of the address of the words."""
        code = self._codes.get(kinds)
        if code is None:
            with _lock:
                code = self._codes.get(kinds) or self._load(kinds)
                self._codes[kinds] = code
        return code

    def _load(self, kinds: tuple[Kind, ...]) -> Entry:
        """Load the code for arguments of these kinds; raise MissingError if there is none."""
        function = self.function
        entry = entry_in_library(function, kinds)
        if entry is not None:
            return entry
        name = f"{function.__module__}.{function.__name__}"
        if kinds not in kinds_of(function):
            raise TypeError(f"{name} is not declared for {', '.join(map(str, kinds))}")
        raise MissingError(missing_kernel(name))


kernel = Kernel


class Call:
    """A kernel bound to its arguments; not thread-safe."""

    __slots__ = ("_address", "_code", "_groups", "_results", "_words")

    def __init__(self, kernel: Kernel[..., Any], groups: tuple[Arguments, ...]) -> None:
        words = [0] * RESULTS
        kinds: tuple[Kind, ...] = ()
        for group in groups:
            words += group.words
            kinds += group.kinds
        self._code, self._results = kernel.code_for(kinds), kernel.results
        self._groups = groups
        memory = array(words, int64)
        self._words, self._address = memory.items, memory.address

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the first group."""
        return self._groups[0].values

    def put(self, place: int, number: int) -> None:
        """Replace the integer argument at index `place` of the first group."""
        self._words[RESULTS + self._groups[0].places[place]] = number

    def __call__(self) -> Any:
        """Run the kernel without holding the GIL."""
        self._code(self._address)
        if self._results == 0:
            return None
        results = self._words[: self._results].tolist()
        return results[0] if self._results == 1 else tuple(results)


def _results_of(function: Callable[..., Any]) -> int:
    """Return how many integers a function returns, by its annotation: None, int, tuple[int, …]."""
    annotation = function.__annotations__["return"]
    return 0 if annotation is None else str(annotation).count("int")

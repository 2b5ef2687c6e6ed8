"""Call the kernels: the functions in C of `taquin/kernels`, each of which takes one record.

    class Search(NamedTuple):                     struct search {
        cells: Array[uint8]                           ARRAY(uint8_t, cells);
        nodes: int                                    NUMBER(nodes);
                                                  };
    SEARCH = Compiled("search", Search)           KERNEL(search, search) { … return found; }

    call = SEARCH.given(Search(cells, 1000))      the record, written once
    call.put("nodes", 2000)                       replaces a number of it
    found = call()                                runs the kernel, without holding the GIL

A record is an array of 64-bit words, the same on all platforms:

    number    one word
    array     its address, then its length along each axis
    record    the words of its fields in order

`tests/system/test_compiled.py` compares the fields of every record with those of its struct.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache, cached_property
from hashlib import blake2b
from typing import Any, Generic, NamedTuple, TypeVar

from taquin.errors import MissingError
from taquin.system.arrays import Array, array, uint64
from taquin.system.library import has_fast, trusted_library
from taquin.system.sources import missing_kernel

Record = TypeVar("Record", bound=tuple[Any, ...])

SOURCES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "kernels")
"""The folder of the sources."""
CHECKED = "TAQUIN_CHECKED_KERNELS"
"""The environment variable that names a library with checks (`make kernels-checked`)."""
COMPILED: dict[str, type[tuple[Any, ...]]] = {}
"""The record of each kernel of the modules that are imported."""
_WORD = (1 << 64) - 1


class Compiled(Generic[Record]):
    """A kernel, loaded on the first call."""

    def __init__(self, name: str, record: type[Record]) -> None:
        self.name, self.record = name, record
        COMPILED[name] = record

    def __call__(self, record: Record) -> int:
        """Run the kernel on a record, and return its result."""
        return self.given(record)()

    def given(self, record: Record) -> Call:
        """Bind a record; the call that is returned can be run repeatedly."""
        return Call(self.code, record)

    @cached_property
    def code(self) -> Callable[[int], int]:
        """The function of the library."""
        library = _library()
        function = None
        if library is not None:
            function = getattr(library, f"{self.name}_bmi2", None) if has_fast(library) else None
            function = function or getattr(library, self.name, None)
        if function is None:
            raise MissingError(missing_kernel(self.name))
        function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_int64
        code: Callable[[int], int] = function
        return code


def compiled_for(name: str, **fields: Any) -> Compiled[Any]:
    """Return a kernel whose record has these fields: one of several for different types."""
    record: Any = NamedTuple(name, list(fields.items()))  # type: ignore[misc]
    return Compiled(name, record)


class Call:
    """A kernel bound to its record; not thread-safe."""

    __slots__ = ("_address", "_code", "_places", "_words", "record")

    def __init__(self, code: Callable[[int], int], record: tuple[Any, ...]) -> None:
        words: list[int] = []
        self._places: dict[str, int] = {}
        names: tuple[str, ...] = getattr(record, "_fields")  # noqa: B009
        for name, field in zip(names, record, strict=True):
            self._places[name] = len(words)
            _append(field, words)
        self.record = record
        """The record, which keeps arrays alive while their addresses are in use."""
        self._code = code
        memory = array(words, uint64)
        self._words, self._address = memory.items, memory.address

    def put(self, name: str, number: int) -> None:
        """Replace a number of the record."""
        self._words[self._places[name]] = number & _WORD

    def get(self, name: str) -> int:
        """Return a number of the record, which the kernel may have changed."""
        number: int = self._words[self._places[name]]
        return number - (number >> 63 << 64)

    def __call__(self) -> int:
        """Run the kernel without holding the GIL, and return its result."""
        return self._code(self._address)


def _append(field: Any, words: list[int]) -> None:
    """Append the words of a field."""
    if isinstance(field, Array):
        words += field.address, *field.shape
    elif isinstance(field, tuple):
        for inner in field:
            _append(inner, words)
    else:
        words.append(int(field) & _WORD)


def sources_digest() -> str:
    """Return a digest of the sources of the kernels."""
    digest = blake2b(digest_size=16)
    for name in sorted(os.listdir(SOURCES)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(SOURCES, name), "rb") as file:
                # A checkout on Windows may have other ends of lines.
                digest.update(file.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


@cache
def _library() -> ctypes.CDLL | None:
    """Return the library of this platform if it was built from the present sources."""
    checked = os.environ.get(CHECKED)
    library = ctypes.CDLL(checked) if checked else trusted_library()
    if library is None:
        return None
    try:
        built_from = (ctypes.c_char * 33).in_dll(library, "taquin_sources").value.decode()
    except ValueError:
        return None
    return library if built_from == sources_digest() else None

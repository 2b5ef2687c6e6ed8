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

The library of each platform is built ahead of time (`kernels/README.md`):

    taquin/native/linux-x86_64.so
        taquin_sources             a digest of the sources: an outdated library is refused
        search, …                  the kernels
        search_bmi2, …             their versions for newer processors, on x86-64

It is trusted once it has counted the solvable 2×3 boards by their distance from the goal.
"""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from taquin.errors import MissingError
from taquin.reasons import reason
from taquin.system.arrays import Array, array, int64, uint64, zeros

Record = TypeVar("Record", bound=tuple[Any, ...])

_PACKAGE = os.path.dirname(os.path.dirname(__file__))
SOURCES = os.path.join(_PACKAGE, "kernels")
"""The folder of the sources."""
FOLDER = os.path.join(_PACKAGE, "native")
"""The folder of the libraries: all of them in a checkout, one in a wheel."""
CHECKED = "TAQUIN_CHECKED_KERNELS"
"""The environment variable that names a library with checks (`make kernels-checked`)."""
BOARDS = 360
"""The number of solvable 2×3 boards."""
LEVELS = (1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1)
"""The number of them at each distance from the goal, starting with 0."""
_SYSTEMS = {"win32": ("windows", "dll"), "darwin": ("macos", "dylib")}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
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
        """The function of the library; raise MissingError if there is no current library."""
        library = _library()
        if isinstance(library, str):
            raise MissingError(library)
        return _function(library, self.name)


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
    # Imported late: it loads OpenSSL, and most boards need no kernel.
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    for name in sorted(os.listdir(SOURCES)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(SOURCES, name), "rb") as file:
                # A checkout on Windows may have other ends of lines.
                digest.update(file.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def library_name(system: str, machine: str) -> str:
    """Return the file name of the library of a platform.

    >>> library_name("darwin", "arm64")
    'macos-aarch64.dylib'
    """
    name, suffix = _SYSTEMS.get(system, (system, "so"))
    return f"{name}-{_MACHINES.get(machine.lower(), machine.lower())}.{suffix}"


def library_path() -> str:
    """Return the path of this platform's library, which may not exist."""
    if sys.platform == "win32":
        machine = os.environ.get("PROCESSOR_ARCHITECTURE", "")
    else:
        machine = os.uname().machine
    return os.path.join(FOLDER, library_name(sys.platform, machine))


def can_run_kernels() -> bool:
    """Return whether there is compiled code for this platform."""
    return os.path.exists(library_path())


def no_kernels() -> str:
    """Return the message that compiled engines cannot run on this platform."""
    name = os.path.basename(library_path()).rpartition(".")[0]
    return reason("no-kernels", name=name)


def is_loaded() -> bool:
    """Return whether this process has tried to load the library."""
    return _library.cache_info().currsize > 0


@cache
def _library() -> ctypes.CDLL | str:
    """Return the library of this platform, or the message why it cannot be used."""
    path = os.environ.get(CHECKED) or library_path()
    if not os.path.exists(path):
        return no_kernels()
    try:
        library = ctypes.CDLL(path)
        digest = (ctypes.c_char * 33).in_dll(library, "taquin_sources")
        address = ctypes.c_void_p.in_dll(library, "taquin_give_way_address")
    except (OSError, ValueError) as error:
        return _refused(path, f"cannot be loaded ({error})")
    if digest.value.decode() != sources_digest():
        return (
            f"the library {path} is outdated: it was built from other sources. In a checkout run "
            "make kernels; otherwise reinstall taquin"
        )
    address.value = _address_of_give_way()
    boards, levels = zeros(BOARDS, int64), zeros(len(LEVELS), int64)
    Call(_function(library, COUNT_LEVELS.name), Levels(boards, levels))()
    if tuple(levels.tolist()) != LEVELS:
        return _refused(path, "failed its self-test")
    return library


def _refused(path: str, why: str) -> str:
    """Warn of a library that cannot be used, and return the message."""
    message = f"the compiled code in {path} {why} and is not used; reinstall taquin"
    warnings.warn(message, RuntimeWarning, stacklevel=3)
    return message


def _function(library: ctypes.CDLL, name: str) -> Callable[[int], int]:
    """Return a kernel of a library, in the version for this processor."""
    function = getattr(library, f"{name}_bmi2", None) if _has_bmi2(library) else None
    function = function or getattr(library, name)
    function.argtypes, function.restype = (ctypes.c_void_p,), ctypes.c_int64
    code: Callable[[int], int] = function
    return code


def _has_bmi2(library: ctypes.CDLL) -> bool:
    """Return whether this processor has the instructions BMI1 and BMI2."""
    ask = getattr(library, "taquin_has_bmi2", None)
    return ask is not None and bool(ask())


def _address_of_give_way() -> int:
    """Return the address of the system's function that yields the core to another thread."""
    name, library = ("SwitchToThread", "kernel32") if os.name == "nt" else ("sched_yield", None)
    function = getattr(ctypes.CDLL(library), name)
    return ctypes.cast(function, ctypes.c_void_p).value or 0


class Levels(NamedTuple):
    """The record of `count_levels`."""

    boards: Array[int64]
    """The boards that were reached."""
    levels: Array[int64]
    """How many there are at each distance."""


COUNT_LEVELS = Compiled("count_levels", Levels)
"""The self-test of a library (`kernels/library.c`)."""

"""Arrays of whole numbers that compiled code reads and writes, and the types of their items.

    grid = zeros((2, 3), uint8)      two rows of three bytes, side by side in memory
    grid[1, 2] = 7                   an item
    grid[1]                          a row, which is an array over the same memory
    grid.items                       all items in one line, as a memoryview
    grid.address                     where compiled code finds them

The memory is that of the standard library, so solving needs no other one. Large arrays lie in pages
that take neither time nor memory before they are used.

In compiled code the types of items convert numbers, as in C, and constants keep their types:
`ONE = uint64(1)`. In plain Python, and to a type checker, they are integers that never overflow,
and what is computed from them is a plain one: compiled code needs `TWO = uint64(ONE + ONE)`.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from array import array as packed
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar


class ItemType(type):
    """The class of the types of items, by which the compiler knows them."""

    code: str
    """The letter of the type, for `memoryview` and `array`."""
    nbytes: int
    """The size of an item."""


class ItemNumber(int, metaclass=ItemType):
    """A number of one of these types."""


if TYPE_CHECKING:
    int8: TypeAlias = int
    uint8: TypeAlias = int
    int16: TypeAlias = int
    uint16: TypeAlias = int
    int32: TypeAlias = int
    uint32: TypeAlias = int
    int64: TypeAlias = int
    uint64: TypeAlias = int
else:
    int8, uint8, int16, uint16, int32, uint32, int64, uint64 = (
        ItemType(f"{sign}int{8 * size}", (ItemNumber,), {"code": code, "nbytes": size})
        for size, codes in ((1, "bB"), (2, "hH"), (4, "iI"), (8, "qQ"))
        for sign, code in zip(("", "u"), codes, strict=True)
    )

Item = TypeVar("Item", bound=int)
Other = TypeVar("Other", bound=int)
_OWN_PAGES, _LARGE_PAGES = 1 << 16, 1 << 22
"""Bytes from which an array has pages of its own, and from which these are large, if possible."""


class Array(Generic[Item]):
    """Numbers of one type, in a line or in rows of equal length."""

    __slots__ = ("address", "items", "shape", "type")

    def __init__(
        self, items: memoryview, item: Any, address: int, shape: tuple[int, ...] | None = None
    ) -> None:
        self.items = items
        """All items in one line."""
        self.type: ItemType = item
        """The type of the items."""
        self.address = address
        """Where the first item is."""
        self.shape = (len(items),) if shape is None else shape
        """The length, or the number of rows and their length."""

    @property
    def nbytes(self) -> int:
        """The size in bytes."""
        return self.items.nbytes

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.items)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items) if len(self.shape) == 1 else map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: Any) -> Any:
        """Return the item at an index or at (row, column); a row, or a slice, not copied."""
        if isinstance(place, tuple):
            return self.items[place[0] * self.shape[1] + place[1]]
        if isinstance(place, slice):
            rows = range(len(self))[place]
            assert rows.step == 1, "the items of an array are adjacent"
            return self._part(rows.start, (len(rows), *self.shape[1:]))
        return self.items[place] if len(self.shape) == 1 else self._part(place, self.shape[1:])

    def __setitem__(self, place: Any, value: Any) -> None:
        """Replace the item at an index or at (row, column); or all items of a row or a slice."""
        if isinstance(place, tuple):
            self.items[place[0] * self.shape[1] + place[1]] = value
        elif isinstance(place, slice) or len(self.shape) == 2:
            self[place].items[:] = packed(self.type.code, value)
        else:
            self.items[place] = value

    def _part(self, first: int, shape: tuple[int, ...]) -> Array[Item]:
        """Return the array of a shape that begins at an index, or at a row."""
        begin = first * prod(self.shape[1:])
        items = self.items[begin : begin + prod(shape)]
        return Array(items, self.type, self.address + begin * self.type.nbytes, shape)

    def in_rows(self, width: int) -> Array[Item]:
        """Return the same memory in rows of a length."""
        return Array(self.items, self.type, self.address, (len(self.items) // width, width))

    def in_line(self) -> Array[Item]:
        """Return the same memory in one line."""
        return Array(self.items, self.type, self.address)

    def as_type(self, item: type[Other]) -> Array[Other]:
        """Return the same memory, in one line, as items of another type."""
        return Array(_cast(self.items, item), item, self.address)

    def tolist(self) -> list[Any]:
        """Return the numbers, or a list of them for each row."""
        return self.items.tolist() if len(self.shape) == 1 else [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        """Return a copy of the memory."""
        return self.items.tobytes()


def zeros(shape: int | tuple[int, ...], item: type[Item]) -> Array[Item]:
    """Return a new array of a length, or of rows and their length; raise MemoryError."""
    shape = (shape,) if isinstance(shape, int) else shape
    kind: Any = item
    flat = over(_memory(prod(shape) * kind.nbytes), item)
    return Array(flat.items, item, flat.address, shape)


def filled(shape: int | tuple[int, ...], value: int, item: type[Item]) -> Array[Item]:
    """Return a new array that has one number everywhere: -1, or one of a byte."""
    target = zeros(shape, item)
    assert value == -1 or target.type.nbytes == 1
    ctypes.memset(target.address, value, target.nbytes)
    return target


def clear(target: Array[Any]) -> None:
    """Make all numbers 0."""
    ctypes.memset(target.address, 0, target.nbytes)


def array(values: Iterable[int], item: type[Item]) -> Array[Item]:
    """Return a new array of some numbers, in a line."""
    kind: Any = item
    return over(packed(kind.code, values), item)


def matrix(rows: Sequence[Sequence[int]], item: type[Item]) -> Array[Item]:
    """Return a new array of rows of equal length, at least one."""
    flat = array(chain.from_iterable(rows), item)
    return Array(flat.items, item, flat.address, (len(rows), len(rows[0])))


def over(buffer: Any, item: type[Item]) -> Array[Item]:
    """Return an array over existing memory, in a line; it may be for reading only."""
    items = _cast(memoryview(buffer), item)
    return Array(items, item, address_of(items))


def address_of(buffer: Any) -> int:
    """Return the address of an object's memory, which must live on."""
    view = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(view), 0)
    address: int = view.address or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return address


class _Buffer(ctypes.Structure):
    """What Python says about the memory of an object; `ctypes` itself asks writable ones only."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_void_p * 16))


def _cast(memory: memoryview, item: Any) -> memoryview:
    return memory.cast("B").cast(item.code)


def _memory(nbytes: int) -> bytearray | mmap.mmap:
    """Return memory that is zero."""
    if nbytes < _OWN_PAGES:
        return bytearray(nbytes)
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, nbytes)
        # Private: a process that is forked has its own.
        memory = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if nbytes >= _LARGE_PAGES and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):
                memory.madvise(mmap.MADV_HUGEPAGE)
    except OSError as error:
        raise MemoryError(f"there are no {nbytes} bytes of memory left") from error
    return memory

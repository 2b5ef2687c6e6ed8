"""Integer arrays that compiled code reads and writes, and their item types.

    grid = zeros((2, 3), uint8)      two rows of three bytes, contiguous in memory
    grid[1, 2] = 7                   an item
    grid[1]                          a row, an array over the same memory
    grid.items                       all items in one dimension, as a memoryview
    grid.address                     the address of the first item

They need only the standard library, so solving needs no NumPy. Large arrays are mapped pages, which
take neither time nor memory before they are used. For a type checker, item types are `int`.
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
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeAlias, TypeVar


class ItemNumber(int):
    """A number of an item type."""

    code: str
    """The type code for `memoryview` and `array`."""
    nbytes: int
    """The size of an item in bytes."""


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
        type(f"{sign}int{8 * size}", (ItemNumber,), {"code": code, "nbytes": size})
        for size, codes in ((1, "bB"), (2, "hH"), (4, "iI"), (8, "qQ"))
        for sign, code in zip(("", "u"), codes, strict=True)
    )

Item = TypeVar("Item", bound=int)
_OWN_PAGES, _LARGE_PAGES = 1 << 16, 1 << 22
"""Bytes from which an array has its own pages, and from which it asks for huge pages."""


class Array(Generic[Item]):
    """A contiguous array of one or two dimensions."""

    __slots__ = ("address", "items", "shape", "type")

    def __init__(
        self, items: memoryview, item: Any, address: int, shape: tuple[int, ...] | None = None
    ) -> None:
        self.items = items
        """All items in one dimension."""
        self.type: type[ItemNumber] = item
        """The item type."""
        self.address = address
        """The address of the first item."""
        self.shape = (len(items),) if shape is None else shape
        """The length, or the number of rows and columns."""

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
        """Return the item at an index or at (row, column); a view for a row or a slice."""
        if isinstance(place, tuple):
            return self.items[place[0] * self.shape[1] + place[1]]
        if isinstance(place, slice):
            rows = range(len(self))[place]
            assert rows.step == 1, "the items of an array are adjacent"
            return self._part(rows.start, (len(rows), *self.shape[1:]))
        return self.items[place] if len(self.shape) == 1 else self._part(place, self.shape[1:])

    def __setitem__(self, place: Any, value: Any) -> None:
        """Replace the item at an index or at (row, column), or all items of a row or a slice."""
        if isinstance(place, tuple):
            self.items[place[0] * self.shape[1] + place[1]] = value
        elif isinstance(place, slice) or len(self.shape) == 2:
            self[place].items[:] = packed(self.type.code, value)
        else:
            self.items[place] = value

    def _part(self, first: int, shape: tuple[int, ...]) -> Array[Item]:
        """Return a view of a shape that begins at an index, or at a row."""
        begin = first * prod(self.shape[1:])
        items = self.items[begin : begin + prod(shape)]
        return Array(items, self.type, self.address + begin * self.type.nbytes, shape)

    def in_rows(self, width: int) -> Array[Item]:
        """Return a two-dimensional view with rows of `width` items."""
        return Array(self.items, self.type, self.address, (len(self.items) // width, width))

    def in_line(self) -> Array[Item]:
        """Return a one-dimensional view."""
        return Array(self.items, self.type, self.address)

    def tolist(self) -> list[Any]:
        """Return the items as a list, or as a list of rows."""
        return self.items.tolist() if len(self.shape) == 1 else [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        """Return a copy of the memory."""
        return self.items.tobytes()

    def copy(self) -> Array[Item]:
        """Return a new one-dimensional array of the same items."""
        kind: Any = self.type
        return over(bytearray(self.items), kind)


def zeros(shape: int | tuple[int, ...], item: type[Item]) -> Array[Item]:
    """Return a new array of a shape; raise MemoryError."""
    shape = (shape,) if isinstance(shape, int) else shape
    kind: Any = item
    flat = over(_memory(prod(shape) * kind.nbytes), item)
    return Array(flat.items, item, flat.address, shape)


def filled(shape: int | tuple[int, ...], value: int, item: type[Item]) -> Array[Item]:
    """Return a new array filled with `value`: -1, or any number for items of one byte."""
    target = zeros(shape, item)
    assert value == -1 or target.type.nbytes == 1
    ctypes.memset(target.address, value, target.nbytes)
    return target


def clear(target: Array[Any]) -> None:
    """Set all items to 0."""
    ctypes.memset(target.address, 0, target.nbytes)


def array(values: Iterable[int], item: type[Item]) -> Array[Item]:
    """Return a new one-dimensional array of `values`."""
    kind: Any = item
    return over(packed(kind.code, values), item)


def matrix(rows: Sequence[Sequence[int]], item: type[Item]) -> Array[Item]:
    """Return a new two-dimensional array of at least one row, all of equal length."""
    flat = array(chain.from_iterable(rows), item)
    return Array(flat.items, item, flat.address, (len(rows), len(rows[0])))


def over(buffer: Any, item: type[Item]) -> Array[Item]:
    """Return a one-dimensional array over existing memory, which may be read-only."""
    items = _cast(memoryview(buffer), item)
    return Array(items, item, address_of(items))


def address_of(buffer: Any) -> int:
    """Return the address of the memory of an object, which the caller must keep alive."""
    view = _Buffer()
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(view), 0)
    address: int = view.address or 0
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return address


class _Buffer(ctypes.Structure):
    """The start of `Py_buffer`; `ctypes.from_buffer` accepts writable memory only."""

    _fields_ = (("address", ctypes.c_void_p), ("rest", ctypes.c_void_p * 16))


def _cast(memory: memoryview, item: Any) -> memoryview:
    return memory.cast("B").cast(item.code)


def _memory(nbytes: int) -> bytearray | mmap.mmap:
    """Return zeroed memory."""
    if nbytes < _OWN_PAGES:
        return bytearray(nbytes)
    try:
        if sys.platform == "win32":
            return mmap.mmap(-1, nbytes)
        # Private: a forked process gets its own copy.
        memory = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        if nbytes >= _LARGE_PAGES and hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):
                memory.madvise(mmap.MADV_HUGEPAGE)
    except OSError as error:
        raise MemoryError(f"cannot allocate {nbytes} bytes of memory") from error
    return memory


Matrix: TypeAlias = Annotated[Array[Item], 2]
"""A two-dimensional array, in the annotations of records."""

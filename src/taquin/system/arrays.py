"""Integer arrays that compiled code reads and writes, their item types, and arguments of kernels.

    grid = zeros((2, 3), uint8)      two rows of three bytes, contiguous in memory
    grid[1, 2] = 7                   an item
    grid[1]                          a row, an array over the same memory
    grid.items                       all items in one dimension, as a memoryview
    grid.address                     the address of the first item

They need only the standard library, so solving needs no NumPy. Large arrays are mapped pages, which
take neither time nor memory before they are used.

In compiled code an item type converts numbers, as in C, and constants keep their types:
`ONE = uint64(1)`. In plain Python and for a type checker, item types are `int`, which never
overflows, and arithmetic returns plain `int`: compiled code needs `TWO = uint64(ONE + ONE)`.

`Arguments` flattens the arguments of a kernel to an array of 64-bit words:

    number    one word
    array     its address, then its length along each axis; its items are contiguous
    record    a named tuple: the words of its fields in order, nested records included
    None      no words

    class Line(NamedTuple):         (Line(cells, 7), None) → address of cells, length of cells, 7
        cells: Array[int64]
        end: int

The *kinds* of the arguments say what the words mean; code is compiled for each combination.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from array import array as packed
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, product
from math import prod
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)


class ItemType(type):
    """The metaclass of item types, by which the compiler recognises them."""

    code: str
    """The type code for `memoryview` and `array`."""
    nbytes: int
    """The size of an item in bytes."""


class ItemNumber(int, metaclass=ItemType):
    """A number of an item type."""


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
        self.type: ItemType = item
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
"""A two-dimensional array, in the annotations of kernels."""


class RecordKind(NamedTuple):
    """The kind of a named tuple."""

    record: type[tuple[Any, ...]]
    """The class of the named tuple."""
    fields: tuple[Kind, ...]

    def __str__(self) -> str:
        names: tuple[str, ...] = getattr(self.record, "_fields")  # noqa: B009
        fields = [f"{name}: {kind}" for name, kind in zip(names, self.fields, strict=True)]
        return f"{self.record.__module__}.{self.record.__qualname__}({', '.join(fields)})"


Kind: TypeAlias = str | RecordKind
"""The type of an argument in compiled code; for an array, item type and dimensions: `uint64 2`."""
NONE, NUMBER = "none", "number"
"""The kinds of None and of an integer."""


def records_in(kinds: Iterable[Kind]) -> Iterator[type[tuple[Any, ...]]]:
    """Yield the classes of all records among some kinds, nested ones included."""
    for kind in kinds:
        if isinstance(kind, RecordKind):
            yield kind.record
            yield from records_in(kind.fields)


def kinds_of(function: Callable[..., Any]) -> list[tuple[Kind, ...]]:
    """Return every combination of kinds that the annotations of a kernel allow.

    An `Array` has one dimension, a `Matrix` two; a union means each of its members, and
    `Annotated[Any, function]` each record that a `singledispatch` function is implemented for: the
    same record in all arguments with this annotation.
    """
    hints = get_type_hints(function, include_extras=True)
    del hints["return"]
    keys = [hint if _is_any_record(hint) else name for name, hint in hints.items()]
    distinct = dict(zip(keys, hints.values(), strict=True))
    return [
        tuple(map(dict(zip(distinct, kinds, strict=True)).__getitem__, keys))
        for kinds in product(*map(_alternatives, distinct.values()))
    ]


def _is_any_record(hint: Any) -> bool:
    """Return whether an annotation is `Annotated[Any, function]`."""
    return get_origin(hint) is Annotated and get_args(hint)[0] is Any


def _alternatives(hint: Any) -> list[Kind]:
    """Return the kinds that one annotation allows."""
    origin, members = get_origin(hint), get_args(hint)
    if origin is Annotated:
        array, extra = members
        if _is_any_record(hint):
            records = [record for record in extra.registry if record is not object]
            return [kind for record in records for kind in _alternatives(record)]
        return [f"{_item(array)} {extra}"]
    if origin in (Union, UnionType):
        return [kind for member in members for kind in _alternatives(member)]
    if origin is Array:
        return [f"{_item(hint)} 1"]
    if hint is NoneType:
        return [NONE]
    if hint is int:
        return [NUMBER]
    if hint is bytearray or origin is list:
        # Accepted in place of an array in plain Python only.
        return []
    fields = get_type_hints(hint, include_extras=True).values()
    return [RecordKind(hint, kinds) for kinds in product(*map(_alternatives, fields))]


def _item(array: Any) -> str:
    """Return the item type of an array annotation."""
    (item,) = get_args(array)
    return str(item.__name__)


class Arguments:
    """Arguments of a kernel, flattened once and used by many calls."""

    __slots__ = ("kinds", "places", "values", "words")

    def __init__(self, *values: Any) -> None:
        self.values = values
        """The arguments themselves, which keeps arrays alive while their addresses are in use."""
        self.words: list[int] = []
        self.places: list[int] = []
        """The offset of each argument in `words`."""
        kinds: list[Kind] = []
        for value in values:
            self.places.append(len(self.words))
            kinds.append(_flatten(value, self.words))
        self.kinds = tuple(kinds)


def _flatten(argument: Any, words: list[int]) -> Kind:
    """Append the words of an argument, and return its kind."""
    if isinstance(argument, Array):
        words += argument.address, *argument.shape
        return f"{argument.type.__name__} {len(argument.shape)}"
    if argument is None:
        return NONE
    if isinstance(argument, tuple):
        return RecordKind(type(argument), tuple([_flatten(field, words) for field in argument]))
    words.append(int(argument))
    return NUMBER

"""The arguments of kernels, flattened to an array of 64-bit words.

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

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from taquin.system.arrays import Array, Item

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
    `Annotated[Any, function]` each record that a `singledispatch` function is implemented for.
    """
    hints = get_type_hints(function, include_extras=True)
    del hints["return"]
    return list(product(*map(_alternatives, hints.values())))


def _alternatives(hint: Any) -> list[Kind]:
    """Return the kinds that one annotation allows."""
    origin, members = get_origin(hint), get_args(hint)
    if origin is Annotated:
        array, extra = members
        if array is Any:
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

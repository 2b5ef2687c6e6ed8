"""The arguments of kernels, flattened to a row of 64-bit words.

    number    one word
    array     its address, then its length along each axis; its items lie side by side
    record    a named tuple: the words of its fields in their order, records among them
    None      nothing

    class Line(NamedTuple):         (Line(cells, 7), None) → address of cells, length of cells, 7
        cells: Array[int64]
        end: int

The *kinds* of the arguments say what the words mean; code is compiled once for each of them.
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
"""An array of two dimensions, in the annotations of kernels."""


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
"""What an argument is to compiled code. An array's is its type and its dimensions: `uint64 2`."""
NONE, NUMBER = "none", "number"
"""The kinds of None and of a whole number."""


def records_in(kinds: Iterable[Kind]) -> Iterator[type[tuple[Any, ...]]]:
    """Yield the classes of all records among some kinds, those inside others included."""
    for kind in kinds:
        if isinstance(kind, RecordKind):
            yield kind.record
            yield from records_in(kind.fields)


def kinds_of(function: Callable[..., Any]) -> list[tuple[Kind, ...]]:
    """Return every combination of kinds that the annotations of a kernel allow.

    An `Array` has one dimension, a `Matrix` two; a union stands for each of its members, and
    `Annotated[Any, function]` for each record that a `singledispatch` function has a body for.
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
        # What plain Python takes in place of an array.
        return []
    fields = get_type_hints(hint, include_extras=True).values()
    return [RecordKind(hint, kinds) for kinds in product(*map(_alternatives, fields))]


def _item(array: Any) -> str:
    """Return the type of the items of an array's annotation."""
    (item,) = get_args(array)
    return str(item.__name__)


class Arguments:
    """Arguments of a kernel, flattened once for many calls."""

    __slots__ = ("kinds", "places", "values", "words")

    def __init__(self, *values: Any) -> None:
        self.values = values
        """The arguments as they are, which keeps arrays alive as long as their addresses."""
        self.words: list[int] = []
        self.places: list[int] = []
        """Where in `words` the words of each argument begin."""
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

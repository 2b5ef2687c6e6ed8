"""Two machine instructions that Numba does not offer by itself.

`load_byte(address)` reads one byte of a table whose address travels in an array, so that a kernel
can pick among many mapped tables without a branch or a copy. `atomic_or(array, index, bits)` sets
bits of a shared word, so that several threads can mark the same table.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _load_byte(typing_context: Any, address: Any) -> Any:
    """Return the byte at `address`, an unsigned 64-bit integer, as such an integer.

    The caller vouches for the address: it must lie inside an array that is kept alive.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.uint64(types.uint64), generate


def _atomic_or(typing_context: Any, array: Any, index: Any, bits: Any) -> Any:
    """Set `bits` in `array[index]` so that no thread's bits are lost."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array_type, _, bits_type = signature.args
        view = context.make_array(array_type)(context, builder, args[0])
        pointer = builder.gep(view.data, [args[1]])
        value = context.cast(builder, args[2], bits_type, array_type.dtype)
        builder.atomic_rmw("or", pointer, value, "monotonic")
        return context.get_dummy_value()

    return types.void(array, index, bits), generate


# Through Any, for the types Numba declares are those of the generators, not of the calls.
load_byte: Any = intrinsic(_load_byte)
atomic_or: Any = intrinsic(_atomic_or)

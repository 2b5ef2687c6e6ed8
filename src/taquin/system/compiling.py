"""Compile a kernel by Numba to machine code that needs no Numba to run.

`kernels.py` says what kernels are, `native.py` what their parts are. The functions that it declares
are defined here, as instructions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, compiler
from numba.core.registry import cpu_target
from numba.core.typing import templates
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import populate_array

from taquin.system import native
from taquin.system.arguments import NONE, NUMBER, Kind, RecordKind
from taquin.system.interrupts import raise_if_interrupted
from taquin.system.machinecode import GIVE_WAY, prepare

_known: set[Callable[..., Any]] = set()
"""The parts that Numba has been told of."""


def compiled_entry(
    function: Callable[..., Any], kinds: Sequence[Kind], results: int
) -> tuple[bytes, str]:
    """Return the object code of a kernel for such arguments, and the symbol of its entry."""
    for each in native.PARTS:
        if each not in _known:
            _known.add(each)
            _register(each)
    prepare()
    targets: Any = cpu_target
    targets.typing_context.refresh()
    targets.target_context.refresh()
    make_flags: Any = compiler.Flags
    flags = make_flags()
    flags.nrt = False
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.error_model = "python"
    compile_extra: Any = compiler.compile_extra
    with hearing_interrupts():
        made = compile_extra(
            targets.typing_context,
            targets.target_context,
            _entry(function, kinds, results),
            (types.int64,),
            types.void,
            flags,
            {},
        )
    return made.library._get_compiled_object(), made.fndesc.llvm_func_name


def _register(function: Callable[..., Any]) -> None:
    """Have Numba compile a part when it is called; of one with `singledispatch` the right one."""
    options: Any = {"forceinline": function in native.INLINED}
    choose = getattr(function, "dispatch", None)
    if choose is None:
        register_jitable(**options)(function)
    else:
        # In compiled code too it is the class of the first argument that decides, a record.
        pick = overload(function, jit_options=options, strict=False)
        pick(lambda *types: choose(types[0].instance_class))


def _entry(function: Callable[..., Any], kinds: Sequence[Kind], results: int) -> Any:
    """Return a function that makes a kernel's arguments of words, and words of its results.

    It is written out for each kind of arguments, because compiled code knows no other way to have
    some that differ in kind.
    """
    names: dict[str, Any] = {"array_at": _array_at, "np": np, "function": function}
    place = count(native.RESULTS)
    given = [_rebuilt(kind, place, names) for kind in kinds]
    # By which a failure is told.
    name = f"entry_of_{function.__name__}"
    put = [f"words[{number}] = found[{number}]" for number in range(results)]
    if results == 1:
        put = ["words[0] = found"]
    lines = [
        f"def {name}(address):",
        f"    words = array_at(address, ({next(place)},), np.int64)",
        f"    found = function({', '.join(given)})",
        *(f"    {line}" for line in put),
    ]
    exec("\n".join(lines), names)
    return names[name]


def _rebuilt(kind: Kind, place: Iterator[int], names: dict[str, Any]) -> str:
    """Return the expression that makes an argument of the next words."""
    if isinstance(kind, RecordKind):
        name = f"record_{len(names)}"
        names[name] = kind.record
        return f"{name}({', '.join([_rebuilt(field, place, names) for field in kind.fields])})"
    if kind == NONE:
        return "None"
    address = f"words[{next(place)}]"
    if kind == NUMBER:
        return address
    item, dimensions = kind.split()
    lengths = "".join(f"words[{next(place)}], " for _ in range(int(dimensions)))
    return f"array_at({address}, ({lengths}), np.{item.replace('bool', 'bool_')})"


@contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Have Ctrl-C end a compilation, before it begins or when it is done.

    The compiler calls Python back, and what is raised there goes no further.
    """
    raise_if_interrupted()
    lost: list[type[BaseException]] = []
    before = sys.unraisablehook

    def note(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            lost.append(unraisable.exc_type)
        else:
            before(unraisable)

    sys.unraisablehook = note
    try:
        yield
    finally:
        sys.unraisablehook = before
    raise_if_interrupted()
    if lost:
        raise KeyboardInterrupt


def _array(context: Any, builder: Any, kind: Any, data: Any, lengths: Sequence[Any]) -> Any:
    """Return an array of given memory, which nobody counts references to."""
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(types.intp, size)]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    made = context.make_array(kind)(context, builder)
    tools: Any = cgutils
    fill: Any = populate_array
    fill(
        made,
        data=data,
        shape=tools.pack_array(builder, lengths),
        strides=tools.pack_array(builder, strides),
        itemsize=context.get_constant(types.intp, size),
        meminfo=None,
    )
    return made._getvalue()


def _make_array_at(typing_context: Any, address: Any, shape: Any, item: Any) -> Any:
    kind = types.Array(item.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = builder.inttoptr(args[0], context.get_data_type(item.dtype).as_pointer())
        tools: Any = cgutils
        return _array(context, builder, kind, data, tools.unpack_tuple(builder, args[1]))

    tuple_of: Any = types.UniTuple
    return kind(types.int64, tuple_of(types.int64, len(shape)), item), generate


def _room(typing_context: Any, count: Any, item: Any) -> Any:
    kind = types.Array(item.dtype, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = builder.alloca(context.get_data_type(item.dtype), size=args[0])
        return _array(context, builder, kind, data, [args[0]])

    return kind(types.int64, item), generate


def _load_byte(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.uint64(types.uint64), generate


def _half_word(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, args[0])
        halves = builder.bitcast(view.data, ir.IntType(32).as_pointer())
        # Low halves are the even ones on every machine that there is compiled code for.
        return builder.zext(builder.load(builder.gep(halves, [args[1]])), ir.IntType(64))

    return types.uint64(array, types.uint64), generate


def _prefetch(typing_context: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (pointer.type, number, number, number))
        tools: Any = cgutils
        function = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # To read, to be kept near, data.
        builder.call(function, (pointer, number(0), number(3), number(1)))
        return context.get_dummy_value()

    return types.void(types.uint64), generate


def _lowest_bit(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


def _count_bits(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


def _atomic_add(typing_context: Any, array: Any, index: Any, change: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, value = _shared_word(context, builder, signature, args)
        return builder.atomic_rmw("add", pointer, value, "acq_rel")

    return array.dtype(array, types.intp, array.dtype), generate


def _atomic_swap(typing_context: Any, array: Any, index: Any, old: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, old = _shared_word(context, builder, signature, args)
        done = builder.cmpxchg(pointer, old, args[3], "acq_rel", "monotonic")
        return builder.extract_value(done, 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), generate


def _atomic_load(typing_context: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, _ = _shared_word(context, builder, signature, args)
        return builder.load_atomic(pointer, "acquire", array.dtype.bitwidth // 8)

    return array.dtype(array, types.intp), generate


def _atomic_store(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, value = _shared_word(context, builder, signature, args)
        builder.store_atomic(value, pointer, "release", array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, array.dtype), generate


def _shared_word(context: Any, builder: Any, signature: Any, args: Any) -> tuple[Any, Any]:
    """Return the address of `array[index]`, and the third argument if there is one."""
    view = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(view.data, [args[1]]), args[2] if len(args) > 2 else None


def _give_way(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), ())
        tools: Any = cgutils
        builder.call(tools.get_or_insert_function(builder.module, kind, GIVE_WAY), ())
        return context.get_dummy_value()

    return types.void(), generate


def _define(function: Callable[..., Any], definition: Any) -> None:
    """Have Numba take a function of `native.py` for the instructions that `definition` makes."""
    made: Any = templates
    template = made.make_intrinsic_template(function, definition, function.__name__)
    made.infer(template)
    made.infer_global(function, types.Function(template))


_array_at: Any = intrinsic(_make_array_at)
_define(native.room, _room)
_define(native.load_byte, _load_byte)
_define(native.half_word, _half_word)
_define(native.prefetch, _prefetch)
_define(native.lowest_bit, _lowest_bit)
_define(native.count_bits, _count_bits)
_define(native.atomic_add, _atomic_add)
_define(native.atomic_swap, _atomic_swap)
_define(native.atomic_load, _atomic_load)
_define(native.atomic_store, _atomic_store)
_define(native.give_way, _give_way)

"""Compile a kernel by Numba to LLVM code, which needs no Numba to run.

`kernels.py` defines kernels, `native.py` their parts. The functions that it declares are
implemented here, as instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, wraps
from itertools import count
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, compiler
from numba.core.registry import cpu_target
from numba.core.typing import templates
from numba.extending import intrinsic, overload, register_jitable, typeof_impl
from numba.np.arrayobj import populate_array

from taquin.system import arrays, native
from taquin.system.arrays import NONE, NUMBER, ItemNumber, ItemType, Kind, RecordKind, int64
from taquin.system.compiled import _address_of_give_way
from taquin.system.library import GIVE_WAY, Entry, entry_at

# What is untyped in Numba, so that it can be called.
_cgutils: Any = cgutils
_compiler: Any = compiler
_target: Any = cpu_target
_templates: Any = templates
_types: Any = types
_populate_array: Any = populate_array
_BYTE, _INT32, _INT64 = map(ir.IntType, (8, 32, 64))

_engines: list[Any] = []
"""The owners of compiled code, kept for the lifetime of the process."""
_registered: set[Callable[..., Any]] = set()
"""The parts that Numba can compile."""


@typeof_impl.register(ItemType)
def _type_of_item_type(item: ItemType, _: Any) -> Any:
    """Return Numba's type for a type of items: the one of the same name."""
    return _types.NumberClass(getattr(types, item.__name__))


@typeof_impl.register(ItemNumber)
def _type_of_number(number: Any, _: Any) -> Any:
    return getattr(types, type(number).__name__)


def entry_compiled_here(function: Callable[..., Any], kinds: Sequence[Kind], results: int) -> Entry:
    """Return a kernel compiled for this processor, for tests and comparisons."""
    compiled = _compile(function, kinds, results)
    machine = binding.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    code = compiled.library._get_compiled_object()
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    symbol = compiled.fndesc.llvm_func_name
    return entry_at(engine.get_function_address(symbol), symbol)


def compiled_module(
    function: Callable[..., Any], kinds: Sequence[Kind], results: int
) -> tuple[str, str]:
    """Return the LLVM code of a kernel for such arguments, and the symbol of its entry.

    Numba makes machine code of copies. Making it rewrites the LLVM code for this very machine: on
    aarch64, atomic additions become instructions that no other processor has.
    """
    codegen = _target.target_context.codegen()
    take = codegen._add_module
    codegen._add_module = lambda module: take(module.clone())
    try:
        compiled = _compile(function, kinds, results)
    finally:
        codegen._add_module = take
    return str(compiled.library._final_module), compiled.fndesc.llvm_func_name


def _compile(function: Callable[..., Any], kinds: Sequence[Kind], results: int) -> Any:
    for part in native.PARTS:
        if part not in _registered:
            _registered.add(part)
            _register(part)
    _prepare()
    contexts = _target.typing_context, _target.target_context
    for context in contexts:
        context.refresh()
    flags = _compiler.Flags()
    flags.nrt = False
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.error_model = "python"
    entry = _entry(function, kinds, results)
    return _compiler.compile_extra(*contexts, entry, (types.int64,), types.void, flags, {})


@cache
def _prepare() -> None:
    """Prepare for code of this processor, and define the function that it calls."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.add_symbol(GIVE_WAY, _address_of_give_way())


def _register(function: Callable[..., Any]) -> None:
    options: Any = {"forceinline": function in native.INLINED}
    choose = getattr(function, "dispatch", None)
    if choose is None:
        register_jitable(**options)(function)
    else:
        # As in Python, `singledispatch` selects by the class of the first argument, a record.
        pick = overload(function, jit_options=options, strict=False)
        pick(lambda *types: choose(types[0].instance_class))


def _entry(function: Callable[..., Any], kinds: Sequence[Kind], results: int) -> Any:
    """Return a function that turns words into a kernel's arguments, and its results into words.

    It is generated as text, because compiled code has no other way to handle arguments of
    different kinds.
    """
    names: dict[str, Any] = {"array_at": _array_at, "int64": int64, "function": function}
    place = count(native.RESULTS)
    arguments = [_rebuilt(kind, place, names) for kind in kinds]
    # A failure names the entry.
    name = f"entry_of_{function.__name__}"
    put = [f"words[{number}] = results[{number}]" for number in range(results)]
    if results == 1:
        put = ["words[0] = results"]
    lines = [
        f"def {name}(address):",
        f"    words = array_at(address, ({next(place)},), int64)",
        f"    results = function({', '.join(arguments)})",
        *(f"    {line}" for line in put),
    ]
    exec("\n".join(lines), names)
    return names[name]


def _rebuilt(kind: Kind, place: Iterator[int], names: dict[str, Any]) -> str:
    """Return the expression that builds an argument from the next words."""
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
    names[item] = getattr(arrays, item)
    return f"array_at({address}, ({lengths}), {item})"


def _array(context: Any, builder: Any, kind: Any, data: Any, lengths: Sequence[Any]) -> Any:
    """Return an array over existing memory, without a count of references."""
    size = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype))
    )
    strides = [size]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = context.make_array(kind)(context, builder)
    shape, steps = (_cgutils.pack_array(builder, numbers) for numbers in (lengths, strides))
    _populate_array(array, data=data, shape=shape, strides=steps, itemsize=size, meminfo=None)
    return array._getvalue()


@intrinsic
def _array_at(typing_context: Any, address: Any, shape: Any, item: Any) -> Any:
    kind = types.Array(item.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = builder.inttoptr(args[0], context.get_data_type(item.dtype).as_pointer())
        return _array(context, builder, kind, data, _cgutils.unpack_tuple(builder, args[1]))

    return kind(types.int64, _types.UniTuple(types.int64, len(shape)), item), generate


def _instruction(function: Callable[..., Any], typed: Callable[..., Any]) -> Callable[[Any], Any]:
    """Define a function of `native.py` by the decorated one, which generates its instructions.

    `typed` takes the typing context and the types of the arguments and returns the signature.
    """

    def define(generate: Any) -> Any:
        # Numba reads the parameters of `typed`.
        @wraps(typed)
        def definition(*kinds: Any) -> Any:
            return typed(*kinds), generate

        template = _templates.make_intrinsic_template(function, definition, function.__name__)
        _templates.infer(template)
        _templates.infer_global(function, types.Function(template))
        return generate

    return define


@_instruction(
    native.stack_array, lambda _, count, item: types.Array(item.dtype, 1, "C")(types.int64, item)
)
def _stack_array(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = signature.return_type
    data = builder.alloca(context.get_data_type(kind.dtype), size=args[0])
    return _array(context, builder, kind, data, [args[0]])


@_instruction(native.load_byte, lambda _, address: types.uint64(types.uint64))
def _load_byte(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = builder.inttoptr(args[0], _BYTE.as_pointer())
    return builder.zext(builder.load(pointer), _INT64)


@_instruction(native.half_word, lambda _, array, index: types.uint64(array, types.uint64))
def _half_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    view = context.make_array(signature.args[0])(context, builder, args[0])
    halves = builder.bitcast(view.data, _INT32.as_pointer())
    # Low halves are the even ones on every machine that Numba compiles for.
    return builder.zext(builder.load(builder.gep(halves, [args[1]])), _INT64)


@_instruction(native.prefetch, lambda _, address: types.void(types.uint64))
def _prefetch(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = builder.inttoptr(args[0], _BYTE.as_pointer())
    kind = ir.FunctionType(ir.VoidType(), (pointer.type, _INT32, _INT32, _INT32))
    function = _cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    # The numbers mean: for reading, to be kept near, data.
    builder.call(function, (pointer, _INT32(0), _INT32(3), _INT32(1)))
    return context.get_dummy_value()


@_instruction(native.lowest_bit, lambda _, word: types.int64(types.uint64))
def _lowest_bit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))


@_instruction(native.count_bits, lambda _, word: types.int64(types.uint64))
def _count_bits(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@_instruction(
    native.atomic_add, lambda _, array, index, change: array.dtype(array, types.intp, array.dtype)
)
def _atomic_add(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = _shared_word(context, builder, signature, args)
    return builder.atomic_rmw("add", pointer, args[2], "acq_rel")


@_instruction(
    native.atomic_swap,
    lambda _, array, index, old, new: types.boolean(array, types.intp, array.dtype, array.dtype),
)
def _atomic_swap(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = _shared_word(context, builder, signature, args)
    return builder.extract_value(builder.cmpxchg(pointer, *args[2:], "acq_rel", "monotonic"), 1)


@_instruction(native.atomic_load, lambda _, array, index: array.dtype(array, types.intp))
def _atomic_load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = _shared_word(context, builder, signature, args)
    return builder.load_atomic(pointer, "acquire", signature.return_type.bitwidth // 8)


@_instruction(
    native.atomic_store, lambda _, array, index, value: types.void(array, types.intp, array.dtype)
)
def _atomic_store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    pointer = _shared_word(context, builder, signature, args)
    builder.store_atomic(args[2], pointer, "release", signature.args[2].bitwidth // 8)
    return context.get_dummy_value()


def _shared_word(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    view = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(view.data, [args[1]])


@_instruction(native.yield_thread, lambda _: types.void())
def _yield_thread(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    kind = ir.FunctionType(_INT32, ())
    builder.call(_cgutils.get_or_insert_function(builder.module, kind, GIVE_WAY), ())
    return context.get_dummy_value()

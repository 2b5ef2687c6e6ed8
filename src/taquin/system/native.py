"""What Numba does not offer by itself: code that is kept safely, and some machine instructions.

`@kernel()` compiles a function and keeps its code from run to run, until any source it is made of
changes. Numba keeps the code of a function until the file of that function changes. A kernel is
made of functions and constants from several files, so here the code lies in a folder named after
all of them: no change, and no newer version of the project, ever meets code made from older
sources.

`load_byte(address)` reads one byte of a table whose address travels in an array, so that a kernel
can pick among many mapped tables without a branch or a copy. `lowest_bit(word)` is the number of
the lowest bit that is set. The others work on `array[index]`, a word that several threads share:

    atomic_add(array, index, change)         add, and return what was there before
    atomic_swap(array, index, old, new)      put `new` where `old` is; return whether it was
    atomic_load(array, index)                read what others publish, and all they wrote before it
    atomic_store(array, index, value)        publish, with all that was written before

An index must be right: nothing checks it. `give_way()` lets another thread have the core.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from taquin.system.codecache import hear_interrupts, keep_code_of
from taquin.system.files import cache_folder

_PACKAGE = Path(__file__).parents[1]
_OWN = _PACKAGE / "__pycache__"
_PREFIX = "taquin-kernels-"
_DAYS = 30
"""Days after which code that no process has used is taken for that of a version long gone."""


def kernel(signature: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function that runs beside others, now for a signature, else at the first call."""

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = numba.njit(nogil=True)(function)
        settings: Any = numba.config
        # Where the user told Numba to keep code, and nowhere else; else where taquin is, if that
        # can be written.
        chosen = settings.CACHE_DIR
        parents = [Path(chosen)] if chosen else [_OWN, cache_folder()]
        folder = keep_code_of(dispatcher, [parent / _name() for parent in parents])
        if folder is not None and not chosen:
            # In its own folder a taquin is alone; the user's it may share with other versions.
            forget_older(folder, 0 if folder.parent == _OWN else _DAYS)
        hear_interrupts(dispatcher)
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return compiled


def fingerprint(package: Path) -> str:
    """Return a short name for the sources of all kernels of a package."""
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        source = file.read_bytes()
        if b"numba" in source or b"native import" in source:
            digest.update(source)
    return digest.hexdigest()[:16]


@cache
def _name() -> str:
    """Return the name of the folder of the present sources."""
    return _PREFIX + fingerprint(_PACKAGE)


@cache
def forget_older(folder: Path, days: int) -> None:
    """Mark a folder as used, and remove those beside it that were not for so many days."""
    now = time.time()
    for other in folder.parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if other == folder:
                os.utime(folder, (now, now))
            elif other.stat().st_mtime <= now - days * 86_400:
                shutil.rmtree(other, ignore_errors=True)


def _load_byte(typing_context: Any, address: Any) -> Any:
    """Return the byte at `address`, an unsigned 64-bit integer, as such an integer.

    The caller vouches for the address: it must lie inside an array that is kept alive.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.uint64(types.uint64), generate


def _prefetch(typing_context: Any, address: Any) -> Any:
    """Have the processor fetch what is at `address`, an unsigned 64-bit integer."""

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
    """Return the number of the lowest bit that is set in an unsigned 64-bit integer, not 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

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
        builder.call(tools.get_or_insert_function(builder.module, kind, _GIVE_WAY), ())
        return context.get_dummy_value()

    return types.void(), generate


def _system_call_to_give_way() -> int | None:
    """Return the address of the system's function that does so; it takes nothing."""
    library = "kernel32" if os.name == "nt" else None
    name = "SwitchToThread" if os.name == "nt" else "sched_yield"
    return ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value


_GIVE_WAY = "taquin_give_way"
binding.add_symbol(_GIVE_WAY, _system_call_to_give_way())

# Through Any, for the types Numba declares are those of the generators, not of the calls.
load_byte: Any = intrinsic(_load_byte)
prefetch: Any = intrinsic(_prefetch)
lowest_bit: Any = intrinsic(_lowest_bit)
atomic_add: Any = intrinsic(_atomic_add)
atomic_swap: Any = intrinsic(_atomic_swap)
atomic_load: Any = intrinsic(_atomic_load)
atomic_store: Any = intrinsic(_atomic_store)
give_way: Any = intrinsic(_give_way)

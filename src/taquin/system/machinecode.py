"""Load machine code that was compiled earlier, without the compiler."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import __version__ as _version
from llvmlite import binding

GIVE_WAY = "taquin_give_way"
"""The name by which compiled code calls the system to let another thread have the core."""
_kept: list[Any] = []
"""Whatever owns code, for as long as the process lives."""

# Words come by address; the first two are Numba's own, for a result and for an exception.
_ENTRY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


def load(code: bytes, symbol: str) -> Callable[[int], None]:
    """Return a function of object code, which takes the address of a kernel's words."""
    prepare()
    machine = binding.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    entry = _ENTRY(engine.get_function_address(symbol))
    _kept.append(engine)
    # Nobody reads them, so all threads may write to the same.
    unread = ctypes.create_string_buffer(16)
    result = ctypes.addressof(unread)
    failure = result + 8

    def run(words: int) -> None:
        if entry(result, failure, words) != 0:
            raise ArithmeticError(f"compiled code failed: {symbol}")

    _kept.append(unread)
    return run


def processor() -> str:
    """Return what code made here is made for: the processor, and who writes its code."""
    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_host_cpu_name()} {features} llvmlite {_version}"


@cache
def prepare() -> None:
    """Make ready for code of this processor, and name what it calls."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    library = "kernel32" if os.name == "nt" else None
    name = "SwitchToThread" if os.name == "nt" else "sched_yield"
    function = getattr(ctypes.CDLL(library), name)
    binding.add_symbol(GIVE_WAY, ctypes.cast(function, ctypes.c_void_p).value)

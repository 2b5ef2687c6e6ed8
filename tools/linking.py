"""Link the LLVM code of kernels, and the kernels in C, to the library of a platform.

Zig compiles C for all platforms, and links. A library has no dependencies, not even the C library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from llvmlite import binding

from taquin.system.library import FAST, GIVE_WAY, GIVE_WAY_ADDRESS
from tools import kernels


class Platform(NamedTuple):
    """A platform, as LLVM names it."""

    triple: str
    processor: str
    features: str


def build_library(modules: Sequence[str], path: Path) -> None:
    """Write the library of a platform, given the LLVM code of each kernel."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    platform = Platform(*_LLVM[path.name])
    _link(path.name, _objects(platform, modules), path)


def _objects(platform: Platform, modules: Sequence[str]) -> list[bytes]:
    """Return the object code of all kernels for a platform, twice where a processor may do more."""
    codes = [_object(platform, modules, _SURROUNDINGS)]
    if platform.triple.startswith("x86_64"):
        # Shifts that leave the flags alone: Korf's 100 take 14 % less time.
        better = platform._replace(features="+bmi,+bmi2")
        fast = [re.sub(r"@(kernel_[0-9a-f]{16})", rf"@\1{FAST}", module) for module in modules]
        outside = _SURROUNDINGS.replace("= global ptr null", "= external global ptr")
        codes.append(_object(better, fast, outside))
    return codes


def _object(platform: Platform, modules: Sequence[str], surroundings: str) -> bytes:
    """Return the object code of some modules for a platform."""
    machine = binding.Target.from_triple(platform.triple).create_target_machine(
        cpu=platform.processor, features=platform.features, opt=3, reloc="pic", codemodel="default"
    )
    layout = str(machine.target_data)
    is_windows = "windows" in platform.triple
    is_main = surroundings is _SURROUNDINGS
    whole = binding.parse_assembly(surroundings + _WINDOWS * (is_windows and is_main))
    whole.triple, whole.data_layout = platform.triple, layout
    for module in modules:
        text = re.sub(r'target triple = "[^"]*"', f'target triple = "{platform.triple}"', module)
        text = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{layout}"', text)
        text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
        whole.link_in(binding.parse_assembly(text))
    whole.get_function(GIVE_WAY).linkage = "internal"
    if is_windows:
        if is_main:
            whole.get_global_variable(GIVE_WAY_ADDRESS).storage_class = "dllexport"
        for function in whole.functions:
            if function.name.startswith("kernel_"):
                function.storage_class = "dllexport"
    whole.verify()
    code: bytes = machine.emit_object(whole)
    return code


_SURROUNDINGS = f"""
@{GIVE_WAY_ADDRESS} = global ptr null

define i32 @{GIVE_WAY}() {{
  %function = load ptr, ptr @{GIVE_WAY_ADDRESS}
  %is_missing = icmp eq ptr %function, null
  br i1 %is_missing, label %end, label %call
call:
  %result = call i32 %function()
  br label %end
end:
  ret i32 0
}}
"""
"""The functions of every library besides its kernels."""
_WINDOWS = """
define i32 @DllMainCRTStartup(ptr %library, i32 %reason, ptr %reserved) {
  ret i32 1
}
"""
"""The entry point that Windows calls when it loads a library."""
_LLVM = {
    "linux-x86_64.so": ("x86_64-unknown-linux-gnu", "x86-64-v2", ""),
    "linux-aarch64.so": ("aarch64-unknown-linux-gnu", "cortex-a72", "-crc,-aes,-sha2"),
    "macos-aarch64.dylib": ("arm64-apple-macosx11.0.0", "apple-m1", ""),
    "macos-x86_64.dylib": ("x86_64-apple-macosx10.13.0", "x86-64-v2", ""),
    "windows-x86_64.dll": ("x86_64-pc-windows-gnu", "x86-64-v2", ""),
    "windows-aarch64.dll": ("aarch64-pc-windows-gnu", "cortex-a72", "-crc,-aes,-sha2"),
    "emscripten-wasm32.so": (
        *("wasm32-unknown-emscripten", "", "+bulk-memory,+mutable-globals,+sign-ext"),
    ),
}
"""The triple, the processor and the features of each platform for LLVM."""


def _link(name: str, codes: Sequence[bytes], path: Path) -> None:
    """Write the library of a platform, with the kernels in C."""
    with TemporaryDirectory() as folder:
        work = Path(folder)
        for command in kernels.compilations(name, work):
            kernels.run_zig(folder, [*command, "-DTAQUIN_WITH_LLVM"])
        for number, code in enumerate(codes):
            (kernels.objects(name, work) / f"kernels{number}.o").write_bytes(code)
        kernels.link(name, work)
        Path(folder, name).replace(path)

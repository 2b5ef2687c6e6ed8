"""Compile every kernel for every platform: `python -m tools.kernels [PLATFORM …] [--into FOLDER]`.

    annotations of a kernel ──> kinds of its arguments        (taquin/system/arguments.py)
    Numba                   ──> LLVM code, of no processor    (taquin/system/compiling.py)
    LLVM                    ──> object code of each platform
    Zig's linker            ──> one library each, without any dependency

It needs the extra `build`: Numba, and `ziglang` for a linker that knows all platforms. What a
library exports is described in `taquin/system/library.py`.
"""

from __future__ import annotations

import os

# Numba reads these when it is imported: the code must run on every processor.
os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from llvmlite import binding

from taquin.engine.anytime.construction import compiled_construction
from taquin.system.arguments import Kind, kinds_of
from taquin.system.compiling import compiled_module
from taquin.system.kernels import KERNELS
from taquin.system.library import FAST, GIVE_WAY, GIVE_WAY_ADDRESS, HAS_FAST, symbol_of
from taquin.system.platforms import FOLDER
from taquin.system.proof import count_levels
from taquin.system.sources import PACKAGE, has_kernels


class Platform(NamedTuple):
    """A platform that there is a library for."""

    triple: str
    """What LLVM calls it."""
    target: str
    """What Zig calls it; empty for WebAssembly, which its linker alone makes."""
    processor: str
    """The processor whose code is taken: the oldest that runs it, less some features."""
    features: str = ""
    wheel: str = ""
    """The tag of its wheel."""


_ANY_AARCH64 = "-crc,-aes,-sha2"
"""What a Cortex-A72 has and not every processor of its architecture.

Its order of instructions suits others too: on a Neoverse-N1 a 24-puzzle takes 1.05 times as long as
code for that processor, and 1.08 times in LLVM's generic order.
"""
PLATFORMS = {
    "linux-x86_64.so": Platform(
        "x86_64-unknown-linux-gnu",
        "x86_64-linux-musl",
        "x86-64-v2",
        wheel="manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64.so": Platform(
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-musl",
        "cortex-a72",
        _ANY_AARCH64,
        wheel="manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-aarch64.dylib": Platform(
        "arm64-apple-macosx11.0.0", "aarch64-macos", "apple-m1", wheel="macosx_11_0_arm64"
    ),
    "macos-x86_64.dylib": Platform(
        "x86_64-apple-macosx10.13.0", "x86_64-macos", "x86-64-v2", wheel="macosx_10_13_x86_64"
    ),
    "windows-x86_64.dll": Platform(
        "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "x86-64-v2", wheel="win_amd64"
    ),
    "windows-aarch64.dll": Platform(
        "aarch64-pc-windows-gnu",
        "aarch64-windows-gnu",
        "cortex-a72",
        _ANY_AARCH64,
        wheel="win_arm64",
    ),
    "emscripten-wasm32.so": Platform(
        "wasm32-unknown-emscripten", "", "", "+bulk-memory,+mutable-globals,+sign-ext"
    ),
}
"""The platforms by the file names of their libraries."""


def main() -> None:
    """Build the libraries that are named, or all."""
    parser = argparse.ArgumentParser(description="Compile every kernel for every platform.")
    parser.add_argument("platforms", nargs="*", default=[*PLATFORMS], metavar="PLATFORM")
    parser.add_argument(
        "--into", type=Path, default=Path(FOLDER), help="a folder for the libraries"
    )
    chosen = parser.parse_args()
    names = [name for name in PLATFORMS if name.startswith(tuple(chosen.platforms))]
    if not names:
        parser.error(f"expected some of {', '.join(PLATFORMS)}, found {chosen.platforms}")
    build(names, chosen.into)


def build(names: Sequence[str], folder: Path) -> None:
    """Write the libraries of some platforms into a folder."""
    modules = [_compiled(*kernel) for kernel in kernels()]
    folder.mkdir(parents=True, exist_ok=True)
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    for name in names:
        path = folder / name
        _link(PLATFORMS[name], _objects(PLATFORMS[name], modules), path)
        print(f"{path}: {len(modules)} kernels, {path.stat().st_size:,} bytes")


def kernels() -> Iterator[tuple[Callable[..., Any], tuple[Kind, ...], int]]:
    """Yield every kernel for every kind of arguments, and how many numbers it returns."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if has_kernels(file):
            import_module(".".join(["taquin", *file.relative_to(PACKAGE).with_suffix("").parts]))
    compiled_construction()
    for kernel in KERNELS:
        for kinds in kinds_of(kernel.function):
            yield kernel.function, kinds, kernel.results
    (kinds,) = kinds_of(count_levels)
    yield count_levels, kinds, 0


def _compiled(function: Callable[..., Any], kinds: tuple[Kind, ...], results: int) -> str:
    """Return the LLVM code of a kernel, in which only its entry can be seen, by its new name."""
    symbol = symbol_of(function, kinds)
    print(f"{symbol} {function.__module__}.{function.__name__}", file=sys.stderr)
    code, entry = compiled_module(function, kinds, results)
    module = binding.parse_assembly(code)
    for part in [*module.functions, *module.global_variables]:
        if not part.is_declaration and part.name != entry:
            part.linkage = "internal"
    module.get_function(entry).name = symbol
    return str(module)


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
"""What every library has besides its kernels."""
_WINDOWS = """
define i32 @DllMainCRTStartup(ptr %library, i32 %reason, ptr %reserved) {
  ret i32 1
}
"""
"""What Windows calls when it loads a library."""
_PROCESSOR = f"""
#ifdef _WIN32
__declspec(dllexport)
#endif
int {HAS_FAST}(void) {{
    unsigned int a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 7) return 0;
    a = 7;
    c = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return (b >> 3 & b >> 8 & 1);
}}
"""
"""Says whether an x86-64 processor has the instructions BMI1 and BMI2; LLVM alone cannot ask."""


def _link(platform: Platform, codes: Sequence[bytes], path: Path) -> None:
    """Write the library of a platform."""
    import ziglang

    zig = str(Path(ziglang.__file__).parent / "zig")
    with TemporaryDirectory() as folder:
        target = Path(folder) / path.name
        sources = []
        for number, code in enumerate(codes):
            sources.append(f"kernels{number}.o")
            Path(folder, sources[-1]).write_bytes(code)
        if len(codes) > 1:
            sources.append("processor.c")
            Path(folder, sources[-1]).write_text(_PROCESSOR, encoding="ascii")
        link = [zig, "wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--export-dynamic"]
        if platform.target:
            link = [zig, "build-lib", "-dynamic", "-fstrip", "-target", platform.target]
            link += ["-O", "ReleaseSmall", f"-femit-bin={target}", *sources]
        else:
            link += ["-o", str(target), *sources]
        subprocess.run(link, check=True, cwd=folder)
        target.replace(path)


if __name__ == "__main__":
    main()

"""Link the LLVM code of kernels, and the kernels in C, to the library of a platform.

Zig compiles C for all platforms, and links. A library has no dependencies, not even the C library.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from llvmlite import binding

from taquin.system.compiled import SOURCES, sources_digest
from taquin.system.library import FAST, GIVE_WAY, GIVE_WAY_ADDRESS
from tools.platforms import Platform


def build_library(platform: Platform, modules: Sequence[str], path: Path) -> None:
    """Write the library of a platform, given the LLVM code of each kernel."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    _link(platform, _objects(platform, modules), path)


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
_C_FLAGS = (
    "-std=gnu11",
    "-O3",
    "-ffreestanding",
    "-fPIC",
    "-fvisibility=hidden",
    # The same numbers on all processors.
    "-ffp-contract=off",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-g0",
)


def compile_c(platform: Platform, folder: Path) -> list[str]:
    """Write the object code of the kernels in C to a folder, and return the names of the files."""
    flags = [*_C_FLAGS, f'-DTAQUIN_SOURCES="{sources_digest()}"']
    if platform.target:
        processor = platform.processor.replace("-", "_")
        features = platform.features.replace("-crc", "-crc")
        flags += ["-target", platform.target, f"-mcpu={processor}{features.replace(',', '')}"]
    else:
        flags += [
            "-target",
            "wasm32-emscripten",
            "-mbulk-memory",
            "-mmutable-globals",
            "-msign-ext",
        ]
    variants = {"": flags}
    if platform.triple.startswith("x86_64"):
        # Shifts that leave the flags alone: Korf's 100 take 14 % less time.
        fast = f"-mcpu={platform.processor.replace('-', '_')}+bmi+bmi2"
        variants["_bmi2"] = [flag for flag in flags if "-mcpu" not in flag]
        variants["_bmi2"] += [fast, "-DTAQUIN_BMI2"]
    objects = []
    for suffix, chosen in variants.items():
        for source in sorted(Path(SOURCES).glob("*.c")):
            if suffix and source.name == "library.c":
                continue
            objects.append(f"{source.stem}{suffix}.o")
            # Names of folders would make two builds differ.
            here = f"-ffile-prefix-map={source.parent}=."
            command = [_zig(), "cc", *chosen, here, "-c", str(source), "-o", objects[-1]]
            subprocess.run(command, check=True, cwd=folder)
    return objects


def _zig() -> str:
    import ziglang

    return str(Path(ziglang.__file__).parent / "zig")


def _link(platform: Platform, codes: Sequence[bytes], path: Path) -> None:
    """Write the library of a platform."""
    zig = _zig()
    with TemporaryDirectory() as folder:
        target = Path(folder) / path.name
        sources = []
        for number, code in enumerate(codes):
            sources.append(f"kernels{number}.o")
            Path(folder, sources[-1]).write_bytes(code)
        sources += compile_c(platform, Path(folder))
        command = [
            zig,
            "wasm-ld",
            "-shared",
            "--experimental-pic",
            "--no-entry",
            "--export-dynamic",
        ]
        if platform.target:
            command = [zig, "build-lib", "-dynamic", "-fstrip", "-target", platform.target]
            # Without a name of their own, libraries are named after a temporary folder.
            if "macos" in platform.target:
                command += ["-install_name", f"@rpath/{path.name}"]
            elif "linux" in platform.target:
                command.append(f"-fsoname={path.name}")
            command += ["-O", "ReleaseSmall", f"-femit-bin={target}", *sources]
        else:
            command += ["--export-dynamic", "-o", str(target), *sources]
        subprocess.run(command, check=True, cwd=folder)
        target.replace(path)

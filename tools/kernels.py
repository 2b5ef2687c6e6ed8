"""Build the libraries of kernels: `python -m tools.kernels [--all] [--into FOLDER] [PLATFORM …]`.

    src/taquin/kernels/*.c ──zig cc──> objects ──zig build-lib──> src/taquin/native/linux-x86_64.so

Zig compiles C for every platform, and links. `make kernels` builds the library of this machine,
`make kernels-all` those of all platforms. The dependency group `kernels` has Zig in an exact
version: the same sources then give the same bytes. A library has no dependencies, not even the C
library.

`--checked` builds a library for tests with the system's compiler, `make kernels-checked`:

    env $(python -m tools.kernels --checked) python -m pytest tests/engine

It prints the environment in which Python uses that library. A kernel that reads beyond an array,
or whose arithmetic C leaves undefined, then ends the process with the place in its source.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from taquin.system.compiled import CHECKED, FOLDER, SOURCES, library_path, sources_digest
from tools.platforms import PLATFORMS, Platform
from tools.running import ROOT

CHECKED_LIBRARY = ROOT / "build" / "checked" / "kernels.so"
"""The library for tests."""
_CACHE = ROOT / "build" / "zig"
_FLAGS = (
    "-std=gnu11",
    "-O3",
    "-ffreestanding",
    "-fPIC",
    "-fvisibility=hidden",
    # The same numbers on all processors.
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-g0",
)
_WEBASSEMBLY = ("-mbulk-memory", "-mmutable-globals", "-msign-ext")
_LINKS = {
    "linux": ("-fsoname={name}",),
    # Without names of their own, libraries are named after a temporary folder.
    "macos": ("-install_name", "@rpath/{name}"),
    "windows": (),
}
"""Options of the linker for a system."""
_CHECKED_FLAGS = ("-std=gnu11", "-O1", "-g", "-shared", "-fPIC", "-fno-omit-frame-pointer")
_SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")


def main() -> None:
    """Build the libraries that are named, or that of this machine."""
    parser = argparse.ArgumentParser(description="Build the libraries of kernels.")
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help="default: this machine")
    parser.add_argument("--all", action="store_true", help="build for every platform")
    parser.add_argument("--anew", action="store_true", help="compile what is cached too")
    parser.add_argument("--checked", action="store_true", help="build with checks, for tests")
    parser.add_argument(
        "--into", type=Path, default=Path(FOLDER), help="a folder for the libraries"
    )
    chosen = parser.parse_args()
    if chosen.checked:
        for name, value in build_checked(CHECKED_LIBRARY, Path(SOURCES).glob("*.c")).items():
            print(f"{name}={value}")
        return
    wanted = tuple(chosen.platforms) or (Path(library_path()).name,)
    names = [name for name in PLATFORMS if chosen.all or name.startswith(wanted)]
    if not names:
        parser.error(f"expected some of {', '.join(PLATFORMS)}, found {', '.join(wanted)}")
    if chosen.anew:
        shutil.rmtree(_CACHE, ignore_errors=True)
    build(names, chosen.into)


def build(names: Sequence[str], folder: Path) -> None:
    """Write the libraries of some platforms into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work, ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            name: pool.map(lambda command: run_zig(work, command), compilations(name, Path(work)))
            for name in names
        }
        for name, compiled in waiting.items():
            list(compiled)
            link(name, Path(work))
            path = Path(work, name).replace(folder / name)
            print(f"{path}: {path.stat().st_size:,} bytes")


def compilations(name: str, work: Path) -> list[list[str]]:
    """Return the commands that compile all sources for a platform, into a folder of its own."""
    platform = PLATFORMS[name]
    folder = objects(name, work)
    folder.mkdir()
    # Names of folders would make two builds differ.
    common = [*_FLAGS, f"-ffile-prefix-map={SOURCES}=.", *_sources_define()]
    return [
        ["cc", *common, *flags, "-c", str(source), "-o", str(folder / f"{source.stem}{suffix}.o")]
        for suffix, flags in _variants(platform).items()
        for source in sorted(Path(SOURCES).glob("*.c"))
    ]


def _variants(platform: Platform) -> dict[str, list[str]]:
    """Return the flags of each version of the code for a platform, by the suffix of its objects."""
    target = ["-target", platform.target]
    if not platform.processor:
        return {"": [*target, *_WEBASSEMBLY]}
    variants = {"": [*target, f"-mcpu={platform.processor}"]}
    if platform.target.startswith("x86_64"):
        # Shifts that leave the flags alone: Korf's 100 take 14 % less time.
        fast = f"-mcpu={platform.processor}+bmi+bmi2"
        variants["_bmi2"] = [*target, fast, "-DTAQUIN_BMI2"]
    return variants


def link(name: str, work: Path) -> None:
    """Link the objects of a platform to its library."""
    target = PLATFORMS[name].target
    folder = objects(name, work)
    codes = [f"{folder.name}/{path.name}" for path in sorted(folder.iterdir())]
    if target.startswith("wasm32"):
        linker = ["wasm-ld", "-shared", "--experimental-pic", "--no-entry", "--export-dynamic"]
        output = ["-o", name]
    else:
        system = target.split("-")[1].partition(".")[0]
        linker = ["build-lib", "-dynamic", "-fstrip", "-target", target, "-O", "ReleaseSmall"]
        output = [f"-femit-bin={name}", *(word.format(name=name) for word in _LINKS[system])]
    run_zig(str(work), [*linker, *output, *codes])


def objects(name: str, work: Path) -> Path:
    """Return the folder of the objects of a platform."""
    return work / f"objects-{name}"


def run_zig(folder: str, words: Sequence[str]) -> None:
    """Run Zig in a folder."""
    import ziglang

    program = str(Path(ziglang.__file__).parent / "zig")
    caches = dict.fromkeys(("ZIG_LOCAL_CACHE_DIR", "ZIG_GLOBAL_CACHE_DIR"), str(_CACHE))
    subprocess.run([program, *words], check=True, cwd=folder, env=os.environ | caches)


def _sources_define() -> tuple[str]:
    """Return the definition of the digest by which Python recognises an outdated library."""
    return (f'-DTAQUIN_SOURCES="{sources_digest()}"',)


def build_checked(path: Path, sources: Iterable[Path]) -> dict[str, str]:
    """Build a library for tests, and return the environment that selects it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CC", "cc")
    defined = ("-DTAQUIN_CHECKED", *_sources_define())
    files = sorted(map(str, sources))
    command = [compiler, *_CHECKED_FLAGS, *_SANITIZERS, *defined, *files, "-o", str(path)]
    print(" ".join(command), file=sys.stderr)
    subprocess.run(command, check=True)
    runtimes = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True
        ).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    return {
        CHECKED: str(path),
        "LD_PRELOAD": ":".join(runtimes),
        # Python keeps memory to its end, and its own allocator would hide the ends of arrays.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
        "PYTHONMALLOC": "malloc",
    }


if __name__ == "__main__":
    main()

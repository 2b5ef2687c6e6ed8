"""Compile the kernels ahead of time: `python -m tools.numba_kernels [--all] [PLATFORM …]`.

    annotations of a kernel ──> kinds of its arguments        (taquin/system/arrays.py)
    Numba                   ──> LLVM code, of no processor    (tools/compiling.py)
    LLVM                    ──> object code of each platform  (tools/linking.py)
    Zig's linker            ──> one library each, without any dependency

`make kernels` runs it for this machine, `make kernels-all` for every platform. It needs the
dependency group `kernels`, with exact versions: the same sources then give the same bytes. LLVM
code is kept in build/kernels/ by symbol, so only kernels that changed are compiled again.
What a library exports is described in `taquin/system/library.py`.
"""

from __future__ import annotations

import os

# Numba reads these when it is imported: the code must run on every processor.
os.environ.update(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")

import argparse
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib import import_module
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from taquin.engine.anytime.construction import compiled_construction
from taquin.system.arrays import Kind, kinds_of
from taquin.system.compiled import FOLDER, library_path
from taquin.system.kernels import KERNELS
from taquin.system.sources import PACKAGE, RECORD, computed_symbol, kinds_digest
from tools.platforms import PLATFORMS

ROOT = Path(__file__).parents[1]
_HAS_KERNELS = re.compile(
    r"^(from taquin\.system\.(kernels|native) import|@\w+\.register$)", re.MULTILINE
)
"""The text by which sources with kernels, or bodies that records select, are found."""


class Compiled(NamedTuple):
    """A kernel for one kind of arguments."""

    function: Callable[..., Any]
    kinds: tuple[Kind, ...]
    results: int
    """How many numbers it returns."""
    symbol: str
    files: dict[str, str]
    """The sources of its code with their digests."""

    @property
    def name(self) -> str:
        """The module and the name of its function."""
        return f"{self.function.__module__}.{self.function.__qualname__}"


def main() -> None:
    """Build the libraries that are named, or that of this machine."""
    parser = argparse.ArgumentParser(description="Compile the kernels ahead of time.")
    parser.add_argument("platforms", nargs="*", metavar="PLATFORM", help="default: this machine")
    parser.add_argument("--all", action="store_true", help="build for every platform")
    parser.add_argument("--anew", action="store_true", help="compile kernels that are cached too")
    parser.add_argument(
        "--into", type=Path, default=Path(FOLDER), help="a folder for the libraries"
    )
    chosen = parser.parse_args()
    wanted = tuple(chosen.platforms) or (Path(library_path()).name,)
    names = [name for name in PLATFORMS if chosen.all or name.startswith(wanted)]
    if not names:
        parser.error(f"expected some of {', '.join(PLATFORMS)}, found {', '.join(wanted)}")
    if chosen.anew:
        shutil.rmtree(_cache(), ignore_errors=True)
    build(names, chosen.into)


def build(names: Sequence[str], folder: Path) -> None:
    """Write the libraries of some platforms into a folder, and the record of their symbols."""
    folder.mkdir(parents=True, exist_ok=True)
    _cache().mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        missing = [number for number, kernel in enumerate(kernels()) if not _code(kernel).exists()]
        for name in pool.map(_compile, missing):
            print(f"compiled {name}", file=sys.stderr)
        for line in pool.map(_build, names, [folder] * len(names)):
            print(line)
    (folder / RECORD).write_text(record(), encoding="utf-8")


@cache
def kernels() -> tuple[Compiled, ...]:
    """Return every kernel for every kind of arguments."""
    for file in sorted(Path(PACKAGE).rglob("*.py")):
        if _HAS_KERNELS.search(file.read_text(encoding="utf-8")):
            import_module(".".join(["taquin", *file.relative_to(PACKAGE).with_suffix("").parts]))
    compiled_construction()
    # Tests define kernels too.
    ours = [kernel for kernel in KERNELS if kernel.function.__module__.startswith("taquin.")]
    functions = [(kernel.function, kernel.results) for kernel in ours]
    return tuple(
        Compiled(function, kinds, results, *computed_symbol(function, kinds))
        for function, results in functions
        for kinds in kinds_of(function)
    )


def record() -> str:
    """Return the record of the symbols, by which a process finds kernels without parsing."""
    record: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
    for kernel in kernels():
        files, symbols = record.setdefault(kernel.name, ({}, {}))
        files.update(kernel.files)
        symbols[kinds_digest(kernel.kinds)] = kernel.symbol
    return json.dumps(record, indent=1, sort_keys=True) + "\n"


@cache
def _cache() -> Path:
    """Return the folder of LLVM code that these tools made."""
    versions = [f"{name} {version(name)}" for name in ("numba", "llvmlite")]
    tools = f"{sys.version_info[:2]} {versions}".encode()
    sources = [
        Path(__file__).with_name(name).read_bytes() for name in ("compiling.py", "numba_kernels.py")
    ]
    return ROOT / "build" / "kernels" / hashlib.sha256(b"".join([tools, *sources])).hexdigest()[:16]


def _code(kernel: Compiled) -> Path:
    return _cache() / f"{kernel.symbol}.ll"


def _compile(number: int) -> str:
    """Write the LLVM code of a kernel; only its entry can be seen, by the name of its symbol."""
    from llvmlite import binding

    from tools.compiling import compiled_module

    kernel = kernels()[number]
    code, entry = compiled_module(kernel.function, kernel.kinds, kernel.results)
    module = binding.parse_assembly(code)
    inner = [part for part in [*module.functions, *module.global_variables] if part.name != entry]
    # Numba numbers its names in the order of compilation.
    for place, part in enumerate(part for part in inner if not part.is_declaration):
        part.linkage = "internal"
        part.name = f"part_{place}_of_{kernel.symbol[-16:]}"
    module.get_function(entry).name = kernel.symbol
    module.name = kernel.symbol
    path = _code(kernel).with_suffix(f".{os.getpid()}")
    path.write_text(str(module), encoding="utf-8")
    path.replace(_code(kernel))
    return kernel.name


def _build(name: str, folder: Path) -> str:
    """Write the library of one platform, and return a line about it."""
    from tools.linking import build_library

    modules = [_code(kernel).read_text(encoding="utf-8") for kernel in kernels()]
    path = folder / name
    build_library(modules, path)
    return f"{path}: {len(modules)} kernels, {path.stat().st_size:,} bytes"


if __name__ == "__main__":
    main()

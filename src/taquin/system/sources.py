"""Which sources the code of a kernel is compiled from, and their digest."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from taquin.system.arguments import Kind, records_in

PACKAGE = Path(__file__).parents[1]
_HAS_KERNELS = re.compile(rb"^from taquin\.system\.(?:kernels|native) import", re.MULTILINE)
_IMPORT = re.compile(rb"^ *from taquin(\.[\w.]+)? import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def digest_of(function: Callable[..., Any], kinds: Sequence[Kind], *tools: str) -> str:
    """Return a digest of what its code depends on: its name, kinds, sources and the tools."""
    name = f"{function.__module__}.{function.__qualname__}"
    digest = hashlib.sha256("\n".join([name, *map(str, kinds), *tools]).encode())
    # The module of a record holds the parts that its type selects.
    modules = {function.__module__, *(record.__module__ for record in records_in(kinds))}
    files = [Path(function.__code__.co_filename)]
    files += [Path(str(sys.modules[name].__file__)) for name in sorted(modules)]
    for source in sorted({source for file in files for source in sources_of(file, PACKAGE)}):
        digest.update(_digest(source))
    return digest.hexdigest()[:16]


def has_kernels(file: Path) -> bool:
    """Return whether a file has kernels or their parts."""
    return _HAS_KERNELS.search(_content(file)) is not None


@cache
def sources_of(file: Path, package: Path) -> list[Path]:
    """Return the files that the kernels of a file are compiled from, directly or by import.

    Imports of a file without kernels are not followed: compiled code cannot reach them.
    """
    sources: set[Path] = set()
    waiting = [file]
    while waiting:
        file = waiting.pop()
        if file in sources:
            continue
        sources.add(file)
        for module, names in _IMPORT.findall(_content(file)) if has_kernels(file) else ():
            path = package.joinpath(*module.decode().split("."))
            files = [path / f"{name.decode()}.py" for name in re.findall(rb"\w+", names)]
            waiting += filter(Path.exists, [path.with_suffix(".py"), *files])
    return sorted(sources)


@cache
def _digest(file: Path) -> bytes:
    """Return the digest of one source."""
    return hashlib.sha256(_content(file)).digest()


@cache
def _content(file: Path) -> bytes:
    """Return the bytes of a source when first read; empty if there is no such file."""
    try:
        return file.read_bytes()
    except OSError:
        return b""

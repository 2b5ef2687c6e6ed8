"""A cache of compiled code on disk.

The name of a file is a digest of everything its code depends on: the sources, the types of the
arguments, the compiler, the processor. So code of older sources is never loaded, and several
versions of taquin can share a folder. A damaged file is compiled again; code that cannot be written
is used all the same. Either is warned about once per process.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from taquin.system.arguments import Kind, records_in
from taquin.system.files import atomic_write, cache_folder
from taquin.system.machinecode import processor

_PACKAGE = Path(__file__).parents[1]
_PACKAGE_CACHE = _PACKAGE / "__pycache__"
_FOLDER = "taquin-kernels"
_DAYS = 30
"""Days after which unused code is removed."""
_DIGEST_SIZE = 32
_HAS_KERNELS = re.compile(rb"^from taquin\.system\.(?:kernels|native) import", re.MULTILINE)
_IMPORT = re.compile(rb"^ *from taquin(\.[\w.]+)? import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def cached_code(
    function: Callable[..., Any], kinds: Sequence[Kind], make: Callable[[], tuple[bytes, str]]
) -> tuple[bytes, str]:
    """Return the object code and the symbol of a function, from the cache or else from `make`."""
    file = f"{function.__module__}.{function.__qualname__}-{_digest(function, kinds)}.code"
    folders = _folders()
    for folder in folders:
        if (cached := _read(folder / file)) is not None:
            return cached
    code, symbol = make()
    _write(folders, file, code, symbol)
    return code, symbol


def _folders() -> list[Path]:
    """Return the folders that may hold code: Numba's if the user has set it, else taquin's."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parents = [Path(chosen)] if chosen else [_PACKAGE_CACHE, cache_folder()]
    return [parent / _FOLDER for parent in parents]


def _digest(function: Callable[..., Any], kinds: Sequence[Kind]) -> str:
    """Return a digest of everything that the code of a function depends on."""
    digest = hashlib.sha256(",".join(map(str, kinds)).encode())
    digest.update(_tools().encode())
    # The module of a record holds the parts that its type selects.
    modules = {function.__module__, *(record.__module__ for record in records_in(kinds))}
    files = [Path(function.__code__.co_filename)]
    files += [Path(str(sys.modules[name].__file__)) for name in sorted(modules)]
    for source in sorted({source for file in files for source in sources_of(file, _PACKAGE)}):
        digest.update(_content(source))
    return digest.hexdigest()[:16]


@cache
def _tools() -> str:
    """Return the identity of the processor, the compiler and its settings."""
    numba = find_spec("numba")
    tools = [processor()]
    if numba is not None and numba.origin is not None:
        # The file identifies the version: importing Numba takes too long.
        state = os.stat(Path(numba.origin).with_name("_version.py"))
        tools.append(f"{state.st_size} {state.st_mtime_ns}")
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            tools.append(f"{name}={value}")
    return " ".join(tools)


def sources_of(file: Path, package: Path) -> list[Path]:
    """Return the files that the kernels of a file are compiled from, directly or by import.

    Imports of a file without kernels are not followed: compiled code cannot reach them.
    """
    sources: set[Path] = set()
    waiting = [file]
    while waiting:
        file = waiting.pop()
        if file not in sources:
            sources.add(file)
            source = _content(file)
            if _HAS_KERNELS.search(source):
                waiting += _imports_of(source, package)
    return sorted(sources)


def _imports_of(source: bytes, package: Path) -> Iterator[Path]:
    """Yield the files of a package that a source imports from."""
    for module, names in _IMPORT.findall(source):
        path = package.joinpath(*module.decode().split("."))
        if (file := path.with_suffix(".py")).exists():
            yield file
        else:
            for name in re.findall(rb"\w+", names):
                if (file := path / f"{name.decode()}.py").exists():
                    yield file


@cache
def _content(file: Path) -> bytes:
    """Return the bytes of a source when first read; empty if there is no such file."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _read(path: Path) -> tuple[bytes, str] | None:
    """Return the object code and its symbol, or None if the file is missing or damaged."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        return None
    digest, body = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if hashlib.sha256(body).digest() != digest:
        _warn_once(f"compiled code in {path.parent} is damaged and made again")
        return None
    _mark_as_used(path)
    symbol, _, code = body.partition(b"\n")
    return code, symbol.decode()


def _write(folders: Sequence[Path], name: str, code: bytes, symbol: str) -> None:
    """Write code into the first folder that can be written to."""
    body = symbol.encode() + b"\n" + code
    reason = ""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with atomic_write(folder / name) as file:
                file.write(hashlib.sha256(body).digest() + body)
        # ValueError: no system accepts this name.
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
        else:
            _remove_unused(folder)
            return
    _warn_once(f"compiled code is made anew in every run: cannot write to {folders[-1]} ({reason})")


def _mark_as_used(path: Path) -> None:
    """Mark code as used today."""
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - 86_400:
            os.utime(path)


@cache
def _remove_unused(folder: Path) -> None:
    """Remove code that no process has used for `_DAYS`."""
    for path in folder.glob("*.code"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _DAYS * 86_400:
                path.unlink()


@cache
def _warn_once(message: str) -> None:
    """Warn once per process."""
    warnings.warn(message, RuntimeWarning, stacklevel=2)

"""Compiled code kept from run to run, whatever the disk does.

The name of a file tells all that its code is made of: the sources, the kinds of arguments, the
compiler, the processor. No change, and no newer version of the project, ever meets code made from
older sources, and several versions can share a folder. A file that was cut short is told and made
again; code that cannot be kept is told and used all the same, once in a process and in one line.
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
_OWN = _PACKAGE / "__pycache__"
_FOLDER = "taquin-kernels"
_DAYS = 30
"""Days after which code that no process has used is taken for that of a version long gone."""
_DIGEST = 32
_HAS_KERNELS = re.compile(rb"^from taquin\.system\.(?:kernels|native) import", re.MULTILINE)
_IMPORT = re.compile(rb"^ *from taquin(\.[\w.]+)? import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def kept(
    function: Callable[..., Any], kinds: Sequence[Kind], make: Callable[[], tuple[bytes, str]]
) -> tuple[bytes, str]:
    """Return object code and its symbol: what was kept of a function, else made and kept now."""
    file = f"{function.__module__}.{function.__qualname__}-{_digest(function, kinds)}.code"
    folders = _folders()
    for folder in folders:
        if (found := _read(folder / file)) is not None:
            return found
    made = make()
    _keep(folders, file, *made)
    return made


def _folders() -> list[Path]:
    """Return where code may lie: where the user told Numba to keep it, else with taquin."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parents = [Path(chosen)] if chosen else [_OWN, cache_folder()]
    return [parent / _FOLDER for parent in parents]


def _digest(function: Callable[..., Any], kinds: Sequence[Kind]) -> str:
    """Return a short name for all that the code of a function depends on."""
    digest = hashlib.sha256(",".join(map(str, kinds)).encode())
    digest.update(_tools().encode())
    # Where a record is made, the parts are that are chosen by it.
    modules = {function.__module__, *(record.__module__ for record in records_in(kinds))}
    files = [Path(function.__code__.co_filename)]
    files += [Path(str(sys.modules[name].__file__)) for name in sorted(modules)]
    for source in sorted({source for file in files for source in sources_of(file, _PACKAGE)}):
        digest.update(_content(source))
    return digest.hexdigest()[:16]


@cache
def _tools() -> str:
    """Return what makes the code, and for what."""
    numba = find_spec("numba")
    made = [processor()]
    if numba is not None and numba.origin is not None:
        # A version is told by its file: to import it takes too long.
        state = os.stat(Path(numba.origin).with_name("_version.py"))
        made.append(f"{state.st_size} {state.st_mtime_ns}")
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            made.append(f"{name}={value}")
    return " ".join(made)


def sources_of(file: Path, package: Path) -> list[Path]:
    """Return the files that the kernels of a file are made of: those with parts, and all they name.

    What a file without parts imports in its turn is nothing that compiled code sees.
    """
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file] = None
            source = _content(file)
            if _HAS_KERNELS.search(source):
                waiting += _named_in(source, package)
    return sorted(found)


def _named_in(source: bytes, package: Path) -> Iterator[Path]:
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
    """Return a source as it was when first asked for; nothing of one that lies in no folder."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _read(path: Path) -> tuple[bytes, str] | None:
    """Return the object code and its symbol; None when there is none that can be read."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        return None
    digest, body = content[:_DIGEST], content[_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        _tell(f"compiled code in {path.parent} is damaged and made again")
        return None
    _note_use(path)
    symbol, _, code = body.partition(b"\n")
    return code, symbol.decode()


def _keep(folders: Sequence[Path], name: str, code: bytes, symbol: str) -> None:
    """Write code into the first of the folders that takes it."""
    body = symbol.encode() + b"\n" + code
    why = ""
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with atomic_write(folder / name) as file:
                file.write(hashlib.sha256(body).digest() + body)
        # A ValueError: a name that no system takes.
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
        else:
            _forget_unused(folder)
            return
    _tell(f"compiled code is made anew in every run: cannot write to {folders[-1]} ({why})")


def _note_use(path: Path) -> None:
    """Mark code as used today."""
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - 86_400:
            os.utime(path)


@cache
def _forget_unused(folder: Path) -> None:
    """Remove code that no process has used for long."""
    for path in folder.glob("*.code"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _DAYS * 86_400:
                path.unlink()


@cache
def _tell(line: str) -> None:
    """Warn of something once in a process."""
    warnings.warn(line, RuntimeWarning, stacklevel=2)

"""Compiled code: loaded from a cache on disk, without the compiler.

The name of a file is a digest of everything its code depends on: the sources, the kinds of the
arguments, the compiler, the processor. So several versions of taquin can share a folder. Code that
is damaged or cannot be written is compiled again, with one warning per process. A folder that other
users can write to is not used: its code would run as this user.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from llvmlite import __version__ as _llvmlite_version
from llvmlite import binding

from taquin.system.arguments import Kind
from taquin.system.files import atomic_write, cache_folder
from taquin.system.library import GIVE_WAY, Entry, address_of_give_way, entry_at
from taquin.system.sources import PACKAGE, digest_of

_PACKAGE_CACHE = PACKAGE / "__pycache__"
_FOLDER = "taquin-kernels"
_DAY = 86_400.0
_DIGEST_SIZE = 32
_engines: list[Any] = []
"""What owns code, for as long as the process lives."""


def cached_code(
    function: Callable[..., Any], kinds: Sequence[Kind], make: Callable[[], tuple[bytes, str]]
) -> tuple[bytes, str]:
    """Return the object code and the symbol of a function, from the cache or else from `make`."""
    digest = digest_of(function, kinds, _tools())
    file = f"{function.__module__}.{function.__qualname__}-{digest}.code"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parents = [Path(chosen)] if chosen else [_PACKAGE_CACHE, cache_folder()]
    folders = [folder for parent in parents if _is_private(folder := parent / _FOLDER)]
    for folder in folders:
        if (cached := _read(folder / file)) is not None:
            return cached
    code, symbol = make()
    _write(folders, file, code, symbol)
    return code, symbol


def _is_private(folder: Path) -> bool:
    """Return whether only this user, and root, can write to a folder; warn if others can."""
    if sys.platform == "win32":
        # The cache folder of a user is private there.
        return True
    try:
        state = os.stat(folder)
    except (OSError, ValueError):
        # It will be made, or refuses to be read.
        return True
    is_foreign = state.st_uid not in (os.getuid(), 0)
    if is_foreign or state.st_mode & 0o022:
        why = "it belongs to another user" if is_foreign else "other users can write to it"
        advice = "remove it, or name another folder in NUMBA_CACHE_DIR"
        _warn_once(f"compiled code is not kept in {folder}, because {why}: {advice}")
        return False
    return True


@cache
def _tools() -> str:
    """Return the identity of the processor, the compiler and its settings."""
    numba = find_spec("numba")
    features = binding.get_host_cpu_features().flatten()
    tools = [f"{binding.get_host_cpu_name()} {features} llvmlite {_llvmlite_version}"]
    if numba is not None and numba.origin is not None:
        # The file identifies the version: importing Numba takes too long.
        state = os.stat(Path(numba.origin).with_name("_version.py"))
        tools.append(f"{state.st_size} {state.st_mtime_ns}")
    settings = {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}
    return " ".join([*tools, *(f"{name}={os.environ[name]}" for name in sorted(settings))])


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
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - _DAY:
            os.utime(path)
    symbol, _, code = body.partition(b"\n")
    return code, symbol.decode()


def _write(folders: Sequence[Path], name: str, code: bytes, symbol: str) -> None:
    body = symbol.encode() + b"\n" + code
    reason = ""
    for folder in folders:
        try:
            folder.mkdir(0o755, parents=True, exist_ok=True)
            with atomic_write(folder / name) as file:
                file.write(hashlib.sha256(body).digest() + body)
        # ValueError: no system accepts this name.
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
        else:
            _remove_unused(folder)
            return
    if reason:
        place = f"cannot write to {folders[-1]} ({reason})"
        _warn_once(f"compiled code is made anew in every run: {place}")


@cache
def _remove_unused(folder: Path) -> None:
    """Remove code that no process has used for a month."""
    for path in folder.glob("*.code"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - 30 * _DAY:
                path.unlink()


@cache
def _warn_once(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def load(code: bytes, symbol: str) -> Entry:
    """Return object code as a function of the address of a kernel's words."""
    prepare()
    machine = binding.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return entry_at(engine.get_function_address(symbol), symbol)


@cache
def prepare() -> None:
    """Prepare for code of this processor, and define the function that it calls."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.add_symbol(GIVE_WAY, address_of_give_way())

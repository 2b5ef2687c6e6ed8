"""Pyodide, which is CPython for WebAssembly: downloaded once into the cache folder.

    registry.npmjs.org ── pyodide-314.0.7.tgz, 6.5 MB ──► five files, each of a known SHA-256
                                                              │
    a page with Python  ◄── taquin serve, taquin site ◄── cache folder/pyodide-314.0.7/

Files are written atomically after all five were checked, so a file is always complete; it is
checked again before it is used. No script of the package is run.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import tarfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from taquin.errors import MachineError, MissingError, StorageError, UnsuitableError
from taquin.reasons import reason
from taquin.system.files import atomic_write, cache_folder, locked
from taquin.web.page_jobs import SPARE_SECONDS, Emit, Lane, PageJob, ShouldStop

VERSION = "314.0.7"
"""The release of Pyodide; 314 is CPython 3.14."""
FOLDER = f"pyodide-{VERSION}"
"""The name of the folder of its files, in the cache folder and beside the page."""
SIZE = 6_488_647
"""Bytes of the download."""
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The files of that release that the page needs, each with its SHA-256."""
_REGISTRY = "https://registry.npmjs.org"
_VARIABLES = ("npm_config_registry", "NPM_CONFIG_REGISTRY")
"""The environment variables of npm for another registry."""
_MOST_BYTES = 20_000_000
"""Bytes of the largest download, and of the largest file in it."""
_READ_SECONDS = 30.0
"""The timeout of a connection and of each read, in seconds."""
_SECONDS = 900.0
"""The deadline of a download, in seconds."""
_CHUNK = 1 << 16

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes received and the total."""


def cached_folder() -> Path:
    """Return the folder for the files of Pyodide, which may not exist."""
    return cache_folder() / FOLDER


def is_cached() -> bool:
    """Return whether all files are in the cache folder and undamaged."""
    folder = cached_folder()
    try:
        return all(_digest_of(folder / name) == digest for name, digest in DIGESTS.items())
    except OSError:
        return False


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files in a folder; raise UnsuitableError if one is missing or wrong."""
    try:
        files = {name: (folder / name).read_bytes() for name in DIGESTS}
    except OSError as error:
        raise UnsuitableError(
            f"expected the files of npm's pyodide@{VERSION} in {folder}: {error.strerror}, "
            f"{Path(error.filename).name}"
        ) from None
    if name := _first_wrong(files):
        raise UnsuitableError(
            f"{name} is not that of Pyodide {VERSION}: expected the files of npm's "
            f"pyodide@{VERSION}"
        )
    return files


def download(
    progress: Progress = lambda done, total: None, should_stop: ShouldStop = lambda: False
) -> None:
    """Download the files into the cache folder, unless they are there.

    The environment variable npm_config_registry names another registry. Raise MissingError if it
    does not respond, StorageError if the folder is not writable, MachineError for wrong content.
    """
    if is_cached():
        return
    folder = cached_folder()

    def check_stop() -> None:
        if should_stop():
            raise MachineError(reason("download-stopped"))

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / "download.lock", check_stop):
            # Another process may have downloaded them meanwhile.
            if is_cached():
                return
            for name, data in _files_of_package(progress, check_stop).items():
                with atomic_write(folder / name) as file:
                    file.write(data)
    except OSError as error:
        raise StorageError(
            reason("download-unwritable", folder=str(folder), cause=error.strerror)
        ) from None


@dataclass(frozen=True, slots=True)
class PyodideDownload(PageJob):
    """Download Pyodide into the cache folder."""

    # It may take minutes, for which hints must not wait.
    lane = Lane.EXPORT
    seconds = _SECONDS + SPARE_SECONDS

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        """Emit `progress` with the bytes received, then an empty result."""
        download(lambda done, total: emit("progress", {"done": done, "total": total}), should_stop)
        emit("result", {})


def _digest_of(path: Path) -> str:
    status = path.stat()
    return _digest_of_version(path, status.st_size, status.st_mtime_ns)


@lru_cache(16)
def _digest_of_version(path: Path, size: int, changed_at: int) -> str:
    """Return the SHA-256 of a file, cached until the file changes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _first_wrong(files: dict[str, bytes]) -> str | None:
    """Return the name of the first file that is not of this release; None if all are."""
    wrong = (name for name in files if hashlib.sha256(files[name]).hexdigest() != DIGESTS[name])
    return next(wrong, None)


def _files_of_package(progress: Progress, check_stop: Callable[[], None]) -> dict[str, bytes]:
    """Return the files of the package that the registry sends."""
    registry = next(filter(None, map(os.environ.get, _VARIABLES)), _REGISTRY).rstrip("/")
    # The part before an @ may be a password, which no message may show.
    match = re.fullmatch(r"https?://(?:[^/\s]*@)?([^/\s@]+)\S*", registry)
    if match is None:
        raise UnsuitableError(reason("download-registry", found=repr(registry)))
    host = match[1]
    try:
        content = _fetched(f"{registry}/pyodide/-/{FOLDER}.tgz", progress, check_stop)
    except _FetchError as error:
        raise MissingError(reason("download-failed", host=host, cause=str(error))) from None
    package = f"pyodide@{VERSION}"
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
            files = {name: _member(archive, f"package/{name}") for name in DIGESTS}
    except (OSError, EOFError, KeyError, zlib.error, tarfile.TarError):
        raise MachineError(reason("download-other", host=host, package=package, more="")) from None
    if wrong := _first_wrong(files):
        digest = reason("download-digest", name=wrong)
        raise MachineError(reason("download-other", host=host, package=package, more=digest))
    return files


class _FetchError(Exception):
    """A file could not be fetched, with the reason."""


def _fetched(address: str, progress: Progress, check_stop: Callable[[], None]) -> bytes:
    """Return the content at an address; raise _FetchError."""
    # Imported late to keep the start-up short.
    from http.client import HTTPException
    from urllib import request
    from urllib.error import HTTPError

    content, deadline = bytearray(), monotonic() + _SECONDS
    try:
        with request.urlopen(address, timeout=_READ_SECONDS) as response:
            # A proxy may omit the length.
            total = response.length
            while piece := response.read1(_CHUNK):
                check_stop()
                content += piece
                if len(content) > _MOST_BYTES:
                    raise _FetchError(f"expected at most {_MOST_BYTES:,} bytes, found more")
                if monotonic() > deadline:
                    raise _FetchError(f"it took longer than {_SECONDS / 60:.0f} minutes")
                progress(len(content), max(total or SIZE, len(content)))
    except HTTPError as error:
        raise _FetchError(f"status {error.code}") from None
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise _FetchError(getattr(reason, "strerror", None) or str(reason)) from None
    if len(content) < (total or 0):
        raise _FetchError("the connection ended early")
    return bytes(content)


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file.read(_MOST_BYTES)

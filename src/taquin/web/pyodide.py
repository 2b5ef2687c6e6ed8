"""Pyodide, which is CPython for WebAssembly: downloaded once into the cache folder.

    registry.npmjs.org ── pyodide-314.0.7.tgz, 6.5 MB ──► five files, each of a known SHA-256
                                                              │
    a page with Python  ◄── taquin serve, taquin site ◄── cache folder/pyodide-314.0.7/

Files are written atomically after all five were checked, so a file is always complete; it is
checked again before it is used. No script of the package is run.

The bytecode of the page without a server is made once, by Pyodide itself, under Node:

    taquin's code, Python's library ──► node: Pyodide answers requests, `pack` compiles the modules
                                          │
    the same two archives with .pyc files ◄┘     kept in the cache folder until the code changes

Without it, browsers compile those modules at every visit, which takes half of the start. The
archives are files of the site like all others, so their digests are known.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from marshal import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TypeAlias
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

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


LIBRARY, CODE = "library.zip", "code.zip"
"""The names of the two archives."""
_PACKING_SECONDS = 120
_UNCHECKED = (0b01).to_bytes(4, "little")
"""The flags of a .pyc file that is used without a look at its source."""
_NODE = """
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [pyodide, folder] = process.argv.slice(-2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const env = { PYTHONHASHSEED: "0", TAQUIN_CACHE: "/cache", HOME: "/" };
const python = await loadPyodide({ env });
const source = new Uint8Array(readFileSync(`${folder}/source.zip`));
python.unpackArchive(source, "zip", { extractDir: "/taquin" });
python.runPython('import sys; sys.path.insert(0, "/taquin")');
const archives = python.pyimport("taquin.web.pyodide").pack("/taquin").toJs();
for (const [name, bytes] of Object.entries(archives)) writeFileSync(`${folder}/${name}`, bytes);
"""
_VISIT: dict[str, dict[str, object]] = {
    "check": {},
    "left": {},
    "trace": {"search": "astar(manhattan)"},
    "solve": {},
    "race": {"searches": ["bfs", "greedy(manhattan)"]},
}
"""Requests whose modules get bytecode."""


def with_bytecode(source: bytes, folder: Path) -> dict[str, bytes]:
    """Return both archives; nothing where Node cannot make them.

    `source` is the archive of taquin's code, `folder` has the files of Pyodide.
    """
    node = shutil.which("node")
    key = hashlib.sha256(source + VERSION.encode()).digest()
    path = cached_folder() / "bytecode.zip"
    with suppress(OSError, BadZipFile, KeyError), ZipFile(path) as kept:
        if kept.comment == key:
            return {name: kept.read(name) for name in (LIBRARY, CODE)}
    if not node:
        return {}
    with suppress(OSError, subprocess.SubprocessError), TemporaryDirectory() as work:
        Path(work, "source.zip").write_bytes(source)
        command = [node, "--input-type=module", "--eval", _NODE, str(folder.resolve()), work]
        subprocess.run(command, check=True, capture_output=True, timeout=_PACKING_SECONDS)
        archives = {name: Path(work, name).read_bytes() for name in (LIBRARY, CODE)}
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file, ZipFile(file, "w") as kept:
            kept.comment = key
            for name, data in archives.items():
                kept.writestr(name, data)
        return archives
    return {}


def pack(folder: str) -> dict[str, bytes]:
    """Return both archives. This is called in Pyodide; `folder` has taquin's code."""
    import json

    from taquin.web.browser import Stream, respond

    for name, fields in _VISIT.items():
        body = {"board": "1 2 3 / 4 5 6 / 0 7 8", **fields}
        reply = respond(f"/api/{name}", json.dumps(body), lambda piece: None)
        while isinstance(reply, Stream) and reply.advance():
            pass
    modules = list(sys.modules.values())
    specs = [getattr(module, "__spec__", None) for module in modules]
    origins = {str(getattr(spec, "origin", None)) for spec in specs}
    library = next(path for path in sys.path if path.endswith(".zip"))
    with ZipFile(library) as archive:
        files = {f"{library}/{name}": archive.read(name) for name in archive.namelist()}
    for origin in origins & files.keys():
        files[f"{origin}c"] = _compiled(origin, files.pop(origin))
    code = {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    for origin in origins & code.keys():
        code[cache_from_source(origin)] = _compiled(origin, code[origin])
    return {LIBRARY: _archive(files, library), CODE: _archive(code, folder)}


def _compiled(origin: str, source: bytes) -> bytes:
    """Return the .pyc file of a module."""
    code = compile(source, origin, "exec", dont_inherit=True)
    return MAGIC_NUMBER + _UNCHECKED + source_hash(source) + dumps(code)


def _archive(files: dict[str, bytes], root: str) -> bytes:
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        for path in sorted(files):
            entry = ZipInfo(path.removeprefix(f"{root}/"))
            entry.compress_type = ZIP_DEFLATED
            archive.writestr(entry, files[path])
    return stream.getvalue()

"""Bytecode for the page without a server: made once, by Pyodide itself, under Node.

    taquin's code, Python's library ──► node: Pyodide answers requests, `pack` compiles the modules
                                          │
    the same two archives with .pyc files ◄┘     kept in the cache folder until the code changes

Without it, browsers compile those modules at every visit, which takes half of the start. The
archives are files of the site like all others, so their digests are known.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from marshal import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from taquin.system.files import atomic_write
from taquin.web import pyodide

LIBRARY, CODE = "library.zip", "code.zip"
"""The names of the two archives."""
_SECONDS = 120
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
const archives = python.pyimport("taquin.web.bytecode").pack("/taquin").toJs();
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


def made(source: bytes, folder: Path) -> dict[str, bytes]:
    """Return both archives; nothing where Node cannot make them.

    `source` is the archive of taquin's code, `folder` has the files of Pyodide.
    """
    node = shutil.which("node")
    key = hashlib.sha256(source + pyodide.VERSION.encode()).digest()
    path = pyodide.cached_folder() / "bytecode.zip"
    with suppress(OSError, BadZipFile, KeyError), ZipFile(path) as kept:
        if kept.comment == key:
            return {name: kept.read(name) for name in (LIBRARY, CODE)}
    if not node:
        return {}
    with suppress(OSError, subprocess.SubprocessError), TemporaryDirectory() as work:
        Path(work, "source.zip").write_bytes(source)
        command = [node, "--input-type=module", "--eval", _NODE, str(folder.resolve()), work]
        subprocess.run(command, check=True, capture_output=True, timeout=_SECONDS)
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
    origins = {origin for module in list(sys.modules.values()) if (origin := _origin(module))}
    library = next(path for path in sys.path if path.endswith(".zip"))
    with ZipFile(library) as archive:
        files = {f"{library}/{name}": archive.read(name) for name in archive.namelist()}
    for origin in origins & files.keys():
        files[f"{origin}c"] = _compiled(origin, files.pop(origin))
    code = {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}
    for origin in origins & code.keys():
        code[cache_from_source(origin)] = _compiled(origin, code[origin])
    return {LIBRARY: _archive(files, library), CODE: _archive(code, folder)}


def _origin(module: object) -> str:
    return str(getattr(getattr(module, "__spec__", None), "origin", None) or "")


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

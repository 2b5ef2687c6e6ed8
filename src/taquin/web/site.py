"""The page as a folder of static files, written by `taquin site`.

    index.html, main.js, play/ …   the page of `taquin serve`, with a policy in index.html
    service-worker.js              with the digests of all other files
    runtime.json                   the list of files, read by `static/python/side.js`
    taquin-1f6a0c….zip             taquin's own code, and its compiled kernels for WebAssembly
    pyodide-314.0.7/               CPython for WebAssembly

All paths are relative. Files with a digest or a version in their names never change.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from taquin.errors import MissingError, UnsuitableError
from taquin.system.files import atomic_write
from taquin.system.sources import FOLDER, library_name
from taquin.web import pyodide

PACKAGE = Path(__file__).parents[1]
STATIC = Path(__file__).parent / "static"
"""The files of the page."""
RUNTIME = "runtime.json"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""The policy of the page: it may use only its own files."""
_SANDBOX, _WORKER = "python/sandbox.html", "python/worker.js"
_SERVICE_WORKER = "service-worker.js"
_KERNELS = Path(FOLDER, library_name("emscripten", "wasm32"))
_EXCLUDED = r"cli/|lab/|native/|web/static/|.*__pycache__/"
"""Parts of taquin that browsers do not need; of `native` they need the kernels for WebAssembly."""


@dataclass(frozen=True, slots=True)
class Site:
    """The size of a site."""

    files: int
    size: int
    """Bytes in all."""
    compressed: int
    """Bytes to transfer with compression."""
    has_kernels: bool
    """Whether the compiled kernels for WebAssembly are among them."""


def write_site(
    folder: Path, package: Path | None = None, progress: pyodide.Progress = lambda done, total: None
) -> Site:
    """Write the page and all files that it needs into a folder.

    Pyodide comes from the folder `package`, or from the cache, into which it is downloaded if
    necessary, with calls of `progress`. Raise UnsuitableError for a folder with other content, and
    MachineError if Pyodide cannot be downloaded.
    """
    if folder.exists() and not folder.is_dir():
        raise UnsuitableError(f"expected a folder, found the file {folder}")
    older = runtime_of(folder)["files"] if folder.is_dir() and any(folder.iterdir()) else []
    paths = [path for path in STATIC.rglob("*") if path.is_file()]
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}
    policy = f'<meta http-equiv="Content-Security-Policy" content="{pyodide_policy(STATIC)}">\n'
    files["index.html"] = _inserted(files["index.html"], '<meta charset="utf-8">\n', policy)
    for name, data in _pyodide_files(package, progress).items():
        files[f"{pyodide.FOLDER}/{name}"] = data
    name, source = source_archive()
    files[name] = source
    runtime = {"server": False, **_python_files(), "files": sorted(files)}
    files[RUNTIME] = json.dumps(runtime).encode()
    digests = {path: _integrity(data) for path, data in sorted(files.items())}
    del digests[_SERVICE_WORKER]
    files[_SERVICE_WORKER] = _inserted(
        files[_SERVICE_WORKER], "const DIGESTS = {", json.dumps(digests)[1:-1]
    )
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(folder / path) as file:
            file.write(data)
    for path in set(older) - set(files):
        (folder / path).unlink(missing_ok=True)
    sizes = list(map(len, files.values()))
    packed = sum(len(zlib.compress(data, 9)) for data in files.values())
    return Site(len(files), sum(sizes), packed, _KERNELS.is_file())


def server_runtime(*, has_python: bool, may_download: bool) -> dict[str, Any]:
    """Return the runtime of a server without a site: at most user code runs in the browser.

    User code needs Pyodide in the cache. If it is not there and a download is allowed, `download`
    is its size in bytes.
    """
    if has_python and pyodide.is_cached():
        return {"server": True, **_python_files(), "only": "code"}
    return {"server": True, "pyodide": None} | ({"download": pyodide.SIZE} if may_download else {})


@cache
def source_archive() -> tuple[str, bytes]:
    """Return the name and the content of a ZIP file of taquin's code.

    The content is reproducible, and the name has its digest.
    """
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for path in sorted(PACKAGE.rglob("*")):
            name = path.relative_to(PACKAGE).as_posix()
            is_needed = path == _KERNELS or not re.match(_EXCLUDED, name)
            if path.is_file() and is_needed:
                entry = ZipInfo(f"taquin/{name}")
                entry.compress_type = ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    content = stream.getvalue()
    return f"taquin-{hashlib.sha256(content).hexdigest()[:12]}.zip", content


def runtime_of(folder: Path) -> dict[str, Any]:
    """Return the runtime of a site; raise UnsuitableError if the folder is no site."""
    try:
        runtime = json.loads((folder / RUNTIME).read_bytes())
        names = [runtime["pyodide"], runtime["source"], *runtime["files"]]
        if not any(name.startswith("/") or ".." in name for name in names):
            return dict(runtime)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise UnsuitableError(f"expected a folder written by “taquin site”, found {folder}")


def pyodide_policy(folder: Path) -> str:
    """Return the policy of the page in a folder that has Pyodide.

    It allows WebAssembly and the sandbox for user code: the frame inherits this policy, so the hash
    of its script is listed here, as are the blobs that its worker loads. Raise UnsuitableError for
    a folder of an older version, which has no sandbox.
    """
    try:
        page = (folder / _SANDBOX).read_text("utf-8")
    except OSError:
        raise UnsuitableError(
            f"{folder} was written by an older version of taquin: write it again with “taquin site”"
        ) from None
    script = page.partition("<script>")[2].partition("</script>")[0]
    sources = f"'self' blob: 'wasm-unsafe-eval' '{_integrity(script.encode())}'"
    return POLICY.replace("script-src 'self'", f"script-src {sources}; worker-src 'self' blob:")


def _python_files() -> dict[str, Any]:
    """Return the entries of a runtime for the files of Python and of the sandbox."""
    name, source = source_archive()
    files = {path: (STATIC / path).read_bytes() for path in (_SANDBOX, _WORKER)} | {name: source}
    digests = {path: _integrity(data) for path, data in files.items()}
    for path, digest in pyodide.DIGESTS.items():
        digests[f"{pyodide.FOLDER}/{path}"] = _integrity_text(bytes.fromhex(digest))
    return {"pyodide": f"{pyodide.FOLDER}/", "source": name, "digests": digests}


def _integrity(data: bytes) -> str:
    """Return the SHA-256 of some bytes in the format of browsers."""
    return _integrity_text(hashlib.sha256(data).digest())


def _integrity_text(digest: bytes) -> str:
    return f"sha256-{base64.b64encode(digest).decode()}"


def _inserted(file: bytes, after: str, text: str) -> bytes:
    before, mark, rest = file.decode().partition(after)
    assert mark, f"expected {after!r} in a file of the page"
    return f"{before}{mark}{text}{rest}".encode()


def _pyodide_files(package: Path | None, progress: pyodide.Progress) -> dict[str, bytes]:
    """Return the files of Pyodide, from a folder or from the cache."""
    if package is None:
        try:
            pyodide.download(progress)
        except MissingError as error:
            release = f"pyodide@{pyodide.VERSION}"
            error.add_note(f"or give the folder of npm's package {release} with --pyodide")
            raise
        package = pyodide.cached_folder()
    return pyodide.files_in(package)

"""The page as a folder of files that needs no server of its own: `taquin site`.

    index.html, *.js, *.css        the page, as `taquin serve` sends it, with a policy in index.html
    service-worker.js              with the digests of all other files
    runtime.json                   which files there are (`static/side.js` reads it)
    taquin-1f6a0c….zip             taquin's own code, and its compiled kernels for WebAssembly
    pyodide-314.0.7/               CPython for WebAssembly

All paths are relative. A file that may change has no digest or version in its name.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import shutil
import subprocess
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from taquin.errors import MachineError, MissingError, UnsuitableError
from taquin.system.files import atomic_write
from taquin.system.platforms import FOLDER, library_name

PACKAGE = Path(__file__).parents[1]
STATIC = Path(__file__).parent / "static"
"""The files of the page."""
RUNTIME = "runtime.json"
VERSION = "314.0.7"
"""The release of Pyodide; 314 is CPython 3.14."""
DIGESTS = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
}
"""The files of that release that the page needs, each with its SHA-256."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
"""What the page may do: use its own files."""
_SANDBOX, _WORKER = "sandbox.html", "worker.js"
_SERVICE_WORKER = "service-worker.js"
_NPM_SECONDS = 300
_LEFT_OUT = r"cli/|lab/|native/|web/static/|.*__pycache__/"
"""Parts of taquin that no browser needs; of `native` it needs the kernels for WebAssembly."""


@dataclass(frozen=True, slots=True)
class Site:
    """What was written."""

    files: int
    size: int
    """Bytes in all."""
    compressed: int
    """Bytes that a browser receives from a server that compresses."""
    has_kernels: bool
    """Whether the compiled kernels for WebAssembly are among them."""


def write_site(folder: Path, pyodide: Path | None = None) -> Site:
    """Write the page and all that it needs into a folder.

    Pyodide comes from the folder `pyodide`, or from npm. Raise UnsuitableError for a folder that
    holds something else, and MissingError or MachineError if Pyodide cannot be had.
    """
    if folder.exists() and not folder.is_dir():
        raise UnsuitableError(f"expected a folder, found the file {folder}")
    older = runtime_of(folder)["files"] if folder.is_dir() and any(folder.iterdir()) else []
    kernels = Path(FOLDER, library_name("emscripten", "wasm32"))
    source = _archive(kernels)
    files = {path.name: path.read_bytes() for path in STATIC.iterdir()}
    policy = f'<meta http-equiv="Content-Security-Policy" content="{pyodide_policy(STATIC)}">\n'
    files["index.html"] = _inserted(files["index.html"], '<meta charset="utf-8">\n', policy)
    python = {f"pyodide-{VERSION}/{name}": data for name, data in _pyodide(pyodide).items()}
    name = f"taquin-{hashlib.sha256(source).hexdigest()[:12]}.zip"
    python[name] = source
    files |= python
    sandboxed = {path: _integrity(files[path]) for path in (_SANDBOX, _WORKER, *python)}
    runtime = {"server": False, "pyodide": f"pyodide-{VERSION}/", "source": name}
    runtime |= {"digests": sandboxed, "files": sorted(files)}
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
    return Site(len(files), sum(sizes), packed, kernels.is_file())


def runtime_of(folder: Path) -> dict[str, Any]:
    """Return the runtime of a site; raise UnsuitableError for a folder that is none."""
    try:
        runtime = json.loads((folder / RUNTIME).read_bytes())
        names = [runtime["pyodide"], runtime["source"], *runtime["files"]]
        if not any(name.startswith("/") or ".." in name for name in names):
            return dict(runtime)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise UnsuitableError(f"expected a folder that “taquin site” wrote, found {folder}")


def pyodide_policy(folder: Path) -> str:
    """Return the policy of the page in a folder that has Pyodide.

    It runs WebAssembly, and has a sandbox for user code: the frame inherits this policy, so its
    script is allowed here by its hash, and so are the blobs that its worker loads. Raise
    UnsuitableError for the folder of an older version, which has no sandbox.
    """
    try:
        page = (folder / _SANDBOX).read_text("utf-8")
    except OSError:
        raise UnsuitableError(
            f"an older version of taquin wrote {folder}: write it again with “taquin site”"
        ) from None
    script = page.partition("<script>")[2].partition("</script>")[0]
    sources = f"'self' blob: 'wasm-unsafe-eval' '{_integrity(script.encode())}'"
    return POLICY.replace("script-src 'self'", f"script-src {sources}; worker-src 'self' blob:")


def _integrity(data: bytes) -> str:
    """Return the SHA-256 of some bytes as browsers write it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(data).digest()).decode()}"


def _inserted(file: bytes, after: str, text: str) -> bytes:
    before, mark, rest = file.decode().partition(after)
    assert mark, f"expected {after!r} in a file of the page"
    return f"{before}{mark}{text}{rest}".encode()


def _archive(kernels: Path) -> bytes:
    """Return a ZIP file of taquin's sources, the same bytes for the same sources."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        for path in sorted(PACKAGE.rglob("*")):
            name = path.relative_to(PACKAGE).as_posix()
            is_needed = path == kernels or not re.match(_LEFT_OUT, name)
            if path.is_file() and is_needed:
                entry = ZipInfo(f"taquin/{name}")
                entry.compress_type = ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
    return stream.getvalue()


def _pyodide(folder: Path | None) -> dict[str, bytes]:
    """Return the files of Pyodide, checked by their digests."""
    files = _from_npm() if folder is None else _from_folder(folder)
    for name, digest in DIGESTS.items():
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise UnsuitableError(
                f"{name} is not that of Pyodide {VERSION}: expected the files of npm's "
                f"pyodide@{VERSION}"
            )
    return files


def _from_folder(folder: Path) -> dict[str, bytes]:
    try:
        return {name: (folder / name).read_bytes() for name in DIGESTS}
    except OSError as error:
        raise UnsuitableError(
            f"expected the files of npm's pyodide@{VERSION} in {folder}: {error.strerror}, "
            f"{Path(error.filename).name}"
        ) from None


def _from_npm() -> dict[str, bytes]:
    """Return the files of the package that npm fetches; no script of it is run."""
    npm = shutil.which("npm")
    if npm is None:
        raise MissingError(
            f"the page needs Pyodide {VERSION}, and there is no npm to fetch it: give the folder "
            f"of npm's package pyodide@{VERSION} with --pyodide"
        )
    with TemporaryDirectory() as folder:
        try:
            subprocess.run(
                [npm, "pack", "--silent", f"pyodide@{VERSION}"],
                cwd=folder,
                capture_output=True,
                timeout=_NPM_SECONDS,
                check=True,
            )
            (path,) = Path(folder).glob("*.tgz")
            with tarfile.open(path) as archive:
                return {name: _member(archive, f"package/{name}") for name in DIGESTS}
        except (OSError, ValueError, KeyError, tarfile.TarError, subprocess.SubprocessError):
            raise MachineError(
                f"npm could not fetch pyodide@{VERSION}: try again with a network, or give the "
                f"folder of that package with --pyodide"
            ) from None


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    if file is None:
        raise KeyError(name)
    return file.read()

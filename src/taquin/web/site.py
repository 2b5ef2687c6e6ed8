"""The page as a folder of static files, written by `taquin site`.

    index.html                 the page of `taquin serve`, with a policy
    service-worker.js          with the digests of all other files
    runtime.json               the names of the folder below and of all files
    pyodide-314.0.7/           CPython for WebAssembly
    taquin-1f6a0c…/            one version of the page; its name is the digest of its files:
        main.js, play/ …           the files of `taquin serve`
        runtime.json               where Python is, read by `static/python/side.js`
        taquin-03c9e1….zip         taquin's own code, and its compiled kernels for WebAssembly
        python_stdlib.zip          the library of Python with bytecode, instead of Pyodide's
        answers/                   answers to requests that are made before Python is ready

All paths are relative. Files in folders never change, so a host or a browser that caches some of
them longer than others never mixes two versions. The version before the last is removed; the last
one stays, because a browser may still have its `index.html`.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from taquin.errors import MissingError, UnsuitableError
from taquin.system.compiled import FOLDER, library_name
from taquin.system.files import atomic_write
from taquin.web import pyodide
from taquin.web.browser import SETTINGS
from taquin.web.endpoints import about, catalogue, handled
from taquin.web.messages import frame, json_text

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
_LIBRARY = "python_stdlib.zip"
_DEFAULT_TRACE = {
    "board": "8 1 3 / 4 0 2 / 7 6 5",
    "goal": "blank-last",
    "metric": "single",
    "search": "astar(manhattan)",
}
"""What Watch asks for where the address names no board."""
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
    has_bytecode: bool
    """Whether browsers need not compile taquin and the library of Python."""


def write_site(
    folder: Path,
    package: Path | None = None,
    progress: pyodide.Progress = lambda done, total: None,
    address: str = "",
) -> Site:
    """Write the page and all files that it needs into a folder, to be published at `address`.

    Pyodide comes from the folder `package`, or from the cache, into which it is downloaded if
    necessary, with calls of `progress`. Raise UnsuitableError for a folder with other content, and
    MachineError if Pyodide cannot be downloaded.
    """
    if folder.exists() and not folder.is_dir():
        raise UnsuitableError(f"expected a folder, found the file {folder}")
    older = runtime_of(folder) if folder.is_dir() and any(folder.iterdir()) else {}
    if package is None:
        try:
            pyodide.download(progress)
        except MissingError as error:
            release = f"pyodide@{pyodide.VERSION}"
            error.add_note(f"or give the folder of npm's package {release} with --pyodide")
            raise
        package = pyodide.cached_folder()
    packed = pyodide.files_in(package)
    made = pyodide.with_bytecode(source_archive()[1], package)
    name, page = _page_files(packed, made)
    files = {f"{pyodide.FOLDER}/{path}": data for path, data in packed.items()}
    files |= {f"{name}/{path}": data for path, data in page.items()}
    files["index.html"] = _index(name, address)
    last = older.get("previous" if older.get("folder") == name else "files", [])
    listed = sorted([*files, RUNTIME, _SERVICE_WORKER])
    runtime = {"folder": name, "pyodide": f"{pyodide.FOLDER}/", "files": listed, "previous": last}
    files[RUNTIME] = json.dumps(runtime).encode()
    digests = {path: _integrity(data) for path, data in sorted(files.items())}
    files[_SERVICE_WORKER] = _inserted(
        (STATIC / _SERVICE_WORKER).read_bytes(), "const DIGESTS = {", json.dumps(digests)[1:-1]
    )
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(folder / path) as file:
            file.write(data)
    for path in {*older.get("files", []), *older.get("previous", [])} - {*listed, *last}:
        (folder / path).unlink(missing_ok=True)
        for parent in list((folder / path).parents)[: path.count("/")]:
            # Folders go once they are empty.
            with suppress(OSError):
                parent.rmdir()
    sizes = list(map(len, files.values()))
    compressed = sum(len(zlib.compress(data, 9)) for data in files.values())
    return Site(len(files), sum(sizes), compressed, _KERNELS.is_file(), bool(made))


def _page_files(python: dict[str, bytes], made: dict[str, bytes]) -> tuple[str, dict[str, bytes]]:
    """Return the name of the folder of this version, and its files.

    `python` are Pyodide's, which lose the library if it is `made` with bytecode.
    """
    rest = {STATIC / "index.html", STATIC / _SERVICE_WORKER}
    paths = [path for path in STATIC.rglob("*") if path.is_file() and path not in rest]
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}
    source, archive = source_archive()
    runtime = {"server": False, **_python_files("../"), "root": "../"}
    if made:
        del python[_LIBRARY], runtime["digests"][f"{runtime['pyodide']}{_LIBRARY}"]
        archive, files[_LIBRARY] = made[pyodide.CODE], made[pyodide.LIBRARY]
        new = {source: archive, _LIBRARY: files[_LIBRARY]}
        runtime["digests"] |= {path: _integrity(data) for path, data in new.items()}
        runtime["library"] = _LIBRARY
    files[source] = archive
    answers = _answers()
    files |= answers.values()
    runtime["answers"] = {request: file for request, (file, _) in answers.items()}
    # Modules are imported, so their progress is not known.
    fetched = (data for path, data in python.items() if not path.endswith(".mjs"))
    runtime["size"] = sum(map(len, fetched)) + len(archive) + len(files.get(_LIBRARY, b""))
    digest = hashlib.sha256(json.dumps(runtime).encode())
    for path, data in sorted(files.items()):
        digest.update(f"{path} {len(data)} ".encode() + data)
    name = f"taquin-{digest.hexdigest()[:12]}"
    files[RUNTIME] = json.dumps(runtime | {"folder": name}).encode()
    return name, files


def _answers() -> dict[str, tuple[str, bytes]]:
    """Return the files with the answers to some requests, by the path and the body of each."""
    searches = catalogue()
    for engine in searches["engines"]:
        if engine["name"] == "gpu":
            # This machine may have one.
            engine |= {"available": False, "why_not": "it needs a server with a GPU"}
    body = json.dumps(_DEFAULT_TRACE, separators=(",", ":"))
    trace = bytearray()
    handled("trace", body.encode(), SETTINGS).run(
        lambda event, data: trace.extend(frame(event, data)), lambda: False
    )
    # The folder is named by its content, so that must not depend on the speed of this machine.
    answer = re.sub(rb'"(\w*seconds|building|loading|peak_memory)":[^,}]*', rb'"\1":0', trace)
    return {
        "/api/about ": ("answers/about.json", json_text(about(SETTINGS)).encode()),
        "/api/searches ": ("answers/searches.json", json_text(searches).encode()),
        f"/api/trace {body}": ("answers/trace.txt", answer),
    }


def _index(folder: str, address: str) -> bytes:
    """Return `index.html` with the policy, and with its files in their folder.

    Many hosts that show a preview of a link need the absolute address of its picture.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{pyodide_policy(STATIC)}">\n'
    page = (STATIC / "index.html").read_bytes()
    text = _inserted(page, '<meta charset="utf-8">\n', policy).decode()
    text = re.sub(r'(href|src)="(?!data:|https:|#)', rf'\1="{folder}/', text)
    # Nothing moves when Python begins to load: its line is there from the first paint, and the tab
    # that only a server shows is not.
    text = text.replace('class="status-line" hidden', 'class="status-line"')
    text = text.replace('id="tab-studies"', 'id="tab-studies" hidden')
    base = f"{address.rstrip('/')}/" if address else ""
    return text.replace('content="preview.png"', f'content="{base}{folder}/preview.png"').encode()


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
        names = [runtime["pyodide"], *runtime["files"], *runtime.get("previous", ())]
        if not any(name.startswith("/") or ".." in name for name in names):
            return dict(runtime)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise UnsuitableError(f"expected a folder written by “taquin site”, found {folder}")


def page_of(folder: Path) -> Path:
    """Return the folder of the page in a site; raise UnsuitableError for one without that."""
    page = folder / str(runtime_of(folder).get("folder", ""))
    if page == folder or not (page / _SANDBOX).is_file():
        raise UnsuitableError(
            f"{folder} was written by an older version of taquin: write it again with “taquin site”"
        )
    return page


def pyodide_policy(folder: Path) -> str:
    """Return the policy of the page in a folder that has Pyodide.

    It allows WebAssembly and the sandbox for user code: the frame inherits this policy, so the hash
    of its script is listed here, as are the blobs that its worker loads.
    """
    page = (folder / _SANDBOX).read_text("utf-8")
    script = page.partition("<script>")[2].partition("</script>")[0]
    sources = f"'self' blob: 'wasm-unsafe-eval' '{_integrity(script.encode())}'"
    return POLICY.replace("script-src 'self'", f"script-src {sources}; worker-src 'self' blob:")


def _python_files(root: str = "") -> dict[str, Any]:
    """Return the entries of a runtime for the files of Python and of the sandbox.

    The folder of Pyodide is at `root`, seen from the runtime.
    """
    name, source = source_archive()
    python = f"{root}{pyodide.FOLDER}/"
    files = {path: (STATIC / path).read_bytes() for path in (_SANDBOX, _WORKER)} | {name: source}
    digests = {path: _integrity(data) for path, data in files.items()}
    for path, digest in pyodide.DIGESTS.items():
        digests[f"{python}{path}"] = _integrity_text(bytes.fromhex(digest))
    return {"pyodide": python, "source": name, "digests": digests}


def _integrity(data: bytes) -> str:
    """Return the SHA-256 of some bytes in the format of browsers."""
    return _integrity_text(hashlib.sha256(data).digest())


def _integrity_text(digest: bytes) -> str:
    return f"sha256-{base64.b64encode(digest).decode()}"


def _inserted(file: bytes, after: str, text: str) -> bytes:
    before, mark, rest = file.decode().partition(after)
    assert mark, f"expected {after!r} in a file of the page"
    return f"{before}{mark}{text}{rest}".encode()

"""The page as a folder, which answers as the server does, and the download of Pyodide for it."""

from __future__ import annotations

import asyncio
import base64
import errno
import hashlib
import io
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO, Any
from zipfile import ZipFile

import httpx
import pytest
from starlette.types import ASGIApp

from taquin.errors import MachineError, MissingError, StorageError, UnsuitableError, with_notes
from taquin.web import browser, pyodide, site
from taquin.web.app import create_app
from taquin.web.endpoints import POSTS, ResponseKind, handled
from taquin.web.messages import frame
from taquin.web.page_jobs import PageJob, Settings
from tests import npm
from tests.web.api import all_events
from tests.web.registry import Registry, packed, packed_folder, registry_of
from tests.web.site import serving

BODIES = {
    "read": {"text": "867254301"},
    "check": {"board": "1 2 3 / 8 0 4 / 7 6 5"},
    "scramble": {"rows": 3, "seed": 7, "moves": 9},
    "left": {"board": "1 2 3 / 4 5 6 / 0 7 8"},
    "export": {"board": "1 2 3 / 4 5 6 / 0 7 8", "moves": "LL", "format": "text"},
    "solve": {"board": "1 2 3 / 4 5 6 / 0 7 8", "search": "astar"},
    "trace": {"board": "1 2 3 / 4 5 6 / 0 7 8", "search": "idastar"},
    "race": {"board": "1 2 3 / 4 5 6 / 0 7 8", "searches": ["bfs", "astar"]},
}
TIMES = re.compile(r'"(\w*seconds|spent|building|loading|peak_memory)":[^,}]*|"effort":"[^"]*"')


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that passes for npm's package pyodide; it is not in the cache."""
    return _package(tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder that `taquin site` wrote, which no test changes."""
    with pytest.MonkeyPatch.context() as patch:
        work = tmp_path_factory.mktemp("site")
        site.write_site(work / "public", _package(work, patch))
        yield work / "public"


def _package(work: Path, patch: pytest.MonkeyPatch) -> Path:
    patch.setenv("TAQUIN_CACHE", str(work / "cache"))
    folder = work / "package"
    folder.mkdir()
    for name in pyodide.DIGESTS:
        (folder / name).write_text(name)
    digests = {name: hashlib.sha256(name.encode()).hexdigest() for name in pyodide.DIGESTS}
    patch.setattr(pyodide, "DIGESTS", digests)
    # Node could not run it.
    patch.setattr(pyodide, "with_bytecode", lambda source, folder: {})
    return folder


def _pieces(path: str, body: str) -> str:
    """Return the stream that answers a request, advanced to its end."""
    pieces: list[str] = []
    stream = browser.respond(path, body, pieces.append)
    assert isinstance(stream, browser.Stream)
    while stream.advance():
        pass
    return "".join(pieces)


@pytest.mark.parametrize("name", POSTS)
def test_the_browser_answers_with_the_records_of_the_server_s_job(name: str) -> None:
    body = json.dumps(BODIES[name])
    job = handled(name, body.encode(), browser.SETTINGS)
    frames: list[bytes] = []
    if POSTS[name][0] is ResponseKind.STREAM:
        job.run(lambda event, data: frames.append(frame(event, data)), lambda: False)
        answer, expected = _pieces(f"/api/{name}", body), b"".join(frames).decode()
        if name == "race":
            # How many frames come before the result is a matter of time.
            answer, expected = (text.rpartition("event: ")[2] for text in (answer, expected))
        assert TIMES.sub("", answer) == TIMES.sub("", expected)
    else:
        reply = browser.respond(f"/api/{name}", body, print)
        assert isinstance(reply, browser.Reply)
        assert reply.status == 200
        if POSTS[name][0] is ResponseKind.RECORD:
            assert json.loads(reply.body) == json.loads(json.dumps(job))
        elif name == "export":
            assert reply.content_type == "text/plain; charset=utf-8"
            assert reply.body.startswith(b"Solved in 2 moves: L2\n")


def test_a_trace_in_the_browser_waits_until_more_is_asked_for() -> None:
    pieces: list[str] = []
    body = json.dumps({"board": "8 6 7 / 2 5 4 / 3 0 1", "search": "bfs"})
    stream = browser.respond("/api/trace", body, pieces.append)
    assert isinstance(stream, browser.Stream)
    assert pieces == []
    assert stream.advance()
    first = sum(map(len, pieces))
    assert 0 < first < 100_000
    assert stream.advance()
    assert sum(map(len, pieces)) > first
    stream.close()
    assert not stream.advance()


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("/api/check", '{"board": "1 1 / 2 0"}', 400, "tile"),
        ("/api/check", "{", 400, "expected a JSON object"),
        ("/api/studies", "", 404, "taquin serve"),
    ],
)
def test_the_browser_refuses_in_one_sentence(
    path: str, body: str, status: int, sentence: str
) -> None:
    reply = browser.respond(path, body, print)
    assert isinstance(reply, browser.Reply)
    assert reply.status == status
    assert sentence in json.loads(reply.body)["error"]


def test_an_error_of_a_search_in_the_browser_ends_its_stream() -> None:
    class Failing(PageJob):
        seconds = 1.0

        def run(self, *_: object) -> None:
            raise UnsuitableError("it cannot be done")

    pieces: list[str] = []
    stream = browser.Stream(Failing(), pieces.append, lambda: False)
    assert not stream.advance()
    record = '{"error":"it cannot be done","status":400}'
    assert "".join(pieces) == f"event: error\ndata: {record}\n\n"


def test_a_site_has_the_page_taquin_s_code_and_pyodide(public: Path) -> None:
    folder = public
    runtime = json.loads((folder / "runtime.json").read_text())
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {"runtime.json", *runtime["files"]}
    page = folder / runtime["folder"]
    parts = {f"{page.name}/{name}" for name in ("main.js", "play/view.js", "python/worker.js")}
    # Nothing that changes is outside of the folder of this version, but for three files.
    assert parts | {"index.html", "service-worker.js"} < files
    assert {name for name in files if "/" not in name} == {
        *("index.html", "service-worker.js", "runtime.json")
    }
    own = json.loads((page / "runtime.json").read_text())
    assert not own["server"]
    assert own["folder"] == page.name
    assert (page / own["pyodide"] / "pyodide.mjs").is_file()
    assert all((page / name).is_file() for name in own["answers"].values())
    names = ZipFile(page / own["source"]).namelist()
    assert {
        "taquin/__init__.pyi",
        "taquin/web/browser.py",
        "taquin/engine/cpu/duplicate_operators.txt",
    } < {*names}
    assert not any("/cli/" in name or "/lab/" in name or "/static/" in name for name in names)
    for path in folder.rglob("*.html"):
        assert not re.search(r'src="(/|https?:)', path.read_text(encoding="utf-8"))
        assert not re.search(r'<link [^>]*href="(/|https?:)', path.read_text(encoding="utf-8"))


def test_the_name_of_a_version_is_a_digest_of_its_content(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "public"
    names = []
    for text in ("a", "a", "b", "c"):
        monkeypatch.setattr(site, "source_archive", lambda text=text: ("code.zip", text.encode()))
        site.write_site(folder, package)
        names.append(json.loads((folder / "runtime.json").read_text())["folder"])
        index = (folder / "index.html").read_text("utf-8")
        assert f'src="{names[-1]}/main.js"' in index
    assert names[0] == names[1]
    assert len({*names}) == 3
    # A browser may still have the index.html of the last version, but of no older one.
    found = {path.name for path in folder.iterdir() if path.name.startswith("taquin-")}
    assert found == {*names[2:]}


def test_the_picture_of_a_link_has_the_address_of_the_site(
    tmp_path: Path, package: Path, public: Path
) -> None:
    site.write_site(tmp_path / "public", package, address="https://course.example.org/search")
    for folder, base in ((tmp_path / "public", "https://course.example.org/search/"), (public, "")):
        name = json.loads((folder / "runtime.json").read_text())["folder"]
        picture = f'property="og:image" content="{base}{name}/preview.png"'
        assert picture in (folder / "index.html").read_text("utf-8")
        assert (folder / name / "preview.png").read_bytes().startswith(b"\x89PNG")


def _ask(app: ASGIApp, path: str, method: str = "GET") -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, content=b"{}" if method == "POST" else None)

    return asyncio.run(ask())


def test_a_server_with_a_site_sends_its_files_and_lets_them_run(
    tmp_path: Path, public: Path
) -> None:
    app = create_app(Settings(), site=public)
    page = f"/{_ask(app, '/runtime.json').json()['folder']}"
    runtime = _ask(app, f"{page}/runtime.json").json()
    assert runtime["server"]
    python = f"/{pyodide.FOLDER}/pyodide.mjs"
    for path in ("/", f"{page}/python/worker.js", python, f"{page}/{runtime['source']}"):
        answer = _ask(app, path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in policy
        assert "unsafe-inline" not in policy
    framed = create_app(Settings(), site=public, embed_from=("https://course.example.org",))
    policy = _ask(framed, "/").headers["content-security-policy"]
    assert policy.endswith("frame-ancestors https://course.example.org")
    with pytest.raises(UnsuitableError, match="taquin site"):
        create_app(Settings(), site=tmp_path)
    shutil.copy(public / "runtime.json", tmp_path)
    with pytest.raises(UnsuitableError, match="write it again with “taquin site”"):
        create_app(Settings(), site=tmp_path)


def test_a_server_runs_user_code_with_pyodide_from_the_cache(package: Path) -> None:
    app, public = create_app(Settings()), create_app(Settings(), public=True)
    download = {"server": True, "pyodide": None, "download": pyodide.SIZE}
    assert _ask(app, "/runtime.json").json() == download
    assert "'wasm-unsafe-eval'" in _ask(app, "/").headers["content-security-policy"]
    # No visitor of a public server can have it download anything.
    assert "wasm" not in _ask(public, "/").headers["content-security-policy"]
    assert _ask(public, "/api/python", "POST").status_code == 403
    pyodide.cached_folder().parent.mkdir()
    package.rename(pyodide.cached_folder())
    # Its policy does not change while it runs.
    assert _ask(public, "/runtime.json").json() == {"server": True, "pyodide": None}
    for each in (app, create_app(Settings(), public=True)):
        runtime = _ask(each, "/runtime.json").json()
        assert (runtime["server"], runtime["only"]) == (True, "code")
        assert runtime["pyodide"] == f"{pyodide.FOLDER}/"
        policy = _ask(each, "/").headers["content-security-policy"]
        assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in policy
        for path, digest in runtime["digests"].items():
            assert _sha256(_ask(each, f"/{path}").content) == digest
    # Other files that lie there are nobody's business.
    (pyodide.cached_folder() / "diary.txt").write_text("dear diary")
    assert _ask(app, f"/{pyodide.FOLDER}/diary.txt").status_code == 404


def _sha256(data: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(data).digest()).decode()


def test_a_site_names_the_digests_of_its_files_and_its_policy(public: Path) -> None:
    files = {path.relative_to(public).as_posix(): path for path in public.rglob("*.*")}
    digests = {name: _sha256(path.read_bytes()) for name, path in files.items() if path.is_file()}
    (written,) = re.findall(r"DIGESTS = (\{.*\});", files["service-worker.js"].read_text("utf-8"))
    del digests["service-worker.js"]
    assert json.loads(written) == digests
    page = json.loads(files["runtime.json"].read_text("utf-8"))["folder"]
    runtime = json.loads(files[f"{page}/runtime.json"].read_text("utf-8"))
    named = {
        name.removeprefix("../") if name.startswith("../") else f"{page}/{name}": digest
        for name, digest in runtime["digests"].items()
    }
    assert named.items() < digests.items()
    assert {"python/sandbox.html", "python/worker.js", runtime["source"]} < set(runtime["digests"])
    assert sum(name.startswith(runtime["pyodide"]) for name in runtime["digests"]) == 5
    # The policy of the page lets the script of the frame run, and no other inline script.
    (script,) = re.findall(
        "<script>(.*)</script>", files[f"{page}/python/sandbox.html"].read_text("utf-8"), re.DOTALL
    )
    (policy,) = re.findall(
        'Content-Security-Policy" content="(.*?)"', files["index.html"].read_text("utf-8")
    )
    assert f"'{_sha256(script.encode())}'" in policy
    assert "unsafe-inline" not in policy
    assert "<script>" not in files["index.html"].read_text("utf-8")


def test_a_site_is_written_again_in_its_place_with_pyodide_from_the_cache(
    tmp_path: Path, package: Path
) -> None:
    folder = tmp_path / "public"
    site.write_site(folder, package)
    runtime = json.loads((folder / "runtime.json").read_text())
    (folder / "old.js").write_text("")
    (folder / "CNAME").write_text("mine")
    runtime["files"].append("old.js")
    (folder / "runtime.json").write_text(json.dumps(runtime))
    package.parent.joinpath("cache").mkdir()
    package.rename(pyodide.cached_folder())
    site.write_site(folder)
    assert pyodide.files_in(folder / pyodide.FOLDER)
    assert not (folder / "old.js").exists()
    assert (folder / "CNAME").exists()


def test_a_folder_with_something_else_and_another_pyodide_are_refused(
    tmp_path: Path, package: Path
) -> None:
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UnsuitableError, match="taquin site"):
        site.write_site(tmp_path, package)
    with pytest.raises(UnsuitableError, match="expected a folder"):
        site.write_site(tmp_path / "thesis.tex", package)
    (package / "pyodide.asm.wasm").write_text("changed")
    with pytest.raises(UnsuitableError, match=r"pyodide\.asm\.wasm is not that of Pyodide"):
        site.write_site(tmp_path / "public", package)
    (package / "pyodide.asm.wasm").unlink()
    with pytest.raises(UnsuitableError, match=r"expected the files of npm's pyodide@.*asm\.wasm"):
        site.write_site(tmp_path / "public", package)
    assert not (tmp_path / "public").exists()


def test_without_a_network_and_a_folder_one_sentence_says_what_to_give(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    with pytest.raises(MissingError) as failure:
        site.write_site(tmp_path / "public")
    assert "or give the folder of npm's package pyodide@" in with_notes(failure.value)
    assert not (tmp_path / "public").exists()


_IMPORTED = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [pyodide, folder] = process.argv.slice(-2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ stdLibURL: `${folder}/library.zip` });
const code = new Uint8Array(readFileSync(`${folder}/code.zip`));
python.unpackArchive(code, "zip", { extractDir: "/" });
console.log(python.runPython(`
import sys; sys.path.insert(0, "/")
import importlib._bootstrap_external as external
compiled = []
compile = external.SourceLoader.source_to_code
def compiling(self, data, path):
    compiled.append(path)
    return compile(self, data, path)
external.SourceLoader.source_to_code = compiling
import taquin.web.browser, inspect
assert "def respond" in inspect.getsource(taquin.web.browser)
f"{compiled} {sys.modules['dataclasses'].__file__}"
`));
"""


@pytest.mark.slow
def test_pyodide_imports_its_own_bytecode_and_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    package = npm.package("pyodide")
    _, source = site.source_archive()
    made = pyodide.with_bytecode(source, package)
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    node = ["node", "--input-type=module", "--eval", _IMPORTED, str(package), str(tmp_path)]
    said = subprocess.run(node, capture_output=True, encoding="utf-8")
    assert said.stdout == "[] /lib/python314.zip/dataclasses.pyc\n", said.stderr
    with ZipFile(tmp_path / "code.zip") as code, ZipFile(io.BytesIO(source)) as sources:
        assert set(sources.namelist()) < set(code.namelist())
        assert all(code.read(name) == sources.read(name) for name in sources.namelist())
    # Without Node, the archives that are kept do for the same code only.
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert pyodide.with_bytecode(source, package) == made
    assert pyodide.with_bytecode(source + b" ", package) == {}


def test_a_site_has_the_library_with_bytecode_instead_of_that_of_pyodide(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archives = {pyodide.LIBRARY: b"library", pyodide.CODE: b"code"}
    monkeypatch.setattr(pyodide, "with_bytecode", lambda source, folder: archives)
    folder = tmp_path / "public"
    assert site.write_site(folder, package).has_bytecode
    page = site.page_of(folder)
    runtime = json.loads((page / "runtime.json").read_text())
    assert (page / runtime["library"]).read_bytes() == b"library"
    assert (page / runtime["source"]).read_bytes() == b"code"
    assert not (folder / pyodide.FOLDER / runtime["library"]).exists()
    # The sandbox gets each file by its digest.
    for name, digest in runtime["digests"].items():
        assert digest == _sha256((page / name).read_bytes()), name


FILES = {name: Random(name).randbytes(100_000) for name in pyodide.DIGESTS}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder, and let small files pass for those of Pyodide."""
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "cache"))
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    monkeypatch.setattr(pyodide, "DIGESTS", digests)
    return tmp_path / "cache"


@pytest.fixture
def registry(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """Return a registry that has the package."""
    with registry_of(packed(FILES)) as registry:
        monkeypatch.setenv("npm_config_registry", f"{registry.address}/")
        yield registry


def test_a_download_reports_its_progress_is_kept_and_repeated_only_for_a_damaged_file(
    cache: Path, registry: Registry
) -> None:
    told: list[tuple[str, Any]] = []
    assert not pyodide.is_cached()
    pyodide.PyodideDownload().run(lambda *event: told.append(event), lambda: False)
    *steps, last = told
    assert last == ("result", {})
    assert {event for event, _ in steps} == {"progress"}
    done = [record["done"] for _, record in steps]
    size = len(registry.content)
    assert done == sorted(done)
    assert (done[-1], {record["total"] for _, record in steps}) == (size, {size})
    assert pyodide.is_cached()
    assert pyodide.files_in(cache / pyodide.FOLDER) == FILES
    assert registry.requests == [f"/pyodide/-/pyodide-{pyodide.VERSION}.tgz"]
    pyodide.download()
    assert len(registry.requests) == 1
    (cache / pyodide.FOLDER / "pyodide.mjs").write_text("changed")
    assert not pyodide.is_cached()
    pyodide.download()
    assert len(registry.requests) == 2
    assert pyodide.files_in(cache / pyodide.FOLDER) == FILES
    (cache / pyodide.FOLDER / "pyodide.mjs").write_text("changed")
    registry.length = None
    totals: set[int] = set()
    pyodide.download(lambda done, total: totals.add(total))
    assert totals == {pyodide.SIZE}


def test_two_downloads_at_once_are_one(cache: Path, registry: Registry) -> None:
    registry.may_go_on.clear()
    has_begun = threading.Event()
    threads = [
        threading.Thread(target=pyodide.download, args=(lambda *_: has_begun.set(),))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    assert has_begun.wait(60)
    registry.may_go_on.set()
    for thread in threads:
        thread.join(60)
    assert len(registry.requests) == 1
    assert pyodide.files_in(cache / pyodide.FOLDER) == FILES


def test_a_download_can_be_stopped_and_a_registry_that_stalls_is_given_up(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MachineError, match="was stopped"):
        pyodide.download(should_stop=lambda: True)
    assert not pyodide.is_cached()
    monkeypatch.setattr(pyodide, "_READ_SECONDS", 0.2)
    registry.may_go_on.clear()
    with pytest.raises(MissingError, match="timed out"):
        pyodide.download()


def test_another_content_is_refused_and_nothing_is_kept(cache: Path, registry: Registry) -> None:
    wrong = packed(FILES | {"pyodide.asm.wasm": b"another"})
    lacking = packed({"pyodide.mjs": FILES["pyodide.mjs"]})
    for content, sentence in (
        (wrong, r"pyodide\.asm\.wasm has another SHA-256"),
        (lacking, "is not npm's pyodide@"),
        (b"<html>Log in to this network", "is not npm's pyodide@"),
        (packed(FILES)[:-100], "is not npm's pyodide@"),
    ):
        registry.content, registry.length = content, len(content)
        with pytest.raises(MachineError, match=f"the file from 127.0.0.1:.* {sentence}"):
            pyodide.download()
    assert [path.name for path in (cache / pyodide.FOLDER).iterdir()] == ["download.lock"]


def test_a_registry_that_does_not_answer_is_one_sentence(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = registry.content
    registry.content = whole[:-100]
    with pytest.raises(MissingError, match="the connection ended early; check the network"):
        pyodide.download()
    monkeypatch.setattr(pyodide, "_MOST_BYTES", 1000)
    with pytest.raises(MissingError, match="expected at most 1,000 bytes, found more"):
        pyodide.download()
    for address, sentence in (
        (f"{registry.address}/elsewhere", "status 404"),
        ("http://secret@127.0.0.1:9", "from 127.0.0.1:9: "),
    ):
        monkeypatch.setenv("npm_config_registry", address)
        with pytest.raises(MissingError, match=sentence) as failure:
            pyodide.download()
        assert "secret" not in str(failure.value)
    for address in ("file:///etc", "ftp://127.0.0.1", "https://"):
        monkeypatch.setenv("npm_config_registry", address)
        with pytest.raises(UnsuitableError, match="must begin with https://"):
            pyodide.download()


def test_a_cache_folder_that_is_read_only_or_full_is_one_sentence(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @contextmanager
    def full(path: Path) -> Iterator[IO[bytes]]:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))
        yield

    with monkeypatch.context() as patch:
        patch.setattr(pyodide, "atomic_write", full)
        with pytest.raises(StorageError, match=r"written to .*: No space left .*TAQUIN_CACHE"):
            pyodide.download()
    # Root may write to a read-only folder, but not into a file.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path / "file"))
    with pytest.raises(StorageError, match=f"cannot be written to {tmp_path}/file"):
        pyodide.download()
    assert not pyodide.is_cached()


@pytest.mark.slow
def test_a_server_downloads_python_once_and_then_sends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    with registry_of(packed_folder(npm.package("pyodide"))) as registry:
        monkeypatch.setenv("npm_config_registry", registry.address)
        with (
            serving("--no-open", "--no-warm") as site,
            httpx.Client(base_url=site.address, timeout=180) as client,
        ):
            nothing = {"server": True, "pyodide": None, "download": pyodide.SIZE}
            assert client.get("/runtime.json").json() == nothing
            wasm = f"/{pyodide.FOLDER}/pyodide.asm.wasm"
            assert client.get(wasm).status_code == 404
            assert client.post("/api/python", json={"x": 1}).status_code == 400
            content, registry.content = registry.content, b""
            reply = client.post("/api/python", json={})
            assert (reply.status_code, "ended early" in reply.json()["error"]) == (422, True)
            registry.content = content
            *steps, last = all_events(client, "/api/python", {})
            assert last == ("result", {})
            assert steps[-1] == ("progress", {"done": len(content), "total": len(content)})
            assert all_events(client, "/api/python", {}) == [("result", {})]
            runtime = client.get("/runtime.json").json()
            assert runtime["only"] == "code"
            assert len(runtime["digests"]) == len(pyodide.DIGESTS) + 3
            for path, digest in runtime["digests"].items():
                assert client.get(path).status_code == 200
                assert digest.startswith("sha256-")
            reply = client.get(wasm)
            assert hashlib.sha256(reply.content).hexdigest() == pyodide.DIGESTS["pyodide.asm.wasm"]
            assert reply.headers["cache-control"] == "max-age=31536000"
            assert reply.headers["content-type"] == "application/wasm"
            assert "content-encoding" not in reply.headers
            for path in (f"/{pyodide.FOLDER}/download.lock", "/taquin-0.zip"):
                assert client.get(path).status_code == 404

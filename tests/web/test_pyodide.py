"""Pyodide is downloaded once, checked, and kept; every failure is one sentence."""

from __future__ import annotations

import errno
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import IO, Any

import httpx
import pytest

from taquin.errors import MachineError, MissingError, StorageError, UnsuitableError
from taquin.web import pyodide
from tests import npm
from tests.web.api import all_events
from tests.web.registry import Registry, packed, packed_folder, registry_of
from tests.web.site import serving

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


def test_a_download_reports_its_progress_and_is_kept(cache: Path, registry: Registry) -> None:
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


def test_a_second_run_uses_the_cache_and_a_damaged_file_is_replaced(
    cache: Path, registry: Registry
) -> None:
    pyodide.download()
    pyodide.download()
    assert len(registry.requests) == 1
    (cache / pyodide.FOLDER / "pyodide.mjs").write_text("changed")
    assert not pyodide.is_cached()
    pyodide.download()
    assert len(registry.requests) == 2
    assert pyodide.files_in(cache / pyodide.FOLDER) == FILES


def test_a_length_that_is_not_told_is_assumed(registry: Registry) -> None:
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


def test_a_download_can_be_stopped(registry: Registry) -> None:
    with pytest.raises(MachineError, match="was stopped"):
        pyodide.download(should_stop=lambda: True)
    assert not pyodide.is_cached()


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


def test_a_registry_that_stalls_is_given_up(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pyodide, "_READ_SECONDS", 0.2)
    registry.may_go_on.clear()
    with pytest.raises(MissingError, match="timed out"):
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

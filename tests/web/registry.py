"""A registry of npm on this machine, for tests of the download of Pyodide."""

from __future__ import annotations

import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from taquin.web import pyodide

_BYTE_SECONDS = 0.5


class Registry(ThreadingHTTPServer):
    """A server with one package; while `may_go_on` is clear it all but stops in the middle."""

    def __init__(self, content: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.content = content
        self.length: int | None = len(content)
        """What it says of the length; None for nothing."""
        self.requests: list[str] = []
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.address = f"http://127.0.0.1:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    server: Registry

    def do_GET(self) -> None:
        """Send the package."""
        registry = self.server
        registry.requests.append(self.path)
        is_there = self.path == f"/pyodide/-/{pyodide.FOLDER}.tgz"
        self.send_response(200 if is_there else 404)
        if registry.length is not None:
            self.send_header("Content-Length", str(registry.length))
        self.end_headers()
        sent = len(registry.content) // 2
        with suppress(OSError):
            self.wfile.write(registry.content[:sent])
            # A byte now and then, so that nobody takes it for dead.
            while not registry.may_go_on.wait(_BYTE_SECONDS):
                self.wfile.write(registry.content[sent : sent + 1])
                sent += 1
            self.wfile.write(registry.content[sent:])

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal clean."""


def packed(files: dict[str, bytes]) -> bytes:
    """Return a package of npm with these files."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def packed_folder(folder: Path) -> bytes:
    """Return a package with the files of Pyodide in a folder."""
    return packed({name: (folder / name).read_bytes() for name in pyodide.DIGESTS})


@contextmanager
def registry_of(content: bytes) -> Iterator[Registry]:
    """Run a registry with this package while the block runs."""
    with Registry(content) as registry:
        thread = threading.Thread(target=registry.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield registry
        finally:
            registry.may_go_on.set()
            registry.shutdown()
            thread.join()

"""Start a server of the page for tests and measurements, as a user would."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

_STATIC = Path(__file__).parents[2] / "src" / "taquin" / "web" / "static"
_PATIENCE = 180.0
"""Seconds that a server may take to end on a busy machine."""


def weight(pack: Callable[[bytes], bytes] = bytes) -> int:
    """Return the bytes of all files of the page, as they are or packed one by one."""
    return sum(len(pack(path.read_bytes())) for path in _STATIC.rglob("*") if path.is_file())


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    address: str
    """Where it is, without a slash at the end."""
    process: subprocess.Popen[str]
    has_server: bool = True
    """Whether it is `taquin serve`; otherwise a folder on a server of files."""

    @property
    def scripts(self) -> str:
        """The address of the scripts of the page."""
        with urlopen(f"{self.address}/runtime.json") as reply:
            return "/".join(filter(None, (self.address, json.load(reply).get("folder"))))

    def stop(self) -> int:
        """End it by Ctrl-C and return its status; it must end by itself."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(_PATIENCE)
        finally:
            self.process.kill()


@contextmanager
def serving_files(folder: Path, path: str) -> Iterator[Site]:
    """Serve a folder by Python's own server while the block runs; `path` in it is the site."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://[^/]+", process.stdout.readline())
        assert found is not None
        try:
            yield Site(f"{found[0]}/{path}", process, has_server=False)
        finally:
            process.kill()


@contextmanager
def serving(*words: str) -> Iterator[Site]:
    """Run `taquin serve` on a free port while the block runs."""
    command = [sys.executable, "-m", "taquin", "serve", "--port", "0", *words]
    # A group of its own, so that Ctrl-C at the terminal of the tests is not also sent to it.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://[^/]+", said)
        if not found:
            process.kill()
            raise RuntimeError(f"the server did not say where it is, but {said!r}")
        site = Site(found[0], process)
        try:
            yield site
        finally:
            site.stop()

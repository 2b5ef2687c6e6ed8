"""Start a server of the page for tests and measurements, as a user would."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

STATIC = Path(__file__).parents[3] / "src" / "taquin" / "web" / "static"
"""Every file that the page is made of."""
_PATIENCE = 60.0
"""Seconds that a server may take to start or to end on a busy machine."""


@dataclass(frozen=True, slots=True)
class Site:
    """A running server."""

    address: str
    """Where it is, without a slash at the end."""
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """End it by Ctrl-C; it must end by itself."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


@contextmanager
def serving(*words: str) -> Iterator[Site]:
    """Run `taquin serve` on a free port while the block runs."""
    port = _free_port()
    command = [sys.executable, "-m", "taquin", "serve", "--port", str(port), *words]
    # A group of its own, so that Ctrl-C at the terminal of the tests is not also sent to it.
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0
    )
    site = Site(f"http://127.0.0.1:{port}", process)
    try:
        _await(site)
        yield site
    finally:
        site.stop()


def _free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port


def _await(site: Site) -> None:
    """Return when the server answers."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if (status := site.process.poll()) is not None:
            raise RuntimeError(f"the server ended with status {status} before it answered")
        try:
            urlopen(f"{site.address}/api/about", timeout=5).close()
        except (URLError, OSError):
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"the server did not answer within {_PATIENCE:g} s")

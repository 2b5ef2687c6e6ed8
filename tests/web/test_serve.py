"""`taquin serve` as a process: how it begins, what it says, and that nothing is left of it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import httpx
import pytest

from tests.web.api import HARD, awaited, children, events, is_running
from tests.web.site import serving


def serve(*words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run `taquin serve` where it cannot begin."""
    start = f"{code}\nfrom taquin.__main__ import main; main()"
    return subprocess.run(
        [sys.executable, "-c", start, "serve", "--no-open", *words],
        capture_output=True,
        text=True,
        timeout=180,
    )


@pytest.mark.parametrize(
    "how", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGKILL]
)
def test_the_end_of_the_server_is_the_end_of_every_process(
    table_folder: object, how: signal.Signals
) -> None:
    with serving("--no-open", "--no-warm") as site:
        with (
            httpx.Client(base_url=site.address, timeout=180) as client,
            client.stream("POST", "/api/solve", json={"board": HARD, "search": "ids"}) as solving,
            client.stream("POST", "/api/trace", json={"board": HARD, "search": "bfs"}) as tracing,
        ):
            # Kept, as a stream ends with whoever reads it.
            told = events(solving.iter_lines()), events(tracing.iter_lines())
            assert [next(each)[0] for each in told] == ["started", "record"]
            client.post("/api/left", json={"board": "1 2 / 0 3"})
            workers = children(site.process.pid)
            assert len(workers) == 3
            site.process.send_signal(how)
            assert site.process.wait(180) == {signal.SIGINT: 0}.get(how, -how)
        assert awaited(lambda: not any(map(is_running, workers)))


def test_a_port_that_is_taken_or_no_address_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = serve("--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert done.stderr.startswith("Error: cannot listen at 127.0.0.1, port")
    assert done.stderr.count("\n") == 1
    assert "--port" in done.stderr
    done = serve("--host", "no.such.name.invalid", "--public")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "no.such.name.invalid" in done.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.org"])
def test_other_machines_are_let_in_only_when_that_is_said(host: str) -> None:
    done = serve("--host", host, "--port", "0")
    assert done.returncode == 2
    assert "--public" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_it_says_what_to_install(missing: str) -> None:
    done = serve(code=f"import sys; sys.modules[{missing!r}] = None")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert missing in done.stderr
    assert '"taquin[web]"' in done.stderr


def test_a_public_server_is_called_by_its_names_and_addresses_only(table_folder: object) -> None:
    words = ("--host", "0.0.0.0", "--public", "--name", "Lab.example.org", "--no-open", "--no-warm")
    with serving(*words) as site:
        for host, status in (
            ("lab.example.org", 200),
            ("127.0.0.1:80", 200),
            ("10.1.2.3", 200),
            ("[::1]:80", 200),
            ("evil.example.org", 403),
        ):
            reply = httpx.get(f"{site.address}/api/about", headers={"Host": host})
            assert reply.status_code == status, host

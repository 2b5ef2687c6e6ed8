"""Nothing that a request holds does harm: strangers, malformed bodies, limits, user code."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from taquin.errors import UnsuitableError
from taquin.web import app as app_module
from taquin.web.app import BODY_SECONDS, HEADER_SECONDS, create_app, embedding_origin
from taquin.web.page_jobs import Settings
from tests.web.api import HARD, all_events
from tests.web.site import Site

BOARD = "1 2 3 / 4 0 5 / 7 8 6"
PATHS = ("read", "check", "scramble", "left", "solve", "trace", "race", "export")
ERROR_KEYS = {"error", "code", "parameters"}
"""The keys of the record of a request that fails."""
"""What takes a body."""


@pytest.mark.parametrize(
    "text",
    ["course.example.org", "https://a.example/path", "*", "https://a b", "'none'; script-src *"],
)
def test_a_site_that_may_frame_the_page_is_named_by_its_origin(text: str) -> None:
    assert embedding_origin("https://Course.example.org:8443/") == "https://course.example.org:8443"
    with pytest.raises(UnsuitableError, match="expected the origin of a site"):
        embedding_origin(text)


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"),
        *("", "a b"),
    ],
)
def test_a_server_that_is_called_by_another_name_answers_nobody(
    client: httpx.Client, host: str
) -> None:
    for path in ("/", "/api/about", "/nothing"):
        assert client.get(path, headers={"Host": host}).status_code == 403
    reply = client.post("/api/check", json={"board": BOARD}, headers={"Host": host})
    assert (reply.status_code, set(reply.json()) <= ERROR_KEYS) == (403, True)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1", "file://"]
)
def test_a_page_of_another_site_drives_nothing(client: httpx.Client, origin: str) -> None:
    for path in (*PATHS, "python"):
        reply = client.post(f"/api/{path}", json={}, headers={"Origin": origin})
        assert (reply.status_code, set(reply.json()) <= ERROR_KEYS) == (403, True)
    assert client.get("/api/about", headers={"Origin": origin}).status_code == 403


def test_the_page_itself_and_programs_are_let_in(client: httpx.Client, server: Site) -> None:
    for headers in ({"Origin": server.address}, {"Sec-Fetch-Site": "same-origin"}, {}):
        reply = client.post("/api/check", json={"board": BOARD}, headers=headers)
        assert reply.status_code == 200
    port = urlsplit(server.address).port
    assert client.get("/api/about", headers={"Host": f"localhost:{port}"}).status_code == 200
    assert client.get("/api/about", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_every_reply_has_the_headers_that_keep_a_page_safe(client: httpx.Client) -> None:
    replies = [client.get(path) for path in ("/", "/api/about", "/api/studies", "/nothing")]
    replies.append(client.post("/api/solve", json={"board": BOARD}))
    replies.append(client.post("/api/solve", content=b"{"))
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "'unsafe" not in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert "access-control-allow-origin" not in reply.headers


def test_files_of_the_page_have_their_types_and_are_kept_by_browsers(client: httpx.Client) -> None:
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    names = re.findall(r'(?:src|href)="([\w./-]+)"', page.text)
    assert names
    kinds = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
    for name in names:
        reply = client.get(f"/{name}")
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith(kinds[name.rpartition(".")[2]])
        assert (reply.headers.get("content-encoding") == "gzip") == (len(reply.content) >= 500)
        again = client.get(f"/{name}", headers={"If-None-Match": reply.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/..%2f..%2fapp.py", "/%2e%2e/app.py"])
def test_no_file_outside_of_the_page_is_sent(server: Site, path: str) -> None:
    place = urlsplit(server.address)
    with socket.create_connection((place.hostname or "", place.port or 0)) as line:
        line.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        assert b" 404 " in line.makefile("rb").readline()


def test_a_body_or_a_board_that_is_too_large_is_refused(client: httpx.Client) -> None:
    large = json.dumps({"board": BOARD, "goal": "x" * 65_536}).encode()
    parts = (large[at : at + 1000] for at in range(0, len(large), 1000))
    for content in (large, parts):
        reply = client.post("/api/check", content=content)
        assert (reply.status_code, "65,536" in reply.json()["error"]) == (413, True)
    just = json.dumps({"text": "x"}).encode().ljust(65_536)
    assert client.post("/api/read", content=just).status_code == 400
    rows = [[row * 11 + column for column in range(11)] for row in range(11)]
    for path in ("check", "left", "solve", "trace"):
        reply = client.post(f"/api/{path}", json={"board": rows})
        assert reply.status_code == 400
        assert "at most 100 cells, found 11×11" in reply.json()["error"]
    for asked in ({"rows": 11}, {"rows": 10_000, "columns": 10_000}):
        assert client.post("/api/scramble", json=asked).status_code == 400
    reply = client.post(
        "/api/read", json={"text": " / ".join(" ".join(map(str, row)) for row in rows)}
    )
    assert (reply.status_code, "found 11×11" in reply.json()["error"]) == (400, True)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("check", {}, "expected a board"),
        ("check", {"board": 5}, "expected a list or an object"),
        ("check", {"board": "1 2 / 3"}, "line 1"),
        ("check", {"board": BOARD, "goal": "snial"}, "no goal"),
        ("check", {"board": BOARD, "gaol": "snail"}, "Did you mean goal?"),
        ("check", {"board": BOARD, "metric": 1}, "metric: expected a text"),
        ("solve", {"board": BOARD, "seconds": "1"}, "seconds: expected a number"),
        ("solve", {"board": BOARD, "seconds": True}, "seconds: expected a number"),
        ("solve", {"board": BOARD, "nodes": -1}, "nodes: expected a number from 0"),
        ("solve", {"board": BOARD, "engine": "cluster"}, "engine: there is no choice"),
        ("solve", {"board": BOARD, "engine": "cpu(threads=9)"}, "engine: there is no choice"),
        ("solve", {"board": BOARD, "search": "astro"}, "astar"),
        ("trace", {"board": BOARD, "search": 7}, "search: expected a text"),
        ("trace", {"board": "1 2 3 / 4 0 A", "search": "bfs"}, "the goal asks for"),
        ("race", {"board": BOARD, "searches": ["bfs"]}, "searches: expected a list of 2 to 4"),
        ("race", {"board": BOARD, "searches": ["bfs", 2]}, "searches: expected a text"),
        ("export", {"board": BOARD}, "format: expected one of"),
        ("export", {"board": BOARD, "format": "exe"}, "format: there is no choice"),
        ("scramble", {"rows": 3, "moves": 1, "distance": 1}, "choose one of"),
        ("scramble", {"rows": 3, "distance": 32}, "the greatest distance is at most 31"),
        ("read", {"text": ""}, "expected a board"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_sentence(
    client: httpx.Client, path: str, body: object, said: str
) -> None:
    reply = client.post(f"/api/{path}", json=body)
    assert reply.status_code == 400
    assert set(reply.json()) <= ERROR_KEYS
    assert said in reply.json()["error"]


@pytest.mark.parametrize(
    "search",
    [
        *("own.py:heuristic", "astar(own.py:heuristic)", "astar(os:system)", "os:system"),
        *("bfs(scored_by=own.py:heuristic)", "astar(max(manhattan, own.py:heuristic))"),
        *("astar:own.py:heuristic", "astar(/etc/passwd.py:x)"),
    ],
)
def test_code_of_ones_own_is_not_run_for_a_request(client: httpx.Client, search: str) -> None:
    replies = [
        client.post(f"/api/{path}", json={"board": BOARD, "search": search})
        for path in ("solve", "trace")
    ]
    asked = {"board": BOARD, "searches": ["bfs", search]}
    for reply in [*replies, client.post("/api/race", json=asked)]:
        assert reply.status_code == 400
        assert "requests cannot run user code" in reply.json()["error"]


def test_code_in_a_request_is_not_run_by_a_server(client: httpx.Client) -> None:
    asked = {"board": BOARD, "code": "def mine(board): return 0"}
    for path in ("own", "audit", "score"):
        assert client.post(f"/api/{path}", json=asked).status_code == 404
    reply = client.post("/api/trace", json=asked)
    assert (reply.status_code, "code: there is no such key" in reply.json()["error"]) == (400, True)
    reply = client.post("/api/trace", json={**asked, "search": "astar(mine.py:mine)"})
    assert (reply.status_code, "cannot run user code" in reply.json()["error"]) == (400, True)


@pytest.mark.parametrize("search", ["astar(patterns(large))", "idastar(patterns([1 2], [3 4]))"])
def test_no_tables_are_built_at_the_wish_of_a_request(client: httpx.Client, search: str) -> None:
    reply = client.post("/api/solve", json={"board": BOARD, "search": search})
    assert reply.status_code == 400
    assert "requests can use only the tables" in reply.json()["error"]


def test_a_request_can_lower_the_limits_of_the_server_and_not_raise_them(
    client: httpx.Client,
) -> None:
    asked = {"board": BOARD, "search": "bfs", "seconds": 1e9, "nodes": 10**18}
    started = all_events(client, "/api/solve", asked)[0][1]
    assert (started["limits"]["seconds"], started["limits"]["nodes"]) == (60.0, 100_000)
    result = all_events(client, "/api/solve", asked | {"board": HARD})[-1][1]
    assert (result["limit"], result["stats"]["generated"]) == ("nodes", 100_000)
    result = all_events(client, "/api/solve", {"board": HARD, "search": "bfs", "nodes": 500})[-1][1]
    assert (result["limit"], result["stats"]["generated"]) == ("nodes", 500)


_TEXTS = (
    *("", "1 2 / 3 0", "astar", "astar(", "x" * 300, "\u0000", "\ud800", "0", "# * @ .", "[[1]]"),
)
_NUMBERS: tuple[Any, ...] = (0, -1, 1.5, 1e308, 10**30, True, None, 3)


def _value(chance: random.Random, depth: int = 0) -> Any:
    """Return anything that JSON can hold."""
    kind = chance.randrange(8 if depth < 3 else 5)
    if kind < 3:
        return chance.choice(_TEXTS)
    if kind < 5:
        return chance.choice(_NUMBERS)
    some = [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return some if kind < 7 else {chance.choice(_TEXTS): each for each in some}


_FIELDS = (
    *("board", "goal", "metric", "search", "searches", "seconds", "nodes", "depth", "engine"),
    *("optimal", "anytime", "within", "text", "as", "rows", "columns", "seed", "moves"),
    *("distance", "by", "speed", "hint", "format", "theme", "nonsense"),
)


def _body(chance: random.Random) -> bytes:
    """Return a body with something wrong in it, most of the time."""
    fields = {name: _value(chance) for name in chance.sample(_FIELDS, chance.randrange(6))}
    if chance.random() < 0.7:
        fields["board"] = chance.choice((BOARD, [[1, 2], [3, 0]], "A . / @ ."))
    if chance.random() < 0.5:
        fields["nodes"] = chance.randrange(50)
    body = json.dumps(fields).encode()
    if chance.random() < 0.3:
        at = chance.randrange(len(body))
        body = body[:at] + chance.randbytes(chance.randrange(4)) + body[at + chance.randrange(3) :]
    return body


def test_a_thousand_random_requests_are_answered_without_a_fault(client: httpx.Client) -> None:
    chance = random.Random(20)
    seen = set()
    for _ in range(1000):
        path = chance.choice(
            (*(f"/api/{each}" for each in PATHS), "/api/nothing", "/", "/api/about")
        )
        method = (
            "POST" if chance.random() < 0.9 else chance.choice(("GET", "PUT", "DELETE", "HEAD"))
        )
        body = _body(chance)
        reply = client.request(method, path, content=body)
        seen.add(reply.status_code)
        assert reply.status_code < 500, (method, path, body, reply.text)
        if reply.status_code >= 400 and method != "HEAD":
            assert set(reply.json()) <= ERROR_KEYS, (method, path, body)
            assert "Traceback" not in reply.text
        assert "internal error" not in reply.text, (method, path, body, reply.text)
    assert {200, 400, 404, 405} <= seen


def test_requests_that_are_no_http_end_their_connection_only(
    server: Site, client: httpx.Client
) -> None:
    chance = random.Random(21)
    place = urlsplit(server.address)
    for _ in range(50):
        with socket.create_connection((place.hostname or "", place.port or 0)) as line:
            line.sendall(chance.randbytes(chance.randrange(1, 200)) + b"\r\n\r\n")
            line.settimeout(10)
            first = line.recv(1000).split(b"\r\n")[0]
            assert first == b"" or b" 400 " in first or b" 403 " in first
    assert client.get("/api/about").status_code == 200


@contextmanager
def _connections(server: Site, *sent: bytes, number: int) -> Iterator[list[socket.socket]]:
    """Open that many connections for each text that is sent, and leave them unfinished."""
    place = urlsplit(server.address)
    with ExitStack() as stack:
        lines = []
        for text in sent * number:
            address = (place.hostname or "", place.port or 0)
            lines.append(stack.enter_context(socket.create_connection(address)))
            lines[-1].sendall(text)
            lines[-1].setblocking(False)
        yield lines


def _read(line: socket.socket) -> bytes | None:
    """Return what a server has sent; None if it has closed the connection."""
    try:
        return line.recv(1 << 16) or None
    except BlockingIOError:
        return b""
    except OSError:
        return None


_REQUEST = b"GET /api/about HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.slow
def test_connections_that_never_finish_their_headers_are_closed(
    server: Site, client: httpx.Client
) -> None:
    unfinished = (b"", b"G", _REQUEST, _REQUEST + b"\r\n" + _REQUEST)
    with _connections(server, *unfinished, number=50) as lines:
        waiting = set(lines)
        until = monotonic() + 6 * HEADER_SECONDS
        while waiting and monotonic() < until:
            waiting = {line for line in waiting if _read(line) is not None}
            # A byte now and then is no reason to wait longer.
            for line in waiting & set(lines[2::4]):
                with suppress(OSError):
                    line.send(b"x")
            assert client.get("/api/about").status_code == 200
            sleep(0.3)
        assert len(waiting) == 0


def test_a_body_that_comes_too_late_is_refused_with_the_status_of_a_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "BODY_SECONDS", 0.0)
    sent: list[Any] = []

    async def receive() -> Any:
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-length", b"100")]
    request = {"type": "http", "method": "POST", "path": "/api/check", "headers": headers}

    async def ask() -> None:
        await create_app(Settings())(request, receive, send)

    asyncio.run(ask())
    assert (sent[0]["status"], b"took too long" in sent[1]["body"]) == (408, True)
    assert (b"connection", b"close") in sent[0]["headers"]


@pytest.mark.slow
def test_a_body_that_never_ends_is_refused_and_its_connection_closed(server: Site) -> None:
    head = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
    with _connections(server, head, number=20) as lines:
        for line in lines:
            line.settimeout(3 * BODY_SECONDS)
            reply = line.makefile("rb").read()
            assert (reply[:12], b"took too long" in reply) == (b"HTTP/1.1 408", True)

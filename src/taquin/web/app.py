"""The server: its routes, its responses, the checks before a request, and the sockets.

Responses are JSON, files and event streams. A disconnect cancels the job of a response.

Any page in a browser can send requests to this server. So `Guard` checks that the Host is a name of
this server, or another site could rebind its own name to this address (DNS rebinding), and that the
origin of the request, if the browser sends it (Origin, Sec-Fetch-Site), is our own. It also limits
the size of the body.
"""

from __future__ import annotations

import asyncio
import base64
import ipaddress
import json
import mimetypes
import re
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from taquin.errors import InputError, MachineError, UnsuitableError
from taquin.reasons import Reason, reason
from taquin.web import endpoints, pyodide
from taquin.web.endpoints import ResponseKind, catalogue, fields_of, openapi
from taquin.web.messages import FRAME_END, error_record, json_text, refusal_record
from taquin.web.page_jobs import BODY_BYTES, Lane, PageJob, Settings, WarmUp
from taquin.web.pool import Ticket, WorkerPool
from taquin.web.site import (
    POLICY,
    RUNTIME,
    STATIC,
    page_of,
    pyodide_policy,
    runtime_of,
    server_runtime,
    source_archive,
)
from taquin.web.studies import StudyList, StudyReport, StudyStatus

RETRY_SECONDS = 5
"""The Retry-After of a response to a full queue."""
_ERROR, _RESULT = b"event: error\ndata: ", b"event: result\ndata: "


class Json(Response):
    """A JSON record."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the text of the record."""
        return json_text(content).encode()


def refusal(status: int, sentence: Reason, headers: dict[str, str] | None = None) -> Json:
    """Return the response to a rejected request, with the reason in one sentence."""
    return Json(refusal_record(sentence), status, headers)


class JobResponse(Response):
    """The result of a job, a JSON record or a file, or the stream of its frames.

    Sending the response queues the job.
    """

    def __init__(
        self,
        pool: WorkerPool,
        job: PageJob,
        headers: dict[str, str] | None,
        *,
        is_stream: bool = False,
    ) -> None:
        super().__init__()
        self.ticket = Ticket()
        """Stops the job on request."""
        self._frames = pool.frames(job, self.ticket)
        self._extra_headers = headers or {}
        self._is_stream = is_stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response, unless the client disconnects first."""

        async def respond() -> None:
            async with aclosing(self._frames) as frames:
                first = await anext(frames)
                if first.startswith(_ERROR):
                    await _failure(first)(scope, receive, send)
                elif self._is_stream:
                    await self._send_stream(first, frames, send)
                else:
                    await (await self._result(first, frames))(scope, receive, send)

        await _until_disconnect(receive, respond())

    async def _result(self, first: bytes, frames: AsyncIterator[bytes]) -> Response:
        """Return the response with the record or the file of the last frame."""
        stream = first
        async for piece in frames:
            stream += piece
        last = stream.removesuffix(FRAME_END).rpartition(FRAME_END)[2]
        if not last.startswith(_RESULT):
            return _failure(last)
        record: Any = json.loads(last.removeprefix(_RESULT))
        response: Response = Json(record)
        if file := record.get("file"):
            name = f'attachment; filename="{file["name"]}"'
            headers = {"Content-Disposition": name} if file["name"] else {}
            response = Response(base64.b64decode(file["base64"]), 200, headers, file["type"])
        response.headers.update(self._extra_headers)
        return response

    async def _send_stream(self, first: bytes, frames: AsyncIterator[bytes], send: Send) -> None:
        """Send each piece after the one before: nothing is buffered here."""
        headers = {"content-type": "text/event-stream; charset=utf-8"} | self._extra_headers
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        async for piece in frames:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_disconnect(receive: Receive, response: Awaitable[None]) -> None:
    """Send the response until it is complete or the client has disconnected."""

    async def disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(response), asyncio.ensure_future(disconnect())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not tasks[0].cancelled():
        tasks[0].result()


def _failure(error_frame: bytes) -> Json:
    record: Any = json.loads(error_frame.removeprefix(_ERROR))
    status = record.pop("status")
    return Json(record, status, {"Retry-After": str(RETRY_SECONDS)} if status == 503 else None)


BODY_SECONDS = 30.0
"""The deadline for the body of a request, in seconds."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?")
UNFRAMED = "; frame-ancestors 'none'"
"""The end of a policy: no site may frame the page."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The loopback names of this machine."""
_SECURITY_HEADERS = {
    "Content-Security-Policy": f"{POLICY}{UNFRAMED}",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""Sent with every response, unless it sets its own."""
_ORIGIN = re.compile(r"https?://(?:\*\.)?[A-Za-z0-9.-]+(?::[0-9]{1,5})?")


def embedding_origin(text: str) -> str:
    """Return the origin of a site that may frame the page; raise UnsuitableError for no origin."""
    origin = text.rstrip("/").lower()
    if not _ORIGIN.fullmatch(origin):
        raise UnsuitableError(
            f"expected the origin of a site, such as https://course.example.org, found {text!r}"
        )
    return origin


@dataclass(frozen=True, slots=True)
class Guard:
    """Middleware that admits requests for this server, from its own page or from no page."""

    app: ASGIApp
    names: frozenset[str] = LOOPBACK
    """The host names of the server."""
    is_public: bool = False
    """Whether any IP address is a valid Host too; addresses cannot be rebound."""
    embed_from: tuple[str, ...] = ()
    """The origins of sites that may show the page in a frame."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or reject it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_securely(message: Message) -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    response_headers.setdefault(name, value)
                if self.embed_from:
                    policy = response_headers["Content-Security-Policy"].removesuffix(" 'none'")
                    response_headers["Content-Security-Policy"] = " ".join(
                        [policy, *self.embed_from]
                    )
                    # X-Frame-Options cannot name origins, so browsers would block every frame.
                    del response_headers["X-Frame-Options"]
            await send(message)

        headers = Headers(scope=scope)
        response = self._rejection(headers, scope["path"])
        messages: list[Message] = []
        if response is None and scope["method"] == "POST":
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await _body(headers, receive)
                messages = [{"type": "http.request", "body": body, "more_body": False}]
            except TimeoutError:
                response = refusal(408, reason("slow-body"), {"Connection": "close"})
            except OverflowError:
                sentence = reason("large-body", most=BODY_BYTES)
                response = refusal(413, sentence, {"Connection": "close"})

        async def replay() -> Message:
            return messages.pop() if messages else await receive()

        await (response or self.app)(scope, replay, send_securely)

    def _rejection(self, headers: Headers, path: str) -> Json | None:
        """Return the response to a rejected request; None if it is accepted."""
        hosts = headers.getlist("host")
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        name = match[1].lower() if match else ""
        is_address = False
        with suppress(ValueError):
            is_address = bool(ipaddress.ip_address(name.strip("[]")))
        if name not in self.names and not (is_address and self.is_public):
            return refusal(403, reason("other-host"))
        origin = headers.get("origin")
        own_origins = [f"{scheme}://{hosts[0].lower()}" for scheme in ("http", "https")]
        if origin is not None and origin.lower() not in own_origins:
            return refusal(403, reason("other-site", header="Origin"))
        site = headers.get("sec-fetch-site", "none")
        if path.startswith("/api/") and site not in ("same-origin", "none"):
            return refusal(403, reason("other-site", header="Sec-Fetch-Site"))
        return None


async def _body(headers: Headers, receive: Receive) -> bytes:
    """Return the body of a request; raise OverflowError if it is too large."""
    length = headers.get("content-length", "0")
    size = int(length[:20]) if length.isdecimal() else 0
    body, more = b"", True
    while more and max(size, len(body)) <= BODY_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if max(size, len(body)) > BODY_BYTES:
        raise OverflowError
    return body


STREAM_HEADER = "taquin-turn"
"""The header that names a stream, for `/api/stop`."""
_WORKERS, _WAITING = 2, 64
"""Workers and queue length for quick jobs, and for exports."""
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}
"""Content types of the page's files; the table of the system may be wrong."""
_REPORT_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The report of a study has inline styles, no scripts, and may be framed by the page."""
_CONSTANT = {"Cache-Control": "max-age=31536000"}
"""For files with a version or a digest in their names, which never change."""
_REFUSALS = {404: reason("no-address"), 405: reason("no-method")}

_Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _Unanswered:
    """The endpoint of requests to the API that no route takes."""

    routes: list[Route]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer OPTIONS; reject others with the methods of the address, if there are any."""
        matching = [route for route in self.routes if route.matches(scope)[0] is not Match.NONE]
        allowed = {
            "Allow": ", ".join(sorted({m for route in matching for m in route.methods or ()}))
        }
        if not matching:
            raise HTTPException(404)
        if scope["method"] != "OPTIONS":
            raise HTTPException(405, headers=allowed)
        await Response(status_code=204, headers=allowed)(scope, receive, send)


class _Static(StaticFiles):
    """Static files with these headers."""

    def __init__(self, directory: Path, headers: dict[str, str], *, html: bool = False) -> None:
        super().__init__(directory=directory, html=html)
        self._headers = headers

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(self._headers)
        return response


def create_app(
    settings: Settings,
    *,
    names: frozenset[str] = frozenset(),
    public: bool = False,
    site: Path | None = None,
    embed_from: tuple[str, ...] = (),
) -> ASGIApp:
    """Return the application; it accepts the hosts `names`, and if `public` any IP address.

    With a folder `site` written by `taquin site`, the page searches in the browser. Raise
    UnsuitableError for another folder. Otherwise only user code runs there, in Pyodide from the
    cache folder, which visitors of a public server cannot download. Sites of the origins
    `embed_from` may frame the page.
    """
    page = STATIC if site is None else page_of(site)
    # Decided once for a public server, because the policy of its page depends on it.
    has_python = site is not None or not public or pyodide.is_cached()
    for suffix, content_type in _TYPES.items():
        mimetypes.add_type(content_type, suffix)
    pools = {lane: WorkerPool(_WORKERS, _WAITING, settings.memory) for lane in Lane}
    pools[Lane.SEARCH] = WorkerPool(settings.running, settings.waiting, settings.memory)
    streams: WeakValueDictionary[str, Ticket] = WeakValueDictionary()

    def job_response(job: PageJob, headers: dict[str, str] | None = None) -> Response:
        return JobResponse(pools[job.lane], job, headers)

    def job_stream(job: PageJob) -> Response:
        name = token_urlsafe(16)
        stream = JobResponse(pools[job.lane], job, {STREAM_HEADER: name}, is_stream=True)
        streams[name] = stream.ticket
        return stream

    async def about(request: Request) -> Response:
        load = {lane.value: pool.load for lane, pool in pools.items()}
        return Json(endpoints.about(settings) | {"load": load})

    def current_runtime() -> dict[str, Any]:
        if site is not None:
            return {**json.loads((page / RUNTIME).read_bytes()), "server": True}
        return server_runtime(has_python=has_python, may_download=not public)

    async def runtime(request: Request) -> Response:
        return Json(await asyncio.to_thread(current_runtime))

    async def list_searches(request: Request) -> Response:
        return Json(await asyncio.to_thread(catalogue))

    async def description(request: Request) -> Response:
        return Json(await asyncio.to_thread(openapi))

    def get(job: Callable[..., PageJob], headers: dict[str, str] | None = None) -> _Endpoint:
        """Return the endpoint of a job that takes the parameters of the path."""

        async def endpoint(request: Request) -> Response:
            return job_response(job(**request.path_params), headers)

        return endpoint

    def post(name: str, respond: Callable[[Any], Response]) -> _Endpoint:
        """Return the endpoint that passes a body to the handler and responds with its value."""

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return respond(await asyncio.to_thread(endpoints.handled, name, body, settings))

        return endpoint

    async def stop(request: Request) -> Response:
        fields = fields_of(await request.body())
        ticket = streams.get(fields.required_text("turn"))
        fields.finish()
        return Json({"stopped": ticket is not None and ticket.stop()})

    async def download_python(request: Request) -> Response:
        fields_of(await request.body()).finish()
        if public:
            return refusal(403, reason("no-download"))
        return job_stream(pyodide.PyodideDownload())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pools[Lane.SEARCH].warm_up()
        warming = asyncio.create_task(_warm_up(pools[Lane.QUICK], settings))
        # Pack taquin's code before the page asks for the runtime.
        packing = asyncio.create_task(asyncio.to_thread(current_runtime))
        try:
            yield
        finally:
            warming.cancel()
            packing.cancel()
            await asyncio.gather(*(pool.close() for pool in pools.values()))

    responses: dict[ResponseKind, Callable[[Any], Response]] = {
        ResponseKind.RECORD: Json,
        ResponseKind.RESULT: job_response,
        ResponseKind.STREAM: job_stream,
    }
    posts = {name: post(name, responses[kind]) for name, (kind, _) in endpoints.POSTS.items()}
    posts |= {"stop": stop, "python": download_python}

    api = [
        Route("/api/openapi.json", description),
        Route("/api/about", about),
        Route("/api/searches", list_searches),
        *(Route(f"/api/{name}", endpoint, methods=["POST"]) for name, endpoint in posts.items()),
        Route("/api/studies", get(StudyList)),
        Route("/api/studies/{name}", get(StudyStatus)),
        Route("/api/studies/{name}/report", get(StudyReport, _REPORT_HEADERS)),
    ]
    routes: list[BaseRoute] = [
        *api,
        Route("/api/{name:path}", _Unanswered(api), include_in_schema=False),
        Route(f"/{RUNTIME}" if site is None else f"/{page.name}/{RUNTIME}", runtime),
    ]
    # Browsers cache the page, and revalidate it.
    headers = {"Cache-Control": "no-cache"}
    if has_python:
        headers["Content-Security-Policy"] = pyodide_policy(page) + UNFRAMED
    # The files of Python are too large to compress at each request.
    if site is not None:
        python = runtime_of(site)["pyodide"].strip("/")
        constant = headers | _CONSTANT
        routes.append(Mount(f"/{python}", _Static(site / python, constant)))
        routes.append(Mount(f"/{page.name}", GZipMiddleware(_Static(page, constant))))
    elif has_python:
        routes += [
            Route(f"/{pyodide.FOLDER}/{{name}}", _pyodide_file, include_in_schema=False),
            Route("/taquin-{digest}.zip", _source, include_in_schema=False),
        ]
    routes.append(Mount("/", GZipMiddleware(_Static(site or STATIC, headers, html=True))))
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=dict.fromkeys((HTTPException, InputError, Exception), _error_response),
    )
    return Guard(app, LOOPBACK | names, public, embed_from)


async def _warm_up(pool: WorkerPool, settings: Settings) -> None:
    """Start a worker and load its code before the first request."""
    await pool.warm_up()
    if settings.warm:
        async for _ in pool.frames(WarmUp(settings.memory)):
            pass


async def _pyodide_file(request: Request) -> Response:
    name = request.path_params["name"]
    path = pyodide.cached_folder() / name
    if name not in pyodide.DIGESTS or not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, headers=_CONSTANT)


async def _source(request: Request) -> Response:
    name, content = await asyncio.to_thread(source_archive)
    if request.url.path != f"/{name}":
        raise HTTPException(404)
    return Response(content, headers=_CONSTANT, media_type="application/zip")


async def _error_response(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        sentence = _REFUSALS.get(error.status_code) or Reason(error.detail)
        return refusal(error.status_code, sentence, dict(error.headers or {}))
    record = error_record(error)
    return Json(record, record.pop("status"))


_BACKLOG = 128
_SEND_BYTES = 1 << 17
HEADER_SECONDS = 10.0
"""The deadline for the headers of a request, in seconds."""
_CLOSING_SECONDS = 1
"""The deadline for open responses when the server ends, in seconds."""


class _Protocol(H11Protocol):
    """A connection that is closed if the headers of a request miss the deadline.

    uvicorn closes connections that are idle after a response, but has no timeout for the first
    request, nor for the rest of a request that has begun.
    """

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def _watch(self) -> None:
        """Start the deadline of the next request, or cancel it once the request is complete."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._unwatch()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _unwatch(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class _Server(uvicorn.Server):
    """A server that calls back when it accepts requests."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes any free port.

    Raise MachineError if the port is taken, and UnsuitableError for an unknown host.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise UnsuitableError(f"there is no address {host!r} to listen at") from None
    listener = socket.socket(family, kind, protocol)
    if sys.platform == "win32":
        # SO_REUSEADDR would let two servers share the port there.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        # A server can restart while connections of the last one are closing.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # With the default buffer of megabytes, a search would run far ahead of a paused client.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)
    try:
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise MachineError(
            f"cannot listen at {host}, port {port}: {error.strerror}; choose another with --port, "
            f"0 for any that is free"
        ) from None
    return listener


def serve(app: ASGIApp, listener: socket.socket, ready: Callable[[], None]) -> None:
    """Answer requests until Ctrl-C or SIGTERM; call `ready` once requests are accepted."""
    config = uvicorn.Config(
        app,
        http=_Protocol,
        log_level="critical",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_CLOSING_SECONDS,
        lifespan="on",
        ws="none",
    )
    with listener, suppress(KeyboardInterrupt):
        _Server(config, ready).run([listener])

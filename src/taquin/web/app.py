"""The application: its routes and their endpoints."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from taquin.errors import InputError
from taquin.web import endpoints, pyodide
from taquin.web.boards import WarmUp
from taquin.web.bodies import fields_of
from taquin.web.catalogue import catalogue
from taquin.web.endpoints import ResponseKind
from taquin.web.frames import error_record
from taquin.web.guard import LOOPBACK, UNFRAMED, Guard
from taquin.web.job import Job, Lane
from taquin.web.openapi import openapi
from taquin.web.pool import Ticket, WorkerPool
from taquin.web.replies import JobResponse, Json, refusal
from taquin.web.settings import Settings
from taquin.web.site import STATIC, pyodide_policy, runtime_of, server_runtime, source_archive
from taquin.web.studies import StudyList, StudyReport, StudyStatus

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
_NO_DOWNLOAD = (
    "a public server does not download Python for its visitors: run “taquin serve” without "
    "--public on its machine, and download it in the tab Code"
)
_SENTENCES = {
    404: "unknown address; docs/api.md lists all",
    405: "method not allowed at this address; docs/api.md lists the methods",
}

_Endpoint = Callable[[Request], Awaitable[Response]]


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
    browser = {} if site is None else runtime_of(site)
    # Decided once for a public server, because the policy of its page depends on it.
    has_python = site is not None or not public or pyodide.is_cached()
    for suffix, content_type in _TYPES.items():
        mimetypes.add_type(content_type, suffix)
    pools = {lane: WorkerPool(_WORKERS, _WAITING, settings.memory) for lane in Lane}
    pools[Lane.SEARCH] = WorkerPool(settings.running, settings.waiting, settings.memory)
    streams: WeakValueDictionary[str, Ticket] = WeakValueDictionary()

    def job_response(job: Job, headers: dict[str, str] | None = None) -> Response:
        return JobResponse(pools[job.lane], job, headers)

    def job_stream(job: Job) -> Response:
        name = token_urlsafe(16)
        stream = JobResponse(pools[job.lane], job, {STREAM_HEADER: name}, is_stream=True)
        streams[name] = stream.ticket
        return stream

    async def about(request: Request) -> Response:
        load = {lane.value: pool.load for lane, pool in pools.items()}
        return Json(endpoints.about(settings) | {"load": load})

    def current_runtime() -> dict[str, Any]:
        if site is not None:
            return browser | {"server": True}
        return server_runtime(has_python=has_python, may_download=not public)

    async def runtime(request: Request) -> Response:
        return Json(await asyncio.to_thread(current_runtime))

    async def list_searches(request: Request) -> Response:
        return Json(await asyncio.to_thread(catalogue))

    async def description(request: Request) -> Response:
        return Json(await asyncio.to_thread(openapi))

    def get(job: Callable[..., Job], headers: dict[str, str] | None = None) -> _Endpoint:
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
        ticket = streams.get(fields.text("turn", ""))
        fields.finish()
        return Json({"stopped": ticket is not None and ticket.stop()})

    async def download_python(request: Request) -> Response:
        fields_of(await request.body()).finish()
        return refusal(403, _NO_DOWNLOAD) if public else job_stream(pyodide.PyodideDownload())

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

    async def unknown(request: Request) -> Response:
        raise HTTPException(405 if request.path_params["name"] in posts else 404)

    routes: list[BaseRoute] = [
        Route("/runtime.json", runtime),
        Route("/api/openapi.json", description),
        Route("/api/about", about),
        Route("/api/searches", list_searches),
        *(Route(f"/api/{name}", endpoint, methods=["POST"]) for name, endpoint in posts.items()),
        Route("/api/studies", get(StudyList)),
        Route("/api/studies/{name}", get(StudyStatus)),
        Route("/api/studies/{name}/report", get(StudyReport, _REPORT_HEADERS)),
        Route("/api/{name:path}", unknown, include_in_schema=False),
    ]
    # Browsers cache the page, and revalidate it.
    headers = {"Cache-Control": "no-cache"}
    if has_python:
        headers["Content-Security-Policy"] = pyodide_policy(site or STATIC) + UNFRAMED
    # The files of Python are too large to compress at each request.
    if site is not None:
        folder = browser["pyodide"].strip("/")
        routes.append(Mount(f"/{folder}", _Static(site / folder, headers | _CONSTANT)))
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
        sentence = _SENTENCES.get(error.status_code, error.detail)
        return refusal(error.status_code, sentence, dict(error.headers or {}))
    record = error_record(error)
    return refusal(record["status"], record["error"])

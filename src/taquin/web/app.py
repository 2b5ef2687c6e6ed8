"""The application: its addresses, and what answers each of them."""

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
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from taquin.errors import InputError
from taquin.web import endpoints
from taquin.web.boards import WarmUp
from taquin.web.bodies import Fields
from taquin.web.catalogue import catalogue
from taquin.web.guard import LOOPBACK, Guard
from taquin.web.job import Job
from taquin.web.pool import Ticket, WorkerPool
from taquin.web.replies import JobResponse, Json, refusal
from taquin.web.settings import Settings
from taquin.web.studies import StudyList, StudyProgress, StudyReport
from taquin.web.worker import internal_error

STATIC = Path(__file__).parent / "static"
"""The files of the page."""
STREAM_HEADER = "taquin-turn"
"""The header that names a stream, for `/api/stop`."""
_QUICK_WORKERS = 2
"""Workers for quick jobs, which long searches never delay."""
_QUICK_WAITING = 64
_TYPES = {
    "text/javascript": ".js",
    "text/css": ".css",
    "text/html": ".html",
    "image/svg+xml": ".svg",
    "application/manifest+json": ".webmanifest",
}
"""Content types of the page's files; the system's own table may be wrong."""
_REPORT_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""The report of a study has its style inside, may be framed by the page, and runs nothing."""
_SENTENCES = {
    404: "there is nothing at this address; docs/api.md lists what there is",
    405: "this address takes another method; docs/api.md tells which",
}

_Endpoint = Callable[[Request], Awaitable[Response]]
_Handler = Callable[[Fields, Settings], Any]


class _Static(StaticFiles):
    """The files of the page: a browser caches them, and asks whether they have changed."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response


def create_app(
    settings: Settings, *, names: frozenset[str] = frozenset(), public: bool = False
) -> ASGIApp:
    """Return the application; it answers to `names`, and if `public` to any IP address."""
    for content_type, suffix in _TYPES.items():
        mimetypes.add_type(content_type, suffix)
    searches = WorkerPool(settings.running, settings.waiting, settings.memory)
    quick = WorkerPool(_QUICK_WORKERS, _QUICK_WAITING, settings.memory)
    streams: WeakValueDictionary[str, Ticket] = WeakValueDictionary()

    def pool_for(job: Job) -> WorkerPool:
        return quick if job.is_quick else searches

    def job_response(job: Job, headers: dict[str, str] | None = None) -> Response:
        return JobResponse(pool_for(job), job, headers)

    def job_stream(job: Job) -> Response:
        name = token_urlsafe(16)
        stream = JobResponse(pool_for(job), job, {STREAM_HEADER: name}, is_stream=True)
        streams[name] = stream.ticket
        return stream

    async def about(request: Request) -> Response:
        load = {"searches": searches.load, "quick": quick.load}
        return Json(endpoints.about(settings) | {"load": load})

    async def list_searches(request: Request) -> Response:
        return Json(await asyncio.to_thread(catalogue))

    def stop(stream: str) -> Response:
        ticket = streams.get(stream)
        return Json({"stopped": ticket is not None and ticket.stop()})

    def get(job: Callable[..., Job], headers: dict[str, str] | None = None) -> _Endpoint:
        """Return the endpoint for a job that takes the parameters of the address."""

        async def endpoint(request: Request) -> Response:
            return job_response(job(**request.path_params), headers)

        return endpoint

    def post(handle: _Handler, respond: Callable[[Any], Response]) -> _Endpoint:
        """Return the endpoint that responds with what `handle` makes of a body."""

        def handled(body: bytes) -> Any:
            fields = Fields(body)
            value = handle(fields, settings)
            fields.close()
            return value

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return respond(await asyncio.to_thread(handled, body))

        return endpoint

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await searches.warm_up()
        warming = asyncio.create_task(_warm_up(quick, settings))
        try:
            yield
        finally:
            warming.cancel()
            await asyncio.gather(searches.close(), quick.close())

    posts = {
        "read": post(endpoints.read, Json),
        "check": post(endpoints.check, Json),
        "scramble": post(endpoints.scramble, job_response),
        "left": post(endpoints.moves_left, job_response),
        "export": post(endpoints.export, job_response),
        "solve": post(endpoints.solve, job_stream),
        "trace": post(endpoints.trace, job_stream),
        "race": post(endpoints.race, job_stream),
        "stop": post(endpoints.stream_to_stop, stop),
    }

    async def unknown(request: Request) -> Response:
        raise HTTPException(405 if request.path_params["name"] in posts else 404)

    routes = [
        Route("/api/about", about),
        Route("/api/searches", list_searches),
        *(Route(f"/api/{name}", endpoint, methods=["POST"]) for name, endpoint in posts.items()),
        Route("/api/studies", get(StudyList)),
        Route("/api/studies/{name}", get(StudyProgress)),
        Route("/api/studies/{name}/report", get(StudyReport, _REPORT_HEADERS)),
        Route("/api/{name:path}", unknown),
        Mount("/", GZipMiddleware(_Static(directory=STATIC, html=True))),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers=dict.fromkeys((HTTPException, InputError, Exception), _error_response),
    )
    return Guard(app, LOOPBACK | names, public)


async def _warm_up(pool: WorkerPool, settings: Settings) -> None:
    """Get a worker ready before the first request."""
    await pool.warm_up()
    if settings.warm:
        async for _ in pool.frames(WarmUp(settings.memory)):
            pass


async def _error_response(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        sentence = _SENTENCES.get(error.status_code, error.detail)
        return refusal(error.status_code, sentence, dict(error.headers or {}))
    is_input = isinstance(error, InputError)
    return refusal(400, str(error)) if is_input else refusal(500, internal_error(error))

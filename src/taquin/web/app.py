"""The application: its addresses, and what answers each of them."""

from __future__ import annotations

import asyncio
import mimetypes
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
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
from starlette.types import ASGIApp, Scope

from taquin.errors import InputError
from taquin.web import instant, job_parsers
from taquin.web.boards import WarmUp
from taquin.web.bodies import Fields
from taquin.web.catalogue import catalogue
from taquin.web.guard import LOOPBACK, Guard
from taquin.web.job import Job
from taquin.web.pool import Ticket, WorkerError, WorkerPool
from taquin.web.replies import JobResponse, JobStream, Json, refusal
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
_Parser = Callable[[Fields, Settings], Any]


class _Static(StaticFiles):
    """The files of the page: a browser caches them, and asks whether they have changed."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
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
        stream = JobStream(pool_for(job), job, {STREAM_HEADER: name})
        streams[name] = stream.ticket
        return stream

    async def about(request: Request) -> Response:
        load = {"searches": searches.load, "quick": quick.load}
        return Json(instant.about(settings) | {"load": load})

    async def list_searches(request: Request) -> Response:
        return Json(await asyncio.to_thread(catalogue))

    async def stop(request: Request) -> Response:
        fields = Fields(await request.body())
        name = fields.text("turn")
        fields.close()
        ticket = streams.get(name or "")
        return Json({"stopped": ticket is not None and ticket.stop()})

    async def list_studies(request: Request) -> Response:
        return job_response(StudyList())

    async def study(request: Request) -> Response:
        return job_response(StudyProgress(request.path_params["name"]))

    async def report(request: Request) -> Response:
        return job_response(StudyReport(request.path_params["name"]), _REPORT_HEADERS)

    def instantly(answer: _Parser) -> _Endpoint:
        """Return the endpoint for a question that needs no worker."""

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return Json(await asyncio.to_thread(lambda: answer(Fields(body), settings)))

        return endpoint

    def by_worker(parse: _Parser, respond: Callable[[Job], Response] = job_response) -> _Endpoint:
        """Return the endpoint for a job."""

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return respond(await asyncio.to_thread(_job, parse, body, settings))

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
        "read": instantly(instant.read),
        "check": instantly(instant.check),
        "scramble": by_worker(job_parsers.scramble),
        "left": by_worker(job_parsers.moves_left),
        "export": by_worker(job_parsers.export),
        "solve": by_worker(job_parsers.solve, job_stream),
        "trace": by_worker(job_parsers.trace, job_stream),
        "race": by_worker(job_parsers.race, job_stream),
        "stop": stop,
    }

    async def unknown(request: Request) -> Response:
        raise HTTPException(405 if request.path_params["name"] in posts else 404)

    routes = [
        Route("/api/about", about),
        Route("/api/searches", list_searches),
        *(Route(f"/api/{name}", endpoint, methods=["POST"]) for name, endpoint in posts.items()),
        Route("/api/studies", list_studies),
        Route("/api/studies/{name}", study),
        Route("/api/studies/{name}/report", report),
        Route("/api/{name:path}", unknown),
        Mount("/", GZipMiddleware(_Static(directory=STATIC, html=True))),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _http_error,
            InputError: _bad_request,
            Exception: _server_error,
        },
    )
    return Guard(app, LOOPBACK | names, public)


async def _warm_up(pool: WorkerPool, settings: Settings) -> None:
    """Get a worker ready before the first request."""
    await pool.warm_up()
    if settings.warm:
        with suppress(WorkerError):
            async with aclosing(pool.frames(WarmUp(settings.memory))) as frames:
                async for _ in frames:
                    pass


def _job(parse: _Parser, body: bytes, settings: Settings) -> Job:
    """Return the job that a body asks for; raise InputError for a bad body."""
    fields = Fields(body)
    job: Job = parse(fields, settings)
    fields.close()
    return job


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = _SENTENCES.get(error.status_code, error.detail)
    return refusal(error.status_code, sentence, dict(error.headers or {}))


async def _bad_request(request: Request, error: Exception) -> Response:
    return refusal(400, str(error))


async def _server_error(request: Request, error: Exception) -> Response:
    return refusal(500, internal_error(error))

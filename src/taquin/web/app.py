"""The application: which address answers what."""

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
from taquin.web import asking, quick
from taquin.web.boards import WarmUp
from taquin.web.bodies import Fields
from taquin.web.catalogue import catalogue
from taquin.web.guard import LOOPBACK, Guard
from taquin.web.job import Job
from taquin.web.pool import Lane, Ticket, WorkerError
from taquin.web.replies import Json, answer, event_stream, refusal
from taquin.web.settings import Settings
from taquin.web.studies import OneStudy, Studies

STATIC = Path(__file__).parent / "static"
"""The files of the page."""
TURN = "taquin-turn"
"""The header of a stream that names it, for whoever wants it stopped."""
_QUICK = 2
"""Workers for what takes a second at most: long searches never keep it waiting."""
_QUICK_WAITING = 64
_TYPES = {
    "text/javascript": ".js",
    "text/css": ".css",
    "text/html": ".html",
    "image/svg+xml": ".svg",
    "application/manifest+json": ".webmanifest",
}
"""Not left to what a system thinks that the names of files mean."""
_REPORT = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""The policy for the report of a study, which has its style inside."""
_SENTENCES = {
    404: "there is nothing at this address; docs/api.md lists what there is",
    405: "this address takes another method; docs/api.md tells which",
}

_Endpoint = Callable[[Request], Awaitable[Response]]
_Read = Callable[[Fields, Settings], Any]


class Lanes:
    """Where workers are waited for: those of searches, and those of quick answers."""

    def __init__(self, settings: Settings) -> None:
        self.searches = Lane(settings.running, settings.waiting, settings.memory)
        self.quick = Lane(_QUICK, _QUICK_WAITING, settings.memory)

    def of(self, job: Job) -> Lane:
        """Return where a job waits for a worker."""
        return self.quick if job.is_quick else self.searches

    async def close(self) -> None:
        """Kill every worker."""
        await asyncio.gather(self.searches.close(), self.quick.close())


class _Static(StaticFiles):
    """The files of the page: a browser keeps them, and asks whether they have changed."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        reply = super().file_response(full_path, stat_result, scope, status_code)
        reply.headers["Cache-Control"] = "no-cache"
        return reply


def app_of(
    settings: Settings, *, names: frozenset[str] = frozenset(), public: bool = False
) -> ASGIApp:
    """Return the application; it is called by `names`, and if `public` by any address."""
    for kind, ending in _TYPES.items():
        mimetypes.add_type(kind, ending)
    lanes = Lanes(settings)

    async def about(request: Request) -> Response:
        load = {"searches": lanes.searches.load, "quick": lanes.quick.load}
        return Json(quick.about(settings) | {"load": load})

    async def searches(request: Request) -> Response:
        return Json(await asyncio.to_thread(catalogue))

    turns: WeakValueDictionary[str, Ticket] = WeakValueDictionary()

    def answering(job: Job, headers: dict[str, str] | None = None) -> Response:
        return answer(lanes.of(job), job, headers)

    def streaming(job: Job) -> Response:
        name = token_urlsafe(16)
        reply = event_stream(lanes.of(job), job, {TURN: name})
        turns[name] = reply.ticket
        return reply

    async def stop(request: Request) -> Response:
        fields = Fields(await request.body())
        name = fields.text("turn")
        fields.close()
        turn = turns.get(name or "")
        return Json({"stopped": turn is not None and turn.stop()})

    async def studies(request: Request) -> Response:
        return answering(Studies())

    async def one_study(request: Request) -> Response:
        return answering(OneStudy(request.path_params["name"]))

    async def report(request: Request) -> Response:
        # A page of its own, which may do nothing but be looked at.
        headers = {"Content-Security-Policy": _REPORT, "X-Frame-Options": "SAMEORIGIN"}
        return answering(OneStudy(request.path_params["name"], is_report=True), headers)

    def answered(read: _Read) -> _Endpoint:
        """Return the endpoint for what is answered without a worker."""

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return Json(await asyncio.to_thread(lambda: read(Fields(body), settings)))

        return endpoint

    def done(ask: _Read, reply: Callable[[Job], Response] = answering) -> _Endpoint:
        """Return the endpoint for what a worker does."""

        async def endpoint(request: Request) -> Response:
            body = await request.body()
            return reply(await asyncio.to_thread(_job, ask, body, settings))

        return endpoint

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await lanes.searches.warm_up()
        warming = asyncio.create_task(_warm(lanes.quick, settings))
        try:
            yield
        finally:
            warming.cancel()
            await lanes.close()

    posts = {
        "read": answered(quick.read),
        "check": answered(quick.check),
        "scramble": done(asking.scramble),
        "left": done(asking.left),
        "export": done(asking.export),
        "solve": done(asking.solve, streaming),
        "trace": done(asking.trace, streaming),
        "race": done(asking.race, streaming),
        "stop": stop,
    }

    async def elsewhere(request: Request) -> Response:
        raise HTTPException(405 if request.path_params["name"] in posts else 404)

    routes = [
        Route("/api/about", about),
        Route("/api/searches", searches),
        *(Route(f"/api/{name}", endpoint, methods=["POST"]) for name, endpoint in posts.items()),
        Route("/api/studies", studies),
        Route("/api/studies/{name}", one_study),
        Route("/api/studies/{name}/report", report),
        Route("/api/{name:path}", elsewhere),
        Mount("/", GZipMiddleware(_Static(directory=STATIC, html=True))),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _refused, InputError: _unfit, Exception: _failed},
    )
    return Guard(app, LOOPBACK | names, public)


async def _warm(lane: Lane, settings: Settings) -> None:
    """Get a worker ready, while the first reader of the page looks around."""
    await lane.warm_up()
    if settings.warm:
        with suppress(WorkerError):
            async with aclosing(lane.frames(WarmUp(settings.memory))) as frames:
                async for _ in frames:
                    pass


def _job(ask: _Read, body: bytes, settings: Settings) -> Job:
    """Return what a body asks for; raise InputError where that is nothing."""
    fields = Fields(body)
    job: Job = ask(fields, settings)
    fields.close()
    return job


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = _SENTENCES.get(error.status_code, error.detail)
    return refusal(error.status_code, sentence, dict(error.headers or {}))


async def _unfit(request: Request, error: Exception) -> Response:
    return refusal(400, str(error))


async def _failed(request: Request, error: Exception) -> Response:
    return refusal(500, f"a fault of taquin itself: {type(error).__name__}: {error}")

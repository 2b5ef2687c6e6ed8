"""What is sent back: JSON, files, and event streams that end with whoever reads them.

While a reply is made, whoever asked may go away. Then the job is ended at once: a search for nobody
would keep others waiting.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, NamedTuple, TypeAlias

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from taquin.web.job import Job
from taquin.web.pool import FullError, Lane, Ticket, WorkerError
from taquin.web.worker import END, frame

RETRY_SECONDS = 5
"""When to come again, if there is no place in the queue."""
_FULL = "as many searches as this server takes are running and waiting: try again in some seconds"
_ERROR, _RESULT = b"event: error\ndata: ", b"event: result\ndata: "


class Asked(NamedTuple):
    """A request, as ASGI has it."""

    scope: Scope
    receive: Receive
    send: Send


PassOn: TypeAlias = Callable[[bytes, AsyncIterator[bytes], dict[str, str], Asked], Awaitable[None]]
"""Sends what a worker tells: its first piece, the others, and more headers."""


class Json(Response):
    """A record of JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the text of the record."""
        return json.dumps(content, separators=(",", ":")).encode()


def refusal(status: int, sentence: str, headers: dict[str, str] | None = None) -> Json:
    """Return why a request is refused, in one sentence."""
    return Json({"error": sentence}, status, headers)


class Working(Response):
    """A reply that takes a worker."""

    def __init__(self, lane: Lane, job: Job, pass_on: PassOn, headers: dict[str, str]) -> None:
        """Wait in `lane` for a worker; `pass_on` sends what it tells, under these headers."""
        super().__init__()
        self.ticket = Ticket()
        """By which the job can be asked to stop."""
        self._frames = _told(lane, job, self.ticket)
        self._pass_on, self._more = pass_on, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply, unless the client goes away first."""
        asked = Asked(scope, receive, send)

        async def reply() -> None:
            async with aclosing(self._frames) as frames:
                try:
                    first = await anext(frames)
                except FullError:
                    await _full()(*asked)
                    return
                if first.startswith(_ERROR):
                    await _failed(first)(*asked)
                    return
                await self._pass_on(first, frames, self._more, asked)

        await _unless_gone(receive, reply())


def event_stream(lane: Lane, job: Job, headers: dict[str, str] | None = None) -> Working:
    """Reply with all that a job tells, as fast as the client reads it."""
    return Working(lane, job, _pass_all, headers or {})


def answer(lane: Lane, job: Job, headers: dict[str, str] | None = None) -> Working:
    """Reply with the result of a job, alone; a record of JSON, or a file."""
    return Working(lane, job, _pass_last, headers or {})


async def _pass_all(
    first: bytes, frames: AsyncIterator[bytes], more: dict[str, str], asked: Asked
) -> None:
    """Send each piece when the one before is on its way: nothing is kept here."""
    headers = {"content-type": "text/event-stream; charset=utf-8"} | more
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await asked.send({"type": "http.response.start", "status": 200, "headers": raw})
    await asked.send({"type": "http.response.body", "body": first, "more_body": True})
    async for piece in frames:
        await asked.send({"type": "http.response.body", "body": piece, "more_body": True})
    await asked.send({"type": "http.response.body", "body": b"", "more_body": False})


async def _pass_last(
    first: bytes, frames: AsyncIterator[bytes], more: dict[str, str], asked: Asked
) -> None:
    """Wait for the last frame, and send what is in it."""
    told = first
    async for piece in frames:
        told += piece
    last = told.removesuffix(END).rpartition(END)[2]
    if not last.startswith(_RESULT):
        await _failed(last)(*asked)
        return
    record: Any = json.loads(last.removeprefix(_RESULT))
    reply = _file(record["file"]) if "file" in record else Json(record)
    reply.headers.update(more)
    await reply(*asked)


def _full() -> Json:
    """Return the refusal of a request for which there is no place."""
    return refusal(503, _FULL, {"Retry-After": str(RETRY_SECONDS)})


async def _told(lane: Lane, job: Job, ticket: Ticket) -> AsyncGenerator[bytes, None]:
    """Yield what a job tells; the death of its worker is told too."""
    try:
        async with aclosing(lane.frames(job, ticket)) as frames:
            async for piece in frames:
                yield piece
    except WorkerError as error:
        yield frame("error", {"error": f"the search was ended: {error}", "status": 422})


async def _unless_gone(receive: Receive, reply: Awaitable[None]) -> None:
    """Do what is to be done until it is done or the client is gone."""

    async def gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    tasks = [asyncio.ensure_future(reply), asyncio.ensure_future(gone())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if not tasks[0].cancelled():
        tasks[0].result()


def _failed(last: bytes) -> Json:
    """Return the refusal that a worker told in a frame."""
    record: Any = json.loads(last.removeprefix(_ERROR))
    return refusal(record["status"], record["error"])


def _file(file: dict[str, str]) -> Response:
    headers = {}
    if file["name"]:
        headers["Content-Disposition"] = f'attachment; filename="{file["name"]}"'
    return Response(base64.b64decode(file["base64"]), 200, headers, file["type"])

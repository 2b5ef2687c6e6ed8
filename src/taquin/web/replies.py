"""What is sent back: JSON, files, and event streams that end with whoever reads them.

While a reply is made, whoever asked may go away. Then the job is ended at once: a search for nobody
would keep others waiting.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from taquin.web.job import Job
from taquin.web.pool import FullError, Lane, WorkerError
from taquin.web.worker import END, frame

RETRY_SECONDS = 5
"""When to come again, if there is no place in the queue."""
_FULL = "as many searches as this server takes are running and waiting: try again in some seconds"
_ERROR, _RESULT = b"event: error\ndata: ", b"event: result\ndata: "


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
    """A reply that takes a worker; `lane` is where it waits for one."""

    def __init__(self, lane: Lane, job: Job, headers: dict[str, str] | None = None) -> None:
        super().__init__()
        self._frames = _told(lane, job)
        self._more = headers or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reply, unless the client goes away first."""

        async def reply() -> None:
            async with aclosing(self._frames) as frames:
                try:
                    first = await anext(frames)
                except FullError:
                    await _full()(scope, receive, send)
                    return
                if first.startswith(_ERROR):
                    await _failed(first)(scope, receive, send)
                    return
                await self.pass_on(first, frames, scope, receive, send)

        await _unless_gone(receive, reply())

    async def pass_on(
        self, first: bytes, frames: AsyncIterator[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Send what the worker tells."""
        raise NotImplementedError


class EventStream(Working):
    """All that a job tells, as fast as the client reads it."""

    async def pass_on(
        self, first: bytes, frames: AsyncIterator[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Send each piece when the one before is on its way: nothing is kept here."""
        headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        async for piece in frames:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Answer(Working):
    """The result of a job, alone; a record of JSON, or a file."""

    async def pass_on(
        self, first: bytes, frames: AsyncIterator[bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Wait for the last frame, and send what is in it."""
        told = first
        async for piece in frames:
            told += piece
        last = told.removesuffix(END).rpartition(END)[2]
        if not last.startswith(_RESULT):
            await _failed(last)(scope, receive, send)
            return
        record: Any = json.loads(last.removeprefix(_RESULT))
        reply = _file(record["file"]) if "file" in record else Json(record)
        reply.headers.update(self._more)
        await reply(scope, receive, send)


def _full() -> Json:
    """Return the refusal of a request for which there is no place."""
    return refusal(503, _FULL, {"Retry-After": str(RETRY_SECONDS)})


async def _told(lane: Lane, job: Job) -> AsyncGenerator[bytes, None]:
    """Yield what a job tells; the death of its worker is told too."""
    try:
        async with aclosing(lane.frames(job)) as frames:
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

"""Responses: JSON, files, and event streams. A disconnect cancels the job of a response."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Awaitable
from contextlib import aclosing
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from taquin.web.frames import FRAME_END, json_text
from taquin.web.job import Job
from taquin.web.pool import Ticket, WorkerPool

RETRY_SECONDS = 5
"""The Retry-After of a response to a full queue."""
_ERROR, _RESULT = b"event: error\ndata: ", b"event: result\ndata: "


class Json(Response):
    """A JSON record."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Return the text of the record."""
        return json_text(content).encode()


def refusal(status: int, sentence: str, headers: dict[str, str] | None = None) -> Json:
    """Return the response to a rejected request, with the reason in one sentence."""
    return Json({"error": sentence}, status, headers)


class JobResponse(Response):
    """The result of a job, a JSON record or a file, or the stream of its frames.

    Sending the response queues the job.
    """

    def __init__(
        self, pool: WorkerPool, job: Job, headers: dict[str, str] | None, *, is_stream: bool = False
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
        response = _file(record["file"]) if "file" in record else Json(record)
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
    retry = {"Retry-After": str(RETRY_SECONDS)} if record["status"] == 503 else None
    return refusal(record["status"], record["error"], retry)


def _file(file: dict[str, str]) -> Response:
    headers = {}
    if file["name"]:
        headers["Content-Disposition"] = f'attachment; filename="{file["name"]}"'
    return Response(base64.b64decode(file["base64"]), 200, headers, file["type"])

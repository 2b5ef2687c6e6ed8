"""Requests of the page answered in the browser: `static/python/worker.js` calls this in Pyodide.

    page ── path, body ──► worker.js ──► respond ──► a Reply, or a Stream that is advanced

The handlers and jobs are those of the server. A search that can be suspended runs only while the
page asks for more. Any other blocks the worker until it ends; if the browser can suspend
WebAssembly, it polls for messages, otherwise the page stops it by terminating the worker. A request
may contain user code, to which its searches refer.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from taquin.notation.fields import Fields
from taquin.reasons import reason
from taquin.web import endpoints
from taquin.web.code_tab import own_audit, own_report, own_score
from taquin.web.endpoints import POSTS, ResponseKind, catalogue, fields_of
from taquin.web.messages import FrameWriter, error_record, json_text, refusal_record
from taquin.web.page_jobs import PageJob, Settings, ShouldStop

SETTINGS = Settings(seconds=600.0, memory=1 << 30, running=1, waiting=0)
"""The limits of a search in a browser; WebAssembly can address 4 GiB."""
_POLL_SECONDS = 0.05
"""The time between two polls for messages."""
_JSON = "application/json"
_PREFIX = "/api/"
_OWN: dict[str, tuple[ResponseKind, Callable[[Fields, Settings], PageJob]]] = {
    "own": (ResponseKind.STREAM, own_report),
    "audit": (ResponseKind.STREAM, own_audit),
    "score": (ResponseKind.STREAM, own_score),
}
"""The requests about user code, which a server never runs."""


class Reply(NamedTuple):
    """A complete response."""

    status: int
    content_type: str
    body: bytes


class Stream:
    """The events of a job, piece by piece."""

    def __init__(self, job: PageJob, send: Callable[[str], object], poll: ShouldStop) -> None:
        self._writer = FrameWriter(lambda piece: send(piece.decode()))
        self._poll, self._polled_at = poll, monotonic()
        self._steps = job.steps(self._writer.emit, self._should_stop)

    def advance(self) -> bool:
        """Send at least one piece, unless the job is over; return whether there is more."""
        pieces = self._writer.pieces
        try:
            while self._writer.pieces == pieces:
                next(self._steps)
        except StopIteration:
            self._writer.flush()
            return False
        except Exception as error:
            self._writer.emit("error", error_record(error))
            self._writer.flush()
            return False
        return True

    def close(self) -> None:
        """End the job."""
        self._steps.close()

    def _should_stop(self) -> bool:
        if monotonic() - self._polled_at < _POLL_SECONDS:
            return False
        is_stopped = self._poll()
        self._polled_at = monotonic()
        return is_stopped


def suspending(poll: Callable[[], Any]) -> ShouldStop:
    """Return a function that awaits the promise of JavaScript's `poll`, if the browser can."""
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

    return lambda: can_run_sync() and run_sync(poll())


def respond(
    path: str, body: str, send: Callable[[str], object], poll: ShouldStop = lambda: False
) -> Reply | Stream:
    """Return the Reply to a request, or a Stream, which calls `send` with pieces of text.

    A search calls `poll` now and then; if it returns true, the search ends with its best so far.
    """
    settings, name = SETTINGS, path.removeprefix(_PREFIX)
    try:
        if name == "about":
            return _record(endpoints.about(settings))
        if name == "searches":
            return _record(catalogue())
        if name not in POSTS | _OWN:
            return _record(refusal_record(reason("server-only")), 404)
        kind, handler = (POSTS | _OWN)[name]
        fields = fields_of(body.encode())
        if (code := fields.text("code", None)) is not None:
            settings = replace(settings, user_code=code)
        value = handler(fields, settings)
        fields.finish()
        if kind is ResponseKind.STREAM:
            return Stream(value, send, poll)
        return _result(value) if kind is ResponseKind.RESULT else _record(value)
    except Exception as error:
        return _failure(error_record(error))


def _result(job: PageJob) -> Reply:
    """Return the last record of a job, or its file."""
    events: list[tuple[str, Any]] = []
    job.run(lambda event, data: events.append((event, data)), lambda: False)
    event, record = events[-1]
    if event == "error":
        return _failure(record)
    if file := record.get("file"):
        return Reply(200, file["type"], base64.b64decode(file["base64"]))
    return _record(record)


def _failure(record: dict[str, Any]) -> Reply:
    return _record({key: record[key] for key in record if key != "status"}, record["status"])


def _record(record: object, status: int = 200) -> Reply:
    return Reply(status, _JSON, json_text(record).encode())

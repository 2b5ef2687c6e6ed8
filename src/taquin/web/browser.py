"""Requests of the page answered in the browser: `static/python/worker.js` calls this in Pyodide.

    page ── path, body ──► worker.js ──► respond ──► an answer, or a Stream that is advanced

The handlers and jobs are those of the server. A search that can be suspended goes on only when the
page asks for more, and waits in between. Any other holds the worker until it ends; it looks for
messages now and then where the browser can suspend WebAssembly, and elsewhere is stopped by ending
the worker. A request may hold the user's own code, and its searches name what is in it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from taquin.notation.fields import Fields
from taquin.web import endpoints
from taquin.web.bodies import fields_of
from taquin.web.catalogue import catalogue
from taquin.web.endpoints import POSTS, Answer
from taquin.web.frames import FrameWriter, error_record, json_text
from taquin.web.job import Job, ShouldStop
from taquin.web.own import own_audit, own_report
from taquin.web.settings import Settings

SETTINGS = Settings(seconds=600.0, memory=1 << 30, running=1, waiting=0)
"""The limits of a search in a browser; WebAssembly has addresses for 4 GiB."""
_LOOK_SECONDS = 0.05
"""The time between two looks for messages."""
_JSON = "application/json"
_PREFIX = "/api/"
_OWN: dict[str, tuple[Answer, Callable[[Fields, Settings], Job]]] = {
    "own": (Answer.STREAM, own_report),
    "audit": (Answer.STREAM, own_audit),
}
"""What can be asked about the code of a user, which a server never runs."""
_SERVER_ONLY = "this needs a server: install taquin and run “taquin serve”"


class Reply(NamedTuple):
    """A complete answer."""

    status: int
    content_type: str
    body: bytes


class Stream:
    """The events of a job, a piece at a time."""

    def __init__(self, job: Job, send: Callable[[str], object], look: ShouldStop) -> None:
        self._writer = FrameWriter(lambda piece: send(piece.decode()))
        self._look, self._looked_at = look, monotonic()
        self._steps = job.steps(self._writer.emit, self._should_stop)

    def advance(self) -> bool:
        """Send at least one piece, unless the job is over; return whether there is more to come."""
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
        if monotonic() - self._looked_at < _LOOK_SECONDS:
            return False
        is_stopped = self._look()
        self._looked_at = monotonic()
        return is_stopped


def suspending(look: Callable[[], Any]) -> ShouldStop:
    """Return a function that waits for JavaScript's `look`, which returns a promise, if it can."""
    from pyodide.ffi import can_run_sync, run_sync  # type: ignore[import-not-found]

    return lambda: can_run_sync() and run_sync(look())


def respond(
    path: str, body: str, send: Callable[[str], object], look: ShouldStop = lambda: False
) -> Reply | Stream:
    """Return the Reply to a request; or a Stream, which will call `send` with pieces of text.

    A search calls `look` now and then, which returns whether it is to end with its best so far.
    """
    settings, name = SETTINGS, path.removeprefix(_PREFIX)
    try:
        if name == "about":
            return _record(endpoints.about(settings))
        if name == "searches":
            return _record(catalogue())
        if name not in POSTS | _OWN:
            return _record({"error": _SERVER_ONLY}, 404)
        kind, handler = (POSTS | _OWN)[name]
        fields = fields_of(body.encode())
        if (code := fields.text("code", None)) is not None:
            settings = replace(settings, user_code=code)
        value = handler(fields, settings)
        fields.finish()
        if kind is Answer.STREAM:
            return Stream(value, send, look)
        return _result(value) if kind is Answer.RESULT else _record(value)
    except Exception as error:
        return _failure(error_record(error))


def _result(job: Job) -> Reply:
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
    return _record({"error": record["error"]}, record["status"])


def _record(record: object, status: int = 200) -> Reply:
    return Reply(status, _JSON, json_text(record).encode())

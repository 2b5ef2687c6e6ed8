"""Frames of an event stream: how the records of a job are written, on a server and in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any

from taquin.errors import InputError, TaquinError
from taquin.web.messages import coded, error_message, refusal_record

FRAME_END = b"\n\n"
"""The end of a frame; JSON on one line does not contain it."""
_BUFFER = 1 << 14
_FLUSH_SECONDS = 0.02
"""Frames are sent together, but none is held back for longer."""


def frame(event: str, data: object) -> bytes:
    r"""Return one event of a stream; `data` is a record, or its JSON text.

    >>> frame("queued", {"place": 1})
    b'event: queued\ndata: {"place":1}\n\n'
    """
    text = data if isinstance(data, str) else json_text(data)
    return f"event: {event}\ndata: {text}\n\n".encode()


def json_text(record: object) -> str:
    """Return the JSON text of a record, without spaces."""
    return json.dumps(record, separators=(",", ":"))


def error_record(error: Exception) -> dict[str, Any]:
    """Return the record of a failure: one sentence, its code, and the HTTP status for it."""
    match error:
        case TaquinError():
            told, status = error_message(error), 400 if isinstance(error, InputError) else 422
        case MemoryError():
            told, status = coded("out of memory"), 422
        case _:
            told, status = coded(f"internal error: {type(error).__name__}: {error}"), 500
    return refusal_record(told) | {"status": status}


class FrameWriter:
    """Collects frames and writes several in one piece."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._frames: list[bytes] = []
        self._size = 0
        self._flushed_at = 0.0
        self.pieces = 0
        """The number of pieces written so far."""

    def emit(self, event: str, data: object) -> None:
        """Send a frame, now or very soon."""
        encoded = frame(event, data)
        self._frames.append(encoded)
        self._size += len(encoded)
        if self._size >= _BUFFER or monotonic() - self._flushed_at >= _FLUSH_SECONDS:
            self.flush()

    def flush(self, last: bytes = b"") -> None:
        """Write every frame and `last`."""
        self._write(b"".join(self._frames) + last)
        self._frames.clear()
        self._size, self._flushed_at = 0, monotonic()
        self.pieces += 1

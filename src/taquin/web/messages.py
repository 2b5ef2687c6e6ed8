"""What Python sends to the page: messages with codes, in frames of an event stream.

    {"sentence": "limit of 60 seconds", "code": "limit-seconds", "parameters": {"count": 60}}

The page writes messages in its reader's language. A code is the name of a message in the section
`python` of the page's tables, with these parameters: numbers, names, and further messages. It comes
with a `Reason` of the library (`taquin/reasons.py`). In English the page shows the sentence itself,
unless its table words it otherwise. A sentence without a code stays English, and the page marks it
so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeAlias

from taquin.errors import (
    BoardError,
    IllegalMoveError,
    InputError,
    MismatchError,
    NotationError,
    StorageError,
    TaquinError,
    UserCodeError,
    with_notes,
)
from taquin.reasons import Reason, reason

Message: TypeAlias = dict[str, Any]
"""A sentence, and for one with a code its parameters."""

_ERRORS: dict[type[TaquinError], str] = {
    NotationError: "unreadable",
    BoardError: "bad-board",
    MismatchError: "mismatch",
    IllegalMoveError: "illegal-move",
    UserCodeError: "own-code",
    StorageError: "storage",
}
"""The codes of kinds of errors, with which the page introduces their sentences."""


def message(sentence: str) -> Message:
    """Return the message of a sentence, with a code if it is a reason.

    >>> message(reason("limit-seconds", count=60))["parameters"]
    {'count': 60}
    """
    told = Reason(sentence)
    if not told.code:
        return {"sentence": sentence}
    parameters = {
        name: message(value) if isinstance(value, Reason) else value
        for name, value in told.parameters.items()
    }
    return {"sentence": sentence, "code": told.code, "parameters": parameters}


def error_reason(error: TaquinError) -> Reason:
    """Return the sentence of an error, with its kind."""
    detail = Reason(with_notes(error)) if hasattr(error, "__notes__") else error.reason
    code = next((code for kind, code in _ERRORS.items() if isinstance(error, kind)), None)
    return detail if code is None else reason(code, detail=detail)


def refusal_record(sentence: str) -> dict[str, Any]:
    """Return the record of a failed request: its sentence is named `error`."""
    told = message(sentence)
    return {"error": told.pop("sentence")} | told


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
            told, status = error_reason(error), 400 if isinstance(error, InputError) else 422
        case MemoryError():
            told, status = reason("memory"), 422
        case _:
            told, status = reason("internal", detail=f"{type(error).__name__}: {error}"), 500
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

    def flush(self) -> None:
        """Write every frame."""
        self._write(b"".join(self._frames))
        self._frames.clear()
        self._size, self._flushed_at = 0, monotonic()
        self.pieces += 1

"""The worker process: it does one job after another and writes frames of an event stream.

    standard input    pickled orders: a job to do, or the number of a job to stop
    standard output   frames, "event: …" and "data: …"; then READY, or EXITING if the process ends

No byte of JSON is READY or EXITING, so the server can pass frames on without parsing them. A write
blocks while nobody reads: the search then waits, and its clock stands still. The worker exits when
its input closes (`taquin.system.workers`), and after a job that left it large, so that memory stays
flat.
"""

from __future__ import annotations

import gc
import json
import os
from dataclasses import dataclass
from queue import SimpleQueue
from time import monotonic
from typing import Any, BinaryIO

from taquin.errors import InputError, TaquinError
from taquin.system.machine import memory_ceiling, process_memory, release_memory
from taquin.system.workers import receive_requests
from taquin.web.job import Job

FRAME_END = b"\n\n"
"""The end of a frame; JSON on one line does not contain it."""
READY, EXITING = b"\x00", b"\x01"
"""The last byte of a job: the worker waits for the next one, or exits."""
_LARGE = 300 << 20
"""Private bytes that a worker may keep between jobs: libraries and compiled code."""
_GROWTH = 16 << 20
"""Bytes that a job may leave behind before memory is collected."""
_BUFFER = 1 << 14
_FLUSH_SECONDS = 0.02
"""Frames are sent together, but none is held back for longer."""


@dataclass(frozen=True, slots=True)
class Order:
    """A job to do."""

    number: int
    """Counts the jobs of this worker."""
    job: Job
    memory: int
    """Bytes that the process may add for it."""


def frame(event: str, data: object) -> bytes:
    r"""Return one event of a stream; `data` is a record, or its JSON text.

    >>> frame("queued", {"place": 1})
    b'event: queued\ndata: {"place":1}\n\n'
    """
    text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
    return f"event: {event}\ndata: {text}\n\n".encode()


def internal_error(error: Exception) -> str:
    """Return the sentence for an exception that only a bug in taquin can raise."""
    return f"internal error: {type(error).__name__}: {error}"


class _FrameWriter:
    """Collects frames and writes several in one piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._frames: list[bytes] = []
        self._size = 0
        self._flushed_at = 0.0

    def emit(self, event: str, data: object) -> None:
        """Send a frame, now or very soon."""
        encoded = frame(event, data)
        self._frames.append(encoded)
        self._size += len(encoded)
        if self._size >= _BUFFER or monotonic() - self._flushed_at >= _FLUSH_SECONDS:
            self.flush()

    def flush(self, last: bytes = b"") -> None:
        """Write every frame and `last`; block until the server reads them."""
        self._stream.write(b"".join(self._frames) + last)
        self._stream.flush()
        self._frames.clear()
        self._size, self._flushed_at = 0, monotonic()


class _Inbox:
    """The orders of the server."""

    def __init__(self) -> None:
        self.orders: SimpleQueue[Order] = SimpleQueue()
        self.stopped = -1
        """The number of the last job to stop. A number, because that job may have ended already."""

    def receive(self, order: Any) -> None:
        """Take a job to do, or the number of a job to stop."""
        if isinstance(order, Order):
            self.orders.put(order)
        else:
            self.stopped = int(order)


def main() -> None:
    """Do jobs until the input closes."""
    inbox = _Inbox()
    writer = _FrameWriter(receive_requests(inbox.receive))
    # Objects that exist now live for ever; collections need not look at them.
    gc.freeze()
    kept = 0
    while True:
        _do(inbox.orders.get(), writer, inbox)
        # A collection takes longer than many jobs, whose clients wait for the last byte.
        if process_memory(private=True) > kept + _GROWTH:
            writer.flush()
            gc.collect()
            release_memory()
            kept = process_memory(private=True)
        is_large = kept > _LARGE
        writer.flush(EXITING if is_large else READY)
        if is_large:
            os._exit(0)


def _do(order: Order, writer: _FrameWriter, inbox: _Inbox) -> None:
    try:
        with memory_ceiling(order.memory):
            order.job.run(writer.emit, lambda: inbox.stopped >= order.number)
    except InputError as error:
        writer.emit("error", {"error": str(error), "status": 400})
    except TaquinError as error:
        writer.emit("error", {"error": str(error), "status": 422})
    except MemoryError:
        writer.emit("error", {"error": "out of memory", "status": 422})
    except Exception as error:
        writer.emit("error", {"error": internal_error(error), "status": 500})

"""A worker: a process that does one job after another, and tells frames of an event stream.

    standard input    pickled orders: a job to do, or the number of one that is to stop
    standard output   frames, "event: …" and "data: …"; READY ends a job, LEAVING the worker too

No byte of JSON is READY or LEAVING, so whoever passes the frames on need not read them. A write
blocks while nobody reads: then the search waits, and its clock stands still. A worker ends when its
input does, even in the middle of a job, so that none outlives its server; and after a job that left
it large, so that memory stays flat.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, BinaryIO

from taquin.errors import InputError, TaquinError
from taquin.system.machine import give_back_memory, memory_ceiling, private_memory
from taquin.web.job import Job

END = b"\n\n"
"""The end of a frame; JSON on one line has none."""
READY, LEAVING = b"\x00", b"\x01"
"""The last byte of a job, before the next one or before the end of the process."""
_LARGE = 300 << 20
"""Bytes of its own that a worker may keep between jobs: libraries and what they compiled."""
_GROWTH = 16 << 20
"""Bytes that a job may leave behind before it is tidied up."""
_BUFFER = 1 << 14
_FLUSH_SECONDS = 0.02
"""Frames are sent together, but none is kept back for longer."""


@dataclass(frozen=True, slots=True)
class Order:
    """A job to do."""

    number: int
    """Which one, of this worker's."""
    job: Job
    memory: int
    """Bytes that the process may add for it."""


def frame(event: str, data: object) -> bytes:
    r"""Return one event of a stream; `data` is a record, or its text.

    >>> frame("queued", {"place": 1})
    b'event: queued\ndata: {"place":1}\n\n'
    """
    text = data if isinstance(data, str) else json.dumps(data, separators=(",", ":"))
    return f"event: {event}\ndata: {text}\n\n".encode()


class _Out:
    """Where frames go: gathered, and written in one piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._parts: list[bytes] = []
        self._size = 0
        self._sent = 0.0

    def tell(self, event: str, data: object) -> None:
        """Send a frame, now or very soon."""
        part = frame(event, data)
        self._parts.append(part)
        self._size += len(part)
        if self._size >= _BUFFER or monotonic() - self._sent >= _FLUSH_SECONDS:
            self.flush()

    def flush(self, last: bytes = b"") -> None:
        """Send all there is; wait until somebody takes it."""
        self._stream.write(b"".join(self._parts) + last)
        self._stream.flush()
        self._parts.clear()
        self._size, self._sent = 0, monotonic()


class _Inbox:
    """What the server asks for."""

    def __init__(self) -> None:
        self.waiting: SimpleQueue[Order] = SimpleQueue()
        self.stopped = -1
        """The last job that is to stop. By its number, as it may have come to its end already."""

    def read(self, orders: BinaryIO) -> None:
        """Take orders until there are no more; then this process has no reason to be."""
        with suppress(Exception):
            while True:
                order: Any = pickle.load(orders)
                if isinstance(order, Order):
                    self.waiting.put(order)
                else:
                    self.stopped = int(order)
        os._exit(0)


def main() -> None:
    """Do jobs until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    frames = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    # What a library prints must not get in between the frames.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    inbox = _Inbox()
    Thread(target=inbox.read, args=(orders,), daemon=True).start()
    out = _Out(frames)
    # Whatever exists now is never garbage; collections need not look at it.
    gc.freeze()
    kept = 0
    while True:
        _do(inbox.waiting.get(), out, inbox)
        # Tidying up takes longer than many a job, whose client waits for its last byte.
        if private_memory() > kept + _GROWTH:
            out.flush()
            gc.collect()
            give_back_memory()
            kept = private_memory()
        is_large = kept > _LARGE
        out.flush(LEAVING if is_large else READY)
        if is_large:
            os._exit(0)


def _do(order: Order, out: _Out, inbox: _Inbox) -> None:
    try:
        with memory_ceiling(order.memory):
            order.job.run(out.tell, lambda: inbox.stopped >= order.number)
    except InputError as error:
        out.tell("error", {"error": str(error), "status": 400})
    except TaquinError as error:
        out.tell("error", {"error": str(error), "status": 422})
    except MemoryError:
        out.tell("error", {"error": "out of memory", "status": 422})
    except Exception as error:
        sentence = f"a fault of taquin itself: {type(error).__name__}: {error}"
        out.tell("error", {"error": sentence, "status": 500})

"""The worker process: it does one job after another and writes frames of an event stream.

    standard input    pickled orders: a job to do, or the number of a job to stop
    standard output   frames, "event: …" and "data: …"; then READY, or EXITING if the process ends

No byte of JSON is READY or EXITING, so the server can pass frames on without parsing them. A write
blocks while nobody reads: the search then waits, and its clock stands still. The worker exits when
its input closes (`taquin.system.jobs`), and after a job that left it large, so that memory stays
flat.
"""

from __future__ import annotations

import gc
import os
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from typing import Any

from taquin.system.jobs import receive_requests
from taquin.system.machine import memory_ceiling, process_memory, release_memory
from taquin.web.messages import FrameWriter, error_record
from taquin.web.page_jobs import PageJob

READY, EXITING = b"\x00", b"\x01"
"""The last byte of a job: the worker waits for the next one, or exits."""
_LARGE = 300 << 20
"""Private bytes that a worker may keep between jobs in any case: libraries and compiled code."""
_GROWTH = 16 << 20
"""Bytes that a job may leave behind before memory is collected."""


@dataclass(frozen=True, slots=True)
class WorkerCommand:
    """A job to do."""

    number: int
    """Counts the jobs of this worker."""
    job: PageJob
    memory: int
    """Bytes that the process may add for it."""


def main() -> None:
    """Do jobs until the input closes."""
    orders: SimpleQueue[WorkerCommand] = SimpleQueue()
    # The last job to stop, by its number, because that job may have ended already.
    last_stopped = -1

    def receive(order: Any) -> None:
        """Take a job to do, or the number of a job to stop."""
        nonlocal last_stopped
        if isinstance(order, WorkerCommand):
            orders.put(order)
        else:
            last_stopped = int(order)

    def should_stop(number: int) -> bool:
        return last_stopped >= number

    stream = receive_requests(receive)

    def write(piece: bytes) -> None:
        """Block until the server reads the piece."""
        stream.write(piece)
        stream.flush()

    writer = FrameWriter(write)
    # Objects that exist now live for ever; collections need not look at them.
    gc.freeze()
    kept = 0
    while True:
        order = orders.get()
        try:
            with memory_ceiling(order.memory):
                order.job.run(writer.emit, partial(should_stop, order.number))
        except Exception as error:
            writer.emit("error", error_record(error))
        # A collection takes longer than many jobs, whose clients wait for the last byte.
        if process_memory(private=True) > kept + _GROWTH:
            writer.flush()
            gc.collect()
            release_memory()
            kept = process_memory(private=True)
        is_large = kept > may_keep(order.memory)
        writer.flush(EXITING if is_large else READY)
        if is_large:
            os._exit(0)


def may_keep(memory: int) -> int:
    """Return the private bytes that a worker may keep whose jobs may use `memory` bytes.

    The tables of 5×5 take 400 MB and seconds to load: a worker that exits loads them for each hint.
    """
    return max(_LARGE, memory // 2)

"""A pool of worker processes and the queue for them, all in the server's event loop.

A worker is kept for the next job, with its libraries loaded. A worker that does not stop when asked
is killed and replaced. A job whose client does not read, such as a search that is watched step by
step, needs no processor: further jobs start beside it. Where many pause, a client that has not read
for a minute loses its worker if others wait.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from taquin.reasons import Reason, reason
from taquin.system.jobs import GRACE, exit_in_words, worker_command
from taquin.web.messages import FRAME_END, frame, refusal_record
from taquin.web.page_jobs import PageJob
from taquin.web.worker import EXITING, READY, WorkerCommand

STALLED_SECONDS = 60.0
"""Seconds without a read after which a client loses its worker, if others wait."""
PAUSED_SECONDS = 0.5
"""Seconds without a read after which a job counts as paused."""
_MOST_PAUSED = 64
"""Paused jobs beside those that run."""
_CHUNK = 1 << 16


class WorkerError(Exception):
    """The worker died, or was killed because it did not come to an end."""


class WorkerProcess:
    """One worker process and its pipes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._number = 0
        self._stop_seconds = 0.0
        self.is_idle = True
        """Whether it waits for a job."""

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended, as far as is known."""
        return self._process.returncode is None

    async def frames(self, job: PageJob, memory: int) -> AsyncGenerator[bytes, None]:
        """Yield the frames of a job, some whole frames at a time; raise WorkerError if it dies.

        The pipe is read again only when the caller has dealt with the last piece.
        """
        self._number += 1
        self.is_idle, self._stop_seconds = False, job.stop_seconds
        self._send(WorkerCommand(self._number, job, memory))
        seconds_left, rest = job.seconds, b""
        while not self.is_idle:
            began = monotonic()
            piece = rest + await self._read(seconds_left)
            seconds_left -= monotonic() - began
            self.is_idle = piece[-1:] in (READY, EXITING)
            if piece[-1:] == EXITING:
                await self._process.wait()
            cut = piece.rfind(FRAME_END) + len(FRAME_END)
            if cut >= len(FRAME_END):
                yield piece[:cut]
                piece = piece[cut:]
            rest = piece

    def ask_to_stop(self) -> None:
        """Ask the current job to end; it then sends its result."""
        self._send(self._number)

    async def stop(self) -> None:
        """End the current job, if there is one: ask first, then kill the process."""
        if self.is_idle or not self.is_alive:
            return
        self.ask_to_stop()
        until = monotonic() + self._stop_seconds
        with suppress(WorkerError):
            while not self.is_idle:
                self.is_idle = (await self._read(until - monotonic()))[-1:] == READY
        if not self.is_idle:
            await self.kill()

    async def kill(self) -> None:
        """Kill the process, and wait until it is gone."""
        with suppress(ProcessLookupError):
            # `Process.kill` would also collect the status of a process that has ended, and asyncio
            # then writes to the terminal that it misses a child.
            if sys.platform == "win32" or not self.is_alive:
                self._process.kill()
            else:
                os.kill(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    def _send(self, order: object) -> None:
        assert self._process.stdin is not None
        # A broken pipe is noticed by the next read.
        with suppress(OSError, RuntimeError):
            self._process.stdin.write(pickle.dumps(order, pickle.HIGHEST_PROTOCOL))

    async def _read(self, seconds: float) -> bytes:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                piece = await self._process.stdout.read(_CHUNK)
        except TimeoutError:
            raise WorkerError(reason("too-slow")) from None
        if not piece:
            raise WorkerError(await self._death())
        return piece

    async def _death(self) -> Reason:
        """Return how the process ended; kill one that only closed its output."""
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._process.wait()
        status = self._process.returncode
        await self.kill()
        return reason("closed") if status is None else exit_in_words(status)


@dataclass(eq=False, slots=True, weakref_slot=True)
class Ticket:
    """A client's place in the queue, and then its hold on a worker."""

    moved: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever the place in the queue changes."""
    worker: WorkerProcess | None = None
    """None while the client waits."""
    reader: asyncio.Task[object] | None = None
    """The task that reads the frames."""
    unread_since: float = inf
    """When the reader got a piece that it has not dealt with yet."""

    def stop(self) -> bool:
        """Ask the worker to stop and send its result; return whether there is a worker."""
        if self.worker is None:
            return False
        self.worker.ask_to_stop()
        return True


class WorkerPool:
    """Up to `workers` processes, and a queue of up to `waiting` clients."""

    def __init__(
        self, workers: int, waiting: int, memory: int, stalled: float = STALLED_SECONDS
    ) -> None:
        self._max_busy, self._max_waiting, self._memory = workers, waiting, memory
        self._stalled = stalled
        self._idle: list[WorkerProcess] = []
        self._busy = 0
        self._reading: set[Ticket] = set()
        self._waiting: deque[Ticket] = deque()
        self._all: set[WorkerProcess] = set()
        self._is_closed = False

    @property
    def load(self) -> dict[str, int]:
        """The numbers of jobs that run and that wait."""
        return {"running": self._busy, "waiting": len(self._waiting)}

    @property
    def _is_busy(self) -> bool:
        """Whether a further job has to wait."""
        now = monotonic()
        paused = sum(now - ticket.unread_since > PAUSED_SECONDS for ticket in self._reading)
        return self._busy - paused >= self._max_busy or paused >= _MOST_PAUSED

    async def frames(
        self, job: PageJob, ticket: Ticket | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield `queued` frames with the place in the queue, then the frames of the job.

        A full queue and the death of the worker are error frames. Closing the generator cancels
        the job.
        """
        if self._is_closed or (self._is_busy and len(self._waiting) >= self._max_waiting):
            yield frame("error", refusal_record(reason("busy")) | {"status": 503})
            return
        try:
            async with self._queued(ticket or Ticket()) as ticket:
                async for place in self._places(ticket):
                    yield frame("queued", {"place": place})
                assert ticket.worker is not None
                ticket.reader = asyncio.current_task()
                self._reading.add(ticket)
                async for piece in ticket.worker.frames(job, self._memory):
                    ticket.unread_since = monotonic()
                    yield piece
                    ticket.unread_since = inf
        except WorkerError as error:
            told = reason("broken", reason=error.args[0])
            yield frame("error", refusal_record(told) | {"status": 422})

    async def warm_up(self) -> None:
        """Start a worker for the first client."""
        if not self._all:
            self._idle.append(await self._worker())

    async def close(self) -> None:
        """Kill every worker, and wait until they are gone."""
        self._is_closed = True
        await asyncio.gather(*(worker.kill() for worker in self._all))

    @asynccontextmanager
    async def _queued(self, ticket: Ticket) -> AsyncIterator[Ticket]:
        """Hold a place in the queue; at the end give back the place or the worker."""
        self._waiting.append(ticket)
        try:
            yield ticket
        finally:
            self._reading.discard(ticket)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            elif ticket.worker is not None:
                # This ticket must not stop the worker's next job.
                worker, ticket.worker = ticket.worker, None
                # Shielded: the worker must stop even if this task is cancelled meanwhile.
                await asyncio.shield(asyncio.ensure_future(self._give_back(worker)))
            self._notify_waiting()

    async def _places(self, ticket: Ticket) -> AsyncIterator[int]:
        """Yield the place in the queue, from 1, whenever it changes; then give a worker."""
        last_place = 0
        while self._is_busy or self._waiting[0] is not ticket:
            place = self._waiting.index(ticket) + 1
            ticket.moved.clear()
            if place != last_place:
                last_place = place
                yield place
                continue
            for other in self._reading:
                if monotonic() - other.unread_since > self._stalled and other.reader is not None:
                    other.reader.cancel()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(PAUSED_SECONDS, self._stalled / 10)):
                    await ticket.moved.wait()
        self._busy += 1
        self._waiting.popleft()
        self._notify_waiting()
        try:
            ticket.worker = await self._worker()
        except BaseException:
            self._busy -= 1
            self._notify_waiting()
            raise

    async def _worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._all.discard(worker)
        command, options = worker_command("taquin.web.worker")
        process = await asyncio.create_subprocess_exec(*command, limit=_CHUNK, **options)
        worker = WorkerProcess(process)
        self._all.add(worker)
        if self._is_closed:
            await worker.kill()
        return worker

    async def _give_back(self, worker: WorkerProcess) -> None:
        try:
            await worker.stop()
        finally:
            self._busy -= 1
            if worker.is_alive and worker.is_idle:
                self._idle.append(worker)
            else:
                self._all.discard(worker)
            self._notify_waiting()

    def _notify_waiting(self) -> None:
        for ticket in self._waiting:
            ticket.moved.set()

"""A pool of worker processes and the queue for them, all in the server's event loop.

A worker is kept for the next job, with its libraries loaded. A worker that does not stop when asked
is killed and replaced. A job whose client does not read, such as a search that is watched step by
step, needs no processor: further jobs start beside it. Where many pause, a client that has not read
for a minute loses its worker if others wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic
from typing import Any

from taquin.errors import TaquinError
from taquin.reasons import reason
from taquin.system.jobs import End, Item, JobEnding, JobProcess, Message
from taquin.web.messages import error_record, frame, refusal_record
from taquin.web.page_jobs import PageJob, perform

STALLED_SECONDS = 60.0
"""Seconds without a read after which a client loses its worker, if others wait."""
PAUSED_SECONDS = 0.5
"""Seconds without a read after which a job counts as paused."""
_MOST_PAUSED = 64
"""Paused jobs beside those that run."""


class PageWorker:
    """A worker process, and the thread that waits for it."""

    def __init__(self, process: JobProcess) -> None:
        self.process = process
        self._thread = ThreadPoolExecutor(1, "taquin worker")

    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function in the thread, after its earlier calls."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)


@dataclass(eq=False, slots=True, weakref_slot=True)
class Ticket:
    """A client's place in the queue, and then its hold on a worker."""

    is_running: bool = False
    """Whether the job has a worker."""
    stop_reason: str = ""
    """Why the job has to stop."""
    reader: asyncio.Task[object] | None = None
    """The task that reads the frames."""
    unread_since: float = inf
    """When the reader got a piece that it has not dealt with yet."""

    def stop(self) -> bool:
        """Ask the job to stop and send its result; return whether it runs."""
        if self.is_running:
            self.stop_reason = "stopped"
        return self.is_running


class WorkerPool:
    """Up to `workers` processes, and a queue of up to `waiting` clients."""

    def __init__(
        self,
        workers: int,
        waiting: int,
        memory: int,
        stalled: float = STALLED_SECONDS,
        make_process: Callable[[str], JobProcess] = JobProcess,
    ) -> None:
        self._max_busy, self._max_waiting, self._memory = workers, waiting, memory
        self._stalled, self._make_process = stalled, make_process
        self._idle: list[PageWorker] = []
        self._busy = 0
        self._reading: set[Ticket] = set()
        self._waiting: deque[Ticket] = deque()
        self._moved = asyncio.Event()
        """Set, and replaced, when places in the queue change."""
        self._all: set[PageWorker] = set()
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
        ticket = ticket or Ticket()
        try:
            async with aclosing(self._places(ticket)) as places:
                async for place in places:
                    yield frame("queued", {"place": place})
            async with self._job(job, ticket) as messages:
                # The next piece is read only when the client has dealt with the last one.
                while ticket.is_running:
                    match await messages():
                        case Item(piece):
                            ticket.unread_since = monotonic()
                            yield piece
                            ticket.unread_since = inf
                        case JobEnding() as ending:
                            ticket.is_running = False
                            if ending.how is not End.DONE:
                                yield frame("error", _failure(ending))
        except TaquinError as error:
            yield frame("error", error_record(error))

    async def warm_up(self) -> None:
        """Start a worker for the first client."""
        if not self._all:
            worker = self._worker()
            self._idle.append(worker)
            await worker.call(worker.process.launch)

    async def close(self) -> None:
        """Kill every worker, and wait until they are gone."""
        self._is_closed = True
        for worker in self._all:
            worker.process.close()
        await asyncio.gather(*(worker.call(worker.process.reap) for worker in self._all))

    async def _places(self, ticket: Ticket) -> AsyncGenerator[int, None]:
        """Yield the place in the queue, from 1, whenever it changes, until a worker is free."""
        last_place = 0
        self._waiting.append(ticket)
        try:
            while self._is_busy or self._waiting[0] is not ticket:
                place, moved = self._waiting.index(ticket) + 1, self._moved
                if place != last_place:
                    last_place = place
                    yield place
                    continue
                for other in self._reading:
                    is_stalled = monotonic() - other.unread_since > self._stalled
                    if is_stalled and other.reader is not None:
                        other.reader.cancel()
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(PAUSED_SECONDS, self._stalled / 10)):
                        await moved.wait()
        finally:
            self._waiting.remove(ticket)
            self._notify_waiting()

    @asynccontextmanager
    async def _job(
        self, job: PageJob, ticket: Ticket
    ) -> AsyncIterator[Callable[[], Awaitable[Message | None]]]:
        """Give a function that returns the next message of a job; at the end stop the job."""
        self._busy += 1
        self._reading.add(ticket)
        ticket.reader = asyncio.current_task()
        ticket.is_running = True
        worker = self._worker()
        messages = worker.process.messages(
            perform,
            job,
            self._memory,
            silence=job.seconds,
            stopping=lambda: ticket.stop_reason,
            grace=lambda: inf if ticket.is_running else job.stop_seconds,
        )
        try:
            yield partial(worker.call, next, messages)
        finally:
            # Shielded: the worker must stop even if this task is cancelled meanwhile.
            await asyncio.shield(asyncio.ensure_future(self._give_back(ticket, worker, messages)))

    def _worker(self) -> PageWorker:
        if self._idle:
            return self._idle.pop()
        worker = PageWorker(self._make_process(perform.__module__))
        self._all.add(worker)
        if self._is_closed:
            worker.process.close()
        return worker

    async def _give_back(
        self, ticket: Ticket, worker: PageWorker, messages: Iterator[Message]
    ) -> None:
        self._reading.discard(ticket)
        try:
            if ticket.is_running:
                ticket.is_running, ticket.stop_reason = False, "left"
                await worker.call(deque, messages, 0)
        finally:
            self._busy -= 1
            if worker.process.pid is None:
                self._all.discard(worker)
            else:
                self._idle.append(worker)
            self._notify_waiting()

    def _notify_waiting(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()


def _failure(ending: JobEnding) -> dict[str, Any]:
    """Return the record of a job that sent no result."""
    if ending.how is End.FAILED:
        return error_record(ending.value)
    killed = {End.SECONDS: reason("too-slow"), End.MEMORY: reason("memory")}
    told = reason("broken", reason=killed.get(ending.how, ending.value))
    return refusal_record(told) | {"status": 422}

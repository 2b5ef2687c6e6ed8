"""Worker processes, so many at once, and the queue before them; all in the server's event loop.

A worker is kept for the next job, with its libraries loaded. One that does not stop when it is
told to is killed, and another takes its place. Whoever has not read on for a minute keeps his
worker only while nobody waits for it.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from taquin.web.job import Job
from taquin.web.worker import END, LEAVING, READY, Order, frame

STALLED_SECONDS = 60.0
"""Without a sign from a reader after which someone else has his turn, if anyone waits."""
_CHUNK = 1 << 16


class FullError(Exception):
    """There is no place left in the queue."""


class WorkerError(Exception):
    """The worker died, or was killed because it did not come to an end."""


class Worker:
    """One process, and the means to talk to it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._number = 0
        self._stop_seconds = 0.0
        self.is_idle = True
        """Whether it waits for a job."""

    @classmethod
    async def start(cls) -> Worker:
        """Start a process."""
        path = os.pathsep.join(each or os.getcwd() for each in sys.path)
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                *("-c", "from taquin.web.worker import main; main()"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_CHUNK,
                env={**os.environ, "PYTHONPATH": path},
            )
        )

    @property
    def is_alive(self) -> bool:
        """Tell whether the process has not ended, as far as is known."""
        return self._process.returncode is None

    async def frames(self, job: Job, memory: int) -> AsyncGenerator[bytes, None]:
        """Yield what a job tells, some whole frames at a time; raise WorkerError if it dies of it.

        The process is asked for more only when a piece has been dealt with.
        """
        self._number += 1
        self.is_idle, self._stop_seconds = False, job.stop_seconds
        self._send(Order(self._number, job, memory))
        left, rest = job.seconds, b""
        while not self.is_idle:
            began = monotonic()
            piece = rest + await self._piece(left)
            left -= monotonic() - began
            self.is_idle = piece[-1:] in (READY, LEAVING)
            if piece[-1:] == LEAVING:
                await self.bury()
            cut = piece.rfind(END) + len(END)
            if cut >= len(END):
                yield piece[:cut]
                piece = piece[cut:]
            rest = piece

    def ask_to_stop(self) -> None:
        """Ask for the end of the job under way, which then tells its result."""
        self._send(self._number)

    async def stop(self) -> None:
        """End the job under way, if there is one, by asking or else by force."""
        if self.is_idle or not self.is_alive:
            return
        self.ask_to_stop()
        until = monotonic() + self._stop_seconds
        with suppress(WorkerError):
            while not self.is_idle:
                self.is_idle = (await self._piece(until - monotonic()))[-1:] == READY
        if not self.is_idle:
            await self.bury()

    async def bury(self) -> None:
        """Kill the process, and wait until it is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()

    def _send(self, order: object) -> None:
        assert self._process.stdin is not None
        # The pipe may be broken; reading tells.
        with suppress(OSError, RuntimeError):
            self._process.stdin.write(pickle.dumps(order, pickle.HIGHEST_PROTOCOL))

    async def _piece(self, seconds: float) -> bytes:
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                piece = await self._process.stdout.read(_CHUNK)
        except TimeoutError:
            raise WorkerError("it took longer than the server allows") from None
        if not piece:
            raise WorkerError("its process died, perhaps for want of memory")
        return piece


@dataclass(eq=False, slots=True, weakref_slot=True)
class Ticket:
    """Someone's turn."""

    moved: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever the place changes."""
    worker: Worker | None = None
    """Whose turn has come has one."""
    reader: asyncio.Task[object] | None = None
    """Whoever reads what the worker tells."""
    unread: float = inf
    """Since when he has not asked for more."""

    def stop(self) -> bool:
        """Ask the worker to stop and tell what it has; tell whether there is one to ask."""
        if self.worker is None:
            return False
        self.worker.ask_to_stop()
        return True


class Lane:
    """So many workers, and so many who may wait for one."""

    def __init__(
        self, workers: int, waiting: int, memory: int, stalled: float = STALLED_SECONDS
    ) -> None:
        self._most, self._room, self._memory = workers, waiting, memory
        self._stalled = stalled
        self._idle: list[Worker] = []
        self._busy = 0
        self._reading: set[Ticket] = set()
        self._waiting: deque[Ticket] = deque()
        self._all: set[Worker] = set()
        self._is_closed = False

    @property
    def load(self) -> dict[str, int]:
        """Return how many jobs run, and how many wait."""
        return {"running": self._busy, "waiting": len(self._waiting)}

    async def frames(self, job: Job, ticket: Ticket | None = None) -> AsyncGenerator[bytes, None]:
        """Yield what a job tells once its turn has come, and before that its place in the queue.

        Raise FullError at once if there is no place. Whoever stops reading ends the job.
        """
        async with self._turn(ticket or Ticket()) as ticket:
            async for place in self._places(ticket):
                yield frame("queued", {"place": place})
            assert ticket.worker is not None
            ticket.reader = asyncio.current_task()
            self._reading.add(ticket)
            async for piece in ticket.worker.frames(job, self._memory):
                ticket.unread = monotonic()
                yield piece
                ticket.unread = inf

    async def warm_up(self) -> None:
        """Have one worker ready for whoever comes first."""
        if not self._all:
            self._idle.append(await self._new())

    async def close(self) -> None:
        """Kill every worker, and wait until they are gone."""
        self._is_closed = True
        await asyncio.gather(*(worker.bury() for worker in self._all))

    @asynccontextmanager
    async def _turn(self, ticket: Ticket) -> AsyncIterator[Ticket]:
        """Stand in the queue, and give back what one got there."""
        if self._is_closed or (self._busy >= self._most and len(self._waiting) >= self._room):
            raise FullError
        self._waiting.append(ticket)
        try:
            yield ticket
        finally:
            self._reading.discard(ticket)
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            elif ticket.worker is not None:
                # The next one's job is not to be stopped by this ticket.
                worker, ticket.worker = ticket.worker, None
                # Whatever happens to whoever held it, the worker must come to its end.
                await asyncio.shield(asyncio.ensure_future(self._give_back(worker)))
            self._tell_places()

    async def _places(self, ticket: Ticket) -> AsyncIterator[int]:
        """Yield the place in the queue, from 1, whenever it changes, until a worker is there."""
        told = 0
        while self._busy >= self._most or self._waiting[0] is not ticket:
            place = self._waiting.index(ticket) + 1
            ticket.moved.clear()
            if place != told:
                told = place
                yield place
                continue
            self._end_stalled()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._stalled / 10):
                    await ticket.moved.wait()
        self._busy += 1
        self._waiting.popleft()
        self._tell_places()
        try:
            ticket.worker = await self._worker()
        except BaseException:
            self._busy -= 1
            self._tell_places()
            raise

    async def _worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._all.discard(worker)
        return await self._new()

    async def _new(self) -> Worker:
        worker = await Worker.start()
        self._all.add(worker)
        if self._is_closed:
            await worker.bury()
        return worker

    async def _give_back(self, worker: Worker) -> None:
        try:
            await worker.stop()
        finally:
            self._busy -= 1
            if worker.is_alive and worker.is_idle:
                self._idle.append(worker)
            else:
                self._all.discard(worker)
            self._tell_places()

    def _end_stalled(self) -> None:
        for ticket in self._reading:
            if monotonic() - ticket.unread > self._stalled and ticket.reader is not None:
                ticket.reader.cancel()

    def _tell_places(self) -> None:
        for ticket in self._waiting:
            ticket.moved.set()

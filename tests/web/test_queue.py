"""Searches wait in a queue for a worker; a disconnect cancels a search."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import Generator, Iterator
from contextlib import ExitStack, aclosing, contextmanager
from dataclasses import dataclass
from time import sleep
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.notation import read_board
from taquin.search.grammar import search_named
from taquin.search.result import Limits, Task
from taquin.system.jobs import End, Item, JobEnding, JobProcess, Message
from taquin.web import pool as pool_module
from taquin.web.page_jobs import Emit, MovesLeft, PageJob, ShouldStop, Solve, Trace, may_keep
from taquin.web.pool import WorkerPool
from tests.web.api import (
    HARD,
    all_events,
    awaited,
    children,
    events,
    is_running,
    load,
    memory,
    processor_time,
)
from tests.web.site import Site, serving

LONG = {"board": HARD, "search": "ids"}
"""A search that never ends and needs little memory."""


@pytest.fixture(scope="module")
def narrow(table_folder: object) -> Iterator[Site]:
    """Return a server that runs one search while one waits."""
    words = ("--running", "1", "--waiting", "1", "--max-seconds", "300", "--no-open", "--no-warm")
    with serving(*words) as site:
        yield site


@pytest.fixture
def client(narrow: Site) -> Iterator[httpx.Client]:
    """Return a client of that server once no search runs."""
    with httpx.Client(base_url=narrow.address, timeout=180) as client:
        assert awaited(lambda: load(client) == {"running": 0, "waiting": 0})
        yield client


@contextmanager
def stream(client: httpx.Client, path: str, body: object) -> Iterator[Iterator[tuple[str, Any]]]:
    """Open a stream; disconnect at the end of the block."""
    with client.stream("POST", path, json=body) as reply:
        assert reply.status_code == 200, reply.read()
        yield events(reply.iter_lines())


def test_a_waiting_client_hears_its_place_and_a_full_queue_answers_retry_after(
    client: httpx.Client,
) -> None:
    with ExitStack() as first, ExitStack() as second:
        running = first.enter_context(stream(client, "/api/solve", LONG))
        assert next(running)[0] == "started"
        waiting = second.enter_context(stream(client, "/api/solve", {"board": "1 2 / 0 3"}))
        assert next(waiting) == ("queued", {"place": 1})
        assert load(client) == {"running": 1, "waiting": 1}
        for path in ("/api/solve", "/api/trace"):
            reply = client.post(path, json={"board": "1 2 / 3 0"})
            assert reply.status_code == 503
            assert int(reply.headers["retry-after"]) > 0
            assert list(reply.json())[:2] == ["error", "code"]
        first.close()
        assert [name for name, _ in waiting][-1] == "result"


def test_quick_jobs_and_exports_do_not_wait_for_searches(client: httpx.Client) -> None:
    asked = {"board": "1 2 3 / 4 5 6 / 0 7 8", "moves": "LL", "format": "text"}
    with (
        stream(client, "/api/solve", LONG) as running,
        stream(client, "/api/solve", LONG) as waiting,
    ):
        assert (next(running)[0], next(waiting)[0]) == ("started", "queued")
        reply = client.post("/api/export", json=asked)
        assert reply.status_code == 200
        assert reply.headers["content-disposition"].startswith("attachment")
        assert load(client) == {"running": 1, "waiting": 1}
        assert client.post("/api/left", json={"board": "1 2 / 0 3"}).json()["left"] == 1
        assert client.post("/api/scramble", json={"rows": 2}).status_code == 200
        assert client.post("/api/check", json={"board": "1 2 / 0 3"}).json()["solvable"]


@pytest.mark.parametrize("path", ["/api/solve", "/api/trace"])
def test_a_disconnect_cancels_the_search_and_frees_the_worker(
    client: httpx.Client, path: str
) -> None:
    with stream(client, path, LONG) as running:
        next(running)
        assert load(client) == {"running": 1, "waiting": 0}
    assert awaited(lambda: load(client)["running"] == 0)
    assert all_events(client, "/api/solve", {"board": "1 2 / 0 3"})[-1][0] == "result"


def test_a_disconnect_in_the_queue_frees_the_place(client: httpx.Client) -> None:
    with stream(client, "/api/solve", LONG) as running:
        next(running)
        with stream(client, "/api/solve", LONG) as waiting:
            next(waiting)
        assert awaited(lambda: load(client) == {"running": 1, "waiting": 0})


@pytest.mark.parametrize(
    ("path", "how", "sentence"),
    [
        ("/api/solve", signal.SIGSEGV, "its process crashed (SIGSEGV)"),
        ("/api/trace", signal.SIGKILL, "its process was killed (SIGKILL), perhaps out of memory"),
    ],
)
def test_a_worker_that_dies_is_reported_and_replaced(
    client: httpx.Client, narrow: Site, path: str, how: signal.Signals, sentence: str
) -> None:
    with stream(client, path, LONG) as running:
        next(running)
        for worker in children(narrow.process.pid):
            os.kill(worker, how)
        name, record = list(running)[-1]
        assert (name, record["error"]) == ("error", f"the search was ended: {sentence}")
    assert all_events(client, "/api/solve", {"board": "1 2 / 0 3"})[-1][0] == "result"


@pytest.mark.slow
def test_a_search_that_passes_the_memory_limit_ends_and_its_worker_stays_small(
    table_folder: object,
) -> None:
    with (
        serving("--max-memory", "90M", "--no-open", "--no-warm") as site,
        httpx.Client(base_url=site.address, timeout=180) as client,
    ):
        for _ in range(2):
            name, result = all_events(client, "/api/solve", {"board": HARD, "search": "bfs"})[-1]
            assert (name, result["limit"]) == ("result", "memory")
            assert all(memory(pid) < 140 << 20 for pid in children(site.process.pid))


@pytest.mark.slow
def test_a_client_that_pauses_uses_up_no_seconds_and_little_memory(table_folder: object) -> None:
    body = json.dumps({"board": HARD, "search": "bfs"})
    request = f"POST /api/trace HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    with (
        serving("--max-seconds", "4", "--no-open", "--no-warm") as site,
        httpx.Client(base_url=site.address, timeout=180) as client,
        socket.socket() as connection,
    ):
        # The default buffer would take megabytes before the server notices a pause.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        connection.connect(("127.0.0.1", urlsplit(site.address).port))
        connection.sendall(f"{request}{body}".encode())
        reply = connection.makefile("rb")
        assert b" 200 " in reply.readline()
        # Wait until every buffer is full, and then longer than the limit of the search.
        assert awaited(lambda: _is_at_rest(_busiest(site)))
        sleep(4.2)
        assert load(client)["running"] == 1
        assert memory(site.process.pid) < 150 << 20
        *_, (name, last) = events(text.decode().strip() for text in reply)
        assert (name, last["event"]) == ("record", "finished")
        assert last["result"]["limit"] == "seconds"


def test_a_client_that_stopped_reading_loses_its_worker_if_others_wait() -> None:
    puzzle = Puzzle(Goal.blank_last(4, 4))
    start = read_board(HARD)
    long = Trace(Task(puzzle, start, limits=Limits(seconds=60)), search_named("bfs"))
    short = Solve(Task(puzzle, random_walk(puzzle, 3, seed=1), limits=Limits(seconds=60)), "glass")

    async def stall(pool: WorkerPool) -> None:
        async with aclosing(pool.frames(long)) as frames:
            async for _ in frames:
                await asyncio.Event().wait()

    async def both() -> tuple[bool, bytes]:
        pool = WorkerPool(1, 1, 1 << 30, stalled=0.2)
        stalled = asyncio.create_task(stall(pool))
        try:
            await asyncio.sleep(0.1)
            async with aclosing(pool.frames(short)) as frames:
                stream = b"".join([piece async for piece in frames])
            return stalled.cancelled(), stream
        finally:
            await pool.close()

    was_cancelled, stream = asyncio.run(both())
    assert was_cancelled
    assert b"event: queued" in stream
    assert b"event: result" in stream


@pytest.mark.slow
def test_searches_that_are_paused_keep_nobody_waiting(client: httpx.Client) -> None:
    watched = {"board": HARD, "search": "bfs"}
    with ExitStack() as stack:
        traces = []
        for count in range(1, 5):
            traces.append(stack.enter_context(stream(client, "/api/trace", watched)))
            assert [next(traces[-1])[0] for _ in range(3)][-1] == "record"
            assert load(client)["running"] == count


def test_a_worker_keeps_the_tables_of_5x5() -> None:
    assert may_keep(memory=2 << 30) > 439 << 20
    assert may_keep(memory=90 << 20) == 300 << 20


@dataclass(frozen=True, slots=True)
class Deaf(PageJob):
    """A job that does not stop."""

    seconds = 600.0

    def run(self, emit: Emit, should_stop: ShouldStop) -> None:
        emit("started", {"pid": os.getpid()})
        sleep(600)


def test_a_worker_that_ignores_the_order_to_stop_is_killed() -> None:
    async def pid_of_left() -> int:
        pool = WorkerPool(1, 1, 1 << 30)
        try:
            async with aclosing(pool.frames(Deaf())) as frames:
                ((_, started),) = events((await anext(frames)).decode().splitlines())
            assert pool.load == {"running": 0, "waiting": 0}
            return int(started["pid"])
        finally:
            await pool.close()

    assert not is_running(asyncio.run(pid_of_left()))


class FakeProcess(JobProcess):
    """A worker process that answers at once, and counts those that were started."""

    started = 0
    ignores_stop = False

    def __init__(self, module: str) -> None:
        super().__init__(module)
        type(self).started += 1
        self.is_alive = True

    @property
    def pid(self) -> int | None:
        return 1 if self.is_alive else None

    def messages(self, *job: object, **options: Any) -> Generator[Message, None, None]:
        for number in range(3):
            self.is_alive = not (self.ignores_stop and options["stopping"]())
            if self.is_alive:
                yield Item(b"piece %d" % number)
        yield JobEnding(End.DONE if self.is_alive else End.STOPPED)


@pytest.fixture
def fake_process() -> type[FakeProcess]:
    """Return fake processes to use in place of workers."""

    class Process(FakeProcess):
        pass

    return Process


JOB = MovesLeft(Puzzle(Goal.blank_last(2, 2)), read_board("1 2 / 0 3"), 1 << 30)


async def frames_of(pool: WorkerPool) -> list[bytes]:
    async with aclosing(pool.frames(JOB)) as frames:
        return [piece async for piece in frames]


PIECES = [b"piece 0", b"piece 1", b"piece 2"]


def test_a_client_that_does_not_read_keeps_nobody_waiting(
    fake_process: type[FakeProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def both() -> None:
        pool = WorkerPool(1, 1, 0, make_process=fake_process)
        async with aclosing(pool.frames(JOB)) as paused:
            assert await anext(paused) == PIECES[0]
            async with aclosing(pool.frames(JOB)) as waiting:
                assert (await anext(waiting)).startswith(b"event: queued")
            assert pool.load == {"running": 1, "waiting": 0}
            monkeypatch.setattr(pool_module, "PAUSED_SECONDS", -1.0)
            async with aclosing(pool.frames(JOB)) as served:
                assert await anext(served) == PIECES[0]

    asyncio.run(both())
    assert fake_process.started == 2


@pytest.mark.parametrize("ignores", [False, True])
def test_a_worker_is_kept_for_the_next_job_only_if_it_has_stopped(
    fake_process: type[FakeProcess], ignores: bool
) -> None:
    fake_process.ignores_stop = ignores

    async def one_after_the_other() -> None:
        pool = WorkerPool(1, 1, 0, make_process=fake_process)
        assert [await frames_of(pool) for _ in range(2)] == [PIECES, PIECES]
        assert fake_process.started == 1
        async with aclosing(pool.frames(JOB)) as left:
            assert await anext(left) == PIECES[0]
        assert pool.load == {"running": 0, "waiting": 0}
        assert await frames_of(pool) == PIECES
        assert fake_process.started == 1 + ignores

    asyncio.run(one_after_the_other())


def _busiest(site: Site) -> int:
    return max(children(site.process.pid), key=processor_time)


def _is_at_rest(pid: int) -> bool:
    before = processor_time(pid)
    sleep(0.3)
    return processor_time(pid) == before

"""The engine `cluster`: one very hard board on many machines, by Dask.

    bound 57    ┌ part ┐ ┌ part ┐ ┌ part ┐ …     nodes of the tree with their subtrees
                worker 1   worker 2   worker 1     after a while a part returns its remaining nodes
    bound 59    begins when every part of bound 57 is done

`DistributedSearch` cuts the tree of each bound into parts and gathers their results. A `Part` is
plain data (a stack of nodes and the path to them), so any `concurrent.futures` executor can run it:
a pool of processes, Dask's `Client.get_executor()`, or a fake in the same thread. Each worker has a
part to search and one in reserve. Remaining nodes are divided only when there are too few parts for
that: a part takes some milliseconds of this process and of the scheduler, serially (`docs/scale.md`
shows the effect with many workers). The threads of a worker share its tables.

Parts search ahead of the bound as a `Team` does. A solution cancels the parts that have not begun;
the others end by themselves within seconds. Each node is expanded once, by one worker, so the node
count of a completed bound does not depend on the number of workers.

`Connection` finds a Dask scheduler, or starts workers on this machine that ignore Ctrl-C.
"""

from __future__ import annotations

import ctypes
import gc
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from logging import CRITICAL
from math import inf, isqrt
from os import PathLike, fspath
from os.path import isfile
from queue import Empty, SimpleQueue
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from taquin.engine.base import FITS, Engine, Fit, begin, classic_fit, method
from taquin.engine.cpu.engine import ready
from taquin.engine.deepening import Deepening
from taquin.errors import InputError, MissingError
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import EngineTag, Result, Task
from taquin.system.formatting import counted, shorten
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.lazy import install_command, not_installed
from taquin.system.machine import safe_memory, usable_cores
from taquin.tables.shape import Cells, Normal

if TYPE_CHECKING:
    from taquin.engine.cpu.team import CpuPlan, Piece, Start


@dataclass(frozen=True, slots=True)
class Cluster(Engine):
    """The compiled search, distributed to workers."""

    address: Any = None
    """Address of a Dask scheduler, `local:N` for N workers on this machine, the path of a scheduler
    file, or a `distributed.Client`, which stays open."""
    tables: str | None = "small"
    """The set of pattern tables: `small`, `large`, or None."""
    executor: tuple[Executor, int] | None = field(default=None, repr=False)
    """Instead of an address: an executor for the parts, and how many it runs at once."""

    name = "cluster"
    summary = "the compiled search on the workers of a Dask scheduler"

    def available(self) -> Fit:
        """Return whether Dask is installed."""
        if self.executor is None and not find_spec("distributed"):
            return Fit(False, f"it needs Dask: {install_command('cluster')}")
        return FITS

    def fits(self, task: Task) -> Fit:
        """Return whether a scheduler is named, and the task is a classic puzzle."""
        if self.address is None and self.executor is None:
            return Fit(False, "it needs the address of a Dask scheduler, or local:N")
        return classic_fit(self, task)

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, searched by all workers together."""
        deepening = Deepening(control)
        workers = 0
        if (normal := begin(task, control)) is not None:
            with DeferredInterrupts(), control.guard(), ExitStack() as stack:
                # A scheduler elsewhere may not answer, so connect to it first. Workers on this
                # machine start only if there is time left for them.
                is_local = local_workers(self.address) is not None
                connected = None if is_local else stack.enter_context(self._executor())
                plan = ready(normal, self.tables, control)
                start = plan.start(normal)
                control.prepare(reason("stage-workers"))
                executor, workers = connected or stack.enter_context(self._executor())
                control.begin()
                search = DistributedSearch(normal, self.tables, plan, start, executor, workers)
                deepening.run(start.estimate, search)
        tag = EngineTag(self.name, counted(workers, "worker") if workers else "")
        return deepening.result(task, method(self.tables), tag)

    @contextmanager
    def _executor(self) -> Iterator[tuple[Executor, int]]:
        if self.executor is not None:
            yield self.executor
            return
        assert self.address is not None, "the task fits"
        # Compiled code runs without the GIL, and threads share the tables of this process.
        connection = Connection(self.address, processes=False)
        try:
            yield connection.executor, connection.threads()
        finally:
            connection.close()


_WORTH = 4_000_000
"""A bound of n² times so many nodes is searched by n workers: more would wait for parts, because a
part and its result take 4 ms of this process and of the scheduler. A bound for less than two
workers is searched here."""
_GROWTH = 4
"""The usual least growth of the nodes from one bound to the next."""
_CUT = 10_000
"""Nodes searched here to split the root of a larger bound."""
_SLICE = 1 << 18
"""Nodes between two checks of the clock or the control."""
_IN_FLIGHT = 2
"""Parts sent per worker: the current one and one in reserve."""
_SMALL_PART = 500_000
"""Nodes per worker after which a part returns while there are too few parts, and the least nodes
otherwise: parts of 8 ms per worker would keep this process busy half of the time."""
_TURNS = 4
"""The least number of parts per worker and bound."""
_SECONDS = 0.5
"""The most seconds of a part, with up to 60 workers."""
_SECONDS_PER_WORKER = 0.008
"""The most seconds of a part per worker, with more workers: parts then keep this process and the
scheduler busy at most half of the time."""
_INTERVAL = 0.1
"""The most seconds between two calls of the control."""


class Part(NamedTuple):
    """A part of a bound's tree: nodes and the path to them, in the kernel's format."""

    nodes: bytes
    path: bytes

    def put_into(self, piece: Piece) -> None:
        """Copy the part into a piece."""
        piece.take(memoryview(self.nodes).cast("Q"), memoryview(self.path).cast("I"))

    def halves(self, width: int) -> list[Part]:
        """Return every second node, from the shallowest, and the others; nodes have `width` words.

        Of a single node there is no second half.
        """
        size = 8 * width
        if len(self.nodes) == size:
            return [self]
        nodes = [self.nodes[place : place + size] for place in range(0, len(self.nodes), size)]
        return [Part(b"".join(nodes[first::2]), self.path) for first in (0, 1)]


class PartDone(NamedTuple):
    """The result of searching a part."""

    generated: int
    ahead: int
    """Nodes generated ahead of the bound."""
    solution: Cells | None
    """The blank's cells along a solution; None when there is none."""
    solution_ahead: Cells | None
    """The blank's cells along a solution ahead of the bound; None when there is none."""
    rest: Part | None
    """The remaining nodes; None when the part is exhausted."""


_loading = Lock()
"""Held while a thread of a worker loads the tables that all its threads share."""


def search_part(
    normal: Normal, tables: str | None, part: Part, least: int, most: int, seconds: float
) -> PartDone:
    """Search a part of a board's tree for `most` nodes at most and some seconds; runs on a worker.

    From the depth `least` on, nodes of the next bound are searched too.
    """
    from taquin.engine.cpu.team import Piece

    with _loading:
        plan = ready(normal, tables, Control())
    piece = Piece((), plan.width)
    part.put_into(piece)
    piece.look_ahead(least)
    return search_piece(plan, piece, most, seconds)


def search_piece(plan: CpuPlan, piece: Piece, most: int, seconds: float = inf) -> PartDone:
    """Search a piece for at most `most` nodes and `seconds`."""
    from taquin.engine.cpu.team import ONE_STEP

    end = perf_counter() + seconds
    generated = ahead = 0
    while piece.size and piece.solution is None:
        # The last step may exceed its budget by a few nodes.
        budget = min(_SLICE, most - generated - ONE_STEP + 1)
        if budget < 1 or (generated and perf_counter() >= end):
            break
        generated += piece.search(plan, budget)
        ahead += piece.nodes_ahead
    is_done = piece.solution is not None or not piece.size
    rest = None if is_done else Part(piece.words.tobytes(), piece.path.tobytes())
    return PartDone(generated, ahead, piece.solution, piece.solution_ahead, rest)


@dataclass(slots=True)
class DistributedSearch:
    """A `ForesightedSearcher` for `Deepening` that distributes each bound to workers."""

    normal: Normal
    tables: str | None
    plan: CpuPlan
    start: Start
    executor: Executor
    workers: int
    nodes: int = 0
    _ahead: int = 0
    """Nodes generated ahead of the bound."""
    _near: int | None = None
    """The remaining depth at which look-ahead starts."""
    _least: int = 0
    """The depth at which look-ahead starts."""
    _last: int = 0
    """Nodes of the previous bound."""
    _expected: int = 0
    """The least expected nodes of the bound."""
    _solution: Cells | None = None
    _solution_ahead: Cells | None = None
    _waiting: deque[Part] = field(default_factory=deque)

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within the bound, () for none; None when it was ended early."""
        # Imported late, to keep the start-up fast.
        from taquin.engine.cpu import team

        near = team.first_near(bound) if self._near is None else self._near
        self._least = team.least_depth(bound, near)
        self._solution = self._solution_ahead = None
        self.nodes = self._ahead = 0
        limit = int(min(most, team.UNLIMITED))
        self._expected = _GROWTH * self._last
        here = 4 * _WORTH if self._expected < 4 * _WORTH else _CUT
        piece = team.Piece(self.start.node(bound), self.plan.width)
        piece.look_ahead(self._least)
        while True:
            if not keep_going() or limit - self.nodes < team.ONE_STEP:
                return None
            rest = self._count(
                search_piece(self.plan, piece, min(here, _SLICE, limit - self.nodes))
            )
            if rest is None or self.nodes >= here:
                break
        self._waiting = deque([] if rest is None else [rest])
        if not self._distribute(keep_going, limit):
            return None
        if self._solution is None:
            self.nodes -= self._ahead
            self._last = self.nodes
            self._near = team.next_near(near, self.nodes, self._ahead)
        return self._solution or ()

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the solution that look-ahead found, or () for none."""
        self.nodes = self._ahead
        return self._solution_ahead or ()

    def _count(self, done: PartDone) -> Part | None:
        """Add up the nodes of a part, keep its solutions, and return its remaining nodes."""
        from taquin.engine.cpu.layout import DEEPEST

        self.nodes += done.generated
        self._ahead += done.ahead
        self._solution = self._solution or done.solution
        if done.solution_ahead is not None:
            self._solution_ahead = done.solution_ahead
            # One is enough.
            self._least = DEEPEST
        return done.rest

    def _distribute(self, keep_going: Callable[[], bool], limit: int) -> bool:
        """Search the parts on workers, up to a solution; return False if stopped early."""
        running: dict[Future[PartDone], int] = {}
        finished: SimpleQueue[Future[PartDone]] = SimpleQueue()
        try:
            while self._solution is None and (self._waiting or running):
                if not keep_going():
                    return False
                self._send(running, finished, limit)
                if not running:
                    return False
                for future in _taken(finished):
                    del running[future]
                    rest = self._count(future.result())
                    if rest is not None:
                        self._waiting.append(rest)
        finally:
            for future in running:
                future.cancel()
        return True

    def _send(
        self,
        running: dict[Future[PartDone], int],
        finished: SimpleQueue[Future[PartDone]],
        limit: int,
    ) -> None:
        """Divide parts until there are enough, and send as many as workers need.

        `running` gets each part that was sent, with the maximum number of its nodes.
        """
        from taquin.engine.cpu import team

        useful = isqrt(max(self._expected, self.nodes) // _WORTH)
        workers = min(self.workers, max(1, useful))
        waiting, most = self._waiting, _IN_FLIGHT * workers
        wanted, whole = most - len(running), 0
        while whole < len(waiting) < wanted:
            halves = waiting.popleft().halves(self.plan.width)
            waiting.extend(halves)
            whole = 0 if len(halves) > 1 else whole + 1
        size = _SMALL_PART * workers
        if len(waiting) >= wanted:
            size = max(size, max(self._expected, self.nodes) // (_TURNS * workers))
        seconds = max(_SECONDS, workers * _SECONDS_PER_WORKER)
        left = limit - self.nodes - sum(running.values())
        while waiting and len(running) < most:
            # Near the limit parts are smaller, so that all together never exceed it.
            share = min(left, size, max(_SLICE, left // most))
            if share < team.ONE_STEP:
                return
            left -= share
            arguments = (self.normal, self.tables, waiting.popleft(), self._least, share, seconds)
            future = self.executor.submit(search_part, *arguments)
            running[future] = share
            future.add_done_callback(finished.put)


def _taken(queue: SimpleQueue[Future[PartDone]]) -> list[Future[PartDone]]:
    """Return what is in a queue, after waiting for the first for a while."""
    taken = []
    with suppress(Empty):
        taken.append(queue.get(timeout=_INTERVAL))
        while True:
            taken.append(queue.get_nowait())
    return taken


_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?")
_MOST_WORKERS = 1024
_LENT = object()
"""Placeholder for the cluster of a client that the caller owns."""
_WORKER_MEMORY = 100_000_000
"""Bytes of an idle worker."""


class Connection:
    """A client of the Dask scheduler at an address, for the engine and the lab."""

    def __init__(self, address: Any, *, processes: bool = True) -> None:
        """Raise what `connect` raises."""
        self.client, self._local = connect(address, processes=processes)
        self.executor: Executor = self.client.get_executor(pure=False)

    def threads(self) -> int:
        """Return the current number of threads of all workers; at least 1."""
        counts: dict[str, int] = self.client.nthreads()
        return max(1, sum(counts.values()))

    def close(self) -> None:
        """Close the client unless the caller owns it, and stop the workers started for it."""
        if self._local is not _LENT:
            try:
                self.client.close(timeout=_PATIENCE)
            finally:
                if self._local is not None:
                    self._local.close(timeout=_PATIENCE)


def connect(address: Any, *, processes: bool = True) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    Its N workers are processes, or else threads of this process, which start at once.

    `address` may also be the path of a scheduler file, which `dask scheduler --scheduler-file`
    writes, or a `distributed.Client`, which is returned with _LENT.

    Raise InputError for a number of workers that this machine cannot have and for an asynchronous
    client, MissingError when Dask is not installed, or no scheduler answers.
    """
    if not isinstance(address, str | PathLike):
        if not hasattr(address, "get_executor") or address.asynchronous:
            raise InputError(
                f"expected the address of a Dask scheduler, a scheduler file or a client that is "
                f"not asynchronous; found {shorten(repr(address), 60)}"
            )
        return address, _LENT
    where = address if isinstance(address, PathLike) else None
    address = fspath(address)
    if not address.strip():
        # Dask would start a default cluster.
        raise InputError(
            "expected the address of a Dask scheduler, such as tcp://host:8786, or local:4 for "
            "four workers here; found nothing"
        )
    workers = local_workers(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(not_installed("a cluster needs Dask", "cluster")) from None
    local: Any = None
    try:
        if workers is not None:
            with ctrl_c_blocked():
                local = distributed.LocalCluster(
                    n_workers=workers if processes else 1,
                    threads_per_worker=1 if processes else workers,
                    processes=processes,
                    host="127.0.0.1" if processes else None,
                    # Any free port: two clusters may run beside each other.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=CRITICAL,
                )
        if where is not None or isfile(address):
            return distributed.Client(scheduler_file=address, timeout=_PATIENCE), None
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except Exception as error:
        # Dask passes on any exception of the address parser, the resolver and the sockets.
        if local is not None:
            with suppress(Exception):
                local.close()
        cause = " ".join((str(error) or type(error).__name__).split())[:200]
    # The failed client closes itself on collection and waits for a lock that a starting client
    # holds: collect it before the next client starts.
    gc.collect()
    raise MissingError(
        f"no Dask scheduler answers at {shorten(address, 60)}: {cause}; expected an address "
        f"such as tcp://host:8786, a scheduler file, or local:4 for four workers here"
    )


def local_workers(address: Any) -> int | None:
    """Return the number of workers of `local` or `local:N`; None for any other address."""
    if not isinstance(address, str) or not address.startswith("local"):
        return None
    memory = safe_memory()
    most = _MOST_WORKERS if memory is None else min(_MOST_WORKERS, memory // _WORKER_MEMORY)
    match = _LOCAL.fullmatch(address)
    workers = int(match[1] or usable_cores()) if match else 0
    if not 1 <= workers <= max(1, most):
        raise InputError(
            f"expected local:N with N from 1 to {max(1, most)}, the workers that this machine has "
            f"memory for, found {shorten(address)}"
        )
    return workers


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all processes, from those started in the block.

    Threads and processes inherit a blocked signal; here it is deferred to the end of the block. On
    Windows processes inherit that Ctrl-C is ignored; here it is lost.
    """
    if sys.platform == "win32":
        set_handler = ctypes.WinDLL("kernel32").SetConsoleCtrlHandler
        set_handler(None, True)
        try:
            yield
        finally:
            set_handler(None, False)
        return
    from multiprocessing.resource_tracker import ensure_running

    # The first child would start it, and it would unblock the signal.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

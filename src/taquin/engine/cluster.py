"""The engine `cluster`: one very hard board on many machines, by Dask.

    bound 57    ┌ part ┐ ┌ part ┐ ┌ part ┐ …     nodes of the tree, each with what lies below it
                worker 1   worker 2   worker 1     a part that grows too large comes back to be cut
    bound 59    begins when every part of bound 57 is done

`DistributedSearch` cuts the tree of each bound into parts and gathers their results. A `Part` is
plain data (a stack of nodes and the path to them), so any `concurrent.futures` executor can run it:
a pool of processes, Dask's `Client.get_executor()`, or a fake in the same thread. A worker keeps
its tables mapped from part to part. A solution cancels the parts that have not begun; the others
end by themselves within seconds. Each node is expanded once, by one worker, so the node count of a
completed bound does not depend on the number of workers.

`Connection` finds a Dask scheduler, or starts workers on this machine, out of reach of Ctrl-C.
"""

from __future__ import annotations

import ctypes
import re
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from logging import CRITICAL
from os import PathLike, fspath
from os.path import isfile
from typing import TYPE_CHECKING, Any, NamedTuple

from taquin.engine.base import FITS, Engine, Fit
from taquin.engine.classic import begin, classic_fit, method
from taquin.engine.cpu.engine import ready
from taquin.engine.deepening import Deepening
from taquin.errors import InputError, MissingError
from taquin.search.control import Control
from taquin.search.result import EngineTag, Result, Task
from taquin.system.formatting import counted, shorten
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.lazy import install_command, not_installed
from taquin.system.machine import safe_memory, usable_cores
from taquin.tables.shape import Cells, Normal

if TYPE_CHECKING:
    from taquin.engine.cpu.team import Piece, Plan, Start


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
        # Imported late: they slow down every start-up.

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
                control.prepare("starting the workers")
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
        connection = Connection(self.address)
        try:
            yield connection.executor, connection.threads()
        finally:
            connection.close()


_CUT = 1_000
"""Nodes searched to make one node of the tree into several."""
_SMALLEST_PART = 1_000_000
"""Nodes that a part should have at least: a tenth of a second, where sending it takes one or two
thousandths. A bound of fewer nodes is searched here."""
_GROWTH = 4
"""Usual growth of the nodes from one bound to the next, at least."""
_PARTS_PER_WORKER = 16
"""Most parts a bound is cut into at first: enough that no worker idles while another is busy."""
_SLICE = 1 << 16
"""Nodes searched here between two calls of the control."""
_PART_NODES = 10_000_000
"""Nodes after which a part comes back to be cut in two: about a second."""
_INTERVAL = 0.1
"""Seconds between two calls of the control."""


class Part(NamedTuple):
    """A part of the tree of one bound: nodes and the path to them, as the engine stacks them."""

    nodes: bytes
    path: bytes

    def put_into(self, piece: Piece) -> None:
        """Let a piece hold it."""
        piece.take(memoryview(self.nodes).cast("Q"), memoryview(self.path).cast("I"))

    def halves(self, width: int) -> list[Part]:
        """Return every second node, from the shallowest, and the others; nodes have `width` words.

        Of a single node there is no second half.
        """
        size = 8 * width
        nodes = [self.nodes[place : place + size] for place in range(0, len(self.nodes), size)]
        both = (b"".join(nodes[0::2]), b"".join(nodes[1::2]))
        return [Part(half, self.path) for half in both if half]


def part_of(piece: Piece) -> Part:
    """Return what a piece holds."""
    return Part(piece.words.tobytes(), piece.path.tobytes())


class PartDone(NamedTuple):
    """What became of a part."""

    generated: int
    solution: Cells | None
    """The blank's cells along a solution; None when there is none."""
    rest: Part | None
    """What is left to search; None when the part was searched to its end."""


def search_part(
    normal: Normal, tables: str | None, part: Part, most: int = _PART_NODES
) -> PartDone:
    """Search a part of a board's tree for about `most` nodes; runs on a worker."""
    from taquin.engine.cpu.team import Piece

    plan = ready(normal, tables, Control())
    piece = Piece((), plan.width)
    part.put_into(piece)
    generated = piece.search(plan, most)
    is_done = piece.solution is not None or not piece.size
    return PartDone(generated, piece.solution, None if is_done else part_of(piece))


@dataclass(slots=True)
class DistributedSearch:
    """The `Searcher` of `Deepening` that has each bound searched by workers."""

    normal: Normal
    tables: str | None
    plan: Plan
    start: Start
    executor: Executor
    workers: int
    nodes: int = 0
    _last: int = 0
    """Nodes of the bound before."""

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within the bound, () for none; None when it was ended early."""
        from taquin.engine.cpu.team import Piece

        expected, self.nodes = _GROWTH * self._last, 0
        piece = Piece(self.start.node(bound), self.plan.width)
        while expected < _SMALLEST_PART and self.nodes < _SMALLEST_PART and piece.size:
            if not keep_going() or self.nodes >= most:
                return None
            self.nodes += piece.search(self.plan, int(min(_SLICE, most - self.nodes)))
            if piece.solution is not None:
                return piece.solution
        waiting, solution = self._cut(piece, max(expected, _GROWTH * self.nodes))
        running: set[Future[PartDone]] = set()
        try:
            while solution is None and (waiting or running):
                if not keep_going() or self.nodes >= most:
                    return None
                while waiting and len(running) < 2 * self.workers:
                    arguments = (self.normal, self.tables, waiting.popleft())
                    running.add(self.executor.submit(search_part, *arguments))
                finished, running = wait(running, _INTERVAL, FIRST_COMPLETED)
                for future in finished:
                    done = future.result()
                    self.nodes += done.generated
                    solution = solution or done.solution
                    if done.rest is not None:
                        waiting.extend(done.rest.halves(self.plan.width))
        finally:
            for future in running:
                future.cancel()
        self._last = self.nodes
        return solution or ()

    def _cut(self, piece: Piece, expected: int) -> tuple[deque[Part], Cells | None]:
        """Return a tree of some size in parts, and the solution if cutting comes upon one."""
        parts = deque([part_of(piece)] if piece.size else [])
        wanted = min(_PARTS_PER_WORKER * self.workers, expected // _SMALLEST_PART)
        for _ in range(4 * wanted):
            if not parts or len(parts) >= wanted:
                break
            parts.popleft().put_into(piece)
            self.nodes += piece.search(self.plan, _CUT)
            if piece.solution is not None:
                return deque(), piece.solution
            if piece.size:
                parts.extend(part_of(piece).halves(self.plan.width))
        return parts, None


_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?")
_MOST_WORKERS = 1024
_LENT = object()
"""Stands for the cluster of a client that the caller made, and closes."""
_WORKER_MEMORY = 100_000_000
"""Bytes that a worker takes before it has done anything."""


class Connection:
    """A client of a Dask scheduler, for whatever `connect` takes; the engine and the lab use it."""

    def __init__(self, address: Any) -> None:
        """Raise what `connect` raises."""
        self.client, self._local = connect(address)
        self.executor: Executor = self.client.get_executor(pure=False)

    def threads(self) -> int:
        """Return the number of threads of all workers now; at least 1."""
        counts: dict[str, int] = self.client.nthreads()
        return max(1, sum(counts.values()))

    def close(self) -> None:
        """Close the client unless the caller made it, and stop the workers that this started."""
        if self._local is not _LENT:
            try:
                self.client.close(timeout=_PATIENCE)
            finally:
                if self._local is not None:
                    self._local.close(timeout=_PATIENCE)


def connect(address: Any) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

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
        # Dask would start a cluster of its own choice.
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
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # Any free port: two clusters may run beside each other.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=CRITICAL,
                )
        if where is not None or isfile(address):
            return distributed.Client(scheduler_file=address, timeout=_PATIENCE), None
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except Exception as error:
        # Dask raises whatever the parser of addresses, the resolver and the sockets raise.
        if local is not None:
            with suppress(Exception):
                local.close()
        cause = " ".join((str(error) or type(error).__name__).split())[:200]
        raise MissingError(
            f"no Dask scheduler answers at {shorten(address, 60)}: {cause}; expected an address "
            f"such as tcp://host:8786, a scheduler file, or local:4 for four workers here"
        ) from None


def local_workers(address: Any) -> int | None:
    """Return the number of workers that `local` or `local:N` asks for; None for anything else."""
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

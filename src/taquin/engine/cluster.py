"""One very hard board on many machines: the tree of each bound cut into tasks for Dask workers.

    bound 57    ┌ task ┐ ┌ task ┐ ┌ task ┐ …     nodes of the tree, each with what lies below it
                worker 1   worker 2   worker 1     a task that grows too large comes back in part
    bound 59    begins when every task of bound 57 is done

Tasks are plain numbers (a stack of nodes and the path to them), so any `concurrent.futures`
executor can run them: a pool of processes, Dask's `Client.get_executor()`, or a fake in the same
thread. A worker keeps its tables mapped from task to task. A solution calls off the tasks that have
not begun; those that have end within a few seconds by themselves. Every node is expanded once, by
whichever worker, so the node count of a completed bound does not depend on how many there are.
"""

from __future__ import annotations

import re
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from taquin.engine.cpu.engine import CLASSIC_ONLY, method, ready
from taquin.engine.deepening import Deepening
from taquin.engine.seam import FITS, Fit, Settled, compiled_fit, refutation
from taquin.errors import InputError, MissingError
from taquin.search.control import Control
from taquin.search.result import EngineTag, Result, Task
from taquin.system.machine import safe_memory, usable_cores
from taquin.system.words import counted, shorten
from taquin.tables.shape import Cells, Normal, normal_form

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from taquin.engine.cpu.stacks import Piece, Plan, Start

_CUT = 4_000
"""Nodes searched to make one node of the tree into several."""
_TASKS_PER_WORKER = 16
"""Tasks a bound is cut into at first: enough that no worker idles while another is busy."""
_TASK_NODES = 10_000_000
"""Nodes after which a task comes back, its rest to be dealt out anew: about a second."""
_LOOK = 0.1
"""Seconds between two looks at limits and progress."""
_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_HERE = "local"
_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?")
_MOST_WORKERS = 1024
_WORKER_MEMORY = 100_000_000
"""Bytes that a worker takes before it has done anything."""


@dataclass(frozen=True, slots=True)
class Cluster(Settled):
    """The compiled search, shared out to workers."""

    address: str | None = None
    """Address of a Dask scheduler, or `local:N` for N workers on this machine."""
    tables: str | None = "small"
    """The set of pattern tables: `small`, `large`, or None."""
    hands: tuple[Executor, int] | None = field(default=None, repr=False)
    """In place of an address: what runs the tasks, and how many of them at once."""

    name = "cluster"
    summary = "the compiled search on the workers of a Dask scheduler"

    def available(self) -> Fit:
        """Tell whether Dask is there."""
        if self.hands is None and not find_spec("distributed"):
            return Fit(False, "it needs Dask: pip install 'taquin[cluster]'")
        return FITS

    def fits(self, task: Task) -> Fit:
        """Tell whether there is a cluster, and the task is a classic puzzle."""
        if self.address is None and self.hands is None:
            return Fit(False, "it needs the address of a Dask scheduler, or local:N")
        if normal_form(task.puzzle, task.start) is None:
            return Fit(False, CLASSIC_ONLY)
        fit = self.available()
        return compiled_fit(task) if fit else fit

    def solve(self, task: Task, control: Control) -> Result:
        """Return a shortest solution, searched by all workers together."""
        deepening = Deepening(control)
        normal = normal_form(task.puzzle, task.start)
        assert normal is not None, "the task fits"
        workers = 0
        if not normal.solvable:
            control.refute(refutation(task))
        else:
            control.prove(normal.manhattan)
            with control.guard(), interrupts_end(control), ExitStack() as held:
                # A scheduler elsewhere may not answer, so it is asked first; workers here are
                # started when there is time left for them.
                is_here = self.address is not None and workers_here(self.address) is not None
                hands = None if is_here else held.enter_context(self._executor())
                plan = ready(normal, self.tables, control)
                start = plan.start(normal)
                control.prepare("starting the workers")
                executor, workers = hands or held.enter_context(self._executor())
                control.begin()
                work = _Work(normal, self.tables, plan, start, executor, workers)
                deepening.run(start.estimate, work)
        tag = EngineTag(self.name, counted(workers, "worker") if workers else "")
        return deepening.result(task, method(self.tables), tag)

    @contextmanager
    def _executor(self) -> Iterator[tuple[Executor, int]]:
        if self.hands is not None:
            yield self.hands
            return
        assert self.address is not None, "the task fits"
        client, local = connect(self.address)
        try:
            yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))
        finally:
            disconnect(client, local)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the tree of one bound, for any worker."""

    normal: Normal
    """The board."""
    tables: str | None
    """The set of pattern tables to use."""
    nodes: bytes
    """The nodes to search, as the engine stacks them."""
    path: bytes
    """The blank's cells above them."""


@dataclass(frozen=True, slots=True)
class PartDone:
    """What became of a part."""

    generated: int
    """Nodes generated."""
    blanks: Cells | None
    """The blank's cells along a solution, if one was met."""
    rest: tuple[bytes, bytes] | None
    """Nodes and path of what is left to search; None when it was searched to its end."""


def work_on(part: Part, most: int = _TASK_NODES) -> PartDone:
    """Search a part for about `most` nodes; runs on a worker."""
    import numpy as np

    from taquin.engine.cpu.stacks import Piece

    plan = ready(part.normal, part.tables, Control())
    piece = Piece(np.frombuffer(part.nodes, np.uint64), plan.width)
    piece.path[:] = np.frombuffer(part.path, np.uint8)
    generated = piece.search(plan, most)
    if piece.solution is not None:
        return PartDone(generated, piece.solution, None)
    return PartDone(generated, None, _packed(piece) if piece.size else None)


@dataclass(slots=True)
class _Work:
    """One board under way: what `Deepening` asks to search each bound."""

    normal: Normal
    tables: str | None
    plan: Plan
    start: Start
    executor: Executor
    workers: int
    nodes: int = 0

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within the bound, () for none; None when it was ended early."""
        from taquin.engine.cpu.stacks import Piece

        self.nodes = 0
        waiting, blanks = self._cut(Piece(self.start.node(bound), self.plan.width))
        # Only a search that is shared out needs it, and importing it costs every start-up.
        from concurrent.futures import FIRST_COMPLETED, wait

        running: set[Future[PartDone]] = set()
        try:
            while blanks is None and (waiting or running):
                if not keep_going() or self.nodes >= most:
                    return None
                while waiting and len(running) < 2 * self.workers:
                    part = Part(self.normal, self.tables, *waiting.popleft())
                    running.add(self.executor.submit(work_on, part))
                finished, running = wait(running, _LOOK, FIRST_COMPLETED)
                for future in finished:
                    done = future.result()
                    self.nodes += done.generated
                    blanks = blanks or done.blanks
                    if done.rest is not None:
                        waiting.extend(self._halves(*done.rest))
        finally:
            for future in running:
                future.cancel()
        return blanks or ()

    def _cut(self, root: Piece) -> tuple[deque[tuple[bytes, bytes]], Cells | None]:
        """Return the tree of a bound in parts, or its solution if cutting comes upon it."""
        parts = deque([root])
        wanted = _TASKS_PER_WORKER * self.workers
        for _ in range(4 * wanted):
            if not parts or len(parts) >= wanted:
                break
            piece = parts.popleft()
            self.nodes += piece.search(self.plan, _CUT)
            if piece.solution is not None:
                return deque(), piece.solution
            if piece.size > 1:
                parts.append(piece.split())
            if piece.size:
                parts.append(piece)
        return deque(_packed(piece) for piece in parts), None

    def _halves(self, nodes: bytes, path: bytes) -> list[tuple[bytes, bytes]]:
        """Deal the nodes of a part that came back out to two."""
        import numpy as np

        words = np.frombuffer(nodes, np.uint64).reshape(-1, self.plan.width)
        return [(part.tobytes(), path) for part in (words[0::2], words[1::2]) if len(part)]


def _packed(piece: Piece) -> tuple[bytes, bytes]:
    return piece.words.tobytes(), piece.path.tobytes()


@contextmanager
def interrupts_end(control: Control) -> Iterator[None]:
    """Let Ctrl-C end a search at its next tick, not in the midst of Dask; a second one at once."""
    # Only a search that is shared out needs it, and importing it costs every start-up.
    from threading import current_thread, main_thread

    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return

    def note(number: int, frame: object) -> None:
        if control.is_over:
            raise KeyboardInterrupt
        control.stop("interrupted")

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def connect(address: str) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    Raise InputError for a number of workers that this machine cannot have, MissingError when Dask
    is not installed, or no scheduler answers.
    """
    # As late as Dask itself, for importing it costs every start-up.
    from logging import CRITICAL

    if not address.strip():
        # Dask would start a cluster of its own choice.
        raise InputError(
            "expected the address of a Dask scheduler, such as tcp://host:8786, or local:4 for "
            "four workers here; found nothing"
        )
    workers = workers_here(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(
            "a cluster needs Dask, which is not installed: pip install 'taquin[cluster]'"
        ) from None
    local: Any = None
    try:
        if workers is not None:
            with deaf_children():
                local = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # Any free port: two clusters may run beside each other.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=CRITICAL,
                )
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except Exception as error:
        # Dask raises whatever the parser of addresses, the resolver and the sockets raise.
        if local is not None:
            with suppress(Exception):
                local.close()
        raise MissingError(
            f"no Dask scheduler answers at {shorten(address, 60)}: {_shown(error)}; expected an "
            f"address such as tcp://host:8786, or local:4 for four workers here"
        ) from None


def workers_here(address: str) -> int | None:
    """Return the number of workers that `local` or `local:N` asks for; None for an address."""
    if not address.startswith(_HERE):
        return None
    memory = safe_memory()
    most = _MOST_WORKERS if memory is None else min(_MOST_WORKERS, memory // _WORKER_MEMORY)
    match = _LOCAL.fullmatch(address)
    wanted = int(match[1] or usable_cores()) if match else 0
    if not 1 <= wanted <= max(1, most):
        raise InputError(
            f"expected local:N with N from 1 to {max(1, most)}, the workers that this machine has "
            f"memory for, found {shorten(address)}"
        )
    return wanted


@contextmanager
def deaf_children() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all of them, from the processes made in the block.

    A blocked signal stays blocked in the threads and the processes that are made meanwhile; here it
    is only put off to the end of the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    # Started by the first child, it would unblock the signal on its way.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _shown(error: Exception) -> str:
    return " ".join((str(error) or type(error).__name__).split())[:200]


def disconnect(client: Any, local: Any) -> None:
    """Let go of a scheduler, and stop the cluster that `connect` started, whatever happens."""
    try:
        client.close(timeout=_PATIENCE)
    finally:
        if local is not None:
            local.close(timeout=_PATIENCE)

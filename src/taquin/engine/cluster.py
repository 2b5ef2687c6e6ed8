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
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from taquin.engine.cpu.engine import CLASSIC_ONLY, method, ready
from taquin.engine.deepening import Deepening
from taquin.engine.seam import FITS, Fit, Settled, compiled_fit, refutation
from taquin.errors import MissingError
from taquin.search.control import Control
from taquin.search.result import EngineTag, Result, Task
from taquin.system.machine import usable_cores
from taquin.system.words import counted
from taquin.tables.shape import Cells, Normal, normal_form

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from taquin.engine.cpu.stacks import Piece, Plan, Start

_CUT = 4_000
"""Nodes searched to make one node of the tree into several."""
_TASKS_PER_WORKER = 16
"""Tasks a bound is cut into at first: enough that no worker idles while another is busy."""
_TASK_NODES = 40_000_000
"""Nodes after which a task comes back, its rest to be dealt out anew: a few seconds."""
_LOOK = 0.1
"""Seconds between two looks at limits and progress."""
_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_LOCAL = re.compile(r"local(?::([1-9][0-9]{0,3}))?")


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
            with control.guard(), self._executor() as (executor, workers):
                plan = ready(normal, self.tables, control)
                start = plan.start(normal)
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
        client, local = connect(self.address or "local")
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


def connect(address: str) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    Raise MissingError when Dask is not installed, or no scheduler answers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(
            "a cluster needs Dask, which is not installed: pip install 'taquin[cluster]'"
        ) from None
    match = _LOCAL.fullmatch(address)
    local: Any = None
    try:
        if match:
            local = distributed.LocalCluster(
                n_workers=int(match[1] or usable_cores()),
                threads_per_worker=1,
                host="127.0.0.1",
                # Any free port: two clusters may run beside each other.
                dashboard_address="127.0.0.1:0",
                memory_limit=None,
            )
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except (OSError, ValueError, RuntimeError) as error:
        if local is not None:
            with suppress(Exception):
                local.close()
        raise MissingError(
            f"no Dask scheduler answers at {address}: {error}; expected an address such as "
            f"tcp://host:8786, or local:4 for four workers here"
        ) from None


def disconnect(client: Any, local: Any) -> None:
    """Let go of a scheduler, and stop the cluster that `connect` started, whatever happens."""
    try:
        client.close(timeout=_PATIENCE)
    finally:
        if local is not None:
            local.close(timeout=_PATIENCE)

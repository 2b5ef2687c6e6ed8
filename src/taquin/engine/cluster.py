"""One very hard board on many machines: the tree of each bound cut into parts for Dask workers.

    bound 57    ┌ part ┐ ┌ part ┐ ┌ part ┐ …     nodes of the tree, each with what lies below it
                worker 1   worker 2   worker 1     a part that grows too large comes back to be cut
    bound 59    begins when every part of bound 57 is done

`parts.py` cuts and gathers them, `dask.py` finds or starts the workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from taquin.engine.base import FITS, Engine, Fit
from taquin.engine.classic import begin, classic_fit, method
from taquin.engine.cpu.engine import ready
from taquin.engine.deepening import Deepening
from taquin.search.control import Control
from taquin.search.result import EngineTag, Result, Task
from taquin.system.extras import install_command
from taquin.system.interrupts import DeferredInterrupts
from taquin.system.words import counted

if TYPE_CHECKING:
    from concurrent.futures import Executor


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
        from taquin.engine.dask import local_workers
        from taquin.engine.parts import DistributedSearch

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
        from taquin.engine.dask import connect, disconnect

        assert self.address is not None, "the task fits"
        client, local = connect(self.address)
        try:
            yield client.get_executor(pure=False), max(1, sum(client.nthreads().values()))
        finally:
            disconnect(client, local)

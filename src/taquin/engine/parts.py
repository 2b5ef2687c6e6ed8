"""Cut the tree of one bound into parts that any worker can search, and gather what comes back.

A part is plain data (a stack of nodes and the path to them), so any `concurrent.futures` executor
can run it: a pool of processes, Dask's `Client.get_executor()`, or a fake in the same thread. A
worker keeps its tables mapped from part to part. A solution cancels the parts that have not begun;
the others end by themselves within seconds. Each node is expanded once, by one worker, so the node
count of a completed bound does not depend on the number of workers.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from taquin.engine.cpu.engine import ready
from taquin.search.control import Control
from taquin.tables.shape import Cells, Normal

if TYPE_CHECKING:
    from taquin.engine.cpu.stacks import Piece, Plan, Start

_CUT = 4_000
"""Nodes searched to make one node of the tree into several."""
_PARTS_PER_WORKER = 16
"""Parts a bound is cut into at first: enough that no worker idles while another is busy."""
_PART_NODES = 10_000_000
"""Nodes after which a part comes back to be cut in two: about a second."""
_INTERVAL = 0.1
"""Seconds between two calls of the control."""


class Part(NamedTuple):
    """A part of the tree of one bound: nodes and the path to them, as the engine stacks them."""

    nodes: bytes
    path: bytes


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
    from taquin.engine.cpu.stacks import Piece

    plan = ready(normal, tables, Control())
    piece = Piece(memoryview(part.nodes).cast("Q"), plan.width)
    piece.path[:] = memoryview(part.path).cast("I")
    generated = piece.search(plan, most)
    is_done = piece.solution is not None or not piece.size
    return PartDone(generated, piece.solution, None if is_done else _part(piece))


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

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within the bound, () for none; None when it was ended early."""
        from taquin.engine.cpu.stacks import Piece

        self.nodes = 0
        waiting, solution = self._cut(Piece(self.start.node(bound), self.plan.width))
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
                        waiting.extend(self._halves(done.rest))
        finally:
            for future in running:
                future.cancel()
        return solution or ()

    def _cut(self, root: Piece) -> tuple[deque[Part], Cells | None]:
        """Return the tree of a bound in parts, and the solution if cutting comes upon one."""
        pieces = deque([root])
        wanted = _PARTS_PER_WORKER * self.workers
        for _ in range(4 * wanted):
            if not pieces or len(pieces) >= wanted:
                break
            piece = pieces.popleft()
            self.nodes += piece.search(self.plan, _CUT)
            if piece.solution is not None:
                return deque(), piece.solution
            if piece.size > 1:
                pieces.append(piece.split())
            if piece.size:
                pieces.append(piece)
        return deque(map(_part, pieces)), None

    def _halves(self, part: Part) -> list[Part]:
        from taquin.engine.cpu.stacks import halves

        nodes = memoryview(part.nodes).cast("Q").tolist()
        both = halves(nodes, self.plan.width)
        return [Part(array("Q", half).tobytes(), part.path) for half in both if half]


def _part(piece: Piece) -> Part:
    return Part(piece.words.tobytes(), piece.path.tobytes())

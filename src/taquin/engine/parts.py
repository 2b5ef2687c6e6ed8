"""Cut the tree of one bound into parts that any worker can search, and gather what comes back.

A part is plain data (a stack of nodes and the path to them), so any `concurrent.futures` executor
can run it: a pool of processes, Dask's `Client.get_executor()`, or a fake in the same thread. A
worker keeps its tables mapped from part to part. A solution cancels the parts that have not begun;
the others end by themselves within seconds. Each node is expanded once, by one worker, so the node
count of a completed bound does not depend on the number of workers.
"""

from __future__ import annotations

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
    from taquin.engine.cpu.stacks import Piece

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
        from taquin.engine.cpu.stacks import Piece

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

"""The tree of one bound in parts that any worker can search, dealt out and gathered.

Parts are plain numbers (a stack of nodes and the path to them), so any `concurrent.futures`
executor can run them: a pool of processes, Dask's `Client.get_executor()`, or a fake in the same
thread. A worker keeps its tables mapped from part to part. A solution calls off the parts that have
not begun; those that have end within a few seconds by themselves. Every node is expanded once, by
whichever worker, so the node count of a completed bound does not depend on how many there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
"""Nodes after which a part comes back, its rest to be dealt out anew: about a second."""
_LOOK = 0.1
"""Seconds between two looks at limits and progress."""


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
    """The way to them, as the engine notes it."""


@dataclass(frozen=True, slots=True)
class PartDone:
    """What became of a part."""

    generated: int
    """Nodes generated."""
    blanks: Cells | None
    """The blank's cells along a solution, if one was met."""
    rest: tuple[bytes, bytes] | None
    """Nodes and path of what is left to search; None when it was searched to its end."""


def work_on(part: Part, most: int = _PART_NODES) -> PartDone:
    """Search a part for about `most` nodes; runs on a worker."""
    import numpy as np

    from taquin.engine.cpu.stacks import Piece

    plan = ready(part.normal, part.tables, Control())
    piece = Piece(np.frombuffer(part.nodes, np.uint64), plan.width)
    piece.path[:] = np.frombuffer(part.path, np.uint32)
    generated = piece.search(plan, most)
    if piece.solution is not None:
        return PartDone(generated, piece.solution, None)
    return PartDone(generated, None, _packed(piece) if piece.size else None)


@dataclass(slots=True)
class Work:
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
        wanted = _PARTS_PER_WORKER * self.workers
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

"""The warps of a GPU: stacks of nodes, searched in rounds, dealt out again between them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import Array, Device, Launch
from taquin.engine.gpu.plan import GpuPlan, Views

_RANKED_BLOCKS, _DIRECT_BLOCKS = (896, 1), (640, 2)
"""Threads of a block, and blocks that share a multiprocessor, with large patterns and without: one
block has the first cache to itself; without large patterns registers allow more threads."""
CAPACITY = 1024
"""Usual nodes of a stack: 32 expanded together, some hundred deep, leave about five hundred."""
_ROUND = 2048
"""Expansions of a warp in a launch: some hundredths of a second."""
_SHORT_ROUND = 3
_STATE_WORDS = 8
"""Words before the stacks' tops: a solution, idle warps, a solution of the next bound, none, and
twice two for the nodes generated, of this bound and of the next."""


@dataclass(frozen=True, slots=True)
class NodeStacks:
    """Stacks of nodes on the GPU."""

    words: Array
    """Their nodes."""
    heights: NDArray[np.uint32]
    """Nodes on each."""
    capacity: int
    """Most nodes of each."""

    def numbering(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return how many nodes lie below each place, and the stacks, the highest first.

        So nodes are numbered from the bottoms of all stacks to their tops.
        """
        # Numbers of 16 bits are sorted five times as fast, and no stack is that high.
        order = np.argsort((0xFFFF - self.heights).astype(np.uint16), kind="stable")
        at_place = len(order) - np.cumsum(np.bincount(self.heights))[:-1]
        starts = np.cumsum(at_place) - at_place
        return starts.astype(np.uint32), order.astype(np.uint32)


def settings_of(
    device: Device, views: Views, *, trace: int = 0, many: bool = False
) -> dict[str, int]:
    """Return what `search.cu` is compiled with for the warps of a GPU."""
    threads, blocks = _RANKED_BLOCKS if views.ranked else _DIRECT_BLOCKS
    if device.lanes == 1:
        threads = blocks = 1
    own = {"TRACE": trace, "MANY": many, "THREADS": threads, "BLOCKS": blocks}
    return views.settings | own


class StackMemory:
    """Memory for stacks, shared by warps that never search at the same time."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.stacks: Array = device.xp.zeros(0, np.uint32)
        """The nodes of all stacks."""
        self.spare: Array = self.stacks
        """As much again, to deal nodes out."""

    def reserve(self, words: int) -> None:
        """Make arrays of at least so many words; what they held is lost if they were smaller."""
        # What is too small is given back first: only tables are larger than stacks.
        if len(self.stacks) < words:
            self.stacks = self.spare = self._device.xp.zeros(0, np.uint32)
            self.stacks = self._device.xp.zeros(words, np.uint32)
            self.spare = self._device.xp.zeros(words, np.uint32)

    def swap(self) -> None:
        """Let stacks and spare ones change places."""
        self.stacks, self.spare = self.spare, self.stacks


class Warps:
    """All warps of the GPU with the nodes of one plan.

    Nodes have `trace` words of history. Stacks of a larger `capacity` take more nodes at once.
    """

    def __init__(
        self,
        plan: GpuPlan,
        memory: StackMemory,
        *,
        trace: int = 0,
        many: bool = False,
        capacity: int = CAPACITY,
    ) -> None:
        device, xp = plan.device, plan.device.xp
        self._memory = memory
        self.plan, self.many, self.capacity = plan, many, capacity
        self.width = plan.width + trace
        self.lanes = device.lanes
        self.pairs = 2 * device.lanes if device.lanes > 1 else 4
        self._settings = settings_of(device, plan.views, trace=trace, many=many)
        threads, blocks = self._settings["THREADS"], self._settings["BLOCKS"]
        self._threads, self._blocks = threads, blocks * device.processors
        self.warps = self._threads * self._blocks // device.lanes
        self._search, self._deal = map(self.kernel, ("search", "deal"))
        self._shared = len(plan.struct) + threads // device.lanes * 4 * device.lanes * (
            self.width + 1
        )
        memory.reserve(self.warps * capacity * self.width)
        self._state = xp.zeros(_STATE_WORDS + self.warps, np.uint32)
        self.solved = xp.zeros(1, np.uint32)
        self.solutions = xp.zeros(max(1, trace), np.uint32)
        self.tops = np.zeros(self.warps, np.uint32)
        """Nodes on each stack."""
        self.generated = 0
        """Nodes generated since the last `clear`."""
        self.solution = 0
        """One more than the origin of a solution found since the last `clear`; 0 for none."""
        self.near = 0
        """Where fewer moves are left, nodes of the next bound are searched ahead."""
        self.generated_ahead = 0
        """Nodes of the next bound generated since the last `clear`."""
        self.solution_ahead = 0
        """As `solution`, one of the next bound."""

    @property
    def total(self) -> int:
        """Nodes on all stacks."""
        return int(self.tops.sum())

    @property
    def most(self) -> int:
        """The number of nodes that `put` can take, with enough room for their children."""
        return self.warps * (self.capacity - 4 * self.lanes) // 2

    def kernel(self, name: str) -> Launch:
        """Return a kernel of the search, compiled for these nodes."""
        return self.plan.device.kernel("search.cu", name, self._settings)

    def load(self, nodes: Array) -> None:
        """Begin with these nodes, a row of words each without history, the last ones on top."""
        count, width = nodes.shape
        whole = self.plan.device.xp.zeros((count, self.width), np.uint32)
        whole[:, :width] = self.plan.device.xp.asarray(nodes)
        self.clear()
        self.put(count, self.in_columns(whole))

    def put(self, count: int, columns: Array) -> None:
        """Deal nodes to all warps, which have none, and go on with these."""
        if not count:
            self.tops = np.zeros(self.warps, np.uint32)
            return
        # As many short stacks: the places of one high stack would be listed one by one.
        heights = np.full(-(-count // CAPACITY), CAPACITY, np.uint32)
        heights[-1:] -= np.uint32(-count % CAPACITY)
        self._deal_out(NodeStacks(columns, heights, CAPACITY), self._memory.stacks, self.warps)

    def in_columns(self, rows: Array) -> Array:
        """Return rows of words in the order in which lanes read them."""
        xp, lanes, (count, width) = self.plan.device.xp, self.lanes, rows.shape
        whole = xp.zeros((-(-count // lanes) * lanes, width), np.uint32)
        whole[:count] = rows
        columns = whole.reshape(-1, lanes, width).transpose(0, 2, 1)
        return xp.ascontiguousarray(columns).reshape(-1)

    @property
    def stacks(self) -> NodeStacks:
        """All nodes."""
        return NodeStacks(self._memory.stacks, self.tops, self.capacity)

    def round(self, most: float = inf) -> bool:
        """Search for a while; return False, and do nothing, when `most` nodes are too few for that.

        A round ends after its expansions, at a solution, or when too many warps are out of work. A
        small tree has short rounds, so that all warps soon have nodes.
        """
        workers = self.warps
        expansions = _ROUND if self.total >= workers * self.lanes else _SHORT_ROUND
        if most < workers * self.pairs * expansions:
            expansions = max(1, int(most) // (workers * self.pairs))
            workers = min(workers, int(most) // self.pairs)
            if self.total > workers * self.capacity // 2:
                return False
        self._deal_if_uneven(workers)
        state = self._state
        state[:2] = 0
        idle = self.warps - int(np.count_nonzero(self.tops))
        self._search(
            *(self._blocks, self._threads, self._shared, self.plan.struct, self._memory.stacks),
            *(state[_STATE_WORDS:], np.uint32(self.capacity), np.uint32(expansions)),
            np.uint32(idle + (self.warps - idle) // 12),
            *(state[:4], state[4:8], self.solved, self.solutions, np.uint32(self.near)),
        )
        state = self.plan.device.host(state)
        self.solution, self.solution_ahead = int(state[0]), int(state[2])
        self.generated, self.generated_ahead = map(int, state[4:8].view(np.uint64))
        self.tops = state[_STATE_WORDS:]
        return True

    def _deal_if_uneven(self, workers: int) -> None:
        """Deal the nodes to `workers` warps if some of them have none while others have more."""
        busy = int(np.count_nonzero(self.tops[:workers]))
        is_crowded = int(self.tops.max()) > self.capacity * 3 // 4
        if self.tops[workers:].any() or is_crowded or (busy < workers and self.total > busy):
            self._deal_out(self.stacks, self._memory.spare, workers)
            self._memory.swap()

    def _deal_out(self, source: NodeStacks, target: Array, workers: int) -> None:
        total = int(source.heights.sum())
        assert total <= workers * (self.capacity - 4 * self.lanes), "the stacks are large enough"
        xp = self.plan.device.xp
        starts, order = source.numbering()
        tops = self._state[_STATE_WORDS:]
        tops[:] = 0
        self._deal(
            *(8 * self._blocks, min(256, self._threads), 0, source.words),
            *(xp.asarray(starts), xp.asarray(order)),
            *map(np.uint32, (len(starts), source.capacity, total)),
            *(target, tops, np.uint32(workers), np.uint32(self.capacity)),
        )
        share, rest = divmod(total, workers)
        self.tops = np.zeros(self.warps, np.uint32)
        self.tops[:workers] = share
        self.tops[:rest] += 1

    def clear(self) -> None:
        """Forget what was generated and found."""
        self._state[:_STATE_WORDS] = 0
        if not self.many:
            self.solved[:] = 0
        self.generated = self.solution = self.generated_ahead = self.solution_ahead = 0

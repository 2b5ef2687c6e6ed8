"""The warps of a card: stacks of nodes, searched in rounds, dealt out again between them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import THREADS, Array, Card, Launch
from taquin.engine.gpu.plan import CardPlan, Views

_RANKED_BLOCKS, _DIRECT_BLOCKS = (1024, 1), (640, 2)
"""Threads of a block, and blocks that share a multiprocessor, with large patterns and without: one
block has the first cache to itself; without large patterns registers allow more threads."""
CAPACITY = 1024
"""Usual nodes of a stack: 32 expanded together, some hundred deep, leave about five hundred."""
_ROUND = 2048
"""Expansions of a warp in a launch: some hundredths of a second."""
_SHORT_ROUND = 3
_ROWS, _MOST_LEFT = 16, 511
"""Places for kept children that a warp takes at once, and the moves left in those without one."""
_STATE_WORDS = 8
"""Words before the stacks' tops: the solution, idle warps, two for nodes generated, kept ones."""


@dataclass(frozen=True, slots=True)
class NodeStacks:
    """Stacks of nodes on the card."""

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
        order = np.argsort(-self.heights.astype(np.int64), kind="stable")
        heights = self.heights[order]
        places = np.arange(int(heights[0]))
        at_place = len(heights) - np.searchsorted(heights[::-1], places, "right")
        starts = np.cumsum(at_place) - at_place
        return starts.astype(np.uint32), order.astype(np.uint32)


def settings_of(card: Card, views: Views, *, trace: int = 0, many: bool = False) -> dict[str, int]:
    """Return what `search.cu` is compiled with for the warps of a card."""
    threads, blocks = _RANKED_BLOCKS if views.ranked else _DIRECT_BLOCKS
    if card.lanes == 1:
        threads = blocks = 1
    own = {"TRACE": trace, "MANY": many, "THREADS": threads, "BLOCKS": blocks, "ROWS": _ROWS}
    return views.settings | own


class StackMemory:
    """Memory for stacks, shared by warps that never search at the same time."""

    def __init__(self, card: Card) -> None:
        self._card = card
        self.stacks: Array = card.xp.zeros(0, np.uint32)
        """The nodes of all stacks."""
        self.spare: Array = self.stacks
        """As much again, to deal nodes out."""
        self.kept: Array = self.stacks
        """Children that were cut off, for the next bound."""

    def reserve(self, words: int, kept_words: int) -> None:
        """Make arrays of at least so many words; what they held is lost if they were smaller."""
        # What is too small is given back first: only tables are larger than stacks.
        if len(self.stacks) < words:
            self.stacks = self.spare = self._card.xp.zeros(0, np.uint32)
            self.stacks = self._card.xp.zeros(words, np.uint32)
            self.spare = self._card.xp.zeros(words, np.uint32)
        if len(self.kept) < kept_words:
            self.kept = self._card.xp.zeros(0, np.uint32)
            self.kept = self._card.xp.zeros(kept_words, np.uint32)

    def swap(self) -> None:
        """Let stacks and spare ones change places."""
        self.stacks, self.spare = self.spare, self.stacks


class Warps:
    """All warps of the card with the nodes of one plan.

    Nodes have `trace` words of history. At most `keeps` children that are cut off are kept. Stacks
    of a larger `capacity` take more nodes at once.
    """

    def __init__(
        self,
        plan: CardPlan,
        memory: StackMemory,
        *,
        trace: int = 0,
        keeps: int = 0,
        many: bool = False,
        capacity: int = CAPACITY,
    ) -> None:
        card, xp = plan.card, plan.card.xp
        self._memory = memory
        self.plan, self.many, self.capacity = plan, many, capacity
        self.width = plan.width + trace
        self.lanes = card.lanes
        self.pairs = 2 * card.lanes if card.lanes > 1 else 4
        self._settings = settings_of(card, plan.views, trace=trace, many=many)
        threads, blocks = self._settings["THREADS"], self._settings["BLOCKS"]
        self._threads, self._blocks = threads, blocks * card.processors
        self.warps = self._threads * self._blocks // card.lanes
        self._search, self._deal = map(self.kernel, ("search", "deal"))
        self._shared = len(plan.struct) + threads // card.lanes * 4 * card.lanes * (self.width + 1)
        self.keeps = -(-keeps // _ROWS) * _ROWS
        """Most children that can be kept."""
        memory.reserve(self.warps * capacity * self.width, self.keeps * (self.width + 1))
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
        """Children with fewer moves left are kept when they are cut off."""
        self.kept = 0
        """Children that were to be kept since the last `clear`."""

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
        return self.plan.card.kernel("search.cu", name, self._settings)

    def load(self, nodes: Array) -> None:
        """Begin with these nodes, a row of words each without history, the last ones on top."""
        count, width = nodes.shape
        whole = self.plan.card.xp.zeros((count, self.width), np.uint32)
        whole[:, :width] = self.plan.card.xp.asarray(nodes)
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

    def kept_by_moves_left(self) -> Array:
        """Return the numbers of the kept children, those with the fewest moves left first."""
        return self.plan.card.xp.argsort(self._kept_moves_left).astype(np.uint32)

    def thin_out(self) -> None:
        """Drop the kept children with the most moves left if their memory is nearly full."""
        if self.kept < self.keeps * 3 // 4:
            return
        xp, kept, left = self.plan.card.xp, self._memory.kept, self._kept_moves_left
        counts = xp.zeros(_MOST_LEFT + 1, np.uint32)
        self._run("tally", kept, np.uint32(len(left)), counts)
        upto = np.cumsum(self.plan.card.host(counts))
        self.near = min(self.near, int(np.searchsorted(upto, self.keeps // 2, "right")))
        stay = int(upto[self.near - 1]) if self.near else 0
        # Those that stay fill the places of those that go.
        free = xp.flatnonzero(left[:stay] >= self.near).astype(np.uint32)
        last = xp.flatnonzero(left[stay:] < self.near).astype(np.uint32) + np.uint32(stay)
        self._run("move", kept, last, free, np.uint32(len(free)))
        self.kept = -(-stay // _ROWS) * _ROWS
        self._kept_rows[stay : self.kept, -1] = _MOST_LEFT << 3
        self._state[4] = self.kept

    def hatched(self, numbers: Array) -> tuple[int, Array]:
        """Return kept children as nodes of the next bound, in columns, and how many they are.

        Children that belong to a later bound are left out.
        """
        xp, lanes, count = self.plan.card.xp, self.lanes, len(numbers)
        nodes = xp.zeros(-(-count // lanes) * lanes * self.width, np.uint32)
        made = xp.zeros(1, np.uint32)
        self._run(
            *("hatch", self.plan.struct, self._memory.kept, numbers),
            *(np.uint32(count), nodes, made),
        )
        return int(made[0]), nodes

    def _run(self, name: str, *arguments: object) -> None:
        """Run a kernel that strides over its work."""
        self.kernel(name)(8 * self._blocks, min(THREADS, self._threads), 0, *arguments)

    @property
    def _kept_rows(self) -> Array:
        """The kept children, and some empty places: see `keep` in the kernel."""
        return self._memory.kept[: self.keeps * (self.width + 1)].reshape(-1, self.width + 1)

    @property
    def _kept_moves_left(self) -> Array:
        return self._kept_rows[: min(self.kept, self.keeps), -1] >> 3

    def in_columns(self, rows: Array) -> Array:
        """Return rows of words in the order in which lanes read them."""
        xp, lanes, (count, width) = self.plan.card.xp, self.lanes, rows.shape
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
            *(state[:2], state[2:4], self.solved, self.solutions),
            *(np.uint32(self.near), self._memory.kept, np.uint32(self.keeps), state[4:5]),
        )
        state = self.plan.card.host(state)
        self.solution = int(state[0])
        self.generated = int(state[2:4].view(np.uint64)[0])
        self.kept = int(state[4])
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
        xp = self.plan.card.xp
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
        """Forget what was generated, found and kept."""
        self._state[:_STATE_WORDS] = 0
        if not self.many:
            self.solved[:] = 0
        self.generated = self.solution = self.kept = 0

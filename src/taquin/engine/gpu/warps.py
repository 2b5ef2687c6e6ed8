"""The warps of a card: stacks of nodes, searched in rounds, dealt out again between them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.card import Array, Card
from taquin.engine.gpu.plan import CardPlan

_RANKED_BLOCKS, _DIRECT_BLOCKS = (1024, 1), (640, 2)
"""Threads of a block, and blocks that share a multiprocessor, with large patterns and without: one
block has the first cache to itself; without large patterns registers allow more threads."""
CAPACITY = 1024
"""Nodes of a stack: 32 expanded together, some hundred deep, leave about five hundred behind."""
_ROUND = 2048
"""Expansions of a warp in a launch: some hundredths of a second."""
_SHORT_ROUND = 3
_STATE_WORDS = 8
"""Words before the stacks' tops: the solution, idle warps, two for nodes generated, kept ones."""


@dataclass(frozen=True, slots=True)
class NodeStacks:
    """NodeStacks of nodes on the card."""

    words: Array
    """Their nodes."""
    heights: NDArray[np.uint32]
    """Nodes on each."""
    capacity: int
    """Most nodes of each."""
    width: int
    """Words of a node."""

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

    Nodes have `trace` words of history. At most `keeps` children that are cut off are kept.
    """

    def __init__(
        self,
        plan: CardPlan,
        memory: StackMemory,
        *,
        trace: int = 0,
        keeps: int = 0,
        many: bool = False,
    ) -> None:
        card, xp = plan.card, plan.card.xp
        self._memory = memory
        self.plan, self.trace, self.many = plan, trace, many
        self.width = plan.width + trace
        self.lanes = card.lanes
        self.pairs = 2 * card.lanes if card.lanes > 1 else 4
        threads, blocks = _RANKED_BLOCKS if plan.views.ranked else _DIRECT_BLOCKS
        if card.lanes == 1:
            threads = blocks = 1
        self._threads, self._blocks = threads, blocks * card.processors
        self.warps = self._threads * self._blocks // card.lanes
        own = {"TRACE": trace, "MANY": many, "THREADS": threads, "BLOCKS": blocks}
        settings = plan.settings | own
        self._search = card.kernel("search.cu", "search", settings)
        self._hatch = card.kernel("search.cu", "hatch", settings)
        self._deal = card.kernel("search.cu", "deal", settings)
        self._shared = len(plan.struct) + threads // card.lanes * 4 * card.lanes * (self.width + 1)
        self.keeps = -(-keeps // card.lanes) * card.lanes
        """Most children that can be kept."""
        memory.reserve(self.warps * CAPACITY * self.width, self.keeps * (self.width + 1))
        self._state = xp.zeros(_STATE_WORDS + self.warps, np.uint32)
        self.solved = xp.zeros(1, np.uint32)
        self.solutions = xp.zeros(max(1, trace), np.uint32)
        self.tops = np.zeros(self.warps, np.uint32)
        """Nodes on each stack."""
        self.generated = 0
        """Nodes generated since the last `load`."""
        self.solution = 0
        """One more than the origin of a solution found since the last `load`; 0 for none."""
        self.near = 0
        """Children with a smaller Manhattan distance are kept when they are cut off."""
        self.kept = 0
        """Children that were to be kept since the last `load`."""

    @property
    def total(self) -> int:
        """Nodes on all stacks."""
        return int(self.tops.sum())

    @property
    def most(self) -> int:
        """The number of nodes that `load` can take, with enough room for their children."""
        return self.warps * (CAPACITY - 4 * self.lanes) // 2

    def load(self, nodes: Array, *, numbered: bool = False) -> None:
        """Begin with these nodes, a row of words each, dealt to all warps, the last ones on top.

        A row may lack its history. With `numbered`, the origin of each is its number.
        """
        count, width = nodes.shape
        whole = self.plan.card.xp.zeros((count, self.width), np.uint32)
        whole[:, :width] = self.plan.card.xp.asarray(nodes)
        words = self._in_columns(whole)
        heights = np.array([count], np.uint32)
        stacks = NodeStacks(words, heights, len(words) // self.width, self.width)
        self._deal_out(stacks, self._memory.stacks, self.warps, numbered=numbered)
        self._clear()

    def kept_by_distance(self) -> Array:
        """Return the numbers of the kept children, those nearest to the goal first."""
        return self.plan.card.xp.argsort(self._kept_distances)

    def thin_out(self) -> None:
        """Drop the farther half of the kept children if their memory is nearly full."""
        if self.kept < self.keeps * 3 // 4:
            return
        xp, distances = self.plan.card.xp, self._kept_distances
        counts = self.plan.card.host(xp.bincount(distances, minlength=self.near))
        self.near = int(np.searchsorted(np.cumsum(counts), self.keeps // 2, "right"))
        numbers = xp.flatnonzero(distances < self.near)
        columns = self._in_columns(self._kept_rows(numbers))
        self._memory.kept[: len(columns)] = columns
        self.kept = len(numbers)
        self._state[4] = self.kept

    def hatched(self, numbers: Array) -> Array:
        """Return kept children as nodes of the next bound, a row each, in no order.

        Children that belong to a later bound are left out.
        """
        xp, lanes, count = self.plan.card.xp, self.lanes, len(numbers)
        kept = self._in_columns(self._kept_rows(numbers))
        nodes = xp.zeros(-(-count // lanes) * lanes * self.width, np.uint32)
        made = xp.zeros(1, np.uint32)
        self._hatch(
            *(8 * self._blocks, min(256, self._threads), 0, self.plan.struct),
            *(kept, np.uint32(count), nodes, made),
        )
        rows = nodes.reshape(-1, self.width, lanes).transpose(0, 2, 1).reshape(-1, self.width)
        return rows[: int(made[0])]

    @property
    def _kept_columns(self) -> Array:
        words = self._memory.kept[: self.keeps * (self.width + 1)]
        return words.reshape(-1, self.width + 1, self.lanes)

    @property
    def _kept_distances(self) -> Array:
        count = min(self.kept, self.keeps)
        return (self._kept_columns[:, -1].reshape(-1)[:count] >> 2).astype(np.int32)

    def _kept_rows(self, numbers: Array) -> Array:
        return self._kept_columns[numbers // self.lanes, :, numbers % self.lanes]

    def _in_columns(self, rows: Array) -> Array:
        """Return rows of words in the order in which lanes read them."""
        xp, lanes, (count, width) = self.plan.card.xp, self.lanes, rows.shape
        whole = xp.zeros((-(-count // lanes) * lanes, width), np.uint32)
        whole[:count] = rows
        columns = whole.reshape(-1, lanes, width).transpose(0, 2, 1)
        return xp.ascontiguousarray(columns).reshape(-1)

    def load_from(self, other: Warps) -> None:
        """Begin with the nodes of other warps; each keeps its number there as its origin."""
        self._deal_out(other.stacks, self._memory.stacks, self.warps, numbered=True)
        self._clear()

    @property
    def stacks(self) -> NodeStacks:
        """All nodes."""
        return NodeStacks(self._memory.stacks, self.tops, CAPACITY, self.width)

    def node(self, number: int) -> NDArray[np.uint32]:
        """Return one of all nodes, by the number that `load_from` gives it, as a row of words."""
        starts, order = self.stacks.numbering()
        place = int(np.searchsorted(starts, number, side="right")) - 1
        warp, lanes = int(order[number - int(starts[place])]), self.lanes
        first = (warp * CAPACITY + place // lanes * lanes) * self.width + place % lanes
        column = self._memory.stacks[first : first + (self.width - 1) * lanes + 1 : lanes]
        node: NDArray[np.uint32] = self.plan.card.host(column)
        return node[None, :]

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
            if self.total > workers * CAPACITY // 2:
                return False
        self._deal_if_uneven(workers)
        state = self._state
        state[:2] = 0
        idle = self.warps - int(np.count_nonzero(self.tops))
        self._search(
            *(self._blocks, self._threads, self._shared, self.plan.struct, self._memory.stacks),
            *(state[_STATE_WORDS:], np.uint32(CAPACITY), np.uint32(expansions)),
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
        is_crowded = int(self.tops.max()) > CAPACITY * 3 // 4
        if self.tops[workers:].any() or is_crowded or (busy < workers and self.total > busy):
            self._deal_out(self.stacks, self._memory.spare, workers)
            self._memory.swap()

    def _deal_out(
        self, source: NodeStacks, target: Array, workers: int, *, numbered: bool = False
    ) -> None:
        total = int(source.heights.sum())
        assert total <= workers * (CAPACITY - 4 * self.lanes), "the stacks are large enough"
        xp = self.plan.card.xp
        starts, order = source.numbering()
        tops = self._state[_STATE_WORDS:]
        tops[:] = 0
        self._deal(
            *(8 * self._blocks, min(256, self._threads), 0, source.words),
            *(xp.asarray(starts), xp.asarray(order)),
            *map(np.uint32, (len(starts), source.capacity, source.width, total)),
            *(target, tops),
            *map(np.uint32, (workers, CAPACITY, self.width, numbered)),
        )
        share, rest = divmod(total, workers)
        self.tops = np.zeros(self.warps, np.uint32)
        self.tops[:workers] = share
        self.tops[:rest] += 1

    def _clear(self) -> None:
        self._state[:_STATE_WORDS] = 0
        if not self.many:
            self.solved[:] = 0
        self.generated = self.solution = self.kept = 0

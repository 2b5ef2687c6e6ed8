"""Searches on the GPU: one bound of one board, or all bounds of many boards together.

    root ──► level 1 ──► level 2 ──► …     breadth first, until there are boards for all warps
    ──► their subtrees in parallel, each node with the number of its root: the search proper
    a solution ──► the subtree of its root once more, with history

`Warps` are the warps of the GPU with their `NodeStacks`, which are searched in rounds; between
rounds the nodes are redistributed. A `Frontier` is one of the first levels. It has a board once per
path to it, as in a depth-first search: detecting duplicates took longer than it saved.

`GpuSearcher` searches one board. Near the goal, nodes of the next bound are expanded too. That
takes a fifth more nodes and often finds a solution of the next bound. It is a shortest one once the
present bound is exhausted, and saves the next bound, the last and largest.

`GpuBatch` searches many boards. A node knows its board and carries its own slacks, so nodes of many
boards with different bounds share the stacks; when these are empty, unsolved boards continue with
the next bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from taquin.engine.gpu.device import THREADS, Array, Device, Launch
from taquin.engine.gpu.plan import GpuPlan, Views
from taquin.tables.shape import Cells, Normal, Shape

_RANKED_BLOCKS, _DIRECT_BLOCKS = (896, 1), (640, 2)
"""Threads of a block, and blocks that share a multiprocessor, with large patterns and without: one
block has the L1 cache to itself; without large patterns registers allow more threads."""
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
    """The maximum number of nodes of each."""

    def numbering(self) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Return the number of nodes below each place, and the stacks, the highest first.

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
    """Return the settings of `search.cu` for the warps of a GPU."""
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
        """A second array of equal size, to redistribute nodes."""

    def reserve(self, words: int) -> None:
        """Provide arrays of at least so many words; growing them loses their content."""
        # Free the smaller array first: only tables are larger than stacks.
        if len(self.stacks) < words:
            self.stacks = self.spare = self._device.xp.zeros(0, np.uint32)
            self.stacks = self._device.xp.zeros(words, np.uint32)
            self.spare = self._device.xp.zeros(words, np.uint32)

    def swap(self) -> None:
        """Swap the stacks with the spare array."""
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
        """One more than the origin of a solution of the next bound; 0 for none."""

    @property
    def total(self) -> int:
        """Nodes on all stacks."""
        return int(self.tops.sum())

    @property
    def most(self) -> int:
        """The number of nodes that `put` can take, with enough space for their children."""
        return self.warps * (self.capacity - 4 * self.lanes) // 2

    def kernel(self, name: str) -> Launch:
        """Return a kernel of the search, compiled for these nodes."""
        return self.plan.device.kernel("search.cu", name, self._settings)

    def load(self, nodes: Array) -> None:
        """Begin with these nodes (rows of words without history), the last ones on top."""
        count, width = nodes.shape
        whole = self.plan.device.xp.zeros((count, self.width), np.uint32)
        whole[:, :width] = self.plan.device.xp.asarray(nodes)
        self.clear()
        self.put(count, self.in_columns(whole))

    def put(self, count: int, columns: Array) -> None:
        """Distribute nodes to all warps, whose stacks are empty."""
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
        """Search one round; return False, without searching, if `most` nodes are too few for one.

        A round ends after its expansions, at a solution, or when too many warps are out of work.
        Small trees have short rounds, so that all warps soon get nodes.
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
        """Redistribute nodes to `workers` warps if some of them have none and others have more."""
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
        """Reset the counts and solutions."""
        self._state[:_STATE_WORDS] = 0
        if not self.many:
            self.solved[:] = 0
        self.generated = self.solution = self.generated_ahead = self.solution_ahead = 0


DEEPEST = 31
"""The last level: a path has two bits a move in a word of 64."""
_EVERY_BIT = 2**64 - 1


class Frontier:
    """One level of a tree on the GPU, with the paths to its nodes."""

    def __init__(self, warps: Warps) -> None:
        self._warps = warps
        self._device = warps.plan.device
        self._expand = warps.kernel("expand")
        self._nodes: Array = None
        self._paths: Array = None
        self.count = 0
        """Nodes of the level."""
        self.depth = 0
        """Moves from the root to the level."""
        self.generated = 0
        """Nodes generated since `begin`."""
        self.solution: int | None = None
        """The path to a goal within the levels so far, if any."""

    def begin(self, root: NDArray[np.uint32]) -> None:
        """Begin with the root of a tree, a row of words."""
        self._nodes = self._warps.in_columns(self._device.xp.asarray(root[None, :]))
        self._paths = self._device.xp.zeros(1, np.uint64)
        self.count, self.depth, self.generated, self.solution = 1, 0, 0, None

    def advance(self, most: int) -> bool:
        """Advance to the next level; return False, and stay, if it has more than `most` nodes."""
        xp, warps = self._device.xp, self._warps
        room = min(most, 4 * self.count)
        children = xp.empty(-(-room // warps.lanes) * warps.lanes * warps.width, np.uint32)
        paths = xp.empty(room, np.uint64)
        # Nodes made and generated, and a solution; in one copy, because reading a number takes
        # longer than most levels. The kernel counts nodes made in the lower half of their word.
        counts = xp.zeros(3, np.uint64)
        self._expand(
            *(self._blocks(4 * self.count), THREADS, 0, warps.plan.struct),
            *(self._nodes, self._paths, np.uint32(self.count)),
            *(children, paths, np.uint32(room), counts[:1], counts[1:2], counts[2:]),
        )
        count, generated, path = map(int, self._device.host(counts))
        if count > room:
            return False
        self.generated += generated
        self.depth += 1
        self.count, self._nodes, self._paths = count, children, paths[:count]
        if path:
            self.solution = path ^ _EVERY_BIT
        return True

    def parts(self, most: int) -> Iterator[tuple[int, Array]]:
        """Yield all nodes, at most so many at once, in columns, with their number."""
        width, step = self._warps.width, most - most % self._warps.lanes
        for first in range(0, self.count, step):
            count = min(step, self.count - first)
            yield count, self._nodes[first * width : (first + step) * width]

    def root(self, number: int) -> tuple[NDArray[np.uint32], int]:
        """Return a node of the level, as a row of words, and the path to it."""
        lanes, width = self._warps.lanes, self._warps.width
        first = number // lanes * lanes * width + number % lanes
        column = self._nodes[first : first + (width - 1) * lanes + 1 : lanes]
        node: NDArray[np.uint32] = self._device.host(column)
        return node, int(self._paths[number])

    def _blocks(self, count: int) -> int:
        return min(8 * self._device.processors, -(-count // THREADS))


HISTORY_WORDS, _BATCH_WORDS = 14, 9
"""Words of history, 16 moves each: more than any board of up to 25 cells needs, or of up to 16."""
_ROOTS = 128
"""Roots for each warp at most, in a small bound."""
_NODES_OF_A_ROOT = 2000
"""Nodes of a large bound for each of its roots, which costs as much as a hundred nodes."""
MOST_ROOTS = 1 << 27
"""Most roots."""
_NEAR = 40
"""The remaining depth below which look-ahead starts in the first bound."""
_AHEAD_SHARE, _GROWTH_OF_NEAR = 0.2, 1.3
"""The target ratio of nodes of the next bound to nodes of the present one, and its growth per move
of look-ahead."""
_GROWTH = 9.0
"""The usual growth of the nodes from one bound to the next."""
_MOST_RISE = 3
"""The most moves by which the look-ahead depth changes from one round to the next."""


class GpuSearcher:
    """A search of one board, bound after bound: a `Searcher` for `Deepening`.

    With `backward` it searches the inverse of the board, and returns the same paths. Warps that are
    `traced` find the path below one root.
    """

    def __init__(
        self,
        normal: Normal,
        traced: Warps,
        plain: Warps,
        *,
        backward: bool = False,
        most_roots: int = MOST_ROOTS,
    ) -> None:
        self._normal = normal.inverse if backward else normal
        self._traced, self._plain, self._backward = traced, plain, backward
        self._frontier = Frontier(plain)
        self._readings = plain.plan.read(np.array([self._normal.board]))
        self._most_roots = most_roots
        self._bound = 0
        self.near = _NEAR
        """Where fewer moves are left, nodes of the next bound are searched ahead."""
        self.looks_ahead = True
        """Whether to look ahead; False while variants are compared."""
        self.expected = 0.0
        """The nodes of the next bound, predicted from the last one."""
        self._before = 0
        self._nodes_ahead = self._solution_ahead = 0
        self._is_searching = False

    @property
    def estimate(self) -> int:
        """The heuristic's value of the board: the first bound."""
        return int(self._readings.estimates[0])

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, including nodes ahead until it ends."""
        if not self._is_searching:
            return self._before
        return self._before + self._plain.generated + self._plain.generated_ahead

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the blank's cells along a solution, () for none, None when ended early."""
        plain, frontier = self._plain, self._frontier
        plain.clear()
        self._before, self._bound = 0, bound
        plain.near = self.near if self.looks_ahead else 0
        self._nodes_ahead = self._solution_ahead = 0
        self._is_searching = True
        if not self._normal.manhattan:
            # The kernel tests children only.
            return (self._normal.where[0],)
        frontier.begin(plain.plan.nodes(self._readings, np.array([bound]))[0])
        roots = max(_ROOTS * plain.warps, int(self.expected) // _NODES_OF_A_ROOT)
        roots = min(roots, self._most_roots)
        while frontier.count and frontier.solution is None and frontier.depth < DEEPEST:
            if most - frontier.generated < 4 * frontier.count:
                return None
            try:
                is_small = frontier.advance(roots)
            except MemoryError:
                # Other processes use the GPU too: make do with the present level.
                is_small = False
            self._before = frontier.generated
            if not keep_going():
                return None
            if not is_small:
                break
        if frontier.solution is not None:
            return self._directed(self._beginning(frontier.solution))
        for count, nodes in frontier.parts(plain.most):
            plain.put(count, nodes)
            while plain.total:
                before = plain.generated, plain.generated_ahead
                if not (plain.round(most - self.nodes) and keep_going()):
                    return None
                if plain.solution:
                    return self._path(plain.solution - 1, bound, keep_going)
                self._steer(*before)
        # Searchers of other variants may share the warps.
        self._before += plain.generated
        self._nodes_ahead, self._solution_ahead = plain.generated_ahead, plain.solution_ahead
        self._is_searching = False
        self.expected = _GROWTH * self.nodes
        return ()

    def _steer(self, generated: int, ahead: int) -> None:
        """Adjust the look-ahead depth for the next round, given the nodes before the last one."""
        plain = self._plain
        if plain.solution_ahead or not self.looks_ahead:
            plain.near = 0
            return
        if plain.total < plain.warps * plain.lanes:
            # The begin and the end of a bound are not representative.
            return
        wanted = _AHEAD_SHARE * (plain.generated - generated)
        found = plain.generated_ahead - ahead
        rise = round(log((1 + wanted) / (1 + found), _GROWTH_OF_NEAR))
        plain.near = self.near = max(1, plain.near + max(-_MOST_RISE, min(rise, _MOST_RISE)))

    def solution_ahead(self, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return the solution that look-ahead found, or () for none."""
        self._before = self._nodes_ahead
        if not self._solution_ahead:
            return ()
        return self._path(self._solution_ahead - 1, self._bound + 2, keep_going)

    def _path(self, number: int, bound: int, keep_going: Callable[[], bool]) -> Cells | None:
        """Return a solution of `bound` moves below a root; None when ended early.

        The nodes of that root are not counted again.
        """
        traced, plan = self._traced, self._traced.plan
        root, path = self._frontier.root(number)
        beginning = self._beginning(path)
        left = bound - len(beginning) + 1
        traced.near = 0
        readings = plan.read(self._plain.plan.boards(root[None, :]))
        traced.load(plan.nodes(readings, np.array([left])))
        while not traced.solution:
            if not (traced.round() and keep_going()):
                return None
        rest = blank_path(plan.shape, beginning[-1], plan.device.host(traced.solutions), left)
        return self._directed((*beginning, *rest[1:]))

    def _beginning(self, path: int) -> Cells:
        """Return the blank's cells along a path of the frontier."""
        words = np.array([path & 0xFFFFFFFF, path >> 32], np.uint32)
        return blank_path(self._normal.shape, self._normal.where[0], words, self._frontier.depth)

    def _directed(self, path: Cells) -> Cells:
        return path[::-1] if self._backward else path


@dataclass(frozen=True, slots=True)
class BatchAnswers:
    """The solutions of many boards."""

    lengths: NDArray[np.int64]
    """Moves of a shortest solution; if none was found, the proven bound minus two."""
    histories: NDArray[np.uint32]
    """The moves, two bits each; see `blank_path`."""
    solved: NDArray[np.bool_]
    """Whether a solution was found."""
    generated: int
    """Nodes generated in all."""


class GpuBatch:
    """A search of hundreds of thousands of boards with one goal."""

    def __init__(self, plan: GpuPlan) -> None:
        self._plan = plan
        self._warps = Warps(plan, StackMemory(plan.device), trace=_BATCH_WORDS, many=True)

    def solve(self, boards: NDArray[np.int64], keep_going: Callable[[int], bool]) -> BatchAnswers:
        """Solve solvable boards in normal form; `keep_going` is called with the nodes so far."""
        plan, warps = self._plan, self._warps
        device, xp = plan.device, plan.device.xp
        readings = plan.read(boards)
        bounds = readings.estimates
        warps.solved = xp.zeros(len(boards), np.uint32)
        warps.solutions = xp.zeros(len(boards) * _BATCH_WORDS, np.uint32)
        is_solved = readings.distances == 0
        generated, is_going = 0, True
        while is_going and not is_solved.all():
            left = np.flatnonzero(~is_solved)
            nodes = plan.nodes(plan.read(boards[left]), bounds[left])
            nodes[:, -1] = left
            warps.load(nodes)
            while is_going and warps.total:
                warps.round()
                is_going = keep_going(generated + warps.generated)
            generated += warps.generated
            is_solved |= device.host(warps.solved) > 0
            bounds[~is_solved] += 2
        histories = device.host(warps.solutions).reshape(-1, _BATCH_WORDS)
        return BatchAnswers(bounds, histories, is_solved, generated)

    def path(self, answers: BatchAnswers, boards: NDArray[np.int64], number: int) -> Cells:
        """Return the blank's cells along the solution of one of the boards."""
        blank = int(np.argmax(boards[number] == 0))
        length = int(answers.lengths[number])
        return blank_path(self._plan.shape, blank, answers.histories[number], length)


def blank_path(shape: Shape, blank: int, history: NDArray[np.uint32], moves: int) -> Cells:
    """Return the blank's cells along a history whose last move is in the lowest bits."""
    packed = sum(int(word) << 32 * number for number, word in enumerate(history))
    path = [blank]
    for place in reversed(range(moves)):
        path.append(path[-1] + shape.offsets[packed >> 2 * place & 3])
    return tuple(path)

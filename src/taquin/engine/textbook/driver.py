"""Run the loops of `searches.py` under control: their memory, buckets, limits and solutions.

At the end: IDA* with the glass box's counts, by the kernel and the threads of the engine `general`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any
from weakref import WeakSet

from taquin.engine.deepening import Deepening
from taquin.engine.general.form import GeneralForm, Tiles
from taquin.engine.general.parallel import DepthFirstCounts, DepthFirstSearch, ParallelSearcher
from taquin.engine.textbook import searches
from taquin.engine.textbook.estimates import DistancesPlan
from taquin.search.algorithms import AStar, Greedy
from taquin.search.control import Control
from taquin.search.result import COUNTERS, Count, Counters, Limit
from taquin.search.run import Algorithm, Duplicates, Ties, unweighted
from taquin.system.arrays import Array, array, clear, int32, int64, uint8, uint32, uint64, zeros
from taquin.system.machine import memory_left
from taquin.tables.patterns import PACKED_CELLS
from taquin.tables.shape import Cells

_SLICE = 1 << 12
"""Expansions between two calls of the control: a few milliseconds."""
_WALK = 1 << 16
"""Nodes of IDA* between two calls of the control: a few milliseconds."""
_LOAD, _FULLEST = 0.8, 0.92
"""The share of used slots at which a table grows, and the limit if memory does not allow that."""
_GROWTH = 1.5
_LEAST_SLOTS = 1 << 12
_WORD = 1 << 60
"""The number of values of a full word of a state."""
_SHARE = 0.95
"""The share of the free memory that the entries and slots may take."""
_MOST_ENTRIES = 1 << 31
_RESERVES = sys.platform not in ("emscripten", "win32")
"""Whether the system allocates memory lazily."""
_FIRST_G = 96
"""The initial greatest g with ranks; doubled when needed."""
_NEVER = 1 << 62
"""Infinity: more nodes than any search has."""

Priority = Callable[[int, int], Any]
"""(g, h) → the key that ranks a board."""


class Memory:
    """The limit on the bytes of all tables of a search."""

    def __init__(self, control: Control) -> None:
        self.allowed = int(memory_left(control.limits.memory) * _SHARE)
        # The tables refer to this: a cycle would keep their memory until garbage is collected.
        self.tables: WeakSet[StateTable] = WeakSet()

    @property
    def used(self) -> int:
        """The bytes of the tables when they are full."""
        return sum(table.full_size for table in self.tables)


class StateTable:
    """The entries and slots of one side, in lazily allocated memory."""

    def __init__(self, form: GeneralForm, memory: Memory) -> None:
        self._memory, self._size = memory, form.size
        bits, cells, width = (4, 15, 2) if form.size <= PACKED_CELLS else (5, 12, 3)
        units = [divmod(1 << bits * cell, _WORD) for cell in range(form.size - 1)]
        entries, slots = self._reserved(width)
        self.record = searches.StateArrays(
            entries,
            slots,
            zeros(4, int64),
            zeros(form.size, uint8),
            array([*(low for _, low in units), 0], uint64),
            array([*(high for high, _ in units), 0], uint64),
            bits,
            cells,
            width,
        )
        """The table as a record for kernels."""
        memory.tables.add(self)
        self._slots_used = 0
        self._use(min(_LEAST_SLOTS, len(slots)))

    def _reserved(self, width: int) -> tuple[Array[uint64], Array[uint32]]:
        """Allocate memory for all entries allowed, or for the first ones."""
        per_entry = 8 * width + 4 * _GROWTH / _LOAD
        entries = min(_MOST_ENTRIES, int(self._memory.allowed / per_entry))
        if not _RESERVES:
            entries = min(entries, _LEAST_SLOTS)
        while True:
            slots = max(64, int(entries * _GROWTH / _LOAD))
            try:
                return zeros((entries + 8) * width, uint64), zeros(slots, uint32)
            except MemoryError:
                if entries < _LEAST_SLOTS:
                    raise
                entries //= 2

    @property
    def full_size(self) -> int:
        """The bytes of the table after it has grown."""
        most: int = self.record.state[searches.MOST]
        return most * 8 * self.record.width + 4 * self._slots_used

    def _use(self, slots: int, load: float = _LOAD) -> None:
        """Set the number of slots and rehash the entries."""
        table, self._slots_used = self.record, slots
        most = min(int(slots * load), len(table.entries) // table.width - 2)
        table.state[searches.SIZE], table.state[searches.MOST] = slots, most
        table.state[searches.NUMBER_BITS] = most.bit_length()
        clear(table.slots[:slots])
        searches.fill_slots(searches.OfStates(table))

    def grow(self) -> bool:
        """Make space for more entries; return whether there is memory for it."""
        memory, state = self._memory, self.record.state
        most: int = state[searches.MOST]
        if state[searches.ENTRIES] + 4 <= most:
            return True
        left = memory.allowed - memory.used
        per_slot = _LOAD * 8 * self.record.width + 4
        slots = min(int(self._slots_used * _GROWTH), self._slots_used + int(left / per_slot))
        if not _RESERVES:
            self._move(slots)
        slots = min(slots, len(self.record.slots))
        if slots * _LOAD >= most * 1.05:
            self._use(slots)
        elif self._slots_used * _FULLEST >= most + 64 and left > 0:
            self._use(self._slots_used, _FULLEST)
        return bool(state[searches.ENTRIES] + 4 <= state[searches.MOST])

    def _move(self, slots: int) -> None:
        """Move the entries to larger memory."""
        old = self.record
        entries = zeros((int(slots * _LOAD) + 8) * old.width, uint64)
        entries.items[: len(old.entries)] = old.entries.items
        free = zeros(slots, uint32)
        self.record = old._replace(entries=entries, slots=free)

    def pack(self, board: Sequence[int]) -> tuple[int, int]:
        """Return the words of a board."""
        bits = self.record.bits
        high, low = divmod(sum(tile << bits * c for c, tile in enumerate(board[:-1])), _WORD)
        return low, high

    def _unpacked(self, low: int, high: int) -> list[int]:
        """Return the board of two words."""
        bits, whole = self.record.bits, high * _WORD + low
        board = [whole >> bits * cell & (1 << bits) - 1 for cell in range(self._size - 1)]
        return [*board, self._size * (self._size - 1) // 2 - sum(board)]

    def begin(self, board: Tiles, h: int) -> int:
        """Make the entry of a board at g = 0."""
        table = self.record
        entry: int = table.state[searches.ENTRIES] + 1
        table.state[searches.ENTRIES] = entry
        words = (*self.pack(board)[: table.width - 1], h << searches.H_BIT)
        table.entries[entry * table.width : (entry + 1) * table.width] = words
        clear(table.slots[: self._slots_used])
        searches.fill_slots(searches.OfStates(table))
        return entry

    def path(self, entry: int, columns: int) -> list[int]:
        """Return the blank's cells on the path to an entry."""
        offsets = (-columns, -1, 1, columns)
        blanks: list[int] = []
        while True:
            low, *high, facts = self._words(entry)
            board = self._unpacked(low, *high or (0,))
            blank = board.index(0)
            blanks.append(blank)
            g = self.g_of(entry)
            if g == 0:
                return blanks[::-1]
            before = blank - offsets[facts >> searches.WAY_BIT & 3]
            board[blank], board[before] = board[before], 0
            entry = searches.entry_of(searches.EntryOf(self.record, *self.pack(board), g - 1))
            assert entry, "every board on a path has an entry"

    def g_of(self, entry: int) -> int:
        """Return g of an entry."""
        return searches.g_of(self._words(entry)[-1])

    def _words(self, entry: int) -> list[int]:
        width = self.record.width
        words: list[int] = self.record.entries[entry * width : (entry + 1) * width].tolist()
        return words


@lru_cache(maxsize=16)
def _ranked(
    priority: Priority, most_g: int, most_h: int, by_g: bool
) -> tuple[list[Any], list[int], list[int]]:
    """Return the sorted priorities, the rank of each g and h, and the priority of each rank."""
    gs = range(most_g if by_g else 1)
    keys = [priority(g, h) for g in gs for h in range(most_h)]
    order = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    firsts = sorted({key[0] for key in keys})
    number = {first: rank for rank, first in enumerate(firsts)}
    return firsts, [order[key] for key in keys], [number[key[0]] for key in order]


class Buckets:
    """The frontier of a side: `priority` gives tuples, the first item of which is the priority."""

    def __init__(
        self,
        priority: Priority,
        most_h: int,
        *,
        by_g: bool = True,
        newest_first: bool = False,
        counts_live: bool = False,
    ) -> None:
        self._priority, self._most_h, self._by_g = priority, most_h + 2, by_g
        self._newest_first, self._counts_live = newest_first, counts_live
        self._most_g = _FIRST_G
        self._lowest = zeros(5, int64)
        self._make()

    def _make(self) -> None:
        most_g = self._most_g if self._by_g else searches.MOST_G
        most_h = self._most_h
        self.firsts, ranks, priorities = _ranked(self._priority, most_g, most_h, self._by_g)
        buckets = len(priorities)
        if self._counts_live:
            # MM compares priorities with f.
            priorities = [self.firsts[rank] for rank in priorities]
        live = buckets + 3 * most_g + most_h if self._counts_live else 1
        within = self._lowest[searches.WITHIN]
        clear(self._lowest)
        self._lowest[searches.WITHIN] = within
        self.record = searches.BucketTable(
            array(ranks, int32),
            array(priorities, int32),
            zeros(buckets, uint32),
            zeros(buckets, uint32),
            zeros(live, int64),
            self._lowest,
            most_h if self._by_g else 0,
            most_g,
            self._newest_first,
        )

    def fill(self, table: StateTable) -> None:
        """Put every open entry into its bucket."""
        searches.put_all(searches.Side(table.record, self.record))

    def grow(self, table: StateTable) -> None:
        """Add ranks for greater g."""
        if not self._by_g or 2 * self._most_g > searches.MOST_G:
            raise MemoryError("a path is too long for an entry")
        self._most_g *= 2
        self._make()
        self.fill(table)


class ControlledSearch:
    """A search from one or both sides, with the limits of a control."""

    def __init__(self, control: Control, counters: Counters) -> None:
        self.control, self.counters = control, counters
        self.counts = counts = zeros(searches.BY_PAIRS + 1, int64)
        nodes = control.nodes_left(Counters())
        for count in Count:
            is_limited = count is control.limits.counting and nodes < inf
            most = int(nodes) if is_limited else _NEVER
            counts[getattr(searches, f"MOST_{count.name}")] = most
        counts[searches.BEST] = -1

    def enqueue(self, *entries: int) -> bool:
        """Count the first `entries` of the frontier; return False beyond a limit."""
        counts = self.counts
        for more in entries:
            if counts[searches.ENQUEUED] + more > counts[searches.MOST_ENQUEUED]:
                self.control.end(Limit.NODES)
                self.sync(float)
                return False
            counts[searches.ENQUEUED] += more
            counts[searches.MAX_FRONTIER] = counts[searches.ENQUEUED]
        return True

    def run(
        self,
        expand: Callable[[int], int],
        bound: Callable[[int], float],
        grow: Callable[[int], bool],
    ) -> bool:
        """Call `expand` until it has a solution; return False when the search ended without one.

        `bound` converts the proven rank into a lower bound; `grow` makes space for FULL or DEEP.
        """
        control, counters = self.control, self.counters
        while True:
            status = expand(_SLICE)
            self.sync(bound)
            if status == searches.FOUND:
                return True
            if status == searches.EXHAUSTED:
                control.refute()
            elif status == searches.NODES:
                control.end(Limit.NODES)
            elif status in (searches.FULL, searches.DEEP) and not grow(status):
                control.end(Limit.MEMORY, None if control.limits.memory is None else inf)
            # A search at its limit may already have a solution.
            if control.is_over or (control.nodes_left(counters) > 0 and not control.tick(counters)):
                return False

    def sync(self, bound: Callable[[int], float]) -> None:
        """Write the counters."""
        counters, counts = self.counters, self.counts
        for name in COUNTERS:
            if name != "necessary":
                setattr(counters, name, counts[getattr(searches, name.upper())])
        counters.frontier = counters.enqueued - counters.dequeued
        counters.best = counts[searches.BEST] if counts[searches.BEST] >= 0 else None
        proven = bound(counts[searches.BOUND])
        if proven > counters.bound:
            counters.bound, counters.necessary = proven, counts[searches.NECESSARY]


def moves_of(plan: DistancesPlan) -> searches.BlankMoves:
    """Return the record of the blank's moves."""
    rules, columns = plan.rules, plan.form.columns
    ways = {-columns: 0, -1: 1, 1: 2, columns: 3}
    edges = [ways[cell - blank] for blank, cell in rules.steps.edges]
    return searches.BlankMoves(rules.steps, array(edges, uint8), rules.edge_bits)


@dataclass(frozen=True, slots=True)
class BestFirst:
    """The order of a best-first search."""

    kind: str
    """The priority: `g`, `h`, or `f` = g + weight · h."""
    weight: float
    by_estimate: bool
    """Whether ties go to the lowest h."""
    newest_first: bool

    def __call__(self, g: int, h: int) -> tuple[float, ...]:
        """Return the priority of a board, followed by h if it breaks ties."""
        first = g if self.kind == "g" else h if self.kind == "h" else g + self.weight * h
        return (first, h) if self.by_estimate else (first,)


def _order_of(search: Algorithm) -> BestFirst:
    """Return the order of a best-first search."""
    ties = search.conventions.ties
    weight = search.weight if isinstance(search, AStar) else 1
    kind = "h" if isinstance(search, Greedy) else "f" if isinstance(search, AStar) else "g"
    return BestFirst(kind, weight, ties is Ties.LOW_H, ties is Ties.LIFO)


def search_best(
    control: Control, counters: Counters, plan: DistancesPlan, board: Tiles, named: Algorithm
) -> Cells:
    """Run a best-first search; return the blank's cells along its solution, or the best so far."""
    order = _order_of(named)
    form, h = plan.form, plan.estimate(board)
    table = StateTable(form, Memory(control))
    buckets = Buckets(order, plan.most, by_g=order.kind != "h", newest_first=order.newest_first)
    search = ControlledSearch(control, counters)
    counts = search.counts
    # The glass box enqueues the start without checking a limit.
    counts[searches.ENQUEUED] = 1
    counts[searches.BOUND] = -1
    table.begin(board, h)
    buckets.fill(table)
    moves, estimate = moves_of(plan), plan.estimates(board, 0, 2)
    low, high = table.pack(form.wanted)

    def expand(budget: int) -> int:
        whole = searches.ExpandBest(table.record, moves, buckets.record, counts, low, high, budget)
        return searches.expand_best(whole, estimate)

    def bound(rank: int) -> float:
        if rank < 0 or order.kind == "h":
            return 0
        lowest: float = buckets.firsts[rank]
        return unweighted(lowest, order.weight)

    def grow(status: int) -> bool:
        if status == searches.FULL:
            return table.grow()
        proven = buckets.firsts[counts[searches.BOUND]]
        buckets.grow(table)
        counts[searches.BOUND] = buckets.firsts.index(proven)
        return True

    is_found = search.run(expand, bound, grow)
    entry = counts[searches.MEETING if is_found else searches.MET]
    return tuple(table.path(entry, form.columns)) if entry else ()


def search_both(
    control: Control,
    counters: Counters,
    plans: tuple[DistancesPlan, DistancesPlan],
    board: Tiles,
    *,
    by_pairs: bool,
) -> Cells:
    """Run MM or NBS; `plans` estimate the distance to the goal and to the start."""
    form, memory = plans[0].form, Memory(control)
    ends = (board, form.wanted)
    tables = [StateTable(form, memory) for _ in ends]

    def priority(g: int, h: int) -> tuple[int, ...]:
        return (g, h) if by_pairs else (max(g + h, 2 * g), g, g + h)

    buckets = [Buckets(priority, plan.most, newest_first=True, counts_live=True) for plan in plans]
    search = ControlledSearch(control, counters)
    counts = search.counts
    counts[searches.BOUND], counts[searches.BY_PAIRS] = int(counters.bound), by_pairs
    if not search.enqueue(1, 1):
        return ()
    for table, bucket, plan, end in zip(tables, buckets, plans, ends, strict=True):
        table.begin(end, plan.estimate(end))
        bucket.fill(table)
    to_goal, to_start = (plan.estimates(end, 0, 2) for plan, end in zip(plans, ends, strict=True))
    if board == ends[1]:
        counts[searches.BEST], counts[searches.MEETING], counts[searches.MET] = 0, 1, 1
    moves = moves_of(plans[0])

    def expand(budget: int) -> int:
        start, goal = (
            searches.Side(table.record, bucket.record)
            for table, bucket in zip(tables, buckets, strict=True)
        )
        whole = searches.ExpandBoth(start, goal, moves, counts, budget)
        return searches.expand_both(whole, to_goal, to_start)

    def grow(status: int) -> bool:
        if status == searches.FULL:
            return all(table.grow() for table in tables)
        for bucket, table in zip(buckets, tables, strict=True):
            bucket.grow(table)
        return True

    if search.run(expand, float, grow):
        meeting = tables[counts[searches.SIDE]].g_of(counts[searches.MEETING])
        counters.max_depth = max(counters.max_depth, meeting)
    return _joined(tables, counts, form.columns)


def search_levels(control: Control, counters: Counters, plan: DistancesPlan, board: Tiles) -> Cells:
    """Run bidirectional breadth-first search; the plan is only for the moves."""
    form, memory = plan.form, Memory(control)
    ends = (board, form.wanted)
    tables = [StateTable(form, memory) for _ in ends]
    search = ControlledSearch(control, counters)
    counts = search.counts
    if not search.enqueue(2):
        return ()
    for table, end in zip(tables, ends, strict=True):
        table.begin(end, 0)
    if board == ends[1]:
        search.sync(float)
        return (board.index(0),)
    counts[searches.SIDE] = -1
    levels, moves = array([1, 2, 0, 1, 2, 0], int64), moves_of(plan)

    def expand(budget: int) -> int:
        first, second = (table.record for table in tables)
        whole = searches.ExpandLevels(first, second, levels, moves, counts, budget)
        return searches.expand_levels(whole)

    search.run(expand, float, lambda status: all(table.grow() for table in tables))
    return _joined(tables, counts, form.columns)


def _joined(tables: list[StateTable], counts: Array[int64], columns: int) -> Cells:
    """Return the path through the entries where both sides met; () for none."""
    if counts[searches.BEST] < 0:
        return ()
    side = counts[searches.SIDE]
    own = tables[side].path(counts[searches.MEETING], columns)
    other = tables[1 - side].path(counts[searches.MET], columns)
    forward, backward = (other, own) if side else (own, other)
    return tuple(forward + backward[-2::-1])


def deepen(
    deepening: Deepening, search: Algorithm, plan: DistancesPlan, board: Tiles, threads: int
) -> None:
    """Run IDA* from an unsolved board with the glass box's counts."""
    returns = search.conventions.duplicates is Duplicates.NONE
    counting = deepening.control.limits.counting
    rounds = Rounds(plan, board, threads, deepening.counters, returns, counting)
    deepening.run(plan.estimate(board), rounds, rounds.after)


@dataclass(slots=True)
class RoundCounts:
    """The counts of a round so far."""

    expanded: int = 0
    generated: int = 0
    visited: int = 0
    """Entries pushed onto the frontier, a stack, and popped from it."""
    duplicates: int = 0
    deepest: int = 0
    """The greatest depth of a board in the frontier that is no goal."""

    def nodes(self, counting: Count) -> int:
        """Return the count that a limit on nodes refers to."""
        if counting in (Count.ENQUEUED, Count.DEQUEUED):
            return self.visited
        return self.generated if counting is Count.GENERATED else self.expanded


class Rounds:
    """The rounds of one search with the glass box's counts: a `Searcher` for `Deepening`.

    The kernel never generates the reverse of the last move. The glass box generates it, counts it
    as a duplicate and drops it, once for every expanded board but the start; only boards on the
    present path may not have reached their reverse move yet:

        expanded     boards that the kernel entered, and the start, in every round
        duplicates   these, minus the start, minus the boards of the path whose reverse move comes
                     after the move taken
        generated    successors that the kernel generated, and the duplicates

    Threads share a round that ends within the limit on nodes. A round that does not is repeated by
    one thread, in slices too short to exceed the limit.
    """

    def __init__(
        self,
        plan: DistancesPlan,
        start: Tiles,
        threads: int,
        counters: Counters,
        returns: bool,
        counting: Count,
    ) -> None:
        """Prepare; `returns`: the kernel makes reverse moves; `counting`: what a limit counts."""
        self._plan, self._start, self._threads = plan, start, threads
        self._counters, self._returns, self._counting = counters, returns, counting
        self._searcher = ParallelSearcher(plan, start, threads)
        self._counts, self._excess = RoundCounts(), 0

    @property
    def nodes(self) -> int:
        """Nodes generated in the present round."""
        return self._counts.generated

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        search = self._by_one_thread if most < inf and self._threads == 1 else self._by_threads
        path = search(bound, keep_going, most)
        counts, counters = self._counts, self._counters
        counters.expanded += counts.expanded
        counters.enqueued += counts.visited
        counters.dequeued = counters.enqueued
        counters.duplicates += counts.duplicates
        counters.max_frontier = max(counters.max_frontier, 1 + counts.deepest)
        counters.max_depth = max(counters.max_depth, counts.deepest, len(path or ()) - 1)
        return path and self._plan.form.on_grid(path)

    def after(self, bound: int) -> int:
        """Return the least f that was pruned, the next bound."""
        return bound + self._excess

    def _passes(self, most: float, path: Cells | None) -> bool:
        """Return whether a limit of `most` nodes would have stopped the search earlier."""
        nodes = self._counts.nodes(self._counting)
        # Only a limit on generated nodes ends a search exactly when it is reached.
        return nodes > most or (nodes == most and self._counting is Count.GENERATED and not path)

    def _by_threads(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        self._counts, is_past = RoundCounts(), False

        def keep_on() -> bool:
            nonlocal is_past
            walked = self._searcher.counts
            self._counts = RoundCounts(1 + walked.expanded, walked.nodes, 1 + walked.expanded)
            # Some of these nodes may follow the solution.
            is_past = self._counts.nodes(self._counting) >= most
            return not is_past and keep_going()

        path = self._searcher.search(bound, keep_on, inf)
        if not is_past:
            self._counts = self._counted(self._searcher.counts, path or (), is_solved=bool(path))
            self._excess = self._searcher.counts.excess
        if is_past or (path is not None and self._passes(most, path)):
            return self._by_one_thread(bound, keep_going, most)
        return path

    def _by_one_thread(
        self, bound: int, keep_going: Callable[[], bool], most: float
    ) -> Cells | None:
        """Search a bound and stop exactly at `most` nodes."""
        search, counts = DepthFirstSearch(self._plan, self._start, bound), RoundCounts()
        while True:
            before, path, solution = counts, search.path, search.solution
            last = None if solution else search.last_cell
            is_new = not (search.is_done or solution) and last is None
            ways = path if last is None else (*path, last)
            counts = self._counted(search.counts, ways, is_solved=bool(solution), is_new=is_new)
            self._counts, self._excess = counts, search.counts.excess
            if self._passes(most, solution):
                self._take_back(int(most), before, len(path) - 1, is_new=is_new)
                return None
            if solution or search.is_done:
                return solution
            if not keep_going():
                return None
            left = int(min(most, _NEVER)) - counts.nodes(self._counting)
            if self._counting is not Count.GENERATED:
                left += 1
            elif not self._returns:
                # Every node and every board of the path may count one reverse move.
                left = (left - len(path)) // 2
            search.advance(max(1, min(_WALK, left)))

    def _take_back(self, most: int, before: RoundCounts, depth: int, *, is_new: bool) -> None:
        """Remove from the counts the last step's work beyond the limit of `most` nodes.

        `before` are the counts before that step, `depth` is the depth of the present node.
        """
        counts = self._counts
        if self._counting is Count.EXPANDED:
            counts.expanded = most
        elif self._counting is not Count.GENERATED:
            counts.visited = most
            counts.expanded -= is_new
            counts.deepest = max(before.deepest, depth - 1)
        elif counts.generated == most:
            counts.expanded -= is_new
        else:
            # The limit falls among the reverse moves counted before the last node.
            way_back = most - before.generated
            self._counts = replace(before, generated=most, duplicates=before.duplicates + way_back)

    def _counted(
        self, walked: DepthFirstCounts, path: Cells, *, is_solved: bool, is_new: bool = False
    ) -> RoundCounts:
        """Return the glass box's counts; `path` is the present path with the last step."""
        way_back = 0
        if not self._returns:
            way_back = walked.expanded - (is_new and len(path) > 1)
            for before, cell, after in zip(path, path[1:], path[2:], strict=False):
                order = self._plan.rules.steps.from_cell(cell)
                way_back -= order.index(before) > order.index(after)
        expanded, nodes = 1 + walked.expanded, walked.nodes + way_back
        visited = expanded + is_solved
        return RoundCounts(expanded, nodes, visited, way_back, walked.deepest)

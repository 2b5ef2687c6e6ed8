"""The tables of IDA* on any puzzle: how they are chosen, filled and looked up.

A table is over the cells of some tiles, and is filled backwards from the goal on any form:

    index   blank + cells · (tile 0 + cells · (tile 1 + …))     a number of cells is the base

All other tiles are alike, so the table holds exact distances in a relaxed puzzle: lower bounds. It
counts all moves, or, for additive bounds, only moves of its own tiles; then it keeps the minimum
over the blank's cells. The tiles of a group may end in any of its places. Unreachable states have
the value BEYOND.

A *plan* (`DepthFirstPlan`) has the steps of a form, its tables, and how a move changes the indices
in them. It serves all boards with the same tiles and goal; `DepthFirstSearch` searches with it.

`plan_of` chooses the tables: small ones that fill in milliseconds, large ones for a hard board.

    exact     one table of the blank and all tiles that the goal names: exact distances
    sum       additive tables: each counts the moves of its own tiles only
    maximum   tables that count all moves and include the blank, of which the maximum is taken.
              For multi-tile moves, which may belong to several tables, and for goals with many
              free tiles: a row and a column of 4×4 take 7,284 nodes, with a sum 667 million

Tiles with adjacent goal cells share a table, because they interact most; the tiles of a group
always do. If a group is too large for a table, its cheapest assignment is looked up by the set of
its cells (a bit each) or, on many cells, bounded by how many tiles must cross each line:

    A A A        two must cross the line: |tiles before it - places before it|, added up over
    ─────        all lines between rows and between columns; a step crosses one line
    . A .
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from math import comb, perm
from typing import Any, NamedTuple, TypeAlias

from taquin.engine.general.form import (
    FREE,
    GeneralForm,
    Steps,
    Tiles,
    begins_line,
    cell_of,
    edge_of,
    steps_on,
)
from taquin.engine.general.walks import (
    DEPTH,
    DepthFirstState,
    MaxOfTables,
    Rules,
    SumOfTables,
    walk_with,
)
from taquin.model.moves import Metric
from taquin.search.control import Ended
from taquin.system.arrays import (
    Array,
    Matrix,
    array,
    filled,
    int32,
    int64,
    matrix,
    uint8,
    uint16,
    zeros,
)
from taquin.system.compiled import Call, Compiled
from taquin.system.threads import thread_pool

BEYOND = 255
"""The value of unreachable states."""
_LAST = 253
"""The greatest exact distance; all states beyond it have one more."""
_STRETCH = 1 << 18
"""Boards between two calls of `tick`: some hundredths of a second."""
Tick: TypeAlias = Callable[[], None]
"""Called every few hundredths of a second; may raise to end the work."""
Table: TypeAlias = Array[uint8]


class Queues(NamedTuple):
    """The queues of a breadth-first search: indices of this level and of the next."""

    now: Array[int32]
    """The indices of this level."""
    later: Array[int32]
    """The indices of the next level."""
    ends: Array[int64]
    """DONE: expanded entries of `now`; END: entries of `now`; LATER_END: entries of `later`."""


class BeginTable(NamedTuple):
    """The solved placings, with the value 0, in the queue."""

    values: Table
    queues: Queues
    groups: Array[int64]
    wanted: Array[int64]
    home: int
    """The blank's cell in the goal, or FREE."""


class KeepLeast(NamedTuple):
    """The minimum over the blank's cells for each placing of the tiles."""

    values: Table
    least: Table


class SpreadLevel(NamedTuple):
    """The placings of a level to expand, at most `budget` of them.

    Unless `every_move` counts, a move of other tiles stays in the level, and the queue grows.
    """

    values: Table
    queues: Queues
    level: int
    steps: Steps
    tiles: int
    """The number of tiles of the table."""
    every_move: int
    budget: int


class SpreadSets(NamedTuple):
    """The sets of `tiles` cells, beginning with those that hold all `wanted`."""

    values: Table
    queue: Array[int32]
    edges: Matrix[int32]
    wanted: int
    tiles: int


DONE, END, LATER_END = range(3)
_begin_table = Compiled("begin_table", BeginTable)
_keep_least = Compiled("keep_least", KeepLeast)
_spread = Compiled("spread", SpreadLevel)
_spread_sets = Compiled("spread_sets", SpreadSets)


def table_size(form: GeneralForm, tiles: int) -> int:
    """Return the entries of a table of `tiles` tiles while it is filled."""
    return int(form.size ** (tiles + 1))


def pattern_table(form: GeneralForm, tiles: tuple[int, ...], every_move: bool, tick: Tick) -> Table:
    """Return the table of some tiles: all of a group or none.

    With `every_move` the blank is part of the index; else its last digit is left out.
    """
    cells, count = form.size, len(tiles)
    steps = steps_on(form)
    values = filled(table_size(form, count), BEYOND, uint8)
    states = perm(cells, min(cells, count + 1))
    queues = Queues(zeros(states, int32), zeros(states, int32), zeros(3, int64))
    groups = [form.groups[tile] for tile in tiles]
    wanted = [group if group in groups else FREE for group in form.wanted]
    ends = queues.ends
    _begin_table(BeginTable(values, queues, array(groups, int64), array(wanted, int64), form.home))
    for level in range(_LAST):
        ends[DONE] = 0
        while ends[DONE] < ends[END]:
            tick()
            _spread(SpreadLevel(values, queues, level, steps, count, every_move, _STRETCH))
        queues = Queues(queues.later, queues.now, ends)
        ends[END], ends[LATER_END] = ends[LATER_END], 0
        if not ends[END]:
            break
    else:
        # Unreachable states and states beyond the horizon share one value.
        values.items[:] = values.tobytes().replace(bytes([BEYOND]), bytes([_LAST + 1]))
    if every_move:
        return values
    least = zeros(len(values) // cells, uint8)
    _keep_least(KeepLeast(values, least))
    return least


def mask_table(form: GeneralForm, group: int, tiles: int) -> Table:
    """Return the fewest steps of a group's tiles from each set of cells to its places.

    The index has a bit for each cell. Tiles step to free neighbours, each by itself, as if there
    were no others. Tiles beyond the number of places end anywhere.
    """
    values = filled(1 << form.size, BEYOND, uint8)
    queue = zeros(comb(form.size, tiles), int32)
    edges = steps_on(form).edges
    wanted = sum(1 << cell for cell in form.places(group))
    _spread_sets(SpreadSets(values, queue, edges, wanted, tiles))
    return values


class GeneralPlan(ABC):
    """How the trees of one goal are searched: its tables and estimates."""

    @abstractmethod
    def estimate(self, board: Tiles) -> int:
        """Return the estimate of a board."""

    @abstractmethod
    def begin(self, start: Tiles, state: Array[int64], path: Array[int32]) -> Call:
        """Return the call that runs the search; its `budget` is a number of nodes.

        The search begins at the end of `path`, at the depth in `state` (`walks.py`). `path` has
        space for every depth within the bound.
        """


class DepthFirstPlan(GeneralPlan):
    """Estimates for depth-first search: the sum or maximum of tables, or a named heuristic."""

    def __init__(self, form: GeneralForm, steps: Steps) -> None:
        self.form = form
        edge_bits = max(1, (len(steps.edges) - 1).bit_length())
        wanted, groups = array(form.wanted, int32), array(form.groups, int32)
        self.rules = Rules(steps, wanted, groups, edge_bits)

    def begin(self, start: Tiles, state: Array[int64], path: Array[int32]) -> Call:
        """Return the call that searches the subtree at the end of `path`."""
        depth, nexts = state[DEPTH], zeros(len(path), int32)
        board, nexts[depth] = _along(self.rules.steps, start, path[: depth + 1].tolist())
        walk = DepthFirstState(state, array(board, uint16), path, nexts)
        estimates = self.estimates(board, depth, len(path))
        return walk_with(walk, self.rules, estimates)

    @abstractmethod
    def estimates(self, board: Tiles, depth: int, deepest: int) -> Any:
        """Return the record of estimates for a search from `board`, at `depth`, to `deepest`."""

    def _by_move(self) -> list[list[int]]:
        """Return zeros for every tile, the free one included, and every edge."""
        return [[0] * (1 << self.rules.edge_bits) for _ in range(len(self.form.groups) + 1)]

    def _differences(self, spots: Sequence[int]) -> list[int]:
        """Return the change of a tile's term in the index for a step along each edge."""
        edges = self.rules.steps.edges.items
        return [
            spots[blank] - spots[cell] for blank, cell in zip(edges[::2], edges[1::2], strict=True)
        ]

    def _values(self, board: Tiles, depth: int, deepest: int) -> Array[int32]:
        values = zeros(deepest, int32)
        values[depth] = self.estimate(board)
        return values


def _along(steps: Steps, start: Tiles, path: Sequence[int]) -> tuple[Tiles, int]:
    """Return the board at the end of a path, and where the list of its steps begins."""
    board, at = list(start), steps.begin[path[0]]
    for blank, target in pairwise(path):
        while cell_of(steps.lists[at]) != target:
            at += 1
        first = at
        while not begins_line(steps.lists[first]):
            first -= 1
        for step in steps.lists.items[first : at + 1]:
            board[blank], board[cell_of(step)] = board[cell_of(step)], 0
            blank = cell_of(step)
        at = steps.follow[edge_of(step)]
    return tuple(board), at


@dataclass(frozen=True, slots=True)
class IndexedTable:
    """A table, and the terms of its index; tile 0 is the blank."""

    table: Table
    """The values."""
    spots: Mapping[int, Sequence[int]]
    """For each tile, its term of the index by its cell."""


class _TablesPlan(DepthFirstPlan):
    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps)
        self._tables = tables
        # Entry 0 is an empty table for the tiles that are in no other.
        self._begins = list(accumulate((len(indexed.table) for indexed in tables), initial=1))
        self._table = zeros(self._begins[-1], uint8)
        for begin, indexed in zip(self._begins, tables, strict=False):
            self._table.items[begin : begin + len(indexed.table)] = indexed.table.items

    def _places(self, board: Tiles) -> list[int]:
        where = {tile: cell for cell, tile in enumerate(board)}
        return [
            begin + sum(spots[where[tile]] for tile, spots in indexed.spots.items())
            for begin, indexed in zip(self._begins, self._tables, strict=False)
        ]


class SumOfTablesPlan(_TablesPlan):
    """The sum of additive tables: a step of a tile changes the index of at most one."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        which, change = self._by_move(), self._by_move()
        for number, indexed in enumerate(tables, 1):
            for tile, spots in indexed.spots.items():
                for edge, difference in enumerate(self._differences(spots)):
                    if difference:
                        which[tile][edge] = number
                        change[tile][edge] += difference
        self._which = array(chain.from_iterable(which), int32)
        self._change = array(chain.from_iterable(change), int32)

    def estimate(self, board: Tiles) -> int:
        """Return the sum of the tables' values."""
        return sum(self._table[place] for place in self._places(board))

    def estimates(self, board: Tiles, depth: int, deepest: int) -> SumOfTables:
        """Return the record for a search from `board`: values and indices of the tables."""
        values, places = self._values(board, depth, deepest), [0, *self._places(board)]
        return SumOfTables(values, array(places, int64), self._which, self._change, self._table)


class MaxOfTablesPlan(_TablesPlan):
    """The maximum of tables over some tiles and the blank."""

    def __init__(self, form: GeneralForm, steps: Steps, tables: Sequence[IndexedTable]) -> None:
        super().__init__(form, steps, tables)
        changes = []
        for indexed in tables:
            by_move, of_blank = self._by_move(), self._differences(indexed.spots[0])
            for tile, change in enumerate(by_move):
                spots = indexed.spots.get(tile, [0] * form.size)
                differences = zip(self._differences(spots), of_blank, strict=True)
                # The blank moves against the tile.
                change[: len(of_blank)] = [tiles - blanks for tiles, blanks in differences]
            changes.append(list(chain.from_iterable(by_move)))
        self._change = matrix(changes, int32)

    def estimate(self, board: Tiles) -> int:
        """Return the maximum of the tables' values."""
        greatest: int = max(self._table[place] for place in self._places(board))
        return greatest

    def estimates(self, board: Tiles, depth: int, deepest: int) -> MaxOfTables:
        """Return the record for a search from `board`: the indices of the tables."""
        blanks = zeros(deepest, int32)
        places = zeros((deepest, len(self._tables)), int64)
        sliding = zeros((deepest, len(self._tables)), int64)
        blanks[depth] = board.index(0)
        places[depth] = self._places(board)
        return MaxOfTables(blanks, places, sliding, self._change, self._table)


SMALL, LARGE = 1 << 17, 1 << 24
"""Most entries of a table while it is filled: some milliseconds, about a second."""
EXACT = 1 << 20
"""Most entries of a table of all tiles that is filled before any other search."""
_FEW_TILES = 8
"""Up to so many tiles, each may have a table of its own above the usual size."""
_KEPT = 6
"""The size of the cache of plans."""
_POLL = 0.01
"""Seconds between two calls of `tick` while tables are filled."""
_MASK_CELLS = 20
"""The maximum number of cells whose sets are looked up."""
_plans: OrderedDict[tuple[GeneralForm, int | None], DepthFirstPlan] = OrderedDict()
"""The cache of plans, for the next board with an equal goal."""


@dataclass(frozen=True, slots=True)
class Resources:
    """The threads and memory that a search may use."""

    threads: int
    """The number of threads."""
    memory: int
    """Bytes for tables and boards."""
    tick: Tick
    """Called while tables are filled."""


def exact_tiles(form: GeneralForm) -> tuple[int, ...]:
    """Return the tiles of an exact table.

    If the goal fills every cell, the largest group follows from the others and is left out.
    """
    groups = list(form.members.values())
    if form.is_full and groups:
        groups.remove(max(groups, key=len))
    return tuple(tile for members in groups for tile in members)


def exact_size(form: GeneralForm) -> int:
    """Return the entries of an exact table."""
    return table_size(form, len(exact_tiles(form)))


def plan_of(form: GeneralForm, most: int | None, resources: Resources) -> DepthFirstPlan:
    """Return a plan with tables of at most `most` entries, with one exact table for None.

    The last few plans are cached.
    """
    if (form, most) not in _plans:
        plan = _make_plan(form, most, resources)
        while len(_plans) >= _KEPT:
            _plans.popitem(last=False)
        _plans[form, most] = plan
    _plans.move_to_end((form, most))
    return _plans[form, most]


def _make_plan(form: GeneralForm, most: int | None, resources: Resources) -> DepthFirstPlan:
    steps = steps_on(form)
    if most is None:
        return MaxOfTablesPlan(form, steps, _tables(form, [exact_tiles(form)], True, resources))
    tiles = max_tiles(form, most)
    # Where most tiles are free, the path of the blank matters more than tiles. On 4×4 the maximum
    # of tables of three tiles exceeds their sum for goals with up to 10 tiles, and the maximum of
    # tables of five for goals with up to 12.
    share = 2 / 3 if most <= SMALL else 4 / 5
    if form.metric is Metric.MULTI or (tiles and len(form.tiles) <= form.size * share):
        # The blank alone is what is left where no group fits into a table.
        patterns = partition(form, tiles)[0] or [()]
        wide = [_widened(form, pattern, tiles) for pattern in patterns]
        return MaxOfTablesPlan(form, steps, _tables(form, wide, True, resources))
    # A table of one tile adds little to its distance, which takes no time to compute.
    patterns, large = partition(form, tiles if tiles > 1 else 0)
    tables = _tables(form, patterns, False, resources)
    for members in large:
        if len(members) == 1:
            tile = members[0]
            tables.append(IndexedTable(_distances(form, tile), {tile: range(form.size)}))
        else:
            tables += _sets(form, members) if form.size <= _MASK_CELLS else _lines(form, members)
    return SumOfTablesPlan(form, steps, tables)


def _tables(
    form: GeneralForm, patterns: Sequence[tuple[int, ...]], every_move: bool, resources: Resources
) -> list[IndexedTable]:
    """Return a table per pattern, filled in parallel; `every_move` adds the blank to the index."""
    is_over = False

    def check() -> None:
        if is_over:
            raise Ended

    with thread_pool(min(resources.threads, len(patterns) or 1)) as pool:
        jobs = [pool.submit(pattern_table, form, tiles, every_move, check) for tiles in patterns]
        try:
            while wait(jobs, _POLL).not_done:
                resources.tick()
        except BaseException:
            is_over = True
            raise
    tables = []
    for tiles, job in zip(patterns, jobs, strict=True):
        digits = enumerate((0, *tiles) if every_move else tiles)
        spots = {tile: range(0, form.size ** (n + 1), form.size**n) for n, tile in digits}
        tables.append(IndexedTable(job.result(), spots))
    return tables


def max_tiles(form: GeneralForm, most: int) -> int:
    """Return the most tiles whose table has at most `most` entries."""
    tiles = int(0 < len(form.tiles) <= _FEW_TILES)
    while tiles < len(form.tiles) and table_size(form, tiles + 1) <= most:
        tiles += 1
    return tiles


def partition(form: GeneralForm, most: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return patterns of at most `most` tiles that cover all groups, and the groups too large."""
    groups = form.members
    large = [members for members in groups.values() if len(members) > most]
    left = {group for group, members in groups.items() if len(members) <= most}
    beside = _beside(form)
    patterns = []
    while left:
        chosen: list[int] = []
        space = most
        while fitting := {group for group in left if len(groups[group]) <= space}:
            around = {neighbour for group in chosen for neighbour in beside[group]}
            # Start in a corner and leave no isolated group behind.
            best = min(
                fitting & around or fitting, key=lambda group: (len(beside[group] & left), group)
            )
            chosen.append(best)
            left.remove(best)
            space -= len(groups[best])
        patterns.append(tuple(tile for group in chosen for tile in groups[group]))
    return patterns, large


def _widened(form: GeneralForm, tiles: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Extend a pattern by further groups up to `most` tiles, adjacent groups first."""
    own = {form.groups[tile] for tile in tiles}
    beside, groups = _beside(form), form.members
    for group in sorted(groups.keys() - own, key=lambda group: (-len(beside[group] & own), group)):
        members = groups[group]
        tiles += members if len(tiles) + len(members) <= most else ()
    return tiles


def _beside(form: GeneralForm) -> dict[int, set[int]]:
    """Return, for each group, the groups with adjacent goal cells."""
    beside: dict[int, set[int]] = {group: set() for group in form.members}
    for edge in steps_on(form).edges.tolist():
        one, two = (form.wanted[cell] for cell in edge)
        if one in beside and two in beside:
            beside[one].add(two)
    return beside


def _distances(form: GeneralForm, tile: int) -> Table:
    """Return a tile's distance from each cell to the nearest of its goal cells."""
    waiting = list(form.places(form.groups[tile]))
    distances = [0 if cell in waiting else BEYOND for cell in range(form.size)]
    beside = defaultdict(list)
    for one, two in steps_on(form).edges.tolist():
        beside[one].append(two)
    for cell in waiting:
        for near in beside[cell]:
            if distances[near] == BEYOND:
                distances[near] = min(BEYOND - 1, distances[cell] + 1)
                waiting.append(near)
    return array(distances, uint8)


def _sets(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return a table of the cheapest assignment of a group, indexed by the set of its cells."""
    bits = [1 << cell for cell in range(form.size)]
    table = mask_table(form, form.groups[members[0]], len(members))
    return [IndexedTable(table, dict.fromkeys(members, bits))]


def _lines(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return a table per line: how many tiles of a group must cross it."""
    places = form.places(form.groups[members[0]])
    rows = [cell // form.columns for cell in form.cells]
    columns = [cell % form.columns for cell in form.cells]
    tables = []
    for lines in (rows, columns):
        for line in range(max(lines)):
            before = [int(number <= line) for number in lines]
            wanted = sum(before[cell] for cell in places)
            behind = len(places) - wanted
            values = [
                max(0, wanted - count) + max(0, behind - (len(members) - count))
                for count in range(len(members) + 1)
            ]
            tables.append(IndexedTable(array(values, uint8), dict.fromkeys(members, before)))
    return tables

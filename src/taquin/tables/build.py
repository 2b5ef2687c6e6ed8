"""Build one pattern database on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations, permutations, product
from math import comb, perm
from operator import call
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from taquin.system.arrays import (
    Array,
    array,
    filled,
    int32,
    int64,
    matrix,
    over,
    uint8,
    uint16,
    uint64,
    zeros,
)
from taquin.system.machine import usable_cores
from taquin.tables.patterns import PatternKey
from taquin.tables.shape import Shape
from taquin.tables.store import VERSION

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from taquin.system.compiled import Call, Compiled

Table: TypeAlias = Array[uint8]
"""Two values per byte; see `taquin.tables.retrograde`."""
BuildProgress: TypeAlias = Callable[[int, int], None]
"""Called regularly with the number of configurations reached so far and in total."""
_LEAST_WORK, _MOST_WORK = 1 << 16, 1 << 22
"""The size of a task in configurations: large enough for a call, small enough for Ctrl-C."""
_BLOCK = 1 << 18
"""The maximum number of values that are sorted at a time: they fit into the CPU cache."""
_INTERVAL = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True, slots=True)
class PatternRecipe:
    """A pattern database as `taquin.tables.store` keeps it."""

    key: PatternKey

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.key.name

    @property
    def facts(self) -> Mapping[str, Any]:
        """Grid, pattern and index of the table."""
        facts = {
            "kind": "pattern database",
            "version": VERSION,
            "rows": self.key.rows,
            # Not "columns": a new key would invalidate the tables on users' disks.
            "cols": self.key.columns,
            "tiles": list(self.key.tiles),
            "blank": self.key.blank,
            "spots": [list(cells) for cells in self.key.spots],
        }
        return facts | ({"halvings": self.key.halvings} if self.key.halvings else {})

    def build(self, threads: int | None, progress: BuildProgress) -> Table:
        """Build the table."""
        complete = replace(self.key, halvings=0)
        table = build_table(complete, threads=threads, progress=progress)
        for _ in range(self.key.halvings):
            table = halved(table)
        return table

    def is_sound(self, table: Table) -> bool:
        """Return whether a table has the size for this pattern."""
        return table.nbytes == self.key.nbytes


def build_table(
    key: PatternKey, *, threads: int | None = None, progress: BuildProgress | None = None
) -> Table:
    """Build the table of `key`.

    Besides the table this needs about 1.5 bytes of memory per configuration. `progress` is called
    about every tenth of a second, and may abort the build by raising.
    """
    # Imported late: most processes read their tables.
    from taquin.system.threads import thread_pool

    with thread_pool(threads) as pool:
        team = BuildTeam(pool, key.configurations, threads or usable_cores(), progress)
        table = _packed(key, _levels(key, team), team)
    if progress is not None:
        progress(key.configurations, key.configurations)
    return table


@dataclass(slots=True)
class BuildTeam:
    """Threads that run a kernel on parts of a table."""

    pool: Executor
    configurations: int
    """The number of configurations of the table."""
    threads: int
    progress: BuildProgress | None = None
    _reported_at: float = field(default_factory=monotonic)

    def report(self, reached: int) -> None:
        """Report the number of configurations reached so far, about every tenth of a second."""
        if self.progress is not None and monotonic() - self._reported_at >= _INTERVAL:
            self.progress(reached, self.configurations)
            self._reported_at = monotonic()

    def calls(self, kernel: Compiled[Any], arguments: tuple[Any, ...], count: int) -> list[Call]:
        """Return the calls of a kernel for `count` items; its record ends with a range of them.

        Their number keeps all threads busy, if there is enough to do.
        """
        tasks = min(4 * self.threads, self.configurations // _LEAST_WORK)
        tasks = max(tasks, self.configurations // _MOST_WORK, 1)
        starts = range(0, count, -(-count // tasks))
        ends = (*starts[1:], count)
        return [
            kernel.given(kernel.record(*arguments, first, last))
            for first, last in zip(starts, ends, strict=True)
        ]

    def run(self, calls: list[Call]) -> Iterator[int]:
        """Run the calls, and yield what they return."""
        return self.pool.map(call, calls)


def _levels(key: PatternKey, team: BuildTeam) -> Table:
    """Return the cost of each configuration, by its set of cells and its order."""
    from taquin.tables import retrograde

    cells, columns, size = range(key.cells), key.columns, len(key.tiles)
    sets_of_cells = sorted(map(sum, combinations([1 << cell for cell in cells], size)))
    bits = array(sets_of_cells, int64)
    grid = retrograde.GridMasks(
        key.cells,
        columns,
        (1 << key.cells) - 1,
        sum(1 << cell for cell in cells if cell % columns != columns - 1),
        sum(1 << cell for cell in cells if cell % columns != 0),
    )
    counts = zeros(len(bits), int64)
    for _ in team.run(team.calls(retrograde.count_regions, (bits, counts, grid), len(bits))):
        team.report(0)
    begins = array(accumulate(counts, initial=0), int64)
    sets = retrograde.CellSets(grid, bits, begins, _binomials(key.cells, size))
    numbers, permuted = _permutations(size, columns)
    # A tile can be pushed from four sides at most.
    steps = zeros((len(bits), 4 * size), int64)
    links = retrograde.Links(steps, zeros(begins[-1], int32))
    for _ in team.run(team.calls(retrograde.link_sets, (sets, numbers, links), len(bits))):
        team.report(0)

    orders = permuted.shape[1]
    bitmaps = (begins[-1], -(-orders // 64))
    goal = sum(1 << tile for tile in key.tiles)
    coloured = sum(1 << cell for cell in cells if (cell // columns + cell % columns) & 1)
    reached = retrograde.Reached(
        front=zeros(bitmaps, uint64),
        seen=zeros(bitmaps, uint64),
        lives=zeros(bitmaps[0], uint8),
        levels=filled((len(bits), orders), retrograde.UNREACHED, uint8),
        odd=array([((taken ^ goal) & coloured).bit_count() & 1 for taken in sets_of_cells], uint8),
    )

    shape = Shape(key.rows, columns, key.blank)
    home = sets_of_cells.index(goal)
    tiles = frozenset(key.tiles)
    regions = {shape.region(tiles, cell) for cell in cells if cell not in tiles}
    first = begins[home] + sorted(regions).index(shape.region(tiles, key.blank))
    reached.front[first, 0] = reached.seen[first, 0] = reached.lives[first] = 1
    reached.levels[home, 0] = 0
    done, alive, level = 1, 1, 0
    sweeps = team.calls(
        retrograde.reach_sets, (begins, links, permuted, reached, level, 0), len(bits)
    )
    while alive:
        alive, level = 0, level + 1
        for sweep in sweeps:
            sweep.put("level", level)
        for sweep, fresh in zip(sweeps, team.run(sweeps), strict=True):
            done += fresh
            alive += sweep.get("alive")
            team.report(done)
    return reached.levels


def _packed(key: PatternKey, levels: Table, team: BuildTeam) -> Table:
    """Return the table of these costs."""
    from taquin.tables import retrograde

    cells, size = key.cells, len(key.tiles)
    placed = next(n for n in range(size) if perm(cells - n, size - n) <= _BLOCK)
    left, free = size - placed, cells - placed
    parts = matrix(list(combinations(range(free), left)), uint8)
    orders = matrix(list(permutations(range(left))), uint8)
    ranks = zeros((len(parts), len(orders)), int32)
    retrograde.rank_orders(retrograde.RankOrders(parts, orders, free, ranks))
    shape = Shape(key.rows, key.columns, key.blank)
    distance = [[shape.manhattan(tile, cell) for cell in range(cells)] for tile in key.tiles]
    plan = retrograde.Packing(
        cells=cells,
        tiles=size,
        placed=placed,
        ranked=key.ranked,
        choose=_binomials(cells, size),
        parts=parts,
        ranks=ranks,
        heads=matrix(list(permutations(range(free), left - 1)), uint8),
        spots=matrix(key.spots, int64),
        manhattan=matrix(distance, int64),
    )
    table = filled(key.nbytes, 255, uint8)
    for _ in team.run(
        team.calls(retrograde.pack_table, (levels, table, plan), perm(cells, placed))
    ):
        team.report(key.configurations)
    return table


def _binomials(cells: int, size: int) -> Array[int64]:
    return matrix([[comb(n, k) for k in range(size + 1)] for n in range(cells)], int64)


def _permutations(size: int, columns: int) -> tuple[Array[int64], Array[uint16]]:
    """Return the permutation number for each move of a tile, and each permuted order.

    The first array is indexed by the tile's places before and after the move, the second by the
    permutation number and the order. Number 0 is the identity: the tile passes no other.
    """
    from taquin.tables import retrograde

    new_places = [list(range(size))]
    numbers = zeros((size, size), int64)
    for before, after in product(range(size), repeat=2):
        if 0 < abs(before - after) < columns:
            places = list(range(size))
            places.insert(after, places.pop(before))
            numbers[before, after] = len(new_places)
            new_places.append([places.index(place) for place in range(size)])
    orders = matrix(list(permutations(range(size))), uint8)
    permuted = zeros((len(new_places), len(orders)), int32)
    lists = matrix(new_places, uint8)
    retrograde.rank_orders(retrograde.RankOrders(lists, orders, size, permuted))
    return numbers, array(permuted.items, uint16).in_rows(len(orders))


def halved(table: Table) -> Table:
    """Return the minimum of each pair of consecutive values, as a table of half the size.

    Unused entries are 15, the maximum value, so they do not lower a minimum.
    """
    least = bytes(min(pair & 15, pair >> 4) for pair in range(256))
    values = table.tobytes().translate(least)
    values += b"\x0f" * (len(values) & 1)
    even, odd = (int.from_bytes(values[first::2], "little") for first in (0, 1))
    return over(bytearray((even | odd << 4).to_bytes(len(values) // 2, "little")), uint8)


def value_at(table: Table, index: int) -> int:
    """Return a value of a table: half of the excess over the pattern's Manhattan distance."""
    value: int = table[index >> 1] >> 4 * (index & 1) & 15
    return value

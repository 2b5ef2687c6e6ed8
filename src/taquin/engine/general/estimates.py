"""Which tables serve a puzzle: small ones made in a moment, large ones for a hard board.

    exact     all tiles that the goal asks for, and the blank, in one table: no search is left
    sums      tables that count the moves of their own tiles only, added up
    greatest  tables that count all moves, so that where the blank is matters: the greatest counts.
              For multi-tile moves, of which one may belong to several tables, and where many tiles
              are free: a row and a column of 4×4 take 7,284 nodes where sums take 667 million

Tiles that belong next to each other stand in one table, for they hinder each other most; the tiles
of one group always do. A group too large for a table has its cheapest assignment looked up by the
set of its cells (a bit each), or, on many cells, how many tiles must cross each line of the grid:

    A A A        two must cross the line: |tiles before it - places before it|, added up over
    ─────        all lines between rows and between columns; a step crosses one line
    . A .
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import wait

import numpy as np

from taquin.engine.general.filling import BEYOND, Table, Tick, mask_table, pattern_table, table_size
from taquin.engine.general.form import GeneralForm, ways_on
from taquin.engine.general.plans import GreatestPlan, IndexedTable, SumsPlan, WalkPlan
from taquin.model.moves import Metric
from taquin.search.control import Ended
from taquin.system.threads import thread_pool

SMALL, LARGE = 1 << 17, 1 << 24
"""Most entries of a table while it is filled: some milliseconds, about a second."""
EXACT = 1 << 20
"""Most entries of a table of all tiles that is made without having tried anything else."""
_FEW = 8
"""Tiles that have a table each even where it is larger than the rest may be."""
_KEPT = 6
"""Plans that are kept."""
_LOOK = 0.01
"""Seconds between two looks at the world while tables are filled."""
_MASK_CELLS = 20
"""Most cells whose sets are looked up."""


def exact_tiles(form: GeneralForm) -> tuple[int, ...]:
    """Return the tiles that an exact table is made of.

    Where the goal names every cell, one group, the largest, has the places the others leave.
    """
    groups = [form.members(group) for group in form.grouped]
    if form.is_full and groups:
        groups.remove(max(groups, key=len))
    return tuple(tile for members in groups for tile in members)


def exact_size(form: GeneralForm) -> int:
    """Return the entries of an exact table."""
    return table_size(form, len(exact_tiles(form)))


def exact_plan(form: GeneralForm, tick: Tick, threads: int) -> WalkPlan:
    """Return the plan of an exact table; the second call is free."""

    def make() -> WalkPlan:
        tiles = exact_tiles(form)
        return GreatestPlan(form, ways_on(form), _tables(form, [tiles], True, tick, threads))

    return _remembered((form, EXACT), make)


def plan_of(form: GeneralForm, most: int, tick: Tick, threads: int) -> WalkPlan:
    """Return the plan with tables of at most `most` entries each; the second call is free."""

    def make() -> WalkPlan:
        tiles = max_tiles(form, most)
        ways = ways_on(form)
        if form.metric is Metric.MULTI or _leaves_room(form, most):
            # The blank alone is what is left where no group fits into a table.
            patterns = partition(form, tiles)[0] or [()]
            wide = [_widened(form, each, tiles) for each in patterns]
            return GreatestPlan(form, ways, _tables(form, wide, True, tick, threads))
        # A table of one tile tells little more than its distance, which is had for nothing.
        patterns, large = partition(form, tiles if tiles > 1 else 0)
        tables = [
            IndexedTable(table, {tile: _digits(form, power) for power, tile in enumerate(pattern)})
            for pattern, table in _tables(form, patterns, False, tick, threads)
        ]
        for members in large:
            tables += _group_tables(form, members)
        return SumsPlan(form, ways, tables)

    return _remembered((form, most), make)


_plans: OrderedDict[tuple[GeneralForm, int], WalkPlan] = OrderedDict()
"""The plans made last, for the next board with the same goal."""


def _remembered(key: tuple[GeneralForm, int], make: Callable[[], WalkPlan]) -> WalkPlan:
    if key not in _plans:
        plan = make()
        while len(_plans) >= _KEPT:
            _plans.popitem(last=False)
        _plans[key] = plan
    _plans.move_to_end(key)
    return _plans[key]


def _tables(
    form: GeneralForm,
    patterns: Sequence[tuple[int, ...]],
    every_move: bool,
    tick: Tick,
    threads: int,
) -> list[tuple[tuple[int, ...], Table]]:
    """Return the table of each pattern, filled side by side."""
    ended = False

    def look() -> None:
        if ended:
            raise Ended

    with thread_pool(min(threads, len(patterns) or 1)) as pool:
        tables = [pool.submit(pattern_table, form, each, every_move, look) for each in patterns]
        try:
            while wait(tables, _LOOK).not_done:
                tick()
        except BaseException:
            ended = True
            raise
    return [(each, table.result()) for each, table in zip(patterns, tables, strict=True)]


def _digits(form: GeneralForm, power: int) -> list[int]:
    """Return what the tile of one digit adds to an index by its cell."""
    return [cell * form.size**power for cell in range(form.size)]


def max_tiles(form: GeneralForm, most: int) -> int:
    """Return the most tiles whose table has at most `most` entries."""
    tiles = int(0 < len(form.tiles) <= _FEW)
    while tiles < len(form.tiles) and table_size(form, tiles + 1) <= most:
        tiles += 1
    return tiles


def _leaves_room(form: GeneralForm, most: int) -> bool:
    """Return whether most tiles are free, so that the way of the blank matters more than tiles.

    On 4×4 the greatest of tables of three tiles is above their sum while up to 10 tiles are asked
    for, that of tables of five while up to 12 are.
    """
    share = 2 / 3 if most <= SMALL else 4 / 5
    return len(form.tiles) <= form.size * share and max_tiles(form, most) > 0


def partition(form: GeneralForm, most: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Return sets of at most so many tiles that cover all groups, and the groups too large."""
    groups = {group: form.members(group) for group in form.grouped}
    large = [members for members in groups.values() if len(members) > most]
    left = {group for group, members in groups.items() if len(members) <= most}
    beside = _beside(form)
    patterns = []
    while left:
        taken: list[int] = []
        room = most
        while fitting := {group for group in left if len(groups[group]) <= room}:
            around = {group for each in taken for group in beside[each]}
            # A corner first, and then what would be left in one.
            best = min(
                fitting & around or fitting, key=lambda each: (len(beside[each] & left), each)
            )
            taken.append(best)
            left.remove(best)
            room -= len(groups[best])
        patterns.append(tuple(tile for group in taken for tile in groups[group]))
    return patterns, large


def _widened(form: GeneralForm, tiles: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Return a set of tiles and as many groups more as fit, those beside it first."""
    own = {form.groups[tile] for tile in tiles}
    beside = _beside(form)
    others = [group for group in form.grouped if group not in own]
    for group in sorted(others, key=lambda each: -len(beside[each] & own)):
        members = form.members(group)
        tiles += members if len(tiles) + len(members) <= most else ()
    return tiles


def _beside(form: GeneralForm) -> dict[int, set[int]]:
    """Return, for each group, those that belong next to it."""
    groups = set(form.grouped)
    beside: dict[int, set[int]] = {group: set() for group in groups}
    for one, other in ways_on(form).edges:
        if {form.wanted[one], form.wanted[other]} <= groups:
            beside[form.wanted[one]].add(form.wanted[other])
    return beside


def _group_tables(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return the small tables of a group that no pattern table covers."""
    if len(members) == 1:
        return [IndexedTable(_distances(form, members[0]), {members[0]: range(form.size)})]
    return _sets(form, members) if form.size <= _MASK_CELLS else _lines(form, members)


def _distances(form: GeneralForm, tile: int) -> Table:
    """Return the steps of a tile to the nearest of its places, by its cell."""
    places = form.places(form.groups[tile])
    found = np.full(form.size, BEYOND, np.uint8)
    found[list(places)] = 0
    beside: dict[int, list[int]] = {}
    for one, other in ways_on(form).edges:
        beside.setdefault(one, []).append(other)
    waiting = list(places)
    for cell in waiting:
        for near in beside.get(cell, ()):
            if found[near] == BEYOND:
                found[near] = min(BEYOND - 1, int(found[cell]) + 1)
                waiting.append(near)
    return found


def _sets(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return the cheapest assignment of a group by the set of its cells."""
    places = form.places(form.groups[members[0]])
    bits = [1 << cell for cell in range(form.size)]
    table = mask_table(form.size, ways_on(form).edges, places, len(members))
    return [IndexedTable(table, dict.fromkeys(members, bits))]


def _lines(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return how many tiles of a group must cross each line between rows or columns."""
    places = form.places(form.groups[members[0]])
    tables = []
    rows = [cell // form.columns for cell in form.cells]
    columns = [cell % form.columns for cell in form.cells]
    for lines in (rows, columns):
        for line in range(max(lines)):
            before = [int(each <= line) for each in lines]
            wanted = sum(before[cell] for cell in places)
            behind = len(places) - wanted
            values = [
                max(0, wanted - count) + max(0, behind - (len(members) - count))
                for count in range(len(members) + 1)
            ]
            tables.append(IndexedTable(np.array(values, np.uint8), dict.fromkeys(members, before)))
    return tables

"""Which tables serve a puzzle: small ones made in a moment, large ones for a hard board.

    exact     all tiles that the goal asks for, and the blank, in one table: no search is left
    sums      tables that count the moves of their own tiles only, added up
    greatest  tables that count all moves, so that where the blank is matters: the greatest counts.
              For multi-tile moves, of which one may belong to several tables, and where many tiles
              are free: a row and a column of 4×4 take 7,284 nodes where sums take 667 million

Tiles that belong next to each other are in one table, because they hinder each other most; the
tiles of one group always are. A group too large for a table has its cheapest assignment looked up
by the set of its cells (a bit each), or, on many cells, by how many tiles must cross each line:

    A A A        two must cross the line: |tiles before it - places before it|, added up over
    ─────        all lines between rows and between columns; a step crosses one line
    . A .
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from concurrent.futures import wait
from dataclasses import dataclass

from taquin.engine.general.filling import BEYOND, Table, Tick, mask_table, pattern_table, table_size
from taquin.engine.general.form import GeneralForm
from taquin.engine.general.plans import GreatestPlan, IndexedTable, SumsPlan, WalkPlan
from taquin.engine.general.steps import steps_on
from taquin.model.moves import Metric
from taquin.search.control import Ended
from taquin.system.arrays import array, uint8
from taquin.system.threads import thread_pool

SMALL, LARGE = 1 << 17, 1 << 24
"""Most entries of a table while it is filled: some milliseconds, about a second."""
EXACT = 1 << 20
"""Most entries of a table of all tiles that is made without having tried anything else."""
_FEW_TILES = 8
"""Tiles that have a table each even where it is larger than the rest may be."""
_KEPT = 6
"""Plans that are kept."""
_POLL = 0.01
"""Seconds between two calls of `tick` while tables are filled."""
_MASK_CELLS = 20
"""Most cells whose sets are looked up."""
_plans: OrderedDict[tuple[GeneralForm, int | None], WalkPlan] = OrderedDict()
"""The plans made last, for the next board with the same goal."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What a search may use."""

    threads: int
    """Threads."""
    memory: int
    """Bytes for tables and boards."""
    tick: Tick
    """Called while tables are filled."""


def exact_tiles(form: GeneralForm) -> tuple[int, ...]:
    """Return the tiles that an exact table is made of.

    Where the goal names every cell, one group, the largest, has the places the others leave.
    """
    groups = list(form.members.values())
    if form.is_full and groups:
        groups.remove(max(groups, key=len))
    return tuple(tile for members in groups for tile in members)


def exact_size(form: GeneralForm) -> int:
    """Return the entries of an exact table."""
    return table_size(form, len(exact_tiles(form)))


def plan_of(form: GeneralForm, most: int | None, resources: Resources) -> WalkPlan:
    """Return the plan with tables of at most `most` entries each; of an exact table for None.

    The last few plans are kept.
    """
    if (form, most) not in _plans:
        plan = _make_plan(form, most, resources)
        while len(_plans) >= _KEPT:
            _plans.popitem(last=False)
        _plans[form, most] = plan
    _plans.move_to_end((form, most))
    return _plans[form, most]


def _make_plan(form: GeneralForm, most: int | None, resources: Resources) -> WalkPlan:
    steps = steps_on(form)
    if most is None:
        return GreatestPlan(form, steps, _tables(form, [exact_tiles(form)], True, resources))
    tiles = max_tiles(form, most)
    # Where most tiles are free, the way of the blank matters more than tiles. On 4×4 the greatest
    # of tables of three tiles is above their sum while up to 10 tiles are asked for, that of tables
    # of five while up to 12 are.
    share = 2 / 3 if most <= SMALL else 4 / 5
    if form.metric is Metric.MULTI or (tiles and len(form.tiles) <= form.size * share):
        # The blank alone is what is left where no group fits into a table.
        patterns = partition(form, tiles)[0] or [()]
        wide = [_widened(form, pattern, tiles) for pattern in patterns]
        return GreatestPlan(form, steps, _tables(form, wide, True, resources))
    # A table of one tile adds little to its distance, which takes no time to compute.
    patterns, large = partition(form, tiles if tiles > 1 else 0)
    tables = _tables(form, patterns, False, resources)
    for members in large:
        tables += _group_tables(form, members)
    return SumsPlan(form, steps, tables)


def _tables(
    form: GeneralForm, patterns: Sequence[tuple[int, ...]], every_move: bool, resources: Resources
) -> list[IndexedTable]:
    """Return the table of each pattern, filled side by side; the blank's too with `every_move`."""
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
    """Return sets of at most `most` tiles that cover all groups, and the groups too large."""
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
            # A corner first, and then what would be left in one.
            best = min(
                fitting & around or fitting, key=lambda group: (len(beside[group] & left), group)
            )
            chosen.append(best)
            left.remove(best)
            space -= len(groups[best])
        patterns.append(tuple(tile for group in chosen for tile in groups[group]))
    return patterns, large


def _widened(form: GeneralForm, tiles: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Return a set of tiles and as many groups more as fit, those beside it first."""
    own = {form.groups[tile] for tile in tiles}
    beside, groups = _beside(form), form.members
    for group in sorted(groups.keys() - own, key=lambda group: (-len(beside[group] & own), group)):
        members = groups[group]
        tiles += members if len(tiles) + len(members) <= most else ()
    return tiles


def _beside(form: GeneralForm) -> dict[int, set[int]]:
    """Return, for each group, those that belong next to it."""
    beside: dict[int, set[int]] = {group: set() for group in form.members}
    for edge in steps_on(form).edges.tolist():
        one, two = (form.wanted[cell] for cell in edge)
        if one in beside and two in beside:
            beside[one].add(two)
    return beside


def _group_tables(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return the small tables of a group that no pattern table covers."""
    if len(members) == 1:
        return [IndexedTable(_distances(form, members[0]), {members[0]: range(form.size)})]
    return _sets(form, members) if form.size <= _MASK_CELLS else _lines(form, members)


def _distances(form: GeneralForm, tile: int) -> Table:
    """Return the steps of a tile to the nearest of its places, by its cell."""
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
    """Return the cheapest assignment of a group by the set of its cells."""
    bits = [1 << cell for cell in range(form.size)]
    table = mask_table(form, form.groups[members[0]], len(members))
    return [IndexedTable(table, dict.fromkeys(members, bits))]


def _lines(form: GeneralForm, members: tuple[int, ...]) -> list[IndexedTable]:
    """Return how many tiles of a group must cross each line between rows or columns."""
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

"""Tables over the cells of some tiles, filled backwards from the goal on any form.

    index   blank + cells · (tile 0 + cells · (tile 1 + …))     a number of cells is the base

All other tiles are alike, so the table tells the least moves of a puzzle with fewer rules: a lower
bound. Counted are all moves, or, for bounds that are added up, only those of the tiles of the
table; then the least over the blank's cells is kept, which a walk can do without. Walls are walls
here, and the tiles of one group end in whichever of its places suits them best.

BEYOND is what cannot be reached at all, and what no table counts up to: no estimate is above it.
A kernel takes its arrays one by one, more than other functions may.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, perm
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.form import FREE, Form, ways_on
from taquin.system.kernels import kernel
from taquin.system.native import room

BEYOND = 255
"""The value of what is not reached."""
_LAST = 253
"""The greatest distance that is counted; whatever is farther counts one more."""
_STRETCH = 1 << 18
"""Boards between two looks at the world: some hundredths of a second."""
Tick: TypeAlias = Callable[[], None]
"""Called every few hundredths of a second; may raise to end the work."""
Table: TypeAlias = NDArray[np.uint8]


def table_size(form: Form, tiles: int) -> int:
    """Return the entries that a table of so many tiles takes while it is filled."""
    return int(form.size ** (tiles + 1))


def pattern_table(form: Form, tiles: tuple[int, ...], every_move: bool, tick: Tick) -> Table:
    """Return the table of some tiles: all of a group or none.

    With `every_move` the blank is part of the index; else its last digit is left out.
    """
    cells, count = form.size, len(tiles)
    ways = ways_on(form)
    steps, begin = np.array(ways.steps, np.int32), np.array(ways.begin, np.int32)
    values = np.full(table_size(form, count), BEYOND, np.uint8)
    states = perm(cells, min(cells, count + 1))
    now, later = np.empty(states, np.int32), np.empty(states, np.int32)
    groups = np.array([form.groups[tile] for tile in tiles], np.int64)
    wanted = np.array([group if group in groups else FREE for group in form.wanted], np.int64)
    ends = np.zeros(3, np.int64)
    _begin(values, now, ends, groups, wanted, form.home)
    for level in range(_LAST):
        ends[0] = 0
        while ends[0] < ends[1]:
            tick()
            _spread(
                *(values, now, later, ends, level, steps, begin, cells, count),
                *(int(every_move), _STRETCH),
            )
        now, later = later, now
        ends[1], ends[2] = ends[2], 0
        if not ends[1]:
            break
    else:
        # Those still waiting have a value; what is farther, or out of reach, is not told apart.
        values[values == BEYOND] = _LAST + 1
    return values if every_move else np.ascontiguousarray(values.reshape(-1, cells).min(axis=1))


@kernel
def _begin(values: Any, now: Any, ends: Any, groups: Any, wanted: Any, home: int) -> None:
    """Give every solved placing the value 0, and put it into the queue `now`."""
    cells, count = len(wanted), len(groups)
    held = room(cells, np.int64)
    held[:] = 0
    end = 0
    for index in range(len(values) // cells):
        rest = index
        met = True
        for each in range(count):
            cell = rest % cells
            rest //= cells
            met = met and held[cell] == 0
            held[cell] = groups[each]
        for cell in range(cells):
            met = met and (wanted[cell] < 0 or wanted[cell] == held[cell])
        for blank in range(cells):
            if met and held[blank] == 0 and (home < 0 or blank == home):
                values[index * cells + blank] = 0
                now[end] = index * cells + blank
                end += 1
        rest = index
        for _ in range(count):
            held[rest % cells] = 0
            rest //= cells
    ends[1] = end


@kernel
def _spread(
    values: Any,
    now: Any,
    later: Any,
    ends: Any,
    level: int,
    steps: Any,
    begin: Any,
    cells: int,
    count: int,
    free: int,
    budget: int,
) -> None:
    """Go on from the placings of a level, from `ends[0]` to `ends[1]` of the queue `now`.

    A move of other tiles costs `free`: with 0 it stays in the level, and the queue grows. What
    comes after it goes into the queue `later`, which ends at `ends[2]`.
    """
    held = room(cells, np.int64)
    held[:] = 0
    at, end, made = ends[0], ends[1], ends[2]
    while at < end and budget > 0:
        index: Any = np.int64(now[at])
        at += 1
        budget -= 1
        if values[index] != level:
            continue
        rest = index // cells
        blank = index - rest * cells
        weight = 1
        for _ in range(count):
            weight *= cells
            held[rest % cells] = weight
            rest //= cells
        turn = begin[blank]
        step = np.int64(steps[turn])
        there = index
        hole = blank
        while step >= 0:
            if step & 1:
                there, hole = index, blank
            cell = step >> 14
            there += cell - hole + held[cell] * (hole - cell)
            price = level + 1 if free or held[cell] else level
            if values[there] > price:
                values[there] = price
                if price > level:
                    later[made] = there
                    made += 1
                else:
                    now[end] = there
                    end += 1
            hole = cell
            turn += 1
            step = np.int64(steps[turn])
        rest = index // cells
        for _ in range(count):
            held[rest % cells] = 0
            rest //= cells
    ends[0], ends[1], ends[2] = at, end, made


def mask_table(
    cells: int, edges: Sequence[tuple[int, int]], places: Sequence[int], tiles: int
) -> Table:
    """Return the least steps that bring so many tiles alike from a set of cells onto all places.

    The index has a bit for each cell. Tiles step to free neighbours, each by itself: what hinders
    them otherwise is left out. Tiles beyond the number of places end anywhere.
    """
    values = np.full(1 << cells, BEYOND, np.uint8)
    queue = np.empty(comb(cells, tiles), np.int32)
    wanted = sum(1 << cell for cell in places)
    _spread_sets(values, queue, np.array(edges, np.int64), wanted, tiles)
    return values


@kernel
def _spread_sets(values: Any, queue: Any, edges: Any, wanted: int, tiles: int) -> None:
    end = 0
    for cells in range(len(values)):
        if cells & wanted == wanted:
            count = 0
            rest = cells
            while rest:
                rest &= rest - 1
                count += 1
            if count == tiles:
                values[cells] = 0
                queue[end] = cells
                end += 1
    at = 0
    while at < end:
        mask = np.int64(queue[at])
        at += 1
        for edge in range(len(edges)):
            one, other = edges[edge, 0], edges[edge, 1]
            if mask >> one & 1 and not mask >> other & 1:
                there = mask ^ (1 << one) ^ (1 << other)
                if values[there] == BEYOND:
                    values[there] = values[mask] + 1
                    queue[end] = there
                    end += 1

"""Tables over the cells of some tiles, filled backwards from the goal on any form.

    index   blank + cells · (tile 0 + cells · (tile 1 + …))     a number of cells is the base

All other tiles are alike, so the table tells the least moves of a puzzle with fewer rules: a lower
bound. Counted are all moves, or, for bounds that are added up, only those of the tiles of the
table; then the least over the blank's cells is kept, which a walk can do without. Walls are walls
here, and the tiles of one group end in whichever of its places suits them best.

BEYOND is what cannot be reached at all, and what no table counts up to: no estimate is above it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, perm
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.form import FREE, GeneralForm, ways_on
from taquin.engine.general.steps import Steps, begins_line, cell_of, steps_of
from taquin.system.kernels import kernel
from taquin.system.native import count_bits, inlined, room, widened

BEYOND = 255
"""The value of what is not reached."""
_LAST = 253
"""The greatest distance that is counted; whatever is farther counts one more."""
_STRETCH = 1 << 18
"""Boards between two looks at the world: some hundredths of a second."""
Tick: TypeAlias = Callable[[], None]
"""Called every few hundredths of a second; may raise to end the work."""
Table: TypeAlias = NDArray[np.uint8]


class Queues(NamedTuple):
    """The placings of one level, and those of the next."""

    now: NDArray[np.int32]
    """Those of this level, by their index."""
    later: NDArray[np.int32]
    """Those of the next."""
    ends: NDArray[np.int64]
    """DONE, END and LATER_END: how many of `now` are dealt with, how many it has, and `later`."""


DONE, END, LATER_END = range(3)


def table_size(form: GeneralForm, tiles: int) -> int:
    """Return the entries that a table of so many tiles takes while it is filled."""
    return int(form.size ** (tiles + 1))


def pattern_table(form: GeneralForm, tiles: tuple[int, ...], every_move: bool, tick: Tick) -> Table:
    """Return the table of some tiles: all of a group or none.

    With `every_move` the blank is part of the index; else its last digit is left out.
    """
    cells, count = form.size, len(tiles)
    steps = steps_of(ways_on(form))
    values = np.full(table_size(form, count), BEYOND, np.uint8)
    states = perm(cells, min(cells, count + 1))
    now, later = np.empty(states, np.int32), np.empty(states, np.int32)
    queues = Queues(now, later, np.zeros(3, np.int64))
    groups = np.array([form.groups[tile] for tile in tiles], np.int64)
    wanted = np.array([group if group in groups else FREE for group in form.wanted], np.int64)
    ends = queues.ends
    _begin(values, queues, groups, wanted, form.home)
    for level in range(_LAST):
        ends[DONE] = 0
        while ends[DONE] < ends[END]:
            tick()
            _spread(values, queues, level, steps, count, every_move, _STRETCH)
        queues = Queues(queues.later, queues.now, ends)
        ends[END], ends[LATER_END] = ends[LATER_END], 0
        if not ends[END]:
            break
    else:
        # Those still waiting have a value; what is farther, or out of reach, is not told apart.
        values[values == BEYOND] = _LAST + 1
    return values if every_move else np.ascontiguousarray(values.reshape(-1, cells).min(axis=1))


@kernel
def _begin(
    values: Table, queues: Queues, groups: NDArray[np.int64], wanted: NDArray[np.int64], home: int
) -> None:
    """Give every solved placing the value 0, and put it into the queue.

    `groups` are those of the tiles; the blank may be anywhere where its `home` is below 0.
    """
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
                queues.now[end] = index * cells + blank
                end += 1
        _forget_tiles(held, index, cells, count)
    queues.ends[END] = end


@inlined
def _forget_tiles(held: NDArray[np.int64], placing: int, cells: int, count: int) -> None:
    """Empty the cells that a placing of so many tiles holds."""
    for _ in range(count):
        held[placing % cells] = 0
        placing //= cells


@kernel
def _spread(
    values: Table,
    queues: Queues,
    level: int,
    steps: Steps,
    count: int,
    every_move: int,
    budget: int,
) -> None:
    """Go on from at most `budget` placings of a level, those of its queue from DONE on.

    There are `count` tiles. Unless `every_move` counts, a move of other tiles stays in the level,
    and the queue grows.
    """
    now, later, ends = queues.now, queues.later, queues.ends
    cells = len(steps.begin)
    held = room(cells, np.int64)
    held[:] = 0
    done, end, later_end = ends[DONE], ends[END], ends[LATER_END]
    while done < end and budget > 0:
        index = widened(now[done])
        done += 1
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
        place = steps.begin[blank]
        step = widened(steps.lists[place])
        there = index
        hole = blank
        while step >= 0:
            if begins_line(step):
                there, hole = index, blank
            cell = cell_of(step)
            there += cell - hole + held[cell] * (hole - cell)
            price = level + 1 if every_move or held[cell] else level
            if values[there] > price:
                values[there] = price
                if price > level:
                    later[later_end] = there
                    later_end += 1
                else:
                    now[end] = there
                    end += 1
            hole = cell
            place += 1
            step = widened(steps.lists[place])
        _forget_tiles(held, index // cells, cells, count)
    ends[DONE], ends[END], ends[LATER_END] = done, end, later_end


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
def _spread_sets(
    values: Table, queue: NDArray[np.int32], edges: NDArray[np.int64], wanted: int, tiles: int
) -> None:
    """Give every set of so many cells its value, beginning with those that hold all `wanted`."""
    end = 0
    for cells in range(len(values)):
        if cells & wanted == wanted and count_bits(np.uint64(cells)) == tiles:
            values[cells] = 0
            queue[end] = cells
            end += 1
    at = 0
    while at < end:
        mask = widened(queue[at])
        at += 1
        for edge in range(len(edges)):
            one, other = edges[edge, 0], edges[edge, 1]
            if mask >> one & 1 and not mask >> other & 1:
                there = mask ^ (1 << one) ^ (1 << other)
                if values[there] == BEYOND:
                    values[there] = values[mask] + 1
                    queue[end] = there
                    end += 1

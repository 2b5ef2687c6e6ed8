"""Tables over the cells of some tiles, filled backwards from the goal on any form.

    index   blank + cells · (tile 0 + cells · (tile 1 + …))     a number of cells is the base

All other tiles are alike, so the table holds the least moves of a puzzle with fewer rules: a lower
bound. It counts all moves, or, for bounds that are added up, only those of its own tiles; then the
least over the blank's cells is kept. The tiles of one group end in whichever of its places suits
them best. The value of what cannot be reached is BEYOND.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, perm
from typing import NamedTuple, TypeAlias

from taquin.engine.general.form import FREE, GeneralForm
from taquin.engine.general.steps import Steps, begins_line, cell_of, steps_on
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, array, filled, int32, int64, uint8, uint64, zeros
from taquin.system.kernels import kernel
from taquin.system.native import count_bits, inlined, stack_array, widened

BEYOND = 255
"""The value of what is not reached."""
_LAST = 253
"""The greatest distance that is counted; whatever is farther has one more."""
_STRETCH = 1 << 18
"""Boards between two calls of `tick`: some hundredths of a second."""
Tick: TypeAlias = Callable[[], None]
"""Called every few hundredths of a second; may raise to end the work."""
Table: TypeAlias = Array[uint8]


class Queues(NamedTuple):
    """The placings of one level, and those of the next."""

    now: Array[int32]
    """Those of this level, by their index."""
    later: Array[int32]
    """Those of the next."""
    ends: Array[int64]
    """DONE, END and LATER_END: how many of `now` are expanded, how many it has, and `later`."""


DONE, END, LATER_END = range(3)


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
    _begin(values, queues, array(groups, int64), array(wanted, int64), form.home)
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
        # What is farther and what cannot be reached have one value.
        values.items[:] = values.tobytes().replace(bytes([BEYOND]), bytes([_LAST + 1]))
    if every_move:
        return values
    least = zeros(len(values) // cells, uint8)
    _keep_least(values, least)
    return least


@kernel
def _begin(
    values: Table, queues: Queues, groups: Array[int64], wanted: Array[int64], home: int
) -> None:
    """Give every solved placing the value 0, and put it into the queue; `home` is the blank's."""
    cells, count = len(wanted), len(groups)
    held = stack_array(cells, int64)
    held[:] = 0
    end = 0
    for index in range(len(values) // cells):
        rest = index
        is_solved = True
        for number in range(count):
            cell = rest % cells
            rest //= cells
            is_solved = is_solved and held[cell] == 0
            held[cell] = groups[number]
        for cell in range(cells):
            is_solved = is_solved and (wanted[cell] < 0 or wanted[cell] == held[cell])
        for blank in range(cells):
            if is_solved and held[blank] == 0 and (home < 0 or blank == home):
                values[index * cells + blank] = 0
                queues.now[end] = index * cells + blank
                end += 1
        _forget_tiles(held, index, cells, count)
    queues.ends[END] = end


@kernel
def _keep_least(values: Table, least: Table) -> None:
    """Write the least of the values that belong together: those for all cells of the blank."""
    cells = len(values) // len(least)
    for index in range(len(least)):
        value = values[index * cells]
        for blank in range(1, cells):
            value = min(value, values[index * cells + blank])
        least[index] = value


@inlined
def _forget_tiles(held: Array[int64], placing: int, cells: int, count: int) -> None:
    """Empty the cells that the tiles of a placing hold."""
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
    """Expand at most `budget` placings of `count` tiles, those in the queue of a level.

    Unless `every_move` counts, a move of other tiles stays in the level, and the queue grows.
    """
    now, later, ends = queues.now, queues.later, queues.ends
    cells = len(steps.begin)
    held = stack_array(cells, int64)
    held[:] = 0
    done, end, later_end = ends[DONE], ends[END], ends[LATER_END]
    while done < end and budget > 0:
        index = widened(now[done])
        done += 1
        budget -= 1
        if values[index] != level:
            continue
        rest = index // cells
        start = index - rest * cells
        weight = 1
        for _ in range(count):
            weight *= cells
            held[rest % cells] = weight
            rest //= cells
        place = steps.begin[start]
        step = widened(steps.lists[place])
        following = index
        blank = start
        while step >= 0:
            if begins_line(step):
                following, blank = index, start
            cell = cell_of(step)
            following += cell - blank + held[cell] * (blank - cell)
            price = level + 1 if every_move or held[cell] else level
            if values[following] > price:
                values[following] = price
                if price > level:
                    later[later_end] = following
                    later_end += 1
                else:
                    now[end] = following
                    end += 1
            blank = cell
            place += 1
            step = widened(steps.lists[place])
        _forget_tiles(held, index // cells, cells, count)
    ends[DONE], ends[END], ends[LATER_END] = done, end, later_end


def mask_table(form: GeneralForm, group: int, tiles: int) -> Table:
    """Return the least steps that bring the tiles of a group from a set of cells to its places.

    The index has a bit for each cell. Tiles step to free neighbours, each by itself, as if there
    were no others. Tiles beyond the number of places end anywhere.
    """
    values = filled(1 << form.size, BEYOND, uint8)
    queue = zeros(comb(form.size, tiles), int32)
    edges = array(steps_on(form).edges.items, int64).in_rows(2)
    wanted = sum(1 << cell for cell in form.places(group))
    _spread_sets(values, queue, edges, wanted, tiles)
    return values


@kernel
def _spread_sets(
    values: Table, queue: Array[int32], edges: Matrix[int64], wanted: int, tiles: int
) -> None:
    """Give every set of `tiles` cells its value, beginning with those that hold all `wanted`."""
    end = 0
    for cells in range(len(values)):
        if cells & wanted == wanted and count_bits(uint64(cells)) == tiles:
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
                moved = mask ^ (1 << one) ^ (1 << other)
                if values[moved] == BEYOND:
                    values[moved] = values[mask] + 1
                    queue[end] = moved
                    end += 1

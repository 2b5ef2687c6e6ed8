"""The three walks of iterative deepening: a bound's tree, depth first, on one board in place.

    plain      estimate = sum over tiles of a distance each                 counts under conventions
    sums       estimate = sum of tables over the cells of some tiles each   single moves
    greatest   estimate = greatest of tables over some tiles and the blank  any metric

A walk makes one successor at a time, in the order of the ways (see `form.py`), exactly as the
glass box does, and can be left and taken up again after any of them. It stops at a goal, at a
successor at depth FLOOR, from where somebody else goes on, and after so many nodes. `state` tells
where it stands:

    DEPTH      depth of the present node; BASE - 1 when all is searched
    BASE       depth at which it began
    FLOOR      depth beyond which it does not go
    BOUND      the bound
    NODES      successors made, the way back left out
    EXPANDED   nodes gone down to, the beginning and goals left out
    DEEPEST    greatest depth among these
    EXCESS     least f that was cut, less the bound
    STOP       why it stopped: GOAL, FLOOR_MET or 0
    SHIFT      bits of an edge's number, in the index `tile << SHIFT | edge`

Of the present node and those above it `path` has the cell of the blank, `turns` the step that comes
next and `values` the estimate. A kernel takes its arrays one by one, more than others may.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.system.kernels import kernel
from taquin.system.native import part

DEPTH, BASE, FLOOR, BOUND, NODES, EXPANDED, DEEPEST, EXCESS, STOP, SHIFT = range(10)
"""Places in `state`."""
GOAL, FLOOR_MET = 1, 2
"""Why a walk stopped."""
_CELL, _EDGES = 14, (1 << 13) - 1


@part
def _solved(board: Any, blank: Any, wanted: Any, groups: Any) -> Any:
    """Tell whether every cell holds what is wanted there; -1 wants anything."""
    for cell in range(len(wanted)):
        group = 0 if cell == blank else groups[board[cell]]
        if wanted[cell] >= 0 and wanted[cell] != group:
            return False
    return True


@kernel
def plain(
    state: Any,
    board: Any,
    path: Any,
    turns: Any,
    values: Any,
    steps: Any,
    follow: Any,
    wanted: Any,
    groups: Any,
    change: Any,
    budget: int,
) -> None:
    """Walk on with a distance for each tile, which `change` tells by tile and edge."""
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    deepest, excess, shift = state[DEEPEST], state[EXCESS], state[SHIFT]
    nodes = 0
    expanded = 0
    stop = 0
    blank, value = np.int64(path[depth]), np.int64(values[depth])
    turn, room = np.int64(turns[depth]), bound - depth - 1
    while nodes < budget:
        step = np.int64(steps[turn])
        if step < 0:
            depth -= 1
            if depth < base:
                break
            before = np.int64(path[depth])
            board[blank] = board[before]
            blank, value = before, np.int64(values[depth])
            turn, room = np.int64(turns[depth]), bound - depth - 1
            continue
        turn += 1
        nodes += 1
        edge, cell = step >> 1 & _EDGES, step >> _CELL
        tile = board[cell]
        after = value + change[np.int64(tile) << shift | edge]
        if after > room:
            excess = min(excess, after - room)
            continue
        board[blank] = tile
        turns[depth] = turn
        depth += 1
        path[depth], values[depth] = cell, after
        blank, value, room = cell, after, room - 1
        turn = np.int64(follow[edge])
        if value == 0 and _solved(board, blank, wanted, groups):
            stop = GOAL
        else:
            expanded += 1
            deepest = max(deepest, depth)
            if depth != floor:
                continue
            stop = FLOOR_MET
        # Whoever takes it up again goes back from here.
        turn = np.int64(0)
        break
    if depth >= base:
        turns[depth] = turn
    state[DEPTH], state[STOP], state[DEEPEST], state[EXCESS] = depth, stop, deepest, excess
    state[NODES] += nodes
    state[EXPANDED] += expanded


@kernel
def sums(
    state: Any,
    board: Any,
    path: Any,
    turns: Any,
    values: Any,
    places: Any,
    steps: Any,
    follow: Any,
    wanted: Any,
    groups: Any,
    slots: Any,
    change: Any,
    table: Any,
    budget: int,
) -> None:
    """Walk on with tables that add up.

    Each has its present place in `places`; a tile's step along an edge adds its `change` to that
    of one of them, its *slot*.
    """
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    deepest, excess, shift = state[DEEPEST], state[EXCESS], state[SHIFT]
    nodes = 0
    expanded = 0
    stop = 0
    blank, value = np.int64(path[depth]), np.int64(values[depth])
    turn, room = np.int64(turns[depth]), bound - depth - 1
    while nodes < budget:
        step = np.int64(steps[turn])
        if step < 0:
            depth -= 1
            if depth < base:
                break
            before, turn = np.int64(path[depth]), np.int64(turns[depth])
            tile = board[before]
            move = np.int64(tile) << shift | np.int64(steps[turn - 1]) >> 1 & _EDGES
            places[slots[move]] -= change[move]
            board[blank] = tile
            blank, value, room = before, np.int64(values[depth]), bound - depth - 1
            continue
        turn += 1
        nodes += 1
        edge, cell = step >> 1 & _EDGES, step >> _CELL
        tile = board[cell]
        move = np.int64(tile) << shift | edge
        slot = slots[move]
        place = places[slot]
        there = place + change[move]
        after = value + table[there] - table[place]
        if after > room:
            excess = min(excess, after - room)
            continue
        places[slot] = there
        board[blank] = tile
        turns[depth] = turn
        depth += 1
        path[depth], values[depth] = cell, after
        blank, value, room = cell, after, room - 1
        turn = np.int64(follow[edge])
        if value == 0 and _solved(board, blank, wanted, groups):
            stop = GOAL
        else:
            expanded += 1
            deepest = max(deepest, depth)
            if depth != floor:
                continue
            stop = FLOOR_MET
        turn = np.int64(0)
        break
    if depth >= base:
        turns[depth] = turn
    state[DEPTH], state[STOP], state[DEEPEST], state[EXCESS] = depth, stop, deepest, excess
    state[NODES] += nodes
    state[EXPANDED] += expanded


@kernel
def greatest(
    state: Any,
    board: Any,
    path: Any,
    turns: Any,
    holes: Any,
    places: Any,
    sliding: Any,
    steps: Any,
    follow: Any,
    wanted: Any,
    groups: Any,
    change: Any,
    table: Any,
    budget: int,
) -> None:
    """Walk on with tables the greatest of which counts.

    A line of steps slides one tile after the other and leaves them there while the walk is below;
    `holes` is where the blank stands meanwhile, `places` where the tables are read for each node,
    `sliding` where they are read for the line under way. The end of a line puts its tiles back.
    """
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    deepest, excess, shift = state[DEEPEST], state[EXCESS], state[SHIFT]
    tables = len(change)
    nodes = 0
    expanded = 0
    stop = 0
    hole, turn, room = np.int64(holes[depth]), np.int64(turns[depth]), bound - depth - 1
    while nodes < budget:
        step = np.int64(steps[turn])
        if step < 0 or step & 1:
            blank = np.int64(path[depth])
            last = turn - 1
            while hole != blank:
                begins = steps[last] & 1
                last -= 1
                before = blank if begins else np.int64(steps[last]) >> _CELL
                board[hole] = board[before]
                hole = before
            if step < 0:
                depth -= 1
                if depth < base:
                    break
                hole, turn = np.int64(holes[depth]), np.int64(turns[depth])
                room = bound - depth - 1
                continue
            for each in range(tables):
                sliding[depth, each] = places[depth, each]
        turn += 1
        nodes += 1
        edge, cell = step >> 1 & _EDGES, step >> _CELL
        tile = board[cell]
        move = np.int64(tile) << shift | edge
        after = np.int64(0)
        for each in range(tables):
            place = sliding[depth, each] + change[each, move]
            sliding[depth, each] = place
            # What is beyond the bound already is read no more.
            if after <= room:
                after = max(after, np.int64(table[place]))
        board[hole] = tile
        hole = cell
        if after > room:
            excess = min(excess, after - room)
            continue
        turns[depth], holes[depth] = turn, hole
        depth += 1
        path[depth] = cell
        for each in range(tables):
            places[depth, each] = sliding[depth - 1, each]
        room -= 1
        turn = np.int64(follow[edge])
        if after == 0 and _solved(board, hole, wanted, groups):
            stop = GOAL
        else:
            expanded += 1
            deepest = max(deepest, depth)
            if depth != floor:
                continue
            stop = FLOOR_MET
        turn = np.int64(0)
        break
    if depth >= base:
        turns[depth], holes[depth] = turn, hole
    state[DEPTH], state[STOP], state[DEEPEST], state[EXCESS] = depth, stop, deepest, excess
    state[NODES] += nodes
    state[EXPANDED] += expanded

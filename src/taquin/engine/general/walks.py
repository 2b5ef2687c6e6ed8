"""The walk of iterative deepening: a bound's tree, depth first, on one board in place.

A walk makes one successor at a time, in the order of the ways (see `form.py`), exactly as the
glass box does, and can be left and taken up again after any of them. It stops at a goal, at a
successor at depth FLOOR, from where somebody else goes on, and after so many nodes. `Walk.state`
tells where it stands:

    DEPTH      depth of the present node; BASE - 1 when all is searched
    BASE       depth at which it began
    FLOOR      depth beyond which it does not go
    BOUND      the bound
    NODES      successors made, the way back left out
    EXPANDED   nodes gone down to, the beginning and goals left out
    DEEPEST    greatest depth among these
    EXCESS     least f that was cut, less the bound
    STOP       why it stopped: GOAL, FLOOR_MET or 0

There is one loop, compiled for each of three estimates, which are records:

    Distances  the sum over tiles of a distance each                  counts under conventions
    Sums       the sum of tables over the cells of some tiles each    single moves
    Greatest   the greatest of tables over some tiles and the blank   any metric

The parts of the loop that differ have a body for each of them. With Greatest, a line of steps
slides one tile after the other and leaves them there while the walk is below; the end of the line
puts them back. With the others a tile is moved when the walk goes down, and back when it returns.
"""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.steps import Steps, begins_line, cell_of, edge_of
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, widened

DEPTH, BASE, FLOOR, BOUND, NODES, EXPANDED, DEEPEST, EXCESS, STOP = range(9)
"""Places in `Walk.state`."""
GOAL, FLOOR_MET = 1, 2
"""Why a walk stopped."""


class Walk(NamedTuple):
    """Where a walk stands: the present node, and those above it by their depth."""

    state: NDArray[np.int64]
    """The numbers above."""
    board: NDArray[np.uint16]
    """The tile in each cell. What the cell of the blank holds means nothing."""
    path: NDArray[np.int32]
    """The cell of the blank of each node."""
    turns: NDArray[np.int32]
    """The step of each node that comes next, by its place in the lists."""


class Rules(NamedTuple):
    """What there is to know of a puzzle but its estimates."""

    steps: Steps
    """The steps of the blank."""
    wanted: NDArray[np.int32]
    """The group that each cell is to hold; anything where it is below 0."""
    groups: NDArray[np.int32]
    """The group of each tile."""
    edge_bits: int
    """Bits of an edge's number in that of a move, `tile << edge_bits | edge`."""


class Distances(NamedTuple):
    """The sum over tiles of a distance each."""

    values: NDArray[np.int32]
    """The estimate of each node."""
    change: NDArray[np.int8]
    """What each move changes it by."""


class Sums(NamedTuple):
    """The sum of tables, each over the cells of some tiles."""

    values: NDArray[np.int32]
    """The estimate of each node."""
    places: NDArray[np.int64]
    """Where each table is read for the present node."""
    slots: NDArray[np.int32]
    """The table that each move changes the place in."""
    change: NDArray[np.int32]
    """By how much it does."""
    table: NDArray[np.uint8]
    """All tables, one after the other."""


class Greatest(NamedTuple):
    """The greatest of tables, each over the cells of some tiles and of the blank."""

    holes: NDArray[np.int32]
    """Where the blank stands for each node: on the way along a line."""
    places: NDArray[np.int64]
    """Where the tables are read for each node."""
    sliding: NDArray[np.int64]
    """Where they are read for the line that is under way from each node."""
    change: NDArray[np.int32]
    """By how much each move changes the place, for each table."""
    table: NDArray[np.uint8]
    """All tables, one after the other."""


Estimate: TypeAlias = Distances | Sums | Greatest


class Slide(NamedTuple):
    """A tile that goes where the blank is."""

    tile: int
    """The tile."""
    cell: int
    """The cell that it leaves."""
    hole: int
    """The cell that it goes to."""
    move: int
    """The number of the move."""


@part
def _is_solved(walk: Walk, blank: int, rules: Rules) -> bool:
    """Return whether every cell holds what is wanted there."""
    for cell in range(len(rules.wanted)):
        group = 0 if cell == blank else rules.groups[walk.board[cell]]
        if rules.wanted[cell] >= 0 and rules.wanted[cell] != group:
            return False
    return True


@inlined
@singledispatch
def _resume(estimate: Estimate, walk: Walk, depth: int) -> tuple[int, int]:
    """Return where the blank stands at a depth, and the estimate there if it is needed."""
    raise TypeError(estimate)


@_resume.register
def _(estimate: Distances | Sums, walk: Walk, depth: int) -> tuple[int, int]:
    return widened(walk.path[depth]), widened(estimate.values[depth])


@_resume.register
def _(estimate: Greatest, walk: Walk, depth: int) -> tuple[int, int]:
    return widened(estimate.holes[depth]), 0


@inlined
@singledispatch
def _suspend(estimate: Estimate, walk: Walk, depth: int, turn: int, hole: int) -> None:
    """Note how a node is to be taken up again."""
    walk.turns[depth] = turn


@_suspend.register
def _(estimate: Greatest, walk: Walk, depth: int, turn: int, hole: int) -> None:
    walk.turns[depth] = turn
    estimate.holes[depth] = hole


@inlined
@singledispatch
def _end_line(
    estimate: Estimate, walk: Walk, rules: Rules, depth: int, turn: int, hole: int
) -> int:
    """Put back the tiles of the last line of steps; return where the blank is then."""
    return hole


@_end_line.register
def _(estimate: Greatest, walk: Walk, rules: Rules, depth: int, turn: int, hole: int) -> int:
    board, lists = walk.board, rules.steps.lists
    blank = widened(walk.path[depth])
    last = turn - 1
    while hole != blank:
        is_first = begins_line(lists[last])
        last -= 1
        before = blank if is_first else cell_of(widened(lists[last]))
        board[hole] = board[before]
        hole = before
    return hole


@inlined
@singledispatch
def _begin_line(estimate: Estimate, depth: int) -> None:
    """Make ready for a line of steps."""


@_begin_line.register
def _(estimate: Greatest, depth: int) -> None:
    for number in range(len(estimate.change)):
        estimate.sliding[depth, number] = estimate.places[depth, number]


@inlined
@singledispatch
def _slide(
    estimate: Estimate, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    """Return where the blank is after a slide, and the estimate: exact if it is at most `most`."""
    raise TypeError(estimate)


@_slide.register
def _(
    estimate: Distances, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    return slide.hole, value + widened(estimate.change[slide.move])


@_slide.register
def _(
    estimate: Sums, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    place = estimate.places[estimate.slots[slide.move]]
    after = estimate.table[place + estimate.change[slide.move]]
    return slide.hole, value + after - estimate.table[place]


@_slide.register
def _(
    estimate: Greatest, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    after = 0
    for number in range(len(estimate.change)):
        place = estimate.sliding[depth, number] + estimate.change[number, slide.move]
        estimate.sliding[depth, number] = place
        # What is beyond the bound already is read no more.
        if after <= most:
            after = max(after, widened(estimate.table[place]))
    walk.board[slide.hole] = slide.tile
    return slide.cell, after


@inlined
@singledispatch
def _go_down(estimate: Estimate, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    """Enter the node at `depth` that a slide leads to."""
    raise TypeError(estimate)


@_go_down.register
def _(estimate: Distances, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    walk.board[slide.hole] = slide.tile
    estimate.values[depth] = value


@_go_down.register
def _(estimate: Sums, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    walk.board[slide.hole] = slide.tile
    estimate.values[depth] = value
    estimate.places[estimate.slots[slide.move]] += estimate.change[slide.move]


@_go_down.register
def _(estimate: Greatest, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    for number in range(len(estimate.change)):
        estimate.places[depth, number] = estimate.sliding[depth - 1, number]


@inlined
@singledispatch
def _come_back(estimate: Estimate, walk: Walk, rules: Rules, depth: int, hole: int) -> None:
    """Undo the slide by which the walk went down from `depth`; the blank is in `hole`.

    With Greatest the tiles of the line stay until it ends.
    """


@_come_back.register
def _(estimate: Distances, walk: Walk, rules: Rules, depth: int, hole: int) -> None:
    walk.board[hole] = walk.board[walk.path[depth]]


@_come_back.register
def _(estimate: Sums, walk: Walk, rules: Rules, depth: int, hole: int) -> None:
    tile = walk.board[walk.path[depth]]
    step = widened(rules.steps.lists[walk.turns[depth] - 1])
    move = widened(tile) << rules.edge_bits | edge_of(step)
    estimate.places[estimate.slots[move]] -= estimate.change[move]
    walk.board[hole] = tile


@kernel
def walk_on(walk: Walk, rules: Rules, estimate: Estimate, budget: int) -> None:
    """Walk on until there is a reason to stop, or `budget` nodes are made."""
    state, lists = walk.state, rules.steps.lists
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    deepest, excess = state[DEEPEST], state[EXCESS]
    nodes = 0
    expanded = 0
    stop = 0
    hole, value = _resume(estimate, walk, depth)
    # `most` is what the estimate of a successor may be.
    turn, most = widened(walk.turns[depth]), bound - depth - 1
    while nodes < budget:
        step = widened(lists[turn])
        if step < 0 or begins_line(step):
            hole = _end_line(estimate, walk, rules, depth, turn, hole)
            if step < 0:
                depth -= 1
                if depth < base:
                    break
                _come_back(estimate, walk, rules, depth, hole)
                hole, value = _resume(estimate, walk, depth)
                turn, most = widened(walk.turns[depth]), bound - depth - 1
                continue
            _begin_line(estimate, depth)
        turn += 1
        nodes += 1
        cell = cell_of(step)
        tile = widened(walk.board[cell])
        slide = Slide(tile, cell, hole, tile << rules.edge_bits | edge_of(step))
        hole, after = _slide(estimate, walk, slide, depth, value, most)
        if after > most:
            excess = min(excess, after - most)
            continue
        _suspend(estimate, walk, depth, turn, hole)
        depth += 1
        _go_down(estimate, walk, slide, depth, after)
        walk.path[depth] = cell
        hole, value, most = cell, after, most - 1
        turn = widened(rules.steps.follow[edge_of(step)])
        if value == 0 and _is_solved(walk, hole, rules):
            stop = GOAL
        else:
            expanded += 1
            deepest = max(deepest, depth)
            if depth != floor:
                continue
            stop = FLOOR_MET
        # Whoever takes it up again goes back from here.
        turn = 0
        break
    if depth >= base:
        _suspend(estimate, walk, depth, turn, hole)
    state[DEPTH], state[STOP], state[DEEPEST], state[EXCESS] = depth, stop, deepest, excess
    state[NODES] += nodes
    state[EXPANDED] += expanded

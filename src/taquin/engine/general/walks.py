"""The kernel of depth-first search within a bound, on one board in place.

It generates one successor at a time, in the order of the steps (`form.py`), exactly as the glass
box does, and can be suspended after any of them. It stops at a goal, at a node at depth FLOOR,
where another search continues, and after a number of nodes. `Walk.state` holds its state:

    DEPTH      depth of the present node; BASE - 1 when the tree is exhausted
    BASE       depth of the root
    FLOOR      the maximum depth
    BOUND      the bound
    NODES      successors generated, without reverse moves
    EXPANDED   nodes entered, without the root and goals
    DEEPEST    the greatest depth of an expanded node
    EXCESS     least f that was pruned, minus the bound
    STOP       why it stopped: GOAL, FLOOR_MET or 0

There is one loop, compiled for each kind of estimate, a record:

    Sums       the sum of tables over the cells of some tiles each    single moves
    Greatest   the maximum of tables over some tiles and the blank    any metric

and the heuristics of searches by name in `engine/textbook/estimates.py`.

The parts of the loop that differ have a body for each record, or the default one. With Greatest, a
line of steps slides one tile after the other, and the end of the line puts them back. With the
others a tile moves when the search descends, and back when it returns.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Annotated, Any, NamedTuple

from taquin.engine.general.form import Steps, begins_line, cell_of, edge_of
from taquin.system.arrays import Array, Matrix, int32, int64, uint8, uint16, uint64
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, widened

DEPTH, BASE, FLOOR, BOUND, NODES, EXPANDED, DEEPEST, EXCESS, STOP = range(9)
"""Places in `Walk.state`."""
GOAL, FLOOR_MET = 1, 2
"""Why a search stopped."""


class Walk(NamedTuple):
    """The state of a search; `path` and `nexts` have an entry for each node, by its depth."""

    state: Array[int64]
    """DEPTH to STOP."""
    board: Array[uint16]
    """The tile in each cell but that of the blank."""
    path: Array[int32]
    """The cell of the blank of each node."""
    nexts: Array[int32]
    """For each node, where in the lists its next step is."""


class Rules(NamedTuple):
    """The puzzle of a search, without its estimates."""

    steps: Steps
    """The steps of the blank."""
    wanted: Array[int32]
    """The group that the goal wants in each cell, or FREE."""
    groups: Array[int32]
    """The group of each tile."""
    edge_bits: int
    """The number of a move is `tile << edge_bits | edge`."""


class Sums(NamedTuple):
    """The sum of tables, each over the cells of some tiles."""

    values: Array[int32]
    """The estimate of each node."""
    places: Array[int64]
    """The index into each table for the present node."""
    slots: Array[int32]
    """The table whose index each move changes."""
    change: Array[int32]
    """The change of that index."""
    table: Array[uint8]
    """All tables, one after the other."""


class Greatest(NamedTuple):
    """The maximum of tables, each over the cells of some tiles and of the blank."""

    blanks: Array[int32]
    """The blank's cell for each node, along an unfinished line."""
    places: Matrix[int64]
    """The indices into the tables for each node."""
    sliding: Matrix[int64]
    """The indices for the unfinished line of each node."""
    change: Matrix[int32]
    """The change of each table's index by each move."""
    table: Array[uint8]
    """All tables, one after the other."""


class Slide(NamedTuple):
    """The slide of a tile from a cell to the blank's, and the number of that move."""

    tile: int
    cell: int
    blank: int
    move: int


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
def _resume(estimate: Any, walk: Walk, depth: int) -> tuple[int, int]:
    """Return the blank's cell at a depth, and the estimate there if it is needed."""
    return widened(walk.path[uint64(depth)]), widened(estimate.values[uint64(depth)])


@_resume.register
def _(estimate: Greatest, walk: Walk, depth: int) -> tuple[int, int]:
    return widened(estimate.blanks[depth]), 0


@inlined
@singledispatch
def _suspend(estimate: Any, walk: Walk, depth: int, at: int, blank: int) -> None:
    """Save the state of a node."""
    walk.nexts[uint64(depth)] = at


@_suspend.register
def _(estimate: Greatest, walk: Walk, depth: int, at: int, blank: int) -> None:
    walk.nexts[depth] = at
    estimate.blanks[depth] = blank


@inlined
@singledispatch
def _end_line(estimate: Any, walk: Walk, rules: Rules, depth: int, at: int, blank: int) -> int:
    """Put back the tiles of the last line of steps; return the blank's cell."""
    return blank


@_end_line.register
def _(estimate: Greatest, walk: Walk, rules: Rules, depth: int, at: int, blank: int) -> int:
    board, lists = walk.board, rules.steps.lists
    start = widened(walk.path[depth])
    last = at - 1
    while blank != start:
        is_first = begins_line(lists[last])
        last -= 1
        before = start if is_first else cell_of(widened(lists[last]))
        board[blank] = board[before]
        blank = before
    return blank


@inlined
@singledispatch
def _begin_line(estimate: Any, depth: int) -> None:
    """Begin a line of steps."""


@_begin_line.register
def _(estimate: Greatest, depth: int) -> None:
    for number in range(len(estimate.change)):
        estimate.sliding[depth, number] = estimate.places[depth, number]


@inlined
@singledispatch
def slide_tile(
    estimate: Any, walk: Any, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    """Return the blank's cell after a slide, and the estimate, exact up to `most`.

    By default the estimate stays the same.
    """
    return slide.blank, value


@slide_tile.register
def _(
    estimate: Sums, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    place = estimate.places[estimate.slots[slide.move]]
    after = estimate.table[place + estimate.change[slide.move]]
    return slide.blank, value + after - estimate.table[place]


@slide_tile.register
def _(
    estimate: Greatest, walk: Walk, slide: Slide, depth: int, value: int, most: int
) -> tuple[int, int]:
    after = 0
    for number in range(len(estimate.change)):
        place = estimate.sliding[depth, number] + estimate.change[number, slide.move]
        estimate.sliding[depth, number] = place
        # Above the bound, the other tables do not matter.
        if after <= most:
            after = max(after, widened(estimate.table[place]))
    walk.board[slide.blank] = slide.tile
    return slide.cell, after


@inlined
@singledispatch
def make_move(estimate: Any, slide: Slide, depth: int) -> None:
    """Update the indices of an estimate after a slide that leads to `depth`."""


@make_move.register
def _(estimate: Sums, slide: Slide, depth: int) -> None:
    estimate.places[estimate.slots[slide.move]] += estimate.change[slide.move]


@inlined
@singledispatch
def undo_move(estimate: Any, slide: Slide, depth: int) -> None:
    """Undo what `make_move` did."""


@undo_move.register
def _(estimate: Sums, slide: Slide, depth: int) -> None:
    estimate.places[estimate.slots[slide.move]] -= estimate.change[slide.move]


@inlined
@singledispatch
def _go_down(estimate: Any, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    """Enter the node at `depth` that a slide leads to."""
    walk.board[uint64(slide.blank)] = slide.tile
    estimate.values[uint64(depth)] = value
    make_move(estimate, slide, depth)


@_go_down.register
def _(estimate: Greatest, walk: Walk, slide: Slide, depth: int, value: int) -> None:
    for number in range(len(estimate.change)):
        estimate.places[depth, number] = estimate.sliding[depth - 1, number]


@inlined
@singledispatch
def come_back(estimate: Any, walk: Walk, rules: Rules, depth: int, blank: int) -> None:
    """Undo the slide from the node at `depth` to its child."""
    cell = widened(walk.path[uint64(depth)])
    tile = widened(walk.board[uint64(cell)])
    step = widened(rules.steps.lists[uint64(walk.nexts[uint64(depth)] - 1)])
    slide = Slide(tile, cell, blank, tile << rules.edge_bits | edge_of(step))
    undo_move(estimate, slide, depth + 1)
    walk.board[uint64(blank)] = tile


@come_back.register
def _(estimate: Greatest, walk: Walk, rules: Rules, depth: int, blank: int) -> None:
    """Do nothing: the tiles of a line stay until it ends."""


@kernel
def walk_on(budget: int, walk: Walk, rules: Rules, estimate: Annotated[Any, slide_tile]) -> None:
    """Continue the search until it stops or `budget` nodes are generated."""
    state, lists = walk.state, rules.steps.lists
    depth, base, floor, bound = state[DEPTH], state[BASE], state[FLOOR], state[BOUND]
    deepest, excess = state[DEEPEST], state[EXCESS]
    nodes = 0
    expanded = 0
    stop = 0
    # Indices are unsigned: for others, compiled code would look for negative ones.
    blank, value = _resume(estimate, walk, depth)
    # `most` is the greatest estimate of a successor within the bound.
    at, most = widened(walk.nexts[uint64(depth)]), bound - depth - 1
    while nodes < budget:
        step = widened(lists[uint64(at)])
        if step < 0 or begins_line(step):
            blank = _end_line(estimate, walk, rules, depth, at, blank)
            if step < 0:
                depth -= 1
                if depth < base:
                    break
                come_back(estimate, walk, rules, depth, blank)
                blank, value = _resume(estimate, walk, depth)
                at, most = widened(walk.nexts[uint64(depth)]), bound - depth - 1
                continue
            _begin_line(estimate, depth)
        at += 1
        nodes += 1
        cell = cell_of(step)
        tile = widened(walk.board[uint64(cell)])
        slide = Slide(tile, cell, blank, tile << rules.edge_bits | edge_of(step))
        blank, after = slide_tile(estimate, walk, slide, depth, value, most)
        if after > most:
            excess = min(excess, after - most)
            continue
        _suspend(estimate, walk, depth, at, blank)
        depth += 1
        _go_down(estimate, walk, slide, depth, after)
        walk.path[uint64(depth)] = cell
        blank, value, most = cell, after, most - 1
        at = widened(rules.steps.follow[uint64(edge_of(step))])
        if value == 0 and _is_solved(walk, blank, rules):
            stop = GOAL
        else:
            expanded += 1
            deepest = max(deepest, depth)
            if depth != floor:
                continue
            stop = FLOOR_MET
        # The node has no steps when the search resumes: the list at 0 is empty.
        at = 0
        break
    if depth >= base:
        _suspend(estimate, walk, depth, at, blank)
    state[DEPTH], state[STOP], state[DEEPEST], state[EXCESS] = depth, stop, deepest, excess
    state[NODES] += nodes
    state[EXPANDED] += expanded

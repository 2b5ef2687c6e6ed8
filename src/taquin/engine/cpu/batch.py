"""Many boards of one goal, solved one after the other on one thread, without leaving compiled code.

`deepen` does for each board what `Deepening` and a `Team` of one do for one, to the same node:

    BEGIN ──► GATHER ⇄ KEPT ──► WHOLE ──► BEGIN of the next bound       a solution or a limit ends
              the nodes kept    the       or of the next board          the board at any stage
              for this bound    bound

It returns after about as many nodes as it may make, and the next call goes on from there. All that
it has to remember is in `Boards`; the stack and the kept nodes are those of `sharing.py` and
`fringe.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.fringe import (
    CHAIN,
    FEWEST_KEPT,
    GROWTH,
    LOWEST,
    MOST_AT_ONCE,
    NODES_OF_KEPT,
    SLOT,
    SLOTS,
    USED,
    WAY_WORDS,
    gather_kept,
)
from taquin.engine.cpu.layout import DEEPEST, DIRECTION, DIRECTION_BITS, ONE, TWO, ZERO, Word
from taquin.engine.cpu.packed import BLANK, BOARD, CELLS, FACTS, PackedTree, RankedTree
from taquin.engine.cpu.packed_lookup import CELL_BITS, MOVE_CELL
from taquin.engine.cpu.sharing import (
    ACTIVE,
    FOUND,
    FRINGE,
    GOAL_DEPTH,
    HOLDS,
    INTERVAL,
    LEAST,
    LEFT,
    MOST,
    NODES,
    ONE_STEP,
    PATH,
    ROOT_DEPTH,
    STOP,
    TAKEN,
    TOP,
    WIDTH,
    TeamMemory,
    work_on,
)
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, int64, uint8, uint64
from taquin.system.kernels import kernel
from taquin.system.native import part, widened

MOST_BOUNDS = 128
"""Bounds that a board may have: none of up to 16 cells has as many."""
ENDING, ESTIMATE, BOUNDS, GENERATED, BELOW_KEPT, BOUND_NODES = range(6)
"""Of a row of `Boards.answers`: how the search ended, the first bound, how many were begun, nodes
in all, nodes below kept ones, and from there on the nodes of each bound."""
ANSWER = BOUND_NODES + MOST_BOUNDS
"""Numbers in an answer."""
SOLVED, OUT_OF_NODES, TOO_DEEP, TIMED_OUT = 1, 2, 3, 4
"""Endings; 0 while there is none. The caller writes the last one."""
NEXT, STAGE, LAST, KEPT_FROM, KEPT_SLOTS, NOTES = range(6)
"""Of `Boards.notes`: the board at work, its stage, the nodes of its last bound, the least depth of
nodes to keep and how many; and the number of these notes."""
_BEGIN, _GATHER, _KEPT, _WHOLE = range(4)
_STEP_WORDS, _STEPS = Word(5), Word(31)
"""Binary logarithm of the moves in a word of a way, and the mask of a move's number in it."""


class Boards(NamedTuple):
    """Boards with one goal, and what is found."""

    roots: Matrix[uint64]
    """For each board, its node for the first bound."""
    widening: Array[uint64]
    """What a bound higher by two adds to a node."""
    answers: Matrix[int64]
    cells: Matrix[uint8]
    """For each board, the blank's cells along the solution."""
    notes: Array[int64]
    nodes: int
    """Most nodes for each board."""
    depth: int
    """The last bound for each board."""
    slots: int
    """Most nodes to keep for the next bound."""
    part: int
    """One in so many nodes of a bound may be generated again below the nodes that it kept."""
    packed: PackedTree
    """The tree, without ranks."""


@kernel
def deepen(
    team: TeamMemory, budget: int, boards: Boards, tree: PackedTree | RankedTree
) -> tuple[int, int]:
    """Go on with the boards for about `budget` nodes; return the boards done and the nodes made."""
    notes = boards.notes
    made = 0
    while made < budget and notes[NEXT] < len(boards.answers):
        answer = boards.answers[notes[NEXT]]
        if notes[STAGE] == _BEGIN:
            _begin(team, boards)
        elif notes[STAGE] == _GATHER:
            _gather(team, boards)
        else:
            before = widened(team.shared[NODES])
            work_on(team, 0, INTERVAL, tree)
            nodes = widened(team.shared[NODES]) - before
            made += nodes
            answer[GENERATED] += nodes
            if notes[STAGE] == _KEPT:
                answer[BELOW_KEPT] += nodes
            else:
                answer[BOUND_NODES + answer[BOUNDS] - 1] += nodes
            if team.controls[0, FOUND]:
                _write_solution(team, boards)
                _end(boards, SOLVED)
            elif team.shared[STOP]:
                _end(boards, OUT_OF_NODES)
            elif team.shared[ACTIVE] == 0:
                _finish(team, boards)
    return notes[NEXT], made


@part
def _end(boards: Boards, ending: int) -> None:
    """Note how the search of a board ended, and turn to the next."""
    notes = boards.notes
    boards.answers[notes[NEXT], ENDING] = ending
    notes[NEXT] += 1
    notes[STAGE] = _BEGIN


@part
def _begin(team: TeamMemory, boards: Boards) -> None:
    """Begin a bound, the first one with empty memory."""
    notes, control = boards.notes, team.controls[0]
    answer = boards.answers[notes[NEXT]]
    if answer[BOUNDS] == 0:
        for word in range(len(team.shared)):
            team.shared[word] = 0
        control[TOP] = control[FOUND] = control[HOLDS] = control[TAKEN] = control[ROOT_DEPTH] = 0
        control[PATH] = control[LEAST] = DEEPEST
        notes[LAST] = notes[KEPT_SLOTS] = 0
        notes[KEPT_FROM] = 1
    left = boards.nodes - answer[GENERATED]
    if answer[ESTIMATE] + 2 * answer[BOUNDS] > boards.depth:
        _end(boards, TOO_DEEP)
    elif left <= 0:
        _end(boards, OUT_OF_NODES)
    else:
        answer[BOUNDS] += 1
        _limit(team, left)
        if notes[KEPT_SLOTS] and left >= ONE_STEP:
            notes[STAGE] = _GATHER
        else:
            _begin_whole(team, boards)


@part
def _limit(team: TeamMemory, nodes: int) -> None:
    """Count nodes from 0 again, and set the most of them."""
    team.shared[NODES] = 0
    team.shared[MOST] = team.shared[LEFT] = nodes


@part
def _gather(team: TeamMemory, boards: Boards) -> None:
    """Begin to search kept nodes, the deepest; when there are no more, the whole bound."""
    notes, control = boards.notes, team.controls[0]
    count = (notes[LAST] // boards.part - widened(team.shared[NODES])) // NODES_OF_KEPT
    if count >= 1:
        gather_kept(team, min(count, MOST_AT_ONCE))
    if count >= 1 and control[TOP] > 0:
        control[HOLDS] = team.shared[ACTIVE] = 1
        notes[STAGE] = _KEPT
    else:
        _begin_whole(team, boards)


@part
def _begin_whole(team: TeamMemory, boards: Boards) -> None:
    """Begin to search a bound from the board on, and let it keep nodes for the next."""
    notes, control, stack = boards.notes, team.controls[0], team.stacks[0]
    number = notes[NEXT]
    answer = boards.answers[number]
    left = boards.nodes - answer[GENERATED]
    if left < ONE_STEP:
        _end(boards, OUT_OF_NODES)
        return
    _limit(team, left)
    for word in range(len(boards.widening)):
        times = Word(answer[BOUNDS] - 1)
        stack[word] = boards.roots[number, word] + times * boards.widening[word]
    control[TAKEN] = 0
    control[TOP] = control[HOLDS] = team.shared[ACTIVE] = 1
    slots = GROWTH * notes[LAST] // boards.part // NODES_OF_KEPT
    notes[KEPT_SLOTS] = slots if slots >= FEWEST_KEPT and boards.slots else 0
    if notes[KEPT_SLOTS]:
        control[LEAST] = notes[KEPT_FROM]
        fringe = Word(control[FRINGE])
        for word in range(widened(CHAIN)):
            stack[fringe + Word(word)] = ZERO
        stack[fringe + SLOTS] = Word(min(slots, boards.slots))
        stack[fringe + LOWEST] = Word(DEEPEST - 1)
    notes[STAGE] = _WHOLE


@part
def _finish(team: TeamMemory, boards: Boards) -> None:
    """Turn to what follows a tree that has no solution."""
    notes, control = boards.notes, team.controls[0]
    if notes[STAGE] == _KEPT:
        notes[STAGE] = _GATHER
        return
    notes[LAST] = widened(team.shared[NODES])
    if notes[KEPT_SLOTS]:
        # A node of the same estimate is deeper by 2 under the next bound.
        notes[KEPT_FROM] = control[LEAST] + 2
        control[LEAST] = DEEPEST
    notes[STAGE] = _BEGIN


@part
def _write_solution(team: TeamMemory, boards: Boards) -> None:
    """Write the blank's cells from the board to the goal."""
    control, path, number = team.controls[0], team.paths[0], boards.notes[NEXT]
    first, root, end = control[FOUND] - 1, control[ROOT_DEPTH], control[GOAL_DEPTH]
    for step in range(root, end + 1):
        boards.cells[number, step] = path[first + step]
    if root == 0:
        return
    # Back from the goal to the kept node, and then forward to it on the ways of its likes.
    kept = Word(boards.packed.goal)
    for step in range(end, root, -1):
        blank, before = Word(path[first + step]), Word(path[first + step - 1])
        kept = _slid(kept, before, blank)
    stack, fringe = team.stacks[0], Word(control[FRINGE])
    size = Word(control[WIDTH]) + ONE + WAY_WORDS
    for slot in range(widened(stack[fringe + USED])):
        node = fringe + SLOT + Word(slot) * size
        if stack[node + BOARD] == kept and _leads_to(team, boards, node, kept):
            return


@part
def _slid(board: Word, cell: Word, blank: Word) -> Word:
    """Return a board after the tile in a cell has slid to the blank."""
    tile = board >> (cell << CELL_BITS) & CELLS
    return Word(board ^ tile << (cell << CELL_BITS) ^ tile << (blank << CELL_BITS))


@part
def _leads_to(team: TeamMemory, boards: Boards, node: Word, kept: Word) -> bool:
    """Write the cells on the way of a kept node; return whether it leads to the board `kept`."""
    number, stack, moves = boards.notes[NEXT], team.stacks[0], boards.packed.moves
    board = boards.roots[number, BOARD]
    blank = boards.roots[number, FACTS] >> BLANK & CELLS
    way = node + Word(team.controls[0, WIDTH]) + ONE
    for step in range(team.controls[0, ROOT_DEPTH]):
        boards.cells[number, step] = blank
        place = Word(step)
        direction = stack[way + (place >> _STEP_WORDS)] >> (place & _STEPS) * TWO & DIRECTION
        if moves.exits[blank] >> direction & ONE == ZERO:
            return False
        move = moves.by_place[blank << DIRECTION_BITS | direction]
        cell = move >> MOVE_CELL & CELLS
        board = _slid(board, cell, blank)
        blank = cell
    return bool(board == kept)

"""Many boards of one goal, solved one after the other on one thread, without leaving compiled code.

`deepen` does for each board what `Deepening` and a `Team` of one do for one, to the same node. It
returns after about as many nodes as it may make, and the next call goes on from there. All that it
has to remember is in `Boards`; the stack is that of `sharing.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.layout import DEEPEST, Word
from taquin.engine.cpu.packed import PackedTree, RankedTree
from taquin.engine.cpu.sharing import (
    ACTIVE,
    AHEAD,
    FOUND,
    FOUND_AHEAD,
    GOAL_DEPTH,
    HOLDS,
    INTERVAL,
    LEAST,
    LEFT,
    MOST,
    NODES,
    ONE_STEP,
    PATH,
    STOP,
    TAKEN,
    TOP,
    TeamMemory,
    first_near,
    least_depth,
    next_near,
    work_on,
)
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, int64, uint8, uint64
from taquin.system.kernels import kernel
from taquin.system.native import part, widened

MOST_BOUNDS = 128
"""Bounds that a board may have: none of up to 16 cells has as many."""
ENDING, ESTIMATE, BOUNDS, GENERATED, GENERATED_AHEAD, BOUND_NODES = range(6)
"""Of a row of `Boards.answers`: how the search ended, the first bound, how many were begun, nodes
in all, those ahead of completed bounds, and from there on the nodes of each bound."""
ANSWER = BOUND_NODES + MOST_BOUNDS
"""Numbers in an answer."""
SOLVED, OUT_OF_NODES, TOO_DEEP, TIMED_OUT = 1, 2, 3, 4
"""Endings; 0 while there is none. The caller writes the last one."""
NEXT, IS_BEGUN, NEAR, NOTES = range(4)
"""Of `Boards.notes`: the board at work, whether a bound of it is under way, how near to its end the
next one is searched ahead; and the number of these notes."""


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


@kernel
def deepen(
    team: TeamMemory, budget: int, boards: Boards, tree: PackedTree | RankedTree
) -> tuple[int, int]:
    """Go on with the boards for about `budget` nodes; return the boards done and the nodes made."""
    notes = boards.notes
    made = 0
    while made < budget and notes[NEXT] < len(boards.answers):
        if not notes[IS_BEGUN]:
            _begin(team, boards)
            continue
        answer = boards.answers[notes[NEXT]]
        before = widened(team.shared[NODES])
        work_on(team, 0, INTERVAL, tree)
        nodes = widened(team.shared[NODES]) - before
        made += nodes
        answer[GENERATED] += nodes
        answer[BOUND_NODES + answer[BOUNDS] - 1] += nodes
        if team.controls[0, FOUND]:
            _write_solution(team, boards, team.controls[0, FOUND] - 1)
        elif team.shared[STOP]:
            _end(boards, OUT_OF_NODES)
        elif team.shared[ACTIVE] == 0:
            ahead = widened(team.shared[AHEAD])
            answer[BOUND_NODES + answer[BOUNDS] - 1] -= ahead
            answer[GENERATED_AHEAD] += ahead
            notes[NEAR] = next_near(notes[NEAR], widened(team.shared[NODES]) - ahead, ahead)
            notes[IS_BEGUN] = 0
    return notes[NEXT], made


@part
def _end(boards: Boards, ending: int) -> None:
    """Note how the search of a board ended, and turn to the next."""
    notes = boards.notes
    boards.answers[notes[NEXT], ENDING] = ending
    notes[NEXT] += 1
    notes[IS_BEGUN] = 0


@part
def _begin(team: TeamMemory, boards: Boards) -> None:
    """Begin a bound, the first one with empty memory, unless the one before has its solution."""
    notes, shared, control, stack = boards.notes, team.shared, team.controls[0], team.stacks[0]
    number = notes[NEXT]
    answer = boards.answers[number]
    if answer[BOUNDS] == 0:
        for word in range(len(shared)):
            shared[word] = 0
        control[FOUND] = control[FOUND_AHEAD] = 0
        control[PATH] = DEEPEST
        notes[NEAR] = first_near(answer[ESTIMATE])
    bound = answer[ESTIMATE] + 2 * answer[BOUNDS]
    left = boards.nodes - answer[GENERATED]
    if bound > boards.depth:
        _end(boards, TOO_DEEP)
        return
    if left <= 0:
        _end(boards, OUT_OF_NODES)
        return
    times = Word(answer[BOUNDS])
    answer[BOUNDS] += 1
    if control[FOUND_AHEAD]:
        _write_solution(team, boards, control[FOUND_AHEAD] - 1)
        return
    if left < ONE_STEP:
        _end(boards, OUT_OF_NODES)
        return
    for word in range(len(boards.widening)):
        stack[word] = boards.roots[number, word] + times * boards.widening[word]
    shared[NODES] = shared[AHEAD] = 0
    shared[MOST] = shared[LEFT] = left
    shared[LEAST] = least_depth(bound, notes[NEAR])
    control[TAKEN] = 0
    control[TOP] = control[HOLDS] = shared[ACTIVE] = 1
    notes[IS_BEGUN] = 1


@part
def _write_solution(team: TeamMemory, boards: Boards, first: int) -> None:
    """Write the blank's cells from the board to the goal, and turn to the next board."""
    path, number = team.paths[0], boards.notes[NEXT]
    for step in range(team.controls[0, GOAL_DEPTH] + 1):
        boards.cells[number, step] = path[first + step]
    _end(boards, SOLVED)

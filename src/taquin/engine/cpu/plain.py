"""The smallest search loop: Manhattan distance alone, up to 16 cells, two words a node.

    word 0   the board, 4 bits a cell
    word 1   word 6 of `taquin.engine.cpu.packed`, with one room that has all the upper bits

It is the yardstick the other kernels are measured against, and what a search without tables runs.
A kernel takes its arrays one by one, more than other functions may, as that of `packed` does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.packed import (
    BLANK,
    DEPTH,
    STATE,
    STATE_BITS,
    common_arguments,
    pack,
    room_of_each,
)
from taquin.engine.cpu.sharing import (
    FOUND,
    GENERATED,
    GOAL_DEPTH,
    HUNGRY,
    SOON,
    TOP,
    end_slice,
    next_slice,
)
from taquin.engine.cpu.stacks import Start
from taquin.system.arguments import Arguments
from taquin.system.kernels import kernel
from taquin.system.native import atomic_load, part
from taquin.tables.shape import Normal, Shape

WIDTH = 2
"""Words in a node."""

_U = np.uint64
_0, _1, _2, _3, _4, _8 = (_U(n) for n in (0, 1, 2, 3, 4, 8))
_15, _511 = (_U(n) for n in (15, 511))
_STATES = _U((1 << STATE_BITS) - 1)
_DEPTH, _STATE = _U(DEPTH), _U(STATE)
_SIGN = _U(1 << 63)


class PlainPlan:
    """The arrays of one goal and one automaton for Manhattan distance on up to 16 cells."""

    width = WIDTH

    def __init__(self, shape: Shape, automaton: Automaton) -> None:
        arrays = common_arguments(shape, automaton, 1)
        self.arguments = Arguments(*arrays, np.zeros(1, np.uint64))

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        words = [pack(normal.board), normal.board.index(0) << BLANK]
        return Start(normal.manhattan, words, [0, room_of_each(1)])

    @property
    def kernel(self) -> Any:
        """Return the kernel; see `walk`."""
        return work


@part
def walk(
    stack: Any,
    control: Any,
    path: Any,
    shared: Any,
    budget: int,
    fixed: Any,
    moves: Any,
    allowed: Any,
    turn: Any,
    step: Any,
    lookup: Any,
) -> None:
    """Search on; the arguments are those of `taquin.engine.cpu.packed.walk`, `lookup` unused."""
    top = control[TOP]
    goal = fixed[0]
    nodes = 0
    found = 0
    while top > 0 and nodes < budget and (nodes < SOON or atomic_load(shared, HUNGRY) == 0):
        top -= 1
        base = _U(top) << _1
        board, word = stack[base], stack[base | _1]
        blank = word & _15
        depth = word >> _DEPTH & _511
        state = word >> _STATE & _STATES
        path[depth] = blank
        if board == goal:
            found = 1
            control[GOAL_DEPTH] = np.int64(depth)
            break
        word ^= state << _STATE
        choice = (_U(allowed[state]) & fixed[_8 + blank]) << _2
        direction = _U(moves[choice])
        while direction != _4:
            nodes += 1
            cell = (blank + fixed[_4 + direction]) & _15
            tile = board >> (cell << _2) & _15
            child = word + (_U(turn[state << _2 | direction]) << _STATE)
            child += step[(direction << _4 | tile) << _4 | cell]
            base = _U(top) << _1
            stack[base] = board ^ tile << (cell << _2) ^ tile << (blank << _2)
            stack[base | _1] = child
            top += np.int64(child & _SIGN == _0)
            choice += _1
            direction = _U(moves[choice])
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found


@kernel
def work(
    shared: Any,
    stacks: Any,
    paths: Any,
    controls: Any,
    me: int,
    budget: int,
    fixed: Any,
    moves: Any,
    allowed: Any,
    turn: Any,
    step: Any,
    lookup: Any,
) -> None:
    """Walk as member `me` of a team (see `taquin.engine.cpu.sharing`) for about `budget` nodes."""
    stack, path, control = stacks[me], paths[me], controls[me]
    size = next_slice(shared, control, me)
    while size > 0 and budget > 0:
        size = min(size, budget)
        walk(stack, control, path, shared, size, fixed, moves, allowed, turn, step, lookup)
        budget -= control[GENERATED]
        end_slice(shared, stacks, paths, controls, me)
        size = next_slice(shared, control, me)

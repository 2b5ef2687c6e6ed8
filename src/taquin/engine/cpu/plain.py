"""The smallest search loop: Manhattan distance alone, up to 16 cells, two words a node.

    BOARD   the board, 4 bits a cell
    FACTS   those of `taquin.engine.cpu.packed`, with one room that has all the upper bits

It is the yardstick the other loops are measured against, and what a search without tables runs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.engine.cpu import lookups
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import DEPTHS, DIRECTION_BITS, FOUR, ONE, STATES, ZERO, Word, Words
from taquin.engine.cpu.packed import BLANK, CELL_BITS, CELLS, DEPTH, STATE, TILE_BITS
from taquin.engine.cpu.packed_plan import pack, packed_steps, room_of_each
from taquin.engine.cpu.sharing import FOUND, GENERATED, GOAL_DEPTH, TOP, Member, goes_on, search
from taquin.engine.cpu.stacks import Start
from taquin.system.arguments import Arguments
from taquin.tables.shape import Normal, Shape

BOARD, FACTS, WIDTH = (Word(n) for n in (0, 1, 2))
"""The words of a node, and their number."""
_SIGN = Word(1 << 63)


class PlainTree(NamedTuple):
    """A goal on up to 16 cells for Manhattan distance alone."""

    goal: int
    """The goal, as the words of a board."""
    offsets: Words
    """By how much the blank's cell changes in each direction."""
    exits: Words
    """For each cell, the directions that stay on the grid, as a set of bits."""
    listed: NDArray[np.uint8]
    """Four places for each set of directions: its members, ended by FOUR."""
    allowed: NDArray[np.uint8]
    """For each state, the directions that it allows, as a set of bits."""
    follow: NDArray[np.uint16]
    """For each state, times four, plus a direction, the state after it."""
    steps: Words
    """By direction, tile and cell of the tile: what a move adds to FACTS, but for the state."""


class PlainPlan:
    """The arrays of one goal and one automaton for Manhattan distance on up to 16 cells."""

    width = int(WIDTH)

    def __init__(self, shape: Shape, automaton: Automaton) -> None:
        tree = PlainTree(
            lookups.signed(pack(shape.goal)),
            np.array([offset & lookups.WORD for offset in shape.offsets], np.uint64),
            lookups.exits_of(shape),
            lookups.listed_directions(),
            np.array(automaton.allowed, np.uint8),
            lookups.followers(automaton),
            packed_steps(shape, 1),
        )
        self.tree = Arguments(tree)

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""
        words = [pack(normal.board), normal.board.index(0) << int(BLANK)]
        return Start(normal.manhattan, words, [0, room_of_each(1)])


@search.register
def _(tree: PlainTree, member: Member, budget: int) -> None:
    stack, control = member.stack, member.control
    goal = Word(tree.goal)
    top = control[TOP]
    nodes = 0
    found = 0
    while top > 0 and goes_on(member, nodes, budget):
        top -= 1
        node = Word(top) * WIDTH
        board, facts = stack[node + BOARD], stack[node + FACTS]
        blank = facts >> BLANK & CELLS
        depth = facts >> DEPTH & DEPTHS
        state = facts >> STATE & STATES
        member.path[depth] = blank
        if board == goal:
            found = 1
            control[GOAL_DEPTH] = np.int64(depth)
            break
        facts ^= state << STATE
        place = (Word(tree.allowed[state]) & tree.exits[blank]) * FOUR
        direction = Word(tree.listed[place])
        while direction != FOUR:
            nodes += 1
            cell = (blank + tree.offsets[direction]) & CELLS
            tile = board >> (cell << CELL_BITS) & CELLS
            child = facts + (Word(tree.follow[state << DIRECTION_BITS | direction]) << STATE)
            child += tree.steps[(direction << TILE_BITS | tile) << TILE_BITS | cell]
            node = Word(top) * WIDTH
            stack[node + BOARD] = board ^ tile << (cell << CELL_BITS) ^ tile << (blank << CELL_BITS)
            stack[node + FACTS] = child
            top += np.int64(child & _SIGN == ZERO)
            place += ONE
            direction = Word(tree.listed[place])
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found

"""The smallest search loop: Manhattan distance alone, up to 16 cells, two words a node.

    BOARD   the board, 4 bits a cell
    FACTS   those of `taquin.engine.cpu.packed`, with one room that has all the upper bits

It runs searches without tables, two to three times as fast as `wide.py` without partitions, and is
the yardstick of the other loops.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu import lookups
from taquin.engine.cpu.automaton import Automaton
from taquin.engine.cpu.layout import (
    CHOICE_SIZE,
    DEPTHS,
    DIRECTION,
    DIRECTION_BITS,
    ONE,
    STATES,
    ZERO,
    Moves,
    Word,
    Words,
    choice_at,
    word_range,
)
from taquin.engine.cpu.packed import BLANK, CELLS, DEPTH, STATE, TILE_BITS
from taquin.engine.cpu.packed_lookup import CELL_BITS
from taquin.engine.cpu.packed_plan import pack, packed_steps, room_of_each
from taquin.engine.cpu.sharing import FOUND, GENERATED, GOAL_DEPTH, TOP, Member, goes_on, search
from taquin.engine.cpu.stacks import Start
from taquin.system.arguments import Arguments
from taquin.system.arrays import int64
from taquin.tables.shape import Normal, Shape

BOARD, FACTS, WIDTH = (Word(n) for n in (0, 1, 2))
"""The words of a node, and their number."""
_SIGN = Word(1 << 63)


class PlainTree(NamedTuple):
    """A goal on up to 16 cells for Manhattan distance alone."""

    goal: int
    """The goal, as the words of a board."""
    moves: Moves
    """The moves; for each place the tile's cell."""
    steps: Words
    """By direction, tile and cell of the tile: what a move adds to FACTS, but for the state."""


class PlainPlan:
    """The arrays of one goal and one automaton for Manhattan distance on up to 16 cells."""

    width = int(WIDTH)

    def __init__(self, shape: Shape, automaton: Automaton) -> None:
        moves = lookups.moves_of(shape, automaton, lambda place, blank, cell: cell)
        goal = lookups.signed(pack(shape.goal))
        self.tree = Arguments(PlainTree(goal, moves, packed_steps(shape, 1)))

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
            control[GOAL_DEPTH] = int64(depth)
            break
        facts ^= state << STATE
        choice = choice_at(tree.moves, state, blank)
        for number in word_range(choice >> CHOICE_SIZE):
            nodes += 1
            direction = choice >> (number << ONE) & DIRECTION
            cell = tree.moves.by_place[blank << DIRECTION_BITS | direction]
            tile = board >> (cell << CELL_BITS) & CELLS
            child = facts + (Word(tree.moves.follow[state << DIRECTION_BITS | direction]) << STATE)
            child += tree.steps[(direction << TILE_BITS | tile) << TILE_BITS | cell]
            node = Word(top) * WIDTH
            stack[node + BOARD] = board ^ tile << (cell << CELL_BITS) ^ tile << (blank << CELL_BITS)
            stack[node + FACTS] = child
            top += int64(child & _SIGN == ZERO)
    control[TOP] = top
    control[GENERATED] = nodes
    control[FOUND] = found

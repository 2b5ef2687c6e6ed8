"""The children that a bound cuts off with the lowest estimates, kept to be searched first next.

A child that is cut off at bound + 2 is a node of the next bound. The lower its estimate, the deeper
it is, and the more likely a solution lies close below it. Each member keeps the deepest ones in
part of its row of `TeamMemory.stacks`, from the word that the control number FRINGE names:

    SLOTS      most nodes to keep
    USED       slots that were ever used
    KEPT       nodes that are kept now
    LOWEST     least depth of a kept node
    KNOWN      depths for which CHAIN is right
    HEADS      for each depth, the first of its slots, counted from 1
    CHAIN      for each depth, the place in the log of an ancestor of the last node kept
    WAY        the moves to it, 2 bits each
    SLOT       the first slot: a node for the next bound, the next slot of its depth, and its way

When all slots are used, a deeper child takes the slot of a shallowest one. The control number LEAST
is the depth from which children are kept, so a loop has one comparison to make for a batch. The log
is overwritten while the search goes on, hence the way: CHAIN saves walking through the log to the
start for each child, because most of its ancestors are those of the child before.
"""

from __future__ import annotations

from taquin.engine.cpu.layout import (
    DEEPEST,
    DIRECTION,
    LOG_BLANK,
    LOG_PARENT,
    ONE,
    THREE,
    TWO,
    ZERO,
    Word,
)
from taquin.engine.cpu.sharing import FRINGE, LEAST, TOP, WIDTH, Member, TeamMemory
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, widened

SLOTS, USED, KEPT, LOWEST, KNOWN, HEADS = (Word(n) for n in (0, 1, 2, 3, 4, 8))
CHAIN = Word(HEADS + DEEPEST)
WAY = Word(CHAIN + DEEPEST)
WAY_WORDS = Word(8)
"""Words of a way."""
LONGEST_WAY = Word(32 * WAY_WORDS)
"""Most moves of a way: deeper children are not kept."""
SLOT = Word(WAY + WAY_WORDS)
ALL_UNCHANGED = Word(1 << 32)
"""A place in the log beyond all others."""

GROWTH = 4
"""Usual growth of the nodes from one tree to the next, at least."""
NODES_OF_KEPT = 6
"""Usual number of nodes below a kept node."""
FEWEST_KEPT = 32
"""Fewer nodes are not worth keeping."""
MOST_AT_ONCE = 4_096
"""Most kept nodes on a stack."""

_WORD_STEPS, _STEP = Word(5), Word(31)
"""Binary logarithm of the moves in a word of a way, and the mask of a move's number in it."""


def words_for(width: int, slots: int) -> int:
    """Return the words that it takes to keep nodes of a width."""
    return int(SLOT) + slots * (width + 1 + int(WAY_WORDS))


@inlined
def is_wanted(member: Member, depth: Word) -> bool:
    """Return whether a child of this depth is kept when it is cut off."""
    return widened(depth) >= member.control[LEAST] and depth <= LONGEST_WAY


@inlined
def keep(member: Member, parent: Word, depth: Word, direction: Word, unchanged: Word) -> Word:
    """Return where to write a child that is cut off; its way and its bucket are written here.

    `parent` is the parent's place in the log, whose entries up to `unchanged` are as they were at
    the call before.
    """
    stack, control = member.stack, member.control
    fringe = Word(control[FRINGE])
    width = Word(control[WIDTH])
    slot = _slot(member, depth)
    node = fringe + SLOT + (slot - ONE) * (width + ONE + WAY_WORDS)
    heads = fringe + HEADS
    stack[node + width] = stack[heads + depth]
    stack[heads + depth] = slot
    lowest = stack[fringe + LOWEST]
    if depth < lowest:
        lowest = depth
    if stack[fringe + USED] == stack[fringe + SLOTS]:
        while stack[heads + lowest] == ZERO:
            lowest += ONE
        control[LEAST] = widened(lowest) + 1
    stack[fringe + LOWEST] = lowest

    _find_way(member, parent, depth - ONE, unchanged)
    _write_step(member, depth, direction)
    for word in range(widened((depth - ONE >> _WORD_STEPS) + ONE)):
        stack[node + width + ONE + Word(word)] = stack[fringe + WAY + Word(word)]
    return node


@inlined
def _slot(member: Member, depth: Word) -> Word:
    """Return a slot that was never used, or else one of a shallowest node."""
    stack = member.stack
    fringe = Word(member.control[FRINGE])
    if stack[fringe + USED] < stack[fringe + SLOTS]:
        stack[fringe + USED] += ONE
        stack[fringe + KEPT] += ONE
        return Word(stack[fringe + USED])
    head = fringe + HEADS + stack[fringe + LOWEST]
    slot = stack[head]
    width = Word(member.control[WIDTH])
    stack[head] = stack[fringe + SLOT + (slot - ONE) * (width + ONE + WAY_WORDS) + width]
    return Word(slot)


@inlined
def _find_way(member: Member, place: Word, depth: Word, unchanged: Word) -> None:
    """Let WAY lead to the node of this depth whose entry of the log is at `place`."""
    stack, path = member.stack, member.path
    fringe = Word(member.control[FRINGE])
    chain, known = fringe + CHAIN, stack[fringe + KNOWN]
    step = depth
    while step >= known or stack[chain + step] != place or place > unchanged:
        stack[chain + step] = place
        if step == ZERO:
            break
        place = Word(path[place - ONE]) >> LOG_PARENT
        step -= ONE
    before = Word(path[stack[chain + step] - ONE]) & LOG_BLANK
    while step < depth:
        step += ONE
        blank = Word(path[stack[chain + step] - ONE]) & LOG_BLANK
        # The sum of a direction and its opposite is 3.
        direction = ONE if blank + ONE == before or before + ONE == blank else ZERO
        _write_step(member, step, direction if blank < before else THREE - direction)
        before = blank
    stack[fringe + KNOWN] = depth + ONE


@inlined
def _write_step(member: Member, step: Word, direction: Word) -> None:
    """Write a move of the way, counted from 1."""
    stack = member.stack
    word = Word(member.control[FRINGE]) + WAY + (step - ONE >> _WORD_STEPS)
    shift = (step - ONE & _STEP) * TWO
    stack[word] = stack[word] & ~(DIRECTION << shift) | direction << shift


@kernel
def gather(team: TeamMemory, most: int) -> None:
    """Do what `gather_kept` does."""
    gather_kept(team, most)


@part
def gather_kept(team: TeamMemory, most: int) -> None:
    """Move kept nodes to the empty stack of the first member: the deepest, at most `most`."""
    stacks, controls = team.stacks, team.controls
    fringe, width = Word(controls[0, FRINGE]), Word(controls[0, WIDTH])
    kept = 0
    for member in range(len(controls)):
        kept += widened(stacks[member, fringe + KEPT])
    top = min(most, kept)
    controls[0, TOP] = top
    depth = Word(LONGEST_WAY)
    while top > 0:
        head = fringe + HEADS + depth
        for member in range(len(controls)):
            while top > 0 and stacks[member, head] > ZERO:
                slot = stacks[member, head] - ONE
                node = fringe + SLOT + slot * (width + ONE + WAY_WORDS)
                top -= 1
                for word in range(widened(width)):
                    stacks[0, Word(top) * width + Word(word)] = stacks[member, node + Word(word)]
                stacks[member, head] = stacks[member, node + width]
                stacks[member, fringe + KEPT] -= ONE
        depth -= ONE

"""The log that leads a loop, which pops several nodes at a time, back from a goal to the start.

It has one entry for each node that was popped (`layout.py` draws it). New entries overwrite those
after the entry of the uppermost node popped, which has the last place of all on the stack: so the
log is as short as the stack. (Nodes of different depths that are popped together may lengthen it.
When it is too long, entries that no node descends from are removed.)

Nodes depend on nothing but the log, so two threads can each search half of a stack with a copy of
it.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.layout import DEEPEST, LOG_BLANK, LOG_PARENT, ONE, ZERO, Word
from taquin.engine.cpu.sharing import FOUND, FOUND_AHEAD, GOAL_DEPTH, LEAST, Member
from taquin.system.arrays import uint64
from taquin.system.native import atomic_store, part, stack_array, widened


class LogField(NamedTuple):
    """Where a node has its parent's place in the log: the upper bits of one of its words."""

    width: Word
    """Words in a node."""
    word: Word
    """The word."""
    shift: Word
    """First bit of the field."""


@part
def write_solution(member: Member, entry: Word, blank: Word, depth: Word, ahead: Word) -> None:
    """Write the blank's path to a goal after the log; `entry` is the place of the goal's parent.

    A goal `ahead` of the bound ends the search ahead of it.
    """
    path = member.path
    step = widened(depth)
    first = len(path) - DEEPEST
    if ahead > ZERO:
        member.control[FOUND_AHEAD] = 1 + first
        atomic_store(member.shared, LEAST, DEEPEST)
    else:
        member.control[FOUND] = 1 + first
    member.control[GOAL_DEPTH] = step
    path[first + step] = blank
    while entry > ZERO:
        step -= 1
        path[first + step] = path[entry - ONE] & LOG_BLANK
        entry = Word(path[entry - ONE]) >> LOG_PARENT


@part
def shorten(member: Member, top: int, field: LogField) -> None:
    """Remove from the log what none of the `top` nodes on the stack descends from."""
    stack, path = member.stack, member.path
    length = len(path) - DEEPEST
    place = stack_array(length + 1, uint64)
    place[:] = ZERO
    for node in range(top):
        entry = stack[Word(node) * field.width + field.word] >> field.shift
        while entry > ZERO and place[entry] == ZERO:
            place[entry] = ONE
            entry = Word(path[entry - ONE]) >> LOG_PARENT
    kept = 0
    for number in range(length):
        if place[number + 1] > ZERO:
            old = Word(path[number])
            path[kept] = place[old >> LOG_PARENT] << LOG_PARENT | old & LOG_BLANK
            kept += 1
            place[number + 1] = kept
    for node in range(top):
        base = Word(node) * field.width + field.word
        word = stack[base]
        others = word & ((ONE << field.shift) - ONE)
        stack[base] = place[word >> field.shift] << field.shift | others

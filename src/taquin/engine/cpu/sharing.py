"""How threads share one bound's tree inside compiled code, by stealing work without locks.

A *member* is a thread of the team. It owns one row of each array of `TeamMemory`: a stack of nodes,
the path to them, and its control numbers. It searches its stack in slices. A member whose stack is
empty opens its mailbox and spins; at the end of its slice another member moves every second node of
its own stack, from the shallowest, into that mailbox. Each node of the tree is therefore expanded
once, by one member, and the node count of a completed bound does not depend on the number of
members. Giving takes a microsecond, the time of 50 nodes; waking a thread would take that of
thousands.

All members see `shared`, in which each number has a cache line of its own:

    HUNGRY     open mailboxes: while there are any, slices are short
    ACTIVE     members that hold nodes, or are about to receive some: at 0 the tree is exhausted
    STOP       set when the search is over: a goal, a limit, or the caller's request
    NODES      nodes generated in this tree, MOST the limit on them
    AHEAD      those of them that are nodes of the next bound only
    LEAST      the depth from which the next bound is searched too; DEEPEST for never
    LEFT       nodes that no member has reserved: each member reserves those of its next slice and
               returns what it does not use, so that all together never exceed the limit
    MAIL + i   mailbox of member i: CLOSED, OPEN, TAKEN (being filled) or FULL

*Ahead of the bound*: a child at depth LEAST or deeper that this bound prunes, but the next would
not, is searched at once: it gets one extra unit of slack and a flag, which all nodes below it
inherit. There are few moves left, so these nodes are a small fraction of the bound's. A solution
among them is a shortest one if the bound itself turns out to have none, and the next bound, the
last and largest, is not searched. Once a solution is found ahead, no more children get the extra
unit.

`work` is the loop of a member for any kind of tree. `search` has a body for each class of record,
in `packed.py` and `wide.py`. The first member is the caller's thread, which returns from compiled
code every few milliseconds to check the limits; the others return when the search is over, or to
sleep after a long wait.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Annotated, Any, NamedTuple

from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, int64, uint32, uint64
from taquin.system.kernels import kernel
from taquin.system.native import (
    atomic_add,
    atomic_load,
    atomic_store,
    atomic_swap,
    inlined,
    part,
    widened,
    yield_thread,
)

LINE = 8
"""Numbers of 64 bits in a cache line."""

HUNGRY, ACTIVE, STOP, NODES, MOST, LEFT, AHEAD, LEAST, MAIL = (LINE * word for word in range(9))
"""Where in `shared` each number is; mailboxes are a line apart."""

TOP, GENERATED, GENERATED_AHEAD, FOUND, FOUND_AHEAD, GOAL_DEPTH, HOLDS, WIDTH, TAKEN, PATH = range(
    10
)
"""Control numbers: nodes on the stack, nodes generated in the last slice, and those of them ahead
of the bound, 0 or where in the path the way to a goal begins, plus 1, the same for a goal ahead of
the bound, its depth, whether the member counts as active, 64-bit words in a node, nodes reserved of
those left, how much of the path the nodes need."""
CONTROLS = 2 * LINE
"""Control numbers of a member, in whole cache lines."""

ONE_STEP = 4
"""Most nodes that one expansion makes: with fewer left the search ends."""

INTERVAL = 1 << 16
"""Nodes between two looks at the control: a few milliseconds."""
SOON = 128
"""Nodes after which a slice ends while a mailbox is open."""
_PATIENCE = 1 << 16
"""Looks into an empty mailbox before a member returns to sleep: half a millisecond."""
_POLITE = 1 << 6
"""Looks after which a member that waits lets another thread have its core."""

_CLOSED, _OPEN, _TAKEN, _FULL = range(4)

_NEAR = 26
"""Most moves left where the search ahead of the first bound begins."""
_AHEAD_SHARE = 0.06
"""Nodes ahead of a bound for each node of the bound, about."""
_GROWTH, _HALF_A_MOVE = 1.4, 1.2
"""How many times as many there are if the search ahead begins with one more move left, and with
half of one."""
_MOST_RISE = 3
"""Most moves by which it begins earlier or later from one bound to the next."""

_SLICE = 1 << 15
"""Nodes of a slice: a millisecond or two."""
_SHORTEST = 64
"""Nodes of the slices before a limit, where each member leaves most of the rest to the others."""


class TeamMemory(NamedTuple):
    """The memory of a team."""

    shared: Array[int64]
    stacks: Matrix[uint64]
    """For each member, its nodes, and at the end the scratch memory of its loop."""
    paths: Matrix[uint32]
    """For each member, the path to its nodes, and at the end the path to a goal."""
    controls: Matrix[int64]
    """For each member, its control numbers."""


class Member(NamedTuple):
    """The memory of one member: its rows of `TeamMemory`."""

    shared: Array[int64]
    stack: Array[uint64]
    path: Array[uint32]
    control: Array[int64]


@part
@singledispatch
def search(tree: Any, member: Member, budget: int) -> None:
    """Search the nodes on a stack until it is empty, a goal is popped, or `budget` nodes are made.

    The control numbers from TOP to GOAL_DEPTH, and PATH, are the result; a goal ahead of the bound
    ends nothing. A call after a goal continues after it.
    """
    raise TypeError(tree)


@part
def first_near(bound: int) -> int:
    """Return with how many moves left the search ahead of the first bound begins."""
    return min(_NEAR, bound // 2)


@part
def next_near(near: int, nodes: int, ahead: int) -> int:
    """Return the same for the bound after one that had `nodes` nodes, and `ahead` ahead of it."""
    wanted, found = 1 + nodes * _AHEAD_SHARE, 1.0 + ahead
    rise = 0
    while rise < _MOST_RISE and wanted > found * _HALF_A_MOVE:
        found *= _GROWTH
        rise += 1
    while rise > -_MOST_RISE and found > wanted * _HALF_A_MOVE:
        found /= _GROWTH
        rise -= 1
    return max(1, near + rise)


@part
def least_depth(bound: int, near: int) -> int:
    """Return the depth from which on to search ahead of a bound."""
    return max(0, bound - near)


@kernel
def work(team: TeamMemory, me: int, budget: int, tree: Annotated[Any, search]) -> None:
    """Do what `work_on` does."""
    work_on(team, me, budget, tree)


@part
def work_on(team: TeamMemory, me: int, budget: int, tree: Any) -> None:
    """Search a tree as member `me` of a team, for about `budget` nodes."""
    member = Member(team.shared, team.stacks[me], team.paths[me], team.controls[me])
    size = next_slice(member, me)
    while size > 0 and budget > 0:
        search(tree, member, min(size, budget))
        budget -= member.control[GENERATED]
        end_slice(team, me)
        size = next_slice(member, me)


@inlined
def goes_on(member: Member, nodes: int, budget: int) -> bool:
    """Return whether a slice goes on after `nodes` nodes: others may be waiting for some."""
    return nodes < budget and (nodes < SOON or atomic_load(member.shared, HUNGRY) == 0)


@part
def next_slice(member: Member, me: int) -> int:
    """Return the number of nodes to search next; 0 when there is nothing to do for now."""
    shared, control = member.shared, member.control
    if atomic_load(shared, STOP):
        return 0
    mailbox = MAIL + LINE * me
    if control[HOLDS] and control[TOP] == 0:
        control[HOLDS] = 0
        if atomic_add(shared, ACTIVE, -1) == 1 and me == 0:
            return 0
    if not control[HOLDS]:
        # The stack is the giver's until the mailbox is full: not even its size may be read.
        if atomic_swap(shared, mailbox, _CLOSED, _OPEN):
            atomic_add(shared, HUNGRY, 1)
        patience = _PATIENCE
        while atomic_load(shared, mailbox) != _FULL:
            patience -= 1
            if patience % _POLITE == 0:
                yield_thread()
            over = me == 0 and atomic_load(shared, ACTIVE) == 0
            if over or patience == 0 or atomic_load(shared, STOP):
                return 0
        atomic_store(shared, mailbox, _CLOSED)
        control[HOLDS] = 1
    elif atomic_swap(shared, mailbox, _OPEN, _CLOSED):
        # The caller's member begins a tree; its mailbox was left open at the end of the last.
        atomic_add(shared, HUNGRY, -1)
    return _take(member)


@part
def _take(member: Member) -> int:
    """Reserve nodes and return the budget of a slice, 0 while others hold what is left."""
    shared, control = member.shared, member.control
    if control[TAKEN] == 0:
        wanted = min(_SLICE, max(_SHORTEST, atomic_load(shared, LEFT) >> 2))
        left = atomic_add(shared, LEFT, -wanted)
        taken = max(0, min(wanted, left))
        if taken < ONE_STEP:
            taken = 0
        if taken < wanted:
            atomic_add(shared, LEFT, wanted - taken)
        control[TAKEN] = taken
    # The last expansion of a slice may make more than one node.
    return max(0, widened(control[TAKEN]) - ONE_STEP + 1)


@part
def end_slice(team: TeamMemory, me: int) -> None:
    """Count what a slice generated, stop all at a goal or a limit, and give to open mailboxes."""
    shared, controls = team.shared, team.controls
    control = controls[me]
    nodes = atomic_add(shared, NODES, control[GENERATED]) + control[GENERATED]
    atomic_add(shared, AHEAD, control[GENERATED_AHEAD])
    atomic_add(shared, LEFT, control[TAKEN] - control[GENERATED])
    control[TAKEN] = 0
    if control[FOUND] or nodes + ONE_STEP > atomic_load(shared, MOST):
        atomic_store(shared, STOP, 1)
        # It ends the slices of the others, which poll nothing else.
        atomic_add(shared, HUNGRY, 1)
        return
    other = 0
    while control[TOP] > 1 and other < len(controls) and atomic_load(shared, HUNGRY) > 0:
        if atomic_swap(shared, MAIL + LINE * other, _OPEN, _TAKEN):
            atomic_add(shared, HUNGRY, -1)
            atomic_add(shared, ACTIVE, 1)
            _give(team, me, other)
            atomic_store(shared, MAIL + LINE * other, _FULL)
        other += 1


@part
def _give(team: TeamMemory, me: int, other: int) -> None:
    """Move every second node, from the shallowest, to another member's stack."""
    stacks, paths, controls = team.stacks, team.paths, team.controls
    width = controls[me, WIDTH]
    top = controls[me, TOP]
    for node in range(top):
        target = other if node & 1 == 0 else me
        base, place = node * width, (node >> 1) * width
        for word in range(width):
            stacks[target, place + word] = stacks[me, base + word]
    for depth in range(controls[me, PATH]):
        paths[other, depth] = paths[me, depth]
    controls[other, TOP] = (top + 1) >> 1
    controls[me, TOP] = top >> 1

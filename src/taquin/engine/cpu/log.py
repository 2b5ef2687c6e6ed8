"""The log by which a kernel that pops several nodes at a time finds the way back.

It has one entry for each node that was popped: from bit 5 the place of its parent's entry, counted
from 1, and the cell of the blank. Entries are made behind that of the uppermost node popped, whose
place is never below that of another on the stack: so what is behind it is no longer needed, and the
log is as short as the stack. (Nodes of different depths that are popped together may lengthen it.
Where it grows too long, entries that no node comes from are struck.)

Because nodes stand alone but for the log, the stack can be cut in two at any time and searched by
two threads, each with its copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taquin.engine.cpu.sharing import FOUND, GOAL_DEPTH
from taquin.engine.cpu.stacks import DEEPEST
from taquin.system.native import part, room

_U = np.uint64
_0, _1, _5, _31 = (_U(n) for n in (0, 1, 5, 31))


@part
def tell_way(entry: Any, blank: Any, depth: Any, control: Any, path: Any) -> None:
    """Write the blank's way to a goal behind the log; `entry` is the place of the goal's parent."""
    step = np.int64(depth)
    first = len(path) - DEEPEST
    control[FOUND] = 1 + first
    control[GOAL_DEPTH] = step
    path[first + step] = blank
    while entry > _0:
        step -= 1
        path[first + step] = path[entry - _1] & _31
        entry = _U(path[entry - _1]) >> _5


@part
def shorten(stack: Any, top: int, width: Any, word: Any, shift: Any, path: Any) -> None:
    """Strike from the log what no node on the stack comes from.

    The place of a node's parent is in a `word` of its `width` words, from bit `shift` on.
    """
    length = len(path) - DEEPEST
    place = room(length + 1, np.uint64)
    place[:] = _0
    for node in range(top):
        entry = stack[_U(node) * width + word] >> shift
        while entry > _0 and place[entry] == _0:
            place[entry] = _1
            entry = _U(path[entry - _1]) >> _5
    kept = 0
    for entry in range(length):
        if place[entry + 1] > _0:
            old = _U(path[entry])
            path[kept] = place[old >> _5] << _5 | old & _31
            kept += 1
            place[entry + 1] = kept
    for node in range(top):
        base = _U(node) * width + word
        old = stack[base]
        stack[base] = (place[old >> shift] << shift) | (old & ((_1 << shift) - _1))

"""What kernels search: the root of a bound's tree, and the stacks of the threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from taquin.engine.cpu import sharing as at
from taquin.engine.cpu.layout import BATCH, DEEPEST
from taquin.system.arguments import Arguments
from taquin.system.arrays import int64, uint32, uint64, zeros
from taquin.system.kernels import Call
from taquin.tables.shape import Normal

UNLIMITED = 1 << 60
"""A number of nodes that no search reaches."""
_CAPACITY = 4 * BATCH * (DEEPEST + 2)
"""Nodes a stack can hold: four children of each node at each depth, and some at work."""
_SCRATCH = 1 << 10
"""Words for the scratch memory of any loop, at the end of a stack."""
_LOG = 2 * BATCH * DEEPEST
"""Entries of the log that leads back to the start; see `taquin.engine.cpu.loop`."""
_BUDGET = 2
"""The place of the budget among the arguments of `sharing.work`."""


@dataclass(frozen=True, slots=True)
class Start:
    """A board as the root of every bound's tree."""

    estimate: int
    """The heuristic's value: the first bound."""
    words: list[int]
    """The node at depth 0 for that bound."""
    widening: list[int]
    """What a bound higher by two adds to each word: one unit of slack."""

    def node(self, bound: int) -> list[int]:
        """Return the node for `bound`."""
        times = (bound - self.estimate) // 2
        return [word + times * more for word, more in zip(self.words, self.widening, strict=True)]


class Plan(Protocol):
    """How the trees of one goal are searched."""

    width: int
    """Words in a node."""
    tree: Arguments
    """The record from which `sharing.search` knows the tree."""

    def start(self, normal: Normal) -> Start:
        """Return a board as the root of every tree."""


class Stacks:
    """The stacks of nodes of all members of a team, and the words by which they share."""

    def __init__(self, width: int, members: int = 1) -> None:
        self.shared = zeros(at.MAIL + at.LINE * members, int64)
        self.stacks = zeros((members, _CAPACITY * width + _SCRATCH), uint64)
        self.paths = zeros((members, _LOG + DEEPEST), uint32)
        self.controls = zeros((members, at.CONTROLS), int64)
        # Collecting the arguments of a kernel takes longer than a call.
        self._calls: list[tuple[Plan, Call] | None] = [None] * members
        self._width = width
        self.renew()

    @property
    def memory(self) -> at.TeamMemory:
        """The memory as a record for kernels."""
        return at.TeamMemory(self.shared, self.stacks, self.paths, self.controls)

    def renew(self) -> None:
        """Forget all trees; no member may be at work."""
        self.shared[:] = [0] * len(self.shared)
        first_control = [0] * at.CONTROLS
        first_control[at.WIDTH], first_control[at.PATH] = self._width, DEEPEST
        for control in self.controls:
            control[:] = first_control
        self.limit(None)
        self.look_ahead(DEEPEST)

    def put(self, words: Sequence[int]) -> None:
        """Give the first member a stack of nodes, to begin a tree with."""
        for control in self.controls:
            control[at.TAKEN] = control[at.FOUND_AHEAD] = 0
        self.stacks[0][: len(words)] = words
        top = len(words) // self._width
        self.controls[0, at.TOP] = top
        self.controls[0, at.HOLDS] = self.shared[at.ACTIVE] = int(top > 0)

    def look_ahead(self, least: int) -> None:
        """Search ahead of the bound from this depth on."""
        self.shared[at.LEAST] = least

    def work(self, plan: Plan, member: int, nodes: int) -> None:
        """Search as one of the members, for about `nodes` nodes or until there are no more."""
        cached = self._calls[member]
        if cached is None or cached[0] is not plan:
            cached = plan, at.work.given(Arguments(self.memory, member, nodes), plan.tree)
            self._calls[member] = cached
        call = cached[1]
        call.put(_BUDGET, nodes)
        call()

    def limit(self, nodes: int | None) -> None:
        """Count nodes from 0 again, and set the most of them."""
        most = UNLIMITED if nodes is None else nodes
        self.shared[at.NODES] = self.shared[at.AHEAD] = 0
        self.shared[at.MOST] = self.shared[at.LEFT] = most

    def stop(self) -> None:
        """Make every member return soon, for good."""
        self.shared[at.STOP] = self.shared[at.HUNGRY] = 1

    @property
    def nodes(self) -> int:
        """Nodes generated in this tree."""
        nodes: int = self.shared[at.NODES]
        return nodes

    @property
    def nodes_ahead(self) -> int:
        """Those of them that are ahead of the bound."""
        nodes: int = self.shared[at.AHEAD]
        return nodes

    @property
    def stopped(self) -> bool:
        """Whether a goal or a limit on nodes was reached."""
        return bool(self.shared[at.STOP])

    @property
    def exhausted(self) -> bool:
        """Whether no member has a node left."""
        return not self.shared[at.ACTIVE]

    def idle(self, member: int) -> bool:
        """Whether a member waits for nodes while others have some."""
        return not (self.controls[member, at.HOLDS] or self.stopped or self.exhausted)

    @property
    def solution(self) -> tuple[int, ...] | None:
        """The blank's cells to a goal, if one was found."""
        return self._solution(at.FOUND)

    @property
    def solution_ahead(self) -> tuple[int, ...] | None:
        """The blank's cells to a goal ahead of the bound, if one was found."""
        return self._solution(at.FOUND_AHEAD)

    def _solution(self, found: int) -> tuple[int, ...] | None:
        for control, path in zip(self.controls, self.paths, strict=True):
            if first := control[found]:
                return tuple(path[first - 1 : first + control[at.GOAL_DEPTH]])
        return None


class Piece(Stacks):
    """A part of a tree for one thread, searched in slices as long as the caller likes."""

    def __init__(self, words: Sequence[int], width: int) -> None:
        super().__init__(width)
        self.put(words)

    @property
    def words(self) -> memoryview:
        """The nodes waiting, as the kernel stacks them."""
        return self.stacks.items[: self.size * self._width]

    @property
    def path(self) -> memoryview:
        """The path to the nodes, as far as they need it, as the kernel keeps it."""
        return self.paths.items[: self.controls[0, at.PATH]]

    def take(self, words: memoryview, path: memoryview) -> None:
        """Hold other nodes, and the path to them."""
        self.put(words)
        self.paths.items[: len(path)] = path

    @property
    def size(self) -> int:
        """The number of nodes waiting."""
        size: int = self.controls[0, at.TOP]
        return size

    def search(self, plan: Plan, budget: int) -> int:
        """Search a slice and return the nodes generated in it."""
        self.shared[at.STOP] = self.shared[at.HUNGRY] = self.shared[at.NODES] = 0
        self.controls[0, at.FOUND] = 0
        self.work(plan, 0, budget)
        return self.nodes

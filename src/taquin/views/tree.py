"""The search tree of the first nodes of a search: what the drawings draw.

    0 ┬ 1 ┬ 3      built once from the events; nodes stand in the order they were made, so a
      │   └ 4      parent comes before its children
      └ 2

Rounds of a deepening search and the two sides of a bidirectional one are trees of their own. A
board that recursive best-first search forgets and makes again is one node with several turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.search import events as seen
from taquin.search.events import Event, Fate, Node
from taquin.search.result import Outcome, Result
from taquin.system.hooks import Pictured
from taquin.system.words import counted
from taquin.views.wording import without_end

MANY = 40
"""The nodes of a tree unless told otherwise: as many as a page shows well."""

MOST_STEPS = 400
"""The most steps of a search that a film shows."""


class Standing(Enum):
    """What had become of a node when the tree was cut or the search was over."""

    EXPANDED = "expanded"
    """Its successors were made."""
    WAITING = "waiting"
    """It was in the frontier."""
    DUPLICATE = "duplicate"
    """Thrown away: its board was known."""
    CUT = "cut"
    """Beyond the bound."""
    PRUNED = "pruned"
    """Dropped by a beam."""
    GOAL = "goal"
    """Solved; in a bidirectional search, the board where the two sides meet."""


class Ranking(Enum):
    """By what a search judges boards; the value explains the numbers under a node."""

    DEPTH = ""
    """By depth, if at all: the search is blind."""
    SUM = "f = depth + estimate"
    """By the sum of depth and estimate."""
    OTHER = "f priority, g depth, h estimate"
    """By another priority."""

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Ranking:
        """Return by what a search judges boards, as far as these nodes show."""
        found = list(nodes)
        if not any(node.h for node in found):
            return cls.DEPTH
        return cls.SUM if all(node.f == node.depth + node.h for node in found) else cls.OTHER

    def numbers(self, node: Node) -> str:
        """Return the numbers under a node."""
        if self is Ranking.DEPTH:
            return f"depth {node.depth}"
        if self is Ranking.SUM:
            return f"{node.f:g} = {node.depth} + {node.h}"
        return f"f {node.f:g}, g {node.depth}, h {node.h}"


_STANDING = {
    Fate.ENQUEUED: Standing.WAITING,
    Fate.REOPENED: Standing.WAITING,
    Fate.DUPLICATE: Standing.DUPLICATE,
    Fate.PARENT: Standing.DUPLICATE,
    Fate.CUT: Standing.CUT,
    Fate.PRUNED: Standing.PRUNED,
}


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node with its place in the drawing."""

    node: Node
    """The node as the search made it first."""
    parent: int | None
    """Index of the parent in `Tree.nodes`; None for a root."""
    standing: Standing
    """What became of it."""
    turns: tuple[int, ...] = ()
    """The how-manieth expansions of the search were its own, from 1; empty when none was."""
    on_path: bool = False
    """Whether the solution passes through it."""
    caption: str = ""
    """For the root of one of several trees: which one it is."""

    @property
    def turn(self) -> str:
        """Return the turns in one word."""
        return "·".join(map(str, self.turns))


@dataclass(frozen=True, slots=True)
class Tree(Pictured):
    """A search tree, or the beginning of one."""

    nodes: tuple[TreeNode, ...]
    """Parents before children, siblings in the order they were made."""
    complete: bool
    """Whether the search is over and made no more nodes than these."""
    result: Result | None = None
    """What the search found, when it is over."""

    @property
    def ranking(self) -> Ranking:
        """Return by what the search judges boards, as far as the nodes show."""
        return Ranking.of(each.node for each in self.nodes)

    @property
    def heading(self) -> str:
        """Return the name of the algorithm, or what the picture is when that is not known yet."""
        return "Search tree" if self.result is None else str(self.result.algorithm)

    @property
    def summary(self) -> str:
        """Return in one line how much of the search is here and how it ended."""
        size = counted(len(self.nodes), "node")
        if self.result is None:
            return f"the first {size}; the search goes on"
        if self.result.outcome is Outcome.SOLVED:
            assert self.result.cost is not None
            return f"{size}, solved in {counted(self.result.cost, 'move')}"
        done = size if self.nodes else "not searched"
        return f"{done}, {without_end(self.result)}: {self.result.reason}"

    def standing_name(self, standing: Standing) -> str:
        """Return what a standing is called in this tree."""
        two_sided = any(each.node.side != "start" for each in self.nodes)
        return "meeting" if standing is Standing.GOAL and two_sided else standing.value

    def is_on_path(self, each: TreeNode) -> bool:
        """Tell whether the edge from its parent to a node belongs to the solution."""
        return each.on_path and each.parent is not None and self.nodes[each.parent].on_path

    def count(self, standing: Standing) -> int:
        """Return how many nodes have this standing."""
        return sum(each.standing is standing for each in self.nodes)


def search_tree(events: Iterable[Event], nodes: int = MANY) -> Tree:
    """Return the tree of the first `nodes` nodes; takes no more events than that needs.

    Raise UnsuitableError unless `nodes` is at least 1.
    """
    growth = _Growth(_checked(nodes))
    for event in events:
        if not growth.take(event):
            break
    return growth.tree()


def tree_growth(events: Iterable[Event], nodes: int = MANY) -> list[Tree]:
    """Return the tree before the first step and after each; the last is that of `search_tree`.

    Nodes keep their places from tree to tree. Raise UnsuitableError unless `nodes` is at least 1,
    and for more than `MOST_STEPS` steps.
    """
    growth = _Growth(_checked(nodes))
    trees: list[Tree] = []
    for event in events:
        if isinstance(event, seen.Expanded):
            trees.append(growth.tree())
            if len(trees) > MOST_STEPS:
                raise UnsuitableError(
                    f"a film of a search has at most {MOST_STEPS} steps, and {nodes} nodes take "
                    "more: give fewer --nodes"
                )
        if not growth.take(event):
            break
    return [*trees, growth.tree()]


def _checked(nodes: int) -> int:
    if nodes < 1:
        raise UnsuitableError(f"a tree needs 1 node or more, not {nodes}")
    return nodes


class _Growth:
    """A tree under construction."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.nodes: list[TreeNode] = []
        self.index: dict[int, int] = {}
        """Node number → index; in later rounds, of its latest copy."""
        self.children: dict[tuple[int | None, Board], int] = {}
        """Index of the parent and board → index."""
        self.turns = 0
        self.two_sided = False
        self.round = ""
        self.result: Result | None = None

    def take(self, event: Event) -> bool:
        """Let the tree grow by an event; return False when it is full."""
        match event:
            case seen.Started(node):
                self.two_sided = self.two_sided or node.side != "start"
                return self._add(node, None, Standing.WAITING)
            case seen.BoundRaised(bound, number):
                self.round = f"round {number}, bound {bound:g}"
            case seen.Expanded(node):
                return self._expand(node)
            case seen.Generated(node, fate):
                return self._make(node, _STANDING[fate])
            case seen.Discarded(node):
                self._change(self.index.get(node.number), standing=Standing.DUPLICATE)
            case seen.GoalFound(node):
                self._mark_path(node)
            case seen.Finished(result):
                self.result = result
        return True

    def tree(self) -> Tree:
        """Return what has grown."""
        nodes = list(self.nodes)
        roots = [place for place, each in enumerate(nodes) if each.parent is None]
        for place in roots:
            if self.two_sided:
                side = nodes[place].node.side
                nodes[place] = replace(nodes[place], caption=f"from the {side}")
            elif len(roots) == 1:
                nodes[place] = replace(nodes[place], caption="")
        return Tree(tuple(nodes), self.result is not None, self.result)

    def _change(self, place: int | None, **changes: Any) -> None:
        if place is not None:
            self.nodes[place] = replace(self.nodes[place], **changes)

    def _add(self, node: Node, parent: int | None, standing: Standing) -> bool:
        if len(self.nodes) == self.limit:
            return False
        self.index[node.number] = self.children[parent, node.board] = len(self.nodes)
        self.nodes.append(TreeNode(node, parent, standing))
        return True

    def _make(self, node: Node, standing: Standing) -> bool:
        if node.number in self.index:
            self._change(self.index[node.number], standing=standing)
            return True
        parent = None if node.parent is None else self.index.get(node.parent)
        if parent is not None and (parent, node.board) in self.children:
            self.index[node.number] = self.children[parent, node.board]
            return True
        return self._add(node, parent, standing)

    def _expand(self, node: Node) -> bool:
        self.turns += 1
        place = self.index.get(node.number)
        if place is None:
            return True
        if self.nodes[place].parent is None:
            if self.nodes[place].turns:
                # A search that takes its root again has begun a new round.
                if not self._add(node, None, Standing.EXPANDED):
                    return False
                place = self.index[node.number]
            self._change(place, caption=self.round)
        turns = (*self.nodes[place].turns, self.turns)
        self._change(place, standing=Standing.EXPANDED, turns=turns)
        return True

    def _mark_path(self, goal: Node) -> None:
        """Mark the goal and the way up to its root; where two sides meet, on both of them."""
        ends = [self.index.get(goal.number)]
        ends += [
            place
            for place, each in enumerate(self.nodes)
            if each.node.side != goal.side
            and each.node.board == goal.board
            and each.standing is not Standing.DUPLICATE
        ]
        for place in ends:
            self._change(place, standing=Standing.GOAL)
            while place is not None:
                self._change(place, on_path=True)
                place = self.nodes[place].parent

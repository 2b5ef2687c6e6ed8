"""The search tree of the first nodes of a search: its model, its growth from events, its layout.

    0 ┬ 1 ┬ 3      nodes are in the order of generation, so a parent precedes its children
      │   └ 4
      └ 2

`search_tree` and `tree_growth` build trees from the events of a search. Each round of a deepening
search and each side of a bidirectional one is a separate tree. A board that recursive best-first
search generates again is one node with several turns. A tree ends when it has reached its
limit of nodes.

`tidy` lays out the nodes so that the drawing is narrow and symmetric:

        o          a parent is centred above its children; subtrees are as close as their outlines
      ┌─┴─┐        allow; mirrored trees get mirrored drawings
      o   o
     ┌┴┐
     o o

After Reingold and Tilford, Tidier drawings of trees (1981). Packing subtrees from the left crowds
small ones to the left of large ones. So the tree is packed twice, from the left and from the right,
and each node gets the mean of its two places: minimum distances that hold in both packings hold in
the mean. The time is linear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.search import events as seen
from taquin.search.events import Event, Fate, Node
from taquin.search.result import Outcome, Result
from taquin.system.formatting import counted
from taquin.system.lazy import Pictured
from taquin.views.traces import without_end

MANY = 40
"""The default number of nodes of a tree: as many as are legible on a page."""


class Standing(Enum):
    """The state of a node when the tree was truncated or the search ended."""

    EXPANDED = "expanded"
    """Its successors were generated."""
    WAITING = "waiting"
    """It was in the frontier."""
    DUPLICATE = "duplicate"
    """Discarded: its board was reached before."""
    CUT = "cut"
    """Beyond the bound."""
    PRUNED = "pruned"
    """Dropped by a beam."""
    GOAL = "goal"
    """Solved; in a bidirectional search, the board where the two sides meet."""


class Ranking(Enum):
    """How a search orders boards; the value explains the numbers below a node."""

    DEPTH = ""
    """By depth or not at all: the search is blind."""
    SUM = "f = g + h (depth + estimate)"
    """By f = g + h."""
    OTHER = "f (priority), g (depth), h (estimate)"
    """By another priority."""

    @classmethod
    def of(cls, nodes: Iterable[Node]) -> Ranking:
        """Return how a search orders boards, as far as these nodes show."""
        nodes = list(nodes)
        if not any(node.h for node in nodes):
            return cls.DEPTH
        return cls.SUM if all(node.f == node.depth + node.h for node in nodes) else cls.OTHER

    def numbers(self, node: Node) -> str:
        """Return the numbers below a node."""
        return _NUMBERS[self].format(f=f"{node.f:g}", g=node.depth, h=node.h)

    @property
    def blanks(self) -> str:
        """The numbers below a node, left blank."""
        return _NUMBERS[self].format(f="__", g="__", h="__")


_NUMBERS = {
    Ranking.DEPTH: "depth {g}",
    Ranking.SUM: "{f} = {g} + {h}",
    Ranking.OTHER: "f {f}, g {g}, h {h}",
}
"""The numbers below a node."""


class Exam(Enum):
    """The parts of a tree that are left blank for students to fill in."""

    VALUES = "values"
    """The numbers below the nodes."""
    ORDER = "order"
    """The order of expansion, and the standing of each node."""
    BOTH = "both"

    @property
    def hides_values(self) -> bool:
        """Whether the numbers below the nodes are left blank."""
        return self is not Exam.ORDER

    @property
    def hides_order(self) -> bool:
        """Whether the order of expansion is left blank."""
        return self is not Exam.VALUES

    def task(self, ranking: Ranking) -> str:
        """Return the instructions for students."""
        order = "Number the boards in the order in which the search expands them. "
        values = f"Write under each board: {ranking.value or 'its depth'}."
        return f"{order if self.hides_order else ''}{values if self.hides_values else ''}".strip()


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node with its place in the tree."""

    node: Node
    """The node as it was first generated."""
    parent: int | None
    """Index of the parent in `Tree.nodes`; None for a root."""
    standing: Standing
    """Its final state."""
    turns: tuple[int, ...] = ()
    """Ordinals of this node's expansions, from 1; empty if it was not expanded."""
    on_path: bool = False
    """Whether the solution passes through it."""
    caption: str = ""
    """For a root, if there are several trees: the name of the tree."""

    @property
    def turn(self) -> str:
        """The turns as one text."""
        return "·".join(map(str, self.turns))


@dataclass(frozen=True, slots=True)
class Tree(Pictured):
    """A search tree, or the beginning of one."""

    nodes: tuple[TreeNode, ...]
    """Parents before children, siblings in the order of generation."""
    result: Result | None = None
    """The result of the search, if it was followed to its end."""
    name: str = ""
    """The name of the search, for a tree that ends before the search does."""

    def __repr__(self) -> str:
        return f"<Tree: {self.summary}>"

    @property
    def complete(self) -> bool:
        """Whether the search has ended and generated no other nodes."""
        return self.result is not None

    @property
    def ranking(self) -> Ranking:
        """How the search orders boards, as far as the nodes show."""
        return Ranking.of(tree_node.node for tree_node in self.nodes)

    @property
    def heading(self) -> str:
        """The name of the search, or of the picture if the search is unknown."""
        if self.result is not None:
            return str(self.result.algorithm)
        return self.name or "Search tree"

    @property
    def summary(self) -> str:
        """One line: how much of the search is drawn, and how it ended."""
        size, result = counted(len(self.nodes), "node"), self.result
        if result is None:
            return f"the first {size}; the nodes after them are not drawn"
        if result.outcome is not Outcome.SOLVED or result.cost is None:
            done = size if self.nodes else "not searched"
            return f"{done}, {without_end(result)}: {result.reason}"
        return f"{size}, solved in {counted(result.cost, 'move')}"

    @property
    def goal(self) -> TreeNode | None:
        """The node that solves the puzzle, or the first node where two sides meet."""
        return next((node for node in self.nodes if node.standing is Standing.GOAL), None)

    def standing_name(self, standing: Standing) -> str:
        """Return the name of a standing in this tree."""
        two_sided = any(tree_node.node.side != "start" for tree_node in self.nodes)
        return "meeting" if standing is Standing.GOAL and two_sided else standing.value

    def is_on_path(self, child: TreeNode) -> bool:
        """Return whether the edge to a node belongs to the solution."""
        return child.on_path and child.parent is not None and self.nodes[child.parent].on_path

    def count(self, standing: Standing) -> int:
        """Return the number of nodes with this standing."""
        return sum(tree_node.standing is standing for tree_node in self.nodes)


MOST_STEPS = 400
"""The maximum number of steps of a film."""

_STANDING = {
    Fate.DUPLICATE: Standing.DUPLICATE,
    Fate.PARENT: Standing.DUPLICATE,
    Fate.CUT: Standing.CUT,
    Fate.LIMIT: Standing.CUT,
    Fate.PRUNED: Standing.PRUNED,
}


def search_tree(
    events: Iterable[Event], nodes: int = MANY, name: str = "", *, whole_turns: bool = False
) -> Tree:
    """Return the tree of the first `nodes` nodes; consume no more events than necessary.

    `whole_turns` adds the remaining children of the last expansion, and the goal if it is one of
    them. `name` is the heading of a tree that ends before the search does. Raise UnsuitableError
    for `nodes` below 1.
    """
    growth = _Growth(nodes, name)
    for event in events:
        if whole_turns and isinstance(event, seen.Expanded) and len(growth.nodes) >= nodes:
            break
        growth.limit += whole_turns
        if not growth.take(event):
            break
    return growth.tree()


def tree_growth(events: Iterable[Event], nodes: int = MANY, name: str = "") -> list[Tree]:
    """Return the tree before the first step, after each, and when the goal is found.

    Nodes keep their indices from tree to tree. The last tree is that of `search_tree`. Raise
    UnsuitableError for `nodes` below 1, and for too many steps.
    """
    growth = _Growth(nodes, name)
    trees: list[Tree] = []
    for event in events:
        if isinstance(event, seen.Expanded | seen.GoalFound):
            trees.append(growth.tree())
            if len(trees) > MOST_STEPS:
                raise UnsuitableError(
                    f"a film of a search has at most {MOST_STEPS:,} steps, and {nodes:,} nodes "
                    "need more: use a smaller --nodes"
                )
        if not growth.take(event):
            break
    return [*trees, growth.tree()]


class _Growth:
    def __init__(self, limit: int, name: str) -> None:
        if limit < 1:
            raise UnsuitableError(f"a tree needs 1 node or more, got {limit}")
        self.limit, self.name = limit, name
        self.nodes: list[TreeNode] = []
        self.index: dict[int, int] = {}
        """Node number → index; after several rounds, the index of the latest copy."""
        self.children: dict[tuple[int | None, Board], int] = {}
        """Index of the parent and board → index."""
        self.turns = 0
        self.two_sided = False
        self.round = ""
        self.result: Result | None = None

    def take(self, event: Event) -> bool:
        """Add an event to the tree; return False if the tree is full."""
        match event:
            case seen.Started(node):
                self.two_sided = self.two_sided or node.side != "start"
                return self._add(node, None)
            case seen.BoundRaised(bound, number):
                self.round = f"round {number}, bound {bound:g}"
            case seen.Expanded(node):
                return self._expand(node)
            case seen.Generated(node, fate):
                return self._generate(node, _STANDING.get(fate, Standing.WAITING))
            case seen.Discarded(node) if node.number in self.index:
                self._change(self.index[node.number], standing=Standing.DUPLICATE)
            case seen.GoalFound(node):
                self._mark_path(node)
            case seen.Finished(result):
                self.result = result
        return True

    def tree(self) -> Tree:
        """Return the tree so far."""
        nodes = list(self.nodes)
        roots = [index for index, tree_node in enumerate(nodes) if tree_node.parent is None]
        for index in roots:
            if self.two_sided:
                side = nodes[index].node.side
                nodes[index] = replace(nodes[index], caption=f"from the {side}")
            elif len(roots) == 1:
                nodes[index] = replace(nodes[index], caption="")
        return Tree(tuple(nodes), self.result, self.name)

    def _change(self, index: int, **changes: Any) -> None:
        self.nodes[index] = replace(self.nodes[index], **changes)

    def _add(self, node: Node, parent: int | None, standing: Standing = Standing.WAITING) -> bool:
        if len(self.nodes) == self.limit:
            return False
        self.index[node.number] = self.children[parent, node.board] = len(self.nodes)
        self.nodes.append(TreeNode(node, parent, standing))
        return True

    def _generate(self, node: Node, standing: Standing) -> bool:
        if node.number in self.index:
            self._change(self.index[node.number], standing=standing)
            return True
        parent = None if node.parent is None else self.index.get(node.parent)
        if parent is not None and (parent, node.board) in self.children:
            self.index[node.number] = self.children[parent, node.board]
            return True
        return self._add(node, parent, standing)

    def _expand(self, node: Node) -> bool:
        index = self.index.get(node.number)
        if index is not None and self.nodes[index].parent is None:
            if self.nodes[index].turns:
                # A search that expands its root again starts a new round.
                if not self._add(node, None):
                    return False
                index = self.index[node.number]
            self._change(index, caption=self.round)
        self.turns += 1
        if index is None:
            return True
        turns = (*self.nodes[index].turns, self.turns)
        self._change(index, standing=Standing.EXPANDED, turns=turns)
        return True

    def _mark_path(self, goal: Node) -> None:
        """Mark the path from the root to the goal; if two sides meet, mark both paths."""
        ends = [self.index[goal.number]] if goal.number in self.index else []
        ends += [
            index
            for index, tree_node in enumerate(self.nodes)
            if tree_node.node.side != goal.side
            and tree_node.node.board == goal.board
            and tree_node.standing is not Standing.DUPLICATE
        ]
        for end in ends:
            self._change(end, standing=Standing.GOAL)
            index: int | None = end
            while index is not None:
                self._change(index, on_path=True)
                index = self.nodes[index].parent


SIBLINGS = 1.0
"""Distance between two children of one parent, and the unit of all distances."""
COUSINS = 1.2
"""Minimum distance between other neighbours on a level."""
TREES = 1.6
"""Minimum distance between nodes of two trees."""


def tidy(parents: Sequence[int | None]) -> list[float]:
    """Return the horizontal position of each node, from 0 on.

    `parents` has the index of each node's parent, None for a root; parents precede their children.

    >>> tidy([None, 0, 0, 1, 1])
    [1.0, 0.5, 1.5, 0.0, 1.0]
    """
    children: list[list[int]] = [[] for _ in parents]
    roots: list[int] = []
    for node, parent in enumerate(parents):
        (roots if parent is None else children[parent]).append(node)
    from_left = _pack(children, roots, forward=True)
    from_right = _pack(children, roots, forward=False)
    places: list[float] = []
    for node, parent in enumerate(parents):
        offset = (from_left[node] - from_right[node]) / 2
        places.append(offset if parent is None else places[parent] + offset)
    leftmost = min(places, default=0.0)
    return [place - leftmost for place in places]


@dataclass(slots=True)
class _Outline:
    """The leftmost and rightmost position on each level of a subtree, the deepest level first."""

    left: list[float]
    right: list[float]
    shift: float = 0.0
    """An offset to all of them."""


def _pack(children: list[list[int]], roots: list[int], *, forward: bool) -> list[float]:
    """Return each node's offset from its parent when subtrees are packed in one direction."""
    offsets = [0.0] * len(children)
    outlines: dict[int, _Outline] = {}

    def beside(nodes: list[int], first_gap: float, gap: float) -> _Outline:
        """Put the subtrees of `nodes` side by side, centred; return their common outline."""
        if not nodes:
            return _Outline([], [])
        ordered = nodes if forward else nodes[::-1]
        merged = outlines.pop(ordered[0])
        for node in ordered[1:]:
            added = outlines.pop(node)
            levels = range(1, min(len(merged.left), len(added.left)) + 1)
            place = max(
                merged.right[-level] - added.left[-level] + (first_gap if level == 1 else gap)
                for level in levels
            )
            place += merged.shift - added.shift
            added.shift += place
            offsets[node] = place
            between = added.shift - merged.shift
            # Keep the deeper outline and update only the common levels: linear time.
            if len(merged.left) >= len(added.left):
                for level in levels:
                    merged.right[-level] = added.right[-level] + between
            else:
                for level in levels:
                    added.left[-level] = merged.left[-level] - between
                merged = added
        centre = offsets[ordered[-1]] / 2
        for node in ordered:
            offsets[node] -= centre
        merged.shift -= centre
        return merged

    for node in reversed(range(len(children))):
        outline = beside(children[node], SIBLINGS, COUSINS)
        # The deepest level is first, so a parent is appended.
        outline.left.append(-outline.shift)
        outline.right.append(-outline.shift)
        outlines[node] = outline
    beside(roots, TREES, TREES)
    return offsets

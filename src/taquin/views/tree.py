"""The search tree of the first nodes of a search, the model of all drawings of trees.

    0 ┬ 1 ┬ 3      nodes are in the order of generation, so a parent precedes its children;
      │   └ 4      `growth.py` builds it from the events
      └ 2

Each round of a deepening search and each side of a bidirectional one is a separate tree. A board
that recursive best-first search generates again is one node with several turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from taquin.search.events import Node
from taquin.search.result import Outcome, Result
from taquin.system.hooks import Pictured
from taquin.system.words import counted
from taquin.views.wording import without_end

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
    left_out: int = 0
    """The number of generated nodes that are not drawn, as far as the search was followed."""

    def __repr__(self) -> str:
        return f"<Tree: {self.summary}>"

    @property
    def complete(self) -> bool:
        """Whether the search has ended and generated no other nodes."""
        return self.result is not None and not self.left_out

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
        total = counted(len(self.nodes) + self.left_out, "node")
        if result is None and self.left_out:
            return f"the first {len(self.nodes):,} of more than {total}; the rest is not drawn"
        if result is None:
            return f"the first {size}; the nodes after them are not drawn"
        part = f"{len(self.nodes):,} of {total}" if self.left_out else size
        if result.outcome is not Outcome.SOLVED or result.cost is None:
            done = part if self.nodes else "not searched"
            return f"{done}, {without_end(result)}: {result.reason}"
        solved = f"solved in {counted(result.cost, 'move')}"
        if not self.left_out:
            return f"{size}, {solved}"
        is_complete = sum(tree_node.on_path for tree_node in self.nodes) > result.cost
        path = "the path" if is_complete else "the end of the path"
        if expanded := result.stats.expanded:
            turns = sum(len(tree_node.turns) for tree_node in self.nodes)
            part += f" and {turns:,} of {counted(expanded, 'expansion')}"
        return f"{part} are drawn: the first ones and {path} to the goal; {solved}"

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

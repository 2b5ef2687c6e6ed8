"""Build a search tree from the events of a search.

A tree is full when it has reached its limit of nodes. A page that shows the goal then continues to
follow the search: later nodes are only counted, and the path to the goal is added at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.search import events as seen
from taquin.search.events import Event, Fate, Node
from taquin.search.result import Result
from taquin.system.words import counted
from taquin.views.tree import MANY, Standing, Tree, TreeNode

MOST_STEPS = 400
"""The maximum number of steps of a film."""
MOST_PAGE_STEPS = 2000
"""The maximum number of steps of a page."""
_LONGEST_PATH = 60
"""The maximum number of boards that a path to the goal adds, the last ones of a longer path."""
MOST_WATCHED = 60_000
"""The maximum number of nodes that are followed after the tree is full."""

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


def tree_growth(
    events: Iterable[Event], nodes: int = MANY, name: str = "", *, to_goal: bool = False
) -> list[Tree]:
    """Return the tree before the first step, after each, and when the goal is found.

    Nodes keep their indices from tree to tree. The last tree is that of `search_tree`; `to_goal`
    follows the search to its end, or for `MOST_WATCHED` more nodes, and adds the path to the goal.
    Raise UnsuitableError for `nodes` below 1, and for too many steps.
    """
    growth = _Growth(nodes, name)
    most = MOST_PAGE_STEPS if to_goal else MOST_STEPS
    trees: list[Tree] = []
    is_full = False
    for event in events:
        if is_full:
            if not growth.watch(event):
                break
            continue
        if isinstance(event, seen.Expanded | seen.GoalFound):
            trees.append(growth.tree())
            if len(trees) > most:
                raise UnsuitableError(
                    f"a film or page of a search has at most {most:,} steps, and {nodes:,} nodes "
                    "need more: use a smaller --nodes"
                )
        if not growth.take(event):
            is_full = True
            if not to_goal:
                break
            trees.append(growth.tree())
            growth.watch(event)
    return [*trees, growth.tree()]


class _Growth:
    def __init__(self, limit: int, name: str) -> None:
        if limit < 1:
            raise UnsuitableError(f"a tree needs 1 node or more, got {limit}")
        self.limit, self.name = limit, name
        self.nodes: list[TreeNode] = []
        self.index: dict[int, int] = {}
        """Node number → index, that of the latest copy in later rounds."""
        self.children: dict[tuple[int | None, Board], int] = {}
        """Index of the parent and board → index."""
        self.turns = 0
        self.two_sided = False
        self.round = ""
        self.result: Result | None = None
        self.later: dict[int, Node] = {}
        """Nodes generated since the tree is full, by number; only those of the latest round."""
        self.later_turns: dict[int, int] = {}
        self.left_out = 0

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

    def watch(self, event: Event) -> bool:
        """Follow an event after the tree is full; return False at the limit `MOST_WATCHED`."""
        match event:
            case seen.Started(node) | seen.Generated(node):
                if node.number not in self.later and not self.take(event):
                    self.left_out += 1
                    self.later[node.number] = node
            case seen.Expanded(node):
                # A full tree rejects the root of a new round.
                is_root = not self.take(event)
                self.turns += is_root
                if is_root or (node.parent is None and node.number in self.later_turns):
                    # A new round: nodes of the previous one are not on the path to the goal.
                    self.index.pop(node.number, None)
                    self.later = {node.number: node}
                    self.left_out += 1
                self.later_turns[node.number] = self.turns
            case seen.GoalFound(node):
                self._add_path_to(node)
            case seen.BoundRaised() | seen.Discarded() | seen.Finished():
                self.take(event)
        return self.left_out < MOST_WATCHED

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
        return Tree(tuple(nodes), self.result, self.name, self.left_out)

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

    def _add_path_to(self, goal: Node) -> None:
        """Add the missing nodes of the path to the goal; if two sides meet, of both paths."""
        opposite = (node for node in self.later.values() if node.side != goal.side)
        meeting = next((node for node in opposite if node.board == goal.board), None)
        for node in (goal, meeting):
            missing: list[Node] = []
            above: int | None = None
            while node is not None and node.number not in self.index:
                missing.append(node)
                if node.parent is None:
                    break
                above, node = self.index.get(node.parent), self.later.get(node.parent)
            left_out = max(0, len(missing) - _LONGEST_PATH)
            caption = self.round if above is None else ""
            if left_out:
                caption = f"{counted(left_out, 'board')} of the path left out"
            for added in reversed(missing[: len(missing) - left_out]):
                self.limit += 1
                self.left_out -= 1
                self._add(added, above)
                above = self.index[added.number]
                if turn := self.later_turns.get(added.number):
                    self._change(above, standing=Standing.EXPANDED, turns=(turn,))
                self._change(above, caption=caption)
                caption = ""
        self._mark_path(goal)

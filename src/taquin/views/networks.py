"""A search tree as a graph of NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from taquin.errors import MissingError
from taquin.system.extras import install_command
from taquin.views.tree import Tree
from taquin.views.wording import move_name

if TYPE_CHECKING:
    from networkx import DiGraph


def to_networkx(tree: Tree) -> DiGraph:
    """Return the nodes of `tree`, numbered in the order of generation, with edges to children.

    A node has `board` (its one-line text), `g`, `h`, `f`, `fate` (expanded, waiting, duplicate,
    cut, pruned or goal), `turns` (when it was expanded) and `on_path`; an edge has `move`. The
    graph has `name`, the search. Raise MissingError without NetworkX.
    """
    try:
        import networkx
    except ImportError:
        how = install_command("graphs")
        raise MissingError(f"graphs need NetworkX, which is not installed: {how}") from None
    graph = networkx.DiGraph(name=tree.heading)
    for number, tree_node in enumerate(tree.nodes):
        node = tree_node.node
        graph.add_node(
            number,
            board=node.board.text(),
            g=node.depth,
            h=node.h,
            f=node.f,
            fate=tree_node.standing.value,
            turns=tree_node.turn,
            on_path=tree_node.on_path,
        )
        if tree_node.parent is not None:
            move = move_name(node.move) if node.move else ""
            graph.add_edge(tree_node.parent, number, move=move)
    return graph

"""Export a search tree to Graphviz and NetworkX."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from taquin.errors import MissingError
from taquin.model.moves import BLANK, FILLER, WALL, Label
from taquin.system.extras import not_installed
from taquin.views.palette import DASHED, LIGHT, PATH
from taquin.views.tree import Ranking, Tree, TreeNode
from taquin.views.wording import move_name

if TYPE_CHECKING:
    from networkx import DiGraph


def to_dot(tree: Tree, title: str = "") -> str:
    """Return `tree` in the DOT language; the default title is the algorithm."""
    heading = f"{title or tree.heading}: {tree.summary}"
    ranking = tree.ranking
    lines = [
        "digraph search {",
        f"  graph [label={_quoted(heading)}, labelloc=t, fontname=Helvetica, ordering=out];",
        "  node [shape=plain, fontname=Helvetica, fontsize=11];",
        "  edge [arrowhead=none, fontname=Helvetica, fontsize=9, color=gray50];",
    ]
    for index, tree_node in enumerate(tree.nodes):
        lines.append(f"  n{index} [label=<{_label(tree_node, ranking)}>];")
        if tree_node.parent is not None:
            lines.append(f"  n{tree_node.parent} -> n{index} [{_edge(tree, tree_node)}];")
    return "\n".join([*lines, "}", ""])


def _label(tree_node: TreeNode, ranking: Ranking) -> str:
    """Return an HTML-like label: the board, with the turn and the numbers below."""
    board, standing = tree_node.node.board, tree_node.standing.value
    card = LIGHT[f"{standing}.card"]
    width, line = (3, PATH) if tree_node.on_path else (1, card.line)
    turn = f"turn {tree_node.turn}" if tree_node.turns else standing
    notes = [tree_node.caption, turn, ranking.numbers(tree_node.node)]
    cells = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in board.rows())
    rows = "".join(
        f'<tr><td colspan="{board.grid.columns}" border="0">{escape(note)}</td></tr>'
        for note in filter(None, notes)
    )
    return (
        f'<table border="{width}" cellborder="1" cellspacing="2" cellpadding="3" style="rounded" '
        f'color="{line}" bgcolor="{card.fill}">{cells}{rows}</table>'
    )


def _cell(label: Label) -> str:
    if label == WALL:
        return '<td bgcolor="gray30"> </td>'
    if label == BLANK:
        return '<td border="0"> </td>'
    return f'<td bgcolor="white">{" " if label == FILLER else escape(str(label))}</td>'


def _edge(tree: Tree, tree_node: TreeNode) -> str:
    attributes = [f"label={_quoted(move_name(tree_node.node.move))}"] if tree_node.node.move else []
    if tree.is_on_path(tree_node):
        attributes.append(f'color="{PATH}", penwidth=3')
    elif tree_node.standing in DASHED:
        attributes.append("style=dashed")
    return ", ".join(attributes)


def _quoted(text: str) -> str:
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{plain}"'


def to_networkx(tree: Tree) -> DiGraph:
    """Return `tree` as a graph, its nodes numbered in the order of generation.

    A node has `board` (its one-line text), `g`, `h`, `f`, `fate` (expanded, waiting, duplicate,
    cut, pruned or goal), `turns` (when it was expanded) and `on_path`; an edge has `move`. The
    `name` of the graph is the search. Raise MissingError without NetworkX.
    """
    try:
        import networkx
    except ImportError:
        raise MissingError(not_installed("graphs need NetworkX", "graphs")) from None
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

"""A search tree for Graphviz."""

from __future__ import annotations

from html import escape

from taquin.model.moves import BLANK, FILLER, WALL, Label
from taquin.views.palette import DASHED, LIGHT, PATH
from taquin.views.tree import Ranking, Tree, TreeNode
from taquin.views.wording import move_name


def to_dot(tree: Tree, title: str = "") -> str:
    """Return `tree` in the DOT language, headed by the algorithm unless there is a `title`."""
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
    """Return a table: the board, with the turn and the numbers under it."""
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

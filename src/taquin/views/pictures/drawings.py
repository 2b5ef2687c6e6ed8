"""Drawings of boards, solutions, searches and trees, for files, notebooks, Graphviz and NetworkX.

In the drawing of a search tree,

    ┌───────────┐
    │①1│2│3│    │   each node is a card: the board with the tile that moved last marked, the
    │ 4│ │5│    │   turn in which it was expanded in the corner, f = g + h at the foot; the
    │ 7│8│6│    │   colour shows its standing
    │ 4 = 2 + 2 │
    └───────────┘

A growing tree has the layout of the final tree: a card never moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from taquin.analysis.audit import Audit
from taquin.errors import MissingError
from taquin.model.board import Arrangement
from taquin.model.moves import BLANK, FILLER, WALL, Label
from taquin.search.events import Event
from taquin.search.result import Result
from taquin.system.lazy import not_installed
from taquin.views.pictures.boards import (
    MARGIN,
    Captioned,
    board_parts,
    board_scene,
    cell_size,
    shown,
    solution_frames,
    solution_strip,
    strip,
    tile_paths,
    turns_strip,
)
from taquin.views.pictures.painters import Frame, to_gif, to_pdf, to_png, to_tikz
from taquin.views.pictures.painters import to_svg as scene_to_svg
from taquin.views.pictures.scene import (
    DASHED,
    LIGHT,
    PATH,
    WIDE,
    Box,
    Cover,
    Curve,
    Group,
    Part,
    Scene,
    TextLine,
    printable,
)
from taquin.views.traces import headline, move_name, place_names
from taquin.views.tree import (
    MANY,
    Exam,
    Ranking,
    Standing,
    Tree,
    TreeNode,
    search_tree,
    tidy,
    tree_growth,
)

if TYPE_CHECKING:
    from networkx import DiGraph


_PADDING, _FOOT, _BETWEEN, _LEVEL = 6.0, 17.0, 14.0, 40.0
_BOARD, _LARGEST, _WIDEST = 84.0, 21.0, 42.0
_NARROWEST = 460.0
_ROW, _LETTER, _SWATCH, _GAP = 22.0, 6.4, 25.0, 14.0
"""Of the legend: height of a row, width of a letter and of a swatch, space between two items."""
_WRITING = 15.0
"""The size of numbers that are written by hand."""
_STEP, _END = 700, 3000
"""The durations in ms of a step of a growing tree, and of the complete tree."""


def to_svg(tree: Tree, title: str = "", dark: bool | None = None) -> str:
    """Return `tree` as an SVG document; it follows the theme of its page if `dark` is None."""
    return scene_to_svg(TreeDrawing(tree, title).scene(), dark)


def tree_frames(growth: Sequence[Tree]) -> Iterator[Frame]:
    """Yield the picture of each tree; each is one step larger than the previous one."""
    drawing = TreeDrawing(growth[-1])
    for number, tree in enumerate(growth, 1):
        yield drawing.scene(tree), _END if number == len(growth) else _STEP


class TreeDrawing:
    """The layout of the picture of a tree and of its earlier stages."""

    def __init__(
        self, tree: Tree, title: str = "", exam: Exam | None = None, writing: bool | None = None
    ) -> None:
        """Lay it out; with `writing`, the default where numbers are left blank, for handwriting."""
        self.tree, self.ranking = tree, tree.ranking
        self.hides_order = exam is not None and exam.hides_order
        self.hides_values = exam is not None and exam.hides_values
        is_large = self.hides_values if writing is None else writing
        self.digits, self.foot, level = (
            (_WRITING, 32.0, 26.0) if is_large else (10.0, _FOOT, _LEVEL)
        )
        self.title = printable(title) or tree.heading
        rows = columns = 0
        self.cell = 0.0
        if tree.nodes:
            board = tree.nodes[0].node.board
            rows, columns = board.grid.rows, board.grid.columns
            self.cell = cell_size(tile_paths(board), _BOARD, _LARGEST, _WIDEST)
        feet = (len(self.ranking.numbers(tree_node.node)) for tree_node in tree.nodes)
        self.board_width = columns * self.cell
        numbers = max(feet, default=0) * 10 * WIDE
        if is_large:
            numbers = len(self.ranking.blanks) * _WRITING / 2
        self.card_width = max(self.board_width, numbers) + 2 * _PADDING
        self.card_height = rows * self.cell + _PADDING + self.foot
        places = tidy([tree_node.parent for tree_node in tree.nodes])
        step = self.card_width + _BETWEEN
        drawn = max(places, default=0.0) * step + self.card_width
        self.width = max(drawn + 2 * MARGIN, _NARROWEST)
        summary = tree.summary if exam is None else exam.task(self.ranking)
        notes = wrap(summary, int((self.width - 2 * MARGIN) / _LETTER))
        self.head = [TextLine("title", MARGIN, 32, self.title, 16, bold=True)]
        for line, note in enumerate(notes):
            self.head.append(TextLine("note", MARGIN, 50 + 15 * line, note, 11))
        self.legend, self.bottom = self._legend(len(notes) * 15 + 47, self.width)
        captions = any(tree_node.caption for tree_node in tree.nodes)
        first = self.bottom + (34 if captions else 16)
        levels: list[int] = []
        for tree_node in tree.nodes:
            levels.append(0 if tree_node.parent is None else levels[tree_node.parent] + 1)
        self.left = [(self.width - drawn) / 2 + place * step for place in places]
        self.top = [first + height * (self.card_height + level) for height in levels]
        lowest = max((top + self.card_height for top in self.top), default=self.bottom)
        self.height = lowest + MARGIN

    def scene(self, tree: Tree | None = None) -> Scene:
        """Return the picture of this tree, or of `tree`, an earlier stage of it."""
        tree = self.tree if tree is None else tree
        parts = (
            Box("page", 0, 0, self.width, self.height, 10),
            *self.head,
            *self.legend,
            *self._edges(tree),
            *self._nodes(tree),
        )
        return Scene(self.width, self.height, parts, self.title, self.tree.summary)

    def tree_alone(self) -> Scene:
        """Return the picture without its head, for a sheet that has a head of its own."""
        above = self.bottom - MARGIN
        parts = Group((*self._edges(self.tree), *self._nodes(self.tree)), y=-above)
        return Scene(self.width, self.height - above, (parts,), self.title, self.tree.summary)

    def _edges(self, tree: Tree) -> Iterator[Part]:
        """Yield the edges; the solution is last, so it is on top."""
        middle = self.card_width / 2
        edges = [
            (index, tree_node, tree_node.parent)
            for index, tree_node in enumerate(tree.nodes)
            if tree_node.parent is not None
        ]
        for index, tree_node, above in sorted(edges, key=lambda edge: tree.is_on_path(edge[1])):
            standing = tree_node.standing
            kinds: tuple[str, ...] = (standing.value,) if standing in DASHED else ()
            if tree.is_on_path(tree_node):
                kinds = ("path",)
            if self.hides_order:
                kinds = ()
            x0, y0 = self.left[above] + middle, self.top[above] + self.card_height
            curve = Curve("edge", x0, y0, self.left[index] + middle, self.top[index])
            yield Group((curve,), kinds=kinds, name=f"e{index}")

    def _nodes(self, tree: Tree) -> Iterator[Part]:
        middle, digits = self.card_width / 2, self.digits
        for index, tree_node in enumerate(tree.nodes):
            node = tree_node.node
            marks = {"turned": bool(tree_node.turns), "on-path": tree_node.on_path}
            kinds = (tree_node.standing.value, *(mark for mark in marks if marks[mark]))
            numbers = self.ranking.blanks if self.hides_values else self.ranking.numbers(node)
            if self.hides_order:
                kinds = (Standing.WAITING.value,)
            board = tuple(board_parts(shown(node.board, node.move), 0, self.cell, tray=False))
            parts: list[Part] = [
                Box("card", 0, 0, self.card_width, self.card_height, 7),
                Group(board, (self.card_width - self.board_width) / 2, _PADDING),
                TextLine("foot", middle, self.card_height - digits / 2, numbers, digits, "middle"),
            ]
            if tree_node.caption:
                parts.append(TextLine("note", middle, -13, tree_node.caption, 11, "middle"))
            if self.hides_order:
                # Every card looks alike, with an empty box for its number.
                parts.append(Box("tile", -9, -9, 22, 18, 4))
            elif tree_node.on_path:
                parts.append(Box("ring", 0, 0, self.card_width, self.card_height, 7))
            if tree_node.turns and not self.hides_order:
                parts.append(Group(tuple(_badge(tree_node.turn, 2, 2)), kinds=("badge",)))
            tooltip = [
                place_names(node.board),
                *([f"move {node.depth}: {move_name(node.move)}"] if node.move else []),
                numbers,
                f"expanded in turn {tree_node.turn}" if tree_node.turns else kinds[0],
            ]
            is_exam = self.hides_order or self.hides_values
            place, text = (self.left[index], self.top[index]), "\n".join(tooltip)
            yield Group(tuple(parts), *place, kinds, f"n{index}", "" if is_exam else text)

    def _legend(self, top: float, width: float) -> tuple[list[Part], float]:
        """Return swatches with labels, in rows of this width, and the y where they end."""
        tree = self.tree
        items = [
            (standing.value, f"{tree.standing_name(standing)} {count}")
            for standing in Standing
            if (count := tree.count(standing))
        ]
        if self.hides_order:
            items = []
        elif any(tree_node.turns for tree_node in tree.nodes):
            items.append(("turn", "order of expansion"))
        if any(tree_node.node.move for tree_node in tree.nodes):
            items.append(("moved", "moved last"))
        if any(tree_node.on_path for tree_node in tree.nodes) and not self.hides_order:
            items.append(("path", "solution"))
        if self.ranking.value and not self.hides_values:
            items.append(("", self.ranking.value))
        drawn: list[Part] = []
        x, y = MARGIN, top
        for kind, label in items:
            indent = _SWATCH if kind else 0.0
            wide = indent + len(label) * _LETTER
            if x > MARGIN and x + wide > width - MARGIN:
                x, y = MARGIN, y + _ROW
            line = TextLine("note", indent, 13, label, 11)
            drawn.append(Group((_SWATCHES[kind], line) if kind else (line,), x, y))
            x += wide + _GAP
        return drawn, y + (_ROW if items else 0)


def _badge(text: str, x: float, y: float) -> Iterator[Part]:
    """Yield the number of a turn on a disc whose left end is around (x, y)."""
    wide = max(16.0, len(text) * 5.9 + 8)
    yield Box("disc", x - 8, y - 8, wide, 16, 8)
    yield TextLine("turn", x - 8 + wide / 2, y + 3.3, text, 9, "middle", bold=True)


_SWATCHES: dict[str, Part] = {
    "turn": Group(tuple(_badge("1", 10, 9)), kinds=("expanded",)),
    "path": Group((Curve("edge", 1, 9, 19, 9),), kinds=("path",)),
    "moved": Box("moved", 3, 2, 14, 14, 2.5),
    **{
        standing.value: Group((Box("card", 1, 2, 18, 14, 4),), kinds=(standing.value,))
        for standing in Standing
    },
}
"""The swatches of the legend."""


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
            move = tree_node.node.move
            attributes = [f"label={_quoted(move_name(move))}"] if move else []
            if tree.is_on_path(tree_node):
                attributes.append(f'color="{PATH}", penwidth=3')
            elif tree_node.standing in DASHED:
                attributes.append("style=dashed")
            lines.append(f"  n{tree_node.parent} -> n{index} [{', '.join(attributes)}];")
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


_MOST_SIDE_BY_SIDE = 40
"""The length up to which notebooks show all boards of a solution; beyond, only the start."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The forms of a drawing; only the requested one is computed."""

    still: Callable[[], Scene]
    """A picture."""
    film: Callable[[], Iterable[Frame]]
    """A sequence of scenes."""


def painted(
    drawing: Drawing, form: str, dark: bool | None = None, size: int | None = None
) -> bytes:
    """Return a drawing as a file; if `dark` is None, SVG follows the theme of the reader.

    `size` is the longer side of a PNG or GIF in pixels. Raise MissingError where a library is not
    installed, and UnsuitableError for more than a picture can hold.
    """
    match form:
        case "svg":
            return scene_to_svg(drawing.still(), dark).encode()
        case "png":
            return to_png(drawing.still(), dark, size)
        case "pdf":
            return to_pdf([drawing.still()], dark)
        case "tex":
            return to_tikz(drawing.still(), dark).encode()
        case _:
            return to_gif(drawing.film(), dark, size)


def board_drawing(position: Arrangement, cover: Cover | None = None) -> Drawing:
    """Return how a board or a goal is drawn."""
    return _still_drawing(lambda: board_scene(position, cover))


def _still_drawing(scene: Callable[[], Scene]) -> Drawing:
    return Drawing(scene, lambda: [(scene(), 0)])


def solution_drawing(
    result: Result, title: str, note: str = "", cover: Cover | None = None
) -> Drawing:
    """Return how a solution is drawn: all its boards, or one board that moves."""
    return Drawing(
        still=lambda: solution_strip(result, title, note, cover),
        film=lambda: solution_frames(result, cover),
    )


def turns_drawing(
    events: Iterable[Event], title: str, nodes: int | None = None, name: str = ""
) -> Drawing:
    """Return how a search is drawn: its expanded boards in turn, or a growing tree."""
    return Drawing(
        still=lambda: turns_strip(events, title),
        film=tree_drawing(events, nodes or MANY, name).film,
    )


def tree_drawing(events: Iterable[Event], nodes: int = MANY, name: str = "") -> Drawing:
    """Return how the first nodes of a search are drawn: as a tree, or as a growing tree.

    `name` heads a tree that ends before the search does.
    """
    return Drawing(
        still=lambda: TreeDrawing(search_tree(events, nodes, name)).scene(),
        film=lambda: tree_frames(tree_growth(events, nodes, name)),
    )


def exam_drawing(tree: Tree, exam: Exam | None) -> Drawing:
    """Return how a tree is drawn as a picture with blanks to fill in, or None for its solution."""
    return _still_drawing(TreeDrawing(tree, exam=exam).scene)


def drawn(value: object, form: str) -> str | None:
    """Return a value as `svg` or as `html`, whichever suits it; None for the other one."""
    match value, form:
        case Arrangement(), "svg":
            return scene_to_svg(board_scene(value))
        case Tree(), "svg":
            return to_svg(value)
        case Result(), "html":
            title, note = headline(value), f"{value.algorithm}, {value.engine}"
            moves = len(value.moves or ())
            if value.moves is not None and moves <= _MOST_SIDE_BY_SIDE:
                return scene_to_svg(solution_strip(value, title, note))
            start = Captioned("start", tile_paths(value.start))
            return scene_to_svg(strip([start], title, note))
        case Audit(), "html":
            return _audit(value)
    return None


def _audit(audit: Audit) -> str:
    """Return what was found, and the boards that prove it."""
    verdicts = "".join(f"<li>{escape(verdict)}</li>" for verdict in audit.verdicts())
    proofs = []
    if (over := audit.overestimate) is not None:
        proofs.append((over.board, f"estimate {over.estimate}, distance {over.distance}"))
    if (fall := audit.fall) is not None:
        proofs.append((fall.parent, f"estimate {fall.parent_estimate}"))
        proofs.append((fall.child, f"a move later {fall.child_estimate}"))
    cards = [Captioned(caption, tile_paths(board)) for board, caption in proofs]
    picture = scene_to_svg(strip(cards, "Counterexamples")) if proofs else ""
    heading = f"<b>{escape(audit.heuristic)}</b> on {audit.puzzle.grid}"
    return f"<p>{heading}</p><ul>{verdicts}</ul>{picture}"

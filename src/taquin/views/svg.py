"""A search tree as a picture: one self-contained SVG file, no script and no font of its own.

┌───────────┐
│①1│2│3│    │   each node is a card: the board with the tile that moved last marked, the
│ 4│ │5│    │   turn in which it was expanded in the corner, f = g + h at the foot; the
│ 7│8│6│    │   colour tells its standing
│ 4 = 2 + 2 │
└───────────┘
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from taquin.model.board import Board
from taquin.model.moves import BLANK, FILLER, WALL, Label
from taquin.views.palette import DASHED, badge, legend, stylesheet
from taquin.views.tidy import tidy
from taquin.views.tree import Ranking, Tree, TreeNode
from taquin.views.wording import move_name, place_names

_MARGIN = 20.0
_PADDING = 6.0
_FOOT = 17.0
_BETWEEN = 14.0
_LEVEL = 40.0
_NARROWEST = 460.0
_WIDE = 0.6
"""Width of a letter, as a part of its size: enough for every common font."""


def to_svg(tree: Tree, title: str = "") -> str:
    """Return `tree` as an SVG document that suits light and dark pages.

    Without a `title` it is headed by the algorithm, where the tree knows it.
    """
    heading = "".join(filter(str.isprintable, title)) or tree.heading
    return _Drawing(tree, heading).text()


class _Drawing:
    """The measures of one picture, and its parts."""

    def __init__(self, tree: Tree, title: str) -> None:
        self.tree, self.title, self.ranking = tree, title, tree.ranking
        rows = columns = 0
        self.cell = 0.0
        if tree.nodes:
            board = tree.nodes[0].node.board
            rows, columns = board.grid.rows, board.grid.columns
            self.cell = _cell_size(board)
        feet = (len(self.ranking.numbers(each.node)) for each in tree.nodes)
        self.board_width = columns * self.cell
        self.card_width = max(self.board_width, max(feet, default=0) * 10 * _WIDE) + 2 * _PADDING
        self.card_height = rows * self.cell + _PADDING + _FOOT
        places = tidy([each.parent for each in tree.nodes])
        step = self.card_width + _BETWEEN
        drawn = max(places, default=0.0) * step + self.card_width
        self.width = max(drawn + 2 * _MARGIN, _NARROWEST)
        self.notes = wrap(tree.summary, int((self.width - 2 * _MARGIN) / 6.2))
        self.legend, bottom = legend(tree, _MARGIN, len(self.notes) * 15 + 47, self.width)
        captions = any(each.caption for each in tree.nodes)
        first = bottom + (34 if captions else 16)
        levels: list[int] = []
        for each in tree.nodes:
            levels.append(0 if each.parent is None else levels[each.parent] + 1)
        self.left = [(self.width - drawn) / 2 + place * step for place in places]
        self.top = [first + level * (self.card_height + _LEVEL) for level in levels]
        lowest = max((top + self.card_height for top in self.top), default=bottom)
        self.height = lowest + _MARGIN

    def text(self) -> str:
        """Return the document."""
        width, height = _n(self.width), _n(self.height)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                f'width="{width}" height="{height}" role="img">',
                f"<title>{escape(self.title)}</title>",
                f"<desc>{escape(self.tree.summary)}</desc>",
                f"<style>{stylesheet()}</style>",
                f'<rect class="page" width="{width}" height="{height}" rx="10"/>',
                _text(self.title, "title", _n(_MARGIN), "32"),
                *(
                    _text(note, "note", _n(_MARGIN), f"{50 + 15 * line}")
                    for line, note in enumerate(self.notes)
                ),
                *self.legend,
                *self._edges(),
                *self._nodes(),
                "</svg>",
                "",
            ]
        )

    def _edges(self) -> Iterator[str]:
        """Yield the edges, those of the solution last and so on top."""
        on_path = []
        for index, each in enumerate(self.tree.nodes):
            if each.parent is None:
                continue
            x0 = self.left[each.parent] + self.card_width / 2
            y0 = self.top[each.parent] + self.card_height
            x1, y1 = self.left[index] + self.card_width / 2, self.top[index]
            middle = (y0 + y1) / 2
            path = self.tree.is_on_path(each)
            kind = " path" if path else " dashed" if each.standing in DASHED else ""
            line = (
                f'<path class="edge{kind}" d="M{_n(x0)} {_n(y0)}C{_n(x0)} {_n(middle)} '
                f'{_n(x1)} {_n(middle)} {_n(x1)} {_n(y1)}"/>'
            )
            if path:
                on_path.append(line)
            else:
                yield line
        yield from on_path

    def _nodes(self) -> Iterator[str]:
        middle, foot = _n(self.card_width / 2), _n(self.card_height - 5)
        for index, each in enumerate(self.tree.nodes):
            path = " on-path" if each.on_path else ""
            yield (
                f'<g class="{each.standing.value}{path}" '
                f'transform="translate({_n(self.left[index])} {_n(self.top[index])})">'
            )
            yield f"<title>{escape(_told(each, self.ranking))}</title>"
            yield (
                f'<rect class="card" width="{_n(self.card_width)}" '
                f'height="{_n(self.card_height)}" rx="7"/>'
            )
            yield from self._board(each)
            yield _text(self.ranking.numbers(each.node), "foot", middle, foot)
            if each.caption:
                yield _text(each.caption, "note middle", middle, "-13")
            if each.turns:
                yield badge(each.turn, 2.0, 2.0)
            yield "</g>"

    def _board(self, each: TreeNode) -> Iterator[str]:
        board, move, cell = each.node.board, each.node.move, self.cell
        inset = (self.card_width - self.board_width) / 2
        moved: set[int] = set()
        if move is not None and WALL not in move.tiles:
            moved = set(board.grid.ray(board.blank, move.direction)[: len(move.tiles)])
        has_agent = FILLER in board.cells
        for place, label in enumerate(board.cells):
            row, column = board.grid.place(place)
            x, y = inset + column * cell, _PADDING + row * cell
            if label != BLANK:
                yield from _tile(label, x, y, cell, place in moved)
            elif has_agent:
                yield (
                    f'<circle class="agent" cx="{_n(x + cell / 2)}" cy="{_n(y + cell / 2)}" '
                    f'r="{_n(cell * 0.28)}"/>'
                )


def _tile(label: Label, x: float, y: float, cell: float, moved: bool) -> Iterator[str]:
    kind = {FILLER: "tile filler", WALL: "wall"}.get(label, "tile")
    side = _n(cell - 2)
    yield (
        f'<rect class="{kind}{" moved" if moved else ""}" x="{_n(x + 1)}" y="{_n(y + 1)}" '
        f'width="{side}" height="{side}" rx="{_n(cell * 0.15)}"/>'
    )
    if label not in (FILLER, WALL):
        word = str(label)
        size = min(cell * 0.58, (cell - 3) / (len(word) * _WIDE))
        yield (
            f'<text class="label" x="{_n(x + cell / 2)}" y="{_n(y + cell / 2 + size * 0.35)}" '
            f'font-size="{_n(size)}">{escape(word)}</text>'
        )


def _told(each: TreeNode, ranking: Ranking) -> str:
    """Return what a pointer held over a node shows."""
    words = [place_names(each.node.board)]
    if each.node.move is not None:
        words.append(f"move {each.node.depth}: {move_name(each.node.move)}")
    words.append(ranking.numbers(each.node))
    words.append(f"expanded in turn {each.turn}" if each.turns else each.standing.value)
    return "\n".join(words)


def _text(words: str, kind: str, x: str, y: str) -> str:
    return f'<text class="{kind}" x="{x}" y="{y}">{escape(words)}</text>'


def _cell_size(board: Board) -> float:
    """Return the side of a cell: small on large boards, but large enough to read the labels."""
    even = min(21.0, 84.0 / max(board.grid.rows, board.grid.columns))
    longest = max(len(str(label)) for label in board.cells)
    return max(even, min(42.0, longest * 7 * _WIDE + 3))


def _n(value: float) -> str:
    """Return a coordinate in as few characters as a tenth of a pixel needs."""
    return f"{value:.1f}".removesuffix(".0")

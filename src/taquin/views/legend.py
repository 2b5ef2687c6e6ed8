"""The legend of a drawn search tree: what its colours, marks and numbers mean."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from taquin.views.tree import Tree

_ROW = 22.0
_LETTER = 6.2
_SWATCH = 25.0
_GAP = 14.0


class Legend:
    """Swatches with words, in as many rows as the width asks for."""

    def __init__(self, tree: Tree, left: float, top: float, width: float) -> None:
        words = [
            (standing.value, f"{tree.standing_name(standing)} {tree.count(standing)}")
            for standing in tree.standings()
        ]
        if any(each.turns for each in tree.nodes):
            words.append(("turn", "order of expansion"))
        if any(each.node.move for each in tree.nodes):
            words.append(("moved", "moved last"))
        if any(each.on_path for each in tree.nodes):
            words.append(("path", "solution"))
        if tree.ranking.value:
            words.append(("", tree.ranking.value))
        self._items: list[tuple[str, str, float, float]] = []
        x, y = left, top
        for kind, word in words:
            wide = (_SWATCH if kind else 0) + len(word) * _LETTER
            if x > left and x + wide > width - left:
                x, y = left, y + _ROW
            self._items.append((kind, word, x, y))
            x += wide + _GAP
        self.bottom = y + (_ROW if words else 0)

    def parts(self) -> Iterator[str]:
        """Yield the elements."""
        for kind, word, x, y in self._items:
            indent = _SWATCH if kind else 0
            yield (
                f'<g transform="translate({x:g} {y:g})">{_swatch(kind)}'
                f'<text class="note" x="{indent:g}" y="13">{escape(word)}</text></g>'
            )


def badge(word: str, x: float, y: float) -> str:
    """Return the number of a turn on a disc whose left end is around (x, y)."""
    wide = max(16.0, len(word) * 5.6 + 8)
    return (
        f'<rect class="disc" x="{x - 8:g}" y="{y - 8:g}" width="{wide:g}" height="16" rx="8"/>'
        f'<text class="turn" x="{x - 8 + wide / 2:g}" y="{y + 3.3:g}">{escape(word)}</text>'
    )


def _swatch(kind: str) -> str:
    match kind:
        case "":
            return ""
        case "turn":
            return f'<g class="expanded">{badge("1", 10.0, 9.0)}</g>'
        case "path":
            return '<path class="edge path" d="M1 9H19"/>'
        case "moved":
            return '<rect class="tile moved" x="3" y="2" width="14" height="14" rx="2.5"/>'
        case standing:
            card = '<rect class="card" x="1" y="2" width="18" height="14" rx="4"/>'
            return f'<g class="{standing}">{card}</g>'

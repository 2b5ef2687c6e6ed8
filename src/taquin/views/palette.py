"""The colours of the drawings, and the legend that says what colours, marks and numbers mean.

The hues are those of Okabe and Ito, told apart by those who see few colours, too; what was thrown
away is also dashed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from taquin.views.tree import Standing, Tree


@dataclass(frozen=True, slots=True)
class Colours:
    """How a node of one standing looks."""

    line: str
    """Its outline and the number of its turn."""
    card: str
    """What lies under the board."""


LIGHT: dict[Standing, Colours] = {
    Standing.EXPANDED: Colours("#0072b2", "#e3f0f8"),
    Standing.WAITING: Colours("#d08a00", "#fdf3dc"),
    Standing.DUPLICATE: Colours("#8b9199", "#f1f2f4"),
    Standing.CUT: Colours("#d55e00", "#fbe9df"),
    Standing.PRUNED: Colours("#b0558a", "#f8e8f1"),
    Standing.GOAL: Colours("#00875f", "#d7f2e8"),
}
"""On a light page."""

DARK: dict[Standing, Colours] = {
    Standing.EXPANDED: Colours("#56b4e9", "#16303f"),
    Standing.WAITING: Colours("#e69f00", "#3a2c0c"),
    Standing.DUPLICATE: Colours("#8b9199", "#25282c"),
    Standing.CUT: Colours("#f0803c", "#3d2213"),
    Standing.PRUNED: Colours("#cc79a7", "#38202e"),
    Standing.GOAL: Colours("#2fc497", "#0f3a2c"),
}
"""On a dark page."""

DASHED = (Standing.DUPLICATE, Standing.CUT, Standing.PRUNED)
"""Those that are not followed: their outlines and the edges to them are dashed."""

FONT = "ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
"""Fonts that every system has one of."""

PATH = "#009e73"
"""The solution, on either."""

_ROW, _LETTER, _SWATCH, _GAP = 22.0, 6.2, 25.0, 14.0
"""Of the legend: height of a row, width of a letter and of a swatch, space between two items."""


def stylesheet() -> str:
    """Return the style of a drawing, for light pages and, where the reader asks, for dark ones."""
    light = "".join(_rules(standing, colours) for standing, colours in LIGHT.items())
    dark = "".join(_rules(standing, colours) for standing, colours in DARK.items())
    dashed = ",".join(f".{standing.value} .card" for standing in DASHED)
    return (
        f"text{{font-family:{FONT}}}"
        ".page{fill:#ffffff}.title{font-size:16px;font-weight:600;fill:#1f2328}"
        ".note{font-size:11px;fill:#59636e}.middle,.foot,.label,.turn{text-anchor:middle}"
        ".foot{font-size:10px;fill:#1f2328}.label{font-weight:600;fill:#1f2328}"
        ".turn{font-size:9px;font-weight:700;fill:#ffffff}"
        ".card{stroke-width:1.5}.tile{fill:#ffffff;stroke:#c9ced6;stroke-width:.8}"
        ".filler{fill:#d8dde4;stroke:none}.wall{fill:#59636e}.agent{fill:#59636e}"
        ".moved{fill:#ffe08a;stroke:#d4a72c}"
        ".edge{fill:none;stroke:#afb8c1;stroke-width:1.5}.edge.dashed{stroke-dasharray:4 3}"
        f".edge.path{{stroke:{PATH};stroke-width:4}}"
        f"{light}{dashed}{{stroke-dasharray:4 3}}.duplicate{{opacity:.72}}"
        f".on-path .card{{stroke:{PATH};stroke-width:3}}"
        "@media (prefers-color-scheme:dark){"
        ".page{fill:#0d1117}.title,.foot,.label{fill:#e6edf3}.note{fill:#9198a1}"
        ".turn{fill:#0d1117}.tile{fill:#2b3138;stroke:#4a525c}.filler{fill:#1f242b}"
        ".wall{fill:#6e7681}.agent{fill:#9198a1}.moved{fill:#6b5313;stroke:#d4a72c}"
        f".edge{{stroke:#4a525c}}{dark}"
        f".edge.path,.on-path .card{{stroke:{PATH}}}}}"
    )


def _rules(standing: Standing, colours: Colours) -> str:
    return (
        f".{standing.value} .card{{fill:{colours.card};stroke:{colours.line}}}"
        f".{standing.value} .disc{{fill:{colours.line}}}"
    )


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

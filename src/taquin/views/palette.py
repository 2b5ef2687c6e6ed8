"""The colours of the drawings, and the legend that says what colours, marks and numbers mean.

The hues are those of Okabe and Ito, told apart by those who see few colours, too; what was thrown
away is also dashed.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib import resources

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

DASHED = (Standing.DUPLICATE, Standing.CUT, Standing.PRUNED)
"""Those that are not followed: their outlines and the edges to them are dashed."""
PATH = "#009e73"
"""The solution, on either."""

_ROW, _LETTER, _SWATCH, _GAP = 22.0, 6.2, 25.0, 14.0
"""Of the legend: height of a row, width of a letter and of a swatch, space between two items."""


def stylesheet() -> str:
    """Return the style of a drawing, for light pages and, where the reader asks, for dark ones."""
    rules = (
        f".{standing.value} .card{{fill:{colours.card};stroke:{colours.line}}}"
        f".{standing.value} .disc{{fill:{colours.line}}}"
        for standing, colours in LIGHT.items()
    )
    text = (resources.files("taquin.views") / "tree.css").read_text(encoding="utf-8")
    text = text.replace("/* standings */", "".join(rules)).replace("/* path */", PATH)
    return " ".join(text.split())


def legend(tree: Tree, left: float, top: float, width: float) -> tuple[list[str], float]:
    """Return swatches with words, in as many rows as the width asks for, and where they end."""
    items = [
        (standing.value, f"{tree.standing_name(standing)} {count}")
        for standing in Standing
        if (count := tree.count(standing))
    ]
    if any(each.turns for each in tree.nodes):
        items.append(("turn", "order of expansion"))
    if any(each.node.move for each in tree.nodes):
        items.append(("moved", "moved last"))
    if any(each.on_path for each in tree.nodes):
        items.append(("path", "solution"))
    if tree.ranking.value:
        items.append(("", tree.ranking.value))
    drawn: list[str] = []
    x, y = left, top
    for kind, word in items:
        indent = _SWATCH if kind else 0
        wide = indent + len(word) * _LETTER
        if x > left and x + wide > width - left:
            x, y = left, y + _ROW
        drawn.append(
            f'<g transform="translate({x:g} {y:g})">{_swatch(kind)}'
            f'<text class="note" x="{indent:g}" y="13">{escape(word)}</text></g>'
        )
        x += wide + _GAP
    return drawn, y + (_ROW if items else 0)


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

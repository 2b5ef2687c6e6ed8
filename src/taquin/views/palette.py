"""The colours of all pictures, in a light and a dark theme.

A part of a picture has a *role*, such as `tile`; a role within a kind of group is written
`expanded.card`. The hues of the standings are those of Okabe and Ito, which colour-blind people can
distinguish; discarded nodes are also dashed. Boards have one accent: the tile that moved last.
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.views.tree import Standing


@dataclass(frozen=True, slots=True)
class Paint:
    """The style of a part of a picture; an empty colour paints nothing."""

    fill: str = ""
    """The colour of the inside, or of text."""
    line: str = ""
    """The outline."""
    width: float = 0.0
    """The width of the outline."""
    dashed: bool = False
    """Whether the outline is dashed."""


Theme = dict[str, Paint]
"""The style of each role."""

PATH = "#009e73"
"""The solution, in both themes."""

DASHED = (Standing.DUPLICATE, Standing.CUT, Standing.PRUNED)
"""Nodes that the search does not follow: their outlines and edges are dashed."""

_Pair = tuple[Paint, Paint]
"""The style of a role in the light and in the dark theme."""


def _fills(light: str, dark: str) -> _Pair:
    return Paint(light), Paint(dark)


def _lines(light: str, dark: str, width: float, dashed: bool = False) -> _Pair:
    return Paint("", light, width, dashed), Paint("", dark, width, dashed)


_MOVED = Paint("#ffe08a", "#d4a72c", 0.8), Paint("#6b5313", "#d4a72c", 0.8)
_STANDINGS = (
    (Standing.EXPANDED, ("#0072b2", "#e3f0f8"), ("#56b4e9", "#16303f")),
    (Standing.WAITING, ("#d08a00", "#fdf3dc"), ("#e69f00", "#3a2c0c")),
    (Standing.DUPLICATE, ("#8b9199", "#f1f2f4"), ("#8b9199", "#25282c")),
    (Standing.CUT, ("#d55e00", "#fbe9df"), ("#f0803c", "#3d2213")),
    (Standing.PRUNED, ("#b0558a", "#f8e8f1"), ("#cc79a7", "#38202e")),
    (Standing.GOAL, ("#00875f", "#d7f2e8"), ("#2fc497", "#0f3a2c")),
)
"""The colours of outline and disc, and of the card, in the light and in the dark theme."""

_PAIRS: dict[str, _Pair] = {
    "page": _fills("#ffffff", "#0d1117"),
    "title": _fills("#1f2328", "#e6edf3"),
    "note": _fills("#59636e", "#9198a1"),
    "foot": _fills("#1f2328", "#e6edf3"),
    "label": _fills("#1f2328", "#e6edf3"),
    "faint": _fills("#8b9199", "#6e7681"),
    "turn": _fills("#ffffff", "#0d1117"),
    "rule": _fills("#afb8c1", "#4a525c"),
    "tray": _fills("#e6eaef", "#171c23"),
    "tile": (Paint("#ffffff", "#c9ced6", 0.8), Paint("#353d47", "#505a66", 0.8)),
    "filler": _fills("#cdd4dc", "#272e37"),
    "any": _lines("#8b9199", "#8b9199", 0.8, dashed=True),
    "wall": _fills("#59636e", "#6e7681"),
    "agent": _fills("#59636e", "#9198a1"),
    # In pictures and in films.
    **dict.fromkeys(("moved", "moved.tile", "moved.filler"), _MOVED),
    "tag": _fills("#1f2328", "#1f2328"),
    "tag-text": _fills("#ffffff", "#ffffff"),
    "ring": _lines(PATH, PATH, 3.0),
    "edge": _lines("#afb8c1", "#4a525c", 1.5),
    **{f"{standing.value}.edge": _lines("#afb8c1", "#4a525c", 1.5, True) for standing in DASHED},
    "path.edge": _lines(PATH, PATH, 4.0),
}
for _standing, *_colours in _STANDINGS:
    _light, _dark = (Paint(card, line, 1.5, _standing in DASHED) for line, card in _colours)
    _PAIRS[f"{_standing.value}.card"] = _light, _dark
    _PAIRS[f"{_standing.value}.disc"] = _fills(_light.line, _dark.line)
_PAIRS["duplicate.label"] = _fills("#6e7681", "#9198a1")

LIGHT: Theme = {role: light for role, (light, _) in _PAIRS.items()}
"""The light theme."""
DARK: Theme = {role: dark for role, (_, dark) in _PAIRS.items()}
"""The dark theme."""

"""The colours of every picture, on a light page and on a dark one.

A part of a picture has a *role*, such as `tile`; a role within a kind of group is written
`expanded.card`. The hues of the standings are those of Okabe and Ito, which colour-blind people can
distinguish; discarded nodes are also dashed. Boards have one accent: the tile that moved last.
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.views.tree import Standing


@dataclass(frozen=True, slots=True)
class Paint:
    """How a part of a picture looks; an empty colour paints nothing."""

    fill: str = ""
    """What lies within, or the colour of letters."""
    line: str = ""
    """The outline."""
    width: float = 0.0
    """How thick the outline is."""
    dashed: bool = False
    """Whether the outline is broken."""


Theme = dict[str, Paint]
"""What each role looks like."""

PATH = "#009e73"
"""The solution, on either page."""

DASHED = (Standing.DUPLICATE, Standing.CUT, Standing.PRUNED)
"""Nodes that the search does not follow: their outlines and edges are dashed."""


def _moved(paint: Paint) -> Theme:
    """Return the paint of tiles that moved last, in pictures and in films."""
    return dict.fromkeys(("moved", "moved.tile", "moved.filler"), paint)


def _standings(*colours: tuple[Standing, str, str]) -> Theme:
    """Return the paints of cards by standing: outline and disc in one colour, card in another."""
    theme: Theme = {}
    for standing, line, card in colours:
        name = standing.value
        theme[f"{name}.card"] = Paint(card, line, 1.5, standing in DASHED)
        theme[f"{name}.disc"] = Paint(line)
    return theme


LIGHT: Theme = {
    "page": Paint("#ffffff"),
    "title": Paint("#1f2328"),
    "note": Paint("#59636e"),
    "foot": Paint("#1f2328"),
    "label": Paint("#1f2328"),
    "faint": Paint("#8b9199"),
    "turn": Paint("#ffffff"),
    "rule": Paint("#afb8c1"),
    "tray": Paint("#e6eaef"),
    "tile": Paint("#ffffff", "#c9ced6", 0.8),
    "filler": Paint("#cdd4dc"),
    "any": Paint("", "#8b9199", 0.8, dashed=True),
    "wall": Paint("#59636e"),
    "agent": Paint("#59636e"),
    **_moved(Paint("#ffe08a", "#d4a72c", 0.8)),
    "tag": Paint("#1f2328"),
    "tag-word": Paint("#ffffff"),
    "ring": Paint("", PATH, 3.0),
    "edge": Paint("", "#afb8c1", 1.5),
    **{f"{standing.value}.edge": Paint("", "#afb8c1", 1.5, dashed=True) for standing in DASHED},
    "path.edge": Paint("", PATH, 4.0),
    **_standings(
        (Standing.EXPANDED, "#0072b2", "#e3f0f8"),
        (Standing.WAITING, "#d08a00", "#fdf3dc"),
        (Standing.DUPLICATE, "#8b9199", "#f1f2f4"),
        (Standing.CUT, "#d55e00", "#fbe9df"),
        (Standing.PRUNED, "#b0558a", "#f8e8f1"),
        (Standing.GOAL, "#00875f", "#d7f2e8"),
    ),
    "duplicate.label": Paint("#6e7681"),
}
"""On a light page."""

DARK: Theme = LIGHT | {
    "page": Paint("#0d1117"),
    "title": Paint("#e6edf3"),
    "note": Paint("#9198a1"),
    "foot": Paint("#e6edf3"),
    "label": Paint("#e6edf3"),
    "faint": Paint("#6e7681"),
    "turn": Paint("#0d1117"),
    "rule": Paint("#4a525c"),
    "tray": Paint("#171c23"),
    "tile": Paint("#353d47", "#505a66", 0.8),
    "filler": Paint("#272e37"),
    "wall": Paint("#6e7681"),
    "agent": Paint("#9198a1"),
    **_moved(Paint("#6b5313", "#d4a72c", 0.8)),
    "edge": Paint("", "#4a525c", 1.5),
    **{f"{standing.value}.edge": Paint("", "#4a525c", 1.5, dashed=True) for standing in DASHED},
    **_standings(
        (Standing.EXPANDED, "#56b4e9", "#16303f"),
        (Standing.WAITING, "#e69f00", "#3a2c0c"),
        (Standing.DUPLICATE, "#8b9199", "#25282c"),
        (Standing.CUT, "#f0803c", "#3d2213"),
        (Standing.PRUNED, "#cc79a7", "#38202e"),
        (Standing.GOAL, "#2fc497", "#0f3a2c"),
    ),
    "duplicate.label": Paint("#9198a1"),
}
"""On a dark page."""


def paint_of(theme: Theme, role: str, kinds: tuple[str, ...]) -> Paint:
    """Return how a role looks within groups of these kinds, the innermost last."""
    for kind in reversed(kinds):
        if (paint := theme.get(f"{kind}.{role}")) is not None:
            return paint
    return theme[role]

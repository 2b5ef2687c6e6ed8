"""The colours of the drawings: told apart by those who see few colours, too.

The hues are those of Okabe and Ito; what was thrown away is also dashed.
"""

from __future__ import annotations

from dataclasses import dataclass

from taquin.views.tree import Standing


@dataclass(frozen=True, slots=True)
class Colours:
    """How a node of one standing looks."""

    line: str
    """Its outline and the number of its turn."""
    card: str
    """What lies under the board."""
    dashed: bool = False
    """Whether its outline and the edge to it are dashed: it is not followed."""


LIGHT: dict[Standing, Colours] = {
    Standing.EXPANDED: Colours("#0072b2", "#e3f0f8"),
    Standing.WAITING: Colours("#d08a00", "#fdf3dc"),
    Standing.DUPLICATE: Colours("#8b9199", "#f1f2f4", dashed=True),
    Standing.CUT: Colours("#d55e00", "#fbe9df", dashed=True),
    Standing.PRUNED: Colours("#b0558a", "#f8e8f1", dashed=True),
    Standing.GOAL: Colours("#00875f", "#d7f2e8"),
}
"""On a light page."""

DARK: dict[Standing, Colours] = {
    Standing.EXPANDED: Colours("#56b4e9", "#16303f"),
    Standing.WAITING: Colours("#e69f00", "#3a2c0c"),
    Standing.DUPLICATE: Colours("#8b9199", "#25282c", dashed=True),
    Standing.CUT: Colours("#f0803c", "#3d2213", dashed=True),
    Standing.PRUNED: Colours("#cc79a7", "#38202e", dashed=True),
    Standing.GOAL: Colours("#2fc497", "#0f3a2c"),
}
"""On a dark page."""

FONT = "ui-sans-serif, system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
"""Fonts that every system has one of."""

PATH = "#009e73"
"""The solution, on either."""


def stylesheet() -> str:
    """Return the style of a drawing, for light pages and, where the reader asks, for dark ones."""
    dark = "".join(
        f".{standing.value} .card{{fill:{colours.card};stroke:{colours.line}}}"
        f".{standing.value} .disc{{fill:{colours.line}}}"
        for standing, colours in DARK.items()
    )
    light = "".join(
        f".{standing.value} .card{{fill:{colours.card};stroke:{colours.line}"
        f"{';stroke-dasharray:4 3' if colours.dashed else ''}}}"
        f".{standing.value} .disc{{fill:{colours.line}}}"
        for standing, colours in LIGHT.items()
    )
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
        f"{light}.duplicate{{opacity:.72}}"
        f".on-path .card{{stroke:{PATH};stroke-width:3}}"
        "@media (prefers-color-scheme:dark){"
        ".page{fill:#0d1117}.title,.foot,.label{fill:#e6edf3}.note{fill:#9198a1}"
        ".turn{fill:#0d1117}.tile{fill:#2b3138;stroke:#4a525c}.filler{fill:#1f242b}"
        ".wall{fill:#6e7681}.agent{fill:#9198a1}.moved{fill:#6b5313;stroke:#d4a72c}"
        f".edge{{stroke:#4a525c}}{dark}"
        f".edge.path,.on-path .card{{stroke:{PATH}}}}}"
    )

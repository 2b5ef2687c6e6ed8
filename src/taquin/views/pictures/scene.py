"""Pictures independent of a file format: shapes with roles, colours, and helpers of painters.

    Scene ── Group "expanded" at (20, 60) ── Box "card", Box "tile", TextLine "label" …

Lengths are in points of 1/72 inch, y grows downwards, and later parts are on top. Parts are boxes,
lines of text, curves and pieces of a photo. Each format has a painter that handles only these.

A part has a *role*, such as `tile`, not a colour; the palettes LIGHT and DARK have the style of
each role. A role within a kind of group is written `expanded.card`. The hues of the standings are
those of Okabe and Ito, which colour-blind people can distinguish; discarded nodes are also dashed.
Boards have one accent: the tile that moved last. A colour scheme gives tiles hues by their homes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from colorsys import hls_to_rgb
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from typing import Literal

from taquin.errors import InputError, MissingError
from taquin.model.grid import Grid
from taquin.reasons import reason
from taquin.system.formatting import bytes_in_words
from taquin.system.lazy import not_installed
from taquin.views.tree import Standing

MOST_BYTES = 20_000_000
"""The maximum size of a photo; SVG and HTML files embed it."""
WIDE = 0.6
"""The width of a letter relative to its size: enough for every common font."""
WIDE_BOLD = 0.7
"""The same for bold letters."""
Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
"""The point of a line of text that is given."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, possibly with round corners."""

    role: str
    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text; (x, y) is on its base line."""

    role: str
    x: float
    y: float
    text: str
    size: float
    anchor: Anchor = "start"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A line from (x0, y0) that starts and ends vertically, like the edges of a tree."""

    role: str
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def corners(self) -> list[Point]:
        """The two ends of this Bézier curve, and its control points between them."""
        middle = (self.y0 + self.y1) / 2
        return [(self.x0, self.y0), (self.x0, middle), (self.x1, middle), (self.x1, self.y1)]


@dataclass(frozen=True, slots=True)
class Cutting:
    """One cell of the scene's photo, which covers `rows` × `columns` cells."""

    x: float
    y: float
    side: float
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Group:
    """Parts with a common origin (x, y)."""

    parts: tuple[Part, ...]
    x: float = 0.0
    y: float = 0.0
    kinds: tuple[str, ...] = ()
    """Its kinds, which may change the style of the roles of its parts."""
    name: str = ""
    """The id of its element in SVG."""
    tooltip: str = ""
    """The text that is shown while the pointer is over it."""


Shape = Box | TextLine | Curve | Cutting
Part = Shape | Group


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture to cut into tiles."""

    content: bytes
    """The file."""
    kind: str
    """`png` or `jpeg`."""
    rows: int
    columns: int
    """The number of cells; the photo is cropped on both sides to their aspect ratio."""


HUES = 24
"""The hues of colour schemes."""


class Scheme(Enum):
    """Which tiles have one colour, by their homes: numbers are colours.

    fringe     rows       columns    rainbow      checkerboard
    1 1 1 1    1 1 1 1    1 2 3 4    1  2  3  4   1 2 1 2
    1 2 2 2    2 2 2 2    1 2 3 4    5  6  7  8   2 1 2 1
    1 2 3 3    3 3 3 3    1 2 3 4    9 10 11 12   1 2 1 2
    """

    FRINGE = "fringe"
    """The first row and column, then the first row and column of the rest: the order of solving."""
    ROWS = "rows"
    COLUMNS = "columns"
    RAINBOW = "rainbow"
    """A hue for each tile, in reading order."""
    CHECKERBOARD = "checkerboard"

    def __str__(self) -> str:
        return self.value

    def group(self, grid: Grid, home: int) -> tuple[int, int]:
        """Return the number of a tile's group, from 0, and how many groups there are."""
        row, column = grid.place(home)
        match self:
            case Scheme.FRINGE:
                return min(row, column), min(grid.rows, grid.columns)
            case Scheme.ROWS:
                return row, grid.rows
            case Scheme.COLUMNS:
                return column, grid.columns
            case Scheme.RAINBOW:
                return home, grid.size
        return (row + column) % 2, 2

    def role(self, grid: Grid, home: int) -> str:
        """Return the role of the tile that belongs to a cell."""
        number, groups = self.group(grid, home)
        # Halves are rounded up, as by the page.
        return f"hue-{int(HUES * number / groups + 0.5) % HUES}"


Cover = Photo | Scheme
"""What the faces of tiles show."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture."""

    width: float
    height: float
    parts: tuple[Part, ...]
    title: str = ""
    """A short description for screen readers."""
    summary: str = ""
    """A longer description for screen readers."""
    photo: Photo | None = None
    """The photo of the `Cutting`s."""


def photo_of(content: bytes, name: str, grid: Grid) -> Photo:
    """Return the photo in a file called `name`; raise InputError if it is too large or no photo."""
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{name}: expected a photo of at most {bytes_in_words(MOST_BYTES)}: make it smaller"
        )
    for beginning, kind in ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg")):
        if content.startswith(beginning):
            return Photo(content, kind, grid.rows, grid.columns)
    raise InputError(f"{name}: expected a photo, PNG or JPEG, found something else")


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


def _hue(number: int, lightness: float, saturation: float) -> str:
    rgb = hls_to_rgb(number / HUES, lightness, saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


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
for _number in range(HUES):
    _light, _dark = (
        Paint(_hue(_number, lightness, saturation), _hue(_number, line, saturation), 0.8)
        for lightness, line, saturation in ((0.8, 0.62, 0.75), (0.3, 0.45, 0.5))
    )
    _PAIRS[f"hue-{_number}"] = _light, _dark
    # The accent is an outline, so that the tile keeps its colour.
    _PAIRS[f"moved.hue-{_number}"] = (
        Paint(_light.fill, "#1f2328", 2.0),
        Paint(_dark.fill, "#e6edf3", 2.0),
    )
_PAIRS["duplicate.label"] = _fills("#6e7681", "#9198a1")

LIGHT: Theme = {role: light for role, (light, _) in _PAIRS.items()}
"""The light theme."""
DARK: Theme = {role: dark for role, (_, dark) in _PAIRS.items()}
"""The dark theme."""


def placed(
    parts: Iterable[Part], theme: Theme, x: float = 0.0, y: float = 0.0, kinds: tuple[str, ...] = ()
) -> Iterator[tuple[Shape, float, float, Paint]]:
    """Yield every shape with its origin and its paint, for parts of groups of `kinds` at (x, y)."""
    for part in parts:
        if isinstance(part, Group):
            yield from placed(part.parts, theme, x + part.x, y + part.y, (*kinds, *part.kinds))
        elif isinstance(part, Cutting):
            yield part, x, y, Paint()
        else:
            # The innermost group that has a paint for the role decides.
            roles = [f"{kind}.{part.role}" for kind in reversed(kinds)]
            yield part, x, y, theme[next((role for role in roles if role in theme), part.role)]


_LIBRARIES = {
    **dict.fromkeys(("png", "gif"), ("PIL", reason("need-pillow"))),
    "pdf": ("matplotlib", "a PDF picture needs Matplotlib"),
}
"""The module that writes a format, and what its absence means."""


def check_installed(form: str) -> None:
    """Raise MissingError unless the library that writes a format is installed, not loading it."""
    module, need = _LIBRARIES.get(form, ("sys", ""))
    if find_spec(module) is None:
        fault = not_installed(need, "pictures")
        raise MissingError(reason("no-picture", detail=fault))


def printable(text: str) -> str:
    """Return a text without line ends and control characters, which no picture can show."""
    return "".join(filter(str.isprintable, text))

"""Pictures independent of a file format: boxes, lines of text, curves and parts of a photo.

    Scene ── Group "expanded" at (20, 60) ── Box "card", Box "tile", TextLine "label" …

Lengths are in points of 1/72 inch, y grows downwards, and later parts are on top. A part has a
role, not a colour: `taquin.views.palette` has the style of each role. Each format has a painter
that handles only these few shapes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from taquin.errors import InputError
from taquin.model.grid import Grid
from taquin.system.words import bytes_in_words

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
    """The id for the script of a page."""
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

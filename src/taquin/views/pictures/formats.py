"""The file formats of pictures, each with its painter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from taquin.views.pictures.gif import Frame, to_gif
from taquin.views.pictures.pdf import to_pdf
from taquin.views.pictures.raster import to_png
from taquin.views.pictures.scene import Scene
from taquin.views.pictures.svg import to_svg

FORMATS = ("svg", "png", "pdf", "gif", "html")
"""The file extensions of pictures."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A subject and how it is drawn; only the requested form is computed."""

    still: Callable[[], Scene]
    """As a picture."""
    film: Callable[[], Iterable[Frame]]
    """As scenes one after another."""
    page: Callable[[bool | None], str]
    """As an HTML page: dark, light, or None for the theme of the reader."""


def painted(
    drawing: Drawing, form: str, dark: bool | None = None, size: int | None = None
) -> bytes:
    """Return a drawing as a file; if `dark` is None, SVG and HTML follow the theme of the reader.

    `size` is the longer side of a PNG or GIF in pixels; other formats have none. Raise MissingError
    where PNG, PDF or GIF need a library that is not installed, and UnsuitableError for more than a
    picture can hold.
    """
    match form:
        case "svg":
            return to_svg(drawing.still(), dark).encode()
        case "png":
            return to_png(drawing.still(), dark, size)
        case "pdf":
            return to_pdf([drawing.still()], dark)
        case "gif":
            return to_gif(drawing.film(), dark, size)
        case _:
            return drawing.page(dark).encode()

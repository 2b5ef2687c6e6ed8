"""A photo of the user's own, to be cut into tiles."""

from __future__ import annotations

from taquin.errors import InputError
from taquin.model.grid import Grid
from taquin.system.words import bytes_in_words
from taquin.views.pictures.scene import Photo

MOST_BYTES = 20_000_000
"""The largest photo; an SVG or HTML file holds all of it."""

_BEGINNINGS = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg"}


def photo_of(content: bytes, name: str, grid: Grid) -> Photo:
    """Return the photo that a file called `name` holds, for the cells of `grid`.

    Raise InputError for a file that is neither PNG nor JPEG, or is too large.
    """
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{name}: expected a photo of at most {bytes_in_words(MOST_BYTES)}: make it smaller"
        )
    for beginning, kind in _BEGINNINGS.items():
        if content.startswith(beginning):
            return Photo(content, kind, grid.rows, grid.columns)
    raise InputError(f"{name}: expected a photo, PNG or JPEG, found something else")

"""Shared by the painters: the parts of a scene with place and colour, and library checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from taquin.errors import MissingError
from taquin.views.palette import Paint, Theme, paint_of
from taquin.views.pictures.scene import Box, Curve, Cutting, Group, Part, Words

Placed = tuple[Box | Words | Curve | Cutting, float, float, Paint]
"""A part, where its origin is, and how it looks."""


def placed(
    parts: Iterable[Part], theme: Theme, x: float = 0.0, y: float = 0.0, kinds: tuple[str, ...] = ()
) -> Iterator[Placed]:
    """Yield every part of groups of these kinds at (x, y), and of the groups within."""
    for part in parts:
        if isinstance(part, Group):
            yield from placed(part.parts, theme, x + part.x, y + part.y, (*kinds, *part.kinds))
        elif isinstance(part, Cutting):
            yield part, x, y, Paint()
        else:
            yield part, x, y, paint_of(theme, part.role, kinds)


def need(module: str, library: str, what: str) -> None:
    """Raise MissingError unless a library is installed, without loading it."""
    if find_spec(module) is None:
        raise MissingError(
            f"{what} needs {library}, which is not installed: pip install 'taquin[pictures]'; "
            "SVG and HTML need nothing"
        )

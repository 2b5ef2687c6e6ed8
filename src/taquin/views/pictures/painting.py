"""Helpers of the painters: shapes with place and colour, printable texts, library checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from taquin.errors import MissingError
from taquin.system.extras import not_installed
from taquin.views.palette import Paint, Theme
from taquin.views.pictures.scene import Cutting, Group, Part, Shape


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


def need(module: str, library: str, what: str) -> None:
    """Raise MissingError unless a library is installed, without loading it."""
    if find_spec(module) is None:
        fault = not_installed(f"{what} needs {library}", "pictures")
        raise MissingError(f"{fault}; SVG and HTML need nothing")


def printable(text: str) -> str:
    """Return a text without line ends and control characters, which no picture can show."""
    return "".join(filter(str.isprintable, text))

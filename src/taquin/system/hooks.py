"""Hooks by which lower layers call higher ones: drawing, and parsing text.

Boards and results must not import views and notation, which are higher layers.
`taquin/__init__.py` registers a drawer and a reader here; both are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# Every start imports this module: keep its imports minimal.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; returns None if it cannot."""
    Reader = Callable[[type, Any], Any]
    """Converts a text or a JSON object to a value of a type."""

_drawer: Drawer | None = None
_reader: Reader | None = None


def draw_with(drawer: Drawer) -> None:
    """Register the function that draws every `Pictured` value."""
    global _drawer
    _drawer = drawer


def read_with(reader: Reader) -> None:
    """Register the function behind `read_as`."""
    global _reader
    _reader = reader


def read_as(kind: type, value: object) -> Any:
    """Parse a text or a JSON object as a value of type `kind`; raise NotationError.

    See `taquin.notation.boards.read_value` for the types.
    """
    assert _reader is not None, "importing taquin registers the reader"
    return _reader(kind, value)


class Pictured:
    """A value that notebooks display as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawer(self, "svg") if _drawer is not None else None

    def _repr_html_(self) -> str | None:
        return _drawer(self, "html") if _drawer is not None else None

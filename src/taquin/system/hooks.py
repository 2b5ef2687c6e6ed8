"""Hooks through which lower layers use those above them: drawing, and reading texts.

Boards and results are below views and notation and import neither. `taquin/__init__.py`, which is
above everything, registers a drawer and a reader here; both are loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# Nothing else is imported here: it would slow every start.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; returns None if it cannot."""
    Reader = Callable[[type, Any], Any]
    """Reads a value of a type from a text."""

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
    """Return the value of type `kind` that a text or a JSON object stands for.

    See `taquin.notation.values.read_value` for the types. Raise NotationError for a bad text.
    """
    assert _reader is not None, "importing taquin registers it"
    return _reader(kind, value)


class Pictured:
    """A value that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawer(self, "svg") if _drawer is not None else None

    def _repr_html_(self) -> str | None:
        return _drawer(self, "html") if _drawer is not None else None

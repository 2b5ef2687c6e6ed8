"""What values ask of the layers above them: to be drawn in a notebook, and to read a text.

Boards and results stand below the views and the notations, and import neither. They ask here;
`taquin/__init__.py`, which stands above everything, says with `draw_with` and `read_with` who
answers. Drawing and reading are therefore loaded when something is drawn or read, and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# Nothing else is imported here: it would cost every start-up.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; None where it does not."""
    Reader = Callable[[type, Any], Any]
    """Reads a value of a type from a text."""

_drawer: Drawer | None = None
_reader: Reader | None = None


def draw_with(drawer: Drawer) -> None:
    """Let `drawer` draw every value that is `Pictured`."""
    global _drawer
    _drawer = drawer


def read_with(reader: Reader) -> None:
    """Let `reader` answer `read_as`."""
    global _reader
    _reader = reader


def read_as(kind: type, value: object) -> Any:
    """Return the value of type `kind` that a text or a JSON object stands for.

    See `taquin.notation.values.read_value` for the types. Raise NotationError when there is none.
    """
    assert _reader is not None, "importing taquin sets it"
    return _reader(kind, value)


class Pictured:
    """A value that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawer(self, "svg") if _drawer is not None else None

    def _repr_html_(self) -> str | None:
        return _drawer(self, "html") if _drawer is not None else None

"""How a notebook shows a value: the value asks, and whoever can draw it answers.

Boards and results stand below the views and know nothing of them. A `Pictured` value has the
methods that notebooks look for; `taquin/__init__.py`, which stands above everything, says with
`draw_with` who draws. So drawing is loaded when something is drawn, and not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

# Nothing else is imported here: it would cost every start-up.
if TYPE_CHECKING:
    from collections.abc import Callable

    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; None where it does not."""

_drawer: Drawer | None = None


def draw_with(drawer: Drawer) -> None:
    """Let `drawer` draw every value that is `Pictured`."""
    global _drawer
    _drawer = drawer


class Pictured:
    """A value that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return _drawer(self, "svg") if _drawer is not None else None

    def _repr_html_(self) -> str | None:
        return _drawer(self, "html") if _drawer is not None else None

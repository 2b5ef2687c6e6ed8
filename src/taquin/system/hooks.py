"""Hooks through which lower layers use those above them: drawing, reading texts, progress.

Boards and results are below views and notation and import neither. `taquin/__init__.py`, which is
above everything, registers a drawer and a reader here; both are loaded on first use. A search that
wants to know what is compiled, which takes seconds, listens here.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

# Nothing else is imported here: it would slow every start.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    Drawer = Callable[[object, str], str | None]
    """Draws a value as `svg` or as `html`; returns None if it cannot."""
    Reader = Callable[[type, Any], Any]
    """Reads a value of a type from a text."""
    Listener = Callable[[str], AbstractContextManager[None]]
    """Takes a description of what is compiled; returns the block to compile in, and may raise."""

_drawer: Drawer | None = None
_reader: Reader | None = None
_listeners: list[Listener] = []
"""The active listeners; the last one receives the reports."""


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


@contextmanager
def listening_to_compilation(listener: Listener) -> Iterator[None]:
    """Report whatever is compiled in this block to `listener`."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report_compilation(description: str) -> AbstractContextManager[None]:
    """Return the block in which to compile, given by the last listener if there is one."""
    return _listeners[-1](description) if _listeners else nullcontext()

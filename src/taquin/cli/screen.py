"""The screen: its width, whether there is one, and how lines are printed on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

import click

from taquin.system import layout
from taquin.system.words import printable

_USUAL = 80
_NARROWEST = 20
_GAP = 3
_ERASE = "\r\x1b[K"
_is_shown = False
"""Whether a status line is on the screen."""


def columns() -> int:
    """Return the width of the screen in characters; 80 where there is no screen.

    The variable COLUMNS takes precedence. (`shutil` does the same, but importing it costs every
    start-up.)
    """
    width = int(word) if (word := os.environ.get("COLUMNS", "")).isdecimal() else 0
    if not width:
        with suppress(AttributeError, ValueError, OSError):
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return max(_NARROWEST, width or _USUAL)


def has_colours() -> bool:
    """Return whether the user allows colours and the screen can show them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def page_width(default: int) -> int:
    """Return the width of a page: that of the screen, or `default` where there is none."""
    return columns() if is_terminal(sys.stdout) else default


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether `stream` is an open terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def paragraph(text: str, err: bool = False, indent: str = "") -> str:
    """Return a text wrapped between words on a screen, and in one line elsewhere.

    With `err` it is for the error stream; `indent` precedes all lines but the first.
    """
    if not is_terminal(sys.stderr if err else sys.stdout):
        return text
    lines = (layout.wrap_text(line, columns(), indent) for line in text.split("\n"))
    return "\n".join(map("\n".join, lines))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as they arrive, wrapped to the screen.

    Control characters, which may come from an untrusted file, are escaped.
    """
    for line in lines:
        click.echo(paragraph(printable(line), indent="  "))


def say(text: str) -> None:
    """Print a message for the user on the error stream."""
    clear_status_line()
    click.echo(paragraph(text, err=True), err=True)


@contextmanager
def status_line(text: str = "") -> Iterator[Callable[[str], None]]:
    """Yield a function that replaces the status line; erase the line at the end.

    The line shows `text` first. It is drawn on the error stream if that is a terminal.
    """
    can_draw = _can_erase()

    def draw(text: str) -> None:
        global _is_shown
        if can_draw:
            sys.stderr.write(_ERASE + text[: columns() - 1])
            sys.stderr.flush()
            _is_shown = True

    if text:
        draw(text)
    try:
        yield draw
    finally:
        clear_status_line()


def clear_status_line() -> None:
    """Erase the status line, if there is one, before something else is printed."""
    global _is_shown
    if _is_shown:
        _is_shown = False
        sys.stderr.write(_ERASE)
        sys.stderr.flush()


def _can_erase() -> bool:
    # A dumb terminal cannot erase a line.
    return is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"


def stack(lines: Iterable[str]) -> str:
    """Return lines as one text without trailing spaces."""
    return "\n".join(line.rstrip() for line in lines)


def side_by_side(blocks: Sequence[Sequence[str]]) -> str:
    """Return blocks of lines in as many columns as the screen holds, an empty line between rows."""
    return "\n\n".join(map("\n".join, layout.side_by_side(blocks, columns(), _GAP, equal=True)))

"""What the screen is like: its width, whether it is one at all, and how lines are put on it."""

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
"""Whether a status line stands on the screen."""


def columns() -> int:
    """Return how many characters a line can hold; 80 where there is no screen.

    The variable COLUMNS has the last word. (`shutil` would tell the same, but importing it costs
    every start-up.)
    """
    wide = int(word) if (word := os.environ.get("COLUMNS", "")).isdecimal() else 0
    if not wide:
        with suppress(AttributeError, ValueError, OSError):
            wide = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return max(_NARROWEST, wide or _USUAL)


def has_colours() -> bool:
    """Return whether the user lets a screen have colours, and the screen can show them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def room(usual: int) -> int:
    """Return how wide a page is laid out: as the screen is, and `usual` where there is none."""
    return columns() if is_terminal(sys.stdout) else usual


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether `stream` is a screen that someone watches; a closed one is none."""
    return stream is not None and not stream.closed and stream.isatty()


def paragraph(text: str, err: bool = False, indent: str = "") -> str:
    """Return a text in lines that end between words on a screen, and in one line elsewhere.

    `err` tells that it goes to the error stream; `indent` stands before all lines but the first.
    """
    if not is_terminal(sys.stderr if err else sys.stdout):
        return text
    lines = (layout.wrap_text(line, columns(), indent) for line in text.split("\n"))
    return "\n".join(map("\n".join, lines))


def tell(lines: Iterable[str]) -> None:
    """Print lines as they come, those that are too long for the screen folded.

    They may tell of a file from anywhere: what a screen would obey is spelled out.
    """
    for line in lines:
        click.echo(paragraph(printable(line), indent="  "))


def say(text: str) -> None:
    """Print a text on the error stream: what the user should know, and no other program."""
    make_way()
    click.echo(paragraph(text, err=True), err=True)


@contextmanager
def status_line(text: str = "") -> Iterator[Callable[[str], None]]:
    """Yield what puts a text in place of the screen's last line, and erase it in the end.

    The line shows `text` first. It goes to the error stream, and nowhere if nobody watches that.
    """
    watched = _can_erase()

    def draw(text: str) -> None:
        global _is_shown
        if watched:
            sys.stderr.write(_ERASE + text[: columns() - 1])
            sys.stderr.flush()
            _is_shown = True

    if text:
        draw(text)
    try:
        yield draw
    finally:
        make_way()


def make_way() -> None:
    """Erase the status line, if there is one, for what is printed while it stands."""
    global _is_shown
    if _is_shown:
        _is_shown = False
        sys.stderr.write(_ERASE)
        sys.stderr.flush()


def _can_erase() -> bool:
    # A dumb terminal cannot erase a line.
    return is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"


def stack(lines: Iterable[str]) -> str:
    """Return lines as one text without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in lines)


def side_by_side(blocks: Sequence[Sequence[str]]) -> str:
    """Return blocks of lines in as many columns as the screen holds, an empty line between rows."""
    return "\n\n".join(map("\n".join, layout.side_by_side(blocks, columns(), _GAP, equal=True)))

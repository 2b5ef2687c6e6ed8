"""The terminal: its width, wrapped text, a status line, and encodings.

In pipes and files, text is UTF-8 with line feeds, which taquin and shells read; on Windows the
default would be the code page of the system. A terminal keeps its own encoding; characters that it
lacks are replaced by similar ASCII that taquin reads too:

    ┌───┬───┐        +---+---+
    │ 1 │ 2 │        | 1 | 2 |
    └───┴───┘        +---+---+
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import IO

import click

from taquin.system import formatting
from taquin.system.formatting import printable

_ERASE = "\r\x1b[K"
_STDERR, _ESCAPES = -12, 0x4
"""STD_ERROR_HANDLE and ENABLE_VIRTUAL_TERMINAL_PROCESSING of Windows."""
_ASCII = {
    **dict.fromkeys("─━═–−⁻", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("█▒", "#"),
    **dict(zip("░×·•☺µ←→↑↓◄►", ".x**@u<>^v<>", strict=True)),
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)),
    "…": "...",
    "≥": ">=",
    "≠": "!=",
}
_is_shown = False
"""Whether a status line is on the screen."""


def columns() -> int:
    """Return the width of the terminal, 80 without one; COLUMNS takes precedence."""
    # `shutil` does the same, but importing it costs every start-up.
    width = int(value) if (value := os.environ.get("COLUMNS", "")).isdecimal() else 0
    if not width:
        with suppress(AttributeError, ValueError, OSError):
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return max(20, width or 80)


def page_width(default: int) -> int:
    """Return the width of the terminal, or `default` if the output is none."""
    return columns() if is_terminal(sys.stdout) else default


def is_terminal(stream: IO[str] | None) -> bool:
    """Return whether `stream` is an open terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def paragraph(text: str, err: bool = False, indent: str = "") -> str:
    """Return a text, wrapped for a terminal; `indent` precedes all lines but the first."""
    if not is_terminal(sys.stderr if err else sys.stdout):
        return text
    lines = (formatting.wrap_text(line, columns(), indent) for line in text.split("\n"))
    return "\n".join(map("\n".join, lines))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, wrapped for a terminal; escape control characters, which files may contain."""
    for line in lines:
        click.echo(paragraph(printable(line), indent="  "))


def say(text: str) -> None:
    """Print a message for the user on the error stream."""
    clear_status_line()
    click.echo(paragraph(text, err=True), err=True)


@contextmanager
def status_line(text: str = "") -> Iterator[Callable[[str], None]]:
    """Yield a function that replaces the status line, `text` at first; erase it at the end."""
    can_draw = is_terminal(sys.stderr) and _can_erase()

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


def _can_erase() -> bool:
    """Return whether the terminal can erase a line; on Windows, enable it."""
    if sys.platform == "win32":
        from ctypes import WinDLL, byref, c_uint32, c_void_p

        kernel, mode = WinDLL("kernel32"), c_uint32()
        kernel.GetStdHandle.restype = c_void_p
        terminal = c_void_p(kernel.GetStdHandle(_STDERR))
        is_known = kernel.GetConsoleMode(terminal, byref(mode))
        return bool(is_known and kernel.SetConsoleMode(terminal, mode.value | _ESCAPES))
    return os.environ.get("TERM") != "dumb"


def clear_status_line() -> None:
    """Erase the status line, if there is one."""
    global _is_shown
    if _is_shown:
        _is_shown = False
        sys.stderr.write(_ERASE)
        sys.stderr.flush()


def stack(lines: Iterable[str]) -> str:
    """Return lines as one text without trailing spaces."""
    return "\n".join(line.rstrip() for line in lines)


def side_by_side(blocks: Sequence[Sequence[str]]) -> str:
    """Return blocks of lines in as many columns as fit, with an empty line between rows."""
    return "\n\n".join(
        map("\n".join, formatting.side_by_side(blocks, columns(), gap=3, equal=True))
    )


def shell_line(arguments: Sequence[str]) -> str:
    """Return a command as one line, quoted for the user's shell."""
    if sys.platform == "win32":
        from subprocess import list2cmdline

        return list2cmdline(arguments)
    from shlex import join

    return join(arguments)


def set_encodings() -> None:
    """Set the encodings of standard output and of the error stream."""
    codecs.register_error("taquin-lookalikes", _lookalikes)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            has_terminal = is_terminal(stream)
            stream.reconfigure(
                encoding=stream.encoding if has_terminal else "utf-8",
                errors="taquin-lookalikes",
                newline=None if has_terminal else "\n",
            )


def _lookalikes(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for characters that an encoding lacks, `?` by default, and where they end."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in lacking), error.end

"""A window for tests: a pseudo-terminal with a program in it, its keys, and what it shows.

`Page` knows the few sequences that taquin writes, and fails on any other.
"""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Sequence

from tests.cli.runs import COMMAND, posix

_PATIENCE = 180.0
"""Seconds after which a page that never comes is a failure."""
_PIECE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b])", re.DOTALL)


class Page:
    """What a terminal shows after all that was written to it."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns, self.lines = columns, lines
        self.is_alternate = False
        self.has_cursor = True
        self.has_overflowed = False
        """Whether something was written below the last line since the screen was last cleared."""
        self.erase()

    def erase(self) -> None:
        self.cells = [[" "] * self.columns for _ in range(self.lines)]
        self.row = self.column = 0

    def write(self, text: str) -> str:
        """Take what was written; return what is not complete yet."""
        at = 0
        while at < len(text):
            piece = _PIECE.match(text, at)
            if piece is None:
                assert len(text) - at < 20, f"unknown sequence {text[at : at + 20]!r}"
                break
            at = piece.end()
            if piece[3] is None:
                self._obey(piece[1], piece[2])
            elif piece[3] == "\n":
                self.row = min(self.row + 1, self.lines - 1)
            elif piece[3] == "\r":
                self.column = 0
            else:
                # Without wrapped lines, the cursor stays on the last column of a full line.
                self.cells[self.row][self.column] = piece[3]
                self.column = min(self.column + 1, self.columns - 1)
        return text[at:]

    def _obey(self, numbers: str, letter: str) -> None:
        match letter, numbers:
            case "H", _:
                row, column = numbers.split(";")
                self.has_overflowed |= int(row) > self.lines
                self.row, self.column = min(int(row), self.lines) - 1, int(column) - 1
            case "K", _:
                self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
            case "J", "2":
                self.cells = [[" "] * self.columns for _ in range(self.lines)]
                self.has_overflowed = False
            case "h" | "l", "?1049":
                self.is_alternate = letter == "h"
                self.erase()
            case "h" | "l", "?25":
                self.has_cursor = letter == "h"
            case "h" | "l", "?7":
                pass
            case "m", _:
                pass
            case _:
                raise AssertionError(f"unknown sequence {numbers}{letter}")

    def __str__(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Window:
    """A command line in a window of its own."""

    def __init__(
        self,
        *words: str,
        program: Sequence[str] = COMMAND,
        columns: int = 80,
        lines: int = 24,
        **environment: str,
    ) -> None:
        self.ours, self.theirs = posix("pty").openpty()
        self.page = Page(columns, lines)
        self._rest = ""
        self.written = ""
        self.resize(columns, lines)
        self.modes = posix("termios").tcgetattr(self.theirs)
        left_out = ("COLUMNS", "LINES", "NO_COLOR")
        kept = {key: value for key, value in os.environ.items() if key not in left_out}
        self.child = subprocess.Popen(
            [*program, *words],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=kept | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | environment,
            preexec_fn=_lead,
        )

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def resize(self, columns: int, lines: int) -> None:
        """Give the window another size; the program is told."""
        self.page = Page(columns, lines)
        posix("fcntl").ioctl(
            self.theirs, posix("termios").TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0)
        )

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self.ours, keys.encode())

    def read(self, seconds: float = 0.1) -> str:
        """Take what was written meanwhile; return the page."""
        while select.select([self.ours], [], [], seconds)[0]:
            text = os.read(self.ours, 65536).decode("utf-8", errors="replace")
            self.written += text
            self._rest = self.page.write(self._rest + text)
            seconds = 0.02
        return str(self.page)

    def until(self, wanted: str | Callable[[str], bool]) -> str:
        """Wait for a page that holds a text, or of which something is true; return it."""
        is_it = (lambda page: wanted in page) if isinstance(wanted, str) else wanted
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            page = self.read()
            if is_it(page):
                # The rest of a page may come after its window shrank; the next page fits.
                assert not self.page.has_overflowed, page
                return page
            if self.child.poll() is not None:
                break
        raise AssertionError(f"never seen: {wanted}\n{self.page}")

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.child.send_signal(number)

    def leave(self) -> int:
        """Wait for the end of the program; return its status."""
        end = time.monotonic() + _PATIENCE
        while self.child.poll() is None and time.monotonic() < end:
            self.read()
        self.read()
        return self.child.wait(1)

    @property
    def is_restored(self) -> bool:
        """Tell whether the terminal is as it was before."""
        self.read()
        modes = posix("termios").tcgetattr(self.theirs)
        return modes == self.modes and not self.page.is_alternate and self.page.has_cursor


def _lead() -> None:
    """Make the pseudo-terminal the one that keys such as Ctrl-C act upon."""
    os.setsid()
    posix("fcntl").ioctl(0, posix("termios").TIOCSCTTY, 0)
    # Where tests run in the background, children would inherit that Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

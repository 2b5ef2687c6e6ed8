"""The whole window as a page, and its keys; the terminal is restored whatever happens.

    with fullscreen() as terminal:               the alternate screen, no cursor, keys at once
        terminal.draw(["two", "lines"])
        key = terminal.key(timeout=1.0)          None after the time, a new size or `wake`

Ctrl-C raises KeyboardInterrupt from `key`, so that no other work is interrupted half-way; pressed
twice, it raises at once. Ctrl-Z, and a signal that ends the process, first leave the screen.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from types import FrameType
from typing import Any

import click

from taquin.cli.screen import is_terminal
from taquin.cli.terminal.drawing import clip
from taquin.cli.terminal.keys import GONE, read_keys

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J"
"""Alternate screen, no cursor, no wrapped lines, nothing on it."""
_LEAVE = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l"
_ESCAPE_SECONDS = 0.05
"""How long the rest of a key that begins with an escape may take."""
_USUAL = (80, 24)
_ENDS = ("SIGTERM", "SIGHUP", "SIGQUIT")
"""Signals that end the process unless they are handled."""


def why_not() -> str:
    """Return as half a sentence why no full screen is possible; empty if it is possible."""
    if find_spec("termios") is None:
        return "this system has no POSIX terminals"
    if not is_terminal(sys.stdout):
        return "the output is no terminal"
    if os.environ.get("TERM", "dumb") in ("", "dumb"):
        return "TERM says that this terminal cannot move its cursor"
    try:
        os.close(_keyboard())
    except OSError:
        return "there is no keyboard to read keys from"
    return ""


@contextmanager
def fullscreen() -> Iterator[Terminal]:
    """Yield the terminal with its whole window, where `why_not` returns nothing."""
    terminal = Terminal(_keyboard(), sys.stdout.fileno())
    try:
        terminal.open()
        yield terminal
    finally:
        terminal.close()


class Terminal:
    """A window and its keys."""

    def __init__(self, keyboard: int, window: int) -> None:
        import termios

        self._keyboard, self._window = keyboard, window
        self._modes: Any = termios.tcgetattr(keyboard)
        self._handlers: dict[int, Any] = {}
        self._wake_reader, self._wake_writer = os.pipe()
        self._wakeup = -1
        self._shown: list[str] = []
        self._shown_size = (0, 0)
        self._pending = b""
        self._keys: list[str] = []
        self._interrupted = False
        self._plain = bool(os.environ.get("NO_COLOR"))

    @property
    def size(self) -> tuple[int, int]:
        """The current columns and lines of the window."""
        try:
            wide, high = os.get_terminal_size(self._window)
        except OSError:
            return _USUAL
        return wide or _USUAL[0], high or _USUAL[1]

    def draw(self, lines: Sequence[str]) -> None:
        """Show `lines`, the first on top; cut what does not fit, redraw only what changed."""
        size = wide, high = self.size
        if self._plain:
            lines = [click.unstyle(line) for line in lines]
        page = [clip(line, wide) for line in lines[:high]]
        page += [""] * (high - len(page))
        written = []
        if self._shown_size != size:
            written, self._shown = ["\x1b[2J"], [""] * high
        for number, (line, old) in enumerate(zip(page, self._shown, strict=True), 1):
            if line != old:
                # Erased first: after a full line the cursor stands on its last character.
                written.append(f"\x1b[{number};1H\x1b[K{line}\x1b[0m")
        # A return from a pause, possible at any time, resets the size.
        self._shown, self._shown_size = page, size
        self._write("".join(written))

    def key(self, timeout: float | None = None) -> str | None:
        """Return the next key, None after the time or `wake`; raise KeyboardInterrupt on Ctrl-C."""
        if not self._keys and not self._interrupted:
            self._listen(timeout)
        if self._interrupted:
            raise KeyboardInterrupt
        return self._keys.pop(0) if self._keys else None

    def wake(self) -> None:
        """Make `key` return; for other threads that have something to show."""
        with suppress(OSError):
            os.write(self._wake_writer, b"\0")

    def open(self) -> None:
        """Take the window."""
        os.set_blocking(self._wake_reader, False)
        os.set_blocking(self._wake_writer, False)
        self._wakeup = signal.set_wakeup_fd(self._wake_writer, warn_on_full_buffer=False)
        handlers: dict[str, Callable[[int, FrameType | None], None]] = {
            **dict.fromkeys(_ENDS, self._end),
            "SIGINT": self._interrupt,
            "SIGTSTP": self._pause,
            "SIGCONT": lambda number, frame: self._enter(),
            # The handler does nothing: `key` returns, and the next page has the new size.
            "SIGWINCH": lambda number, frame: None,
        }
        for name, handler in handlers.items():
            number = getattr(signal, name)
            # A signal that was ignored at the start, as by `nohup`, stays ignored.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._handlers[number] = signal.signal(number, handler)
        self._enter()

    def close(self) -> None:
        """Restore the window."""
        # A second Ctrl-C is deferred until this is done.
        signals = {getattr(signal, name) for name in ("SIGINT", "SIGTSTP", *_ENDS)}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
        try:
            self._leave()
            for number, handler in self._handlers.items():
                signal.signal(number, handler or signal.SIG_DFL)
            signal.set_wakeup_fd(self._wakeup)
            for descriptor in (self._wake_reader, self._wake_writer, self._keyboard):
                with suppress(OSError):
                    os.close(descriptor)
            # A thread that still calls `wake` must not write to a reused descriptor.
            self._wake_writer = -1
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _listen(self, timeout: float | None) -> None:
        patience = _ESCAPE_SECONDS if self._pending else timeout
        ready, _, _ = select.select([self._keyboard, self._wake_reader], [], [], patience)
        if self._wake_reader in ready:
            with suppress(OSError):
                os.read(self._wake_reader, 4096)
        if self._keyboard in ready:
            try:
                data = os.read(self._keyboard, 1024)
            except OSError:
                data = b""
            if not data:
                self._keys.append(GONE)
                return
            self._keys, self._pending = read_keys(self._pending + data)
            if self._pending and not self._keys:
                self._listen(timeout)
        elif self._pending:
            self._keys, self._pending = read_keys(self._pending, is_complete=True)

    def _enter(self) -> None:
        import termios

        # Not by `tty.setcbreak`, which gives Enter another code in some versions of Python.
        modes: list[Any] = [*self._modes[:6], list(self._modes[6])]
        modes[3] &= ~(termios.ECHO | termios.ICANON)
        modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._keyboard, termios.TCSADRAIN, modes)
        self._shown_size = (0, 0)
        self._write(_ENTER)

    def _leave(self) -> None:
        import termios

        # The window may be gone; what can be restored is.
        with suppress(OSError):
            self._write(_LEAVE)
        with suppress(termios.error):
            # Unread keys must not reach the shell.
            termios.tcsetattr(self._keyboard, termios.TCSAFLUSH, self._modes)

    def _write(self, text: str) -> None:
        data = text.encode(sys.stdout.encoding or "utf-8", errors=sys.stdout.errors or "replace")
        while data:
            data = data[os.write(self._window, data) :]

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._leave()
        signal.signal(number, self._handlers[number] or signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._interrupted:
            raise KeyboardInterrupt
        self._interrupted = True

    def _pause(self, number: int, frame: FrameType | None) -> None:
        self._leave()
        signal.signal(number, signal.SIG_DFL)
        # The process stops here until it is continued.
        os.kill(os.getpid(), number)
        signal.signal(number, self._pause)
        self._enter()


def _keyboard() -> int:
    """Return a descriptor of the terminal for keys, even if standard input is a pipe."""
    if sys.stdin is not None and is_terminal(sys.stdin):
        return os.dup(sys.stdin.fileno())
    return os.open("/dev/tty", os.O_RDWR)

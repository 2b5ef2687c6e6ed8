"""Run the command line in tests: in this process, in one of its own, or on a screen of its own."""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from click.testing import CliRunner, Result

from taquin.cli.main import taquin

COMMAND = [sys.executable, "-m", "taquin"]
"""The command line as a process of its own."""


def run(*words: str, text: str | bytes | None = None) -> Result:
    """Run a command line in this process, with `text` as its standard input."""
    result = CliRunner().invoke(taquin, words, input=text, prog_name="taquin")
    # Whatever goes wrong must be a status and a sentence, never an exception.
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    assert result.exit_code in (0, 1, 2, 3), result.output
    return result


def refusal(*words: str, text: str | bytes | None = None) -> str:
    """Run a command line that is refused, and return the sentence that says why."""
    result = run(*words, text=text)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def process(*words: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    return subprocess.run([*COMMAND, *words], input=text, capture_output=True, check=False)


def posix(module: str) -> Any:
    """Return a module that only POSIX systems have; skip the test on others."""
    return pytest.importorskip(module)


def _at(columns: int) -> tuple[int, int]:
    """Return both ends of a new terminal, the user's first."""
    ours, theirs = posix("pty").openpty()
    size = struct.pack("HHHH", 40, columns, 0, 0)
    posix("fcntl").ioctl(theirs, posix("termios").TIOCSWINSZ, size)
    return ours, theirs


def on_screen(*words: str, columns: int = 80, **environment: str) -> tuple[int, str]:
    """Run a command line on a screen of its own; return its status and all it showed."""
    ours, theirs = _at(columns)
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    screen = kept | {"TERM": "xterm-256color"} | environment
    child = subprocess.Popen(
        [*COMMAND, *words], stdin=theirs, stdout=theirs, stderr=theirs, env=screen
    )
    os.close(theirs)
    shown = b""
    # Linux reports the end of a screen as an error.
    with suppress(OSError):
        while piece := os.read(ours, 65536):
            shown += piece
    os.close(ours)
    return child.wait(), shown.decode().replace("\r\n", "\n")


@contextmanager
def at_a_terminal(
    *words: str, columns: int = 80, status: int = 0
) -> Iterator[tuple[Callable[[str], None], Callable[..., str]]]:
    """Run a command line at a terminal of its own; it must end with `status` in the block."""
    ours, theirs = _at(columns)
    take_terminal = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
    code = f"{take_terminal}; from taquin.cli.main import run; run()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
    )
    os.close(theirs)
    seen = ""

    def say(text: str) -> None:
        os.write(ours, text.encode())

    def await_text(text: str, again: str = "") -> str:
        """Return what comes up to `text`; keep saying `again` where the prompt may have missed it.

        A signal that comes just before the prompt begins to listen is noticed with the next key.
        """
        nonlocal seen
        silent = 0
        while text not in seen:
            if select.select([ours], [], [], 1)[0]:
                seen += os.read(ours, 4096).decode(errors="replace").replace("\r\n", "\n")
                continue
            silent += 1
            if silent > 60:
                pytest.fail(f"expected {text!r} after {seen!r}, and nothing comes")
            if again:
                say(again)
        shown, _, seen = seen.partition(text)
        return shown

    try:
        yield say, await_text
        assert process.wait(timeout=180) == status
    finally:
        process.kill()
        process.wait()
        os.close(ours)

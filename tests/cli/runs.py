"""Run the command line in tests: in this process, in one of its own, or on a screen of its own."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
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


def process(*words: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    return subprocess.run([*COMMAND, *words], input=text, capture_output=True, check=False)


def posix(module: str) -> Any:
    """Return a module that only POSIX systems have; skip the test on others."""
    return pytest.importorskip(module)


def on_screen(*words: str, columns: int = 80, **environment: str) -> tuple[int, str]:
    """Run a command line on a screen of its own; return its status and all it showed."""
    ours, theirs = posix("pty").openpty()
    posix("fcntl").ioctl(
        theirs, posix("termios").TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0)
    )
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    child = subprocess.Popen(
        [*COMMAND, *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=kept | {"TERM": "xterm-256color"} | environment,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            # Linux reports the end of a screen this way.
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return child.wait(), shown.decode().replace("\r\n", "\n")

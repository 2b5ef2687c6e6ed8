"""What the full screen shows in a real terminal: tmux, at 30, 60, 80 and 120 columns.

Lines as wide as the window are the ones that terminals disagree about, so each page is read back
from the terminal and held against what it must say at its right edge.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from tests.cli.runs import COMMAND

WIDTHS = (30, 60, 80, 120)
BOARD = "1 2 3 / 4 0 5 / 7 8 6"
PATIENCE = 60.0
"""Seconds after which a page that never comes is a failure."""

pytestmark = pytest.mark.skipif(which("tmux") is None, reason="needs tmux")


class Tmux:
    """A tmux server of its own with one window."""

    def __init__(self, socket: Path) -> None:
        self._command = ["tmux", "-S", str(socket), "-f", os.devnull]

    def _tell(self, *words: str) -> str:
        environment = {key: value for key, value in os.environ.items() if key != "TMUX"}
        environment |= {"LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
        told = subprocess.run(
            [*self._command, *words], env=environment, capture_output=True, text=True, check=True
        )
        return told.stdout

    def start(self, *words: str) -> None:
        """Run a command of taquin in the window."""
        line = shlex.join([*COMMAND, *words])
        self._tell("-u", "new-session", "-d", "-x", "200", "-y", "30", line)

    def resize(self, columns: int) -> None:
        """Make the window so many columns wide."""
        self._tell("resize-window", "-x", str(columns), "-y", "30")

    def press(self, key: str) -> None:
        """Type a key by the name that tmux has for it."""
        self._tell("send-keys", key)

    def until(self, pattern: str) -> list[str]:
        """Wait for a page that matches; return its lines, blanks at their ends left out."""
        end = time.monotonic() + PATIENCE
        while True:
            page = self._tell("capture-pane", "-p")
            if re.search(pattern, page, re.MULTILINE):
                return page.splitlines()
            assert time.monotonic() < end, f"never seen: {pattern}\n{page}"
            time.sleep(0.05)

    def close(self) -> None:
        """End the server and what runs in it."""
        subprocess.run([*self._command, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    terminal = Tmux(tmp_path / "tmux")
    yield terminal
    terminal.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("words", "key", "ready", "edge"),
    [
        (("race", "bfs", "astar", BOARD), "End", "all have ended", "11 expansions each"),
        (("trace", BOARD, "-a", "bfs", "--step"), "End", "Solved", "step 11 of 11"),
        (("solve", BOARD, "--play"), "End", "step 2", "step 2 of 2"),
        (("play", BOARD), "Home", "left at best", "0 moves   0:00"),
    ],
    ids=["race", "trace --step", "solve --play", "play"],
)
def test_the_last_column_of_a_full_line_is_shown(
    tmux: Tmux, words: tuple[str, ...], key: str, ready: str, edge: str
) -> None:
    tmux.start(*words)
    tmux.until(r"quit")
    tmux.press(key)
    tmux.until(ready)
    for columns in WIDTHS:
        tmux.resize(columns)
        page = tmux.until(rf"^.{{{columns - len(edge)}}}{re.escape(edge)}$")
        if words[0] == "race":
            assert re.findall(r"expanded [█░]+ +(\d+)", "\n".join(page)) == ["10", "2"]

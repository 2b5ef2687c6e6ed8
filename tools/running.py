"""Run commands from the root of the repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str, more: dict[str, str] | None = None, status: int = 0) -> str:
    """Run a command in an environment with `more`; exit with what it printed if it fails.

    Return what it printed. `status` is the exit status that is expected.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | (more or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != status:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def read(name: str) -> str:
    """Return the text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")

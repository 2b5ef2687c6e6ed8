"""Find other Pythons and run a program in them.

Pyodide is CPython compiled to WebAssembly, which node runs: npm has it for a newer version than
most systems.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests import npm

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
"""The versions that taquin is written for."""


def command_of(version: str) -> list[str]:
    """Return the command that starts a CPython of this version; an empty list where none starts.

    Some systems have a stand-in under this name that only tells how to install it.
    """
    program = shutil.which(f"python{version}")
    words = [program or "", "-S", "-c", "import sys; print(sys.version)"]
    is_there = program is not None and _output_of(words).startswith(version)
    return [str(program), "-S"] if is_there else []


def run(command: list[str], program: Path) -> str:
    """Return what a program prints that sees taquin's source and the standard library only."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [*command, str(program)], env=environment, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_in_pyodide(program: Path) -> str:
    """Return what a program prints in pyodide."""
    script = Path(__file__).with_name("pyodide.mjs")
    words = ["node", str(script), str(npm.package("pyodide")), str(program), str(ROOT / "src")]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def _output_of(words: list[str]) -> str:
    """Return what a command prints; nothing where it fails, or waits for a network in vain."""
    try:
        done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout

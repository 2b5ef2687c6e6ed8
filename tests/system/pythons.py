"""Find other Pythons and run a program in them; as a program, install pyodide where that works.

python -m tests.system.pythons

Pyodide is CPython compiled to WebAssembly, which node runs: npm has it for a newer version than
most systems. It is looked for in the folder `pyodide` of the environment that runs the tests;
`TAQUIN_PYODIDE` names another.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
"""The versions that taquin is written for."""
FOLDER = Path(os.environ.get("TAQUIN_PYODIDE") or Path(sys.prefix, "pyodide"))
PACKAGE = FOLDER / "node_modules" / "pyodide"
RELEASE = "pyodide@314"
"""CPython 3.14."""


def why_no_pyodide() -> str:
    """Return why pyodide cannot run here; nothing where it can."""
    if not shutil.which("node"):
        return "there is no node to run pyodide"
    if not (PACKAGE / "pyodide.mjs").is_file():
        return f"there is no pyodide in {FOLDER}: npm install --prefix {FOLDER} {RELEASE}"
    return ""


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
    words = ["node", str(script), str(PACKAGE), str(program), str(ROOT / "src")]
    done = subprocess.run(words, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def install() -> str:
    """Install pyodide if it is missing; return a sentence if that failed."""
    npm = shutil.which("npm")
    if npm and why_no_pyodide():
        print("installing pyodide for the test on another Python ...", flush=True)
        _output_of([npm, "install", "--silent", "--prefix", str(FOLDER), RELEASE])
    why = why_no_pyodide()
    return f"The test on another Python will be skipped: {why}." if why else ""


def _output_of(words: list[str]) -> str:
    """Return what a command prints; nothing where it fails, or waits for a network in vain."""
    try:
        done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return "" if done.returncode else done.stdout


if __name__ == "__main__":
    if sentence := install():
        print(sentence)

"""Find npm's packages that some tests need; as a program, install them where that works.

python -m tests.npm

They are looked for in the folder `npm` of the environment that runs the tests; `TAQUIN_NPM` names
another. A test that lacks its package is skipped with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(os.environ.get("TAQUIN_NPM") or Path(sys.prefix, "npm"))
PACKAGES = {"pyodide": "314", "typescript": "7", "@biomejs/biome": "2", "pyright": "1"}
"""What is installed, and which major version of it. Pyodide 314 is CPython 3.14."""


def package(name: str) -> Path:
    """Return the folder of a package, whether it is there or not."""
    return FOLDER / "node_modules" / name


def why_missing(name: str) -> str:
    """Return why a package cannot be used here; nothing where it can."""
    if not shutil.which("node"):
        return f"there is no node to run {name}"
    if not (package(name) / "package.json").is_file():
        release = f"{name}@{PACKAGES[name]}"
        return f"there is no {name} in {FOLDER}: npm install --prefix {FOLDER} {release}"
    return ""


def run(program: str, *words: str, folder: Path) -> str:
    """Return what a program of one of the packages prints about a folder; empty if all is well."""
    command = [str(FOLDER / "node_modules" / ".bin" / program), *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8")
    return done.stdout + done.stderr if done.returncode else ""


def install() -> str:
    """Install what is missing; return a sentence if that failed."""
    npm = shutil.which("npm")
    if npm and any(map(why_missing, PACKAGES)):
        print("installing npm's packages for some of the tests ...", flush=True)
        releases = [f"{name}@{version}" for name, version in PACKAGES.items()]
        words = [npm, "install", "--silent", "--prefix", str(FOLDER), *releases]
        try:
            subprocess.run(words, capture_output=True, timeout=300)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(error)
    missing = [why for name in PACKAGES if (why := why_missing(name))]
    return f"Some tests will be skipped: {'; '.join(missing)}." if missing else ""


if __name__ == "__main__":
    if sentence := install():
        print(sentence)

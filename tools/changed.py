"""Print the tests to run for the files that differ from main, for `make check`.

A change to `src/taquin/PACKAGE/` or `tests/PACKAGE/` selects `tests/PACKAGE`, a changed test file
selects itself. Doctests of the changed sources run too.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.running import ROOT


def main() -> None:
    """Print the paths for pytest."""
    print(*sorted(paths(_changed_files())))


def paths(files: list[str]) -> set[str]:
    """Return what to test after a change to some files.

    >>> sorted(paths(["src/taquin/model/board.py"]))
    ['src/taquin/model/board.py', 'tests/model', 'tests/test_layers.py']
    """
    found = {"tests/test_layers.py"}
    for file in files:
        parts = Path(file).parts
        if file.startswith("src/taquin/") and file.endswith(".py"):
            found.add(file)
            parts = ("tests", *parts[2:])
        if parts[0] == "tests" and len(parts) > 2 and (ROOT / "tests" / parts[1]).is_dir():
            found.add(f"tests/{parts[1]}")
        elif parts[0] == "tests" and Path(file).name.startswith("test_"):
            found.add(file)
    return {path for path in found if (ROOT / path).exists()}


def _changed_files() -> list[str]:
    """Return the files that differ from main, or from the last commit on main itself."""
    git = ["git", "-C", str(ROOT)]
    base = subprocess.run([*git, "merge-base", "HEAD", "main"], capture_output=True, text=True)
    since = base.stdout.strip() or "HEAD"
    changed = subprocess.run(
        [*git, "diff", "--name-only", since], capture_output=True, text=True, check=True
    ).stdout.split()
    untracked = subprocess.run(
        [*git, "ls-files", "--others", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    return changed + untracked


if __name__ == "__main__":
    main()

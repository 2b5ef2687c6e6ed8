"""Print the tests to run for the files that differ from main, for `make check`.

A change to `src/taquin/PACKAGE/` or `tests/PACKAGE/` selects `tests/PACKAGE`, and the test files
elsewhere that import the module. A changed test file or document selects itself. Doctests of the
changed sources run too.
"""

from __future__ import annotations

import ast
import subprocess
from functools import cache
from pathlib import Path

from tools.running import ROOT

_OF_DOCUMENTS = (
    "test_a_document_shows_what_the_program_does",
    "test_what_a_document_points_to_is_there",
)
"""The tests of one document."""


def main() -> None:
    """Print the paths for pytest."""
    print(*sorted(paths(_changed_files())))


def paths(files: list[str]) -> set[str]:
    """Return what to test after a change to some files.

    >>> sorted(paths(["src/taquin/analysis/grading.py"]))[1:3]
    ['tests/analysis', 'tests/notation/test_answers.py']
    """
    found = {"tests/test_layers.py"}
    for file in files:
        parts = Path(file).parts
        if file.startswith("src/taquin/") and file.endswith(".py"):
            found |= {file, *_importers(file)}
            parts = ("tests", *parts[2:])
        if parts[0] == "tests" and len(parts) > 2 and (ROOT / "tests" / parts[1]).is_dir():
            found.add(f"tests/{parts[1]}")
        elif parts[0] == "tests" and Path(file).name.startswith("test_"):
            found.add(file)
        elif file == "README.md" or (parts[0] == "docs" and file.endswith(".md")):
            found |= {f"tests/test_documents.py::{name}[{file}]" for name in _OF_DOCUMENTS}
        elif file == "CONTRIBUTING.md":
            found.add("tests/test_contributing.py")
    exist = {path for path in found if (ROOT / path.partition("::")[0]).exists()}
    return {path for path in exist if str(Path(path).parent) not in exist}


def _importers(file: str) -> set[str]:
    """Return the test files that import a module, by themselves or through helpers of tests."""
    wanted = {_module_of(file.removeprefix("src/"))}
    found: set[str] = set()
    while new := {path for path, names in _imports().items() if names & wanted} - found:
        found |= new
        wanted |= set(map(_module_of, new))
    return {path for path in found if Path(path).name.startswith("test_")}


def _module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def _imports() -> dict[str, set[str]]:
    """Return the names that each file of tests/ imports; each may be a module."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "tests").rglob("*.py"):
        names = found.setdefault(path.relative_to(ROOT).as_posix(), set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {each.name for each in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


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

"""Nothing in the sources takes one system for granted."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from taquin.system.compiled import FOLDER, library_name
from tests import npm
from tests.system import pythons

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}
ALLOWED = {
    "taquin/cli/inputs.py": {"readline"},
    "taquin/system/files.py": {"fcntl"},
    "taquin/system/machine.py": {"resource"},
}
"""The files that use modules of POSIX systems; each asks first whether they are there."""
LACKING = {"taquin/cli/inputs.py", "taquin/system/jobs.py"}
"""The files that use functions of POSIX systems, and do without them where they are missing."""


def parsed(file: Path, word: str) -> ast.Module:
    """Return the code of a file; none if no `word` is in it, as parsing 400 files takes long."""
    text = file.read_text(encoding="utf-8")
    return ast.parse(text if re.search(rf"\b(?:{word})\b", text) else "")


def test_modules_of_posix_systems_are_imported_late_and_in_few_files_only() -> None:
    word = "|".join(POSIX_ONLY)
    for file in SOURCES:
        tree = parsed(file, word)
        name = file.relative_to(ROOT / "src").as_posix()
        assert imported(tree.body) & POSIX_ONLY == set(), name
        assert imported(list(ast.walk(tree))) & POSIX_ONLY == ALLOWED.get(name, set()), name
    for file in sorted((ROOT / "tests").rglob("*.py")):
        assert not imported(parsed(file, word).body) & POSIX_ONLY, file


def imported(nodes: list[ast.stmt] | list[ast.AST]) -> set[str]:
    """Return the modules that these statements import, those within them not counted."""
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


def test_every_text_file_is_opened_with_its_encoding() -> None:
    # Windows would use a code page. The rule is one of the preview of ruff.
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--isolated", "--no-cache"]
    rule = ["--preview", "--select", "PLW1514", "--output-format", "concise"]
    words = [*ruff, *rule, "src", "tests", "tools", "benchmarks", "examples"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_few_files_use_names_that_another_system_lacks(platform: str) -> None:
    # The stubs of the standard library say which names each system has.
    mypy = [sys.executable, "-m", "mypy", "--platform", platform, "src"]
    words = [*mypy, "--cache-dir", f".mypy_cache/{platform}"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8")
    files = set(re.findall(r"^src/(\S+?\.py):\d+: error", done.stdout, re.MULTILINE))
    assert files == (LACKING if platform == "win32" else set()), done.stdout


PROGRAM = Path(__file__).with_name("portable.py")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


@cache
def _figures_here() -> str:
    return _figures(pythons.run([sys.executable, "-S"], PROGRAM))


def _figures(printed: str) -> str:
    """Leave the first line out, which names the version."""
    return printed.partition("\n")[2]


@pytest.mark.parametrize("version", [each for each in pythons.VERSIONS if each != HERE])
def test_the_glass_box_counts_alike_on_every_python_that_is_installed(version: str) -> None:
    command = pythons.command_of(version)
    if not command:
        pytest.skip(f"there is no python{version} here")
    assert _figures(pythons.run(command, PROGRAM)) == _figures_here()


@pytest.mark.slow
def test_the_glass_box_counts_alike_in_pyodide() -> None:
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    assert _figures(pythons.run_in_pyodide(PROGRAM)) == _figures_here()


@pytest.mark.slow
def test_the_page_s_searches_count_alike_in_pyodide() -> None:
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    if not Path(FOLDER, library_name("emscripten", "wasm32")).is_file():
        pytest.skip("there are no kernels for WebAssembly: python -m tools.kernels emscripten")
    program = Path(pythons.ROOT, "tests", "web", "counts.py")
    assert pythons.run_in_pyodide(program) == pythons.run([sys.executable], program)


def test_a_property_wraps_a_plain_function() -> None:
    # In a slotted dataclass, Python 3.14 takes what is in `property` for a plain function: a
    # `cache` or an `attrgetter` there ends the import with AttributeError.
    places = []
    for file in SOURCES:
        for node in ast.walk(parsed(file, "property")):
            if isinstance(node, ast.FunctionDef):
                is_wrong = any(map(is_property, node.decorator_list[:-1]))
            elif isinstance(node, ast.Call) and is_property(node.func):
                is_wrong = any(isinstance(argument, ast.Call) for argument in node.args)
            else:
                continue
            if is_wrong:
                places.append(f"{file.relative_to(pythons.ROOT)}:{node.lineno}")
    assert not places


def is_property(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "property"

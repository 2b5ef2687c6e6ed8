"""taquin runs alike on every Python that it is written for."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

import pytest

from taquin.system.sources import FOLDER, library_name
from tests import npm
from tests.system import pythons

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
    for file in sorted(Path(pythons.ROOT, "src").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                names = [ast.unparse(decorator) for decorator in node.decorator_list]
                is_wrong = "property" in names[:-1]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "property":
                is_wrong = any(isinstance(argument, ast.Call) for argument in node.args)
            else:
                continue
            if is_wrong:
                places.append(f"{file.relative_to(pythons.ROOT)}:{node.lineno}")
    assert not places

"""The architecture, checked: who may import whom, what importing costs, what is public."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import taquin

SOURCE = Path(taquin.__file__).parent

LAYERS = {
    "system": set[str](),
    "model": {"system"},
    "notation": {"system", "model"},
    "tables": {"system", "model"},
    "heuristics": {"system", "model", "tables"},
    "search": {"system", "model", "heuristics"},
    "engine": {"system", "model", "tables", "heuristics", "search"},
    "views": {"system", "model", "notation", "heuristics", "search"},
    "lab": {"system", "model", "notation", "tables", "heuristics", "search", "engine"},
    "cli": {
        *("system", "model", "notation", "tables", "heuristics", "search", "engine", "views"),
        "lab",
    },
}
"""Each package with the packages it may import."""


def imported_packages(file: Path) -> set[str]:
    """Return the packages of taquin that a file imports, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = []
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        found |= {module.split(".")[1] for module in modules if module.startswith("taquin.")}
    return found


def test_every_package_has_a_layer() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages <= set(LAYERS)


@pytest.mark.parametrize("package", LAYERS)
def test_a_package_imports_only_the_layers_below_it(package: str) -> None:
    allowed = LAYERS[package] | {package, "errors", "_version"}
    for file in (SOURCE / package).rglob("*.py"):
        assert imported_packages(file) <= allowed, file


def test_importing_taquin_loads_nothing_heavy() -> None:
    code = (
        "import sys, taquin; "
        "print(sorted({'numpy', 'numba', 'rich', 'click', 'taquin.search.driver'} "
        "& set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_model_stands_on_the_standard_library_alone() -> None:
    for file in (SOURCE / "model").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                root = name.split(".")[0]
                assert root == "taquin" or root in sys.stdlib_module_names, (file, name)

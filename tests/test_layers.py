"""The architecture, checked: who may import whom, what importing costs, what is public."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import taquin

SOURCE = Path(taquin.__file__).parent

LAYERS = {
    package: set(allowed.split())
    for package, allowed in {
        "system": "",
        "model": "system",
        "notation": "system model",
        "tables": "system model",
        "heuristics": "system model notation tables",
        "search": "system model notation tables heuristics",
        "engine": "system model notation tables heuristics search",
        "analysis": "system model notation tables heuristics search engine",
        "views": "system model notation heuristics search analysis",
        "lab": "system model notation tables heuristics search engine analysis",
        "gym": "system model engine analysis",
        "classroom": "system model notation heuristics search engine analysis views lab",
        "web": "system model notation tables heuristics search engine analysis views lab",
        "cli": "system model notation tables heuristics search engine analysis views lab "
        "classroom web",
    }.items()
}
"""Each package with the packages it may import."""


TOP = {
    "errors": set[str](),
    "_version": set[str](),
    "reasons": set[str](),
    "events": {"search"},
    "__init__": {"system", "notation", "views"},
    "__main__": {"cli", "system"},
}
"""Each file at the top with the packages it may import."""

FILES = {
    ".".join(("taquin", *path.relative_to(SOURCE).with_suffix("").parts)): path
    for path in sorted(SOURCE.rglob("*.py"))
}
"""Every file by the name of its module, packages as `taquin.lab.__init__`."""


@cache
def tree_of(name: str) -> ast.Module:
    """Return the code of a file."""
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


@cache
def imports_of(name: str) -> set[str]:
    """Return the files of taquin that a file imports, at any depth of its code.

    Imports for type checkers and late ones count too; a package stands for its `__init__`.
    """
    found = set()
    for node in ast.walk(tree_of(name)):
        targets: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{name}: imports are written out in full"
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = [each if known(each) else node.module for each in targets]
        elif isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        found |= {known(each) for each in targets if known(each)}
    return found - {name}


def known(module: str) -> str:
    """Return the file of a module of taquin; empty for anything else."""
    return next((each for each in (module, f"{module}.__init__") if each in FILES), "")


def package_of(name: str) -> str:
    return name.split(".")[1]


def test_every_package_has_a_layer() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert packages == set(LAYERS)
    assert {path.stem for path in SOURCE.glob("*.py")} == set(TOP)


@pytest.mark.parametrize("package", LAYERS | TOP)
def test_a_file_imports_only_the_layers_below_it(package: str) -> None:
    allowed = (LAYERS | TOP)[package] | {package, "errors", "_version", "reasons"}
    for name in (each for each in FILES if package_of(each) == package):
        found = {package_of(each) for each in imports_of(name) if each != "taquin.__init__"}
        assert found <= allowed, name


def test_the_parts_of_the_lab_import_only_those_before_them() -> None:
    parts = ["study", "run", "report"]
    for name in (each for each in FILES if each.startswith("taquin.lab.") and each.count(".") > 2):
        used = {each.split(".")[2] for each in imports_of(name) if each.startswith("taquin.lab.")}
        assert used & {*parts} <= {*parts[: parts.index(name.split(".")[2]) + 1]}, name


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {name: imports_of(name) for name in FILES}
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        assert name not in path, f"a circle: {' -> '.join([*path[path.index(name) :], name])}"
        if name not in done:
            for other in sorted(graph[name]):
                visit(other, [*path, name])
            done.add(name)

    for name in FILES:
        visit(name, [])


def parameters_of(node: ast.FunctionDef) -> int:
    given = node.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs]) - (
        bool(given.args) and given.args[0].arg in ("self", "cls")
    )


def test_no_function_has_more_than_eight_parameters() -> None:
    # Commands have options.
    for name in (each for each in FILES if package_of(each) != "cli"):
        for node in ast.walk(tree_of(name)):
            if isinstance(node, ast.FunctionDef):
                assert parameters_of(node) <= 8, f"{name}: {node.name}"


def test_importing_taquin_loads_nothing_heavy() -> None:
    code = "import sys; before = set(sys.modules); import taquin; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("taquin")}
    assert loaded == {"taquin", "taquin._version", "taquin.system", "taquin.system.lazy"}
    heavy = {"numpy", "click", "inspect", "dataclasses", "pathlib", "json"}
    assert not set(done.stdout.split()) & heavy


def test_only_the_gpu_pictures_statistics_and_environments_use_numpy() -> None:
    pattern = re.compile(r"^ *(?:import|from) (?:numpy|cupy)\b", re.MULTILINE)
    users = {name for name, file in FILES.items() if pattern.search(file.read_text("utf-8"))}
    others = {name for name in users if ".gpu" not in name}
    environments = {"taquin.gym.environments"}
    files = {"taquin.views.pictures.painters", "taquin.lab.report.measures"}
    assert others == files | environments


def test_the_model_stands_on_the_standard_library_alone() -> None:
    for name in (each for each in FILES if package_of(each) == "model"):
        for node in ast.walk(tree_of(name)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            roots = {module.split(".")[0] for module in modules}
            assert roots <= {"taquin", *sys.stdlib_module_names}, (name, roots)


def test_the_architecture_says_whether_the_command_line_uses_internal_names() -> None:
    internal = [
        node.module
        for name in FILES
        if package_of(name) == "cli"
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("taquin.")
        and not (node.module or "").startswith("taquin.cli")
    ]
    text = " ".join((SOURCE.parents[1] / "docs" / "architecture.md").read_text("utf-8").split())
    assert ("many internal ones from the packages below" in text) == bool(internal)

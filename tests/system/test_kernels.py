"""The committed libraries are built from the present sources, and need nothing to run."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from tools.platforms import PLATFORMS

from taquin.system.compiled import FOLDER, SOURCES, sources_digest

ROOT = Path(__file__).parents[2]
KERNELS = [
    name
    for path in sorted(Path(SOURCES).glob("*.c"))
    for name in re.findall(r"^KERNEL\((\w+), \w+\)", path.read_text("utf-8"), re.MULTILINE)
]
_LIBRARY = re.compile(rb"[\w./@-]+\.(?:so(?:\.\d+)*|dll|dylib)\b")
"""The name of a library, as a library stores those that it needs."""
_SYSTEM_OF_MACOS = "/usr/lib/libSystem.B.dylib"
"""The library that every process on macOS has."""


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_library_has_every_kernel_as_it_is_now(name: str) -> None:
    content = Path(FOLDER, name).read_bytes()
    wanted = [*KERNELS, sources_digest()]
    if "x86_64" in name:
        wanted += [f"{kernel}_bmi2" for kernel in KERNELS]
    assert not [each for each in wanted if each.encode() not in content], "run make kernels-all"


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_library_needs_no_other(name: str) -> None:
    named = set(_LIBRARY.findall(Path(FOLDER, name).read_bytes()))
    assert {each.decode() for each in named} <= {name, f"@rpath/{name}", _SYSTEM_OF_MACOS}


_SOLVE = """
import sys

sys.modules["numpy"] = None  # whoever imports it fails

import taquin as tq
from taquin.analysis.explore import explore

hard = tq.solve("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", goal="blank-first", engine="cpu")
large = tq.solve(tq.random_board("6x6", 1), engine="anytime", seconds=0.3)
alike = tq.solve("3 2 1 4 / 2 1 0 5", goal="1 1 2 2 / 3 4 5 0", engine="general")
small = tq.solve("8 6 7 / 2 5 4 / 3 0 1", engine="table")
audit = tq.audit("manhattan", tq.Goal.blank_last(2, 3))
survey = explore(tq.Puzzle(tq.Goal.blank_last(2, 3)))
print(hard.cost, bool(large.moves), alike.cost, small.cost, len(survey.histogram))
"""


def test_puzzles_are_solved_without_numpy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SOLVE], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["57", "True", "21", "31", "22"]


def _why_not_rebuilt() -> str:
    """Return why the libraries cannot be rebuilt here byte by byte; empty if they can."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (requirement,) = project["dependency-groups"]["kernels"]
    name, wanted = requirement.split("==")
    try:
        found = version(name)
    except PackageNotFoundError:
        return "make test-all installs the dependency group kernels"
    return "" if found == wanted else f"it needs {requirement}, found {found}"


@pytest.mark.slow
@pytest.mark.skipif(bool(_why_not_rebuilt()), reason=_why_not_rebuilt())
def test_the_libraries_are_rebuilt_byte_by_byte(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "tools.kernels", "--all", "--anew", "--into", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True)
    differing = [
        name
        for name in PLATFORMS
        if (tmp_path / name).read_bytes() != Path(FOLDER, name).read_bytes()
    ]
    assert not differing

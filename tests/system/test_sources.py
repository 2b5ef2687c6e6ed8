"""The symbol of a kernel follows its code, and the committed libraries have that of all kernels."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from tools.numba_kernels import kernels, record
from tools.platforms import PLATFORMS

from taquin.system import sources
from taquin.system.compiled import FOLDER
from taquin.system.sources import RECORD

PRINT_SYMBOLS = """
from taquin.engine.cpu import packed, wide
from taquin.engine.cpu.team import work
from taquin.system import sources
from taquin.system.arrays import kinds_of
for kinds in kinds_of(work.function):
    computed, files = sources.computed_symbol(work.function, kinds)
    print(kinds[-1].record.__name__, sources.symbol_of(work.function, kinds), computed)
"""
"""Print the symbols of a kernel by the record that it takes: as it is found, and computed."""


def symbols_of(package: Path) -> dict[str, str]:
    """Return the symbols of `work` in a copy of the package, by record."""
    program = [sys.executable, "-c", PRINT_SYMBOLS]
    lines = subprocess.run(
        program, env={"PYTHONPATH": str(package.parent)}, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {}
    for line in lines:
        tree, symbol, computed = line.split()
        assert symbol == computed, "what is recorded must not hide a change"
        found[tree] = symbol
    return found


@pytest.fixture(scope="module")
def symbols() -> dict[str, str]:
    """Return the symbols of the package as it is."""
    return symbols_of(Path(sources.PACKAGE))


CHANGES = {
    "a comment": ("engine/cpu/team.py", "@kernel\n", "# Why it is so.\n@kernel\n", ()),
    "a docstring": ("engine/cpu/team.py", 'entry of `work_on`."""', 'Work."""', ()),
    "a function that kernels do not use": (
        *("engine/cpu/packed.py", "from __future__ import annotations\n"),
        *("from __future__ import annotations\n\n\ndef unused() -> int:\n    return 1\n", ()),
    ),
    "the line ends": ("engine/cpu/*.py", "\n", "\r\n", ()),
    "a constant of another file": (
        *("engine/cpu/layout.py", "BATCH = 8", "BATCH = 4"),
        ("PackedTree", "RankedTree", "WideTree", "PairTree"),
    ),
    "a body that a record of another file selects": (
        *("engine/cpu/wide.py", "LANE = 10", "LANE = 11", ("WideTree", "PairTree")),
    ),
    "the field of a record": (
        *("engine/cpu/wide.py", "    last_slot: int", "    final_slot: int"),
        ("WideTree", "PairTree"),
    ),
}
"""In which files what is replaced by what, and the records whose symbols this changes."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("what", CHANGES)
def test_only_what_is_compiled_changes_symbols_and_only_those_that_it_concerns(
    symbols: dict[str, str], tmp_path: Path, what: str
) -> None:
    without_code = shutil.ignore_patterns("__pycache__", "static", "*.so", "*.dll", "*.dylib")
    package = Path(shutil.copytree(sources.PACKAGE, tmp_path / "taquin", ignore=without_code))
    files, old, new, concerned = CHANGES[what]
    for path in package.glob(files):
        text = path.read_bytes()
        assert old.encode() in text
        count = -1 if old == "\n" else 1
        path.write_bytes(text.replace(old.encode(), new.encode(), count))
    after = symbols_of(package)
    assert {tree for tree in after if after[tree] != symbols[tree]} == set(concerned)


def test_every_kernel_has_a_symbol_of_its_own() -> None:
    symbols = [kernel.symbol for kernel in kernels()]
    assert len(set(symbols)) == len(symbols) > 30


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_library_has_every_kernel_as_it_is_now(name: str) -> None:
    content = Path(FOLDER, name).read_bytes()
    wanted = {kernel.symbol for kernel in kernels()}
    if "x86_64" in name:
        wanted |= {f"{symbol}_bmi2" for symbol in wanted}
    missing = sorted(symbol for symbol in wanted if symbol.encode() + b"\0" not in content + b"\0")
    if name.startswith("emscripten"):
        # Names of WebAssembly have a length before them and no zero after them.
        missing = sorted(symbol for symbol in wanted if symbol.encode() not in content)
    assert not missing, "run make kernels-all"


def test_the_record_of_symbols_is_that_of_the_sources() -> None:
    assert Path(FOLDER, RECORD).read_text("utf-8") == record(), "run make kernels"


def _why_not_rebuilt() -> str:
    """Return why the libraries cannot be rebuilt here byte by byte; empty if they can."""
    if (sys.platform, platform.machine(), sys.version_info[:2]) != ("linux", "x86_64", (3, 11)):
        return "the canonical host is x86-64 Linux with Python 3.11"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for requirement in project["dependency-groups"]["kernels"]:
        name, wanted = requirement.split("==")
        try:
            found = version(name)
        except PackageNotFoundError:
            return "make test-all installs the dependency group kernels"
        if found != wanted:
            return f"it needs {requirement}, found {found}"
    return ""


@pytest.mark.slow
@pytest.mark.skipif(bool(_why_not_rebuilt()), reason=_why_not_rebuilt())
def test_the_libraries_are_rebuilt_byte_by_byte(tmp_path: Path) -> None:
    build = [
        sys.executable,
        "-m",
        "tools.numba_kernels",
        "--all",
        "--anew",
        "--into",
        str(tmp_path),
    ]
    subprocess.run(build, cwd=ROOT, check=True)
    differing = [
        name
        for name in (*PLATFORMS, RECORD)
        if (tmp_path / name).read_bytes() != Path(FOLDER, name).read_bytes()
    ]
    assert not differing

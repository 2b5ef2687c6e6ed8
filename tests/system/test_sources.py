"""The symbol of a kernel follows its code: not comments, line ends, or functions beside it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools.kernels import kernels

from taquin.system import sources

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
    "a docstring": ("engine/cpu/team.py", '"""Do what `work_on` does."""', '"""Work."""', ()),
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

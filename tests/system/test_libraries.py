"""The committed libraries have the code of the kernels as they are, for every platform."""

from __future__ import annotations

import platform
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from tools.kernels import kernels, record
from tools.platforms import PLATFORMS

from taquin.system.sources import FOLDER, RECORD

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
    build = [sys.executable, "-m", "tools.kernels", "--all", "--anew", "--into", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True)
    differing = [
        name
        for name in (*PLATFORMS, RECORD)
        if (tmp_path / name).read_bytes() != Path(FOLDER, name).read_bytes()
    ]
    assert not differing

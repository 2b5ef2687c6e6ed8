"""Build the wheel of every platform, and check them: `python -m tools.wheels`.

Each wheel has the library of its platform and that for WebAssembly; the wheel for any system has
all. That of this machine is installed into an empty environment and used.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.platforms import PLATFORMS
from tools.running import ROOT, run

DIST = ROOT / "dist"


def main() -> None:
    """Build and check all wheels, and print the findings."""
    for old in DIST.glob("taquin-*"):
        old.unlink()
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", ".")
    for library, platform in PLATFORMS.items():
        if platform.wheel:
            choice = {"TAQUIN_WHEEL": f"{library}:{platform.wheel}"}
            run(sys.executable, "-m", "build", "--no-isolation", "--wheel", ".", more=choice)
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, sorted(DIST.iterdir())))
    for wheel in sorted(DIST.glob("*.whl")):
        _check_contents(wheel)
    _try_out(_wheel_of_this_machine())


def _check_contents(wheel: Path) -> None:
    """Exit unless a wheel has the library of its platform and that for WebAssembly, or all."""
    names = zipfile.ZipFile(wheel).namelist()
    found = [Path(name).name for name in names if name.startswith("taquin/native/")]
    found = [name for name in found if name in PLATFORMS]
    expected = [library for library, platform in PLATFORMS.items() if platform.wheel in wheel.name]
    if expected == ["emscripten-wasm32.so"]:
        expected = [*PLATFORMS]  # a wheel for any system
    if sorted(found) != sorted(expected) or "taquin/__init__.py" not in names:
        sys.exit(f"{wheel.name} has {found}, expected {expected}")
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes, {', '.join(found) or 'no library'}")


def _wheel_of_this_machine() -> Path:
    machine = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    system, _, processor = machine.partition("_")
    named = [wheel for wheel in DIST.glob("*.whl") if processor in wheel.name]
    (wheel,) = [wheel for wheel in named if system[:3] in wheel.name]
    return wheel


def _try_out(wheel: Path) -> None:
    """Install a wheel into an empty environment, and run typical commands with empty caches."""
    with TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        tools = Path(folder, "Scripts" if os.name == "nt" else "bin")
        run(str(tools / "python"), "-m", "pip", "install", "--quiet", str(wheel))
        purelib = Path(sysconfig.get_path("purelib", vars={"base": folder}))
        size = sum(file.stat().st_size for file in purelib.rglob("*") if file.is_file())
        pip = sum(file.stat().st_size for file in (purelib / "pip").rglob("*") if file.is_file())
        print(f"installed: {(size - pip) / 1e6:.1f} MB")
        caches = {
            "TAQUIN_CACHE": str(Path(folder, "cache")),
            "TAQUIN_DATA": str(Path(folder, "data")),
        }
        print(run(str(tools / "python"), "-P", str(ROOT / "tools" / "smoke.py"), more=caches))


if __name__ == "__main__":
    main()

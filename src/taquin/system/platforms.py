"""Where the compiled kernels of this system are, and whether it can run any.

Every start imports it: not even pathlib is needed.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import find_spec

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "native")
"""Where libraries are: in a wheel that of its platform, in a checkout those that were built."""
_SYSTEMS = {"win32": ("windows", "dll"), "darwin": ("macos", "dylib")}
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def library_name(system: str, machine: str) -> str:
    """Return the file name of the library of a platform.

    >>> library_name("darwin", "arm64")
    'macos-aarch64.dylib'
    """
    name, suffix = _SYSTEMS.get(system, (system, "so"))
    return f"{name}-{_MACHINES.get(machine.lower(), machine.lower())}.{suffix}"


def library_path() -> str:
    """Return where the library of this platform is, or would be."""
    if sys.platform == "win32":
        machine = os.environ.get("PROCESSOR_ARCHITECTURE", "")
    else:
        machine = os.uname().machine
    return os.path.join(FOLDER, library_name(sys.platform, machine))


@cache
def has_compiler() -> bool:
    """Return whether Numba is installed; it is not imported."""
    return find_spec("numba") is not None


def no_kernels() -> str:
    """Return what to install where there is neither compiled code nor a compiler."""
    from taquin.system.extras import install_command

    return (
        "there is no compiled code for this system: install a wheel of taquin that is made for it, "
        f"or the compiler, by {install_command('compile')}"
    )


def can_run_kernels() -> bool:
    """Return whether there is compiled code for this system, or a compiler."""
    return os.path.exists(library_path()) or has_compiler()

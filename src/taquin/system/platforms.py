"""Where the compiled kernels of this system are, and whether it can run any.

Every start imports it: not even pathlib is needed.
"""

from __future__ import annotations

import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "native")
"""Where libraries are: all of them, or in a wheel that of its platform."""
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


def can_run_kernels() -> bool:
    """Return whether there is compiled code for this system."""
    return os.path.exists(library_path())


def no_kernels() -> str:
    """Return why compiled engines cannot run on this system."""
    name = os.path.basename(library_path()).rpartition(".")[0]
    return f"there is no compiled code for {name}: only engines in pure Python run here"


def missing_kernel(name: str) -> str:
    """Return what to do about a kernel that is not in the library of this system."""
    if not can_run_kernels():
        return no_kernels()
    return (
        f"the library {library_path()} has no code for {name} as it is now: in a checkout run "
        "make kernels; elsewhere install taquin again"
    )

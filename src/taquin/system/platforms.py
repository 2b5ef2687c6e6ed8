"""Locate the library of compiled kernels for this platform.

Every start imports this module, so it does not even import pathlib.
"""

from __future__ import annotations

import os
import sys

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "native")
"""The folder of the libraries: all of them in a checkout, one in a wheel."""
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
    """Return the path of this platform's library, which may not exist."""
    if sys.platform == "win32":
        machine = os.environ.get("PROCESSOR_ARCHITECTURE", "")
    else:
        machine = os.uname().machine
    return os.path.join(FOLDER, library_name(sys.platform, machine))


def can_run_kernels() -> bool:
    """Return whether there is compiled code for this platform."""
    return os.path.exists(library_path())


def no_kernels() -> str:
    """Return the message that compiled engines cannot run on this platform."""
    name = os.path.basename(library_path()).rpartition(".")[0]
    return f"there is no compiled code for {name}: only engines in pure Python run here"


def missing_kernel(name: str) -> str:
    """Return the message for a kernel that is not in this platform's library."""
    if not can_run_kernels():
        return no_kernels()
    return (
        f"the library {library_path()} is outdated: it lacks the current {name}. In a checkout "
        "run make kernels; otherwise reinstall taquin"
    )

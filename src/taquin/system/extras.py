"""The command that installs an extra of taquin, for the tool that installed taquin.

Only error messages need this module, so it is imported late.
"""

from __future__ import annotations

import os
import sys


def install_command(extra: str, prefix: str = "") -> str:
    """Return the command that adds an extra to the environment at `prefix` (default: this one).

    All shells, those of Windows included, understand double quotes.

    >>> install_command("web", prefix="/usr")
    'pip install "taquin[web]"'
    """
    prefix = prefix or sys.prefix
    tool = "pip install"
    if os.path.exists(os.path.join(prefix, "pipx_metadata.json")):
        tool = "pipx install --force"
    elif os.path.exists(os.path.join(prefix, "uv-receipt.toml")):
        tool = "uv tool install"
    elif _made_by_uv(prefix):
        tool = "uv pip install"
    return f'{tool} "taquin[{extra}]"'


def not_installed(need: str, extra: str) -> str:
    """Return the message for a library that is missing; `need` is "graphs need NetworkX"."""
    return f"{need}, which is not installed: {install_command(extra)}"


def _made_by_uv(prefix: str) -> bool:
    """Return whether uv created an environment, which then has no pip."""
    try:
        with open(os.path.join(prefix, "pyvenv.cfg"), encoding="utf-8") as settings:
            return any(line.partition("=")[0].strip() == "uv" for line in settings)
    except OSError:
        return False

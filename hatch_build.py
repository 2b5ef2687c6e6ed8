"""How hatchling makes the wheel of one platform: with its library of compiled kernels.

`TAQUIN_WHEEL=linux-x86_64.so:manylinux2014_x86_64` names the library and the tag (`tools/wheels.py`
sets it). Without it the wheel is for any system, and has no compiled code.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class KernelsHook(BuildHookInterface[Any]):
    """Puts one library of kernels into a wheel, and names the platform in its tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change what is built."""
        library, _, platform = os.environ.get("TAQUIN_WHEEL", "").partition(":")
        if library:
            path = Path(self.root, "build", "native", library)
            build_data["force_include"][str(path)] = f"taquin/native/{library}"
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"

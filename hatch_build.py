"""How hatchling makes what is published: the page on the index, and the wheel of one platform.

The index shows README.md without the files beside it, so its links become absolute.

`TAQUIN_WHEEL=linux-x86_64.so:manylinux2014_x86_64` names the library of compiled kernels and the
tag of a wheel (`tools/wheels.py` sets it). Without it, as in `pip install .`, the wheel is for any
system and has all libraries.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r'(!?\[[^]]*\]\(|<img src="|<a href=")(?!https?:)([^)"\s]+)')
"""A relative link or picture of a Markdown text: what stands before its target, and the target."""


class ReadmeHook(MetadataHookInterface):
    """Makes README.md the description of the package, with absolute links."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description to the metadata."""
        (version,) = re.findall(r'= "(.+)"', _read(self.root, "src/taquin/_version.py"))
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": absolute(_read(self.root, "README.md"), metadata["urls"]["Source"], version),
        }


def absolute(text: str, source: str, version: str) -> str:
    """Return a README whose links lead to the files of a version in the repository `source`."""
    pages = f"{source}/blob/v{version}/"
    pictures = pages.replace("//github.com/", "//raw.githubusercontent.com/").replace("/blob/", "/")

    def link(match: re.Match[str]) -> str:
        before, target = match.groups()
        base = pictures if before.startswith(("!", "<img")) else pages
        return f"{before}{base}{'README.md' if target.startswith('#') else ''}{target}"

    return _LINK.sub(link, text)


class KernelsHook(BuildHookInterface[Any]):
    """Puts libraries of kernels into a wheel, and names the platform in its tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change what is built."""
        folder = Path(self.root, "src", "taquin", "native")
        names = sorted(path.name for path in folder.iterdir())
        library, _, platform = os.environ.get("TAQUIN_WHEEL", "").partition(":")
        if library:
            # The library for WebAssembly is for `taquin site`, which publishes it.
            names = ["kernels.json", library, "emscripten-wasm32.so"]
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
        if version != "editable":
            for name in names:
                build_data["force_include"][str(folder / name)] = f"taquin/native/{name}"


def _read(root: str, name: str) -> str:
    return Path(root, name).read_text(encoding="utf-8")

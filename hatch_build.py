"""How hatchling makes what is published: the page on the index, and the wheel of one platform.

The index shows README.md without the files beside it, so its links become absolute.

`TAQUIN_WHEEL=linux-x86_64.so:manylinux2014_x86_64` names the library of compiled kernels and the
tag of a wheel (`tools/wheels.py` sets it). Without it, as in `pip install .`, the wheel is for any
system and has all libraries. On a platform that none of them is for, the system's C compiler
builds one; without a compiler, only engines in pure Python run there.
"""

from __future__ import annotations

import ctypes
import os
import re
import shlex
import subprocess
import sys
import sysconfig
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
        library, _, platform = os.environ.get("TAQUIN_WHEEL", "").partition(":")
        if not library and (built := self._built(folder)):
            library, platform = built, re.sub(r"[-.]", "_", sysconfig.get_platform())
        names = sorted(path.name for path in folder.iterdir())
        if library:
            # The library for WebAssembly is for `taquin site`, which publishes it.
            names = [library, "emscripten-wasm32.so"]
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
        if version != "editable":
            for name in names:
                build_data["force_include"][str(folder / name)] = f"taquin/native/{name}"

    def _built(self, folder: Path) -> str:
        """Build the library of this platform if it is missing; return its name, or nothing."""
        sys.path.insert(0, str(folder.parents[1]))
        try:
            from taquin.system.compiled import SOURCES, library_path, sources_digest
        finally:
            del sys.path[0]
        path = folder / Path(library_path()).name
        if path.exists():
            return ""
        compiler = shlex.split(os.environ.get("CC", "cc"))
        digest = f'-DTAQUIN_SOURCES="{sources_digest()}"'
        sources = sorted(map(str, Path(SOURCES).glob("*.c")))
        try:
            subprocess.run([*compiler, *_FLAGS, digest, *sources, "-o", str(path)], check=True)
            ctypes.CDLL(str(path))
        except (OSError, subprocess.CalledProcessError):
            path.unlink(missing_ok=True)
            self.app.display_warning(
                f"{compiler[0]} cannot build {path.name}: only engines in pure Python will run"
            )
            return ""
        return path.name


_FLAGS = (
    "-std=gnu11",
    "-O3",
    "-shared",
    "-fPIC",
    "-ffreestanding",
    "-fvisibility=hidden",
    # The same numbers on all processors.
    "-ffp-contract=off",
    "-fno-math-errno",
)


def _read(root: str, name: str) -> str:
    return Path(root, name).read_text(encoding="utf-8")

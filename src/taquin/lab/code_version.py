"""Which code made a record: the release, and a digest of the source that decides what comes out."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib import resources

from taquin._version import __version__

_DECISIVE = ("engine", "heuristics", "model", "search", "tables")
"""The packages that decide what a search finds and counts."""


@cache
def code_version() -> str:
    """Return the release and the digest of the decisive source: `0.1.0+1f2e3d4c5b6a`.

    A release alone would not tell a changed search from the one before it.
    """
    digest = sha256()
    root = resources.files("taquin")
    for package in _DECISIVE:
        folder = root / package
        if not folder.is_dir():
            continue
        for file in sorted(folder.iterdir(), key=lambda each: each.name):
            if file.name.endswith((".py", ".cu")):
                digest.update(f"{package}/{file.name}\0".encode())
                digest.update(file.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"

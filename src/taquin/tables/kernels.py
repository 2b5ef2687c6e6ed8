"""Keep compiled functions from run to run, until any source they are made of changes.

Numba keeps the code of a function until the file of that function changes. A kernel is made of
functions and constants from several files, so here the code lies in a folder named after all of
them: no change, and no newer version of the project, ever meets code made from older sources.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import platformdirs

_PACKAGE = Path(__file__).parents[1]
_PREFIX = "taquin-kernels-"


def kernel(signature: str | None = None) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function that runs beside others, now for a signature, else at the first call."""

    def compiled(function: Callable[..., Any]) -> Any:
        settings: Any = numba.config
        # Numba looks at this setting while it decorates, and at no other time.
        before = settings.CACHE_DIR
        settings.CACHE_DIR = str(_folder(before))
        try:
            return numba.njit(signature, nogil=True, cache=True)(function)
        finally:
            settings.CACHE_DIR = before

    return compiled


def fingerprint(package: Path) -> str:
    """Return a short name for the sources of all kernels of a package."""
    digest = hashlib.sha256()
    for file in sorted(package.glob("*/*.py")):
        source = file.read_bytes()
        if b"numba" in source or b"kernels import kernel" in source:
            digest.update(source)
    return digest.hexdigest()[:16]


@cache
def _folder(chosen: str) -> Path:
    """Return the folder for compiled code: the user's choice for Numba, the package, or a cache."""
    if chosen:
        parent = Path(chosen)
    elif os.access(_PACKAGE, os.W_OK):
        parent = _PACKAGE / "__pycache__"
    else:
        parent = Path(platformdirs.user_cache_dir("taquin", appauthor=False))
    folder = parent / f"{_PREFIX}{fingerprint(_PACKAGE)}"
    if not chosen and not folder.exists():
        for older in parent.glob(f"{_PREFIX}*"):
            shutil.rmtree(older, ignore_errors=True)
    return folder

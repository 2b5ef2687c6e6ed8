"""Kernels that the tests of this folder define, which no library has."""

from __future__ import annotations

from typing import Any

import pytest

from taquin.system.arrays import Kind
from taquin.system.kernels import Kernel
from taquin.system.library import Entry


@pytest.fixture
def compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile kernels in this process."""
    pytest.importorskip("numba", reason="it needs the dependency group kernels")
    from tools.compiling import entry_compiled_here

    def load(kernel: Kernel[..., Any], kinds: tuple[Kind, ...]) -> Entry:
        return entry_compiled_here(kernel.function, kinds, kernel.results)

    monkeypatch.setattr(Kernel, "_load", load)

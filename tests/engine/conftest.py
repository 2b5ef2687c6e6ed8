"""What tests of several engines need."""

from __future__ import annotations

from pathlib import Path

import pytest

from taquin.tables.store import TableStore


@pytest.fixture
def later_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test depend on whether it runs first in its process."""
    for caller in ("taquin.engine.solve", "taquin.web.page_jobs"):
        monkeypatch.setattr(f"{caller}.is_first_board", lambda: False)


@pytest.fixture
def own_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> TableStore:
    """Return a store in an empty folder, which is that of the test."""
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    return TableStore(tmp_path)

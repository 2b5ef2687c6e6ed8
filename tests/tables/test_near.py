"""Small tables on large pages."""

from __future__ import annotations

import numpy as np
import pytest

from taquin.tables import near
from taquin.tables.near import brought_near


@pytest.mark.parametrize("size", [1, 4096, 3_000_001])
def test_a_small_table_keeps_its_bytes(size: int) -> None:
    table = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)
    assert np.array_equal(brought_near(table), table)


def test_a_large_table_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "MOST", 100)
    table = np.zeros(101, np.uint8)
    assert brought_near(table) is table

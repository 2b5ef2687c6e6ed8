"""What every test of the lab needs."""

from __future__ import annotations

import pytest

from taquin.lab.study.definition import code_version


@pytest.fixture(autouse=True)
def _read_the_source_afresh() -> None:
    """Let an edit of the source since the last test be no difference to the workers of this one."""
    code_version.cache_clear()

"""What tests share: one folder of tables for the whole run, and the published data."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from taquin.tables.store import TableStore


def pytest_configure(config: pytest.Config) -> None:
    """Let Hypothesis make few examples in the ordinary run, and many in the long one.

    No example has a time limit: how long one takes depends on what else the machine does.
    """
    is_short = "not slow" in config.option.markexpr
    settings.register_profile("run", max_examples=20 if is_short else 300, deadline=None)
    settings.load_profile("run")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # So a shell starts what it runs in the background; processes of the tests would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as slow all but every n-th of the quick cases of a test with the mark `sampled(n)`.

    A case that the command line names is wanted. Raise UsageError if none of the cases is quick:
    the ordinary run would leave the test out.
    """
    quick: Counter[str] = Counter()
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and item.nodeid not in config.args:
            name, is_slow = item.nodeid.partition("[")[0], "slow" in item.keywords
            if not is_slow and quick[name] % mark.args[0]:
                item.add_marker("slow")
            quick[name] += not is_slow
    for name, number in quick.items():
        if not number:
            raise pytest.UsageError(f"{name} is sampled, but all of its cases are slow")


@pytest.fixture(scope="session", autouse=True)
def table_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keep the tables of this run apart from the user's, shared by all its processes.

    Each process of a parallel run has a folder of its own below a common one; there each table is
    built once, whoever needs it first.
    """
    own = tmp_path_factory.getbasetemp()
    common = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own
    folder = common / "taquin-tables"
    os.environ["TAQUIN_CACHE"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def store(table_folder: Path) -> TableStore:
    """Return the store that the whole run shares."""
    from taquin.tables.store import TableStore

    return TableStore(table_folder)


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of published instances and figures."""
    return Path(__file__).parent / "data"

"""One server for all tests of the interface that need no other."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from taquin.lab.run.database import Store, default_folder, store_path
from tests.lab.made_records import many
from tests.web.site import Site, serving

LIMITS = (
    *("--max-seconds", "60", "--max-nodes", "100000", "--max-cells", "100"),
    *("--running", "2", "--waiting", "2", "--no-open", "--no-warm"),
)
"""Small ones, so that tests meet them."""
RECORDS = 20
collect_ignore = ["counts.py"]
"""A program, which would run when doctests are looked for in it."""


@pytest.fixture(scope="session")
def server(table_folder: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a server with small limits; the one study with records is called `mine`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        default_folder().mkdir(parents=True)
        with Store(store_path("mine"), write=True) as store:
            store.add(many(RECORDS))
        with serving(*LIMITS) as site:
            yield site


@pytest.fixture
def client(server: Site) -> Iterator[httpx.Client]:
    """Return a client of that server."""
    with httpx.Client(base_url=server.address, timeout=180) as client:
        yield client

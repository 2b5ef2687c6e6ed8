"""One server and one browser for all browser tests of a process; faults of the page are counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from taquin.lab.run.store import store_path
from tests.lab.worlds import run_into, small_study
from tests.web.browser import chrome
from tests.web.browser.table import PATIENCE
from tests.web.site import Site, serving

expect.set_options(timeout=PATIENCE)


class Opener(Protocol):
    """Opens the page in a window of its own."""

    def __call__(self, path: str = "/", **options: Any) -> Page:
        """Open `path`; the options are those of a Playwright context."""


# Playwright's event loop counts as running in this thread while it lives, and nothing else could
# run one: so the browser goes when the last test of this folder is over, not with the process.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser, or skip with the reason."""
    if not chrome.found():
        pytest.skip(chrome.MISSING)
    with chrome.started() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(
    browser: Browser, table_folder: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Return a server that all tests share; of studies it knows the records of a small one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        path = store_path("small")
        path.parent.mkdir(parents=True)
        run_into(path, small_study(boards=1))
        with serving("--no-warm") as site:
            yield site


@pytest.fixture
def faults() -> Iterator[list[str]]:
    """Return the list of what went wrong in any window; it must be empty in the end."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def visit(browser: Browser, site: Site, faults: list[str]) -> Iterator[Opener]:
    """Return what opens the page; console errors and requests to elsewhere are faults."""
    contexts: list[BrowserContext] = []

    def opened(path: str = "/", **options: Any) -> Page:
        # Tiles that do not glide make no test wait; those of gliding ask for it.
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        context = browser.new_context(base_url=site.address, **(usual | options))
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        guard(context, site.address, faults)
        page = context.new_page()
        page.goto(path)
        if path != "about:blank":
            page.locator("#panel > *").first.wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()


def guard(context: BrowserContext, address: str, faults: list[str]) -> None:
    """Note every error on the console, every exception and every request to elsewhere."""

    def asked(url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("blob", "data") and f"{parts.scheme}://{parts.netloc}" != address:
            faults.append(f"request to {url}")

    context.on("request", lambda request: asked(request.url))
    context.on(
        "console",
        lambda said: faults.append(f"console: {said.text}") if said.type == "error" else None,
    )
    context.on("weberror", lambda error: faults.append(f"page error: {error.error}"))

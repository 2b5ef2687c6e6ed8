"""One server and one browser for all browser tests of a process; faults of the page are counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from taquin.lab.run.database import store_path
from taquin.web import pyodide
from taquin.web.site import write_site
from tests import npm
from tests.lab.worlds import run_into, small_study
from tests.web.browser import chrome
from tests.web.browser.table import PATIENCE
from tests.web.site import Site, serving, serving_files

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
def site_folder(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the folder that `taquin site` wrote."""
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("public") / "courses" / "search"
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("markexpr") == "not slow":
            # To make bytecode takes longer than the few starts of Python in such a run.
            patch.setattr(pyodide, "with_bytecode", lambda source, folder: {})
        write_site(folder, npm.package("pyodide"))
    return folder


@pytest.fixture(scope="package")
def folder_site(site_folder: Path) -> Iterator[Site]:
    """Return what `taquin site` wrote, in a sub-path of a server of files."""
    with serving_files(site_folder.parents[1], "courses/search") as site:
        yield site


@pytest.fixture(scope="package", params=["server", pytest.param("folder", marks=pytest.mark.slow)])
def site(
    request: pytest.FixtureRequest,
    browser: Browser,
    table_folder: object,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """Return a site that all tests share: a server, which knows a small study, or a folder."""
    if request.param == "folder":
        yield request.getfixturevalue("folder_site")
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        path = store_path("small")
        path.parent.mkdir(parents=True)
        run_into(path, small_study(boards=1))
        with serving("--no-warm") as site:
            yield site


@pytest.fixture(autouse=True)
def _needs_server(request: pytest.FixtureRequest) -> None:
    """Skip a test with the marker `server` on the side of the folder."""
    marker = request.node.get_closest_marker("server")
    if marker and not request.getfixturevalue("site").has_server:
        pytest.skip(*marker.args)


class Faults(list[str]):
    """What went wrong in any window."""

    forgiven = "\0"
    """What does not count, also when it is heard only after the test."""


@pytest.fixture
def faults() -> Iterator[Faults]:
    """Return the list of what went wrong in any window; it must be empty in the end."""
    found = Faults()
    yield found
    assert [fault for fault in found if found.forgiven not in fault] == []


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
        page.goto(path if ":" in path.partition("#")[0] else site.address + path)
        if path != "about:blank":
            page.locator("#panel > *").first.wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()


def guard(context: BrowserContext, address: str, faults: list[str]) -> None:
    """Note every error on the console, every exception and every request to elsewhere."""

    def asked(url: str) -> None:
        if not url.startswith((f"{address}/", "blob:", "data:")):
            faults.append(f"request to {url}")

    context.on("request", lambda request: asked(request.url))
    context.on(
        "console",
        lambda said: faults.append(f"console: {said.text}") if said.type == "error" else None,
    )
    context.on("weberror", lambda error: faults.append(f"page error: {error.error}"))

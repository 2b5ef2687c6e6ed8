"""The page without a server: what `taquin site` writes, on a server of files, in a sub-path.

The whole suite runs on this side too, as slow tests; these few tell whether it works at all.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import VIEWS, address, lies, until
from tests.web.browser.test_solve import ENDLESS
from tests.web.site import Site


@pytest.fixture(scope="module")
def site(folder_site: Site) -> Site:
    """Return the folder instead of the server."""
    return folder_site


def test_a_folder_plays_solves_watches_and_races_without_a_server(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    # Play works at once; what needs Python comes when Python has come.
    page.keyboard.press("ArrowUp")
    lies(page, "4 1 3 / 7 2 6 / 0 5 8")
    expect(page.get_by_title("6 moves left at best.")).to_be_attached()
    expect(page.get_by_role("tab", name="Studies")).to_be_hidden()
    page.get_by_role("tab", name="Solve").click()
    page.locator(VIEWS["solve"]).first.wait_for()
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("What was found")).to_contain_text("Solved in 6 moves")
    page.get_by_role("tab", name="Watch").click()
    page.locator(VIEWS["watch"]).first.wait_for()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("6 moves")
    page.get_by_role("tab", name="Race").click()
    page.get_by_role("button", name="Race", exact=True).click()
    page.locator(".sentence.good").wait_for()


def test_a_search_in_the_browser_is_stopped_and_the_next_one_runs(visit: Opener) -> None:
    page = visit(address(ENDLESS, "solve", search="bfs"))
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".running dl")).to_contain_text(re.compile(r"expanded\s*[1-9]"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".solve-side")).to_contain_text("Stopped")
    page.goto(page.url.partition("#")[0] + address("1 2 3 / 4 5 6 / 0 7 8", "solve")[1:])
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("What was found")).to_contain_text("Solved in 2 moves")


def test_a_folder_opens_without_a_network_after_the_first_visit(visit: Opener) -> None:
    page = visit("/")
    kept = "navigator.serviceWorker.controller?.state === 'activated'"
    until(page, lambda: bool(page.evaluate(kept)))
    page.context.set_offline(True)
    page.goto(page.url.partition("#")[0] + address("1 2 3 / 4 5 6 / 0 7 8", "watch")[1:])
    page.reload()
    page.locator(VIEWS["watch"]).first.wait_for()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("2 moves")

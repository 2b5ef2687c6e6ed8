"""What people do that nobody planned: odd addresses, a server that is gone, going back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Faults, Opener
from tests.web.browser.table import VIEWS, address, is_idle, lies, table, until
from tests.web.site import serving

REFUSED = "status of 400"
"""What a browser writes on the console when a server refuses a request."""
USUAL = "4 1 3 / 0 2 6 / 7 5 8"
ENDLESS = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("hash", "board"),
    [
        ("#play?board=nonsense", USUAL),
        ("#play?board=%E0%A4%A", USUAL),
        ("#nothing?board=1,2/3,0", "1 2 / 3 0"),
        ("#play?board=1,2/3,0&goal=nonsense", "1 2 / 3 0"),
        ("#play?board=1,2/3,0&moves=UUULLLRRR&time=x&fewest=y", "1 2 / 3 0"),
        ("#play?board=1,0", "1 0 /"),
        ("#play?board=0", "0 /"),
    ],
)
def test_an_odd_address_opens_a_board(visit: Opener, faults: Faults, hash: str, board: str) -> None:
    page = visit(f"/{hash}")
    lies(page, board)
    if board == USUAL:
        expect(page.locator("#toast")).to_contain_text("The board of this link cannot be read")
    expect(page.locator("dl.figures .stale")).to_have_count(0)
    faults.forgiven = REFUSED


@pytest.mark.sampled(2)
@pytest.mark.parametrize("view", ["solve", "watch", "race", "play"])
def test_every_view_says_what_is_wrong_with_a_board_and_goes_on_with_another(
    visit: Opener, faults: Faults, view: str
) -> None:
    page = visit(address("nonsense", view, goal="nonsense", edit="1"))
    if view != "play":
        expect(page.locator("#toast.shown")).to_contain_text("cannot be read")
    part = "[role=grid]" if view == "play" else VIEWS[view]
    expect(page.locator(part).first).to_be_visible()
    faults.forgiven = REFUSED


@pytest.mark.parametrize(
    ("view", "key", "value"),
    [
        ("play", "goal", "nonsense"),
        ("watch", "goal", "1,2/0,3"),
        ("solve", "search", "nonsense"),
        ("race", "racers", "astar(wieght=2);bfs"),
    ],
)
def test_a_goal_or_a_search_that_is_none_is_named(
    visit: Opener, faults: Faults, view: str, key: str, value: str
) -> None:
    page = visit(address(USUAL, view, **{key: value}))
    expect(page.locator("#toast.shown.bad")).to_contain_text(f"“{value[0]}")
    faults.forgiven = REFUSED


def test_back_and_forward_go_through_the_views(visit: Opener) -> None:
    page = visit(address(USUAL))
    lies(page, USUAL)
    page.keyboard.press("ArrowUp")
    page.get_by_role("tab", name="Race").click()
    page.get_by_role("tab", name="Solve").click()
    page.locator(VIEWS["solve"]).first.wait_for()
    page.go_back()
    page.locator(VIEWS["race"]).first.wait_for()
    page.go_back()
    lies(page, "4 1 3 / 7 2 6 / 0 5 8")
    page.go_forward()
    expect(page.get_by_role("tab", name="Race")).to_have_attribute("aria-selected", "true")


def test_a_page_that_is_reloaded_in_a_search_searches_again(visit: Opener) -> None:
    page = visit(address(ENDLESS, "solve", search="bfs"))
    page.get_by_role("button", name="Solve").click()
    until(page, lambda: "go=1" in page.url)
    page.reload()
    expect(page.locator(".running dl")).to_contain_text("expanded")
    page.get_by_role("button", name="Stop").click()
    until(page, lambda: is_idle(page))


@pytest.mark.slow
@pytest.mark.server("this is about a server that ends")
def test_a_server_that_is_gone_is_missed_in_a_sentence(visit: Opener, faults: Faults) -> None:
    def missed(page: Page) -> None:
        expect(page.locator(".sentence.bad, #toast.shown").first).to_contain_text("taquin serve")

    # Where it was is told by its address; the guard of the shared one must not see it.
    with serving("--no-warm") as gone:
        solving = visit(gone.address + address(ENDLESS, "solve", search="bfs", go="1"))
        racing = visit(gone.address + address(ENDLESS, "race"))
        playing = visit(gone.address + address(USUAL))
        expect(solving.locator(".running dl")).to_contain_text("expanded")
        racing.get_by_role("button", name="Race", exact=True).click()
        expect(racing.get_by_text("each so far")).to_be_visible()
        table(playing).wait_for()
        gone.process.kill()
        gone.process.wait()
        missed(solving)
        missed(racing)
        playing.get_by_role("button", name="New game").click()
        missed(playing)
        playing.keyboard.press("ArrowUp")
        lies(playing, "4 1 3 / 7 2 6 / 0 5 8")
        playing.get_by_role("tab", name="Studies").click()
        missed(playing)
    faults.clear()

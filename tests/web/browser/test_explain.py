"""Where the numbers of a watched search come from, and what each move of a game costs."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, open_more
from tests.web.browser.test_access import faults_seen
from tests.web.browser.test_watch import at

BOARD = "8 1 3 / 4 0 2 / 7 6 5"
"""Fourteen moves from the goal; 2 left is the first of the only shortest solution."""


def test_a_watched_board_has_its_distances_its_sums_and_the_line_at_work(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    page.get_by_role("button", name="Explain").click()
    marks = page.get_by_label("The board being expanded").locator(".mark")
    expect(marks).to_have_text(["3", "1", "2", "2", "2"])
    expect(page.get_by_text("h = 3 + 1 + 2 + 2 + 2 = 10 (tile 8: 3, tile 1: 1")).to_be_visible()
    expect(page.get_by_text("f = g + h = 0 + 10 = 10.")).to_be_visible()
    code = page.get_by_role("list", name="The search as pseudocode")
    expect(code.locator("[aria-current]")).to_have_text("put the start into the frontier")
    page.get_by_role("button", name="One step on").click()
    at(page, 1)
    expect(code.locator("[aria-current]")).to_have_text("for each of its children:")
    expect(code.locator(".at-work")).to_have_count(3)
    page.get_by_role("button", name="Explain").click()
    expect(marks).to_have_count(0)
    expect(code).to_be_hidden()


def test_each_move_of_a_game_has_its_cost(visit: Opener) -> None:
    page = visit(address(BOARD))
    open_more(page)
    page.get_by_role("button", name="Explain").click()
    costs = page.get_by_role("list", name="What each move costs").get_by_role("listitem")
    expect(costs).to_have_text(
        [
            "6 up: 2 more moves",
            "1 down: 2 more moves",
            "2 left: right on the way",
            "4 right: 2 more moves",
        ]
    )
    page.keyboard.press("ArrowLeft")
    expect(costs.filter(has_text="5 up: right on the way")).to_have_count(1)
    expect(costs.filter(has_text="2 right: 2 more moves")).to_have_count(1)
    assert faults_seen(page) == []

"""Racing: searches side by side, who was first, and the stop button."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, is_idle, until

BOARD = "4 1 3 / 0 2 6 / 7 5 8"
FAR = "8 6 7 / 2 5 4 / 3 0 1"


def test_three_searches_race_and_the_order_is_told(visit: Opener) -> None:
    page = visit(address(BOARD, "race"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race-message .sentence.good")).to_contain_text(
        "No solution is shorter than 5 moves"
    )
    lanes = page.locator(".lane")
    expect(lanes).to_have_count(3)
    for lane in lanes.all():
        expect(lane.locator(".lane-status")).to_contain_text(re.compile(r"(1st|2nd|3rd): 5 moves"))
        expect(lane).to_have_attribute("data-quality", "optimal")
    expanded = [int(lane.locator(".bars dd").first.inner_text()) for lane in lanes.all()]
    # Breadth-first search, the last, knows nothing of the goal.
    assert expanded[0] < expanded[2]


def test_searches_join_and_leave_a_race_and_the_link_says_who_runs(visit: Opener) -> None:
    page = visit(address(BOARD, "race"))
    page.get_by_role("button", name="Add a search").click()
    expect(page.locator(".lane")).to_have_count(4)
    expect(page.get_by_role("button", name="Add a search")).to_be_hidden()
    for _ in range(2):
        page.get_by_role("button", name="Remove this search").first.click()
    expect(page.locator(".lane")).to_have_count(2)
    expect(page.get_by_role("button", name="Remove this search")).to_have_count(0)
    until(page, lambda: "racers=bfs;" in page.url.replace("%3B", ";"))
    other = visit(page.url)
    expect(other.locator(".lane .chosen")).to_have_text(
        page.locator(".lane .chosen").all_inner_texts()
    )


def test_a_race_is_paused_and_stopped(visit: Opener) -> None:
    page = visit(address(FAR, "race", pace="10"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.get_by_text("each so far")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Pace").select_option("2000")
    expanded = page.locator(".lane .bars dd").first
    expect(expanded).to_have_text(re.compile(r"\d,?\d\d\d"))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The race was stopped.")).to_be_visible()
    for lane in page.locator(".lane-status").all():
        expect(lane).not_to_contain_text("searching")
    until(page, lambda: is_idle(page))
    expect(page.get_by_role("button", name="Race", exact=True)).to_be_visible()


@pytest.mark.server("requests to a server are held back")
def test_no_search_is_added_before_the_page_knows_which_there_are(visit: Opener) -> None:
    page = visit("about:blank")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/searches", hold)
    with page.expect_request("**/api/searches"):
        page.goto(address(BOARD, "race"))
    add = page.get_by_role("button", name="Add a search")
    expect(add).to_be_disabled()
    held[0].continue_()
    expect(add).to_be_enabled()
    expect(page.locator(".lane")).to_have_count(3)


def test_the_first_is_told_early_that_its_solution_is_not_optimal(visit: Opener) -> None:
    page = visit(address(FAR, "race", racers="greedy(manhattan);bfs", pace="300"))
    page.get_by_role("button", name="Race", exact=True).click()
    warning = page.locator(".race-message .warning")
    expect(warning).to_contain_text(re.compile(r"is first, but with \d+ moves: not optimal"))
    greedy, bfs = page.locator(".lane").all()
    expect(greedy).to_have_attribute("data-quality", "longer")
    expect(greedy.locator(".lane-status")).to_contain_text("not optimal: 31 are enough")
    # Breadth-first search would need minutes at this pace: that is told while it runs.
    expect(bfs.locator(".lane-status")).to_have_text("searching …")
    page.get_by_role("button", name="Stop").click()

"""What Play offers to share: a solved board, the daily board, and a game against A*."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from taquin import Board, solve
from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, lies, open_more, table, until
from tests.web.site import Site

NEAR = "1 2 3 / 4 0 6 / 7 5 8"
"""Two moves from the goal: 5 up, 8 left."""
SOLVED = "1 2 3 / 4 5 6 / 7 8 0"
RECORD_SHARED = "navigator.share = async (data) => { window.shared = data; };"
WEDNESDAY = "5 7 / 6 1 3 / 2 4 8"
"""The end of the board of 18 November 2026, a 3×3 board."""


def at_noon(visit: Opener, site: Site, day: str, path: str, page: Page | None = None) -> Page:
    """Open an address on a day, in the window of another day if there is one."""
    page = page or visit("about:blank")
    page.clock.set_fixed_time(datetime.fromisoformat(f"{day}T12:00"))
    page.goto("about:blank")
    page.goto(site.address + path)
    table(page).wait_for()
    return page


def solve_it(page: Page) -> int:
    """Solve the board in the fewest moves, which are returned."""
    label = table(page).get_attribute("aria-label") or ""
    board = Board.parse(label.split(": ")[1].replace("blank", "0"))
    result = solve(board)
    assert result.moves is not None
    for move in result.moves:
        page.keyboard.press(f"Arrow{str(move.direction).capitalize()}")
    expect(victory(page)).to_contain_text("Solved in")
    return len(result.moves)


def victory(page: Page) -> Locator:
    return page.locator(".sentence.good.status")


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


# --- a solved board -----------------------------------------------------------------------------


def test_a_solved_board_leads_to_a_search_of_it_to_the_next_and_to_its_fewest_moves(
    visit: Opener,
) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    solve_it(page)
    victory(page).get_by_role("button", name="Watch A*").click()
    expect(page.get_by_role("tab", name="Watch")).to_have_attribute("aria-selected", "true")
    until(page, lambda: "search=astar(manhattan)" in page.url)
    assert "board=1,2,3/4,0,6/7,5,8" in page.url
    page.go_back()
    lies(page, SOLVED)
    victory(page).get_by_role("button", name="Next board").click()
    expect(victory(page)).to_be_hidden()
    expect(page.locator("dl.figures dd").first).to_have_text("0")
    # The start of this game was never shown, so nobody has asked for its distance.
    page = visit(address("1 2 3 / 4 5 6 / 7 0 8", moves="RLU"))
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")
    page.keyboard.press("ArrowLeft")
    expect(victory(page)).to_contain_text("Solved in 4 moves")
    expect(victory(page)).to_contain_text("2 moves would do.")


def test_a_result_is_shared_with_the_start_and_without_the_moves(visit: Opener) -> None:
    page = visit(address(NEAR), permissions=["clipboard-read", "clipboard-write"])
    lies(page, NEAR)
    solve_it(page)
    victory(page).get_by_role("button", name="Share").click()
    expect(page.locator("#toast.shown")).to_contain_text("copied")
    words = page.evaluate("navigator.clipboard.readText()")
    assert words.startswith("Solved in 2 moves")
    assert words.endswith("#play?board=1,2,3/4,0,6/7,5,8")


def test_explain_stays_where_it_was_pressed(visit: Opener) -> None:
    page = visit(address(NEAR))
    open_more(page)
    button = page.get_by_role("button", name="Explain")
    before = button.bounding_box()
    button.click()
    expect(page.get_by_role("list", name="What each move costs")).to_be_visible()
    assert button.bounding_box() == before


def test_a_hint_waits_for_python(visit: Opener, site: Site) -> None:
    if site.has_server:
        pytest.skip("a server does not load Python")
    page = visit("about:blank")
    held: list[Route] = []
    page.route("**/*.wasm", lambda route: held.append(route), times=1)
    page.goto(site.address + address(NEAR))
    lies(page, NEAR)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#toast.shown")).to_contain_text("Python is still loading")
    until(page, lambda: bool(held))
    for route in held:
        route.continue_()
    expect(page.locator(".pointer")).to_be_visible()


# --- the daily board ----------------------------------------------------------------------------


def test_the_daily_board_is_that_of_the_date_and_its_game_is_kept(
    visit: Opener, site: Site
) -> None:
    page = at_noon(visit, site, "2026-11-18", "/#play?daily")
    lies(page, f"0 {WEDNESDAY}")
    expect(card(page, "Daily board, November 18, 2026")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    until(page, lambda: "moves=L" in page.url)
    page.reload()
    expect(page.locator("dl.figures dd").first).to_have_text("1")
    other = at_noon(visit, site, "2027-01-01", "/#play?daily=2026-11-18")
    lies(other, f"0 {WEDNESDAY}")
    # A link of a day has the board of that day, whatever else it says.
    odd = at_noon(visit, site, "2026-11-18", "/#play?daily=nonsense&board=1,2/3,0&goal=snail")
    lies(odd, f"0 {WEDNESDAY}")


def test_another_day_is_chosen_and_a_new_board_is_of_no_day(visit: Opener, site: Site) -> None:
    page = at_noon(visit, site, "2026-11-18", "/")
    page.get_by_role("button", name="Daily board").click()
    lies(page, f"0 {WEDNESDAY}")
    page.get_by_label("Another day").fill("2026-11-15")
    expect(card(page, "Daily board, November 15, 2026")).to_contain_text("Only the board of today")
    expect(table(page).locator(".tile")).to_have_count(15)
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".daily")).to_be_hidden()
    page.go_back()
    lies(page, f"0 {WEDNESDAY}")


def test_a_streak_counts_days_in_a_row(visit: Opener, site: Site) -> None:
    page = at_noon(visit, site, "2026-11-17", "/#play?daily")
    daily = page.locator(".daily")
    expect(daily).to_contain_text("to begin a streak")
    solve_it(page)
    expect(daily).to_contain_text("Streak: 1 day")
    at_noon(visit, site, "2026-11-18", "/#play?daily", page)
    solve_it(page)
    expect(daily).to_contain_text("Streak: 2 days")
    open_more(page)
    page.get_by_role("button", name="Reset").click()
    solve_it(page)
    expect(daily).to_contain_text("Streak: 2 days")
    at_noon(visit, site, "2026-11-20", "/#play?daily", page)
    expect(daily).to_contain_text("to begin a streak")


def test_the_result_of_a_day_tells_nothing_about_its_board(visit: Opener, site: Site) -> None:
    page = visit("about:blank")
    page.add_init_script(RECORD_SHARED)
    at_noon(visit, site, "2026-11-18", "/#play?daily", page)
    expect(page.locator("dl.figures dd").nth(2)).to_have_text("22")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".pointer")).to_be_visible()
    assert solve_it(page) == 22
    victory(page).get_by_role("button", name="Share").click()
    until(page, lambda: bool(page.evaluate("Boolean(window.shared)")))
    shared: dict[str, Any] = page.evaluate("window.shared")
    assert shared["url"].endswith("#play?daily=2026-11-18")
    title, facts = shared["text"].split("\n")
    assert title == "taquin, November 18, 2026, 3 × 3"
    assert facts == "22 moves · fewest possible 22 · 0:00 · 1 hint"


# --- a game against A* --------------------------------------------------------------------------


def test_your_moves_are_compared_with_those_of_astar(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    page.get_by_role("button", name="Beat A*").click()
    versus = card(page, "Beat A*")
    expect(versus).to_contain_text("A* needs 2 moves")
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    expect(versus).to_contain_text("The search won: 2 moves against your 4")
    expect(versus).to_contain_text("1 of your moves was a detour")
    mine = versus.get_by_role("list", name="Your 4 moves").get_by_role("listitem")
    expect(mine).to_have_text(["6← detour", "6→", "5↑", "8←"])
    best = versus.get_by_role("list", name="The search: 2 moves").get_by_role("listitem")
    expect(best).to_have_text(["5↑", "8←"])
    until(page, lambda: "moves=LRUL" in page.url)
    page.reload()
    expect(mine).to_have_text(["6← detour", "6→", "5↑", "8←"])
    page.get_by_role("button", name="Beat A*").click()
    expect(versus).to_be_hidden()


def test_a_board_too_large_for_astar_names_the_search_that_plays_instead(visit: Opener) -> None:
    page = visit(address("1 2 3 4 / 5 6 7 8 / 9 10 0 12 / 13 14 11 15", versus="1"))
    expect(card(page, "Beat A*")).to_contain_text("A* would take too long")
    expect(card(page, "Beat A*").locator("code")).not_to_be_empty()
    assert solve_it(page) == 2
    expect(victory(page).get_by_role("button", name="Watch A*")).to_be_visible()
    expect(card(page, "Beat A*")).to_contain_text("A draw, in 2 moves each")
    expect(card(page, "Beat A*")).to_contain_text("No move was a detour")


def test_a_board_too_large_for_exact_distances_is_compared_without_detours(visit: Opener) -> None:
    rings = "DDDDRRRRUUUULLLL" * 3 + "DDRRUULL" * 3 + "DRRULL" * 2 + "DDDRUUUL" * 3
    solved = " / ".join(("1 2 3 4 5", "6 7 8 9 10", "11 12 13 14 15", "16 17 18 19 20"))
    page = visit(address(f"{solved} / 21 22 23 24 0", versus="1", moves=rings * 2))
    versus = card(page, "Beat A*")
    expect(versus).to_contain_text("the exact distances to the goal are not known")
    expect(versus.get_by_role("list", name="Your 216 moves")).to_be_visible()
    # A* would expand boards for hours.
    expect(victory(page).get_by_role("button", name="Share")).to_be_visible()
    expect(victory(page).get_by_role("button", name="Watch A*")).to_be_hidden()

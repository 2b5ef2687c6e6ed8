"""The page without a mouse: every control is reached, seen to be reached, and does its work."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import EVERY_VIEW, VIEWS, address, lies

_FOCUSED = """() => {
    const {activeElement: it} = document;
    if (it === document.body) return null;
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    return {
        name: it.getAttribute("aria-label") || it.innerText || it.id,
        isSeen: style.outlineStyle !== "none" && box.width > 0 && box.height > 0,
    };
}"""
_FOCUSABLE = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]"
)].filter(it => it.tabIndex >= 0 && !it.disabled && it.checkVisibility()).length"""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        if focused and focused["name"].strip().startswith(name):
            return
    raise AssertionError(f"Tab never reaches {name}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", EVERY_VIEW)
def test_tab_reaches_every_control_and_shows_where_it_is(visit: Opener, view: str) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8", view))
    page.locator(VIEWS[view]).first.wait_for()
    count = page.evaluate(_FOCUSABLE)
    assert count > 3
    for _ in range(count):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        assert focused is not None
        assert focused["isSeen"], focused


def test_a_board_is_solved_and_its_solution_wound_by_keys_alone(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    tab_to(page, "Play")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Learn")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Solve")).to_be_visible()
    tab_to(page, "Solve")
    page.keyboard.press("Enter")
    expect(page.get_by_label("What was found")).to_contain_text("5 moves")
    page.keyboard.press("End")
    expect(page.locator("output")).to_have_text("Move 5 of 5")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("output")).to_have_text("Move 4 of 5")


def test_the_first_tab_skips_to_the_board_and_keeps_the_game(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8", moves="D"))
    lies(page, "1 2 3 / 4 0 6 / 7 5 8")
    tab_to(page, "To the board")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    lies(page, "1 2 3 / 4 6 0 / 7 5 8")
    expect(page.locator("dl.figures dd").first).to_have_text("2")


def test_a_dialog_opens_closes_and_gives_the_focus_back(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    tab_to(page, "More")
    page.keyboard.press("Enter")
    tab_to(page, "Text")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Text")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    lies(page, "4 1 3 / 2 0 6 / 7 5 8")
